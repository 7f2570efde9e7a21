import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Many readers and writers share one folder")
struct SharingTests {
  private let folder = TemporaryFolder()
  private static func setting(_ name: String, _ normal: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? normal
  }

  private func open() throws(StoreError) -> JSONFileStore {
    var limits = Limits()
    limits.compactJournal = 30_000
    limits.keptJournal = 100_000
    return try JSONFileStore(
      system: RealFileSystem(path: folder.path + "/store"), time: RealTime(), lockTimeout: .seconds(600),
      limits: limits)
  }

  @Test func readersSeeWholeCommitsAndNeverGoBack() async throws {
    let commits = Self.setting("ALMANAC_READER_COMMITS", 60)
    let store = try open()
    let put = { @Sendable (number: Int) async throws(StoreError) -> Void in
      _ = try await store.write { (transaction) throws(StoreError) in
        for id in 0..<20 {
          let record = Array("{\"id\":\"r\(id)\",\"n\":\"\(number)\"}".utf8)
          try transaction.put(record, id: "r\(id)", in: .people)
        }
      }
    }
    try await put(0)
    let views = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          // A store of its own, as another process has it.
          let reader = try open()
          var views = 0
          var last = -1
          while last < commits {
            let snapshot = try reader.snapshot()
            var numbers: Set<Substring> = []
            var records = 0
            try snapshot.scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
              let text = record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
              numbers.insert(text.split(separator: "\"")[6...].joined()[...])
              records += 1
              return .next
            }
            try #require(numbers.count == 1 && records == 20, "a torn view: \(numbers), \(records) records")
            let number = Int(numbers.first!.filter(\.isNumber))!
            try #require(number >= last, "went back from \(last) to \(number)")
            last = number
            views += 1
            await Task.yield()
          }
          return views
        }
      }
      group.addTask {
        for number in 1...commits { try await put(number) }
        return 0
      }
      return try await group.reduce(0, +)
    }
    print("16 readers beside a writer: \(views) views, 0 torn, 0 backward")
  }

  @Test func writersLoseNothing() async throws {
    let writers = Self.setting("ALMANAC_WRITERS", 16)
    let commits = Self.setting("ALMANAC_WRITER_COMMITS", 8)
    // Every fourth writer has a store of its own.
    var stores: [JSONFileStore] = []
    for _ in 0..<4 { stores.append(try open()) }
    try await withThrowingTaskGroup(of: Void.self) { [stores] group in
      for writer in 0..<writers {
        group.addTask {
          for _ in 0..<commits {
            _ = try await stores[writer % 4].write { (transaction) throws(StoreError) in
              for id in ["total", "w\(writer)"] {
                let old = try transaction.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
                let count = old.map { Int($0.split(separator: "\"")[7])! } ?? 0
                try transaction.put(Array("{\"id\":\"\(id)\",\"n\":\"\(count + 1)\"}".utf8), id: id, in: .people)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let snapshot = try open().snapshot()
    #expect(snapshot.sequence == UInt64(writers * commits))
    #expect(try snapshot.record(.people, "total") == Array("{\"id\":\"total\",\"n\":\"\(writers * commits)\"}".utf8))
    for writer in 0..<writers {
      let record = try snapshot.record(.people, "w\(writer)")
      #expect(record == Array("{\"id\":\"w\(writer)\",\"n\":\"\(commits)\"}".utf8))
    }
    print("\(writers) writers with \(commits) commits each: none lost")
  }

  @Test func whoWaitsTooLongIsToldWhoWrites() async throws {
    let holder = try open()
    try await holder.put("a")
    let lock = Lock(path: folder.path + "/store/lock")
    let other = try JSONFileStore(folder: folder.path + "/store", time: ManualTime())
    let error = await #expect(throws: StoreError.self) { try await other.put("b") }
    #expect(error?.code == .busy && error?.message.hasSuffix("within 10 s") == true)
    #expect(error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    #expect(try other.snapshot().count(.people) == 1)
    let hasty = try JSONFileStore(folder: folder.path + "/store", time: ManualTime(), lockTimeout: .milliseconds(1500))
    await expectError(.busy, saying: "within 1500 ms") { try await hasty.put("b") }
    lock.unlock()
    #expect(try await other.put("b").sequence == 2)
  }
}

@Suite("Publishing beside another writer")
struct PublishingBesideAWriterTests {
  private let folder = TemporaryFolder()

  @Test("leaves the files to that writer after 100 ms, without an error or a warning")
  func leavesThem() async throws {
    let time = ManualTime()
    let store = try JSONFileStore(folder: folder.path + "/store", time: time)
    try await store.put("a")
    let lock = Lock(path: folder.path + "/store/lock")
    try await store.publish(.quick)
    #expect(time.uptime >= .milliseconds(100) && time.uptime < .milliseconds(200))
    #expect(try store.behind() == [.people])
    lock.unlock()
    try await store.publish(.quick)
    #expect(try store.behind() == [])
  }
}

struct RealTime: TimeSource {
  var now: Timestamp { Timestamp(secondsSinceEpoch: Int(Date().timeIntervalSince1970)) }
  var uptime: Duration { .seconds(ProcessInfo.processInfo.systemUptime) }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }
}

/// Holds a file's lock as another process would.
final class Lock {
  private let file: Int32

  init(path: String) {
    file = Foundation.open(path, O_RDWR)
    flock(file, LOCK_EX)
  }

  func unlock() { flock(file, LOCK_UN) }

  deinit { close(file) }
}

@Suite("A store that is made while somebody looks whether there is one")
struct NewStoreTests {
  @Test(arguments: [false, true]) func isNotDamaged(compacted: Bool) async throws {
    let made = SimulatedDisk()
    let writer = try JSONFileStore(system: made, time: ManualTime())
    try await writer.put("a")
    if compacted { _ = try await writer.compact() }
    let names = try made.names()
    // The manifest is looked for in vain, then all of it is there.
    for look in [{ try $0.snapshot().contents() }, { try $0.verify().isEmpty ? $0.snapshot().contents() : [:] }]
      as [@Sendable (JSONFileStore) throws -> StoreModel.Contents]
    {
      let disk = SimulatedDisk()
      _ = try disk.openFolder(create: true)
      let reader = try JSONFileStore(system: disk, time: ManualTime())
      disk.onListing {
        disk.onListing(nil)
        for name in names { disk.plant(name, made.contents(name) ?? []) }
      }
      #expect(try look(reader) == ["people": ["a": line("a", "1")]])
    }
  }
}
