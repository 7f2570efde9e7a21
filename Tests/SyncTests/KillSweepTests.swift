import AlmanacTesting
import CLibrary
import Models
import Parsing
import Ports
import Sync
import Testing

/// A process that sends a series of edits is killed before and after each of its commits and requests in turn, while 30
/// % of the responses are lost. Other processes then continue until nothing is pending.
///
/// `ALMANAC_PUSHES` is the number of edits (6 by default).
@Suite struct KillSweepTests {
  @Test(arguments: [true, false])
  func everyEditArrivesOnceWhereverTheSenderIsKilled(honoursKeys: Bool) async throws {
    let pushes = getenv("ALMANAC_PUSHES").flatMap { Int(String(cString: $0)) } ?? 6
    var place = 0
    var lost = 0
    while true {
      place += 1
      let run = SweepRun(pushes: pushes, honoursKeys: honoursKeys, seed: UInt64(place))
      let wasKilled = try await run.play(killedAt: place)
      try await run.check()
      lost += run.dice.count
      if !wasKilled { break }
    }
    #expect(place > pushes * 3)
    print("kill sweep: \(pushes) pushes, killed at \(place - 1) places, \(lost) answers lost, keys \(honoursKeys)")
  }
}

struct SweepRun {
  let bench: Bench
  let dice: FaultDice
  let watch = SendWatch()
  let pushes: Int
  private var removals: Int { pushes / 5 }

  init(pushes: Int, honoursKeys: Bool, seed: UInt64) {
    self.pushes = pushes
    let dice = FaultDice(SeededRandom(seed: seed), faults: [.lostAnswer])
    self.dice = dice
    bench = Bench(server: FakeSourceServer(coder: JSONRecordCoder(), honoursKeys: honoursKeys) { dice.next($0) })
  }

  private func engine(_ kill: Kill) -> SyncEngine {
    SyncEngine(
      store: KilledStore(inner: bench.store, kill: kill), sources: bench.sources,
      transport: WatchedTransport(
        inner: KilledTransport(inner: bench.server, kill: kill), watch: watch, store: bench.store, coder: bench.coder),
      coder: bench.coder, time: bench.time, random: SeededRandom(), events: bench.events)
  }

  /// - Returns: whether the process was killed before it finished.
  func play(killedAt place: Int) async throws -> Bool {
    for number in 0..<pushes / 2 { bench.server.set("c\(number)", ["a": "old"]) }
    for number in 0..<removals { bench.server.set("d\(number)", ["a": "old"]) }
    let follows =
      (0..<pushes / 2).map { Follow(path: "fake/card/c\($0)") }
      + (0..<removals).map { Follow(path: "fake/card/d\($0)") }
    _ = try await bench.engine.sync(follows, SyncOptions())
    for number in 0..<pushes / 2 {
      try await bench.edit("c\(number)", ["a": .string("new \(number)")], entry: "c\(number)")
      try await bench.add(note: "note \(number)", entry: "n\(number)")
    }
    for number in 0..<removals { try await bench.remove(FakeSource.cards, "d\(number)", entry: "d\(number)") }
    // 3 of 10 responses are lost.
    dice.odds = 10.0 / 3
    let kill = Kill(after: place)
    _ = try? await engine(kill).flush(only: nil)
    for _ in 0..<40 where try !bench.outbox.entries().isEmpty {
      _ = try? await engine(Kill(after: nil)).flush(only: nil)
    }
    return kill.isDead
  }

  func check() async throws {
    #expect(try bench.outbox.entries().isEmpty)
    let state = bench.server.now
    #expect(state.notes.map(\.text).sorted() == (0..<pushes / 2).map { "note \($0)" }.sorted())
    for number in 0..<pushes / 2 {
      #expect(state.values["c\(number)/a".exact] == ["old", .string("new \(number)")])
      #expect(try bench.card("c\(number)") == state.cards["c\(number)".exact])
    }
    for number in 0..<removals {
      #expect(try state.cards["d\(number)".exact] == nil && bench.card("d\(number)") == nil)
    }
    #expect(state.removals.map(\.id).sorted() == (0..<removals).map { "d\($0)" })
    #expect(watch.blind == nil)
  }
}
