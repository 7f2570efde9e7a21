/// An edit that was made here and that a remote must still accept.
public struct OutboxEntry: Record {
  /// How the edit is sent.
  public enum Kind: String, Sendable {
    /// Replaces a resource (RFC 9110 section 9.3.4).
    case put
    /// Makes a new one, under an idempotency key: the entry's id.
    case post
    /// Removes it (RFC 9110 section 9.3.5).
    case delete
  }

  /// What the edit waits for.
  public enum State: String, Sendable, CaseIterable {
    /// Waits to be sent.
    case pending
    /// Both sides changed the same field, or one removed what the other changed; the user must choose.
    case conflict
    /// The remote refused it for good.
    case refused
  }

  /// Its id, which is also its idempotency key.
  @ExactString public var id: String
  /// `{collection}/{id}` of the record that was edited.
  @ExactString public var target: String
  /// How it is sent.
  public var kind: Kind
  /// The source that sends it; `nil` in stores of earlier versions, where a collection had one such source.
  public var source: SourceName?
  /// The fields that were changed, with their new values; null for one that was cleared. Empty for a removal.
  public var edit: JSONObject
  /// The same fields as the remote last had them; null for one that it did not have. For a removal, the whole record.
  public var base: JSONObject
  /// What `base` is at the remote now; only of a conflict.
  public var theirs: JSONObject?
  /// How many times it was sent.
  public var attempts: Int
  /// Whether the last try may have reached the server without an answer: then the remote is read first.
  public var outcomeUnknown: Bool
  /// What it waits for.
  public var state: State
  /// Why the last try failed.
  public var lastError: String?
  /// When the edit was made.
  public var createdAt: Timestamp

  /// Makes an entry that waits.
  public init(
    id: String, target: String, kind: Kind, source: SourceName? = nil, edit: JSONObject, base: JSONObject,
    theirs: JSONObject? = nil,
    attempts: Int = 0, outcomeUnknown: Bool = false, state: State = .pending, lastError: String? = nil,
    createdAt: Timestamp
  ) {
    self.id = id
    self.target = target
    self.kind = kind
    self.source = source
    self.edit = edit
    self.base = base
    self.theirs = theirs
    self.attempts = attempts
    self.outcomeUnknown = outcomeUnknown
    self.state = state
    self.lastError = lastError
    self.createdAt = createdAt
  }

  /// `outbox`.
  public static let collection = CollectionName.outbox

  /// The fields of its records.
  public static let schema: [RecordField] = [
    .init("id"), .init("target"), .init("kind"), .init("fields", .anyObject), .init("base", .anyObject),
    .optional("theirs", .anyObject), .init("attempts", .whole), .optional("outcomeUnknown", .flag),
    .init("state"), .optional("lastError"), .init("createdAt", .time), .optional("source"),
  ]

  /// The collection part of `target`.
  public var targetCollection: CollectionName {
    CollectionName(rawValue: target.firstPart)
  }

  /// The id part of `target`.
  public var targetID: String { String(Substring(target.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst())) }

  /// The record as it is written; the edit is its member `fields`.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("target", target)
    fields.append("kind", kind.rawValue)
    fields.append("fields", .object(edit))
    fields.append("base", .object(base))
    fields.append("theirs", theirs.map { .object($0) })
    fields.append("attempts", attempts)
    fields.append("outcomeUnknown", outcomeUnknown ? true : nil)
    fields.append("state", state.rawValue)
    fields.append("lastError", lastError)
    fields.append("createdAt", createdAt.description)
    fields.append("source", source?.rawValue)
    return fields
  }

  /// Reads an entry as it was written.
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
    theirs = fields["theirs"] == nil ? nil : try reader.object("theirs")
    attempts = try reader.int("attempts")
    outcomeUnknown = try reader.optionalBool("outcomeUnknown") ?? false
    guard let state = State(rawValue: try reader.string("state")) else {
      throw reader.error("state", "pending, conflict or refused", fields["state"])
    }
    self.state = state
    lastError = try reader.optionalString("lastError")
    createdAt = try reader.timestamp("createdAt")
  }
}
