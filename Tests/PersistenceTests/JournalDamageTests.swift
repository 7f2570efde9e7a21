import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("A journal that is cut or changed anywhere")
struct JournalDamageTests {
  /// A store of 64 KiB of journal, its files, and where its transactions end.
  struct Sample {
    var files: [String: [UInt8]] = [:]
    var ends: [Int] = [0]
    var states: [StoreModel.Contents] = [[:]]
    let journal = "journal.0000000000000001"

    init(bytes: Int) async throws {
      let disk = SimulatedDisk()
      let store = try JSONFileStore(system: disk, time: ManualTime())
      var chance = Chance(7)
      while disk.contents(journal)?.count ?? 0 < bytes {
        let steps = chance.steps()
        guard try await store.apply(steps).sequence != nil else { continue }
        states.append(states[states.count - 1].after(steps))
        ends.append(disk.contents(journal)!.count)
      }
      for name in try disk.names() { files[name] = disk.contents(name) }
    }

    /// A disk with these files, the journal replaced. Without the lock file nobody knows what was acknowledged.
    func disk(journal bytes: [UInt8], withMark: Bool = false) -> SimulatedDisk {
      let disk = SimulatedDisk()
      for (name, contents) in files where name != journal && (withMark || name != "lock") { disk.plant(name, contents) }
      disk.plant(journal, bytes)
      return disk
    }
  }

