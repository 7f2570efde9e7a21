import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// An answer whose bytes came before is not read again, unless one of its records is not what the answer left.
@Suite struct KnownAnswerTests {
  private let server = Shelf(pages: 4)

  private func synced(_ store: any RecordStore = InMemoryRecordStore(time: ManualTime())) async throws -> Bench {
    let bench = Bench(store: store, sources: [ShelfSource(server)])
    #expect(try await bench.sync("shelf/a").totals.added == 12)
    #expect(server.taken() == [0, 1, 2, 3])
    return bench
  }

  /// Pulls again. Returns the numbers of the pages that were read.
  private func pullAgain(_ bench: Bench, _ options: SyncOptions = SyncOptions()) async throws -> [Int] {
    let report = try await bench.sync("shelf/a", options: options)
    #expect(report.follows.map(\.error) == [nil])
    return server.taken()
  }

  @Test func isNotRead() async throws {
    let bench = try await synced()
    let before = try bench.store.changes(since: nil, limit: .max).count
    let report = try await bench.sync("shelf/a")
    #expect(server.taken() == [])
    #expect(report.totals.unchanged == 12 && report.follows.map(\.status) == [.unchanged])
    let written = try bench.store.changes(since: ChangeCursor(String(before)), limit: .max)
    #expect(written.isEmpty, "the clock stood still, so that nothing at all was written")
  }

  @Test func isReadWithAnotherByte() async throws {
    let bench = try await synced()
    server.set("a", "4", "another")
    #expect(try await pullAgain(bench) == [1])
    #expect(try bench.record(ShelfSource.items, "4")?["value"] == "another")
    #expect(try await pullAgain(bench) == [])
  }

  @Test func isReadWhereARecordIsAnother() async throws {
    let bench = try await synced()
    try await bench.put(ShelfSource.items, ["id": "4", "value": "changed here"])
    #expect(try await pullAgain(bench) == [1])
    #expect(try bench.record(ShelfSource.items, "4")?["value"] == "a4")
    try await bench.store.delete(ShelfSource.items, ["9"])
    #expect(try await pullAgain(bench) == [3])
    #expect(try bench.record(ShelfSource.items, "9") != nil)
  }

