import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

/// Damages of many kinds at many places: readers, writers and the check agree on them, and a repair leaves a store that
/// works, has all that was whole, and says what is lost.
@Suite("A store that is damaged anywhere is repaired")
struct DamageSweepTests {
  enum Shape: String, CaseIterable, Sendable {
    case fresh, journal, compacted, twoGenerations, midCompaction, midPublish
  }

  enum Kind: CaseIterable, Sendable { case zeros, ones, random, full, repeated }

  struct Sample {
    var disk: SimulatedDisk
    var contents: StoreModel.Contents
    /// Where the transactions of each journal file end, with their commits.
    var frames: [String: [(range: Range<Int>, commit: Int)]] = [:]
  }

  struct Damage {
    var name: String
    var offset: Int
    var size: Int
    var kind: Kind
  }

  private static func id(_ commit: Int) -> String { "k\(String(1000 + commit))" }

  static func sample(_ shape: Shape) async throws -> Sample {
    let disk = SimulatedDisk()
    let store = try JSONFileStore(system: disk, time: ManualTime())
    var sample = Sample(disk: disk, contents: [:])
    var commit = 0
    func add(_ count: Int) async throws {
      for _ in 0..<count {
        commit += 1
        let steps = [
          Step(collection: "people", id: id(commit), value: String(repeating: "v", count: 40) + "\(commit)"),
          Step(collection: commit % 2 == 0 ? "apps" : "people", id: "shared", value: "\(commit)"),
        ]
        let name = try disk.names().filter { $0.hasPrefix("journal.") }.max()
        let start = name.map { disk.contents($0)!.count } ?? 0
        _ = try await store.apply(steps)
        sample.contents = sample.contents.after(steps)
        let journal = try disk.names().filter { $0.hasPrefix("journal.") }.max()!
        sample.frames[journal, default: []].append((start..<disk.contents(journal)!.count, commit))
      }
    }
    switch shape {
    case .fresh: try await add(1)
    case .journal: try await add(20)
    case .compacted:
      try await add(15)
      _ = try await store.compact()
      try await add(5)
    case .twoGenerations, .midCompaction, .midPublish:
      try await add(8)
      _ = try await store.compact()
      try await add(8)
      if shape == .twoGenerations { _ = try await store.compact() }
      try await add(4)
    }
    if shape == .midCompaction || shape == .midPublish {
      let image = Caught()
      disk.onChange { (call, name) throws(FileFailure) in
        if call == "rename", name == (shape == .midCompaction ? "manifest" : "apps.jsonl") { image.catchOnce(disk) }
      }
      _ = try await store.compact()
      disk.onChange(nil)
      sample.disk = try #require(image.disk)
    } else {
      sample.disk = disk.killed()
    }
    return sample
  }

  private final class Caught: @unchecked Sendable {
    // Used by one task.
    private(set) var disk: SimulatedDisk?
    func catchOnce(_ disk: SimulatedDisk) { if self.disk == nil { self.disk = disk.killed() } }
  }