  private static func isWhole(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] == "all" }

  @Test func cutAtEveryByte() async throws {
    let whole = Self.isWhole("ALMANAC_TRUNCATIONS")
    let sample = try await Sample(bytes: whole ? 65_536 : 8_192)
    let bytes = sample.files[sample.journal]!
    var count = 0
    for size in stride(from: 0, through: bytes.count, by: whole ? 1 : 17) {
      count += 1
      let disk = sample.disk(journal: Array(bytes[..<size]), withMark: size % 2 == 0)
      let expected = sample.ends.lastIndex { $0 <= size }!
      let store = try JSONFileStore(system: disk, time: ManualTime())
      let snapshot = try store.snapshot()
      try #require(Int(snapshot.sequence) == expected, "cut at \(size)")
      if whole && size % 64 != 0 { continue }
      try #require(snapshot.contents() == sample.states[expected])
      // The next writer goes on from there, and keeps what it cuts off.
      let committed = try await store.put("after", "\(size)")
      try #require(committed.sequence == UInt64(expected + 1))
      let isTruncated = size != sample.ends[expected]
      try #require(disk.names().contains { $0.hasPrefix("cut.") } == isTruncated)
    }
    print("journal of \(bytes.count) bytes cut at \(count) places: exactly the committed prefix each time")
  }

  @Test("A cut is told to a program without an event sink, when it opens the store for writing and later")
  func aCutIsTold() async throws {
    let sample = try await Sample(bytes: 2_000)
    let bytes = sample.files[sample.journal]!
    let size = sample.ends.last! - 10
    let store = try JSONFileStore(system: sample.disk(journal: Array(bytes[..<size])), time: ManualTime())
    #expect(try store.snapshot().sequence == UInt64(sample.ends.count - 2) && store.warnings.isEmpty)
    let told = try await store.recover()
    #expect(told.count == 1 && told[0].contains("are not a whole commit") && told[0].contains("/cut.journal."))
    #expect(store.warnings == told)
    #expect(try await store.recover().isEmpty && store.warnings == told)
    // The first write opens the store in the same way.
    let other = try JSONFileStore(system: sample.disk(journal: Array(bytes[..<size])), time: ManualTime())
    try await other.put("after")
    #expect(other.warnings == told)
    let new = try JSONFileStore(system: SimulatedDisk(), time: ManualTime())
    #expect(try await new.recover().isEmpty && new.snapshot().sequence == 0)
    try await new.put("first")
    #expect(try new.snapshot().sequence == 1)
  }

  @Test func everyBitFlipped() async throws {
    let whole = Self.isWhole("ALMANAC_FLIPS")
    let sample = try await Sample(bytes: whole ? 65_536 : 6_000)
    var bytes = sample.files[sample.journal]!
    let last = sample.ends.count - 1
    var (named, unharmed) = (0, 0)
    // And more of the first line, whose time alone its own checksum guards.
    let head = whole ? [] : Array(stride(from: 3, to: 161 * 8, by: 7))
    for bit in Array(stride(from: 0, to: bytes.count * 8, by: whole ? 1 : 61)) + head {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      defer { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
      let disk = sample.disk(journal: bytes, withMark: bit % 3 == 0)
      do throws(StoreError) {
        let snapshot = try JSONFileStore(system: disk, time: ManualTime()).snapshot()
        let contents = try snapshot.contents()
        if Int(snapshot.sequence) != last || contents != sample.states[last] {
          Issue.record("bit \(bit) is passed over")
        }
        unharmed += 1
      } catch {
        try #require(error.code == .damaged && error.path?.hasSuffix(sample.journal) == true && error.offset != nil)
        try #require(error.offset! <= bit / 8, "bit \(bit) is reported at \(error.offset!)")
        named += 1
      }
    }
    #expect(unharmed == 0)
    print("\(named + unharmed) bits flipped: \(named) named, \(unharmed) without effect, 0 silently wrong")
  }

  @Test("a hole is the truncated end of the last transaction, if nobody knows that it was acknowledged; else damage")
  func holes() async throws {
    let sample = try await Sample(bytes: 6_000)
    let bytes = sample.files[sample.journal]!
    let last = sample.ends.count - 1
    for number in 1...last {
      var holed = bytes
      let middle = (sample.ends[number - 1] + sample.ends[number]) / 2
      for place in middle..<min(middle + 16, sample.ends[number]) { holed[place] = 0 }
      for withMark in [false, true] {
        let store = try JSONFileStore(system: sample.disk(journal: holed, withMark: withMark), time: ManualTime())
        if number == last, !withMark {
          #expect(try store.snapshot().contents() == sample.states[last - 1])
          continue
        }
        await expectError(.damaged, offset: sample.ends[number - 1], in: "transaction \(number), \(withMark)") {
          _ = try store.snapshot()
        }
      }
    }
  }

  @Test("a transaction that is missing, or there twice, is damage")
  func order() async throws {
    let sample = try await Sample(bytes: 6_000)
    let bytes = sample.files[sample.journal]!
    let (start, end) = (sample.ends[3], sample.ends[4])
    for changed in [bytes[..<start] + bytes[end...], bytes[..<end] + bytes[start...]] {
      let store = try JSONFileStore(system: sample.disk(journal: Array(changed)), time: ManualTime())
      await expectError(.damaged) { _ = try store.snapshot() }
    }
  }

  @Test("a collection file, or its sums, that is longer or shorter than it was written is damage")
  func sizes() async throws {
    let disk = SimulatedDisk()
    let store = try JSONFileStore(system: disk, time: ManualTime())
    try await store.put("a")
    _ = try await store.compact()
    for name in try disk.names() where name.hasSuffix(".records") || name.hasSuffix(".sums") {
      let bytes = disk.contents(name)!
      for changed in [bytes + [0x0A], bytes.dropLast()] {
        disk.plant(name, changed)
        let reader = try JSONFileStore(system: disk, time: ManualTime())
        await expectError(.damaged, path: disk.path + "/" + name) { _ = try reader.snapshot().contents() }
      }
      disk.plant(name, bytes)
    }
    #expect(try JSONFileStore(system: disk, time: ManualTime()).snapshot().count(.people) == 1)
  }

  @Test func everyByteOfTheOtherFiles() async throws {
    let disk = SimulatedDisk()
    let store = try JSONFileStore(system: disk, time: ManualTime())
    var contents: StoreModel.Contents = [:]
    var chance = Chance(3)
    for _ in 0..<40 {
      let steps = chance.steps()
      _ = try await store.apply(steps)
      contents = contents.after(steps)
    }
    _ = try await store.compact()
    var files: [String: [UInt8]] = [:]
    for name in try disk.names() where name != "lock" { files[name] = disk.contents(name) }
    for name in files.keys.sorted() where name == "manifest" || name.hasSuffix("s") {
      for place in stride(from: 0, to: files[name]!.count, by: 7) {
        let copy = SimulatedDisk()
        for (other, bytes) in files { copy.plant(other, bytes) }
        var bytes = files[name]!
        bytes[place] ^= 1 << UInt8(place % 8)
        copy.plant(name, bytes)
        let store = try JSONFileStore(system: copy, time: ManualTime())
        do throws(StoreError) {
          if try store.snapshot().contents() != contents { Issue.record("\(name), byte \(place) is passed over") }
        } catch {
          // A flipped digit may also make the manifest's format a newer one.
          try #require(error.code == .damaged || error.code == .newerFormat, "\(name), byte \(place): \(error)")
          try #require(error.path?.hasSuffix(".jsonl") != true)
        }
        if place % 84 != 0 { continue }
        let findings = (try? store.verify()) ?? []
        try #require(findings.isEmpty || findings.allSatisfy { $0.severity == .damage })
        if findings.isEmpty { continue }
        _ = try await store.repair()
        let mended = try JSONFileStore(system: copy, time: ManualTime())
        try #require(mended.verify().filter { $0.severity == .damage } == [], "\(name), byte \(place) stays damaged")
        // All that was compacted is still in the journal, so that nothing at all is lost.
        try #require(mended.snapshot().contents() == contents, "\(name), byte \(place)")
        try #require(copy.names().contains { $0.hasSuffix(".damaged") })
      }
    }
  }
}

@Suite("A mark that is older than the journal")
struct OldMarkTests {
  /// A disk that was cut off while the machine ran on: its mark was written before the last commits.
  private func disk() async throws -> (SimulatedDisk, StoreModel.Contents) {
    let disk = SimulatedDisk()
    let store = try JSONFileStore(system: disk, time: ManualTime())
    try await store.put("a")
    let mark = disk.contents("lock")!
    try await store.put("b", "2")
    try await store.put("a", nil)
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
    #expect(try await writer.put("c", "3").sequence == 4)
    #expect(try reader.snapshot().contents()["people"]?.count == 2)
  }

  @Test("of another start of the machine does not turn damage into a truncated end")
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
    await expectError(.damaged) { _ = try later.snapshot() }
    await expectError(.damaged) { try await later.put("c", "3") }
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
