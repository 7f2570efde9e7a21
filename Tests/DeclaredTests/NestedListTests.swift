import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// Lists within lists: boards, their sprints, and the issues of these.
private final class Boards: BenchServer {
  struct State: Sendable {
    var boards: [Int: [Int]] = [:]
    /// The issues of each sprint with their times.
    var issues: [Int: [Int: Int]] = [:]
    var broken: Set<String> = []
    var requests: [String] = []
  }

  let state: Mutex<State>
  let bench: DeclaredBench

  static let issues =
    #""each": {"for": {"sprint": "$.id"}, "get": "/sprints/{sprint}/issues", "take": {"records": "$.values", "into": "issues"}"#

  init(_ follow: String, boards: Int = 5, sprints: Int = 4) throws {
    bench = try DeclaredBench(
      """
      {
        "almanac": 1, "source": "jira", "url": "https://jira.example",
        "collections": {
          "boards": {"id": "$.id", "fields": {"name": "text? $.name"}}, "sprints": {"id": "$.id", "fields": {}},
          "issues": {"id": "$.id", "fields": {"at": "time? $.at"}}
        },
        "follows": {"all": {\(follow)}}
      }
      """)
    var state = State()
    for board in 1...boards {
      state.boards[board] = (0..<sprints).map { board * 100 + $0 }
      for sprint in state.boards[board] ?? [] { state.issues[sprint] = [sprint * 10: 0, sprint * 10 + 1: 0] }
    }
    self.state = Mutex(state)
  }

  @discardableResult
  func sync(_ options: SyncOptions = SyncOptions(), kill: Kill = Kill(after: nil)) async throws -> FollowReport? {
    state.withLock { $0.requests = [] }
    return try await bench.sync("jira/all", over: self, options, kill: kill).follows.first
  }

  var requests: [String] { state.withLock { $0.requests } }