  private static func bytes(_ damage: Damage, of old: [UInt8], _ chance: inout Chance) -> [UInt8] {
    let count = damage.size
    switch damage.kind {
    case .zeros: return Array(repeating: 0, count: count)
    case .ones: return Array(repeating: 1, count: count)
    case .full: return Array(repeating: 0xFF, count: count)
    case .random: return (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
    case .repeated:
      let start = max(0, damage.offset - count)
      return (0..<count).map { old[(start + $0) % max(1, damage.offset == 0 ? old.count : damage.offset)] }
    }
  }

  /// The whole sweep with ALMANAC_DAMAGES=all, else so many of them.
  private static var wanted: Int? {
    let value = ProcessInfo.processInfo.environment["ALMANAC_DAMAGES"]
    return value == "all" ? nil : value.flatMap { Int($0) } ?? 40
  }

  @Test(arguments: Shape.allCases)
  func everyDamage(_ shape: Shape) async throws {
    let sample = try await Self.sample(shape)
    var damages: [Damage] = []
    for name in try sample.disk.names().sorted() {
      let isOurs = name == "manifest" || name == "lock" || name.hasPrefix("journal.") || name.hasSuffix("s")
      guard isOurs, let size = sample.disk.contents(name)?.count, size > 0 else { continue }
      for offset in stride(from: 0, to: size, by: 16) {
        for size in [1, 8, 64, 512, 4096] {
          for kind in Kind.allCases { damages.append(Damage(name: name, offset: offset, size: size, kind: kind)) }
        }
      }
    }
    var chance = Chance(UInt64(shape.rawValue.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    if let wanted = Self.wanted, wanted < damages.count {
      damages = (0..<wanted).map { _ in damages[chance.below(damages.count)] }
    }
    var damaged = 0
    for damage in damages { if try await check(damage, sample, &chance) { damaged += 1 } }
    print("\(shape): \(damages.count) damages, \(damaged) refused by all; after repair all \(damages.count) work")
  }

  /// Whether readers, writers and the check call it damage.
  private func check(_ damage: Damage, _ sample: Sample, _ chance: inout Chance) async throws -> Bool {
    let old = sample.disk.contents(damage.name)!
    var laid = Self.bytes(damage, of: old, &chance)
    // Every other one goes on beyond the end of the file.
    if damage.offset / 16 % 2 == 0 { laid = Array(laid.prefix(old.count - damage.offset)) }
    var bytes = old
    bytes.replaceSubrange(damage.offset..<min(old.count, damage.offset + laid.count), with: laid)
    let disk = sample.disk.killed()
    let file = try disk.open(damage.name, .write)
    try laid.withUnsafeBytes { _ = try disk.write(file, $0, at: damage.offset) }
    disk.close(file)

    let isDamaged = try Self.open(disk).verify().contains { $0.severity == .damage }
    let copy = disk.killed()
    let isUnreadable = Self.fails { _ = try Self.read(copy) }
    let isUnwritable = await Self.refuses(disk.killed())
    try #require(isDamaged == isUnreadable, "\(damage): check \(isDamaged), readers \(isUnreadable)")
    try #require(isDamaged == isUnwritable, "\(damage): check \(isDamaged), writers \(isUnwritable)")

    let told = try await Self.open(disk).repair()
    let left = try Self.open(disk).verify()
    try #require(left.isEmpty, "\(damage): left \(left)")
    let found = try Self.read(disk)
    let saysLost = told.contains { $0.severity == .loss }
    for (collection, records) in sample.contents {
      for (id, value) in records where found[collection]?[id] != value {
        try #require(saysLost, "\(damage): \(id) is lost without a word: \(told)")
        let touched = Set(
          (sample.frames[damage.name] ?? []).filter { frame in
            frame.range.contains { $0 < bytes.count && bytes[$0] != old[$0] }
          }.map(\.commit))
        let isExcused = id == "shared" ? !touched.isEmpty : touched.contains { Self.id($0) == id }
        try #require(isExcused, "\(damage): \(id) was whole, and is lost: \(told)")
      }
    }
    if isDamaged {
      let names = try disk.names()
      let isKept = names.contains { name in
        name.hasSuffix(".damaged") && disk.contents(name)?.starts(with: bytes) == true
      }
      try #require(isKept, "\(damage): not kept among \(names)")
      for name in names where name.hasSuffix(".damaged") {
        let original = sample.disk.contents(String(name.dropLast(8)))
        try #require(
          disk.contents(name) != original || name.hasSuffix(".jsonl.damaged"), "\(damage): \(name) was whole")
      }
    }
    try #require(await !Self.refuses(disk), "\(damage): the repaired store takes no write")
    _ = try await Self.open(disk).compact()
    try #require(try Self.open(disk).verify().isEmpty, "\(damage): damaged after the next compaction")
    try #require(try Self.open(disk).changes(since: nil, limit: 1000).isEmpty == false)
    return isDamaged
  }

  private static func open(_ disk: SimulatedDisk) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(system: disk, time: ManualTime())
  }

  private static func read(_ disk: SimulatedDisk) throws(StoreError) -> StoreModel.Contents {
    let snapshot = try open(disk).snapshot()
    let contents = try snapshot.contents()
    for (collection, records) in contents {
      for (id, value) in records {
        guard try snapshot.record(.init(rawValue: collection), id) == Array(value.utf8) else {
          throw StoreError(.invalidRecord, "\(id) is listed and not found")
        }
      }
    }
    return contents
  }

  private static func fails(_ body: () throws -> Void) -> Bool {
    do { try body() } catch {
      if (error as? StoreError)?.code != .damaged { Issue.record("\(error)") }
      return true
    }
    return false
  }

  private static func refuses(_ disk: SimulatedDisk) async -> Bool {
    do throws(StoreError) {
      try await open(disk).put("after")
      return false
    } catch {
      if error.code != .damaged { Issue.record("\(error)") }
      return true
    }
  }

  /// A tail of zeros over acknowledged commits, as some file systems leave it, was refused by readers and writers and
  /// passed over by the check, so that a repair did nothing.
  @Test func zerosOverTheLastTwoCommits() async throws {
    let sample = try await Self.sample(.compacted)
    let name = try #require(sample.frames.keys.max())
    let frames = try #require(sample.frames[name])
    let start = frames[frames.count - 2].range.lowerBound + 104
    let disk = sample.disk.killed()
    let file = try disk.open(name, .write)
    let end = frames[frames.count - 1].range.upperBound - 20
    try Array(repeating: UInt8(0), count: end - start).withUnsafeBytes { _ = try disk.write(file, $0, at: start) }
    disk.close(file)
    let findings = try Self.open(disk).verify()
    #expect(findings.map(\.severity) == [.damage])
    #expect(findings.first?.offset == frames[frames.count - 2].range.lowerBound)
    #expect(Self.fails { _ = try Self.read(disk) })
    let told = try await Self.open(disk).repair()
    #expect(told.contains { $0.message.contains("commit 19 is lost, and any that followed it") }, "\(told)")
    #expect(try Self.open(disk).verify() == [])
    #expect(try Self.read(disk)["people"]?.count == 19)
    #expect(disk.contents(name + ".damaged") != nil)
    #expect(try await Self.open(disk).put("z").sequence == 19)
  }
}
