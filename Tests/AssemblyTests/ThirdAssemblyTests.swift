import AlmanacTesting
import AppStore
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
}
