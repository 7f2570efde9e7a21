import AlmanacTesting
import Models
import Parsing
import Ports
import Sync

/// An engine with a store, a clock and a server, all in memory.
struct Bench {
  let coder = JSONRecordCoder()
  let time = ManualTime()
  let events = RecordedEvents()
  let store: any RecordStore
  let server: FakeSourceServer
  let sources: Sources
  let transport: any HTTPTransport

  init(
    store: (any RecordStore)? = nil, server: FakeSourceServer? = nil, sources: Sources? = nil,
    transport: (any HTTPTransport)? = nil, rule: PulledChange.Rule = .replace
  ) {
    self.store = store ?? InMemoryRecordStore(time: time)
    self.server = server ?? FakeSourceServer(coder: coder)
    self.sources = sources ?? [FakeSource(coder: coder, edits: Self.edits(time), rule: rule)]
    self.transport = transport ?? self.server
  }

  /// A bench whose server has a card `one`, which was pulled.
  static func synced(
    _ card: JSONObject, server: FakeSourceServer? = nil, transport: (any HTTPTransport)? = nil
  ) async throws -> Bench {
    let bench = Bench(server: server, transport: transport)
    bench.server.set("one", card)
    _ = try await bench.sync("fake/card/one")
    return bench
  }

  var engine: SyncEngine { engine() }

  /// - Parameter outbox: the store through which edits are sent; `nil` for that of the bench.
  func engine(version: String = "1", outbox: (any RecordStore)? = nil) -> SyncEngine {
    SyncEngine(
      store: ExplainedStore(store), outbox: outbox, sources: sources, transport: transport, coder: coder, time: time,
      random: SeededRandom(), events: events, version: version)
  }

  var outbox: Outbox {
    Outbox(store: store, coder: coder, catalog: CollectionCatalog(sources.descriptors), time: time, events: events)
  }

  func sync(_ paths: String..., options: SyncOptions = SyncOptions()) async throws(Failure) -> SyncReport {
    try await engine.sync(paths.map { Follow(path: $0) }, options)
  }

  func record(_ collection: CollectionName, _ id: String) throws -> JSONObject? {
    try store.snapshot().record(collection, id).map { try coder.decode($0) }
  }

  func card(_ id: String) throws -> JSONObject? { try record(FakeSource.cards, id) }

  func ids(_ collection: CollectionName) throws -> [String] { try store.snapshot().ids(collection, coder) }

  func put(_ collection: CollectionName, _ fields: JSONObject) async throws {
    try await store.put(fields, in: collection, coder)
  }

  func place() throws -> Int { try store.changes(since: nil, limit: .max).count }

  /// The pending edits; a new one gets the id `entry`.
  func edits(_ entry: String) -> OutboxEdits { Self.edits(time, entry) }

  static func edits(_ time: ManualTime = ManualTime(), _ entry: String = "") -> OutboxEdits {
    OutboxEdits(coder: JSONRecordCoder(), catalog: CollectionCatalog([]), time: time) { _ in entry }
  }

  /// Edits a card locally and queues the edit, in one commit, like the services of the features.
  @discardableResult
  func edit(_ id: String, _ values: JSONObject, entry: String) async throws -> Bool {
    let (coder, edits) = (coder, edits(entry))
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      guard let before = try transaction.object(FakeSource.cards, id, coder) else { return false }
      var after = before
      for member in values.members { after[member.key] = member.value == .null ? nil : member.value }
      try transaction.put(coder.encode(after), id: id, in: FakeSource.cards)
      try edits.queueChange(of: FakeSource.cards, id, from: before, to: after, in: &transaction)
      return true
    }.value
  }

  /// Removes a record locally and queues its removal.
  @discardableResult
  func remove(_ collection: CollectionName, _ id: String, entry: String) async throws -> OutboxEntry? {
    let edits = edits(entry)
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> OutboxEntry? in
      try edits.queueRemoval(of: collection, id, in: &transaction)
    }.value
  }

  /// Creates a note locally and queues it.
  func add(note text: String, entry: String, source: SourceName? = nil) async throws {
    let (id, edits) = ("l-\(entry)", edits(entry))
    let note = coder.encode(["id": .string(id), "text": .string(text)] as JSONObject)
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(note, id: id, in: FakeSource.notes)
      try edits.queueNew(FakeSource.notes, id, ["text": .string(text)], over: [:], source: source, in: &transaction)
    }
  }
}
