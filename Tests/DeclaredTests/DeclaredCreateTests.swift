import AlmanacTesting
import Declared
import Library
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A server that gives new notes ids of its own.
private final class Notes: BenchServer {
  struct State {
    var notes: [JSONObject] = []
    var keys: [String: Int] = [:]
    var posts = 0
    var refuses = false
    /// What answers and the record of a new note lack.
    var missing: (answer: [String], record: [String]) = ([], [])
    /// The status that answers the next search for a new note.
    var searchFails: Int?
  }

  static let collection = CollectionName(rawValue: "notes")
  let state = Mutex(State())
  let bench: DeclaredBench

  init(_ create: String) throws {
    bench = try DeclaredBench(
      """
      {
        "almanac": 1, "source": "pad", "url": "https://pad.example",
        "collections": {"notes": {"id": "$.id", "fields": {"text": "text $.text", "size": "decimal? $.size"}}},
        "follows": {"all": {"get": "/notes", "take": {"into": "notes"}, "complete": true}},
        "edits": {
          "notes": {
            "read": "/notes/{id}", "delete": "/notes/{id}", "update": {"patch": "/notes/{id}", "send": {"text": "text"}},
            "create": {"post": "/notes", "send": {"text": "text", "size": "size", "ref": "{key}"}, \(create)}
          }
        }
      }
      """)
  }

  @discardableResult
  func sync(_ kill: Kill = Kill(after: nil)) async throws -> SyncReport {
    try await bench.sync("pad/all", over: self, SyncOptions(jobs: 1), kill: kill)
  }

  func ids() throws -> [String] { try ids("notes") }

  func text(_ id: String) throws -> String? {
    try coder.decode(try library.record(Self.collection, id))["text"]?.string
  }

  func add(_ text: String) async throws -> String {
    try await library.add(Self.collection, [.init("text", .string(text)), .init("size", "1.50")])["id"]?.string ?? ""
  }

  var texts: [String] { state.withLock { $0.notes.compactMap { $0["text"]?.string } } }
  var entries: Int { get throws { try bench.outbox.entries().count } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      let target = request.url.dropFirst("https://pad.example".count)
      func answer(_ status: Int, _ value: JSONObject?) -> HTTPResponse {
        HTTPResponse(status: status, body: value.map { coder.encode($0) } ?? [], url: request.url)
      }
      func list(_ notes: [JSONObject]) -> HTTPResponse {
        let body = notes.map { coder.encode($0) }.joined(separator: [0x2C])
        return HTTPResponse(status: 200, body: [0x5B] + Array(body) + [0x5D], url: request.url)
      }
      let fields = (try? coder.decode(request.body ?? [])) ?? [:]
      if request.method == .post {
        state.posts += 1
        if state.refuses { return answer(422, ["message": "no"]) }
        if let key = request.headers["Idempotency-Key"] {
          if let known = state.keys[key] { return answer(201, state.notes[known]) }
          state.keys[key] = state.notes.count
        }
        var note = fields
        note["id"] = .int(100 + state.notes.count)
        for name in state.missing.record { note[name] = nil }
        state.notes.append(note)
        for name in state.missing.answer { note[name] = nil }
        return answer(201, note)
      }
      if target == "/notes" { return list(state.notes) }
      if target.hasPrefix("/notes?ref=") {
        if let status = state.searchFails.take() { return answer(status, nil) }
        return list(state.notes.filter { $0["ref"]?.string.map { target.hasSuffix($0) } == true })
      }
      guard let index = state.notes.firstIndex(where: { target.hasSuffix("/\($0["id"]?.int ?? 0)") }) else {
        return answer(404, nil)
      }
      if request.method == .delete {
        state.notes.remove(at: index)
        return answer(204, nil)
      }
      for member in fields.members { state.notes[index][member.key] = member.value }
      return answer(200, state.notes[index])
    }
  }
}

@Suite("Declared sources: new records")
struct DeclaredCreateTests {
  static let ways = [
    #""key": "Idempotency-Key""#, #""find": {"get": "/notes?ref={key}"}"#,
    #""key": "Idempotency-Key", "find": {"get": "/notes?ref={key}", "records": "$"}"#,
  ]

  @Test("a new record is sent once, and takes on the id of the server", arguments: ways)
  func creates(way: String) async throws {
    let notes = try Notes(way)
    let id = try await notes.add("Milk")
    #expect(try notes.ids() == [id])
    #expect(try await notes.sync().outbox.sent == 1)
    #expect(try notes.ids() == ["100"])
    #expect(notes.state.withLock { $0.notes[0]["size"] } == .number("1.50"))
    #expect(try notes.entries == 0)
    let second = try await notes.sync()
    #expect(second.follows[0].counts.updated + second.follows[0].counts.added == 0)
    #expect(notes.state.withLock { $0.posts } == 1)
    _ = try await notes.library.edit(Notes.collection, "100", [.init("text", "Oat milk")])
    try await notes.sync()
    #expect(notes.texts == ["Oat milk"])
    // The id that was given at first still leads to the record.
    #expect(try notes.library.record(Notes.collection, id) == notes.library.record(Notes.collection, "100"))
    #expect(try notes.library.records(Notes.collection, meaning: id, as: .whole, limit: 2).map(\.id) == ["100"])
    let changed = try await notes.library.edit(Notes.collection, id, [.init("text", "Rice milk")])
    #expect(changed["id"] == "100")
    try await notes.sync()
    #expect(notes.texts == ["Rice milk"])
    try await notes.library.remove(Notes.collection, id)
    try await notes.sync()
    #expect(throws: Failure.self) { try notes.library.record(Notes.collection, id) }
    #expect(notes.texts.isEmpty)
    #expect(try notes.entries == 0)
  }

