public import Models

/// Reports fields of the sources' responses that changed since a follow was first synced.
public protocol DriftService: Sendable {
  /// The changed fields, by follow and field.
  func drifts() throws(Failure) -> [SourceDrift]
}

public struct SourceDrift: Hashable, Sendable {
  public var follow: String
  public var drift: FieldDrift
  /// The time at which the original form was first observed.
  public var firstSeen: Timestamp
  /// The time at which the change was first observed.
  public var at: Timestamp

  public init(follow: String, drift: FieldDrift, firstSeen: Timestamp, at: Timestamp) {
    (self.follow, self.drift, self.firstSeen, self.at) = (follow, drift, firstSeen, at)
  }

  /// The drift in its printed form; `is` is empty for a field that is no longer present.
  public var fields: JSONObject {
    [
      "source": .string(Follow(path: follow).source.rawValue), "follow": .string(follow),
      "field": .string(drift.path), "change": .string(drift.change.rawValue),
      "was": .array(drift.before.map { .string($0) }), "is": .array(drift.now.map { .string($0) }),
      "firstSeen": .string(firstSeen.description), "at": .string(at.description),
    ]
  }
}
