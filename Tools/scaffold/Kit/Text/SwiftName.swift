/// Converts names between notations.
enum SwiftName {
  /// Converts `AirQuality` to `airQuality`. Capitals at the start are converted together: `URLCheck` to `urlCheck`.
  static func lowerCamel(_ name: String) -> String {
    let characters = Array(name)
    let capitals = characters.prefix { $0.isUppercase || $0.isNumber }.count
    let down = capitals <= 1 || capitals == characters.count ? capitals : capitals - 1
    return String(characters[..<down]).lowercased() + String(characters[down...])
  }

  /// Converts `AirQuality` to `air-quality`.
  static func kebab(_ name: String) -> String {
    let characters = Array(name)
    var text = ""
    for (index, character) in characters.enumerated() {
      let begins =
        character.isUppercase && index > 0
        && (!characters[index - 1].isUppercase || (index + 1 < characters.count && characters[index + 1].isLowercase))
      text += (begins ? "-" : "") + character.lowercased()
    }
    return text
  }

  /// Converts `air-quality` or `air_quality` to `airQuality`.
  static func camel(kebab: String) -> String {
    let parts = kebab.split { $0 == "-" || $0 == "_" }.map(String.init)
    return (parts.first ?? "") + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The regular English plural.
  static func plural(_ word: String) -> String {
    for end in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(end) { return word + "es" }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + "s"
  }

  /// Whether the name is valid for a type and a module.
  static func isType(_ name: String) -> Bool {
    name.utf8.count <= 32 && name.first?.isUppercase == true
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Whether the name is valid for a property.
  static func isProperty(_ name: String) -> Bool {
    name.utf8.count <= 40 && name.first?.isLowercase == true && !reserved.contains(name)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Words that need backticks as the name of a property or a case.
  static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "collection", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fields", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "listed", "nil", "node", "operator",
    "private", "protocol", "public", "rawValue", "reader", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Types and modules of the toolchain and of this project that a new name would shadow.
  static let taken: Set<String> = [
    "Any", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "Duration", "Error", "Float",
    "Foundation", "Glibc", "Int", "Never", "Optional", "Result", "Sequence", "Set", "String", "Substring", "Swift",
    "Synchronization", "Task", "Testing", "Type", "UInt8", "URL", "Void", "XCTest",
  ]
}

/// Lays out generated lines according to `.swift-format`.
enum Layout {
  /// The maximum length of a line.
  static let width = 120

  /// `head`, items and `tail` on one line; if that is too long, the items on filled lines of their own.
  static func call(_ head: String, _ items: [String], _ tail: String, indentation: Int = 0) -> String {
    let space = String(repeating: " ", count: indentation)
    let line = "\(space)\(head)\(items.joined(separator: ", "))\(tail)"
    if line.utf8.count <= width { return line }
    // The closing bracket of a declaration is on a line of its own, that of a call is not.
    let declares = tail.hasSuffix("{")
    let filled = fill(items, indentation: indentation + 2, tail: declares ? "" : tail)
    return declares ? "\(space)\(head)\n\(filled)\n\(space)\(tail)" : "\(space)\(head)\n\(filled)"
  }

  /// Items on lines that are as long as allowed.
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