  @Test("killed at any step, nothing is lost and nothing is created twice", arguments: ways)
  func kills(way: String) async throws {
    for steps in 1...16 {
      let notes = try Notes(way)
      _ = try await notes.add("Milk")
      _ = try? await notes.sync(Kill(after: steps))
      for _ in 0..<3 { try await notes.sync() }
      #expect(notes.texts == ["Milk"], "killed after \(steps)")
      #expect(try notes.ids() == ["100"], "killed after \(steps)")
      #expect(try notes.entries == 0, "killed after \(steps)")
    }
  }

  @Test("an edit and a removal of a record that is being created follow it", arguments: ways)
  func followed(way: String) async throws {
    for steps in 1...16 {
      for removes in [false, true] {
        let notes = try Notes(way)
        let id = try await notes.add("Milk")
        _ = try? await notes.sync(Kill(after: steps))
        let known = try notes.ids()
        let now = known.contains(id) ? id : known.first ?? id
        if removes {
          try? await notes.library.remove(Notes.collection, now)
        } else {
          _ = try await notes.library.edit(Notes.collection, now, [.init("text", "Tea")])
        }
        for _ in 0..<4 { try await notes.sync() }
        #expect(notes.texts == (removes ? [] : ["Tea"]), "killed after \(steps)")
        #expect(try notes.ids() == (removes ? [] : ["100"]), "killed after \(steps)")
        #expect(try notes.entries == 0, "killed after \(steps)")
      }
    }
  }

  @Test("a record that the server removed is created again where the edit of it is kept", arguments: ways)
  func createsAgain(way: String) async throws {
    for steps in 1...16 {
      let notes = try Notes(way)
      _ = try await notes.add("Milk")
      try await notes.sync()
      _ = try await notes.library.edit(Notes.collection, "100", [.init("text", "Tea")])
      notes.state.withLock { $0.notes = [] }
      try await notes.sync()
      let entry = try #require(try notes.bench.outbox.entries().first)
      #expect(entry.isRemoved && entry.state == .conflict)
      _ = try await notes.bench.outbox.resolve(entry.id, take: .mine)
      _ = try? await notes.sync(Kill(after: steps))
      for _ in 0..<3 { try await notes.sync() }
      #expect(notes.texts == ["Tea"], "killed after \(steps)")
      #expect(try notes.ids() == ["100"] && notes.text("100") == "Tea" && notes.entries == 0, "killed after \(steps)")
    }
  }

