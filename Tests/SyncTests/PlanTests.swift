import AlmanacTesting
import Models
import Ports
import Sync
import Testing

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
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "2"], entry: "e1")
    let report = try await bench.sync("fake/card/one", options: SyncOptions(dryRun: true))
    #expect(report.outbox.pending == 1)
    #expect(bench.server.now.cards["one"]?["a"] == "1")
    #expect(try bench.ids(.runs).count == 1)
  }
}
