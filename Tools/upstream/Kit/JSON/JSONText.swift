/// Writes JSON text field by field, in the order of the calls.
///
/// The simulated servers use different notations for the same values, so the notation is an option.
struct JSONText {
  struct Spelling {
    /// Writes `/` as `\/`, as PHP does.
    var escapesSlashes = false
    /// Writes all non-ASCII characters as `\u` escapes.
    var escapesNonASCII = false

    /// The notation of most servers.
    static let plain = Spelling()
    static let flickr = Spelling(escapesSlashes: true, escapesNonASCII: true)
  }

  private(set) var bytes: [UInt8] = []
  private let spelling: Spelling
  private var needsComma = false

  init(_ spelling: Spelling = .plain) { self.spelling = spelling }

  static func object(_ spelling: Spelling = .plain, _ body: (inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText(spelling)
    text.object(body)
    return text.bytes
  }

  mutating func object(_ body: (inout JSONText) -> Void) { enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body) }

  mutating func array(_ body: (inout JSONText) -> Void) { enclose(UInt8(ascii: "["), UInt8(ascii: "]"), body) }

  mutating func object(_ name: String, _ body: (inout JSONText) -> Void) {
    self.name(name)
    object(body)
  }

  mutating func array(_ name: String, _ body: (inout JSONText) -> Void) {
    self.name(name)
    array(body)
  }

  mutating func field(_ name: String, _ value: String) {
    self.name(name)
    string(value)
  }

  mutating func field(_ name: String, _ value: Int) {
    self.name(name)
    number(value)
  }

  mutating func field(_ name: String, _ value: JSONValue) {
    self.name(name)
    self.value(value)
  }

  mutating func fields(_ fields: KeyValuePairs<String, String>) { for (name, value) in fields { field(name, value) } }

  mutating func object(_ name: String, _ fields: KeyValuePairs<String, String>) { object(name) { $0.fields(fields) } }

  /// An object of numbers, by their names.
  mutating func object(_ name: String, counts: [String: Int]) {
    object(name) { for (name, count) in counts.sorted(by: { $0.key < $1.key }) { $0.field(name, count) } }
  }

  mutating func null(_ name: String) {
    self.name(name)
    raw("null")
  }

  /// A number that is sometimes written as a string.
  mutating func field(_ name: String, _ value: Int, asString: Bool) {
    if asString { field(name, String(value)) } else { field(name, value) }
  }

  mutating func number(_ value: Int) { raw(String(value)) }

  mutating func value(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): raw(value ? "true" : "false")
    case .number(let text): raw(text)
    case .string(let text): string(text)
    case .array(let values): array { text in for value in values { text.value(value) } }
    case .object(let fields): object { text in for field in fields { text.field(field.name, field.value) } }
    }
  }

  /// Adds text that is already JSON.
  mutating func raw(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  mutating func string(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  private mutating func name(_ text: String) {
    separate()
    quote(text)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONText) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if spelling.escapesNonASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) {
      for unit in text.utf16 {
        if unit < 0x80 { escape(UInt8(unit)) } else { unicode(unit) }
      }
    } else {
      for byte in text.utf8 { escape(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "/") where spelling.escapesSlashes: bytes += [UInt8(ascii: "\\"), byte]
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0..<0x20: unicode(UInt16(byte))
    default: bytes.append(byte)
    }
  }

  private mutating func unicode(_ unit: UInt16) {
    let digits = String(unit, radix: 16)
    bytes.append(contentsOf: "\\u".utf8)
    bytes.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
    bytes.append(contentsOf: digits.utf8)
  }
}
