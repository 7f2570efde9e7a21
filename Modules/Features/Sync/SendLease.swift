import Models
import Ports

/// Says that a process is sending the edits of one record: kept in `state` under `sending/TARGET`, so that two
/// processes never send the same edit at the same time.
enum SendLease {
  /// After this many seconds a lease is void, whoever holds it: longer than any call with its retries.
  static let seconds = 900

  private static func id(_ target: String) -> String { "sending/\(target)" }

  /// Takes the lease.
  ///
  /// - Returns: whether it was free, void, or our own.
  /// - Throws: `StoreError` where the store cannot be read or written.
  static func take(
    _ target: String, _ process: ProcessIdentity, at now: Timestamp, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    let id = id(target)
    if let fields = try transaction.fields(.state, id, coder), let holder = fields["process"]?.string,
      holder != process.name, let until = fields["until"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
      now <= until, process.isAlive(holder)
    {
      return false
    }
    let fields: JSONObject = [
      "id": .string(id), "process": .string(process.name), "until": .string((now + seconds).description),
    ]
    try transaction.put(coder.encode(fields), id: id, in: .state)
    return true
  }

  /// Gives it back.
  ///
  /// - Throws: `StoreError` where the store cannot be written.
  static func end(_ target: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.state, id(target))
  }
}
