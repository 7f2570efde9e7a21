public import Models

/// Tells which fields of the sources' answers are not what they were when a follow was first synced.
public protocol DriftService: Sendable {
  /// What drifted, by follow and field.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func drifts() throws(Failure) -> [SourceDrift]
}

/// A field of a follow's answers that is not what it was.
public struct SourceDrift: Hashable, Sendable {
  /// The follow's path.
  public var follow: String
  /// What happened to the field.
  public var drift: FieldDrift
  /// When the field was first seen as it was.
  public var firstSeen: Timestamp
  /// When it was first seen to differ.
  public var at: Timestamp

  /// Makes a drift.
  public init(follow: String, drift: FieldDrift, firstSeen: Timestamp, at: Timestamp) {
    self.follow = follow
    self.drift = drift
    self.firstSeen = firstSeen
    self.at = at
  }

  /// The drift as it is printed; `is` is empty for a field that is not there any more.
  public var fields: JSONObject {
    var fields: JSONObject = [
      "source": .string(Follow(path: follow).source.rawValue), "follow": .string(follow),
      "field": .string(drift.path), "change": .string(drift.change.rawValue),
    ]
    fields["was"] = .array(drift.before.map { .string($0) })
    fields["is"] = .array(drift.now.map { .string($0) })
    fields.append("firstSeen", firstSeen.description)
    fields.append("at", at.description)
    return fields
  }
}
