/// The few bytes that Swift's lexical grammar turns on.
enum Byte {
  static let quote = UInt8(ascii: "\"")
  static let slash = UInt8(ascii: "/")
  static let star = UInt8(ascii: "*")
  static let hash = UInt8(ascii: "#")
  static let exclamation = UInt8(ascii: "!")
  static let backtick = UInt8(ascii: "`")
  static let backslash = UInt8(ascii: "\\")
  static let dot = UInt8(ascii: ".")
  static let at = UInt8(ascii: "@")
  static let colon = UInt8(ascii: ":")

  static func startsIdentifier(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte >= 0x80
  }

  static func continuesIdentifier(_ byte: UInt8) -> Bool {
    startsIdentifier(byte) || byte &- 0x30 < 10 || byte == UInt8(ascii: "$")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte &- 0x09 < 5 || byte == 0
  }

  /// Whether an operator right after this byte is a prefix one (The Swift Programming Language, 'Operators').
  static func endsBeforePrefixOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ";"), colon: true
    default: isSpace(byte)
    }
  }
}
