import Models
import Ports

/// What became of the last attempt at a receiver, in `state` under `notify/receiver/NAME`. It is committed with the change of
/// the delivery.
enum StoredReceiver {
  private static func key(_ name: String) -> StateKey { StateKey(.notify, "receiver/\(name)") }

  static func read(
    _ name: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> ReceiverState {
    var state = ReceiverState(name)
    guard let fields = try reader.state(key(name), coder) else { return state }
    state.lastDelivery = fields["lastDelivery"]?.timestamp
    state.error = fields["error"]?.string
    state.failedAt = fields["failedAt"]?.timestamp
    return state
  }

  /// Notes an attempt.
  ///
  /// - Parameter error: why it failed; `nil` if the receiver has accepted the message.
  static func note(
    _ error: String?, of name: String, at now: Timestamp, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) {
    var state = try read(name, in: transaction, coder)
    if error == nil { state.lastDelivery = now }
    (state.error, state.failedAt) = (error, error == nil ? nil : now)
    try transaction.setState(
      key(name),
      to: [
        "lastDelivery": .of(state.lastDelivery?.description), "error": .of(state.error),
        "failedAt": .of(state.failedAt?.description),
      ], coder)
  }

  /// Removes what is stored of a receiver that the config does not have any more.
  static func remove(_ name: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.clearState(key(name))
  }
}
