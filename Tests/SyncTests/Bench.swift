import Models
import Parsing
import Ports
import Sync
import TestSupport

/// An engine with a store, a clock and a server in memory.
struct Bench {
  let coder = JSONRecordCoder()
  let time = ManualTime()
  let events = RecordedEvents()
  let store: any RecordStore
  let server: FakeSourceServer
  let sources: [any Source]
  let transport: any HTTPTransport

  init(
    store: (any RecordStore)? = nil, server: FakeSourceServer? = nil, sources: [any Source]? = nil,
    transport: (any HTTPTransport)? = nil, rule: PulledChange.Rule = .replace
  ) {
    self.store = store ?? InMemoryRecordStore(time: time)
    self.server = server ?? FakeSourceServer(coder: coder)
    self.sources = sources ?? [FakeSource(coder: coder, rule: rule)]
    self.transport = transport ?? self.server
  }

  var engine: SyncEngine {
    SyncEngine(
      store: store, sources: sources, transport: transport, coder: coder, time: time, random: SeededRandom(),
      events: events)
  }

  var outbox: Outbox { Outbox(store: store, coder: coder, events: events) }

  func sync(
    _ paths: String..., options: SyncOptions = SyncOptions()
  ) async throws(Failure) -> SyncReport {
    try await engine.sync(paths.map { Follow(path: $0) }, options)
  }

  func record(_ collection: CollectionName, _ id: String) throws -> JSONObject? {
    try store.snapshot().record(collection, id).map { try coder.decode($0) }
  }

  func card(_ id: String) throws -> JSONObject? { try record(FakeSource.cards, id) }

  func ids(_ collection: CollectionName) throws -> [String] {
    var ids: [String] = []
    try store.snapshot().scan(collection, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      ids.append((try? coder.decode(bytes))?["id"]?.string ?? "?")
      return .next
    }
    return ids
  }

  func put(_ collection: CollectionName, _ fields: JSONObject) async throws {
    let bytes = coder.encode(fields)
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try transaction.put(bytes, id: fields["id"]?.string ?? "", in: collection)
      return true
    }
  }

  /// The changes of the store since a place in its feed, without the system's own bookkeeping.
  func changes(since place: Int) throws -> [StoreChange] {
    try store.changes(since: ChangeCursor(String(place)), limit: .max)
      .filter { $0.collection != .state && $0.collection != .runs }
  }

  func place() throws -> Int { try store.changes(since: nil, limit: .max).count }

  /// Edits a card here and queues the edit, in one commit, as the services of the features do.
  @discardableResult
  func edit(_ id: String, _ values: JSONObject, entry: String) async throws -> Bool {
    let (coder, now) = (coder, time.now)
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try LocalEdit(card: id, values: values, entry: entry, now: now, coder: coder).apply(to: &transaction)
    }.value
  }

  /// Makes a note here and queues it.
  func add(note text: String, entry: String) async throws {
    let id = "l-\(entry)"
    let edit = OutboxEntry(
      id: entry, target: "notes/\(id)", kind: .post, edit: ["text": .string(text)], base: ["text": .null],
      createdAt: time.now)
    let note = coder.encode(["id": .string(id), "text": .string(text)] as JSONObject)
    let bytes = coder.encode(edit.fields)
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try transaction.put(note, id: id, in: FakeSource.notes)
      try transaction.put(bytes, id: entry, in: .outbox)
      return true
    }
  }
}

/// An edit of a card as the features make it: the last entry takes it up if it was never tried.
struct LocalEdit {
  let card: String
  let values: JSONObject
  let entry: String
  let now: Timestamp
  let coder: JSONRecordCoder

  func apply(to transaction: inout any StoreTransaction) throws(StoreError) -> Bool {
    guard let bytes = try transaction.record(FakeSource.cards, card), var record = try? coder.decode(bytes) else {
      return false
    }
    var entries: [OutboxEntry] = []
    try transaction.scan(.outbox, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      if let fields = try? coder.decode(bytes), let entry = try? OutboxEntry(fields: fields) { entries.append(entry) }
      return .next
    }
    entries = entries.filter { $0.$target == "cards/\(card)".exact }.sorted { $0.createdAt < $1.createdAt }
    var base = JSONObject()
    for key in values.keys {
      // What the remote last had: the record, but for what other edits changed.
      base[key] = entries.first { $0.edit[key] != nil }?.base[key] ?? record[key] ?? .null
    }
    // The times tell the order, also of edits made within one second.
    var edit = OutboxEntry(
      id: entry, target: "cards/\(card)", kind: .put, edit: [:], base: [:],
      createdAt: entries.last.map { max(now, $0.createdAt + 1) } ?? now)
    if let last = entries.last, last.attempts == 0, last.state == .pending { edit = last }
    for member in values.members {
      edit.edit[member.key] = member.value
      if edit.base[member.key] == nil { edit.base[member.key] = base[member.key] }
      record[member.key] = member.value == .null ? nil : member.value
    }
    try transaction.put(coder.encode(record), id: card, in: FakeSource.cards)
    try transaction.put(coder.encode(edit.fields), id: edit.id, in: .outbox)
    return true
  }
}
