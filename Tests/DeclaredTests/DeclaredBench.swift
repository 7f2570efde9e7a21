import AlmanacTesting
import Declared
import Library
import Models
import Parsing
import Ports
import Sync
import Synchronization

/// The source of a definition, with an engine, a library and a store in memory.
final class DeclaredBench: Sendable {
  let store: InMemoryRecordStore
  let time: ManualTime
  let coder = JSONRecordCoder()
  let source: DeclaredSource
  let library: Library
  private let catalog: CollectionCatalog
  private let runs = Atomic(0)

  init(
    _ definition: String, settings: Settings.Server? = nil, key: SourceKey = .absent,
    store: InMemoryRecordStore = InMemoryRecordStore(time: ManualTime()), time: ManualTime = ManualTime(),
    compiler: any AnswerReaderCompiler = JSONAnswerReaderCompiler()
  ) throws {
    (self.store, self.time) = (store, time)
    source = DeclaredSource(
      try JSONDefinitionFormat().read(Array(definition.utf8), named: nil), compiler: compiler,
      coder: coder, settings: settings, apiKey: key)
    catalog = CollectionCatalog([source.descriptor])
    library = Library(
      store: store, coder: coder, filters: JSONRecordFilterCompiler(), catalog: catalog,
      edits: OutboxEdits(coder: coder, catalog: catalog, time: time, random: SeededRandom()))
  }

  var outbox: Outbox {
    Outbox(store: store, coder: coder, catalog: catalog, time: time, events: RecordedEvents())
  }

  @discardableResult
  func sync(
    _ path: String, limit: Int? = nil, _ values: JSONObject = [:], over transport: any HTTPTransport,
    _ options: SyncOptions = SyncOptions(), kill: Kill = Kill(after: nil)
  ) async throws -> SyncReport {
    var options = options
    // The same chance and the same clock would give each run the same id.
    options.run = options.run ?? "run-\(runs.add(1, ordering: .relaxed).newValue)"
    let engine = SyncEngine(
      store: KilledStore(inner: store, kill: kill), sources: [source],
      transport: KilledTransport(inner: transport, kill: kill), coder: coder, time: time, random: SeededRandom(),
      events: RecordedEvents())
    return try await engine.sync([Follow(path: path, limit: limit, options: values)], options)
  }
}

/// A server whose answers a closure makes, and the requests of the last sync.
final class AnsweringServer: BenchServer {
  typealias Answer = @Sendable (HTTPRequest) -> (status: Int, body: String)

  let bench: DeclaredBench
  private let path: String
  private let answer: Answer
  private let requests = Mutex<[HTTPRequest]>([])

  init(_ bench: DeclaredBench, following path: String, answer: @escaping Answer) {
    (self.bench, self.path, self.answer) = (bench, path, answer)
  }

  var sent: [HTTPRequest] { requests.withLock { $0 } }

  @discardableResult
  func sync(_ run: String = "a", kill: Kill = Kill(after: nil)) async throws -> FollowReport? {
    requests.withLock { $0 = [] }
    return try await bench.sync(path, over: self, SyncOptions(run: run), kill: kill).follows.first
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    requests.withLock { $0.append(request) }
    let (status, body) = answer(request)
    return HTTPResponse(body, status: status, url: request.url)
  }
}

/// A server, and what syncs from it.
protocol BenchServer: HTTPTransport {
  var bench: DeclaredBench { get }
}

extension BenchServer {
  var store: InMemoryRecordStore { bench.store }
  var time: ManualTime { bench.time }
  var coder: JSONRecordCoder { bench.coder }
  var source: DeclaredSource { bench.source }
  var library: Library { bench.library }

  func ids(_ collection: String) throws -> [String] {
    try store.snapshot().ids(CollectionName(rawValue: collection), coder)
  }

  func stored(_ collection: String, _ id: String) throws -> JSONObject? {
    try store.snapshot().record(CollectionName(rawValue: collection), id).map { try coder.decode($0) }
  }
}

extension DeclaredSource {
  /// A shop that asks for a key.
  static func shop(_ auth: String, key: String, keeper: any TokenKeeper) throws -> DeclaredSource {
    let text = Shop.definition(#""get": "/items", \#(Shop.take)"#, more: auth)
    return DeclaredSource(
      try JSONDefinitionFormat().read(Array(text.utf8), named: nil), compiler: JSONAnswerReaderCompiler(),
      coder: JSONRecordCoder(), apiKey: .given(key, from: "a test"), keeper: keeper)
  }

  /// The error of a pull of `shop/all`; `nil` if it has none.
  func failure(over transport: any HTTPTransport, at now: Timestamp) async throws -> SourceError? {
    let context = PullContext(transport: transport, snapshot: try InMemoryRecordStore().snapshot(), now: now, run: "r")
    do throws(SourceError) {
      _ = try await pull(Follow(path: "shop/all"), context)
      return nil
    } catch {
      return error
    }
  }
}
