/// A local edit that a remote has not accepted yet.
public struct OutboxEntry: Record {
  public enum Kind: String, Sendable {
    case put
    /// Creates a resource, with the entry's id as the idempotency key.
    case post
    case delete
  }

  public enum State: String, Sendable, CaseIterable {
    case pending
    /// Both sides changed the same field, or one side removed a record that the other changed. The user must choose.
    case conflict
    case refused
  }

  /// The id, which is also the idempotency key.
  @ExactString public var id: String
  /// `{collection}/{id}` of the edited record.
  @ExactString public var target: String
  public var kind: Kind
  /// The source that sends the edit; `nil` in stores of earlier versions, in which a collection had one such source.
  public var source: SourceName?
  /// The changed fields with their new values; null for a cleared field. Empty for a removal.
  public var edit: JSONObject
  /// The remote's last known values of the same fields; null for one that it lacked. For a removal, the whole record.
  public var base: JSONObject
  /// The remote's current values of the fields of `base`; only in a conflict.
  public var theirs: JSONObject?
  /// The content of the remote's record that a removal was based on, as the source identifies it; `nil` if the source does
  /// not, or for other edits.
  public var content: String?
  /// The content of the remote's current record; only in a conflict.
  public var theirContent: String?
  /// Whether the conflict is that the remote has removed the record; `theirs` is null then in the stored form.
  public var isRemoved = false
  /// Whether the remote made the new record, and what it answered cannot be read. Then the edit is sent again only if the
  /// user says so: it would make a second record.
  public var isMade = false
  public var attempts: Int
  /// Whether the last attempt may have reached the server though no response came. Then the remote is read first.
  public var outcomeUnknown: Bool
  public var state: State
  public var lastError: String?
  /// The time until which the server asked to wait, in its last answer.
  public var retryAt: Timestamp?
  public var createdAt: Timestamp
  /// The target whose edits have to be accepted before this one is sent: `people/7` gets what this record had. If they are
  /// discarded, so is this one.
  public var after: String?

  public init(
    id: String, target: String, kind: Kind, source: SourceName? = nil, edit: JSONObject, base: JSONObject,
    theirs: JSONObject? = nil, attempts: Int = 0, outcomeUnknown: Bool = false, state: State = .pending,
    lastError: String? = nil, createdAt: Timestamp
  ) {
    (self.id, self.target, self.kind, self.source) = (id, target, kind, source)
    (self.edit, self.base, self.theirs, self.attempts) = (edit, base, theirs, attempts)
    (self.outcomeUnknown, self.state, self.lastError, self.createdAt) = (outcomeUnknown, state, lastError, createdAt)
  }

  public mutating func meetRemoval() {
    isRemoved = true
    theirs = JSONObject(members: edit.keys.map { JSONObject.Member(key: $0, value: .null) })
  }

  public mutating func decide() {
    isRemoved = false
    content = theirContent ?? content
    theirContent = nil
    theirs = nil
    state = .pending
    (lastError, retryAt) = (nil, nil)
  }

  /// The fields in conflict: those to which the edit and the remote gave different values. Every field where the remote
  /// removed the record; empty without a conflict.
  public var contested: Set<ExactString> {
    guard state == .conflict else { return [] }
    guard let theirs, !isRemoved else { return Set(edit.keys.map(\.exact)) }
    let keys = edit.keys.filter { key in
      let value = theirs[key] ?? .null
      return value != base[key] ?? .null && value != edit[key] ?? .null
    }
    return Set(keys.map(\.exact))
  }

  public static let collection = CollectionName.outbox

  public static let schema: [RecordField] = [
    .init("id"), .init("target"), .init("kind"), .init("fields", .anyObject), .init("base", .anyObject),
    .optional("theirs", .anyObject), .init("attempts", .whole), .optional("outcomeUnknown", .flag),
    .init("state"), .optional("lastError"), .init("createdAt", .time), .optional("source"), .optional("removed", .flag),
    .optional("content"), .optional("theirContent"), .optional("after"), .optional("retryAt", .time),
    .optional("made", .flag),
  ]

  /// Whether the edit sends a person who is here already, and who stays here without it.
  public var leavesPerson: Bool { kind == .post && targetCollection == .people }

  public var targetCollection: CollectionName { CollectionName(rawValue: target.firstPart) }

  public var targetID: String { target.restOfParts }

  /// The record in its stored form, in which the edit is the member `fields`.
  public var fields: JSONObject {
    [
      "id": .of(id), "target": .of(target), "kind": .of(kind.rawValue), "fields": .object(edit), "base": .object(base),
      "theirs": isRemoved ? .null : theirs.map { .object($0) }, "attempts": .int(attempts),
      "outcomeUnknown": .of(outcomeUnknown ? true : nil), "state": .of(state.rawValue), "lastError": .of(lastError),
      "createdAt": .of(createdAt.description), "source": .of(source?.rawValue),
      "removed": .of(isRemoved ? true : nil), "content": .of(content), "theirContent": .of(theirContent),
      "after": .of(after), "retryAt": .of(retryAt?.description), "made": .of(isMade ? true : nil),
    ]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    target = try reader.string("target")
    guard let kind = Kind(rawValue: try reader.string("kind")) else {
      throw reader.error("kind", "put, post or delete", fields["kind"])
    }
    self.kind = kind
    source = try reader.optionalString("source").map { SourceName(rawValue: $0) }
    edit = try reader.object("fields")
    base = try reader.object("base")
    content = try reader.optionalString("content")
    theirContent = try reader.optionalString("theirContent")
    after = try reader.optionalString("after")
    let isRemoved = try reader.optionalBool("removed") ?? false
    theirs = isRemoved || fields["theirs"] == nil ? nil : try reader.object("theirs")
    attempts = try reader.int("attempts")
    outcomeUnknown = try reader.optionalBool("outcomeUnknown") ?? false
    guard let state = State(rawValue: try reader.string("state")) else {
      throw reader.error("state", "pending, conflict or refused", fields["state"])
    }
    self.state = state
    lastError = try reader.optionalString("lastError")
    createdAt = try reader.timestamp("createdAt")
    retryAt = try reader.optionalTimestamp("retryAt")
    isMade = try reader.optionalBool("made") ?? false
    if isRemoved { meetRemoval() }
  }
}

extension JSONObject {
  /// The record after an edit, whose null members remove fields.
  public func applying(edit: JSONObject) -> JSONObject {
    var fields = self
    for member in edit.members { fields[member.key] = member.value == .null ? nil : member.value }
    return fields
  }
}
