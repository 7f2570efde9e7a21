public struct SyncReport: Hashable, Sendable {
  public var startedAt: Timestamp
  public var finishedAt: Timestamp
  /// One report per follow, in the order of the request.
  public var follows: [FollowReport]
  public var outbox: OutboxCounts
  /// The planned changes; only of a dry run.
  public var plan: [PlannedChange]?
  /// The requests that would be sent after that, in the order of their targets; only of a dry run.
  public var outgoing: [PlannedRequest]?

  public init(
    startedAt: Timestamp, finishedAt: Timestamp, follows: [FollowReport], outbox: OutboxCounts = OutboxCounts(),
    plan: [PlannedChange]? = nil, outgoing: [PlannedRequest]? = nil
  ) {
    (self.startedAt, self.finishedAt, self.follows) = (startedAt, finishedAt, follows)
    (self.outbox, self.plan, self.outgoing) = (outbox, plan, outgoing)
  }

  public var totals: SyncCounts { follows.reduce(into: SyncCounts()) { $0 += $1.counts } }

  public var fields: JSONObject {
    [
      "startedAt": .of(startedAt.description), "finishedAt": .of(finishedAt.description),
      "follows": .array(follows.map { .object($0.fields) }), "totals": .object(totals.fields),
      "outbox": .object(outbox.fields), "plan": .of(plan.map { .array($0.map { .object($0.fields) }) }),
      "outgoing": .of(outgoing.map { .array($0.map { .object($0.fields) }) }),
    ]
  }
}

/// How far a run of a sync is.
public enum RunState: String, Sendable, CaseIterable {
  /// Waits until its follows are at rest.
  case queued
  case running
  case done
  /// A follow failed, or it ended without a report.
  case failed
  /// The program ended meanwhile.
  case interrupted
}

public struct FollowReport: Hashable, Sendable {
  public enum Status: String, Sendable {
    case ok
    /// No record was added, changed or removed. Where records are kept because the answers do not agree that everything was
    /// read, a warning of the `EventSink` says so.
    case unchanged
    case partial
    /// The pull failed. Pages that were committed before are kept.
    case failed
  }

  public var follow: String
  public var status: Status
  public var counts: SyncCounts
  /// The number of rejected records that were stored, if it is not all of them.
  public var rejectsKept: Int?
  public var error: Failure?
  /// Remarks for the author of a definition, of a pull that was planned.
  public var notes: [String] = []
  /// The first rejected records, of a pull that was planned: the store does not have them.
  public var rejects: [Reject] = []

  public static let rejectsLimit = 5

  public init(
    follow: String, status: Status, counts: SyncCounts = SyncCounts(), rejectsKept: Int? = nil, error: Failure? = nil
  ) {
    (self.follow, self.status, self.counts, self.rejectsKept, self.error) = (follow, status, counts, rejectsKept, error)
  }

  public var fields: JSONObject {
    let collections = counts.collections.map {
      JSONObject.Member(key: $0.collection.rawValue, value: .object($0.fields))
    }
    let head: JSONObject = ["follow": .string(follow), "status": .string(status.rawValue)]
    return head.adding(counts.fields).adding([
      "rejectsKept": .of(rejectsKept),
      "collections": .of(collections.isEmpty ? nil : .object(JSONObject(members: collections))),
      "error": .of(error.map { .object($0.fields) }),
      "notes": .of(notes.isEmpty ? nil : .array(notes.map { .string($0) })),
      "rejects": .of(rejects.isEmpty ? nil : .array(rejects.map { .object($0.fields) })),
    ])
  }
}

public struct SyncCounts: Hashable, Sendable {
  /// Requests sent, including retries.
  public var requests = 0
  /// Bytes of received bodies after decoding.
  public var bytes = 0
  public var added = 0
  public var updated = 0
  /// Records that were received again without a change.
  public var unchanged = 0
  public var removed = 0
  public var rejected = 0
  /// The changes in each collection, in the order in which the collections were first changed.
  public private(set) var collections: [CollectionCounts] = []

  public init() {}

  public static func += (lhs: inout SyncCounts, rhs: SyncCounts) {
    lhs.requests += rhs.requests
    lhs.bytes += rhs.bytes
    lhs.added += rhs.added
    lhs.updated += rhs.updated
    lhs.unchanged += rhs.unchanged
    lhs.removed += rhs.removed
    lhs.rejected += rhs.rejected
    for counts in rhs.collections { lhs.tally(counts.collection) { $0 += counts } }
  }

