public import Models

/// What a source needs to send one edit.
public struct PushContext: Sendable {
  /// Sends requests; counts them for the report.
  public var transport: any HTTPTransport
  /// The record as it is sent: the stored one with this edit, and without the edits that come after it. For a removal, the
  /// remote's last known copy.
  public var record: JSONObject
  /// The record as the remote last had it; `nil` where that is not known.
  public var base: JSONObject?
  /// What the source remembers of the remote's copy.
  public var memory: JSONObject
  /// The state of the store, to look up what is known.
  public var snapshot: any StoreSnapshot
  /// The time of this flush.
  public var now: Timestamp

  /// Makes a context.
  public init(
    transport: any HTTPTransport, record: JSONObject, base: JSONObject? = nil, memory: JSONObject = [:],
    snapshot: any StoreSnapshot, now: Timestamp
  ) {
    self.transport = transport
    self.record = record
    self.base = base
    self.memory = memory
    self.snapshot = snapshot
    self.now = now
  }
}

/// What became of an edit that was sent. An edit that was refused, or whose arrival is unknown, is a `SourceError`: its
/// `disposition` says which.
public enum PushOutcome: Hashable, Sendable {
  /// The remote has the edit; the record as it answered. Fields that the answer leaves out keep their values.
  case accepted(RemoteRecord)
  /// The remote's record changed since the edit's base; the record as it is there, to be merged. Nothing was sent, or it
  /// was turned down (409, 412).
  case remoteIsNewer(RemoteRecord)
  /// The remote has the record no longer: a removal was carried out, or there is nothing left to change.
  case removed
}

/// A record as a remote has it.
public struct RemoteRecord: Hashable, Sendable {
  /// The record.
  public var fields: JSONObject
  /// What to keep as the remote's copy; `nil` leaves it as it is.
  public var base: JSONObject?
  /// What to remember of the copy, an entity tag for instance; `nil` leaves it as it is.
  public var memory: JSONObject?

  /// Makes a record.
  public init(_ fields: JSONObject, base: JSONObject? = nil, memory: JSONObject? = nil) {
    self.fields = fields
    self.base = base
    self.memory = memory
  }
}
