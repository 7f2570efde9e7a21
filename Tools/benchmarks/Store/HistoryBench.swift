import CLibrary
import Models
import Persistence
import Ports
import Synchronization

/// Measures what a history costs, and how fast the past is read: repositories of which a fifth changes at each sync, once an
/// hour, in commits of 100.
enum HistoryBench {
  private static let collection = CollectionName(rawValue: "repos")

  /// - Parameter mode: `keep`, `off`, `daily` or `quiet`.
  static func run(
    _ folder: String, syncs: Int, _ mode: String, _ report: (String, Int, String) -> Void
  ) async throws(StoreError) {
    let counters = ["stars", "pushedAt"]
    let history: HistorySetting? =
      switch mode {
      case "off": nil
      case "daily": .keep(daily: counters)
      case "quiet": .keep(quiet: counters)
      default: .keep()
      }
    let clock = Clock()
    let store = try JSONFileStore(folder: folder, history: history, time: clock)
    var repos = Repos(isBusy: syncs >= 1000)
    let written = StoreBench.figure("wchar", in: "/proc/self/io")
    var (changes, wall, processor) = (0, 0, 0)
    for sync in 0...syncs {
      clock.set(sync * 3600)
      for page in 0..<Repos.pages {
        let records = repos.page(page, isFirst: sync == 0)
        let isLast = page == Repos.pages - 1 && (sync == 0 || sync == syncs)
        let begun = (StoreBench.now(), StoreBench.now(CLOCK_PROCESS_CPUTIME_ID))
        let commit = try await store.write { (transaction) throws(StoreError) in
          for (id, record) in records { try transaction.put(record, id: id, in: collection) }
          transaction.explain(ChangeCause(.sync, follow: "github/repos/apple", run: "20261123T093000Z-\(sync)"))
        }.sequence
        if isLast { _ = try await store.compact() }
        wall += StoreBench.now() - begun.0
        processor += StoreBench.now(CLOCK_PROCESS_CPUTIME_ID) - begun.1
        changes += records.count
        repos.committed(page, commit ?? 0)
      }
      guard sync == 0 || sync == syncs else { continue }
      report(sync == 0 ? "new" : "changed", wall / changes, "ns")
      report(sync == 0 ? "new-processor" : "changed-processor", processor / changes, "ns")
      (changes, wall, processor) = (0, 0, 0)
    }
    report("written", StoreBench.figure("wchar", in: "/proc/self/io") - written, "bytes")
    if mode == "off" { return }
    let kept = try store.histories()
    report("changes", kept.reduce(0) { $0 + $1.changes }, "changes")
    report("size", kept.reduce(0) { $0 + $1.bytes }, "bytes")
    report("members", repos.members, "bytes")
    if mode == "keep" { try read(store, repos, report) }
  }

  private static func read(
    _ store: JSONFileStore, _ repos: Repos, _ report: (String, Int, String) -> Void
  ) throws(StoreError) {
    func measure(_ name: String, _ count: Int = 1, _ body: () throws(StoreError) -> Void) throws(StoreError) {
      let begun = StoreBench.now()
      try body()
      report(name, (StoreBench.now() - begun) / count, "ns")
    }
    let last = try store.snapshot().sequence
    var wrong = 0
    var chance = repos
    for _ in 0..<10_000 {
      let (number, commit) = (chance.next(Repos.count), UInt64(chance.next(Int(last)) + 1))
      let record = try store.snapshot(at: commit).record(collection, repos.id(number))
      if record != repos.record(number, at: commit) { wrong += 1 }
    }
    report("wrong", wrong, "records")
    let lookups = 1000
    let ids = (0..<lookups).map { repos.id($0 * 7919 % Repos.count) }
    for (name, commit) in [("lookup-now", last), ("lookup-past", last / 2)] {
      let snapshot = try store.snapshot(at: commit)
      try measure(name, lookups) { () throws(StoreError) in for id in ids { _ = try snapshot.record(collection, id) } }
    }
    try measure("history", lookups) { () throws(StoreError) in
      for id in ids { _ = try store.history(collection, id, before: nil, limit: 1000) }
    }
    if repos.isBusy {
      try measure("lookup-busy") { () throws(StoreError) in
        _ = try store.snapshot(at: last / 2).record(collection, Repos.busy)
      }
      var found = 0
      try measure("history-busy") { () throws(StoreError) in
        found = try store.history(collection, Repos.busy, before: nil, limit: .max).count
      }
      report("changes-busy", found, "changes")
    }
    for (name, commit) in [("recent", last * 99 / 100), ("middle", last / 2), ("first", UInt64(Repos.pages))] {
      let before = StoreBench.figure("RssAnon", in: "/proc/self/status")
      var (records, most) = (0, before)
      try measure("scan-\(name)") { () throws(StoreError) in
        try store.snapshot(at: commit).scan(collection, .all) { (_: RawSpan) throws(StoreError) in
          records += 1
          if records % 1000 == 0 { most = max(most, StoreBench.figure("RssAnon", in: "/proc/self/status")) }
          return .next
        }
      }
      report("memory-\(name)", (most - before) * 1024, "bytes")
    }
    try measure("diff") { () throws(StoreError) in
      try store.history(collection, in: last * 99 / 100...last) { (_) throws(StoreError) in .next }
    }
  }

