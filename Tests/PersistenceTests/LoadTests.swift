import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Many records become one commit, a part of them in memory")
struct LoadTests {
  private let disk = SimulatedDisk()

  private func open() throws(StoreError) -> JSONFileStore {
    try JSONFileStore(system: disk, time: ManualTime(), limits: .tiny)
  }

  private func steps(_ ids: [String], _ value: String = "1", in collection: String = "people") -> [Step] {
    ids.map { Step(collection: collection, id: $0, value: value) }
  }

  private func ids(_ range: Range<Int>) -> [String] { range.map { "id\($0 + 100)" } }

  @Test("records in any order are sorted, counted and committed together, beside what is there")
  func merged() async throws {
    let store = try open()
    _ = try await store.apply(steps(ids(0..<10)) + steps(["o"], in: "outbox"))
    _ = try await store.compact()
    // In the journal when the others come: a change, a removal, an addition.
    _ = try await store.apply(
      steps(["id103"], "journal") + [Step(collection: "people", id: "id104", value: nil)] + steps(["id150"], "journal"))
    let before = try store.snapshot()
    let shuffled = ids(2..<40).enumerated().sorted { $0.offset * 7 % 38 < $1.offset * 7 % 38 }.map(\.element)
    let counts = try await store.load(steps(shuffled))
    #expect((counts.added, counts.updated, counts.unchanged) == (31, 1, 6))
    let expected = Dictionary(
      uniqueKeysWithValues: (ids(0..<40).map { ($0, line($0, "1")) } + [("id150", line("id150", "journal"))]))
    let snapshot = try open().snapshot()
    #expect(try snapshot.contents() == ["people": expected, "outbox": ["o": line("o", "1")]])
    #expect(snapshot.sequence == before.sequence + 1)
    #expect(try store.verify() == [] && store.behind() == [])
    #expect(try disk.names().allSatisfy { !$0.hasPrefix("load.") })
    #expect(try before.count(.people) == 10, "a reader under way keeps its state")
  }

  @Test("what is there already is no commit")
  func unchanged() async throws {
    let store = try open()
    _ = try await store.load(steps(ids(0..<30)))
    let sequence = try store.snapshot().sequence
    let names = try disk.names()
    let counts = try await store.load(steps(ids(0..<30)))
    #expect(counts.unchanged == 30 && counts.added == 0 && counts.updated == 0)
    #expect(try store.snapshot().sequence == sequence)
    #expect(try disk.names() == names)
  }

  /// Two programs: one removes such a record, and the other changes one, while the file is read.
  @Test("records that are stored as they come change nothing, whatever others did meanwhile", arguments: [true, false])
  func stored(changesOthers: Bool) async throws {
    let store = try open()
    _ = try await store.load(steps(ids(0..<40)))
    let sequence = try store.snapshot().sequence
    var rest = ids(0..<45).enumerated().map { number, id in
      LoadedRecord(
        id: id, record: Array(line(id, number < 38 ? "1" : "2").utf8), place: number + 1, isStored: number < 38)
    }
    if !changesOthers { rest = Array(rest.prefix(38)) }
    rest.sort { $0.place * 7 % 46 < $1.place * 7 % 46 }
    let meanwhile = [Step(collection: "people", id: "id103", value: nil)] + steps(["id105"], "other")
    _ = try await open().apply(meanwhile)
    let counts = try await store.load(.people) { () throws(StoreError) in rest.popLast() }
    #expect((counts.added, counts.updated, counts.unchanged) == (changesOthers ? 5 : 0, changesOthers ? 2 : 0, 38))
    var expected = Dictionary(uniqueKeysWithValues: ids(0..<(changesOthers ? 45 : 40)).map { ($0, line($0, "1")) })
    if changesOthers { for id in ids(38..<45) { expected[id] = line(id, "2") } }
    (expected["id103"], expected["id105"]) = (nil, line("id105", "other"))
    let snapshot = try open().snapshot()
    #expect(try snapshot.contents() == ["people": expected])
    #expect(snapshot.sequence == sequence + (changesOthers ? 2 : 1))
    #expect(try store.verify() == [])
    #expect(try disk.names().allSatisfy { !$0.hasPrefix("load.") })
  }

