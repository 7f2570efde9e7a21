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
