public import Models
public import Ports

/// Reports how the shapes of answers changed from sync to sync.
public struct DriftReport: DriftService {
  private let store: any RecordStore
  private let coder: any RecordCoder

  /// A report over a store.
  public init(store: any RecordStore, coder: any RecordCoder) {
    self.store = store
    self.coder = coder
  }

  /// The drifts of all follows. O(number of follows).
  public func drifts() throws(Failure) -> [SourceDrift] {
    do throws(StoreError) {
      var drifts: [SourceDrift] = []
      try store.snapshot().eachFields(.state, ScanRange(prefix: ShapeMemory.prefix), coder) {
        (fields: JSONObject) throws(StoreError) -> ScanStep in
        guard let memory = ShapeMemory(fields) else { return .next }
        let noted = memory.drifts.sorted { $0.drift.path.exact < $1.drift.path.exact }
        drifts += noted.map {
          SourceDrift(follow: memory.follow, drift: $0.drift, firstSeen: memory.firstSeen, at: $0.at)
        }
        return .next
      }
      return drifts
    } catch {
      throw error.failure
    }
  }
}
