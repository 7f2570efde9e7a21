/// What a sync did.
public struct SyncReport: Hashable, Sendable {
  /// When it began.
  public var startedAt: Timestamp
  /// When it ended.
  public var finishedAt: Timestamp
  /// One report per follow, in the order in which they were asked for.
  public var follows: [FollowReport]
  /// The outbox after the flush.
  public var outbox: OutboxCounts
  /// What would be done; only of a dry run.
  public var plan: [PlannedChange]?
  /// What would be sent after that, in the order of the targets; only of a dry run.
  public var outgoing: [PlannedRequest]?

  /// Makes a report.
  public init(
    startedAt: Timestamp, finishedAt: Timestamp, follows: [FollowReport], outbox: OutboxCounts = OutboxCounts(),
    plan: [PlannedChange]? = nil, outgoing: [PlannedRequest]? = nil
  ) {
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.follows = follows
    self.outbox = outbox
    self.plan = plan
    self.outgoing = outgoing
  }

  /// The sums over all follows.
  public var totals: SyncCounts {
    follows.reduce(into: SyncCounts()) { $0 += $1.counts }
  }

  /// The report as it is printed.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("startedAt", startedAt.description)
    fields.append("finishedAt", finishedAt.description)
    fields.append("follows", .array(follows.map { .object($0.fields) }))
    fields.append("totals", .object(totals.fields))
    fields.append("outbox", .object(outbox.fields))
    fields.append("plan", plan.map { .array($0.map { .object($0.fields) }) })
    fields.append("outgoing", outgoing.map { .array($0.map { .object($0.fields) }) })
    return fields
  }
}

/// What a sync did for one follow.
public struct FollowReport: Hashable, Sendable {
  /// How it ended.
  public enum Status: String, Sendable {
    /// Something is new.
    case ok
    /// The server said that nothing changed, or nothing differed.
    case unchanged
    /// Some records were rejected.
    case partial
    /// It failed; what was there stays.
    case failed
  }

  /// The follow's path.
  public var follow: String
  /// How it ended.
  public var status: Status
  /// How much was done.
  public var counts: SyncCounts
  /// How many of the rejected records are kept, where it is not all of them.
  public var rejectsKept: Int?
  /// Why it failed.
  public var error: Failure?

  /// Makes a report.
  public init(
    follow: String, status: Status, counts: SyncCounts = SyncCounts(), rejectsKept: Int? = nil, error: Failure? = nil
  ) {
    self.follow = follow
    self.status = status
    self.counts = counts
    self.rejectsKept = rejectsKept
    self.error = error
  }

  /// The report as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = ["follow": .string(follow), "status": .string(status.rawValue)]
    fields.members += counts.fields.members
    fields.append("rejectsKept", rejectsKept)
    let collections = counts.collections.map {
      JSONObject.Member(key: $0.collection.rawValue, value: .object($0.fields))
    }
    fields.append("collections", collections.isEmpty ? nil : .object(JSONObject(members: collections)))
    fields.append("error", error.map { .object($0.fields) })
    return fields
  }
}

/// How much a sync did.
public struct SyncCounts: Hashable, Sendable {
  /// Requests that were sent, every try counted.
  public var requests = 0
  /// Bytes of bodies received, decoded.
  public var bytes = 0
  /// Records that are new.
  public var added = 0
  /// Records that changed.
  public var updated = 0
  /// Records that came again as they were.
  public var unchanged = 0
  /// Records that are gone.
  public var removed = 0
  /// Records that were set aside.
  public var rejected = 0
  /// What was added, changed and removed in each collection, in the order in which they were first touched.
  public private(set) var collections: [CollectionCounts] = []

  /// Nothing done.
  public init() {}

  /// Adds another count.
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

  /// Counts a record that is new.
  public mutating func add(to collection: CollectionName) {
    added += 1
    tally(collection) { $0.added += 1 }
  }

  /// Counts a record that changed.
  public mutating func update(in collection: CollectionName) {
    updated += 1
    tally(collection) { $0.updated += 1 }
  }

  /// Counts a record that is gone.
  public mutating func remove(from collection: CollectionName) {
    removed += 1
    tally(collection) { $0.removed += 1 }
  }