  /// A pending edit decides about what comes, also if it changed no record.
  @Test func isReadWhereAnEditIsPending() async throws {
    let bench = try await synced()
    let (coder, edits) = (bench.coder, bench.edits("edit"))
    _ = try await bench.store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      let new: JSONObject = ["id": "1", "value": "mine"]
      try transaction.put(coder.encode(new), id: "1", in: ShelfSource.items)
      try edits.queueChange(of: ShelfSource.items, "1", from: ["id": "1", "value": "a1"], to: new, in: &transaction)
    }
    #expect(try await pullAgain(bench) == [0, 1, 2, 3])
    #expect(try bench.record(ShelfSource.items, "1")?["value"] == "mine")
  }

  @Test func isReadWhereAnotherFollowWroteARecord() async throws {
    let bench = try await synced()
    server.set("b", "4", "of another list")
    _ = try await bench.sync("shelf/b")
    #expect(server.taken() == [0])
    #expect(try await pullAgain(bench) == [1])
    _ = try await bench.sync("shelf/b")
    #expect(server.taken() == [0])
  }

  @Test func isReadByAFullSyncAndOtherPrograms() async throws {
    let bench = try await synced()
    #expect(try await pullAgain(bench, SyncOptions(full: true)) == [0, 1, 2, 3])
    #expect(try await pullAgain(bench) == [])
    for pages in [[0, 1, 2, 3], []] {
      let report = try await bench.engine(version: "2").sync([Follow(path: "shelf/a")], SyncOptions())
      #expect(report.totals.unchanged == 12 && server.taken() == pages)
    }
    let source = ShelfSource(server, fingerprint: "another definition")
    for pages in [[0, 1, 2, 3], []] {
      #expect(try await pullAgain(Bench(store: bench.store, sources: [source])) == pages)
    }
  }

  @Test func removesWhatTheListLost() async throws {
    let bench = try await synced()
    server.remove("a", "11")
    // A record that is missing may have moved, so that the list is read twice.
    #expect(try await pullAgain(bench) == [3, 3])
    #expect(try bench.ids(ShelfSource.items).count == 11)
    #expect(try await pullAgain(bench) == [])
  }

  /// What an interrupted pull read is known when the list is read from its beginning.
  @Test func isKnownAfterAnInterruption() async throws {
    let bench = Bench(sources: [ShelfSource(server)])
    server.fault = 2
    _ = try await bench.sync("shelf/a")
    server.fault = nil
    #expect(server.taken() == [0, 1])
    #expect(try await pullAgain(bench) == [2, 3])
    #expect(try await pullAgain(bench) == [])
    // This was the first pull of the whole list; the next one has nothing to compare.
    let before = try bench.place()
    #expect(try await pullAgain(bench) == [])
    #expect(try bench.store.changes(since: ChangeCursor(String(before)), limit: .max).isEmpty)
  }

  /// A record that changes after its answer was found to be known, and before the page is committed.
  @Test func isReadWhereARecordChangesMeanwhile() async throws {
    let bench = try await synced()
    server.onRequest = { [store = bench.store, coder = bench.coder, server] page in
      guard page == 3 else { return }
      server.onRequest = nil
      try? await store.put(["id": "10", "value": "changed meanwhile"], in: ShelfSource.items, coder)
    }
    #expect(try await pullAgain(bench) == [3])
    #expect(try bench.record(ShelfSource.items, "10")?["value"] == "a10")
  }

  /// A server whose answers have their own time costs no writes, and is asked again a day later.
  @Test func aTimeInTheAnswerIsNotWritten() async throws {
    let bench = try await synced()
    for (hours, isWritten) in [(1, false), (1, false), (30, true), (1, false)] {
      bench.time.advance(by: .seconds(hours * 3600))
      server.note = bench.time.now.description
      let before = try bench.place()
      #expect(try await pullAgain(bench) == [0, 1, 2, 3])
      let written = try bench.store.changes(since: ChangeCursor(String(before)), limit: .max)
      #expect(written.contains { $0.id.hasPrefix("answer/") } == isWritten)
    }
  }

  /// The other pages of a list of which one always changes are kept as well, once a day.
  @Test func isKeptBesideAPageThatChanges() async throws {
    let bench = try await synced()
    var kept = 0
    for hour in 0..<30 {
      bench.time.advance(by: .seconds(3600))
      server.note = bench.time.now.description
      server.set("a", "1", "at\(hour)")
      let before = try bench.place()
      _ = try await pullAgain(bench)
      let written = try bench.store.changes(since: ChangeCursor(String(before)), limit: .max)
      kept += written.count { $0.id.hasPrefix("answer/") }
    }
    #expect(kept == 30 + 3)
  }

  @Test func leavesWithTheFollow() async throws {
    let bench = try await synced()
    server.set("b", "4", "a4")
    _ = try await bench.sync("shelf/b")
    func answers() throws -> Int { try bench.store.snapshot().stateKeys(.answer).count }
    #expect(try answers() == 5)
    let purge = FollowPurge(store: ExplainedStore(bench.store), sources: bench.sources, coder: bench.coder)
    _ = try await purge.purge(Follow(path: "shelf/a"), besides: [Follow(path: "shelf/b")])
    #expect(try answers() == 1)
    #expect(try bench.ids(ShelfSource.items) == ["4"])
  }

  /// An answer for which the list has no more use is removed.
  @Test func leavesWithThePage() async throws {
    let bench = try await synced()
    for id in 9..<12 { server.remove("a", String(id)) }
    _ = try await pullAgain(bench)
    #expect(try bench.store.snapshot().stateKeys(.answer).count == 3)
  }

  @Test("a store that reads each answer has the same records, lists and counts")
  func isAsIfRead() async throws { try await AnswerHistory.playAll("histories of known answers") }
}

/// Two stores over one server, of which one knows answers and the other one reads each.
private struct AnswerHistory: RandomHistory {
  enum Count: String, HistoryCount {
    case pulls, read, notRead = "not read", edited, deleted, kills, faults, removed, refused
  }

