public import Models

public protocol RecordCoder: Sendable {
  /// Encodes an object as one line of compact JSON without a line break. Members keep their order, and the same object
  /// always yields the same bytes.
  func encode(_ fields: JSONObject) -> [UInt8]

  func encode(_ value: JSONValue) -> [UInt8]

  /// - Throws: `ParsingError` if the bytes are not exactly one JSON object.
  func decode(_ bytes: RawSpan) throws(ParsingError) -> JSONObject

  /// Checks that an object which somebody sends is kept as it was sent (RFC 7493 sections 2.1 to 2.3): that no text has half of
  /// a pair of surrogates, no object one name twice, and no number more than a 64-bit floating-point number holds.
  ///
  /// - Throws: `ParsingError` with the place of the first mistake, or if the bytes are not exactly one JSON object.
  func checkSent(_ bytes: RawSpan) throws(ParsingError)

  /// Decodes one member that is a string; `nil` if it is absent or another value.
  func text(_ member: String, of bytes: RawSpan) throws(ParsingError) -> String?

  /// Encodes a record as it is stored without decoding it: it has these fields and no others, each of its kind, and no escapes.
  ///
  /// - Parameter output: gets the record at its end, unless the bytes are encoded so already.
  /// - Returns: where the id is; `nil` where the record has to be decoded, and nothing is appended.
  func appendStored(_ bytes: RawSpan, fields: [RecordField], to output: inout [UInt8]) -> StoredRecord?
}

/// A record that was encoded without being decoded.
public enum StoredRecord: Hashable, Sendable {
  /// Its bytes are those that were given, in which the id is there.
  case given(id: Range<Int>)
  case appended(id: Range<Int>)
}

extension RecordCoder {
  public func appendStored(_ bytes: RawSpan, fields: [RecordField], to output: inout [UInt8]) -> StoredRecord? { nil }

  public func checkSent(_ bytes: [UInt8]) throws(ParsingError) {
    let slice = bytes[...]
    try checkSent(slice.span.bytes)
  }

  public func text(_ member: String, of bytes: RawSpan) throws(ParsingError) -> String? {
    try decode(bytes)[member]?.string
  }

  public func decode(_ bytes: [UInt8]) throws(ParsingError) -> JSONObject {
    // `[UInt8].span` requires macOS 26; the span of an array slice does not.
    let slice = bytes[...]
    return try decode(slice.span.bytes)
  }
}

public protocol RecordFilterCompiler: Sendable {
  /// Creates a filter that matches records which meet all conditions, and which contain each word in a text, ignoring ASCII
  /// case. Texts are the strings of the record, at any depth.
  func filter(_ conditions: [RecordCondition], words: [String]) -> any RecordFilter
}

extension RecordFilterCompiler {
  public func filter(_ conditions: [RecordCondition]) -> any RecordFilter { filter(conditions, words: []) }
}

public protocol RecordFilter: Sendable {
  /// Whether the record matches. A record that is not a JSON object meets none.
  func matches(_ record: RawSpan) -> Bool
}

/// A condition on one field: `FIELD OP VALUE`, `FIELD is present` or `FIELD is absent`.
public struct RecordCondition: Hashable, Sendable {
  public enum Comparison: String, Sendable, CaseIterable {
    case equal = "="
    /// Not equal, or absent.
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Contains, ignoring case. Characters in two normal forms are the same.
    case contains = "~"
    /// Has a value other than null, and other than an empty list. The condition's value is not used.
    case present
    /// Has no value, or null, or an empty list. The condition's value is not used.
    case absent
  }

  /// The field, with `.` between the levels: `price.amount`.
  public var field: String
  public var comparison: Comparison
  /// The value to compare with. Two numbers compare as numbers, everything else compares as text.
  public var value: String

  public init(field: String, comparison: Comparison, value: String = "") {
    (self.field, self.comparison, self.value) = (field, comparison, value)
  }
}

extension RecordCondition {
  /// Reads a condition as people write it: `FIELD OP VALUE`, `FIELD is present` or `FIELD is absent`. Adjacent signs form one
  /// operator. Spaces around it are ignored.
  ///
  /// - Throws: `Failure`: `usage`, with the form of a condition as the hint.
  public init(parsing text: String) throws(Failure) {
    let words = text.split(separator: " ")
    if words.count == 3, words[1] == "is", let comparison = Comparison(rawValue: String(words[2])),
      [.present, .absent].contains(comparison)
    {
      self.init(field: String(words[0]), comparison: comparison)
      return
    }
    let isSign: (Character) -> Bool = { "=!<>~".contains($0) }
    let field = Self.trimmed(text.prefix { !isSign($0) })
    let rest = text.drop { !isSign($0) }
    let signs = String(rest.prefix(while: isSign))
    guard !signs.isEmpty, !field.isEmpty else {
      throw Failure(.config, .usage, "'\(text)' is not a condition", hint: Self.form, code: .own(.badCondition))
    }
    guard let comparison = Comparison(rawValue: signs) else {
      throw Failure(
        .config, .usage, "'\(signs)' in '\(text)' is not an operator",
        hint: "\(Self.meant[signs].map { "did you mean '\(field) \($0) …'? " } ?? "")\(Self.form)",
        code: .own(.badCondition))
    }
    self.init(field: field, comparison: comparison, value: Self.trimmed(rest.dropFirst(signs.count)))
  }

  private static let form: Advice =
    "write 'FIELD OP VALUE' with = != < <= > >= or ~ (contains), and a space before a value that begins with a sign; or "
    + "'FIELD is present', 'FIELD is absent'"

  private static let meant = [
    "==": "=", "===": "=", "<>": "!=", "!==": "!=", "=!": "!=", "=<": "<=", "=>": ">=", "=~": "~", "~=": "~", "~~": "~",
  ]

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { String(start[...$0]) } ?? ""
  }
}
