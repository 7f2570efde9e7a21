import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

@Suite("Lookups and ranges in collection files of many blocks")
struct LookupTests {
  /// Ids and records that make it hard to find one's way by a few bytes of an id.
  enum Shape: String, CaseIterable, Sendable {
    /// Short lines, ids by chance.
    case short
    /// Ids that differ far from their beginning only.
    case longPrefixes
    /// Some lines reach over many blocks.
    case longLines
    /// Ids of one byte more than the one before.
    case nested
    /// Ids that are escaped in the file.
    case escaped

    func id(_ number: Int, _ chance: inout Chance) -> String {
      switch self {
      case .short, .longLines: return "\(chance.below(10_000_000))"
      case .longPrefixes:
        let group = ["photo-0000000000000000000", "photo-0000000000000000001", "p"][chance.below(3)]
        return group + String(chance.next() >> 20, radix: 16)
      case .nested: return String(repeating: "a", count: number % 1000) + "\(number / 1000)"
      case .escaped: return "\"\\\(chance.below(1_000_000))\""
      }
    }

    func length(_ chance: inout Chance) -> Int {
      self == .longLines && chance.below(60) == 0 ? 9_000 : self == .nested ? 20 : chance.below(600)
    }
  }

  /// A compacted store of more than 1,023 blocks, and what it holds: the index need more than one node.
  private func sample(_ shape: Shape, on disk: InMemoryFileSystem) async throws -> [String: String] {
    var chance = Chance(5)
    var records: [String: String] = [:]
    var bytes = 0
    var number = 0
    while bytes < 1_400_000 {
      let id = shape.id(number, &chance)
      number += 1
      if records[id] != nil { continue }
      let text = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      records[id] = "{\"id\":\"\(text)\",\"v\":\"\(String(repeating: "v", count: shape.length(&chance)))\"}"
      bytes += records[id]!.utf8.count + 1
    }
    let store = try JSONFileStore(system: disk, time: ManualTime())
    _ = try await store.write { [records] (transaction) throws(StoreError) in
      for (id, record) in records { try transaction.put(Array(record.utf8), id: id, in: .people) }
    }
    _ = try await store.compact()
    return records
  }

  @Test(arguments: Shape.allCases)
  func everyRecord(_ shape: Shape) async throws {
    let disk = InMemoryFileSystem()
    let records = try await sample(shape, on: disk)
    let snapshot = try JSONFileStore(system: disk, time: ManualTime()).snapshot()
    let ids = records.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for id in stride(from: 0, to: ids.count, by: 4).map({ ids[$0] }) {
      let found = try snapshot.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
      try #require(found == records[id], "\(id)")
      // Neighbours that are not there.
      for other in [id + "\u{20}", String(id.dropLast()) + "\u{20}"] where records[other] == nil {
        try #require(try snapshot.record(.people, other) == nil, "\(other)")
      }
    }
    for other in ["\u{20}", "\u{7E}\u{7E}", "a", "p", "photo"] where records[other] == nil {
      try #require(try snapshot.record(.people, other) == nil)
    }
    var chance = Chance(6)
    for _ in 0..<100 {
      let place = chance.below(ids.count)
      var found: [String] = []
      try snapshot.scan(.people, ScanRange(after: ids[place])) { (record: RawSpan) throws(StoreError) in
        found.append(record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        return found.count < 3 ? .next : .stop
      }
      try #require(found == ids[(place + 1)...].prefix(3).map { records[$0]! }, "after \(ids[place])")
    }
  }

  @Test("what the sums file says wrong is found out or does no harm")
  func damagedSums() async throws {
    let disk = InMemoryFileSystem()
    let records = try await sample(.longPrefixes, on: disk)
    let name = try #require(try disk.names().first { $0.hasSuffix(".sums") })
    let good = disk.contents(name)!
    let ids = records.keys.sorted()
    var chance = Chance(7)
    var refused = 0
    for _ in 0..<60 {
      var bytes = good
      for _ in 0...chance.below(4) { bytes[chance.below(bytes.count)] = UInt8(chance.below(256)) }
      disk.plant(name, bytes)
      let snapshot = try JSONFileStore(system: disk, time: ManualTime()).snapshot()
      for _ in 0..<10 {
        let id = ids[chance.below(ids.count)]
        do throws(StoreError) {
          let found = try snapshot.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
          if found != records[id] { Issue.record("\(id) is not what it was") }
        } catch {
          try #require(error.code == .damaged, "\(error)")
          refused += 1
        }
      }
    }
    disk.plant(name, good)
    #expect(try JSONFileStore(system: disk, time: ManualTime()).verify() == [])
    print("60 sums files with wrong bytes: \(refused) of 600 lookups refused, the others right")
  }

  @Test("a file from before there was an index is read as it is, and has one after the next compaction")
  func withoutIndex() async throws {
    let disk = InMemoryFileSystem()
    let records = try await sample(.short, on: disk)
    let name = try #require(try disk.names().first { $0.hasSuffix(".sums") })
    let lines = try #require(disk.contents(String(name.dropLast(4)) + "records"))
    disk.plant(name, Array(disk.contents(name)!.prefix((lines.count + 1_023) / 1_024 * 8)))
    let store = try JSONFileStore(system: disk, time: ManualTime())
    var chance = Chance(8)
    let ids = records.keys.sorted()
    for _ in 0..<500 {
      let id = ids[chance.below(ids.count)]
      try #require(try store.snapshot().record(.people, id) == records[id].map { Array($0.utf8) })
      try #require(try store.snapshot().record(.people, id + " ") == nil)
    }
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(#"{"id":"new"}"#.utf8), id: "new", in: .people)
    }
    _ = try await store.compact()
    #expect(try store.verify() == [])
    let sums = try #require(try disk.names().filter { $0.hasSuffix(".sums") }.max())
    #expect(try #require(disk.contents(sums)).count > (lines.count + 1_023) / 1_024 * 16)
  }
}
