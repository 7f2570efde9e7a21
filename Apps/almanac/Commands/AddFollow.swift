import ArgumentParser
import Models
import Ports

/// `almanac follow PATH`
struct AddFollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow something: it is checked, and kept from the next sync on.",
    discussion: """
      A path is a source with its parameters:
        app-store/STOREFRONT/CHART         top-free, top-paid, top-grossing, new
        app-store/STOREFRONT/CHART/GENRE   games or 6014: see 'almanac genre list'
        flickr/person/NSID  flickr/photos/NSID  flickr/favorites/NSID
        flickr/search/TEXT  flickr/interestingness
        users/ID
        people
      Following the same path again changes the options that are named and keeps the others. To drop one, unfollow \
      the path and follow it again.
      """)

  @Argument(help: "What to follow, for example app-store/fr/top-paid.") var path: String
  @Option(help: "How many records at most.") var limit: Int?
  @Option(help: "How often the daemon looks: 90s, 15m, 1h, 7d.") var every: String?
  @Option(help: "A chart's genre: short for /GENRE at the end of its path.") var genre: String?
  @Option(help: "Which feed of the source: marketing.") var feed: String?
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    var interval: Interval?
    if let every {
      guard let parsed = Interval(every) else {
        throw Failure(
          .config, .usage, "'\(every)' is not an interval", hint: "write 90s, 15m, 1h, 7d or 1h30m; at least 1s")
      }
      interval = parsed
    }
    let named = Follow(path: path, limit: limit, every: interval, genre: genre, feed: feed)
    var follow = try Failure.from { () throws(FollowError) in try services.check(named) }
    let settings = try Failure.from { () throws(SettingsFailure) in try services.settings.load(mayBeMissing: true) }
    let earlier = settings.follows.first { $0.path == follow.path }
    if let earlier {
      follow.limit = follow.limit ?? earlier.limit
      follow.every = follow.every ?? earlier.every
      follow.feed = follow.feed ?? earlier.feed
      try Failure.from { () throws(FollowError) in _ = try services.check(follow) }
    }
    if follow != earlier {
      try Failure.from { () throws(SettingsFailure) in try services.settings.add(follow) }
    }
    services.terminal.note(Self.message(follow, earlier))
    if try services.address(of: follow.source) == nil {
      services.terminal.complain(
        "no server is set for \(follow.source): set servers.\(follow.source).url in \(services.settings.path)")
    }
    return .done
  }

  /// What became of the follow.
  private static func message(_ follow: Follow, _ earlier: Follow?) -> String {
    guard let earlier else { return "following \(follow.path); 'almanac sync' fetches it" }
    var changed: [String] = []
    var kept: [String] = []
    for (name, old, new) in [
      ("limit", earlier.limit.map(String.init), follow.limit.map(String.init)),
      ("every", earlier.every?.description, follow.every?.description), ("feed", earlier.feed, follow.feed),
    ] {
      guard let new else { continue }
      if old == new { kept.append("\(name) \(new)") } else { changed.append("\(name) \(new)" + was(old)) }
    }
    let rest = kept.isEmpty ? "" : "; kept: \(kept.joined(separator: ", "))"
    return changed.isEmpty
      ? "\(follow.path) is followed already, nothing changed\(rest)"
      : "\(follow.path) is followed already, changed: \(changed.joined(separator: ", "))\(rest)"
  }

  private static func was(_ old: String?) -> String { old.map { " (was \($0))" } ?? "" }
}
