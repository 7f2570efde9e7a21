import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

@Suite struct PullTests {
  @Test func addsThenFindsNothingNew() async throws {
    let bench = Bench()
    bench.server.set("one", ["color": "red", "size": 3])
    for text in ["a", "b", "c"] { bench.server.change { $0.addNote(text) } }
    let first = try await bench.sync("fake/card/one", "fake/notes")
    #expect(first.follows.map(\.status) == [.ok, .ok])
    #expect(first.totals.added == 4)
    #expect(first.totals.requests == 2)
    #expect(first.totals.bytes > 50)
    #expect(try bench.card("one") == ["id": "one", "color": "red", "size": 3])
    let place = try bench.place()
    bench.time.advance(by: .seconds(60))
    let second = try await bench.sync("fake/card/one", "fake/notes")
    #expect(second.follows.map(\.status) == [.unchanged, .unchanged])
    #expect(second.totals.added + second.totals.updated + second.totals.removed == 0)
    #expect(try bench.store.recordChanges(since: place).isEmpty)
    #expect(bench.server.now.seen.count == 4)
  }

  /// Whoever writes what the store has, as birthdays into a calendar, does it when the other follows have come.
  @Test(arguments: [1, 4]) func whatBringsNoRecordsComesLast(jobs: Int) async throws {
    let (coder, writer) = (JSONRecordCoder(), WritingSource())
    let bench = Bench(sources: [writer, FakeSource(coder: coder, edits: Bench.edits(ManualTime()))])
    bench.server.set("one", ["color": "red"])
    for color in ["red", "blue"] {
      bench.server.set("one", ["color": .string(color)])
      let report = try await bench.sync("writer", "fake/card/one", options: SyncOptions(jobs: jobs))
      #expect(report.follows.map(\.follow) == ["writer", "fake/card/one"])
      #expect(writer.seen.withLock { $0.last } == #"{"id":"one","color":"\#(color)"}"#)
    }
  }