  public mutating func add(to collection: CollectionName) {
    added += 1
    tally(collection) { $0.added += 1 }
  }

  public mutating func update(in collection: CollectionName) {
    updated += 1
    tally(collection) { $0.updated += 1 }
  }

  public mutating func remove(from collection: CollectionName) {
    removed += 1
    tally(collection) { $0.removed += 1 }
  }

  private mutating func tally(_ collection: CollectionName, _ count: (inout CollectionCounts) -> Void) {
    let index = collections.firstIndex { $0.collection == collection } ?? collections.endIndex
    if index == collections.endIndex { collections.append(CollectionCounts(collection)) }
    count(&collections[index])
  }

  public var fields: JSONObject {
    [
      "requests": .int(requests), "bytes": .int(bytes), "added": .int(added), "updated": .int(updated),
      "unchanged": .int(unchanged), "removed": .int(removed), "rejected": .int(rejected),
    ]
  }
}

public struct CollectionCounts: Hashable, Sendable {
  public let collection: CollectionName
  public var added = 0
  public var updated = 0
  public var removed = 0

  init(_ collection: CollectionName) { self.collection = collection }

  static func += (lhs: inout CollectionCounts, rhs: CollectionCounts) {
    lhs.added += rhs.added
    lhs.updated += rhs.updated
    lhs.removed += rhs.removed
  }

  /// The counts in their printed form, without those that are 0.
  public var fields: JSONObject {
    [
      "added": .of(added == 0 ? nil : added), "updated": .of(updated == 0 ? nil : updated),
      "removed": .of(removed == 0 ? nil : removed),
    ]
  }
}

public struct OutboxCounts: Hashable, Sendable {
  /// Entries that this run sent and that the remote accepted.
  public var sent = 0
  public var pending = 0
  public var conflict = 0
  public var refused = 0
  /// The first error that kept this run from sending an entry, from deciding a conflict or from writing what became of one: of
  /// a server, or of the store. `nil` if every attempt succeeded. Not printed with the counts.
  public var unsent: Failure?
  /// The records whose edits are in conflict, `profiles/ada`, oldest first, each once. They are not printed with the counts.
  public var conflicts: [String] = []

  public init() {}

  /// Counts edits by their states.
  public init(of entries: some Sequence<OutboxEntry>) {
    for entry in entries {
      switch entry.state {
      case .pending: pending += 1
      case .conflict:
        conflict += 1
        // A record may have several edits.
        if !conflicts.contains(where: { $0.exact == entry.$target }) { conflicts.append(entry.target) }
      case .refused: refused += 1
      }
    }
  }

  /// The edits that wait for a decision: those in conflict, and refused ones; `nil` where there are none.
  public var undecided: String? {
    let parts = [(conflict, "in conflict"), (refused, "refused")].filter { $0.0 > 0 }
    return parts.isEmpty ? nil : parts.map { "\($0.counted("edit is", "edits are")) \($1)" }.joined(separator: ", ")
  }

  public var fields: JSONObject {
    ["sent": .int(sent), "pending": .int(pending), "conflict": .int(conflict), "refused": .int(refused)]
  }
}

public struct PlannedChange: Hashable, Sendable {
  public enum Operation: String, Sendable {
    case add
    case update
    case remove
  }

  public var operation: Operation
  public var collection: CollectionName
  @ExactString public var id: String
  /// The fields that would be written; `nil` for a removal.
  public var changed: JSONObject?

  public init(operation: Operation, collection: CollectionName, id: String, changed: JSONObject? = nil) {
    (self.operation, self.collection, self.id, self.changed) = (operation, collection, id, changed)
  }

  public var fields: JSONObject {
    [
      "op": .string(operation.rawValue), "collection": .string(collection.rawValue), "id": .string(id),
      "fields": .of(changed.map { .object($0) }),
    ]
  }
}

public struct PlannedRequest: Hashable, Sendable {
  public var id: String
  public var method: String
  public var target: String
  public var edit: JSONObject
  /// The URL, without secrets; `nil` if the request depends on a response that the server did not give.
  public var url: String?
  public var body: JSONObject?

  public init(
    id: String, method: String, target: String, edit: JSONObject, url: String? = nil, body: JSONObject? = nil
  ) {
    (self.id, self.method, self.target, self.edit, self.url, self.body) = (id, method, target, edit, url, body)
  }

  public var fields: JSONObject {
    [
      "id": .string(id), "method": .string(method), "target": .string(target), "fields": .object(edit), "url": .of(url),
      "body": .of(body.map { .object($0) }),
    ]
  }
}
