/// A place in a file, from 1; columns count UTF-8 bytes.
package struct Place: Sendable, Hashable, Comparable {
  package var path: String
  package var line: Int
  package var column: Int

  package init(_ path: String, _ line: Int, _ column: Int) {
    self.path = path
    self.line = line
    self.column = column
  }

  package var text: String { "\(path):\(line):\(column)" }

  package static func < (left: Place, right: Place) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}