  private mutating func tally(_ collection: CollectionName, _ count: (inout CollectionCounts) -> Void) {
    let index = collections.firstIndex { $0.collection == collection } ?? collections.endIndex
    if index == collections.endIndex { collections.append(CollectionCounts(collection)) }
    count(&collections[index])
  }

  /// The counts as they are printed.
  public var fields: JSONObject {
    [
      "requests": .int(requests), "bytes": .int(bytes), "added": .int(added), "updated": .int(updated),
      "unchanged": .int(unchanged), "removed": .int(removed), "rejected": .int(rejected),
    ]
  }
}

/// What a sync changed in one collection.
public struct CollectionCounts: Hashable, Sendable {
  /// The collection.
  public let collection: CollectionName
  /// Records that are new.
  public var added = 0
  /// Records that changed.
  public var updated = 0
  /// Records that are gone.
  public var removed = 0

  /// Nothing done.
  init(_ collection: CollectionName) { self.collection = collection }

  static func += (lhs: inout CollectionCounts, rhs: CollectionCounts) {
    lhs.added += rhs.added
    lhs.updated += rhs.updated
    lhs.removed += rhs.removed
  }

  /// The counts as they are printed; those that are 0 are left out.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("added", added == 0 ? nil : added)
    fields.append("updated", updated == 0 ? nil : updated)
    fields.append("removed", removed == 0 ? nil : removed)
    return fields
  }
}

/// How the outbox stands.
public struct OutboxCounts: Hashable, Sendable {
  /// Entries that this run sent and the remote accepted.
  public var sent = 0
  /// Entries that wait.
  public var pending = 0
  /// Entries that wait for somebody to choose.
  public var conflict = 0
  /// Entries that the remote refused for good.
  public var refused = 0
  /// Why the first of the entries that wait could not be sent by this run; `nil` where every try went through. It is not
  /// printed with the counts.
  public var unsent: Failure?

  /// Nothing there.
  public init() {}

  /// The counts as they are printed.
  public var fields: JSONObject {
    ["sent": .int(sent), "pending": .int(pending), "conflict": .int(conflict), "refused": .int(refused)]
  }
}

/// A change that a sync would make.
public struct PlannedChange: Hashable, Sendable {
  /// What would be done.
  public enum Operation: String, Sendable {
    /// A new record.
    case add
    /// Other fields.
    case update
    /// A record goes.
    case remove
  }

  /// What would be done.
  public var operation: Operation
  /// Where.
  public var collection: CollectionName
  /// To which record.
  @ExactString public var id: String
  /// The fields that would be written; absent for a removal.
  public var changed: JSONObject?

  /// Makes a planned change.
  public init(operation: Operation, collection: CollectionName, id: String, changed: JSONObject? = nil) {
    self.operation = operation
    self.collection = collection
    self.id = id
    self.changed = changed
  }

  /// The change as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = [
      "op": .string(operation.rawValue), "collection": .string(collection.rawValue), "id": .string(id),
    ]
    fields.append("fields", changed.map { .object($0) })
    return fields
  }
}

/// A request that would send an edit.
public struct PlannedRequest: Hashable, Sendable {
  /// The id of the edit in the outbox.
  public var id: String
  /// HTTP's method.
  public var method: String
  /// `{collection}/{id}` of the record that was edited.
  public var target: String
  /// The fields that were changed, with their new values; null for one that is cleared.
  public var edit: JSONObject
  /// The address, without secrets; absent where the server could not be asked what it has, which decides about it.
  public var url: String?
  /// What would be sent to it, where it is a JSON object.
  public var body: JSONObject?

  /// Makes a planned request.
  public init(
    id: String, method: String, target: String, edit: JSONObject, url: String? = nil, body: JSONObject? = nil
  ) {
    self.id = id
    self.method = method
    self.target = target
    self.edit = edit
    self.url = url
    self.body = body
  }

  /// The request as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = [
      "id": .string(id), "method": .string(method), "target": .string(target), "fields": .object(edit),
    ]
    fields.append("url", url)
    fields.append("body", body.map { .object($0) })
    return fields
  }
}