  @Test("a new record goes with its edit, also after it was refused")
  func discarded() async throws {
    let notes = try Notes(Self.ways[0])
    notes.state.withLock { $0.refuses = true }
    for isRefused in [false, true] {
      let id = try await notes.add("Milk")
      if isRefused { try await notes.sync() }
      _ = try await notes.bench.outbox.discard(#require(notes.bench.outbox.entries().first).id)
      #expect(try notes.entries == 0 && !notes.ids().contains(id))
    }
  }

  @Test("a refused record waits for the user, and is not sent again")
  func refused() async throws {
    let notes = try Notes(Self.ways[0])
    notes.state.withLock { $0.refuses = true }
    let id = try await notes.add("Milk")
    try await notes.sync()
    try await notes.sync()
    #expect(notes.state.withLock { $0.posts } == 1)
    #expect(try notes.ids() == [id])
    #expect(try notes.entries == 1)
  }

  @Test("an answer with a part of a new record is enough where the record can be read", arguments: ways)
  func partOfRecord(way: String) async throws {
    let notes = try Notes(way)
    notes.state.withLock { $0.missing.answer = ["text"] }
    _ = try await notes.add("Milk")
    #expect(try await notes.sync().outbox.sent == 1)
    #expect(try notes.ids() == ["100"] && notes.text("100") == "Milk" && notes.entries == 0)
    #expect(notes.state.withLock { $0.posts } == 1)
  }

  @Test("a record that was created, with an answer that cannot be read, is not sent again by a retry", arguments: ways)
  func unreadable(way: String) async throws {
    let notes = try Notes(way)
    notes.state.withLock { $0.missing.record = ["text"] }
    let id = try await notes.add("Milk")
    try await notes.sync()
    let entry = try #require(try notes.bench.outbox.entries().first)
    #expect(entry.isMade && entry.lastError?.hasPrefix("it was created, but its answer cannot be read: ") == true)
    #expect(entry.lastError?.contains("$.text") == true || entry.lastError?.contains("[0].text") == true, "\(entry)")
    #expect(try OutboxEntry(fields: entry.fields).isMade)
    #expect(try await notes.bench.outbox.retry(nil).isEmpty)
    let refusal = await #expect(throws: Failure.self) { try await notes.bench.outbox.retry(entry.id) }
    #expect(refusal?.reason == .usage)
    _ = try await notes.library.edit(Notes.collection, id, [.init("text", "Oat milk")])
    for _ in 0..<2 { try await notes.sync() }
    #expect(notes.state.withLock { $0.posts } == 1)
    // The next pull brings it.
    notes.state.withLock { state in
      state.notes[0]["text"] = "Milk"
      state.missing.record = []
    }
    try await notes.sync()
    #expect(try notes.ids() == [id, "100"])
    _ = try await notes.bench.outbox.discard(#require(notes.bench.outbox.entries().first).id)
    #expect(try notes.ids() == ["100"] && notes.entries == 0)
  }

  @Test("the search after an accepted record fails: it is repeated, or the record counts as created")
  func searchFails() async throws {
    for (status, isMade) in [(503, false), (500, false), (429, false), (401, false), (400, true)] {
      let notes = try Notes(Self.ways[1])
      notes.state.withLock { ($0.missing.answer, $0.searchFails) = (["id"], status) }
      _ = try await notes.add("Milk")
      try await notes.sync()
      #expect(try notes.bench.outbox.entries().map(\.isMade) == [isMade], "\(status)")
      notes.bench.time.advance(by: .seconds(600))
      try await notes.sync()
      #expect(notes.state.withLock { $0.posts } == 1, "\(status)")
      #expect(try notes.entries == (isMade ? 1 : 0), "\(status)")
    }
  }

  @Test("a new record that was created is sent again if the user says so")
  func madeAgain() async throws {
    let notes = try Notes(Self.ways[1])
    notes.state.withLock { $0.missing.record = ["text", "ref"] }
    _ = try await notes.add("Milk")
    try await notes.sync()
    let entry = try #require(try notes.bench.outbox.entries().first)
    notes.state.withLock { $0.missing.record = [] }
    let retried = try await notes.bench.outbox.retry(entry.id, makesAgain: true)
    #expect(retried.map(\.state) == [.pending] && retried.allSatisfy { !$0.isMade })
    try await notes.sync()
    #expect(notes.state.withLock { $0.posts } == 2)
    #expect(try notes.entries == 0)
  }

  @Test("the address of a new record takes variables of its id, and fields")
  func addresses() async throws {
    let text = """
      {
        "almanac": 1, "source": "code", "url": "https://code.example",
        "collections": {
          "issues": {"id": ["{owner}", "$.number"], "fields": {"title": "text $.title", "repo": "text? $.repo"}}
        },
        "follows": {"issues/{owner}": {"get": "/{owner}/issues", "take": {"into": "issues"}}},
        "edits": {
          "issues": {
            "read": "/{owner}/issues/{number}", "update": {"patch": "/{owner}/issues/{number}", "send": {"title": "title"}},
            "create": {"post": "/{owner}/{repo}/issues", "send": {"title": "title"}, "key": "Idempotency-Key"}
          }
        }
      }
      """
    let server = ScriptedTransport { request, _ in
      let isNew = request.method == .post
      return HTTPResponse(
        isNew ? #"{"number": 7, "title": "Bug"}"# : "[]", status: isNew ? 201 : 200, url: request.url)
    }
    let (bench, issues) = (try DeclaredBench(text), CollectionName(rawValue: "issues"))
    let (library, coder) = (bench.library, bench.coder)
    for (changes, code, word) in [
      ([FieldChange("title", "Bug"), .init("repo", "swift")], "required", "owner"),
      ([.init("title", "Bug"), .init("repo", ".."), .init("owner", "apple")], "bad-value", "repo"),
      ([.init("titel", "Bug")], "not-editable", "title"),
    ] {
      let error = await #expect(throws: Failure.self) { try await library.add(issues, changes) }
      #expect(error?.code?.text == code && "\(error?.message ?? "") \(error?.hint ?? "")".contains(word), "\(error!)")
    }
    let draft = try await library.add(
      issues, [.init("title", "Draft"), .init("owner", "apple"), .init("repo", "swift/evolution")])
    let id = try #require(draft["id"]?.string)
    _ = try await library.edit(issues, id, [.init("title", "Bug")])
    #expect(try coder.decode(library.record(issues, id))["owner"] == nil)
    #expect(try await bench.sync("code/issues/apple", over: server).outbox.sent == 1)
    let request = try #require(server.requests.first { $0.method == .post })
    #expect(request.url == "https://code.example/apple/swift%2Fevolution/issues")
    #expect(try coder.decode(request.body ?? []) == ["title": "Bug"])
    let record = try #require(try bench.store.snapshot().record(issues, "apple/7"))
    let fields = try coder.decode(record)
    #expect(fields["title"] == "Bug" && fields["owner"] == nil)
    let wrong = text.replacing("/{owner}/{repo}/issues", with: "/{owner}/{number}/issues")
    #expect(throws: SettingsProblems.self) { try JSONDefinitionFormat().read(Array(wrong.utf8), named: nil) }
  }
}