  @Test("a stored record that comes twice is refused with the place of the later one")
  func storedTwice() async throws {
    let store = try open()
    _ = try await store.load(steps(ids(0..<30)))
    var rest = (ids(0..<30) + ["id102"]).enumerated().map { number, id in
      LoadedRecord(id: id, record: Array(line(id, "1").utf8), place: number + 1, isStored: true)
    }[...]
    await expectError(.invalidRecord, offset: 31) {
      _ = try await store.load(.people) { () throws(StoreError) in rest.popFirst() }
    }
  }

  @Test("two records with one id are refused with the place of the later one", arguments: [1, 5, 29])
  func duplicates(distance: Int) async throws {
    let store = try open()
    _ = try await store.apply(steps(["a"]))
    let before = try store.snapshot().contents()
    let all = steps(ids(0..<30) + ["id\(130 - distance)"])
    await expectError(.invalidRecord, offset: 31) { _ = try await store.load(all) }
    #expect(try open().snapshot().contents() == before)
    #expect(try disk.names().allSatisfy { !$0.hasPrefix("load.") && !$0.hasSuffix(".records") })
  }

  @Test("ids with escapes, and those that differ in their bytes only, are told apart and found again")
  func escapedIDs() async throws {
    let store = try open()
    let ids = ["a\"b", "a\\b", "a#b", "\u{E9}", "e\u{301}", "z/1", "\u{1F600}"]
    var rest = (ids + (0..<20).map { "fill\($0)" }).enumerated().map { number, id in
      let text = id.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
      return LoadedRecord(id: id, record: Array("{\"id\":\"\(text)\",\"n\":\"\(number)\"}".utf8), place: number)
    }[...]
    let counts = try await store.load(.people) { () throws(StoreError) in rest.popFirst() }
    #expect(counts.added == 27)
    let snapshot = try open().snapshot()
    for (number, id) in ids.enumerated() {
      let record = try snapshot.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
      #expect(record?.hasSuffix("\"n\":\"\(number)\"}") == true, "\(id)")
    }
    #expect(try store.verify() == [])
  }

  @Test("a cursor from before expires, one from after goes on")
  func feed() async throws {
    let store = try open()
    _ = try await store.apply(steps(["a"]))
    let early = try #require(try store.changes(since: nil, limit: 10).last?.cursor)
    _ = try await store.load(steps(ids(0..<30)))
    await expectError(.cursorExpired) { _ = try store.changes(since: early, limit: 10) }
    let all = try store.changes(since: nil, limit: 100)
    #expect(all.count == 31)
    _ = try await store.apply(steps(["z"]))
    #expect(try store.changes(since: all.last?.cursor, limit: 10).map(\.id) == ["z"])
  }

  @Test("other writers go on while records are read, and a mistake in the last one leaves nothing")
  func isolation() async throws {
    let store = try open()
    let other = try open()
    for breaks in [false, true] {
      var number = 0
      let load = { () throws(StoreError) -> LoadedRecord? in
        number += 1
        if number == 31, breaks { throw StoreError(.aborted, "a mistake") }
        if number == 31 { return nil }
        let id = "\(breaks)\(number)"
        return LoadedRecord(id: id, record: Array(line(id, "1").utf8), place: number)
      }
      do throws(StoreError) {
        _ = try await store.load(.people) { () throws(StoreError) in
          // The lock is free: nobody has to wait for a long file.
          if let file = try? disk.open("lock", .read) {
            #expect((try? disk.lock(file, isShared: false)) == true)
            disk.close(file)
          }
          return try load()
        }
        #expect(!breaks)
      } catch { #expect(breaks && error.code == .aborted) }
      _ = try await other.apply(steps(["other\(breaks)"]))
    }
    #expect(try store.snapshot().count(.people) == 32)
    #expect(try disk.names().allSatisfy { !$0.hasPrefix("load.") })
  }
}
