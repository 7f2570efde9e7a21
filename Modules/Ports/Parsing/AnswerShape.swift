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

    /// Makes a field.
    public init(path: String, kinds: [String], always: Bool) {
      self.path = path
      self.kinds = kinds
      self.always = always
    }
  }

  /// The fields, sorted by path.
  public var fields: [Field]

  /// Makes a shape.
  public init(fields: [Field]) { self.fields = fields }

  /// The shape as it is remembered: `{"$.data[].id": ["number"], "$.data[].note?": ["null", "string"]}`, where `?`
  /// stands for a field that is not always there.
  public var remembered: JSONObject {
    JSONObject(
      members: fields.map { field in
        JSONObject.Member(
          key: field.always ? field.path : "\(field.path)?", value: .array(field.kinds.map { .string($0) }))
      })
  }

  /// A shape as it was remembered; what is no list of kinds is passed over.
  public init(remembered: JSONObject) {
    fields = remembered.members.compactMap { member in
      guard let kinds = member.value.array else { return nil }
      let always = !member.key.hasSuffix("?")
      return Field(
        path: always ? member.key : String(member.key.dropLast()), kinds: kinds.compactMap(\.string), always: always)
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

/// Tells what an answer is made of, and what changed since an earlier one.
public protocol ShapeReader: Sendable {
  /// The shape of an answer.
  ///
  /// - Throws: `ParsingError` where the body cannot be read.
  func shape(of body: [UInt8]) throws(ParsingError) -> AnswerShape

  /// What became of the fields of `earlier`, by path. A list that is empty now says nothing about its elements, and
  /// `null` is no change of kind.
  func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift]
}
