import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// Random histories of a server whose answers contradict one another.
///
/// `ALMANAC_HISTORIES` is the number of histories (25 by default); `ALMANAC_HISTORY` selects a single one.
@Suite("Histories of lists in doubt")
struct ListHistoryTests {
  @Test("nothing is removed that the server has, and after an undisturbed complete pull the store equals the server")
  func nothingIsRemovedInError() async throws {
    try await ListHistory.playAll("histories of lists")
  }
}

/// A server of items with parts, each item with a list of its own; the store of a program that pulls them, and what is
/// disturbed.
private struct ListHistory: RandomHistory {
  enum Count: String, HistoryCount {
    case pulls, kills, added, removed, pages, refused
    case lostPages = "pages lost"
    case repeatedPages = "pages repeated"
    case wrongCounts = "counts wrong"
    case rejected
    case failedParts = "child requests failed"
    case limits
  }

  let random: SeededRandom
  let server: ListServer
  let source: DeclaredSource
  let store = InMemoryRecordStore(time: ManualTime())
  let time = ManualTime()
  let coder = JSONRecordCoder()
  var tally = HistoryTally<Count>()
  var log: [String] = []
  private var runs = 0
  /// Whether the list of each item is asked for by each pull.
  private let asksAlways: Bool

  init(seed: Int) {
    random = SeededRandom(seed: UInt64(seed))
    let isOffset = random.below(2) == 0
    let pages = isOffset ? #"{"offset": 0, "count": "$.total"}"# : #"{"page": 1, "count": "$.total"}"#
    let occasion = random.pick(["changed", "always"])
    asksAlways = occasion == "always"
    let complete = random.pick(["true", #""2h""#])
    let since = complete == "true" ? "" : #""since": {"field": "at", "form": "epoch"}, "#
    let text = """
      {
        "almanac": 1, "source": "shop", "url": "https://shop.example",
        "collections": {
          "items": {"id": "$.id", "fields": {"name": "text $.name", "at": "time(epoch) $.at"}},
          "parts": {"id": "$.id", "fields": {}}
        },
        "follows": {"all": {
          "get": "/items{?\(isOffset ? "offset" : "page")\(since.isEmpty ? "" : ",since")}", "pages": \(pages), "complete": \(complete), \(since)
          "limit": {"default": 99, "most": 99}, "take": {"records": "$.items", "into": "items"},
          "each": {"for": {"id": "$.id"}, "when": "\(occasion)", "get": "/items/{id}/parts",
            "take": {"records": "$.parts", "into": "parts"}}
        }}
      }
      """
    // A definition with a mistake fails here, and with it every history.
    // swift-format-ignore: NeverForceUnwrap
    let definition = try! JSONDefinitionFormat().read(Array(text.utf8), named: nil)
    source = DeclaredSource(definition, compiler: JSONAnswerReaderCompiler(), coder: coder)
    server = ListServer(random: random)
    for _ in 0..<(4 + random.below(8)) { server.add(at: time.now.secondsSinceEpoch) }
    log.append("\(pages), complete \(complete), each \(occasion)")
  }

  mutating func play() async throws {
    for _ in 0..<(4 + random.below(8)) {
      change()
      server.faults = random.below(4) == 0 ? 0 : 1 + random.below(4)
      try await pull(
        limit: random.below(6) == 0 ? 1 + random.below(6) : nil, isForced: random.below(3) == 0,
        kill: random.below(4) == 0 ? 1 + random.below(12) : nil)
      time.advance(by: .seconds(60 + random.below(7200)))
    }
    server.faults = 0
    // The first pull may go on with an interrupted one; the second one reads the whole list.
    for _ in 0..<3 {
      try await pull(limit: nil, isForced: true, kill: nil)
      time.advance(by: .seconds(3 * 3600))
    }
    let lacking = server.all.subtracting(try all())
    if !lacking.isEmpty { throw BrokenHistory("the store lacks \(lacking.sorted())") }
    // Lists of unchanged records are asked for again only by a full sync.
    if !asksAlways { try await pull(limit: nil, isForced: true, isFull: true, kill: nil) }
    let surplus = try all().subtracting(server.all)
    if !surplus.isEmpty { throw BrokenHistory("the store has \(surplus.sorted()) too much") }
    tally[.lostPages] += server.counts.lost
    tally[.repeatedPages] += server.counts.repeated
    tally[.wrongCounts] += server.counts.wrong
    tally[.failedParts] += server.counts.failed
    tally[.pages] += server.counts.pages
  }

  private mutating func change() {
    for _ in 0..<random.below(4) {
      switch random.below(4) {
      case 0, 1: server.add(at: time.now.secondsSinceEpoch)
      case 2: server.remove()
      default: server.edit(at: time.now.secondsSinceEpoch)
      }
    }
  }

  private mutating func pull(limit: Int?, isForced: Bool, isFull: Bool = false, kill steps: Int?) async throws {
    let before = try all()
    runs += 1
    var options = SyncOptions(full: isFull, force: isForced)
    options.run = "run-\(runs)"
    let kill = Kill(after: steps)
    let engine = SyncEngine(
      store: KilledStore(inner: store, kill: kill), sources: [source], transport: server, coder: coder, time: time,
      random: SeededRandom(), events: RecordedEvents())
    let report = try? await engine.sync([Follow(path: "shop/all", limit: limit)], options).follows.first
    let after = try all()
    let lost = before.subtracting(after)
    log.append(
      "pull \(runs), limit \(limit ?? 0), force \(isForced), kill \(steps ?? 0), faults \(server.faults): "
        + "\(report.map { "\($0.status) \($0.error?.code?.text ?? "")" } ?? "killed"), removed \(lost.sorted()), \(server.taken())"
    )
    tally[.pulls] += 1
    tally[.kills] += kill.isDead ? 1 : 0
    tally[.limits] += limit == nil ? 0 : 1
    tally[.added] += after.subtracting(before).count
    tally[.removed] += lost.count
    tally[.rejected] += report?.counts.rejected ?? 0
    tally[.refused] += report?.error?.code == .own(.massRemoval) ? 1 : 0
    let wrong = lost.intersection(server.all)
    if !wrong.isEmpty { throw BrokenHistory("pull \(runs) removed \(wrong.sorted()), which the server has") }
  }

  /// What is stored: `items/1`, `parts/1-2`.
  private func all() throws -> Set<String> {
    let snapshot = try store.snapshot()
    return try Set(
      ["items", "parts"].flatMap { collection in
        try snapshot.ids(CollectionName(rawValue: collection), coder).map { "\(collection)/\($0)" }
      })
  }
}

private final class ListServer: HTTPTransport {
  struct Item: Sendable {
    var id: Int
    var at: Int
    var edits = 0
    var parts: [Int]
  }

  struct Counts: Sendable { var (pages, lost, repeated, wrong, failed) = (0, 0, 0, 0, 0) }

  private struct State: Sendable {
    var items: [Item] = []
    var next = 1
    var faults = 0
    var counts = Counts()
    var log: [String] = []
  }

  private let state = Mutex(State())
  private let random: SeededRandom
  private static let size = 3

  init(random: SeededRandom) { self.random = random }

  /// How many of four answers are disturbed.
  var faults: Int {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  var counts: Counts { state.withLock { $0.counts } }

  func taken() -> [String] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  var all: Set<String> {
    state.withLock { state in
      Set(state.items.flatMap { item in ["items/\(item.id)"] + item.parts.map { "parts/\(item.id)-\($0)" } })
    }
  }

  func add(at now: Int) {
    state.withLock { state in
      state.items.append(Item(id: state.next, at: now, parts: Array(0..<random.below(4))))
      state.next += 1
    }
  }

  func remove() {
    state.withLock { state in
      if !state.items.isEmpty { state.items.remove(at: random.below(state.items.count)) }
    }
  }

  func edit(at now: Int) {
    state.withLock { state in
      guard !state.items.isEmpty else { return }
      let index = random.below(state.items.count)
      state.items[index].at = now
      state.items[index].edits += 1
      if !state.items[index].parts.isEmpty, random.below(2) == 0 {
        state.items[index].parts.removeFirst()
      } else {
        state.items[index].parts.append(10 + state.items[index].edits)
      }
    }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      let target = String(request.url.dropFirst("https://shop.example".count))
      let isDisturbed = random.below(10) < state.faults
      let answer = target.contains("/parts") ? parts(target, isDisturbed, &state) : list(target, isDisturbed, &state)
      state.log.append("\(target) \(answer.status)\(isDisturbed ? "!" : "")")
      return HTTPResponse(answer.body, status: answer.status, url: request.url)
    }
  }

  private func parts(_ target: String, _ isDisturbed: Bool, _ state: inout State) -> (status: Int, body: String) {
    let id = target.split(separator: "/").dropFirst().first.flatMap { Int($0) }
    guard let item = state.items.first(where: { $0.id == id }) else { return (404, "") }
    if isDisturbed {
      state.counts.failed += 1
      return random.pick([(500, ""), (404, ""), (200, "{}"), (200, "<html>"), (403, "")])
    }
    let list = item.parts.map { #"{"id": "\#(item.id)-\#($0)"}"# }.joined(separator: ",")
    return (200, #"{"parts": [\#(list)]}"#)
  }

  private func list(_ target: String, _ isDisturbed: Bool, _ state: inout State) -> (status: Int, body: String) {
    var query: [Substring: Int] = [:]
    for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let sides = pair.split(separator: "=")
      query[sides[0]] = sides.count == 2 ? Int(sides[1]) : nil
    }
    state.counts.pages += 1
    var items = state.items
    if let since = query["since"] { items = items.filter { $0.at >= since } }
    var start = query["offset"] ?? ((query["page"] ?? 1) - 1) * Self.size
    var total = items.count
    var (isLost, isRejected) = (false, false)
    if isDisturbed {
      switch random.below(6) {
      case 0:
        state.counts.lost += 1
        isLost = true
      case 1 where start > 0:
        state.counts.repeated += 1
        start -= Self.size
      case 2:
        state.counts.wrong += 1
        // A wrong number that is the number of records that came contradicts nothing.
        let came = min(items.count, start + Self.size)
        total += random.pick(came == total - 1 ? [1, 3] : [-1, 1, 3])
      case 3: return (500, "")
      case 4: return (200, #"{"message": "busy"}"#)
      default: isRejected = true
      }
    }
    let page = isLost ? [] : Array(items.dropFirst(start).prefix(Self.size))
    let bad = isRejected && !page.isEmpty ? random.below(page.count) : nil
    let isWithoutID = random.below(2) == 0
    let list = page.enumerated().map { index, item in
      if index == bad { return isWithoutID ? #"{"name": "x", "at": 1}"# : #"{"id": \#(item.id), "at": \#(item.at)}"# }
      return #"{"id": \#(item.id), "name": "n\#(item.edits)", "at": \#(item.at)}"#
    }
    return (200, #"{"total": \#(max(0, total)), "items": [\#(list.joined(separator: ","))]}"#)
  }
}
