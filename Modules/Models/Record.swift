/// A value that is kept in the store as one JSON object.
///
/// `fields` and `init(fields:)` are each other's reverse: what one writes the other reads. Absent optionals are left
/// out of the object, never written as null.
public protocol Record: Sendable, Hashable {
  /// The collection that holds records of this kind.
  static var collection: CollectionName { get }

  /// The fields that `fields` writes, in their order.
  static var schema: [RecordField] { get }

  /// The key within the collection; it is the first member of `fields`.
  var id: String { get }

  /// The record as it is written, `id` first.
  var fields: JSONObject { get }

  /// The fields that follow from others unless they were given, with those others; empty by default.
  static var dependentFields: [String: [String]] { get }

  /// What a field of `dependentFields` is after those that it follows from changed from `old` to `new`; `nil` where it
  /// follows from them alone.
  static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue?

  /// Reads a record as it was written.
  ///
  /// - Throws: `RecordError` where a field is missing or of another type. Unknown fields are passed over.
  init(fields: JSONObject) throws(RecordError)

  /// Whether two records as they are written say the same, so that one need not be written over the other.
  static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool
}

extension Record {
  /// Member by member, in any order.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool { lhs == rhs }
}

extension Record {
  /// No field follows from others.
  public static var dependentFields: [String: [String]] { [:] }

  /// Follows from the others alone.
  public static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue? { nil }
}

/// A stored record does not have the shape that its collection promises.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The collection.
  public var collection: CollectionName
  /// The record's id, where it could be read.
  public var id: String?
  /// The field that is wrong.
  public var field: String
  /// What should stand there.
  public var expected: String
  /// What stands there; `nothing` where it is missing.
  public var found: String

  /// Makes an error.
  public init(collection: CollectionName, id: String?, field: String, expected: String, found: String) {
    self.collection = collection
    self.id = id
    self.field = field
    self.expected = expected
    self.found = found
  }

  /// The error in one line.
  public var description: String {
    "\(collection)/\(id ?? "?"): field '\(field)': expected \(expected), found \(found)"
  }
}

/// A field of the records of one collection.
public struct RecordField: Hashable, Sendable {
  /// The type of a field.
  public enum Kind: Hashable, Sendable {
    /// A string.
    case text
    /// A whole number.
    case whole
    /// A decimal number, as a string with its original digits.
    case decimal
    /// `true` or `false`.
    case flag
    /// An RFC 3339 time in UTC, `YYYY-MM-DDThh:mm:ssZ`.
    case time
    /// A time, or a day alone, `YYYY-MM-DD`.
    case timeOrDay
    /// `YYYY-MM-DD`, or `--MM-DD` without a year.
    case birthday
    /// A list of strings.
    case texts
    /// A list of objects.
    case objects
    /// An object with these members.
    case object([RecordField])
    /// An object with any members.
    case anyObject
  }

  /// The name. In a leaf, levels are separated by `.`.
  public var name: String
  /// The type.
  public var kind: Kind
  /// Whether the field may be absent.
  public var isOptional: Bool

  /// Creates a required field.
  public init(_ name: String, _ kind: Kind = .text) {
    self.name = name
    self.kind = kind
    isOptional = false
  }

  /// Creates an optional field.
  public static func optional(_ name: String, _ kind: Kind = .text) -> RecordField {
    var field = RecordField(name, kind)
    field.isOptional = true
    return field
  }

  /// The field itself, or the nested fields of an object with known members, by path: `price.amount`.
  public var leaves: [RecordField] {
    guard case .object(let members) = kind else { return [self] }
    return members.flatMap(\.leaves).map { leaf in
      var leaf = leaf
      leaf.name = "\(name).\(leaf.name)"
      leaf.isOptional = leaf.isOptional || isOptional
      return leaf
    }
  }
}

/// Ids that Almanac gives itself: ULIDs, which sort by the time at which they were made.
public enum RecordID {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// A new id: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 bits of chance.
  ///
  /// - Parameters:
  ///   - time: when the record is made.
  ///   - random: the chance; two numbers are drawn.
  public static func make(at time: Timestamp, random: () -> UInt64) -> String {
    let high = UInt64(max(0, time.secondsSinceEpoch)) &* 1000 << 16 | random() & 0xFFFF
    let low = random()
    var characters: [UInt8] = []
    characters.reserveCapacity(26)
    // 130 bits are written, of which the first two are zero.
    for index in 0..<26 {
      let shift = 125 - 5 * index
      let bits: UInt64
      if shift >= 64 {
        bits = high >> UInt64(shift - 64)
      } else if shift > 59 {
        bits = high << UInt64(64 - shift) | low >> UInt64(shift)
      } else {
        bits = low >> UInt64(shift)
      }
      characters.append(alphabet[Int(bits & 31)])
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
