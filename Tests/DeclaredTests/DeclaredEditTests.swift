import AlmanacTesting
import Declared
import Library
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A server of tasks, whose edits a definition describes, with an engine, a library and a store in memory.
private final class Tasks: BenchServer {
  struct State {
    /// The tasks as the API has them, by id.
    var tasks: [ExactString: JSONObject] = [:]
    var tags = false
    /// What changes are answered with, in place of the task.
    var answer: JSONObject?
    var sent: [HTTPRequest] = []
  }

  static let base = "https://tasks.example/v1"
  let state = Mutex(State())
  let bench: DeclaredBench

  init(update: String, more: String = "", id: String = #""$.id""#, read: String = "/tasks/{id}") throws {
    bench = try DeclaredBench(
      """
      {
        "almanac": 1, "source": "todo", "url": "\(Self.base)",
        "collections": {
          "tasks": {
            "id": \(id),
            "fields": {
              "content": "text $.content", "labels": "list(text)? $.labels", "points": "decimal? $.points",
              "dueAt": "time(epoch)? $.due.at", "owner": {"name": "text? $.owner.name"}, "page": "url? $.page"
            }
          }
        },
        "follows": {"all": {"get": "/tasks", "take": {"records": "$.results", "into": "tasks"}, "complete": true}},
        "edits": {"tasks": {"read": "\(read)", "update": {\(update)}\(more)}}
      }
      """)
    state.withLock {
      $0.tasks["7"] = [
        "id": "7", "list": "home", "content": "Milk", "labels": ["a"], "points": .number("1.50"),
        "due": ["at": 1_700_000_000], "owner": ["name": "Ada"], "version": 1,
      ]
      $0.tasks["8"] = ["id": "8", "list": "home", "content": "Bread", "version": 1]
    }
  }

  static let send = """
    "send": {"content": "content", "labels": "labels", "points": "points", "due": {"at": "dueAt"}, "owner": {"name": "owner.name"}}
    """

  /// The server with a store that has its tasks.
  static func synced(
    update: String = #""patch": "/tasks/{id}", \#(send)"#, more: String = "", hasTags: Bool = false
  ) async throws -> Tasks {
    let tasks = try Tasks(update: update, more: more)
    tasks.state.withLock { $0.tags = hasTags }
    try await tasks.sync()
    return tasks
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    state.withLock { $0.sent = [] }
    return try await bench.sync("todo/all", over: self)
  }

  func change(_ id: ExactString, _ fields: JSONObject) {
    state.withLock { state in
      var task = state.tasks[id] ?? [:]
      for member in fields.members { task[member.key] = member.value }
      task["version"] = .int((task["version"]?.int ?? 0) + 1)
      state.tasks[id] = task
    }
  }

  /// The requests of the last sync: `PATCH /tasks/7 {"content":"x"}`.
  var requests: [String] {
    state.withLock { $0.sent }.map { request in
      let body = request.body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
      return "\(request.method.rawValue) \(request.url.dropFirst(Self.base.count))\(body)"
    }
  }

  func entries() throws -> [OutboxEntry] { try bench.outbox.entries() }

  /// Decides the first edit.
  func decide(_ side: ConflictSide) async throws {
    _ = try await bench.outbox.resolve(#require(entries().first).id, take: side)
  }

  private static let collection = CollectionName(rawValue: "tasks")

  func record(_ id: String) throws -> JSONObject { try coder.decode(try library.record(Self.collection, id)) }

  func edit(_ id: String, _ changes: [FieldChange]) async throws(Failure) -> JSONObject {
    try await library.edit(Self.collection, id, changes)
  }

  func remove(_ id: String) async throws(Failure) { try await library.remove(Self.collection, id) }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      state.sent.append(request)
      let id = (request.url.split(separator: "/").last.map(String.init) ?? "").exact
      if id == "tasks" {
        let tasks = state.tasks.values.sorted { $0["id"]?.string ?? "" < $1["id"]?.string ?? "" }
        return answer(["results": .array(tasks.map { .object($0) })], nil)
      }
      guard var task = state.tasks[id] else { return HTTPResponse(status: 404, url: request.url) }
      let tag = state.tags ? "\"\(task["version"]?.int ?? 0)\"" : nil
      guard request.method != .get else { return answer(task, tag) }
      if let match = request.headers["If-Match"], match != tag { return HTTPResponse(status: 412, url: request.url) }
      if request.method == .delete {
        state.tasks[id] = nil
        return HTTPResponse(status: 204, url: request.url)
      }
      for member in (try? coder.decode(request.body ?? []))?.members ?? [] {
        task[member.key] = member.value == .null ? nil : member.value
      }
      task["version"] = .int((task["version"]?.int ?? 0) + 1)
      state.tasks[id] = task
      if let other = state.answer { return answer(other, nil) }
      return answer(task, state.tags ? "\"\(task["version"]?.int ?? 0)\"" : nil)
    }
  }

  private func answer(_ body: JSONObject, _ tag: String?) -> HTTPResponse {
    HTTPResponse(status: 200, headers: tag.map { ["ETag": $0] } ?? [:], body: coder.encode(body), url: "")
  }
}