  /// Prints the changes, a line each, for other programs.
  static func printChanges(syncs: Int) {
    var repos = Repos(isBusy: false)
    for sync in 0...syncs {
      for page in 0..<Repos.pages {
        for (id, record) in repos.page(page, isFirst: sync == 0) {
          print("{\"sync\":\(sync),\"id\":\"\(id)\",\"record\":\(String(decoding: record, as: UTF8.self))}")
        }
      }
    }
  }

  /// Reads the present of two stores with the same records, with and without a history, in turn.
  static func present(
    _ folders: [String], rounds: Int, _ report: (String, Int, String) -> Void
  ) throws(StoreError) {
    let repos = Repos(isBusy: false)
    let ids = (0..<1000).map { repos.id($0 * 7919 % Repos.count) }
    var times: [String: [[Int]]] = [:]
    for round in 0..<rounds {
      var found: [String: [Int]] = [:]
      for which in round % 2 == 0 ? [0, 1] : [1, 0] {
        func measure(_ name: String, _ body: () throws(StoreError) -> Void) throws(StoreError) {
          let begun = StoreBench.now()
          try body()
          found[name, default: [0, 0]][which] = StoreBench.now() - begun
        }
        var opened: [JSONFileStore] = []
        try measure("open") { () throws(StoreError) in
          opened.append(try JSONFileStore(folder: folders[which]))
          _ = try opened[0].snapshot().record(collection, ids[0])
        }
        let snapshot = try opened[0].snapshot()
        try measure("lookup") { () throws(StoreError) in
          for id in ids { _ = try snapshot.record(collection, id) }
        }
        try measure("scan") { () throws(StoreError) in
          try snapshot.scan(collection, .all) { (_: RawSpan) throws(StoreError) in .next }
        }
      }
      for (name, pair) in found { times[name, default: []].append(pair) }
    }
    for (name, pairs) in times.sorted(by: { $0.key < $1.key }) { Self.report(name, pairs, report) }
  }

  /// Commits one record each to a store with and one without a history, in turn.
  static func commits(
    _ folder: String, _ count: Int, _ report: (String, Int, String) -> Void
  ) async throws(StoreError) {
    let stores = [
      try JSONFileStore(folder: folder + "/with", history: .keep()), try JSONFileStore(folder: folder + "/without"),
    ]
    var pairs: [[Int]] = []
    for number in 0..<count {
      var pair = [0, 0]
      for which in number % 2 == 0 ? [0, 1] : [1, 0] {
        let (id, record) = Sample.record(number % 100, version: number)
        let begun = StoreBench.now()
        _ = try await stores[which].write { (transaction) throws(StoreError) in
          try transaction.put(record, id: id, in: collection)
          transaction.explain(ChangeCause(.edit, run: "20261123T093000Z-7f3a", tool: .command("people edit")))
        }
        pair[which] = StoreBench.now() - begun
      }
      pairs.append(pair)
    }
    Self.report("commit", pairs, report)
  }

