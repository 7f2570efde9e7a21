public import Models

/// The fields of a response with their kinds, which are stored for each follow to detect changes of the API.
public struct AnswerShape: Hashable, Sendable {
  public struct Field: Hashable, Sendable {
    /// The path, with `[]` for all elements of an array: `$.feed.entry[].id.label`.
    public var path: String
    /// The kinds of its values as named by RFC 8259, sorted.
    public var kinds: [String]
    /// Whether all objects at its parent's path have it.
    public var always: Bool
    public var objects: Int

    public init(path: String, kinds: [String], always: Bool, objects: Int = 0) {
      (self.path, self.kinds, self.always, self.objects) = (path, kinds, always, objects)
    }
  }

  /// The fields, sorted by path.
  public var fields: [Field]

  public init(fields: [Field]) { self.fields = fields }

  /// The number of objects from which the absence of a field is significant.
  public static let enough = 10

  /// The stored form: `{"$.data[]": ["object", 10], "$.data[].id": ["number"], "$.data[].note?": ["null", "string"]}`.
  /// `?` marks a field that is not always present; the number counts the objects, up to `enough`.
  public var remembered: JSONObject {
    JSONObject(
      members: fields.map { field in
        var words = field.kinds.map { JSONValue.string($0) }
        if field.objects > 0 { words.append(.int(min(field.objects, Self.enough))) }
        return JSONObject.Member(key: field.always ? field.path : "\(field.path)?", value: .array(words))
      })
  }

  /// Reads the stored form. Members that are not arrays are ignored.
  public init(remembered: JSONObject) {
    fields = remembered.members.compactMap { member in
      guard let words = member.value.array else { return nil }
      let always = !member.key.hasSuffix("?")
      return Field(
        path: always ? member.key : String(member.key.dropLast()), kinds: words.compactMap(\.string), always: always,
        objects: words.last?.int ?? 0)
    }
  }
}

public struct FieldDrift: Hashable, Sendable {
  public enum Change: String, Sendable, CaseIterable {
    /// It was always present and is missing now.
    case vanished
    case kind
    case appeared
  }

  public var change: Change
  public var path: String
  public var before: [String]
  public var now: [String]

  public init(_ change: Change, path: String, before: [String], now: [String]) {
    (self.change, self.path, self.before, self.now) = (change, path, before, now)
  }
}

public protocol ShapeReader: Sendable {
  /// The common shape of the responses. Bodies that are not JSON, and responses that only report an error, are ignored.
  /// The shape has no fields if no other responses remain.
  func shape(of bodies: [[UInt8]]) -> AnswerShape

  /// The changes between two shapes, by path.
  ///
  /// A field is reported as vanished if all objects had it, no object has a value other than `null` for it now, and
  /// there are at least as many objects as before, or `AnswerShape.enough`. An empty array provides no information
  /// about its elements. A `null` is not a change of kind.
  func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift]
}
