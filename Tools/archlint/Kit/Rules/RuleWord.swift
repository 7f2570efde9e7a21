/// A word of the rule file and its place.
package struct RuleWord: Sendable, Hashable {
  package var text: String
  package var place: Place
}

/// A place in a file, from 1. Columns count UTF-8 bytes.
package struct Place: Sendable, Hashable, Comparable {
  package var path: String
  package var line: Int
  package var column: Int

  package init(_ path: String, _ line: Int, _ column: Int) {
    (self.path, self.line, self.column) = (path, line, column)
  }

  package init(_ path: String, _ place: (line: Int, column: Int)) { self.init(path, place.line, place.column) }

  package var text: String { "\(path):\(line):\(column)" }

  package static func < (left: Place, right: Place) -> Bool {
    (left.path, left.line, left.column) < (right.path, right.line, right.column)
  }
}

/// A name or a path with `*` (anything but `/`), `**` (anything) and `?`.
package struct NamePattern: Sendable, Hashable {
  package let text: String
  private let bytes: [UInt8]

  package init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  package var isExact: Bool { !bytes.contains(UInt8(ascii: "*")) && !bytes.contains(UInt8(ascii: "?")) }
  package var isPath: Bool { bytes.contains(UInt8(ascii: "/")) }

  package func matches(_ name: String) -> Bool {
    if isExact { return name == text }
    return Self.matches(bytes[...], Array(name.utf8)[...])
  }

  /// The pattern of a folder (`Templates/`) matches all files in it.
  package func matches(path: String) -> Bool {
    text.hasSuffix("/") ? NamePattern(text + "**").matches(path) : matches(path)
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == UInt8(ascii: "*") {
      let isDeep = rest.first == UInt8(ascii: "*")
      let tail = isDeep ? rest.dropFirst() : rest
      var name = name
      while true {
        if matches(tail, name) { return true }
        guard let byte = name.first, isDeep || byte != UInt8(ascii: "/") else { return false }
        name = name.dropFirst()
      }
    }
    guard let byte = name.first, first == byte || (first == UInt8(ascii: "?") && byte != UInt8(ascii: "/")) else {
      return false
    }
    return matches(rest, name.dropFirst())
  }
}

/// Paths inside the package, with `/` as separator and not at either end.
enum RelativePath {
  /// The path without `.`, `..`, doubled and trailing slashes; empty for the package itself.
  static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }

  static func isInside(_ path: String, _ folder: String) -> Bool {
    folder.isEmpty || path == folder || path.hasPrefix(folder + "/")
  }
}