  /// Opens a store whose manifest names many runs, which nothing joined.
  static func runs(_ folder: String, _ count: Int, _ report: (String, Int, String) -> Void) async throws(StoreError) {
    var limits = Limits()
    limits.joinMost = 0
    let store = try JSONFileStore(system: RealFileSystem(path: folder), history: .keep(), limits: limits)
    for number in 0..<count {
      let (id, record) = Sample.record(0, version: number)
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(record, id: id, in: collection)
      }
      _ = try await store.compact()
    }
    var times: [Int] = []
    for _ in 0..<100 {
      let begun = StoreBench.now()
      _ = try JSONFileStore(folder: folder).snapshot().record(collection, Sample.id(0))
      times.append(StoreBench.now() - begun)
    }
    report("open-runs", times.sorted()[50], "ns")
  }

  /// The median of the first of each pair, and of the ratios to the second.
  private static func report(_ name: String, _ pairs: [[Int]], _ report: (String, Int, String) -> Void) {
    report(name, pairs.map { $0[0] }.sorted()[pairs.count / 2], "ns")
    report(name + "-ratio", pairs.map { $0[0] * 10_000 / max(1, $0[1]) }.sorted()[pairs.count / 2], "/10000")
  }
}

/// The repositories, and how they change.
private struct Repos {
  static let count = 5000
  static let pages = 50
  private static let pageSize = count / pages
  static let busy = "owner/busy"

  private struct Repo { var stars, pushed, about: Int }

  private var chance: UInt64 = 42
  private var all: [Repo] = []
  /// What each was after its commits.
  private var versions = [[(commit: UInt64, repo: Repo)]](repeating: [], count: count)
  /// Whether one more record changes in every 25th commit.
  let isBusy: Bool
  private var pagesDone = 0
  /// How many bytes the members that changed had, before and after.
  private(set) var members = 0

  init(isBusy: Bool) {
    self.isBusy = isBusy
    for number in 0..<Self.count { all.append(Repo(stars: next(40_000), pushed: next(300), about: number)) }
  }

  /// Remembers what the last page has written.
  mutating func committed(_ page: Int, _ commit: UInt64) {
    for number in page * Self.pageSize..<(page + 1) * Self.pageSize {
      let (repo, last) = (all[number], versions[number].last?.repo)
      if repo.stars != last?.stars { versions[number].append((commit, repo)) }
    }
  }

  func record(_ number: Int, at commit: UInt64) -> [UInt8]? {
    versions[number].last { $0.commit <= commit }.map {
      Array("{\(texts(id(number), $0.repo).joined(separator: ","))}".utf8)
    }
  }

  func id(_ number: Int) -> String { "owner\(number % 300)/repository-\(number)" }

  mutating func page(_ page: Int, isFirst: Bool) -> [(id: String, record: [UInt8])] {
    var records: [(id: String, record: [UInt8])] = []
    for number in page * Self.pageSize..<(page + 1) * Self.pageSize {
      let old = all[number]
      if !isFirst {
        guard next(5) == 0 else { continue }
        all[number].stars += 1 + next(4)
        if next(3) == 0 { all[number].pushed += 1 }
        if next(100) == 0 { all[number].about += 1 }
      }
      let members = texts(id(number), all[number])
      records.append((id(number), Array("{\(members.joined(separator: ","))}".utf8)))
      for (was, now) in zip(texts(id(number), old), members) where was != now {
        self.members += was.utf8.count + now.utf8.count
      }
    }
    pagesDone += 1
    if isBusy, pagesDone % 25 == 0 {
      let record = texts(Self.busy, Repo(stars: pagesDone, pushed: 1, about: 1))
      records.append((Self.busy, Array("{\(record.joined(separator: ","))}".utf8)))
    }
    return records
  }

  private func texts(_ id: String, _ repo: Repo) -> [String] {
    [
      "\"id\":\"\(id)\"", "\"about\":\"A library for \(repo.about) purposes, with examples, tests and documentation\"",
      "\"language\":\"Swift\"", "\"stars\":\(repo.stars)",
      "\"topics\":[\"swift\",\"server\",\"linux\"],\"isFork\":false,\"url\":\"https://github.com/\(id)\"",
      "\"pushedAt\":\"2026-\(repo.pushed % 12 + 10)-\(repo.pushed % 28 + 10)T09:30:00Z\"",
    ]
  }

  mutating func next(_ limit: Int) -> Int {
    chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(chance >> 33) % limit
  }
}

/// A wall clock that is set.
private final class Clock: TimeSource {
  private let seconds = Atomic(0)

  func set(_ seconds: Int) { self.seconds.store(seconds, ordering: .relaxed) }

  var now: Timestamp { Timestamp(secondsSinceEpoch: 1_767_225_600 + seconds.load(ordering: .relaxed)) }
  var uptime: Duration { .nanoseconds(StoreBench.now()) }
  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }
}