  let random: SeededRandom
  var tally = HistoryTally<Count>()
  var log: [String] = []
  private let server = Shelf(pages: 3)
  private let benches: [Bench]

  init(seed: Int) {
    random = SeededRandom(seed: UInt64(seed))
    benches = [true, false].map { [server] in Bench(sources: [ShelfSource(server, usesKnown: $0)]) }
  }

  mutating func play() async throws {
    for _ in 0..<20 {
      for _ in 0..<random.below(3) { try await change() }
      if random.below(6) == 0 {
        tally[.kills] += 1
        try await killed()
      }
      try await pull(random.pick(["shelf/a", "shelf/b", "shelf/a"]))
    }
  }

  private mutating func change() async throws {
    let (list, id) = (random.pick(["a", "b"]), String(random.below(14)))
    switch random.below(7) {
    case 0: server.set(list, id, "\(list)\(id)")
    case 1: server.set(list, id, "v\(random.below(3))")
    case 2: server.remove(list, id)
    case 3: server.isTwice = random.below(3) == 0 ? id : nil
    case 4: server.note = random.below(2) == 0 ? "" : String(random.below(100))
    case 5:
      tally[.edited] += 1
      for bench in benches { try await bench.put(ShelfSource.items, ["id": .string(id), "value": "here"]) }
    default:
      tally[.deleted] += 1
      for bench in benches {
        try await bench.store.delete(ShelfSource.items, [id])
      }
    }
    log.append("\(server.text) \(server.isTwice ?? "") \(server.note)")
  }

  /// Pulls in a process that is killed, and then in both stores until both have come to the end of the list.
  private mutating func killed() async throws {
    let steps = 1 + random.below(8)
    for bench in benches {
      let kill = Kill(after: steps)
      let killed = Bench(store: KilledStore(inner: bench.store, kill: kill), sources: bench.sources)
      _ = try? await killed.sync("shelf/a", options: SyncOptions(force: true))
      for _ in 0..<2 { _ = try await bench.sync("shelf/a", options: SyncOptions(force: true)) }
    }
    log.append("killed after \(steps)")
    _ = server.taken()
    try compare()
  }

  private mutating func pull(_ path: String) async throws {
    var reports: [FollowReport] = []
    server.fault = random.below(5) == 0 ? random.below(4) : nil
    var options = SyncOptions(full: random.below(8) == 0, force: random.below(2) == 0)
    options.run = "run-\(tally[.pulls])"
    for (index, bench) in benches.enumerated() {
      reports += try await bench.sync(path, options: options).follows
      let read = server.taken().count
      if index == 0 { tally[.read] += read }
      tally[.notRead] += index == 0 ? -read : read
      bench.time.advance(by: .seconds(7200))
    }
    tally[.faults] += server.fault == nil ? 0 : 1
    server.fault = nil
    tally[.pulls] += 1
    tally[.removed] += reports[0].counts.removed
    tally[.refused] += reports[0].error?.code == .own(.massRemoval) ? 1 : 0
    log.append("\(path) \(options.full) \(options.force): \(reports[0].counts) \(reports[0].status)")
    guard reports[0] == reports[1] else { throw BrokenHistory("\(path): \(reports[0]), read \(reports[1])") }
    try compare()
  }

  private func compare() throws {
    let texts = try benches.map { bench in
      var texts: [String] = []
      for collection in [ShelfSource.items, .rejects] {
        try bench.store.snapshot().eachObject(collection, .all, bench.coder) { fields in
          texts.append(String(decoding: bench.coder.encode(fields), as: UTF8.self))
          return .next
        }
      }
      for kind in StateKey.Kind.allCases where kind != .answer {
        try bench.store.snapshot().eachState(kind, bench.coder) { _, fields in
          var fields = fields
          (fields["answeredList"], fields["answersKept"]) = (nil, nil)
          texts.append(String(decoding: bench.coder.encode(fields), as: UTF8.self))
          return .next
        }
      }
      return texts
    }
    if texts[0] != texts[1] { throw BrokenHistory("\(texts[0])\n\(texts[1])") }
  }
}