  /// A source without collections, which remembers the card that it would write.
  private final class WritingSource: Source {
    let abilities = SourceAbilities()
    let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "writer"), summary: "writes", forms: [.init("writer", "everything")], collections: [])
    let seen = Mutex<[String]>([])

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      let card = try? context.snapshot.record(FakeSource.cards, "one")
      seen.withLock { $0.append(String(decoding: card ?? [], as: UTF8.self)) }
      return .notModified(url: "http://writer.test")
    }
  }

  /// A source whose list has three pages, and which counts how often a path is read.
  private final class CountingSource: Source {
    let abilities = SourceAbilities()
    let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "many"), summary: "pages", forms: [.init("many/{list}", "a list")],
      collections: [.init(FakeSource.notes, fields: [.init("id")], columns: ["id"])])
    let read = Mutex<[String]>([])

    func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow {
      read.withLock { $0.append(follow.follow.path) }
      return follow
    }

    func areas(of follow: Follow) -> [RecordArea]? { (try? check(follow)).map { _ in [RecordArea(FakeSource.notes)] } }

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      let page = context.cursor?["page"]?.int ?? 0
      let id = "\(follow.match.parameters[0])-\(page)"
      var answer = PullPage(
        changes: [PulledChange(collection: FakeSource.notes, id: id, fields: ["id": .string(id)], .replace)],
        url: "http://many.test", next: page < 2 ? ["page": .int(page + 1)] : nil)
      answer.coverage = .page(ListPage([.init(FakeSource.notes, id)]))
      return answer
    }
  }

  @Test func aPathIsReadOnceHoweverManyPagesThereAre() async throws {
    let source = CountingSource()
    let bench = Bench(sources: [source])
    let follows = try ["many/a", "many/b"].map { try bench.engine.check(Follow(path: $0)) }
    let report = try await bench.engine.sync(follows, SyncOptions(configured: follows))
    #expect(report.totals.added == 6)
    _ = try bench.engine.status(follows)
    #expect(source.read.withLock { $0 } == ["many/a", "many/b"])
    var changed = follows[0]
    changed.path = "other/a"
    #expect(throws: FollowError.self) { try bench.engine.check(changed) }
  }

  @Test func countsUpdatesFieldByField() async throws {
    let bench = try await Bench.synced(["color": "red"])
    bench.server.set("one", ["color": "blue", "shape": "round"])
    let report = try await bench.sync("fake/card/one")
    #expect(report.totals.updated == 1)
    #expect(try bench.card("one") == ["id": "one", "color": "blue", "shape": "round"])
    bench.server.set("one", ["shape": .null])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.card("one") == ["id": "one", "color": "blue"])
  }

  @Test func anotherOrderOfFieldsIsNoChange() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1", "b": "2"])
    try await bench.put(FakeSource.cards, ["id": "one", "b": "2", "a": "1"])
    let report = try await bench.sync("fake/card/one")
    #expect(report.follows.map(\.status) == [.unchanged])
  }

  @Test func absentFieldsKeepTheirValuesWhereTheRuleSaysSo() async throws {
    let bench = Bench(rule: .merge)
    bench.server.set("one", ["a": "1", "b": "2"])
    try await bench.put(FakeSource.cards, ["id": "one", "a": "0", "summary": "long"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.card("one") == ["id": "one", "a": "1", "summary": "long", "b": "2"])
  }

  @Test func pagesAreCommittedOneByOneAndResumed() async throws {
    let coder = Bench().coder
    let server = FakeSourceServer(coder: coder) { $0.url.contains("page=2") ? .unreachable : .none }
    for number in 0..<25 { server.change { $0.addNote("note \(number)") } }
    let bench = Bench(server: server)
    let follow = Follow(path: "fake/notes", limit: 10)
    let broken = try await bench.engine.sync([follow], SyncOptions())
    #expect(broken.follows.map(\.status) == [.failed])
    #expect(broken.totals.added == 20)
    #expect(try bench.ids(FakeSource.notes).count == 20)
    // The same store with a server that works again.
    let whole = FakeSourceServer(coder: coder)
    whole.change { $0 = server.now }
    let again = Bench(store: bench.store, server: whole)
    let report = try await again.engine.sync([follow], SyncOptions())
    #expect(report.totals.added == 5)
    #expect(report.totals.requests == 1)
    #expect(try again.ids(FakeSource.notes).count == 25)
  }

  @Test func anotherLimitBeginsAnew() async throws {
    let bench = Bench(
      server: FakeSourceServer(coder: Bench().coder) { $0.url.contains("page=1") ? .unreachable : .none })
    for number in 0..<25 { bench.server.change { $0.addNote("note \(number)") } }
    _ = try await bench.engine.sync([Follow(path: "fake/notes", limit: 10)], SyncOptions())
    let report = try await bench.engine.sync([Follow(path: "fake/notes", limit: 100)], SyncOptions())
    #expect(report.follows.map(\.status) == [.ok])
    #expect(try bench.ids(FakeSource.notes).count == 25)
  }

  @Test func fullForgetsValidators() async throws {
    let bench = try await Bench.synced(["a": "1"])
    let quiet = try await bench.sync("fake/card/one")
    #expect(quiet.totals.bytes == 0)
    let full = try await bench.sync("fake/card/one", options: SyncOptions(full: true))
    #expect(full.totals.bytes > 0)
    #expect(full.follows.map(\.status) == [.unchanged])
  }

  @Test func aPullThatWasAskedForBeforeAPushDoesNotUndoIt() async throws {
    // The response to the pull is in transit while the edit is made, sent and accepted.
    let server = FakeSourceServer(coder: Bench().coder)
    let gate = SlowTransport(server)
    let bench = try await Bench.synced(["a": "old"], server: server, transport: gate)
    let engine = bench.engine
    gate.holdNextAnswer()
    async let late = engine.sync([Follow(path: "fake/card/one")], SyncOptions(full: true, sendsEdits: false))
    await gate.waitUntilHeld()
    try await bench.edit("one", ["a": "new"], entry: "e1")
    _ = try await engine.flush(only: nil)
    gate.release()
    _ = try await late
    #expect(bench.server.now.cards["one"]?["a"] == "new")
    #expect(try bench.card("one")?["a"] == "new")
  }
}

