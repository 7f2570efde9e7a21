/// A value that is stored as one JSON object.
///
/// `init(fields:)` reads what `fields` writes. An optional without a value is left out, never written as null.
public protocol Record: Sendable, Hashable {
  static var collection: CollectionName { get }

  static var schema: [RecordField] { get }

  /// The key within the collection, which is the first member of `fields`.
  var id: String { get }

  var fields: JSONObject { get }

  /// Whether a record is stored as it was written if each field has its kind and no text is empty: then neither the id nor
  /// a field is derived from others. False by default.
  static var isPlain: Bool { get }

  /// The derived fields, each with the fields that it is derived from unless it was given; empty by default.
  static var dependentFields: [String: [String]] { get }

  /// The value of a derived field after the fields that it depends on changed from `old` to `new`; `nil` if the value
  /// is derived from those alone.
  static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue?

  /// The fields whose lists are merged item by item where both sides changed them, not as one value; empty by default.
  static var listFields: [String] { get }

  /// The optional fields that only the program sets, such as the id on a server; empty by default. A record that is
  /// imported without one keeps the stored value.
  static var assignedFields: [String] { get }

  /// - Throws: `RecordError` if a field is missing or of the wrong type. Unknown fields are ignored.
  init(fields: JSONObject) throws(RecordError)

  /// What a remote has of a field after it accepted the value of an edit: the value itself, unless the edit contains more than
  /// remotes tell.
  static func accepted(_ field: String, _ value: JSONValue) -> JSONValue

  static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool
}

extension Record {
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool { lhs == rhs }

  public static var isPlain: Bool { false }

  public static var dependentFields: [String: [String]] { [:] }

  public static var listFields: [String] { [] }

  public static var assignedFields: [String] { [] }

  public static func accepted(_ field: String, _ value: JSONValue) -> JSONValue { value }

  public static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue? { nil }
}

public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  public var collection: CollectionName
  public var id: String?
  public var field: String
  public var expected: String
  /// The value that was found; `nothing` if it is missing.
  public var found: String

  public init(collection: CollectionName, id: String?, field: String, expected: String, found: String) {
    (self.collection, self.id, self.field, self.expected, self.found) = (collection, id, field, expected, found)
  }

  public var description: String {
    "\(collection)/\(id ?? "?"): field '\(field)': expected \(expected), found \(found)"
  }
}

public struct RecordField: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case text
    case whole
    /// A decimal number, as a string with its original digits.
    case decimal
    case flag
    /// An RFC 3339 time in UTC, `YYYY-MM-DDThh:mm:ssZ`.
    case time
    /// A time, or a day alone, `YYYY-MM-DD`.
    case timeOrDay
    /// `YYYY-MM-DD`, or `--MM-DD` without a year.
    case birthday
    case texts
    case objects
    case object([RecordField])
    case anyObject
  }

  /// The name. In a leaf, levels are separated by `.`.
  public var name: String
  public var kind: Kind
  public var isOptional: Bool
  /// The members of the objects of a list, in order; empty if they are not known. An object has one of those that are not
  /// optional, and no flag that is false.
  public var members: [RecordField] = []
  /// Whether the text is an id, of this record or of another one: nobody searches for a part of it.
  public var isID: Bool

  public init(_ name: String, _ kind: Kind = .text) { self.init(name, kind, isOptional: false) }

  private init(_ name: String, _ kind: Kind = .text, isOptional: Bool, isID: Bool = false, members: [RecordField] = [])
  {
    (self.name, self.kind, self.isOptional, self.members) = (name, kind, isOptional, members)
    self.isID = isID || name.exact == "id".exact
  }

  public static func id(_ name: String) -> RecordField { .init(name, isOptional: false, isID: true) }

  public static func optionalID(_ name: String) -> RecordField { .init(name, isOptional: true, isID: true) }

  public static func optional(_ name: String, _ kind: Kind = .text) -> RecordField {
    .init(name, kind, isOptional: true)
  }

  public static func list(_ name: String, _ members: [RecordField]) -> RecordField {
    .init(name, .objects, isOptional: true, members: members)
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

/// Ids that Almanac generates: ULIDs, which sort by creation time.
public enum RecordID {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// Creates an id: 26 characters of Crockford's base 32 with 48 bits of milliseconds and 80 random bits.
  ///
  /// - Parameters:
  ///   - milliseconds: the milliseconds of its second, so that the ids of one second sort as well; 0 to 999.
  ///   - random: the source of random numbers; called twice.
  public static func make(at time: Timestamp, milliseconds: Int = 0, random: () -> UInt64) -> String {
    let created = UInt64(max(0, time.secondsSinceEpoch)) &* 1000 &+ UInt64(min(max(0, milliseconds), 999))
    let high = created << 16 | random() & 0xFFFF
    let low = random()
    var characters: [UInt8] = []
    characters.reserveCapacity(26)
    // 26 characters hold 130 bits, so the first two are zero.
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
