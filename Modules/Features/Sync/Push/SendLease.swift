import Models
import Ports

/// A lease for sending the edits of one record: kept in `state` under `sending/TARGET`, so that two processes never send
/// the same edit at the same time.
enum SendLease {
  /// How long a lease is valid, in seconds: longer than any request with its retries. One that ends later than that from
  /// now was written before the clock was set back, and is void.
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
    if try isHeld(target, besides: process, at: now, in: transaction, coder) { return false }
    let fields: JSONObject = [
      "id": .string(id), "process": .string(process.name), "until": .string((now + seconds).description),
    ]
    try transaction.put(coder.encode(fields), id: id, in: .state)
    return true
  }

  /// Whether another running process is sending the edits of the record.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  static func isHeld(
    _ target: String, besides process: ProcessIdentity, at now: Timestamp, in reader: some RecordReader,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    guard let fields = try reader.fields(.state, id(target), coder), let holder = fields["process"]?.string,
      let until = fields["until"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return false }
    return holder != process.name && now <= until && until <= now + seconds && process.isAlive(holder)
  }

  /// Ends the lease.
  ///
  /// - Throws: `StoreError` where the store cannot be written.
  static func end(_ target: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.state, id(target))
  }
}
