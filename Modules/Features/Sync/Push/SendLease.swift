import Models
import Ports

/// A lease for sending the edits of one record, stored in `state` under `sending/TARGET`. It prevents two processes
/// from sending the same edit at the same time.
enum SendLease {
  /// The duration of a lease in seconds, longer than any request with its retries. A lease that ends later than this
  /// from now was written before the clock was set back, and is void.
  static let seconds = 900

  private static func key(_ target: String) -> StateKey { .init(.sending, target) }

  /// Acquires the lease if it is free, void, or already held by this process.
  static func take(
    _ target: String, _ process: ProcessIdentity, at now: Timestamp, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    if try isHeld(target, besides: process, at: now, in: transaction, coder) { return false }
    let fields: JSONObject = ["process": .string(process.name), "until": .string((now + seconds).description)]
    try transaction.setState(key(target), to: fields, coder)
    return true
  }

  /// Whether another running process is sending the edits of the record.
  static func isHeld(
    _ target: String, besides process: ProcessIdentity, at now: Timestamp, in reader: some RecordReader,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    try reader.state(key(target), coder).flatMap { hold(of: $0, besides: process, at: now) } != nil
  }

  /// The records whose edits other running processes are sending, by target.
  static func holds(
    besides process: ProcessIdentity, at now: Timestamp, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [ExactString: EditHold] {
    let holds = try reader.states(.sending, coder) { key, fields in
      hold(of: fields, besides: process, at: now).map { (key.$name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: holds)
  }

  /// What a lease says; `nil` if it is void, or that of this process or of one that has ended.
  private static func hold(of fields: JSONObject, besides process: ProcessIdentity, at now: Timestamp) -> EditHold? {
    guard let holder = fields["process"]?.string,
      let until = fields["until"]?.timestamp,
      holder != process.name, now <= until, until <= now + seconds, process.isAlive(holder)
    else { return nil }
    return EditHold(process: ProcessIdentity.description(of: holder), until: until)
  }

  /// Releases the lease if this process has it.
  static func withdraw(
    _ target: String, _ process: ProcessIdentity, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let holder = try transaction.state(key(target), coder)?["process"]?.string
    if holder?.exact == process.name.exact { try end(target, in: &transaction) }
  }

  static func end(_ target: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.clearState(key(target))
  }
}
