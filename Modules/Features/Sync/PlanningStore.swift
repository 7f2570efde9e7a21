import Models
import Ports
import Synchronization

/// A store that lies over a snapshot of another one and keeps what is written in memory: the same code that syncs
/// runs on it to plan, and nothing is written.
final class PlanningStore: RecordStore {
  private let coder: any RecordCoder
  private let state: Mutex<OverlaySnapshot>

  /// A store that begins with what `base` holds.
  init(over base: any StoreSnapshot, _ coder: any RecordCoder) {
    self.coder = coder
    state = Mutex(OverlaySnapshot(base: base, coder: coder))
  }

  func snapshot() throws(StoreError) -> any StoreSnapshot { state.withLock { $0 } }

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try state.withLock { (state: inout OverlaySnapshot) throws(StoreError) -> Committed<Result> in
      var transaction: any StoreTransaction = OverlayTransaction(overlay: state)
      let value = try body(&transaction)
      guard let written = transaction as? OverlayTransaction, written.count > 0 else {
        return Committed(value: value, sequence: nil, records: 0)
      }
      state = written.overlay
      state.sequence += 1
      return Committed(value: value, sequence: state.sequence, records: written.count)
    }
  }

  /// A sync puts its records page by page.
  func load(
    _ collection: CollectionName, _ next: () throws(StoreError) -> LoadedRecord?
  ) async throws(StoreError) -> LoadCounts {
    throw StoreError(.cannotWrite, "a plan takes no import")
  }

  /// None: a plan has no history.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] { [] }
}
