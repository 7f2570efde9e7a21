import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

/// Changes that are tried and not written: an import's.
struct PlannedChangesTests {
  private let base = InMemoryRecordStore()
  private let coder = JSONRecordCoder()

  private func plan() throws -> PlanningStore { PlanningStore(over: try base.snapshot(), coder) }

  private func put(_ id: String, _ name: String?, in store: any RecordStore) async throws {
    _ = try await store.write { (transaction) throws(StoreError) in
      if let name {
        try transaction.put(Array(#"{"id":"\#(id)","name":"\#(name)"}"#.utf8), id: id, in: .owners)
      } else {
        try transaction.delete(.owners, id)
      }
    }
  }

  private func records(
    of trial: PlanningStore, _ range: ScanRange = .all, stopAfter: Int = .max
  ) throws -> [String] {
    var found: [String] = []
    try trial.snapshot().scan(.owners, range) { (record: RawSpan) in
      found.append((try? coder.decode(record))?["name"]?.string ?? "?")
      return found.count == stopAfter ? .stop : .next
    }
    return found
  }

  @Test func whatIsReadHasTheChangesAndTheStoreHasNot() async throws {
    for (id, name) in [("b", "B"), ("d", "D"), ("f", "F")] { try await put(id, name, in: base) }
    let before = try base.changes(since: nil, limit: .max).count
    let trial = try plan()
    for (id, name) in [("a", "A"), ("d", "Dd"), ("e", "E"), ("f", nil), ("g", "G")] {
      try await put(id, name, in: trial)
    }
    #expect(try records(of: trial) == ["A", "B", "Dd", "E", "G"])
    #expect(
      try records(of: trial, ScanRange(after: "b")) == ["Dd", "E", "G"]
        && records(of: trial, ScanRange(prefix: "e")) == ["E"])
    for count in 1...5 { #expect(try records(of: trial, stopAfter: count).count == count) }
    let snapshot = try trial.snapshot()
    #expect(try snapshot.count(.owners) == 5 && snapshot.record(.owners, "f") == nil)
    #expect(try snapshot.record(.owners, "g") != nil && snapshot.collections == [.owners])
    #expect(try base.changes(since: nil, limit: .max).count == before)
    let changes = try trial.changes(of: .owners, nameField: "name")
    #expect(changes.map(\.id) == ["a", "d", "e", "f", "g"])
    #expect(changes.map(\.kind) == ["added", "changed", "added", "removed", "added"])
    #expect(changes.map(\.name) == ["A", "Dd", "E", "F", "G"])
    // What is as it was again is no change.
    try await put("d", "D", in: trial)
    #expect(try trial.changes(of: .owners, nameField: "name").map(\.id) == ["a", "e", "f", "g"])
  }

  @Test func aBodyThatThrowsChangesNothing() async throws {
    let trial = try plan()
    await #expect(throws: StoreError.self) {
      _ = try await trial.write { (transaction) throws(StoreError) in
        try transaction.put(Array(#"{"id":"a","name":"A"}"#.utf8), id: "a", in: .owners)
        throw StoreError(.aborted, "no")
      }
    }
    #expect(try records(of: trial).isEmpty)
  }

  @Test func aFileIsCounted() async throws {
    for (id, name) in [("b", "B"), ("d", "D")] { try await put(id, name, in: base) }
    let trial = try plan()
    var lines = [("a", "A"), ("b", "B"), ("d", "Dd")].map {
      LoadedRecord(id: $0.0, record: Array(#"{"id":"\#($0.0)","name":"\#($0.1)"}"#.utf8), place: 1)
    }[...]
    let counts = try await trial.load(.owners, because: nil) { lines.popFirst() }
    #expect(counts.added == 1 && counts.updated == 1 && counts.unchanged == 1)
    #expect(try records(of: trial) == ["A", "B", "Dd"] && base.snapshot().count(.owners) == 2)
    var twice = [1, 2].map { LoadedRecord(id: "x", record: Array(#"{"id":"x"}"#.utf8), place: $0) }[...]
    let error = await #expect(throws: StoreError.self) {
      try await trial.load(.owners, because: nil) { twice.popFirst() }
    }
    #expect(error?.code == .invalidRecord && error?.offset == 2)
  }
}
