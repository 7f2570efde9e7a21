import AlmanacTesting
import Persistence
import Ports
import Testing

@Suite("A mark that is older than the journal")
struct OldMarkTests {
  /// A disk that was cut off while the machine ran on: its mark was written before the last commits.
  private func disk() async throws -> (SimulatedDisk, StoreModel.Contents) {
    let disk = SimulatedDisk()
    let store = try JSONFileStore(system: disk, time: ManualTime())
    _ = try await store.apply([Step(collection: "people", id: "a", value: "1")])
    let mark = disk.contents("lock")!
    _ = try await store.apply([Step(collection: "people", id: "b", value: "2")])
    _ = try await store.apply([Step(collection: "people", id: "a", value: nil)])
    disk.plant("lock", mark)
    return (disk, ["people": ["b": line("b", "2")]])
  }

  @Test func hidesNothing() async throws {
    let (disk, expected) = try await disk()
    let reader = try JSONFileStore(system: disk, readOnly: true, time: ManualTime())
    #expect(try reader.snapshot().contents() == expected)
    #expect(try reader.changes(since: nil, limit: 9).count == 3)
    #expect(try reader.snapshot().contents() == expected)
    var chance = Chance(1)
    #expect(try JSONFileStore(system: disk.crashed(&chance), time: ManualTime()).snapshot().contents() == expected)
    let writer = try JSONFileStore(system: disk, time: ManualTime())
    #expect(try await writer.apply([Step(collection: "people", id: "c", value: "3")]).sequence == 4)
    #expect(try reader.snapshot().contents()["people"]?.count == 2)
  }

  @Test("of another start of the machine does not turn damage into a torn end")
  func ofAnotherStart() async throws {
    let (disk, _) = try await disk()
    let journal = "journal.0000000000000001"
    var bytes = disk.contents(journal)!
    bytes[bytes.count - 10] ^= 1
    disk.plant(journal, bytes)
    // The names as well are on the disk; the lock file is, with the mark, as it was planted.
    try disk.syncFolder()
    var chance = Chance(1)
    let later = try JSONFileStore(system: disk.crashed(&chance), time: ManualTime())
    #expect { _ = try later.snapshot() } throws: { ($0 as? StoreError)?.code == .damaged }
    await #expect {
      _ = try await later.apply([Step(collection: "people", id: "c", value: "3")])
    } throws: {
      ($0 as? StoreError)?.code == .damaged
    }
  }

  @Test("and one that is not whole says nothing")
  func notWhole() async throws {
    let (disk, expected) = try await disk()
    var mark = disk.contents("lock")!
    // A digit of the journal's end.
    mark[4 * 17 + 14] = mark[4 * 17 + 14] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    disk.plant("lock", mark)
    let lock = try disk.open("lock", .write)
    #expect(try disk.lock(lock, isShared: false))
    #expect(try JSONFileStore(system: disk, time: ManualTime()).snapshot().contents() == expected)
  }

  @Test("but while a writer is at it, the mark counts")
  func besideAWriter() async throws {
    let (disk, _) = try await disk()
    let lock = try disk.open("lock", .write)
    #expect(try disk.lock(lock, isShared: false))
    #expect(try JSONFileStore(system: disk, time: ManualTime()).snapshot().sequence == 1)
    disk.unlock(lock)
    #expect(try JSONFileStore(system: disk, time: ManualTime()).snapshot().sequence == 3)
  }
}
