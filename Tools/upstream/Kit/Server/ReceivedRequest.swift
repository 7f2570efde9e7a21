public struct ReceivedRequest: Sendable {
  /// The method as written, for example `GET`.
  public let method: String
  /// The request target as written, for example `/people?page=2`.
  public let target: String
  /// `HTTP/1.1` or `HTTP/1.0`.
  public let version: String
  /// The header fields in their order.
  public let headers: HeaderList
  /// The body without its framing (chunks are joined).
  public let body: [UInt8]
  /// The number of its connection, from 1. Equal numbers mean a reused connection.
  public let connection: Int
  /// The number of the request on the server, from 1.
  public let number: Int

  /// The target without its query, still percent-encoded.
  public var path: String {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
    return String(target[..<mark])
  }

  /// The query's items in order, decoded (`+` is a space); a name without `=` has an empty value.
  public var query: [(name: String, value: String)] {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return target[target.utf8.index(after: mark)...].split(separator: "&").map { item in
      guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        return (percentDecoded(item, plusIsSpace: true), "")
      }
      return (
        percentDecoded(item[..<equals], plusIsSpace: true),
        percentDecoded(item[item.utf8.index(after: equals)...], plusIsSpace: true)
      )
    }
  }

  /// The first value of a query parameter.
  public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Whether the client allows the connection to be reused after the response.
  var wantsKeepAlive: Bool {
    let connection = headers["connection"] ?? ""
    if version == "HTTP/1.0" { return equalWithoutCase(connection, "keep-alive") }
    return !equalWithoutCase(connection, "close")
  }
}

/// Decodes percent-encoding; a `%` without two hex digits is kept.
func percentDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String {
  func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) }
  let source = Array(text.utf8)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(source.count)
  var index = 0
  while index < source.count {
    let byte = source[index]
    if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = digit(source[index + 1]),
      let low = digit(source[index + 2])
    {
      bytes.append(high << 4 | low)
      index += 3
      continue
    }
    bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
    index += 1
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// HTTP header fields in the order of transmission. Names are compared without regard to case.
public struct HeaderList: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Equatable {
    public var name: String
    /// The value without surrounding white space.
    public var value: String

    /// Creates a field line. It is not checked, so that a test can send invalid ones.
    public init(_ name: String, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// All field lines, including duplicates.
  public var fields: [Field]

  public init(_ fields: [Field] = []) { self.fields = fields }

  /// `["content-type": "text/plain", "set-cookie": "a=1", "set-cookie": "b=2"]`: duplicates are kept.
  public init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { Field($0.0, $0.1) } }

  /// The first value of a name. Assigning replaces all lines of the name; `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { equalWithoutCase($0.name, name) }?.value }
    set {
      fields.removeAll { equalWithoutCase($0.name, name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }
}

/// Compares two header names or tokens as ASCII, ignoring case and without allocating strings.
func equalWithoutCase(_ a: String, _ b: String) -> Bool {
  let left = a.utf8
  let right = b.utf8
  guard left.count == right.count else { return false }
  return zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
}

/// The ASCII lower case of a byte.
func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