@Suite struct MeteringTests {
  @Test func everyTryIsCountedAlsoThoseThatFailed() async throws {
    let retried = HTTPResponse(status: 200, body: Array("{\"id\":\"one\"}".utf8), url: "http://fake.test/", requests: 3)
    let report = try await Bench(transport: ScriptedTransport([retried])).sync("fake/card/one")
    #expect(report.totals.requests == 3)
    #expect(report.totals.bytes == 12)
    let broken = Bench(
      transport: ScriptedTransport { _, _ throws(TransportError) in
        throw TransportError(.timeout, "too slow", requests: 4)
      })
    let failed = try await broken.sync("fake/card/one")
    #expect(failed.totals.requests == 4)
    #expect(failed.follows[0].error?.reason == .unavailable)
  }

  @Test func aStoreThatCannotBeWrittenFailsTheFollow() async throws {
    let store = InMemoryRecordStore()
    let bench = Bench(store: store)
    bench.server.set("one", ["a": "1"])
    store.failNextCommit(with: StoreError(.full, "the disk is full"))
    let report = try await bench.sync("fake/card/one")
    #expect(report.follows[0].error?.reason == .inputOutput)
    #expect(try bench.card("one") == nil)
    #expect(try await bench.sync("fake/card/one").totals.added == 1)
  }

  @Test func aListThatNamesTheSamePageAgainIsAFailure() async throws {
    let body = Array("{\"items\":[],\"next\":0}".utf8)
    let report = try await Bench(transport: ScriptedTransport([HTTPResponse(status: 200, body: body, url: "u")]))
      .sync("fake/notes")
    #expect(report.follows[0].error?.code == .own(.samePage))
    #expect(report.totals.requests == 2)
  }
}

/// Encoded records are compared with the stored ones by their bytes, and by their members if the bytes differ.
@Suite struct EncodedPageTests {
  private static let things = CollectionName(rawValue: "things")

