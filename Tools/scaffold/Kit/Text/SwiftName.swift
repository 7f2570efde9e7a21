/// Names in the forms in which they are written.
enum SwiftName {
  /// `AirQuality` as `airQuality`; a row of capitals at the start goes down together: `URLCheck` as `urlCheck`.
  static func lowerCamel(_ name: String) -> String {
    let characters = Array(name)
    let capitals = characters.prefix { $0.isUppercase || $0.isNumber }.count
    let down = capitals <= 1 || capitals == characters.count ? capitals : capitals - 1
    return String(characters[..<down]).lowercased() + String(characters[down...])
  }

  /// `AirQuality` as `air-quality`.
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

  /// `air-quality` or `air_quality` as `airQuality`.
  static func camel(kebab: String) -> String {
    let parts = kebab.split { $0 == "-" || $0 == "_" }.map(String.init)
    return (parts.first ?? "") + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The usual English plural.
  static func plural(_ word: String) -> String {
    for end in ["s", "x", "z", "ch", "sh"] where word.hasSuffix(end) { return word + "es" }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + "s"
  }

  /// Whether it can name a type and a module.
  static func isType(_ name: String) -> Bool {
    name.utf8.count <= 32 && name.first?.isUppercase == true
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Whether it can name a property.
  static func isProperty(_ name: String) -> Bool {
    name.utf8.count <= 40 && name.first?.isLowercase == true && !reserved.contains(name)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }

  /// Words that a property or a case cannot be called without more ado.
  static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "collection", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fields", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "listed", "nil", "node", "operator",
    "private", "protocol", "public", "rawValue", "reader", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// Types and modules of the toolchain and of the house that a new name would hide.
  static let taken: Set<String> = [
    "Any", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "Duration", "Error", "Float",
    "Foundation", "Glibc", "Int", "Never", "Optional", "Result", "Sequence", "Set", "String", "Substring", "Swift",
    "Synchronization", "Task", "Testing", "Type", "UInt8", "URL", "Void", "XCTest",
  ]
}

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
