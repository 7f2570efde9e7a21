public import Models

/// Which fields an answer holds, and of which kinds: what is remembered of a source to notice when it drifts.
public struct AnswerShape: Hashable, Sendable {
  /// One field.
  public struct Field: Hashable, Sendable {
    /// Where it is, with `[]` for any element of a list: `$.feed.entry[].id.label`.
    public var path: String
    /// The kinds of its values in the words of RFC 8259, sorted.
    public var kinds: [String]
    /// Whether every object that could have it has it.
    public var always: Bool
    /// How many objects stand there: how much is known of the fields within.
    public var objects: Int

    /// Makes a field.
    public init(path: String, kinds: [String], always: Bool, objects: Int = 0) {
      self.path = path
      self.kinds = kinds
      self.always = always
      self.objects = objects
    }
  }

  /// The fields, sorted by path.
  public var fields: [Field]

  /// Makes a shape.
  public init(fields: [Field]) { self.fields = fields }

  /// So many objects tell as much as more would.
  public static let enough = 10

  /// The shape as it is remembered: `{"$.data[]": ["object", 10], "$.data[].id": ["number"], "$.data[].note?": ["null",
  /// "string"]}`, where `?` stands for a field that is not always there, and the number for objects, ten or more.
  public var remembered: JSONObject {
    JSONObject(
      members: fields.map { field in
        var words = field.kinds.map { JSONValue.string($0) }
        if field.objects > 0 { words.append(.int(min(field.objects, Self.enough))) }
        return JSONObject.Member(key: field.always ? field.path : "\(field.path)?", value: .array(words))
      })
  }

  /// A shape as it was remembered; what is no list of kinds is passed over.
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

/// A field that is not what it was.
public struct FieldDrift: Hashable, Sendable {
  /// What happened to it.
  public enum Change: String, Sendable, CaseIterable {
    /// It was always there and is nowhere now.
    case vanished
    /// It has kinds that it did not have.
    case kind
    /// It was nowhere.
    case appeared
  }

  /// What happened.
  public var change: Change
  /// Where it is, with `[]` for any element.
  public var path: String
  /// The kinds that it had.
  public var before: [String]
  /// The kinds that it has.
  public var now: [String]

  /// Makes a drift.
  public init(_ change: Change, path: String, before: [String], now: [String]) {
    self.change = change
    self.path = path
    self.before = before
    self.now = now
  }
}

/// Tells what answers are made of, and what changed since earlier ones.
public protocol ShapeReader: Sendable {
  /// The shape of all the answers together. Bodies that are no JSON, and answers that only tell an error, are passed
  /// over; no field where none is left.
  func shape(of bodies: [[UInt8]]) -> AnswerShape

  /// What became of the fields of `earlier`, by path.
  ///
  /// A field vanished where every object had it and none has it now, or all have `null`, and there are as many objects
  /// now as there were then, or `AnswerShape.enough`. A list that is empty now says nothing about its elements; a
  /// `null` here and there is no change of kind.
  func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift]
}
