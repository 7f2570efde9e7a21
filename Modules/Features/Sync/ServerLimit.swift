import Models
import Ports

/// The last answer of a server that limits how often it is asked, in `state` under `limit/SERVER`. It holds for all its follows
/// and edits.
enum ServerLimit {
  private static func key(_ server: String) -> StateKey { .init(.limit, server) }

  static func keep(
    _ answer: Failure, of server: String, _ source: RedactedSource, at now: Timestamp,
    in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard answer.isRequestToWait else { return }
    let fields: JSONObject = [
      "at": .string(now.description), "fingerprint": .of(source.fingerprint), "error": .object(answer.storedFields),
    ]
    try transaction.setState(key(server), to: fields, coder)
  }

  /// Forgets the answer: the server was asked before the end of the wait, and did not limit that.
  static func end(_ server: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.clearState(key(server))
  }

  /// The answer and the end of the wait; `nil` if the server may be asked. What was read with another definition does not count,
  /// and neither does a time of the future: a clock that was wrong recorded it.
  static func holding(
    _ server: String, _ source: RedactedSource, at now: Timestamp, in reader: some RecordReader,
    _ coder: any RecordCoder
  ) throws(StoreError) -> (answer: Failure, end: Timestamp)? {
    guard let fields = try reader.state(key(server), coder),
      fields["fingerprint"]?.string?.exact == source.fingerprint?.exact,
      let begun = fields["at"]?.timestamp, begun <= now,
      let answer = fields["error"]?.object.flatMap({ Failure(stored: $0) }),
      let end = answer.pauseEnd(since: begun, now: now)
    else { return nil }
    return (answer, end)
  }
}
