/// How generated lines are laid out, as `.swift-format` wants them.
enum Layout {
  /// The longest line.
  static let width = 120

  /// `head` items `tail` on one line; where that is too long, the items on lines of their own, filled up.
  static func call(_ head: String, _ items: [String], _ tail: String, indentation: Int = 0) -> String {
    let space = String(repeating: " ", count: indentation)
    let line = "\(space)\(head)\(items.joined(separator: ", "))\(tail)"
    if line.utf8.count <= width { return line }
    // What is declared gets its closing bracket on a line of its own, what is called does not.
    let declares = tail.hasSuffix("{")
    let filled = fill(items, indentation: indentation + 2, tail: declares ? "" : tail)
    return declares ? "\(space)\(head)\n\(filled)\n\(space)\(tail)" : "\(space)\(head)\n\(filled)"
  }

  /// Items in lines that are as long as they may be.
  static func fill(_ items: [String], indentation: Int, tail: String = "") -> String {
    let space = String(repeating: " ", count: indentation)
    var lines: [String] = []
    var line = space
    for (index, item) in items.enumerated() {
      let piece = index == items.count - 1 ? item + tail : item + ","
      if line == space {
        line += piece
      } else if line.utf8.count + 1 + piece.utf8.count <= width {
        line += " " + piece
      } else {
        lines.append(line)
        line = space + piece
      }
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
