public import Models
public import Ports

/// JSON texts as strings and bytes: compact for the store and the wire, indented for people.
///
/// Output is stable: members in their order, numbers as they came, and only what RFC 8259 section 7 demands escaped
/// (quote, backslash, control characters), so that the same value always gives the same bytes.
public enum JSONText {
  /// Reads a whole text as a tree. A name that comes twice in one object counts with its last value.
  ///
  /// - Throws: `ParsingError` where it is not one JSON text.
  public static func value(of bytes: [UInt8]) throws(ParsingError) -> JSONValue {
    try JSONDocument.read(bytes) { $0.value }
  }

  /// Reads a whole text as a tree.
  ///
  /// - Throws: `ParsingError` where it is not one JSON text.
  public static func value(of text: String) throws(ParsingError) -> JSONValue { try value(of: Array(text.utf8)) }

  /// The value on one line, without spaces.
  public static func compact(_ value: JSONValue) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// The value on one line, without spaces, as UTF-8.
  public static func bytes(_ value: JSONValue) -> [UInt8] {
    JSONWriter.bytes { $0.write(value) }
  }

  /// The value with two spaces of indentation per level and no line end after it; empty containers stay closed.
  public static func pretty(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes { $0.writeIndented(value, level: 0) }, as: UTF8.self)
  }
}
