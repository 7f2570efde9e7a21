import Models
import Ports

/// Says that a process is sending the edits of one record: kept in `state` under `sending/TARGET`, so that two
/// processes never send the same edit at the same time.
enum SendLease {
  /// After this many seconds a lease is void, whoever holds it: longer than any call with its retries. One that ends
  /// later than that was written by a clock that was set back since, and is void as well.
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

  /// Whether another process that lives is sending the edits of the record.
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

  /// Gives it back.
  ///
  /// - Throws: `StoreError` where the store cannot be written.
  static func end(_ target: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.state, id(target))
  }
}