@Suite("Declared sources: edits")
struct DeclaredEditTests {
  private static let send = Tasks.send
  private static let delete = #", "delete": "/tasks/{id}""#

  @Test("a patch holds the edited fields alone, in the API's form, after a read where there is no entity tag")
  func patch() async throws {
    let tasks = try await Tasks.synced()
    _ = try await tasks.edit(
      "7",
      [
        .init("content", "Oat milk"), .init("points", "2.50"), .init("dueAt", "2026-01-02T03:04:05Z"),
        .init("labels", nil), .init("owner.name", "Grace"),
      ])
    #expect(try await tasks.sync().outbox.sent == 1)
    #expect(
      tasks.requests == [
        "GET /tasks", "GET /tasks/7",
        #"PATCH /tasks/7 {"content":"Oat milk","labels":null,"points":2.50,"due":{"at":1767323045},"owner":{"name":"Grace"}}"#,
      ])
    #expect(try tasks.entries().isEmpty)
    #expect(try tasks.record("7")["points"] == "2.50")
    #expect(try await tasks.sync().follows[0].counts.updated == 0)
    #expect(tasks.requests == ["GET /tasks"])
  }

  @Test("a post of changes and a put of the whole record", arguments: ["post", "put"])
  func methods(method: String) async throws {
    let tasks = try await Tasks.synced(update: #""\#(method)": "/tasks/{id}", \#(Self.send)"#)
    _ = try await tasks.edit("8", [.init("content", "Rye")])
    try await tasks.sync()
    #expect(tasks.requests.last == "\(method.uppercased()) /tasks/8 {\"content\":\"Rye\"}")
    _ = try await tasks.edit("7", [.init("content", "Tea")])
    try await tasks.sync()
    let whole = #"{"content":"Tea","labels":["a"],"points":1.50,"due":{"at":1700000000},"owner":{"name":"Ada"}}"#
    #expect(tasks.requests.last == (method == "put" ? "PUT /tasks/7 \(whole)" : #"POST /tasks/7 {"content":"Tea"}"#))
  }

  @Test("a patch or a post of the whole record", arguments: ["post", "patch"])
  func whole(method: String) async throws {
    let tasks = try await Tasks.synced(update: #""\#(method)": "/tasks/{id}", "whole": true, \#(Self.send)"#)
    _ = try await tasks.edit("7", [.init("content", "Tea")])
    try await tasks.sync()
    #expect(
      tasks.requests.last
        == "\(method.uppercased()) /tasks/7 "
        + #"{"content":"Tea","labels":["a"],"points":1.50,"due":{"at":1700000000},"owner":{"name":"Ada"}}"#)
  }

  @Test(
    "after a change whose answer is not the record, the record is read",
    arguments: [["ok": true], ["task": ["id": "7", "content": "Tea"]], ["id": "7"]] as [JSONObject])
  func otherAnswer(answer: JSONObject) async throws {
    let tasks = try await Tasks.synced()
    tasks.state.withLock { $0.answer = answer }
    _ = try await tasks.edit("7", [.init("labels", #"["x"]"#)])
    let report = try await tasks.sync()
    #expect(report.outbox.sent == 1 && report.outbox.pending == 0, "\(report.outbox)")
    #expect(tasks.requests.suffix(2) == [#"PATCH /tasks/7 {"labels":["x"]}"#, "GET /tasks/7"])
    #expect(try tasks.record("7")["content"] == "Milk" && tasks.record("7")["labels"] == ["x"])
  }

  @Test(
    "a list is set as texts with commas between them, or as a JSON array",
    arguments: [
      ("x, y", ["x", "y"]), (#"["x, y", "z"]"#, ["x, y", "z"]), (" []", []), ("[draft], y", ["[draft]", "y"]),
      (#"[1, 2]"#, nil), (#"["x", null]"#, nil), (#"["x", "#, nil),
    ] as [(String, [String]?)])
  func lists(_ text: String, _ expected: [String]?) async throws {
    let tasks = try await Tasks.synced()
    guard let expected else {
      let error = await #expect(throws: Failure.self) { try await tasks.edit("7", [.init("labels", .string(text))]) }
      #expect(error?.hint?.contains(#"'["home", "garden"]'"#) == true, "\(error?.hint ?? "")")
      return
    }
    _ = try await tasks.edit("7", [.init("labels", .string(text))])
    #expect(try tasks.record("7")["labels"]?.array == expected.map { .string($0) })
  }

  @Test("a record is found by its name, or else by its title, or by the field that the definition says")
  func names() throws {
    func name(_ fields: String, _ more: String = "") throws -> String? {
      let text = """
        {
          "almanac": 1, "source": "todo", "url": "https://a.example",
          "collections": {"tasks": {"id": "$.id", "fields": {\(fields)}\(more)}},
          "follows": {"all": {"get": "/tasks", "take": {"into": "tasks"}}}
        }
        """
      return try JSONDefinitionFormat().read(Array(text.utf8), named: nil).descriptor.collections.first?.nameField
    }
    #expect(try name(#""title": "text $.t", "name": "text? $.n""#) == "name")
    #expect(try name(#""name": "int $.n", "title": "text $.t""#) == "title")
    #expect(try name(#""name": "text $.n", "summary": "text $.s""#, #", "name": "summary""#) == "summary")
    #expect(try name(#""summary": "text $.s""#) == nil)
    #expect(throws: SettingsProblems.self) { try name(#""size": "int $.s""#, #", "name": "size""#) }
  }

  @Test("with an entity tag, the change is conditional; a change of another field elsewhere stays")
  func tags() async throws {
    let tasks = try await Tasks.synced(hasTags: true)
    _ = try await tasks.edit("7", [.init("content", "Tea")])
    try await tasks.sync()
    #expect(tasks.state.withLock { $0.sent }.last?.headers["If-Match"] == "\"1\"")
    tasks.change("7", ["points": 3])
    _ = try await tasks.edit("7", [.init("content", "Chai")])
    try await tasks.sync()
    #expect(tasks.state.withLock { $0.tasks["7"]?["content"] } == "Chai")
    #expect(tasks.state.withLock { $0.tasks["7"]?["points"] } == 3)
    #expect(try tasks.entries().isEmpty)
  }

  @Test("a field that was changed on both sides is a conflict, and nothing is overwritten")
  func conflict() async throws {
    let tasks = try await Tasks.synced()
    _ = try await tasks.edit("7", [.init("content", "Mine")])
    tasks.change("7", ["content": "Theirs"])
    try await tasks.sync()
    #expect(try tasks.entries().map(\.state) == [.conflict])
    #expect(tasks.state.withLock { $0.tasks["7"]?["content"] } == "Theirs")
    #expect(try tasks.record("7")["content"] == "Mine")
  }

  @Test(
    "what the answer to a change means for the edit, and what a read says afterwards",
    arguments: [
      (204, "accepted"), (409, "remoteIsNewer"), (412, "remoteIsNewer"), (404, "refused"), (400, "refused"),
      (422, "refused"), (401, "retry"), (429, "retry"), (500, "unknown"), (503, "unknown"), (0, "unknown"),
      (410, "removed"),
    ])
  func answers(status: Int, meaning: String) async throws {
    let tasks = try Tasks(update: #""put": "/tasks/{id}", \#(Self.send)"#)
    // 0 is a reply that is lost, and a record that is gone cannot be read.
    let transport = ScriptedTransport { request, _ throws(TransportError) in
      if request.method == .put, status == 0 {
        throw TransportError(.connectionLost, "lost", url: request.url, mayHaveArrived: true)
      }
      guard request.method == .get, status != 410 else { return HTTPResponse(status: status, url: request.url) }
      let theirs = Array(#"{"id": "8", "content": "Theirs"}"#.utf8)
      return HTTPResponse(status: 200, headers: ["ETag": "\"2\""], body: theirs, url: request.url)
    }
    let entry = OutboxEntry(
      id: "e", target: "tasks/8", kind: .put, edit: ["content": "Mine"], base: ["content": "Bread"],
      createdAt: tasks.time.now)
    let context = PushContext(
      transport: transport, record: ["id": "8", "content": "Mine"], base: ["id": "8", "content": "Bread"],
      sourceState: ["etag": "\"1\""], snapshot: try tasks.store.snapshot(), now: tasks.time.now,
      changes: GuardedChanges(.everything))
    let found: String
    do throws(SourceError) {
      found =
        switch try await tasks.source.push(entry, context) {
        case .accepted: "accepted"
        case .remoteIsNewer: "remoteIsNewer"
        case .removed: "removed"
        }
    } catch {
      found = "\(error.disposition)"
    }
    #expect(found == meaning)
    #expect(transport.requests.first?.headers["If-Match"] == "\"1\"")
  }

  @Test("a removal is sent once, and becomes a conflict if the record was changed elsewhere")
  func removals() async throws {
    let tasks = try await Tasks.synced(more: Self.delete)
    try await tasks.remove("8")
    try await tasks.sync()
    #expect(tasks.requests.suffix(2) == ["GET /tasks/8", "DELETE /tasks/8"])
    #expect(try tasks.entries().isEmpty)
    try await tasks.remove("7")
    tasks.change("7", ["content": "Theirs"])
    try await tasks.sync()
    #expect(try tasks.entries().map(\.state) == [.conflict])
    #expect(tasks.state.withLock { $0.tasks["7"] } != nil)
  }

  /// Tells changes of what the definition does not read, which fields cannot.
  @Test("a removal of a record whose entity tag changed is a conflict until a person decides")
  func removalOfUnreadChange() async throws {
    let tasks = try await Tasks.synced(more: Self.delete, hasTags: true)
    // The answer to the edit has the tag of the record.
    _ = try await tasks.edit("7", [.init("content", "Tea")])
    try await tasks.sync()
    try await tasks.remove("7")
    tasks.change("7", ["unread": "precious"])
    for _ in 0..<3 {
      try await tasks.sync()
      #expect(try tasks.entries().map(\.state) == [.conflict])
    }
    #expect(tasks.state.withLock { $0.tasks["7"]?["unread"] } == "precious")
    try await tasks.decide(.mine)
    try await tasks.sync()
    #expect(try tasks.entries().isEmpty)
    #expect(tasks.state.withLock { $0.tasks["7"] } == nil)
  }

  @Test("a removal is sent also of a record that was pulled before its definition had edits")
  func removalWithoutACopy() async throws {
    let tasks = try await Tasks.synced(more: Self.delete)
    _ = try await tasks.bench.store.write { (transaction) throws(StoreError) in
      try transaction.delete(.state, "remote/tasks/8")
    }
    try await tasks.remove("8")
    try await tasks.sync()
    #expect(tasks.state.withLock { $0.tasks["8"] } == nil)
    #expect(try tasks.entries().isEmpty)
  }

  @Test("where the source takes no new records, one that the server removed is not kept as edited here")
  func notCreatedAgain() async throws {
    let tasks = try await Tasks.synced()
    _ = try await tasks.edit("8", [.init("content", "Rye")])
    tasks.state.withLock { $0.tasks["8"] = nil }
    try await tasks.sync()
    #expect(try tasks.entries().map(\.isRemoved) == [true])
    let error = await #expect(throws: Failure.self) { try await tasks.decide(.mine) }
    #expect(error?.code == .own(.notAddable) && error?.reason == .usage)
    try await tasks.decide(.theirs)
    #expect(try tasks.entries().isEmpty && tasks.bench.store.snapshot().record(.init(rawValue: "tasks"), "8") == nil)
  }

  @Test("a removal after a change that was seen is sent")
  func removalOfSeenChange() async throws {
    let tasks = try await Tasks.synced(more: Self.delete, hasTags: true)
    _ = try await tasks.edit("7", [.init("content", "Tea")])
    try await tasks.sync()
    tasks.change("7", ["content": "Chai"])
    try await tasks.sync()
    try await tasks.remove("7")
    try await tasks.sync()
    #expect(try tasks.entries().isEmpty)
    #expect(tasks.state.withLock { $0.tasks["7"] } == nil)
  }

  @Test("the parts of an id of several parts are variables")
  func parts() async throws {
    let tasks = try Tasks(
      update: #""patch": "/lists/{list}/tasks/{number}", \#(Self.send)"#, id: #"["$.list", "$.number"]"#,
      read: "/lists/{list}/tasks/{number}")
    tasks.state.withLock { $0.tasks = ["7": ["id": "7", "list": "a/b", "number": "7", "content": "Milk"]] }
    try await tasks.sync()
    _ = try await tasks.edit("a%2Fb/7", [.init("content", "Tea")])
    try await tasks.sync()
    #expect(tasks.requests.suffix(2) == ["GET /lists/a%2Fb/tasks/7", #"PATCH /lists/a%2Fb/tasks/7 {"content":"Tea"}"#])
  }

  @Test(
    "a change that cannot be sent is refused before it is stored",
    arguments: [
      ("page", "x", "the field 'page' of tasks cannot be changed"),
      ("contnt", "x", "the field 'contnt' of tasks cannot be changed"), ("content", nil, "is required"),
      ("content", " ", "'content' cannot be ' '"), ("points", "1,5", "'points' cannot be '1,5'"),
      ("dueAt", "soon", "'dueAt' cannot be 'soon'"), ("owner", "x", "'owner' cannot be 'x'"),
    ] as [(String, String?, String)])
  func refused(_ field: String, _ value: String?, _ message: String) async throws {
    let tasks = try await Tasks.synced()
    let error = await #expect(throws: Failure.self) {
      try await tasks.edit("7", [.init(field, value.map { .string($0) })])
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(try tasks.entries().isEmpty)
    await #expect(throws: Failure.self) { try await tasks.remove("7") }
  }

  @Test("what the list leaves out and the detail has stays known of the server")
  func details() async throws {
    let bench = try DeclaredBench(
      """
      {
        "almanac": 1, "source": "shop", "url": "https://shop.example",
        "collections": {
          "widgets": {"id": "$.id", "fields": {"name": "text $.name", "price": "int? $.price", "stock": "int? $.stock"}}
        },
        "follows": {
          "all": {
            "get": "/widgets", "take": {"into": "widgets"}, "complete": true,
            "each": {
              "get": "/widgets/{id}", "for": {"id": "$.id"}, "when": "changed", "take": {"records": "$", "into": "widgets"}
            }
          }
        },
        "edits": {
          "widgets": {
            "read": "/widgets/{id}", "update": {"patch": "/widgets/{id}", "send": {"price": "price", "stock": "stock"}}
          }
        }
      }
      """)
    let hasStock = Mutex(true)
    let server = AnsweringServer(bench, following: "shop/all") { request in
      if request.method == .patch { hasStock.withLock { $0 = false } }
      let widget = #"{"id": "1", "name": "Nut", "price": 2"#
      if request.url.hasSuffix("/widgets") { return (200, "[\(widget)}]") }
      return (200, widget + (hasStock.withLock { $0 } ? #", "stock": 30}"# : "}"))
    }
    for run in 0..<3 { try await server.sync("\(run)") }
    let widgets = CollectionName(rawValue: "widgets")
    _ = try await bench.library.edit(widgets, "1", [FieldChange("stock", 1)])
    let entry = try #require(try bench.outbox.entries().first)
    #expect(entry.base["stock"] == 30)
    _ = try await bench.outbox.discard(entry.id)
    #expect(try server.stored("widgets", "1")?["stock"] == 30)
    _ = try await bench.library.edit(widgets, "1", [FieldChange("stock", nil)])
    #expect(try bench.outbox.entries().count == 1)
    try await server.sync("last")
    #expect(server.sent.contains { $0.method == .patch })
    #expect(try server.stored("widgets", "1") == ["id": "1", "name": "Nut", "price": 2])
    #expect(try bench.outbox.entries().isEmpty)
  }
}
