/// A JSON value of a request body or a fault script.
///
/// The tool has its own parser, so that a defect in the project's parser cannot remain unnoticed.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Field])

  /// One member of an object.
  public struct Field: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue
  }

  /// The place of an error in the text.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The offset of the byte at which parsing stopped.
    public let offset: Int

    /// The message.
    public var description: String { "not JSON at byte \(offset)" }
  }

  /// Parses one JSON text (RFC 8259).
  /// - Throws: ``Failure`` if the bytes are not valid JSON.
  public init(parsing bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(bytes: bytes)
    self = try reader.text()
  }

  /// The first member of this name; nil if it is absent or this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The text of a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// An integer.
  public var int: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// Any number.
  public var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// True or false.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The members of an object.
  public var fields: [Field]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  /// The value as text.
  public var text: String {
    var text = JSONText()
    text.value(self)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

/// Parses JSON by recursive descent, up to 200 levels deep.
struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func text() throws(JSONValue.Failure) -> JSONValue {
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw failure }
    return value
  }

  private var failure: JSONValue.Failure { JSONValue.Failure(offset: index) }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func skip(_ text: StaticString) throws(JSONValue.Failure) {
    let end = index + text.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[index..<end].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    else { throw failure }
    index = end
  }

  private mutating func value() throws(JSONValue.Failure) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 200 else { throw failure }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try skip("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try skip("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try skip("null")
      return .null
    default: return try number()
    }
  }

  private mutating func object() throws(JSONValue.Failure) -> JSONValue {
    index += 1
    var fields: [JSONValue.Field] = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      index += 1
      return .object([])
    }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure }
      let name = try string()
      skipSpace()
      try skip(":")
      fields.append(JSONValue.Field(name: name, value: try value()))
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try skip("}")
      return .object(fields)
    }
  }

  private mutating func array() throws(JSONValue.Failure) -> JSONValue {
    index += 1
    var values: [JSONValue] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      index += 1
      return .array([])
    }
    while true {
      values.append(try value())
      skipSpace()
      if next == UInt8(ascii: ",") {
        index += 1
        continue
      }
      try skip("]")
      return .array(values)
    }
  }

  private mutating func string() throws(JSONValue.Failure) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw failure }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: try escaped().utf8)
      case 0..<0x20: throw failure
      default: text.append(byte)
      }
    }
    throw failure
  }

  private mutating func escaped() throws(JSONValue.Failure) -> String {
    guard let byte = next else { throw failure }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]) {
        try skip("\\u")
        units.append(try unit())
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw failure }
      return text
    default: throw failure
    }
  }

  private mutating func unit() throws(JSONValue.Failure) -> UInt16 {
    guard index + 4 <= bytes.count,
      bytes[index..<index + 4].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw failure }
    index += 4
    return unit
  }

  private mutating func number() throws(JSONValue.Failure) -> JSONValue {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { throw failure }
    if next == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { throw failure }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { throw failure }
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
    return index - start
  }
}
