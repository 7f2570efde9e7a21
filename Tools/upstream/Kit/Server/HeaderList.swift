/// HTTP header fields in the order in which they were sent or are to be sent; names compare without case.
public struct HeaderList: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// One field line.
  public struct Field: Sendable, Equatable {
    /// The name as written.
    public var name: String
    /// The value without the white space around it.
    public var value: String

    /// A field line. Nothing is checked, so that a test can send what no proper server would.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Every field line, duplicates included.
  public var fields: [Field]

  /// A list of these field lines.
  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// `["content-type": "text/plain", "set-cookie": "a=1", "set-cookie": "b=2"]`: duplicates are kept.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value under this name. Setting replaces every line of the name; `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { equalWithoutCase($0.name, name) }?.value }
    set {
      fields.removeAll { equalWithoutCase($0.name, name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  /// Every value under this name, in order.
  public func all(_ name: String) -> [String] {
    fields.filter { equalWithoutCase($0.name, name) }.map(\.value)
  }

  /// Adds one more line, also where the name is there already.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name, value))
  }
}

/// Compares two header names or tokens as ASCII, without case and without making new strings.
func equalWithoutCase(_ a: String, _ b: String) -> Bool {
  let left = a.utf8
  let right = b.utf8
  guard left.count == right.count else { return false }
  return zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
}

/// The ASCII lower case of a byte.
func lowercased(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}
