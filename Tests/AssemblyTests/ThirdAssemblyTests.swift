import AlmanacTesting
import AppStore
import Library
import Models
import Networking
import Parsing
import Ports
import Sync
import Testing
import URLSessionTransport
import UpstreamKit

/// A third way to put the modules together, as a program of somebody else would: URLSession, a store in memory, and
/// one feature.
@Suite struct ThirdAssemblyTests {
  @Test func oneFeatureWithoutDiskAndWithoutPackages() async throws {
    let upstream = try LocalServer { request in
      request.path == "/de/rss/topfreeapplications/limit=2/json"
        ? .json(
          """
          {"feed": {"entry": {"im:name": {"label": "Atlas"}, "im:artist": {"label": "Maker"},
           "im:image": [{"label": "https://img.example/1.png", "attributes": {"height": "53"}}],
           "id": {"label": "https://apps.example/id7", "attributes": {"im:id": "7"}}}}}
          """)
        : .json("{}", status: 404)
    }
    defer { upstream.stop() }

    let time = SystemTimeSource()
    let coder = JSONRecordCoder()
    let store = InMemoryRecordStore(time: time)
    let source = AppStoreSource(
      parser: AppStoreFeedParser(), coder: coder, settings: Settings.Server(url: upstream.url))
    let engine = SyncEngine(
      store: store, sources: [source], transport: URLSessionTransport(), coder: coder, time: time,
      random: SystemRandomSource(), events: RecordedEvents())

    let report = try await engine.sync([Follow(path: "app-store/de/top-free", limit: 2)], SyncOptions())
    #expect(report.follows.map(\.status) == [.ok])
    let charts = Charts(store: store, coder: coder, time: time)
    #expect(try charts.top("app-store/de/top-free", limit: nil).map(\.name) == ["Atlas"])
  }

  @Test("a history without editors restores what no source has, and refuses the rest")
  func historyWithoutEditors() async throws {
    let (time, coder) = (ManualTime(), JSONRecordCoder())
    let store = InMemoryRecordStore(time: time)
    let catalog = CollectionCatalog([
      SourceDescriptor(
        name: SourceName(rawValue: "people"), summary: "", forms: [],
        collections: [.init(.people, fields: [.init("id"), .init("note")], columns: ["id"])])
    ])
    let notes = CollectionName(rawValue: "notes")
    for (text, collections) in [("old", [notes, .people]), ("new", [notes, .people])] {
      _ = try await store.write { (transaction) throws(StoreError) in
        for name in collections {
          try transaction.put(Array(#"{"id":"1","note":"\#(text)"}"#.utf8), id: "1", in: name)
        }
      }
    }
    let history = RecordHistory(
      store: store, personal: store, coder: coder, catalog: catalog,
      restoring: .init(
        edits: OutboxEdits(coder: coder, catalog: catalog, time: time, random: SeededRandom()),
        outbox: Outbox(store: store, coder: coder, catalog: catalog, time: time, events: RecordedEvents())),
      time: time, endOfDay: { _ in time.now })
    let moment = try history.moment("commit:1")
    try await history.restore(history.restoration(of: notes, "1", at: moment), in: [])
    #expect(try store.snapshot().record(notes, "1").map { try coder.decode($0)["note"] } == "old")
    let person = try history.restoration(of: .people, "1", at: moment)
    let error = await #expect(throws: Failure.self) { try await history.restore(person, in: []) }
    #expect(error?.code == .own(.notEditable))
  }
}
