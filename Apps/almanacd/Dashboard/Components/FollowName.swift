import Models
import Ports

/// What people call a follow: `Top paid · US`, the name of the profile, the words of a search.
struct FollowName: Sendable {
  let title: String
  /// What such a follow keeps; `nil` where its source does not say it.
  let about: String?

  init(_ path: String, _ services: DaemonServices) {
    let name = SourceName(rawValue: path.firstPart)
    let source = services.sources.first { $0.name == name }
    let match = source.flatMap { try? $0.match(Follow(path: path)) }
    let parameters = (match?.parameters ?? []).map(percentDecoded)
    // Of charts, the summary lists all of them.
    about = name == .appStore ? nil : match.flatMap { match in source.map { match.form.title(in: $0) } }
    title =
      switch name {
      case .appStore: match.map(Self.chart) ?? path
      case .flickr: PhotoPages.name(of: path, services)
      case .cardDAV, .calDAV: PersonForms.name(ofBook: path)
      case .users: parameters.first.map { Self.profile($0, services) ?? $0 } ?? path
      default:
        parameters.isEmpty
          ? Shown.heading(path.split(separator: "/").last { $0 != "all" }.map(String.init) ?? path)
          : parameters.joined(separator: "/")
      }
  }

  /// `Top free · Games · US`
  private static func chart(_ match: FollowMatch) -> String {
    let titles = zip(match.form.parameterNames, match.parameters).map { match.form.title(of: $1, for: $0) }
    return (titles.dropFirst() + match.parameters.prefix(1).map { $0.uppercased() }).joined(separator: " · ")
  }

  private static func profile(_ id: String, _ services: DaemonServices) -> String? {
    (try? services.library.record(.profiles, id)).flatMap { try? services.coder.decode($0) }
      .flatMap { RecordPages.title($0, .profiles, services) }
  }
}
