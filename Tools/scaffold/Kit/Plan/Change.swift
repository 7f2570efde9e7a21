/// What happens to one file.
struct Change: Hashable, Sendable {
  var path: String
  /// The text now; `nil` where there is no such file.
  var before: String?
  /// The text afterwards; `nil` where the file goes.
  var after: String?

  var reversed: Change { Change(path: path, before: after, after: before) }

  /// `create`, `edit` or `remove`.
  var word: String { before == nil ? "create" : after == nil ? "remove" : "edit" }

  /// The lines that come and go, with the signs of a patch; for a new or a vanishing file their number.
  var summary: String {
    guard let before, let after else {
      return "\(word)  \(path) (\((before ?? after ?? "").count { $0 == "\n" }) lines)\n"
    }
    let (old, new) = (Self.lines(before), Self.lines(after))
    let difference = new.difference(from: old)
    let rows = difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (2 * offset, "    - \(line)\n")
      case .insert(let offset, let line, _): (2 * offset + 1, "    + \(line)\n")
      }
    }
    return "edit    \(path)\n" + rows.sorted { $0.0 < $1.0 }.map(\.1).joined()
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
