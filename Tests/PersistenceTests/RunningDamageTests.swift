import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

/// Files that change under a process that has the store open: it never reports a commit as done that the next process does
/// not find, and never passes on what was changed.
@Suite("A store that is damaged while it is open")
struct RunningDamageTests {
  enum Damage: CaseIterable, Sendable {
    case lastByte, middleByte, firstByte, zeros, shorterByOne, half, empty, removed, older, olderInPlace
  }

  private static let value = String(repeating: "v", count: 40)
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/store" }

  private func open() throws(StoreError) -> JSONFileStore { try JSONFileStore(folder: path, time: ManualTime()) }

  private func name(_ prefix: String, _ suffix: String = "") throws -> String {
    try #require(
      FileManager.default.contentsOfDirectory(atPath: path).sorted()
        .last { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) })
  }

  private func put(_ store: JSONFileStore, _ ids: Range<Int>) async throws(StoreError) {
    for id in ids { try await store.put("p\(id)", Self.value) }
  }

  private func ids(_ store: JSONFileStore) throws -> Set<String> {
    Set(try store.snapshot().contents()["people"]?.keys.map { $0 } ?? [])
  }

  private func harm(_ name: String, _ damage: Damage, older: [UInt8]) throws {
    let file = path + "/" + name
    var bytes = Array(try Data(contentsOf: URL(filePath: file)))
    switch damage {
    case .lastByte: bytes[bytes.count - 4] ^= 1
    case .middleByte: bytes[bytes.count / 2] ^= 4
    case .firstByte: bytes[3] ^= 2
    case .zeros: for place in bytes.count / 2..<bytes.count * 3 / 4 { bytes[place] = 0 }
    case .shorterByOne: bytes.removeLast()
    case .half: bytes.removeLast(bytes.count / 2)
    case .empty: bytes = []
    case .removed: return try FileManager.default.removeItem(atPath: file)
    case .older: return try Data(older).write(to: URL(filePath: file), options: .atomic)
    case .olderInPlace: bytes = older
    }
    try overwrite(name, bytes)
  }

  /// Writes into the file that is there.
  private func overwrite(_ name: String, _ bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: path + "/" + name))
    try handle.write(contentsOf: Data(bytes))
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.close()
  }

  /// Harms a file, writes, opens the store anew, repairs it, and goes on.
  private func run(_ wanted: String, _ suffix: String, _ damage: Damage) async throws {
    let store = try open()
    try await put(store, 0..<20)
    _ = try await store.compact()
    try await put(store, 20..<30)
    let name = try name(wanted, suffix)
    let older = Array(try Data(contentsOf: URL(filePath: path + "/" + name)))
    if wanted == "journal." { try await put(store, 30..<40) }
    let before = try ids(store)
    try harm(name, damage, older: older)
    let isSame = wanted != "journal." && (damage == .older || damage == .olderInPlace)
    var acknowledged = false
    do throws(StoreError) {
      try await put(store, 100..<101)
      acknowledged = true
    } catch {
      #expect([.damaged, .moved].contains(error.code), "\(error)")
      #expect(error.hint != nil && error.path?.hasPrefix(path) == true)
    }
    #expect(!acknowledged || isSame, "\(damage) of \(name) was not noticed")
    // What is read is what was written, or an error.
    if let found = try? store.snapshot().contents()["people"] {
      for (id, record) in found { #expect(record == line(id, Self.value)) }
      #expect(
        Set(found.keys).isSuperset(of: before) || damage == .older, "\(damage): \(found.count) of \(before.count)")
    }
    let second = try open()
    let repaired = try await second.repair()
    let after = try ids(second)
    if acknowledged { #expect(after.contains("p100")) }
    if wanted != "journal." || damage == .removed {
      #expect(wanted == "journal." || after.isSuperset(of: before), "\(damage) of \(name): \(repaired)")
    }
    // Without another start, unless the file was replaced.
    let next = (try? store.checkPlace()) == nil ? try open() : store
    try await put(next, 200..<201)
    #expect(try ids(try open()).isSuperset(of: after.union(["p200"])))
    #expect(try open().verify().filter { $0.severity == .damage } == [])
  }

  @Test("its journal", arguments: Damage.allCases)
  func journal(damage: Damage) async throws { try await run("journal.", "", damage) }

  @Test("its manifest", arguments: Damage.allCases)
  func manifest(damage: Damage) async throws { try await run("manifest", "", damage) }

  @Test("a file of records", arguments: Damage.allCases)
  func records(damage: Damage) async throws { try await run("people.", ".records", damage) }

  @Test("the checksums of a file", arguments: [Damage.firstByte, .half, .empty, .removed])
  func sums(damage: Damage) async throws { try await run("people.", ".sums", damage) }

  @Test("what was read before is checked again, in the journal and in a file")
  func readAgain() async throws {
    let store = try open()
    try await put(store, 0..<3)
    _ = try await store.compact()
    try await put(store, 3..<6)
    let snapshot = try store.snapshot()
    for (file, id) in [(try name("people.", ".records"), "p1"), (try name("journal."), "p4")] {
      #expect(try snapshot.record(.people, id) != nil)
      #expect(try snapshot.contents()["people"]?.count == 6)
      var bytes = Array(try Data(contentsOf: URL(filePath: path + "/" + file)))
      let place = try #require(bytes.firstRange(of: Array("{\"id\":\"\(id)\"".utf8))).lowerBound + 30
      bytes[place] ^= 1
      try overwrite(file, bytes)
      for _ in 0..<2 {
        #expect { try snapshot.record(.people, id) } throws: { error in
          (error as? StoreError)?.code == .damaged && (error as? StoreError)?.path == path + "/" + file
            && (error as? StoreError)?.offset.map { abs($0 - place) < 1024 } == true
        }
        #expect(throws: StoreError.self) { _ = try snapshot.contents() }
      }
      bytes[place] ^= 1
      try overwrite(file, bytes)
    }
    #expect(try snapshot.contents()["people"]?.count == 6)
    try await put(store, 6..<7)
  }

  @Test("a file of records that was cut is not read beyond its end", arguments: [0, 1100])
  func cut(to size: UInt64) async throws {
    let store = try open()
    try await put(store, 0..<80)
    _ = try await store.compact()
    let snapshot = try store.snapshot()
    let file = try FileHandle(forUpdating: URL(filePath: "\(path)/\(name("people.", ".records"))"))
    try file.truncate(atOffset: size)
    try file.close()
    for range in [ScanRange(prefix: "p7"), ScanRange(after: "p60"), .all] {
      #expect(throws: StoreError.self) {
        try snapshot.scan(.people, range) { (_: RawSpan) throws(StoreError) -> ScanStep in .next }
      }
    }
    #expect(throws: StoreError.self) { _ = try snapshot.record(.people, "p9") }
  }

  @Test("commits that this process saw are missed without the mark of the last writer too")
  func cutWithoutMark() async throws {
    let store = try open()
    try await put(store, 0..<3)
    let journal = "\(path)/\(try name("journal."))"
    let length = try Data(contentsOf: URL(filePath: journal)).count
    try await put(store, 3..<5)
    for (file, size) in [(journal, length), (path + "/lock", 0)] {
      let handle = try FileHandle(forUpdating: URL(filePath: file))
      try handle.truncate(atOffset: UInt64(size))
      try handle.close()
    }
    await expectError(.damaged, path: journal) { try await put(store, 5..<6) }
  }

  @Test("what is only touched, or linked by a backup, is read again and used")
  func touched() async throws {
    let (store, other) = (try open(), try open())
    try await put(store, 0..<5)
    _ = try await store.compact()
    for round in 1...3 {
      try await put(store, round * 10..<round * 10 + 2)
      try await put(other, round * 10 + 2..<round * 10 + 4)
      for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path + "/" + name)
      }
      try FileManager.default.linkItem(atPath: "\(path)/\(try name("journal."))", toPath: "\(folder.path)/b\(round)")
    }
    try await put(store, 50..<51)
    #expect(try ids(other).count == 5 + 12 + 1)
    #expect(try open().verify().filter { $0.severity != .note } == [])
  }

  @Test("a store in the store is named by a check, and by the next program that writes")
  func nested() async throws {
    try await put(open(), 0..<1)
    try FileManager.default.copyItem(atPath: path, toPath: folder.path + "/backup")
    try FileManager.default.moveItem(atPath: folder.path + "/backup", toPath: path + "/backup")
    let found = try open().verify()
    #expect(found.map(\.path) == [path + "/backup"] && found.map(\.severity) == [.note], "\(found)")
    #expect(found.first?.suggestion?.contains("rename 'backup' in it to '\(path)'") == true)
    let events = RecordedEvents()
    let store = try JSONFileStore(folder: path, time: ManualTime(), events: events)
    try await put(store, 1..<3)
    let warnings = events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
    #expect(warnings.count == 1 && warnings[0].contains("\(path)/backup is a store"), "\(warnings)")
  }
}
