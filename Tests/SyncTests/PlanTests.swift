import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@testable import Sync

@Suite struct PlanTests {
  @Test(arguments: 0..<20)
  func thePlanIsWhatTheRunThenDoes(seed: Int) async throws {
    let random = SeededRandom(seed: UInt64(seed))
    let bench = Bench()
    for card in 0..<4 { bench.server.set("c\(card)", ["a": .int(card), "b": "x"]) }
    for note in 0..<12 { bench.server.change { $0.addNote("note \(note)") } }
    let follows = (0..<4).map { Follow(path: "fake/card/c\($0)") } + [Follow(path: "fake/notes", limit: 5)]
    if seed % 2 == 0 { _ = try await bench.engine.sync(follows, SyncOptions()) }
    if seed % 2 == 0 { try await bench.edit("c1", ["a": "mine"], entry: "e1") }
    for card in 0..<4 where random.below(2) == 0 {
      bench.server.set("c\(card)", [random.pick(["a", "b", "c"]): .int(random.below(9))])
    }
    bench.server.change { state in
      for _ in 0..<random.below(4) { state.notes.remove(at: random.below(state.notes.count)) }
      state.addNote("new")
    }
    let before = try bench.store.snapshot().sequence
    let seen = bench.server.now.seen.count
    let planned = try await bench.engine.sync(follows, SyncOptions(dryRun: true))
    #expect(try bench.store.snapshot().sequence == before)
    #expect(bench.server.now.seen.dropFirst(seen).allSatisfy { $0.method == .get })
    let done = try await bench.engine.sync(follows, SyncOptions(jobs: 1, sendsEdits: false))
    #expect(planned.follows == done.follows)
    let plan = try #require(planned.plan)
    #expect(done.plan == nil)
    #expect(plan.count == done.totals.added + done.totals.updated + done.totals.removed)
    for change in plan {
      let record = try bench.record(change.collection, change.id)
      switch change.operation {
      case .add: #expect(record == change.changed)
      case .remove: #expect(record == nil && change.changed == nil)
      case .update:
        let changed = try #require(change.changed)
        #expect(!changed.isEmpty)
        for member in changed.members { #expect(record?[member.key] ?? .null == member.value) }
      }
    }
    let again = try await bench.engine.sync(follows, SyncOptions(dryRun: true))
    #expect(again.plan?.isEmpty == true)
  }

  @Test func aPlanSendsNoEdit() async throws {
    let bench = try await Bench.synced(["a": "1"])
    try await bench.edit("one", ["a": "2"], entry: "e1")
    let report = try await bench.sync("fake/card/one", options: SyncOptions(dryRun: true))
    #expect(report.outbox.pending == 1)
    #expect(bench.server.now.cards["one"]?["a"] == "1")
    #expect(try bench.ids(.runs).count == 1)
  }
}

/// A dry run lists the requests that a sync then sends.
@Suite struct DryRunTests {
  private func place(_ bench: Bench) throws -> Int { try bench.store.changes(since: nil, limit: .max).count }

  @Test func tellsWhatIsThenSent() async throws {
    let bench = Bench()
    for card in ["one", "two", "three"] { bench.server.set(card, ["a": "0", "b": "0"]) }
    _ = try await bench.sync("fake/card/one", "fake/card/two", "fake/card/three")
    try await bench.edit("one", ["a": "1", "b": .null], entry: "e1")
    try await bench.edit("two", ["b": "2"], entry: "e2")
    try await bench.add(note: "hello", entry: "e3")
    try await bench.remove(FakeSource.cards, "three", entry: "e4")
    let before = try place(bench)
    let report = try await bench.sync(options: SyncOptions(dryRun: true))
    let outgoing = try #require(report.outgoing)
    #expect(outgoing.map(\.method) == ["PUT", "PUT", "POST", "DELETE"])
    #expect(outgoing.map(\.target) == ["cards/one", "cards/two", "notes/l-e3", "cards/three"])
    #expect(outgoing.map(\.id) == ["e1", "e2", "e3", "e4"])
    #expect(outgoing[0].edit == ["a": "1", "b": .null])
    #expect(outgoing[0].body?["a"] == "1" && outgoing[0].url?.hasSuffix("/cards/one") == true)
    #expect(outgoing[2].body == ["text": "hello"])
    #expect(report.outbox.pending == 4 && report.plan == [])
    // Nothing was written, sent or reported as sent.
    #expect(try place(bench) == before)
    #expect(bench.server.now.cards["one"]?["a"] == "0" && bench.server.now.notes.isEmpty)
    #expect(bench.server.now.cards["three"] != nil)
    #expect(!bench.events.events.contains { if case .edit = $0 { true } else { false } })
    #expect(try await bench.sync().outbox.sent == 4)
    #expect(try await bench.sync(options: SyncOptions(dryRun: true)).outgoing == [])
    #expect(try await bench.sync(options: SyncOptions(sendsEdits: false)).outgoing == nil)
    #expect(try await bench.sync().outgoing == nil)
  }

