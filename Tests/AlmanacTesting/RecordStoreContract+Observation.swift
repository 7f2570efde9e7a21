import Models
import Ports

extension RecordStoreContract {
  /// What `ObservableRecordStore` requires; other stores pass.
  static let observation: [Check] = [
    Check("each commit after a cursor is announced, and none before it", needsCompleteFeed: true) { store in
      guard let store = store as? any ObservableRecordStore else { return }
      try await store.put(["a"])
      var changes = store.changes(after: try store.snapshot().end).makeAsyncIterator()
      for id in ["b", "c"] {
        try await store.put([id])
        var found: [String] = []
        while found.isEmpty, let batch = try await changes.next() { found += batch.map(\.id) }
        try expectEqual(found, [id])
      }
    },
    Check("without a cursor the records that are there come first") { store in
      guard let store = store as? any ObservableRecordStore else { return }
      try await store.put(["a", "b"])
      var changes = store.changes(after: nil).makeAsyncIterator()
      var found: [String] = []
      while found.count < 2, let batch = try await changes.next() { found += batch.map(\.id) }
      try expectEqual(found.sorted(), ["a", "b"])
    },
    Check("an observer that is cancelled ends") { store in
      guard let store = store as? any ObservableRecordStore else { return }
      let changes = store.changes(after: try store.snapshot().end)
      let observer = Task { do { for try await _ in changes {} } catch is CancellationError {} }
      observer.cancel()
      try await observer.value
    },
  ]
}
