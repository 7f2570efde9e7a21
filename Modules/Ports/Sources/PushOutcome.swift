public import Models

/// What a source needs to send one edit.
public struct PushContext: Sendable {
  /// Sends requests; counts them for the report.
  public var transport: any HTTPTransport
  /// The record as it stands here, the edit included; empty where it is gone.
  public var record: JSONObject
  /// What was remembered of the remote's copy.
  public var memory: JSONObject
  /// The state of the store, to look up what is known.
  public var snapshot: any StoreSnapshot
  /// The time of this flush.
  public var now: Timestamp

  /// Makes a context.
  public init(
    transport: any HTTPTransport, record: JSONObject, memory: JSONObject = [:], snapshot: any StoreSnapshot,
    now: Timestamp
  ) {
    self.transport = transport
    self.record = record
    self.memory = memory
    self.snapshot = snapshot
    self.now = now
  }
}

/// What became of an edit.
public enum PushOutcome: Hashable, Sendable {
  /// The remote has it; the record as the remote tells it (fields that it leaves out keep their values), and what to
  /// remember.
  case accepted(record: JSONObject, memory: JSONObject?)
  /// The remote is newer than the edit's base: its record, to be merged, and what to remember. Nothing was sent, or
  /// it was turned down (412, 409).
  case remoteIsNewer(record: JSONObject, memory: JSONObject?)
}
