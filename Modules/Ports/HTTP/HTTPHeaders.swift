/// Header fields in their order. Names are compared without regard to case (RFC 9110 section 5.1).
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field line.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field line.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Whether the field has that name, without regard to case.
    public func isNamed(_ other: String) -> Bool {
      // Names are ASCII (RFC 9110 section 5.6.2). Comparing bytes avoids copies: this runs for every field of a response.
      name.utf8.count == other.utf8.count
        && zip(name.utf8, other.utf8).allSatisfy { $0 == $1 || HTTPHeaders.lower($0) == HTTPHeaders.lower($1) }
    }
  }

  /// The field lines.
  public var fields: [Field]

  /// Creates headers from field lines.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// Creates headers from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value of a field. Setting a value replaces all lines of that name; setting `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.isNamed(name) }?.value }
    set {
      fields.removeAll { $0.isNamed(name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// All values of a field.
  public func values(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

  /// Appends a field line, without replacing others of the same name.
  public mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}
