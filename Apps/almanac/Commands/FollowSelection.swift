import CLibrary
import Models
import Ports

/// The follows that the arguments of a command mean: paths, patterns, the names of sources, and `-` for the lines of
/// standard input.
struct FollowSelection {
  /// The largest number of follows that `status` and `sync` list on their own.
  static let mostLines = 16

  /// The arguments, with the lines of standard input in the place of `-`.
  let arguments: [String]

  /// Reads standard input where an argument is `-`. Blank lines, and those that begin with `#`, are left out.
  ///
  /// - Throws: `Failure`, `usage` if that leaves nothing.
  init(_ arguments: [String]) throws(Failure) {
    var expanded: [String] = []
    for argument in arguments {
      guard argument == "-" else {
        expanded.append(argument)
        continue
      }
      let lines = String(decoding: try InputFile(path: "-").read(), as: UTF8.self).split(whereSeparator: \.isNewline)
      expanded += lines.map { String($0).trimmed }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
    if expanded.isEmpty, !arguments.isEmpty { throw .usage("standard input names no follow") }
    self.arguments = expanded
  }

  /// The arguments as paths that may not be followed yet.
  ///
  /// - Throws: `Failure`, `usage` for a pattern.
  func newPaths() throws(Failure) -> [String] {
    guard let pattern = arguments.first(where: { $0.contains("*") }) else { return arguments }
    throw .usage(
      "'\(pattern)' is a pattern, which follows nothing",
      hint: "name the paths; patterns are for what is followed already", path: pattern)
  }

  /// The error for a path that is not followed.
  ///
  /// - Parameter more: what follows in the hint.
  static func notFollowed(_ path: String, among follows: [Follow], more: String = "") -> Failure {
    Failure(
      .config, .notFound, "\(path) is not followed",
      hint: "\(NearestName.question(path, among: follows.map(\.path)))\(command: "following") lists what is\(more)",
      path: path)
  }

  /// The paths that are meant, each once, in the order of the arguments: those of the follows that match a pattern (`*`,
  /// `?`, `[a-z]`), or that belong to the source which an argument names; any other argument is a path itself.
  ///
  /// - Parameter isCandidate: whether a pattern or a source's name may mean a follow.
  /// - Throws: `Failure`, `notFound` where nothing matches a pattern.
  func paths(among follows: [Follow], where isCandidate: (Follow) -> Bool = { _ in true }) throws(Failure) -> [String] {
    var seen: Set<ExactString> = []
    var paths: [String] = []
    for argument in arguments {
      var meant = [argument]
      if !follows.contains(where: { $0.path.exact == argument.exact }) {
        if argument.contains(where: { "*?[".contains($0) }) {
          meant = follows.filter { isCandidate($0) && fnmatch(argument, $0.path, 0) == 0 }.map(\.path)
          if meant.isEmpty {
            throw Failure(
              .config, .notFound, "no follow matches '\(argument)'", hint: "\(command: "following") lists what is",
              path: argument)
          }
        } else if !argument.contains("/") {
          let ofSource = follows.filter { isCandidate($0) && $0.source.rawValue == argument }.map(\.path)
          if !ofSource.isEmpty { meant = ofSource }
        }
      }
      paths += meant.filter { seen.insert($0.exact).inserted }
    }
    return paths
  }
}
