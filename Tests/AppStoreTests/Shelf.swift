import AlmanacTesting
import AppStore
import Models
import Parsing
import Ports

/// A store with a source and a clock: pulls are committed in the plainest way.
struct Shelf {
  let coder = JSONRecordCoder()
  let time = ManualTime(now: Timestamp(rfc3339: "2026-03-01T10:00:00Z")!)
  let store = InMemoryRecordStore()
  var url: String?

  var source: AppStoreSource {
    AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: url.map { Settings.Server(url: $0) })
  }

  var charts: Charts { Charts(store: store, coder: coder, time: time) }

  /// Pulls one page from the given answer and keeps what came, without merging.
  func pull(_ follow: Follow, _ transport: ScriptedTransport, sourceState: JSONObject = [:]) async throws -> PullPage {
    let page = try await source.pull(follow, over: transport, in: store, sourceState: sourceState, at: time.now)
    _ = try await store.write { [coder] (transaction) throws(StoreError) in
      for change in page.changes {
        if change.rule == .remove {
          try transaction.delete(change.collection, change.id)
          continue
        }
        let known = try transaction.record(change.collection, change.id)
        if change.rule != .insert || known == nil {
          try transaction.put(coder.encode(change.fields), id: change.id, in: change.collection)
        }
      }
    }
    return page
  }

  @discardableResult
  func see(_ ranks: [String], _ follow: Follow = Follow(path: "app-store/us/top-free")) async throws -> PullPage {
    try await pull(follow, ScriptedTransport([Feed.answer(Feed.legacy(ranks))]))
  }

  func snapshots(_ prefix: String = "") throws -> [ChartSnapshot] {
    try store.snapshot().all(ChartSnapshot.self, coder).filter { $0.id.hasPrefix(prefix) }
  }
}
