import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Synchronization
import Testing

@Suite("Codable values in a store, without a parser or a coder")
struct StoreCollectionTests {
  struct ToDo: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title: String
    var isDone = false
    var labels: [String]?
    var due: [String: Int]?
  }

  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/store" }

  private func open() throws(StoreError) -> StoreCollection<ToDo> {
    StoreCollection("todos", in: try JSONFileStore(folder: path))
  }

  @Test("come back as they were", arguments: ["a", "x/y", "\"quoted\" \\ id", "é", "e\u{301}", "id\":\"b"])
  func roundTrip(id: String) async throws {
    let toDo = ToDo(
      id: id, title: "a \"title\", {\"id\":\"z\"} \\ and\na line", labels: ["[", "}", "\""], due: ["id": 3, "}": 4])
    try await open().put(toDo)
    #expect(try open().value(id) == toDo)
    #expect(try open().values() == [toDo])
    #expect(try open().value(id + "x") == nil)
  }

  @Test("are taken over one by one, as one commit, or not at all")
  func load() async throws {
    let toDos = try open()
    var rest = (0..<1000).map { ToDo(id: "\($0)", title: "T\($0)") }[...]
    let counts = try await toDos.load { () throws(StoreError) in rest.popFirst() }
    #expect(counts.added == 1000 && counts.unchanged == 0)
    #expect(try open().values().count == 1000 && open().value("7")?.title == "T7")
    var twice = [ToDo(id: "new", title: "N"), ToDo(id: "new", title: "N")][...]
    await expectError(.invalidRecord, offset: 2) {
      _ = try await toDos.load { () throws(StoreError) in twice.popFirst() }
    }
    #expect(try open().value("new") == nil)
  }

  @Test("are records with their id first, which other programs read")
  func records() async throws {
    let toDos = try open()
    try await toDos.put(ToDo(id: "b", title: "B", labels: ["l"]), ToDo(id: "a", title: "A"))
    let store = try JSONFileStore(folder: path)
    #expect(
      try store.snapshot().all(toDos.name) == [
        #"{"id":"a","isDone":false,"title":"A"}"#, #"{"id":"b","isDone":false,"labels":["l"],"title":"B"}"#,
      ])
  }

  @Test("are queried, changed and removed, and an equal value is no commit")
  func changes() async throws {
    let toDos = try open()
    try await toDos.put(ToDo(id: "a", title: "A"), ToDo(id: "b", title: "B"), ToDo(id: "b2", title: "C"))
    #expect(try toDos.values(where: { $0.title > "A" }).map(\.id) == ["b", "b2"])
    #expect(try toDos.values(ScanRange(prefix: "b", after: "b")).map(\.id) == ["b2"])
    let store = try JSONFileStore(folder: path)
    let before = try store.snapshot().sequence
    try await toDos.put(ToDo(id: "a", title: "A"))
    #expect(try store.snapshot().sequence == before)
    #expect(try await toDos.update("a") { $0.isDone = true }.isDone)
    await expectError(.notFound, saying: "there is no 'none' in todos") {
      try await toDos.update("none") { $0.isDone = true }
    }
    #expect(try await toDos.delete(["b", "none"]) == 1)
    #expect(try await !toDos.delete("none"))
    #expect(try open().values().map(\.id) == ["a", "b2"])
    #expect(try open().value("a")?.isDone == true)
  }

  @Test(
    "keep on an update what their type does not have, at any depth",
    arguments: [
      #"{"id":"a","title":"A","note":{"x":[1,2.50]},"isDone":false}"#,
      #"{"id":"a", "title" : "A" , "due":{"it":1,"x\"y":2}, "z\/":null,"isDone":false}"#,
      #"{"id":"a","isDone":false,"title":"A","labels":["l"]}"#,
    ])
  func unknownMembers(record: String) async throws {
    let toDos = try open()
    let store = try JSONFileStore(folder: path)
    func members() throws -> NSDictionary {
      let bytes = try #require(try store.snapshot().record(toDos.name, "a"))
      #expect(bytes.starts(with: Array(#"{"id":"a""#.utf8)))
      return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
    }
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(record.utf8), id: "a", in: toDos.name)
    }
    let before = try members()
    // A change of nothing is no commit, whatever the notation.
    try await toDos.update("a") { _ in }
    #expect(try store.snapshot().sequence == 1)
    try await toDos.update("a") {
      $0.title = "B"
      $0.labels = nil
    }
    let after = try #require(before.mutableCopy() as? NSMutableDictionary)
    after["title"] = "B"
    after.removeObject(forKey: "labels")
    #expect(try members() == after)
    #expect(try toDos.value("a")?.title == "B")
    try await toDos.put(ToDo(id: "a", title: "C"))
    #expect(try members() == ["id": "a", "isDone": false, "title": "C"])
  }

  @Test(
    "of a name that no collection can have are an error, also for readers", arguments: ["To Do", "todos.jsonl", ""])
  func impossibleName(name: String) async throws {
    let toDos = StoreCollection<ToDo>(name, in: try JSONFileStore(folder: path))
    await expectError(.invalidRecord) { _ = try toDos.values() }
    #expect { try toDos.value("a") } throws: { "\($0)".contains("use 1 to 64 of a-z, 0-9 and '-'") }
    await #expect(throws: StoreError.self) { for try await _ in toDos.observe() { break } }
  }

  @Test("are looked at once per second where the system reports no changes, and a warning says so")
  func polled() async throws {
    let events = RecordedEvents()
    let store = try JSONFileStore(system: InMemoryFileSystem(), time: ManualTime(), events: events)
    let toDos = StoreCollection<ToDo>("todos", in: store)
    var counts: [Int] = []
    for try await values in toDos.observe() {
      counts.append(values.count)
      if values.count == 1 { break }
      try await toDos.put(ToDo(id: "a", title: "A"))
    }
    #expect(counts == [0, 1])
    let warnings = events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
    #expect(warnings.count == 1 && warnings[0].contains("fs.inotify.max_user_instances"), "\(warnings)")
  }

  @Test("are narrower than a record in their objects and lists as well")
  func unknownMembersInside() async throws {
    struct Place: Codable, Hashable {
      var name: String
    }
    struct Trip: Codable, Identifiable {
      var id: String
      var home: Place
      var stops: [Place]
      var title = ""
    }
    let store = try JSONFileStore(folder: path)
    let trips = StoreCollection<Trip>("trips", in: store)
    let record = #"{"id":"a","title":"","home":{"name":"X","zip":"1"},"stops":[{"name":"Y","zip":"2"}]}"#
    func put() async throws {
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(Array(record.utf8), id: "a", in: trips.name)
      }
    }
    func line() throws -> String { String(decoding: try store.snapshot().record(trips.name, "a") ?? [], as: UTF8.self) }
    try await put()
    try await trips.update("a") { $0.home.name = "Z" }
    #expect(try line().contains(#""home":{"name":"Z","zip":"1"}"#) && line().contains(#"[{"name":"Y","zip":"2"}]"#))
    // Elements of a list have no names: a list that changes is the value's.
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.update("a", in: trips) { $0.stops.append(Place(name: "W")) }
    }
    #expect(try line().contains(#""stops":[{"name":"Y"},{"name":"W"}]"#))
  }

  @Test("have dates as RFC 3339, to the tenth of a microsecond, and those of earlier versions are read")
  func dates() async throws {
    struct Meeting: Codable, Identifiable, Equatable {
      var id: String
      var at: Date
    }
    let store = try JSONFileStore(folder: path)
    let meetings = StoreCollection<Meeting>("meetings", in: store)
    let times: [(Double, String)] = [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
      (817_119_000.123, "2026-11-23T09:30:00.123Z"), (817_119_000.1234567, "2026-11-23T09:30:00.1234567Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (Date.distantPast.timeIntervalSinceReferenceDate, "0000-12-30T00:00:00Z"),
      (Date.distantFuture.timeIntervalSinceReferenceDate, "4001-01-01T00:00:00Z"),
    ]
    for (index, (interval, text)) in times.enumerated() {
      let meeting = Meeting(id: "\(index)", at: Date(timeIntervalSinceReferenceDate: interval))
      try await meetings.put(meeting)
      let record = try store.snapshot().record(meetings.name, "\(index)") ?? []
      let line = String(decoding: record, as: UTF8.self)
      #expect(line == "{\"id\":\"\(index)\",\"at\":\"\(text)\"}")
      #expect(try meetings.value("\(index)") == meeting)
    }
    let now = Meeting(id: "now", at: Date())
    try await meetings.put(now)
    #expect(try meetings.value("now") == now)
    for interval in [Double.infinity, .nan, 1e308, -1e308, 1e12, -1e12] {
      await #expect(throws: StoreError.self) {
        try await meetings.put(Meeting(id: "never", at: Date(timeIntervalSinceReferenceDate: interval)))
      }
    }
    for (id, text) in [("old", "817119000.5"), ("east", "\"2026-11-23T11:30:00.5+02:00\"")] {
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(Array("{\"id\":\"\(id)\",\"at\":\(text)}".utf8), id: id, in: meetings.name)
      }
      #expect(try meetings.value(id)?.at == Date(timeIntervalSinceReferenceDate: 817_119_000.5))
    }
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(#"{"id":"bad","at":"tomorrow"}"#.utf8), id: "bad", in: meetings.name)
    }
    #expect { try meetings.value("bad") } throws: { "\($0)".contains("found 'tomorrow' at $.at") }
  }

  @Test("of an array are one commit, also none of them")
  func arrays() async throws {
    let toDos = try open()
    try await toDos.put((0..<100).map { ToDo(id: "\($0)", title: "T") })
    let store = try JSONFileStore(folder: path)
    #expect(try store.snapshot().sequence == 1)
    #expect(try toDos.values().count == 100)
    try await toDos.put([])
    #expect(try store.snapshot().sequence == 1)
    try await toDos.delete((0..<50).map(String.init))
    #expect(try store.snapshot().sequence == 2 && toDos.values().count == 50)
  }

  @Test("keep their id in an update; é in its two forms is two ids")
  func idsStay() async throws {
    let toDos = try open()
    try await toDos.put(ToDo(id: "é", title: "A"))
    for other in ["b", "e\u{301}"] {
      await expectError(.invalidRecord, saying: "cannot change the id") {
        try await toDos.update("é") { $0.id = other }
      }
    }
    #expect(try open().values().map { Array($0.id.utf8) } == [Array("é".utf8)])
  }

  @Test("are read out of changes")
  func changedValues() async throws {
    let toDos = try open()
    try await toDos.put(ToDo(id: "a", title: "A"))
    try await toDos.delete("a")
    let store = try JSONFileStore(folder: path)
    let changes = try store.changes(since: nil, limit: 10)
    #expect(try changes.map { try toDos.value(of: $0)?.title } == ["A", nil])
    #expect(try StoreCollection<ToDo>("others", in: store).value(of: changes[0]) == nil)
  }

  @Test("of two collections are one commit")
  func transaction() async throws {
    let store = try JSONFileStore(folder: path)
    let (toDos, done) = (StoreCollection<ToDo>("todos", in: store), StoreCollection<ToDo>("done", in: store))
    let committed = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(ToDo(id: "a", title: "A"), in: toDos)
      try transaction.put(ToDo(id: "b", title: "B", isDone: true), in: done)
      return try transaction.values(in: toDos).count
    }
    #expect(committed.value == 1 && committed.sequence == 1)
    let snapshot = try store.snapshot()
    try await toDos.delete("a")
    #expect(try snapshot.value("a", in: toDos)?.title == "A")
    #expect(try snapshot.values(in: done).count == 1)
  }

  @Test("that do not fit their type, or have no id of their own, are errors that name them")
  func mistakes() async throws {
    struct Other: Codable, Identifiable {
      var id: String
      var number: Int
    }
    struct Nameless: Codable, Identifiable {
      var name: String
      var id: String { name }
    }
    try await open().put(ToDo(id: "a", title: "A"))
    let store = try JSONFileStore(folder: path)
    func message(_ code: StoreError.Code, _ body: () async throws(StoreError) -> Void) async -> String? {
      do throws(StoreError) { try await body() } catch { return error.code == code ? error.message : "\(error)" }
      return nil
    }
    let others = StoreCollection<Other>("todos", in: store)
    #expect(
      await message(.invalidRecord) { () throws(StoreError) in _ = try others.values() }
        == "the record 'a' of todos is not of type Other: there is no value at $.number")
    #expect(await message(.invalidRecord) { () throws(StoreError) in _ = try others.value("a") } != nil)
    #expect(
      await message(.damaged) { () async throws(StoreError) in
        _ = try await store.write { (transaction) throws(StoreError) in
          try transaction.put(Array(#"{"id":"x","number":}"#.utf8), id: "x", in: others.name)
        }
        _ = try others.value("x")
      } == "the record 'x' of todos is not JSON")
    let nameless = StoreCollection<Nameless>("names", in: store)
    #expect(
      await message(.invalidRecord) { () async throws(StoreError) in try await nameless.put(Nameless(name: "n")) }
        == "the value 'n' is not encoded as an object with a member 'id'")
    let wrong = StoreCollection<ToDo>("To Dos", in: store)
    #expect(
      await message(.invalidRecord) { () async throws(StoreError) in try await wrong.put(ToDo(id: "a", title: "")) }?
        .contains("'To Dos' is not a valid name") == true)
  }

  @Test("name no command of another program in the errors about them")
  func damage() async throws {
    try await open().put(ToDo(id: "a", title: "A"))
    try "x".write(toFile: path + "/manifest", atomically: true, encoding: .utf8)
    do {
      _ = try open().values()
      Issue.record("read a damaged store")
    } catch {
      #expect(error.hint == "call 'repair()' on the store")
      #expect(!"\(error) \(error.hint ?? "")".replacing(path, with: "").contains("almanac "))
    }
  }

  @Test("are observed from another opening of the store, as another process has it", .timeLimit(.minutes(5)))
  func observed() async throws {
    let (reader, writer) = (try open(), try open())
    var states = reader.observe(where: { !$0.isDone }).makeAsyncIterator()
    #expect(try await states.next() == [])
    try await writer.put(ToDo(id: "a", title: "A"))
    #expect(try await states.next()?.map(\.id) == ["a"])
    try await StoreCollection<ToDo>("others", in: try JSONFileStore(folder: path)).put(ToDo(id: "o", title: "O"))
    try await writer.update("a") { $0.isDone = true }
    #expect(try await states.next() == [])
  }

  @Test("are kept and observed in a store in memory, as tests have it", .timeLimit(.minutes(5)))
  func inMemory() async throws {
    let store = InMemoryRecordStore()
    let toDos = StoreCollection<ToDo>("todos", in: store)
    var states = toDos.observe().makeAsyncIterator()
    #expect(try await states.next() == [])
    try await toDos.put(ToDo(id: "a", title: "A"))
    #expect(try await states.next()?.map(\.title) == ["A"])
    try await toDos.update("a") { $0.title = "B" }
    #expect(try await states.next()?.map(\.title) == ["B"])
    try await toDos.delete("a")
    #expect(try await states.next() == [])
    var batches = store.changes(after: nil).makeAsyncIterator()
    #expect(try await batches.next()?.map { $0.record == nil } == [false, false, true])
    let error = await #expect(throws: StoreError.self) { for try await _ in store.changes(after: ChangeCursor("x")) {} }
    #expect(error?.code == .invalidCursor)
  }

  @Test("are observed further after the store could not be reached for a while", .timeLimit(.minutes(5)))
  func outage() async throws {
    let failures = Mutex<[StoreError.Code]>([])
    let store = InterceptedStore(InMemoryRecordStore()) { (base) throws(StoreError) in
      if let code = failures.withLock({ $0.popLast() }) { throw StoreError(code, "broken") }
      return try base.snapshot()
    }
    let toDos = StoreCollection<ToDo>("todos", in: store)
    var states = toDos.observe().makeAsyncIterator()
    #expect(try await states.next() == [])
    failures.withLock { $0 = [.unreachable, .unreachable] }
    try await toDos.put(ToDo(id: "a", title: "A"))
    #expect(try await states.next()?.map(\.id) == ["a"])
    try await toDos.put(ToDo(id: "b", title: "B"))
    #expect(try await states.next()?.map(\.id) == ["a", "b"])
    failures.withLock { $0 = [.damaged] }
    try await toDos.delete("a")
    do {
      #expect(try await states.next() == nil)
      Issue.record("the sequence did not throw")
    } catch { #expect((error as? StoreError)?.code == .damaged) }
  }

  @Test("each change of each commit is handed on, in order, and a cursor begins where another reader ended")
  func changeStream() async throws {
    let (reader, writer) = (try JSONFileStore(folder: path), try open())
    var batches = reader.changes(after: nil).makeAsyncIterator()
    var ids: [String] = []
    var cursor: ChangeCursor?
    for number in 0..<5 {
      try await writer.put(ToDo(id: "a\(number)", title: "A"))
      if number == 2 { _ = try await JSONFileStore(folder: path).compact() }
    }
    while ids.count < 5 {
      let batch = try #require(try await batches.next())
      ids += batch.map(\.id)
      cursor = batch.last?.cursor
    }
    #expect(ids == ["a0", "a1", "a2", "a3", "a4"])
    try await writer.delete("a0")
    var later = try JSONFileStore(folder: path).changes(after: cursor).makeAsyncIterator()
    let batch = try #require(try await later.next())
    #expect(batch.map(\.id) == ["a0"] && batch[0].record == nil)
  }
}