  @Test func everyEditOfARecordIsTold() async throws {
    let bench = try await Bench.synced(["a": "0", "b": "0"])
    try await bench.edit("one", ["a": "1"], entry: "e1")
    bench.server.change { $0.refused = ["1"] }
    _ = try await bench.engine.flush(only: nil)
    bench.server.change { $0.refused = [] }
    try await bench.edit("one", ["b": "2"], entry: "e2")
    _ = try await bench.outbox.retry(nil)
    let outgoing = try #require(try await bench.sync(options: SyncOptions(dryRun: true)).outgoing)
    #expect(outgoing.map(\.id) == ["e1", "e2"], "\(outgoing)")
  }

  /// Edits that the pull of the same run settles or turns into conflicts are neither sent nor listed.
  @Test func whatThePullSettlesIsNotTold() async throws {
    let bench = Bench()
    for card in ["same", "clash", "mine"] { bench.server.set(card, ["a": "0"]) }
    _ = try await bench.sync("fake/card/same", "fake/card/clash", "fake/card/mine")
    for card in ["same", "clash", "mine"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    bench.server.set("same", ["a": "1"])
    bench.server.set("clash", ["a": "theirs"])
    let report = try await bench.engine.sync(
      ["same", "clash", "mine"].map { Follow(path: "fake/card/\($0)") }, SyncOptions(dryRun: true))
    #expect(report.outgoing?.map(\.target) == ["cards/mine"])
  }
}

/// The store for plans behaves like a store in memory on top of any snapshot.
@Suite struct PlanningStoreTests {
  private let ids = ["a", "a/1", "a/2", "aé", "b", "b\"quoted\"", "c/\u{1F600}", "z"]

  @Test(arguments: 0..<30)
  func readsAsAStoreThatHoldsTheSame(seed: Int) async throws {
    let random = SeededRandom(seed: UInt64(seed))
    let coder = JSONRecordCoder()
    let plain = InMemoryRecordStore()
    let below = InMemoryRecordStore()
    try await change([plain, below], random, coder)
    let before = try below.snapshot().sequence
    let planning = PlanningStore(over: try below.snapshot(), coder)
    for _ in 0..<6 {
      try await change([plain, planning], random, coder)
      let (expected, found) = (try plain.snapshot(), try planning.snapshot())
      for range in [
        ScanRange.all, ScanRange(prefix: "a"), ScanRange(prefix: "a/"), ScanRange(after: "a/1"),
        ScanRange(prefix: "b", after: "b"), ScanRange(after: random.pick(ids)),
      ] {
        for limit in [1, 3, 100] {
          #expect(try scan(found, range, limit) == scan(expected, range, limit), "\(range)")
        }
      }
      for id in ids { #expect(try found.record(.apps, id) == expected.record(.apps, id)) }
      #expect(try found.count(.apps) == expected.count(.apps))
    }
    #expect(try below.snapshot().sequence == before)
  }

  @Test func aBodyThatThrowsLeavesNothing() async throws {
    let coder = JSONRecordCoder()
    let planning = PlanningStore(over: try InMemoryRecordStore().snapshot(), coder)
    await #expect(throws: StoreError.self) {
      _ = try await planning.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        try transaction.put(coder.encode(["id": "x"] as JSONObject), id: "x", in: .apps)
        throw StoreError(.aborted, "no")
      }
    }
    #expect(try planning.snapshot().count(.apps) == 0)
  }

  private func change(_ stores: [any RecordStore], _ random: SeededRandom, _ coder: JSONRecordCoder) async throws {
    var steps: [(id: String, value: Int?)] = []
    for _ in 0..<5 { steps.append((random.pick(ids), random.below(3) == 0 ? nil : random.below(9))) }
    for store in stores {
      _ = try await store.write { [steps] (transaction) throws(StoreError) in
        for step in steps {
          if let value = step.value {
            let record: JSONObject = ["id": .string(step.id), "value": .int(value)]
            try transaction.put(coder.encode(record), id: step.id, in: .apps)
          } else {
            try transaction.delete(.apps, step.id)
          }
        }
      }
    }
  }

  private func scan(_ snapshot: any StoreSnapshot, _ range: ScanRange, _ limit: Int) throws -> [String] {
    var found: [String] = []
    try snapshot.scan(.apps, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      found.append(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      return found.count < limit ? .next : .stop
    }
    return found
  }
}