/// A server of lists of items in pages of three.
@dynamicMemberLookup
private final class Shelf: Sendable {
  struct State {
    fileprivate var lists: [ExactString: [(id: String, value: String)]] = [:]
    fileprivate var taken: [Int] = []
    /// The page that fails.
    var fault: Int?
    /// What each answer says beside its items.
    var note = ""
    /// An item that the first page of each list has, too, with another value.
    var isTwice: String?
    var onRequest: (@Sendable (Int) async -> Void)?
  }

  private let state = Mutex(State())

  init(pages: Int) { state.withLock { $0.lists["a".exact] = (0..<pages * 3).map { (String($0), "a\($0)") } } }

  subscript<Value: Sendable>(dynamicMember member: WritableKeyPath<State, Value>) -> Value {
    get { state.withLock { $0[keyPath: member] } }
    set { state.withLock { $0[keyPath: member] = newValue } }
  }

  var text: String { state.withLock { "\($0.lists)" } }

  func set(_ list: String, _ id: String, _ value: String) {
    state.withLock { state in
      let place = state.lists[list.exact]?.firstIndex { $0.id.exact == id.exact }
      if let place {
        state.lists[list.exact]?[place].value = value
      } else {
        state.lists[list.exact, default: []].append((id, value))
      }
    }
  }

  func remove(_ list: String, _ id: String) {
    state.withLock { $0.lists[list.exact]?.removeAll { $0.id.exact == id.exact } }
  }

  /// `PAGES NOTE`, then `ID VALUE` for each item; `nil` for the page that fails.
  func body(_ list: String, _ page: Int) async -> [UInt8]? {
    await self.onRequest?(page)
    return state.withLock { state in
      if state.fault == page { return nil }
      var items = state.lists[list.exact] ?? []
      if let isTwice = state.isTwice { items.insert((isTwice, "twice"), at: 0) }
      let lines = items.dropFirst(page * 3).prefix(3).map { "\($0.id) \($0.value)" }
      return Array((["\((items.count + 2) / 3) \(state.note)"] + lines).joined(separator: "\n").utf8)
    }
  }

  func read(_ page: Int) { state.withLock { $0.taken.append(page) } }

  /// The pages that were read since the last call.
  func taken() -> [Int] {
    state.withLock { state in
      defer { state.taken = [] }
      return state.taken
    }
  }
}

private struct ShelfSource: Source {
  let abilities = SourceAbilities()
  static let items = CollectionName(rawValue: "items")

  let descriptor = SourceDescriptor(
    name: SourceName(rawValue: "shelf"), summary: "lists", forms: [.init("shelf/{list}", "")],
    collections: [.init(ShelfSource.items, fields: [.init("id"), .init("value")], columns: ["id"])])
  let server: Shelf
  var usesKnown: Bool
  var fingerprint: String?

  init(_ server: Shelf, usesKnown: Bool = true, fingerprint: String? = nil) {
    (self.server, self.usesKnown, self.fingerprint) = (server, usesKnown, fingerprint)
  }

  func areas(of follow: Follow) -> [RecordArea]? { [RecordArea(Self.items)] }

  func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let number = context.cursor?["page"]?.int ?? 0
    let url = "shelf:/\(follow.match.parameters[0])?page=\(number)"
    guard let body = await server.body(follow.match.parameters[0], number) else {
      throw .transport(TransportError(.timeout, "no answer", url: url))
    }
    var page = PullPage(url: url)
    var pages = 0
    let known = try SourceError.from { () throws(StoreError) in usesKnown ? try context.known(url, body) : nil }
    if let known {
      (page.answer, page.isKnown, page.coverage) = (known, true, .page(ListPage([])))
      pages = known.summary["pages"]?.int ?? 0
    } else {
      server.read(number)
      let lines = String(decoding: body, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
      pages = Int(lines[0][0]) ?? 0
      page.changes = lines.dropFirst().map { line in
        PulledChange(collection: Self.items, id: String(line[0]), fields: ["value": .string(String(line[1]))], .replace)
      }
      page.coverage = .page(ListPage(page.changes.map { .init(Self.items, $0.id) }))
      page.answer = KnownAnswer(body, to: url, summary: ["pages": .int(pages)])
    }
    if number + 1 < pages { page.next = ["page": .int(number + 1)] }
    return page
  }
}
