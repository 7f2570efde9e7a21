import CLibrary
import Models
import Persistence
import Ports

/// Measures the store; `sqlite_peer.py` in this folder compares it with SQLite, and the group `server` of the benchmarks the
/// store in a folder with the one on PostgreSQL.
///
/// Each command prints one line with a name and a figure, in nanoseconds or bytes unless it prints another unit.
@main
struct StoreBench {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { fail("usage: store-bench COMMAND DIR [COUNT]") }
    let folder = arguments[2]
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    do throws(StoreError) {
      switch arguments[1] {
      case "ingest": try await ingest(folder, count)
      case "pull":
        var limits = Limits()
        if arguments.count > 4 { limits.compactShare = Int(arguments[4]) ?? limits.compactShare }
        let store = try JSONFileStore(system: RealFileSystem(path: folder), limits: limits)
        try await PullBench.run(store, pages: count, report)
      case "place": try await PlaceBench.run(folder, count, report)
      case "history": try await HistoryBench.run(folder, syncs: count, arguments.last!, report)
      case "history-changes": HistoryBench.printChanges(syncs: count)
      case "history-present": try HistoryBench.present([folder, arguments[4]], rounds: count, report)
      case "history-commits": try await HistoryBench.commits(folder, count, report)
      case "history-runs": try await HistoryBench.runs(folder, count, report)
      case "commit": try await commits(folder, count)
      case "raw-write": rawWrite(folder, count)
      case "open": try open(folder, arguments[3])
      case "lookup": try lookups(folder, count, of: Int(arguments[4]) ?? 1)
      case "scan": try scan(folder)
      case "fold": try await compact(folder, count)
      case "memory": try memory(folder)
      case "show": try show(folder, arguments[3])
      default: fail("unknown command")
      }
    } catch {
      fail("\(error.code.rawValue): \(error)")
    }
  }

  private static func store(_ folder: String) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(folder: folder)
  }

  /// Writes records into an empty store in one transaction, and compacts it.
  private static func ingest(_ folder: String, _ count: Int) async throws(StoreError) {
    let records = (0..<count).map { Sample.record($0) }
    let start = now()
    let store = try store(folder)
    _ = try await store.write { (transaction) throws(StoreError) in
      for (id, record) in records { try transaction.put(record, id: id, in: .people) }
    }
    let committed = now()
    _ = try await store.compact()
    let end = now()
    report("commit", (committed - start) / count)
    report("commit-and-fold", (end - start) / count)
  }

  /// Measures commits, and the time that the disk needs for an append of the same size with fdatasync.
  private static func commits(_ folder: String, _ count: Int) async throws(StoreError) {
    let store = try store(folder)
    mkdir(folder + ".raw", 0o700)
    let file = CLibrary.open(folder + ".raw/raw", O_RDWR | O_CREAT | O_TRUNC, 0o600)
    let bytes = [UInt8](repeating: 0x61, count: 500)
    var (times, rawTimes): ([Int], [Int]) = ([], [])
    for number in 0..<count {
      let (id, record) = Sample.record(number, version: number)
      let start = now()
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(record, id: id, in: .people)
      }
      times.append(now() - start)
      let rawStart = now()
      pwrite(file, bytes, bytes.count, number * bytes.count)
      fdatasync(file)
      rawTimes.append(now() - rawStart)
    }
    report("commit", times.sorted()[count / 2])
    report("write+fdatasync", rawTimes.sorted()[count / 2])
  }

  private static func rawWrite(_ folder: String, _ count: Int) {
    mkdir(folder, 0o700)
    let file = CLibrary.open(folder + "/raw", O_RDWR | O_CREAT | O_TRUNC, 0o600)
    let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
    let start = now()
    var place = 0
    while place < count {
      pwrite(file, bytes, bytes.count, place)
      place += bytes.count
    }
    fdatasync(file)
    report("write+fsync", now() - start)
    close(file)
    unlink(folder + "/raw")
  }

  private static func open(_ folder: String, _ id: String) throws(StoreError) {
    let start = now()
    guard try store(folder).snapshot().record(.people, id) != nil else { fail("no \(id)") }
    report("open+lookup", now() - start)
  }

  private static func lookups(_ folder: String, _ count: Int, of total: Int) throws(StoreError) {
    let snapshot = try store(folder).snapshot()
    var chance: UInt64 = 11
    let ids = (0..<count).map { _ in
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Sample.id(Int(chance >> 33) % total)
    }
    var bytes = 0
    for round in ["lookup-first", "lookup-again"] {
      let start = now()
      for id in ids {
        guard let record = try snapshot.record(.people, id) else { fail("no \(id)") }
        bytes += record.count
      }
      report(round, (now() - start) / count)
    }
    if bytes == 0 { fail("no bytes") }
  }

  private static func scan(_ folder: String) throws(StoreError) {
    let snapshot = try store(folder).snapshot()
    for round in ["scan-first", "scan-again"] {
      let start = now()
      var (records, bytes) = (0, 0)
      try snapshot.scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        records += 1
        bytes += record.byteCount
        return .next
      }
      report(round, (now() - start) * 1000 / records, "ps")
      if bytes == 0 { fail("no bytes") }
    }
  }

  /// Changes records and compacts the store.
  private static func compact(_ folder: String, _ count: Int) async throws(StoreError) {
    let store = try store(folder)
    _ = try await store.write { (transaction) throws(StoreError) in
      for number in 0..<count {
        let (id, record) = Sample.record(number * 10, version: 1 + Int(now()))
        try transaction.put(record, id: id, in: .people)
      }
    }
    let start = now()
    _ = try await store.compact()
    report("fold", now() - start)
  }

  private static func memory(_ folder: String) throws(StoreError) {
    let snapshot = try store(folder).snapshot()
    guard try snapshot.record(.people, Sample.id(1)) != nil else { fail("no record") }
    var records = 0
    try snapshot.scan(.people, .all) { (_: RawSpan) throws(StoreError) -> ScanStep in
      records += 1
      return .next
    }
    // Mapped pages of files belong to the system's cache, which returns them when memory is needed.
    report("private", figure("RssAnon", in: "/proc/self/status") * 1024, "bytes")
    report("peak-with-mapped", figure("VmHWM", in: "/proc/self/status") * 1024, "bytes")
  }

  private static func show(_ folder: String, _ id: String) throws(StoreError) {
    guard let record = try store(folder).snapshot().record(.people, id) else { fail("no \(id)") }
    print(String(decoding: record, as: UTF8.self))
  }

  private static func report(_ name: String, _ figure: Int, _ unit: String = "ns") {
    print("\(name) \(figure) \(unit)")
  }

  static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int {
    var value = timespec()
    clock_gettime(clock, &value)
    return value.tv_sec * 1_000_000_000 + value.tv_nsec
  }

  /// A figure of this process in a file of `proc(5)`.
  static func figure(_ name: String, in path: String) -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let file = CLibrary.open(path, O_RDONLY)
    defer { close(file) }
    let size = read(file, &buffer, buffer.count)
    for line in String(decoding: buffer[..<max(size, 0)], as: UTF8.self).split(separator: "\n")
    where line.hasPrefix(name + ":") { return Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) ?? 0 }
    return 0
  }

  private static func fail(_ message: String) -> Never {
    let bytes = Array((message + "\n").utf8)
    _ = CLibrary.write(2, bytes, bytes.count)
    exit(1)
  }
}

/// The sample records: 300 bytes each, in random order.
enum Sample {
  static func id(_ number: Int) -> String {
    // Knuth's multiplicative hash is a permutation, so the ids differ.
    let digits = String(number &* 2_654_435_761 % (1 << 30))
    return "p" + String(repeating: "0", count: 10 - digits.utf8.count) + digits
  }

  static func record(_ number: Int, version: Int = 0) -> (id: String, record: [UInt8]) {
    let id = id(number)
    var text = "{\"id\":\"\(id)\",\"firstName\":\"Ada\",\"lastName\":\"Example \(number)\",\"birthday\":\"1985-04-07\","
    text += "\"email\":\"ada.\(number)@example.org\",\"address\":{\"street\":\"Some St 7\",\"city\":\"Zürich\"},"
    text += "\"tags\":[\"friend\",\"math\"],\"version\":\(version),\"note\":\""
    let missing = 300 - text.utf8.count - 2
    return (id, Array((text + String(repeating: "x", count: max(missing, 0)) + "\"}").utf8))
  }
}