  /// A source with one page and one record, combined by a given rule.
  private struct OneRecord: Source {
    let abilities = SourceAbilities()
    let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "one"), summary: "one record", forms: [.init("one/{record}", "")],
      collections: [.init(EncodedPageTests.things, fields: [.init("id")], columns: ["id"])])
    var fields: JSONObject
    var rule = PulledChange.Rule.replace

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      PullPage(
        changes: [PulledChange(collection: EncodedPageTests.things, id: "a", fields: fields, rule)],
        url: "http://one.test")
    }
  }

  private static let text = "\u{1}\"é"
  private static let first: JSONObject = ["id": "a", "x": .int(1), "y": .string(text)]

  /// A record that is pulled by a rule while `first` is stored, and the record that is stored afterwards.
  private struct Meeting {
    var rule: PulledChange.Rule
    var comes: JSONObject
    var stands = EncodedPageTests.first
    var isUpdate = false
  }

  private static let meetings = [
    Meeting(rule: .replace, comes: ["id": "a", "x": .int(2)], stands: ["id": "a", "x": .int(2)], isUpdate: true),
    Meeting(
      rule: .merge, comes: ["id": "a", "x": .int(2)], stands: ["id": "a", "x": .int(2), "y": .string(text)],
      isUpdate: true),
    Meeting(rule: .merge, comes: ["id": "a", "x": .int(1)]),
    Meeting(rule: .replace, comes: first),
    Meeting(rule: .replace, comes: ["id": "a", "y": .string(text), "x": .int(1)]),
    Meeting(rule: .updateMetadata, comes: ["id": "a", "x": .int(3)], stands: ["id": "a", "x": .int(3)]),
    Meeting(rule: .insert, comes: ["id": "a", "x": .int(4)]),
  ]

  @Test(arguments: meetings.indices) func meetsWhatIsHere(_ index: Int) async throws {
    let meeting = Self.meetings[index]
    let store = InMemoryRecordStore()
    let source = OneRecord(fields: Self.first, rule: meeting.rule)
    let made = try await Bench(store: store, sources: [source]).sync("one/record")
    #expect(made.totals.added == 1 && made.totals.unchanged == 0)
    let bench = Bench(store: store, sources: [OneRecord(fields: meeting.comes, rule: meeting.rule)])
    let report = try await bench.sync("one/record")
    #expect(report.totals.updated == (meeting.isUpdate ? 1 : 0))
    #expect(report.totals.unchanged == (meeting.isUpdate ? 0 : 1))
    #expect(try store.snapshot().record(Self.things, "a") == bench.coder.encode(meeting.stands))
  }

  @Test func whatIsRemovedAndWasNeverHereIsNothing() async throws {
    let bench = Bench(sources: [OneRecord(fields: [:], rule: .remove)])
    let report = try await bench.sync("one/record")
    #expect(report.totals.added + report.totals.updated + report.totals.removed == 0)
    #expect(try bench.ids(Self.things).isEmpty)
  }

  @Test func aCollectionThatItsSourceDoesNotDeclareIsRefused() async throws {
    struct Stray: Source {
      let abilities = SourceAbilities()
      let descriptor = SourceDescriptor(
        name: SourceName(rawValue: "stray"), summary: "a stray record", forms: [.init("stray/all", "")],
        collections: [.init(EncodedPageTests.things, fields: [.init("id")], columns: ["id"])])

      func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
        PullPage(
          changes: [EncodedPageTests.things, .people].map {
            PulledChange(collection: $0, id: "a", fields: ["id": "a"], .replace)
          }, url: "http://stray.test")
      }
    }
    let bench = Bench(sources: [Stray()])
    let error = try #require(try await bench.sync("stray/all").follows[0].error)
    #expect(error.code == .own(.undeclaredCollection) && error.reason == .internalFault)
    #expect(error.message.contains("people, which it does not declare"))
    #expect(error.hint?.contains("declares things") == true)
    #expect(error.path == "people/a" && error.url == "http://stray.test")
    #expect(try bench.ids(Self.things).isEmpty)
    #expect(try bench.ids(.people).isEmpty)
  }

  @Test(arguments: [(PulledChange.Rule.replace, false, 1), (.replace, true, 0), (.merge, false, 0)])
  func theSecondOfTwoRecordsWithOneID(_ rule: PulledChange.Rule, _ repeats: Bool, _ rejected: Int) async throws {
    struct Twice: Source {
      let abilities = SourceAbilities()
      let descriptor = SourceDescriptor(
        name: SourceName(rawValue: "twice"), summary: "", forms: [.init("twice/all", "")],
        collections: [.init(EncodedPageTests.things, fields: [.init("id")], columns: ["id"])])
      let rule: PulledChange.Rule
      let repeats: Bool

      func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
        let records: [JSONObject] = [
          ["id": "a", "x": .int(1)], ["x": .int(1), "id": "a"], ["id": "b"], ["id": "a", "x": .int(2)],
        ]
        var page = PullPage(
          changes: records.map {
            PulledChange(collection: EncodedPageTests.things, id: $0["id"]?.string ?? "", fields: $0, rule)
          }, url: "http://twice.test")
        page.repeatsRecords = repeats
        return page
      }
    }
    let bench = Bench(sources: [Twice(rule: rule, repeats: repeats)])
    #expect(try await bench.sync("twice/all").totals.rejected == rejected)
    let stored: JSONObject = ["id": "a", "x": .int(rejected == 0 ? 2 : 1)]
    #expect(try bench.store.snapshot().record(Self.things, "a") == bench.coder.encode(stored))
    let found = try bench.ids(.rejects).map { try bench.record(.rejects, $0)?["found"]?.string }
    #expect(found == (rejected == 0 ? [] : ["the id 'a' of an earlier record, which has another x"]))
  }

  @Test func aPlanShowsTheMembersOfWhatIsNew() async throws {
    let bench = Bench(sources: [OneRecord(fields: Self.first)])
    let report = try await bench.sync("one/record", options: SyncOptions(dryRun: true))
    #expect(report.plan == [PlannedChange(operation: .add, collection: Self.things, id: "a", changed: Self.first)])
    #expect(try bench.ids(Self.things).isEmpty)
  }
}