  var all: [[String]] { get throws { try ["boards", "sprints", "issues", "rejects"].map { try ids($0) } } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let target = String(request.url.dropFirst("https://jira.example".count))
    let body = state.withLock { state -> String? in
      state.requests.append(target)
      if state.broken.contains(target) { return nil }
      let parts = target.split { "/?=".contains($0) }.map(String.init)
      func list(_ values: [Int]) -> String { values.map { #"{"id": \#($0)}"# }.joined(separator: ",") }
      let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      if parts[0] == "boards", parts.count == 1 { return list(state.boards.keys.sorted()) }
      if parts[0] == "boards" { return state.boards[number].map { list($0.sorted()) } }
      let since = parts.count > 4 ? Timestamp(rfc3339: parts[4].replacing("%3A", with: ":")) : nil
      return state.issues[number].map { issues in
        issues.sorted { $0.key < $1.key }.map { (id: $0.key, at: Timestamp(secondsSinceEpoch: $0.value)) }
          .filter { since == nil || $0.at > since! }
          .map { #"{"id": \#($0.id), "at": "\#($0.at)"}"# }.joined(separator: ",")
      }
    }
    guard let body else { return HTTPResponse(status: 500, url: request.url) }
    return HTTPResponse(#"{"values": [\#(body)]}"#, url: request.url)
  }
}

@Suite("Lists within lists")
struct NestedListTests {
  private static func tree(_ issues: String = "", complete: String = #""complete": true, "#) -> String {
    #""get": "/boards", "take": {"records": "$.values", "into": "boards"}, \#(complete)"each": {"for": {"board": "$.id"}, "when": "always", "get": "/boards/{board}/sprints", "take": {"records": "$.values", "into": "sprints"}, "complete": true, \#(Boards.issues)\#(issues)}}"#
  }

  @Test("three levels make a request for each record, and a kill at any step leaves the same store")
  func threeLevels() async throws {
    let whole = try Boards(Self.tree())
    #expect(try await whole.sync()?.counts.added == 5 + 20 + 40)
    #expect(whole.requests.count == 26 && Set(whole.requests).count == 26)
    let expected = try whole.all
    #expect(expected.map(\.count) == [5, 20, 40, 0])
    #expect(try await whole.sync()?.status == .unchanged)
    var steps = 1
    while true {
      let kill = Kill(after: steps)
      let boards = try Boards(Self.tree())
      _ = try? await boards.sync(kill: kill)
      if !kill.isDead { break }
      #expect(try await boards.sync()?.error == nil, "killed after \(steps)")
      #expect(try boards.all == expected, "killed after \(steps)")
      steps += 1
    }
    #expect(steps > 26)
  }

  @Test("a record that leaves its list takes along what is below it, to any depth; another list keeps its own")
  func removal() async throws {
    let boards = try Boards(Self.tree())
    try await boards.sync()
    boards.state.withLock { state in
      state.boards[1]?.removeLast()
      state.boards[2] = nil
    }
    #expect(try await boards.sync()?.counts.removed == (1 + 2) + (1 + 4 + 8))
    #expect(try boards.all.map(\.count) == [4, 15, 30, 0])
    // Without a list of the sprints, nothing is known of their issues.
    boards.state.withLock { state in
      state.boards[3] = []
      state.broken = ["/boards/3/sprints"]
    }
    #expect(try await boards.sync()?.counts.removed == 0)
    #expect(try boards.all.map(\.count) == [4, 15, 30, 1])
  }

  @Test("a list of a record that is complete loses what it lacks, also where the list around it is not complete")
  func ownList() async throws {
    let boards = try Boards(Self.tree(#", "complete": true"#, complete: ""))
    try await boards.sync()
    boards.state.withLock { state in
      state.boards[2] = nil
      state.boards[1]?.removeLast()
      state.issues[100] = [1000: 0]
      state.broken = ["/sprints/101/issues"]
      state.issues[101] = [:]
    }
    #expect(try await boards.sync()?.counts.removed == 2)
    #expect(try boards.all.map(\.count) == [5, 19, 39, 1])
    // What has gone does not count as lost again.
    boards.state.withLock { state in
      state.broken = []
      state.issues[100] = [1000: 0, 1002: 0, 1003: 0]
    }
    try await boards.sync()
    boards.state.withLock { $0.issues[100] = [1000: 0, 1002: 0] }
    #expect(try await boards.sync()?.counts.removed == 1)
  }

  @Test("a request that fails does not hold up the others, and is the first of the next sync")
  func failure() async throws {
    let boards = try Boards(Self.tree(complete: "").replacing(#""always""#, with: #""changed""#))
    boards.state.withLock { $0.broken = ["/sprints/302/issues"] }
    let first = try await boards.sync()
    #expect(first?.status == .partial && first?.counts.rejected == 1 && first?.counts.added == 5 + 20 + 38)
    let reject = try boards.store.snapshot().record(.rejects, try boards.ids("rejects")[0])
    let fields = try boards.coder.decode(try #require(reject))
    #expect(fields["url"]?.string == "https://jira.example/sprints/302/issues")
    #expect(fields["expected"]?.string == "an answer for board=3 sprint=302")
    boards.state.withLock { $0.broken = [] }
    #expect(try await boards.sync()?.counts.added == 2)
    // Its board and its sprint did not change.
    #expect(boards.requests == ["/sprints/302/issues", "/boards"])
    #expect(try boards.ids("rejects").isEmpty)
  }

  @Test("each list of a record has a point of its own, which goes with the record")
  func points() async throws {
    let text =
      #""get": "/boards", "take": {"records": "$.values", "into": "boards"}, "complete": true, \#(Boards.issues), "since": {"field": "at"}}"#
      .replacing("/issues", with: "/issues{?since}")
    let boards = try Boards(text, boards: 100, sprints: 0)
    boards.state.withLock { state in for board in 1...100 { state.issues[board] = [board * 10: board] } }
    try await boards.sync()
    #expect(boards.requests.count == 101 && boards.requests[1] == "/sprints/1/issues")
    boards.state.withLock { $0.issues[7]?[71] = 1000 }
    #expect(try await boards.sync()?.counts.added == 1)
    #expect(boards.requests.count == 101 && boards.requests[7] == "/sprints/7/issues?since=1970-01-01T00%3A00%3A07Z")
    try await boards.sync()
    #expect(boards.requests[7] == "/sprints/7/issues?since=1970-01-01T00%3A16%3A40Z")
    // A failure keeps the point; a record that went and came again is read from the beginning.
    boards.state.withLock { state in
      state.broken = ["/sprints/7/issues?since=1970-01-01T00%3A16%3A40Z"]
      state.boards[8] = nil
    }
    #expect(try await boards.sync()?.counts.removed == 2)
    boards.state.withLock { state in
      state.broken = []
      state.boards[8] = []
    }
    #expect(try await boards.sync()?.counts.added == 2)
    #expect(boards.requests[0] == "/sprints/7/issues?since=1970-01-01T00%3A16%3A40Z")
    #expect(boards.requests.contains("/sprints/8/issues"))
  }

  @Test("values of a follow make all combinations, each with a point of its own")
  func values() async throws {
    let text =
      #""with": {"boards": {"default": "1, 2"}}, "for": {"board": "{boards}", "kind": ["a", "b"]}, "get": "/boards/{board}/sprints?kind={kind}", "take": {"records": "$.values", "into": "sprints"}, "complete": true, \#(Boards.issues)}"#
    let boards = try Boards(text, sprints: 1)
    #expect(try await boards.sync()?.counts.added == 2 + 4)
    #expect(
      boards.requests == [
        "/boards/1/sprints?kind=a", "/sprints/100/issues", "/boards/1/sprints?kind=b", "/sprints/100/issues",
        "/boards/2/sprints?kind=a", "/sprints/200/issues", "/boards/2/sprints?kind=b", "/sprints/200/issues",
      ])
    boards.state.withLock { $0.boards[2] = [] }
    #expect(try await boards.sync()?.counts.removed == 1 + 2)
    #expect(try await boards.sync()?.status == .unchanged)
  }

  @Test(
    "a record without a value makes no request, unless the address leaves it out; ^^ is the object around the object")
  func lackingValues() async throws {
    let shop = try Shop(
      Shop.definition(
        #""get": "/items", "take": {"records": "$.shops[*].shelf.items", "into": "items"}, "each": {"for": {"id": "$.id", "shop": "^^.name", "tag": "$.tag"}, "when": "always", "get": "/makers/{shop}-{id}{?tag}", "take": {"into": "makers"}}"#,
        fields: ""))
    shop.change { state in
      state.answers["/items"] = HTTPResponse(
        #"{"shops": [{"name": "s", "shelf": {"items": [{"id": 1}, {"id": 2, "tag": "t"}]}}, {"shelf": {"items": [{"id": 3, "tag": "t"}]}}]}"#
      )
    }
    try await shop.sync()
    #expect(shop.requests == ["/items", "/makers/s-1", "/makers/s-2?tag=t"])
  }
}
