public import Models
public import Ports

/// Reads and writes JSON texts as trees.
///
/// The output is stable: members keep their order, numbers keep their digits, and only the characters that RFC 8259
/// section 7 requires are escaped (quote, backslash, control characters). The same value always yields the same bytes.
public enum JSONText {
  /// Reads a text as a tree. Of members with the same name, the last one counts.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public static func value(of bytes: [UInt8]) throws(ParsingError) -> JSONValue {
    try JSONDocument.read(bytes) { $0.value }
  }

  /// Reads a text as a tree.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public static func value(of text: String) throws(ParsingError) -> JSONValue { try value(of: Array(text.utf8)) }

  /// The value on one line, without white space.
  public static func compact(_ value: JSONValue) -> String { String(decoding: bytes(value), as: UTF8.self) }

  /// The value on one line, without white space, in UTF-8.
  public static func bytes(_ value: JSONValue) -> [UInt8] {
    JSONWriter.bytes { $0.write(value) }
  }

  /// The value with an indentation of two spaces per level, without a final line break. Empty containers stay on one line.
  public static func pretty(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.bytes { $0.writeIndented(value, level: 0) }, as: UTF8.self)
  }
}
