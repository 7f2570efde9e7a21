import AlmanacTesting
import Models
import Ports
import Sync
import Testing

@Suite struct RemovalTests {
  private func bench(notes count: Int) async throws -> Bench {
    let bench = Bench()
    for number in 0..<count { bench.server.change { $0.addNote("note \(number)") } }
    _ = try await bench.sync("fake/notes")
    return bench
  }

  @Test func whatIsGoneFromTheListGoes() async throws {
    let bench = try await bench(notes: 6)
    bench.server.change { $0.notes.removeFirst(3) }
    let report = try await bench.sync("fake/notes")
    #expect(report.totals.removed == 3)
    #expect(report.totals.unchanged == 3)
    #expect(try bench.ids(FakeSource.notes) == ["r-n4", "r-n5", "r-n6"])
    #expect(try bench.ids(.state).filter { $0.hasPrefix("remote/notes/") }.count == 3)
  }

  @Test(arguments: [(6, 4), (3, 2), (3, 3), (100, 51)])
  func aListThatLosesMostOfItsRecordsIsNotApplied(had: Int, lost: Int) async throws {
    let bench = try await bench(notes: had)
    bench.server.change { state in
      state.notes.removeFirst(lost)
      state.addNote("new")
    }
    let place = try bench.place()
    let report = try await bench.sync("fake/notes")
    #expect(report.follows.map(\.status) == [.failed])
    let error = try #require(report.follows.first?.error)
    #expect(error.code == "mass-removal")
    #expect(error.kind == .api)
    #expect(error.hint?.contains("--force") == true)
    #expect(error.message.contains("\(lost) of \(had)"))
    #expect(try bench.changes(since: place).isEmpty)
    let forced = try await bench.sync("fake/notes", options: SyncOptions(force: true))
    #expect(forced.totals.removed == lost)
    #expect(forced.totals.added == 1)
  }

  @Test(arguments: [(1, 1), (2, 2), (4, 2)])
  func shortListsAndHalvesAreApplied(had: Int, lost: Int) async throws {
    let bench = try await bench(notes: had)
    bench.server.change { $0.notes.removeFirst(lost) }
    #expect(try await bench.sync("fake/notes").totals.removed == lost)
  }

  @Test func whatWasChangedHereSinceStays() async throws {
    let bench = try await bench(notes: 4)
    try await bench.put(FakeSource.notes, ["id": "r-n1", "text": "my own words", "remoteID": "n1"])
    bench.server.change { $0.notes.removeFirst(2) }
    let report = try await bench.sync("fake/notes")
    #expect(report.totals.removed == 1)
    #expect(try bench.record(FakeSource.notes, "r-n1")?["text"] == "my own words")
  }
}
