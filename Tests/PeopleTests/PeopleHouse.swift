import AlmanacTesting
import Models
import Parsing
import People
import Ports
import Sync

/// A store with people, the service over it, and what an engine does between them and a server.
final class PeopleHouse: Sendable {
  let store = InMemoryRecordStore()
  let coder = JSONRecordCoder()
  let people: People
  let source: PeopleSource

  init(seed: UInt64 = 1) {
    let (time, random) = (ManualTime(), SeededRandom(seed: seed))
    let edits = OutboxEdits(
      coder: coder, catalog: CollectionCatalog([PeopleSource.descriptor]), time: time, random: random)
    people = People(
      store: store, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time)
    source = PeopleSource(
      list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder, edits: edits,
      settings: Settings.Server(url: "https://people.example/"))
  }

  func all() throws -> [Person] { try store.snapshot().all(Person.self, coder) }
  func entries() throws -> [OutboxEntry] { try store.snapshot().all(OutboxEntry.self, coder) }

  func put(_ records: [any Record]) async throws { try await store.put(records, coder) }

  func pull(
    _ server: FakePeople, sourceState: JSONObject = [:], through transport: (any HTTPTransport)? = nil
  ) async throws -> PullPage {
    try await source.pull(
      Follow(path: "people"),
      PullContext(
        transport: transport ?? server.transport, snapshot: try store.snapshot(), sourceState: sourceState,
        now: Timestamp(secondsSinceEpoch: 0), run: "run",
        latest: { [store] () throws(StoreError) in try store.snapshot() }))
  }

  /// Pulls and keeps what comes; what the remote lost goes.
  @discardableResult
  func sync(
    _ server: FakePeople, sourceState: JSONObject = [:], through transport: (any HTTPTransport)? = nil
  ) async throws -> PullPage {
    let page = try await pull(server, sourceState: sourceState, through: transport)
    _ = try await store.write { [coder] (transaction) throws(StoreError) in
      for change in page.changes {
        try transaction.put(coder.encode(change.fields), id: change.id, in: change.collection)
        try Self.remember(change.base, change.sourceState, change.id, in: &transaction, coder)
      }
      let list = page.list
      for id in list?.before ?? [] where list?.now.contains(id) == false {
        try transaction.delete(.people, id)
        try transaction.delete(.state, "remote/people/\(id)")
      }
    }
    return page
  }

  func push(
    _ entry: OutboxEntry, _ server: FakePeople, _ memory: (any FlushMemory)? = nil
  ) async throws(SourceError) -> PushOutcome {
    let snapshot = try SourceError.reading(store.snapshot())
    let record = try SourceError.reading(snapshot.object(.people, entry.targetID, coder)) ?? [:]
    return try await source.push(
      entry,
      PushContext(
        transport: server.transport, record: record, snapshot: snapshot, now: Timestamp(secondsSinceEpoch: 0),
        changes: GuardedChanges(.everything), memory: memory))
  }

  /// Sends everything that waits, each once: a lost outcome is kept as such.
  func flush(_ server: FakePeople) async throws {
    let memory = KeptAnswer()
    for entry in try entries() where entry.state == .pending {
      let remote: RemoteRecord
      do throws(SourceError) {
        guard case .accepted(let record) = try await push(entry, server, memory) else { continue }
        remote = record
      } catch {
        var tried = entry
        tried.attempts += 1
        tried.outcomeUnknown = tried.outcomeUnknown || error.disposition == .unknown
        if error.disposition == .refused { tried.state = .refused }
        try await put([tried])
        continue
      }
      _ = try await store.write { [coder] (transaction) throws(StoreError) in
        try transaction.put(coder.encode(remote.fields), id: entry.targetID, in: .people)
        try Self.remember(remote.base, remote.sourceState, entry.targetID, in: &transaction, coder)
        try transaction.delete(.outbox, entry.id)
      }
    }
  }

  private static func remember(
    _ base: JSONObject?, _ sourceState: JSONObject?, _ id: String, in transaction: inout any StoreTransaction,
    _ coder: JSONRecordCoder
  ) throws(StoreError) {
    guard base != nil || sourceState != nil else { return }
    var fields: JSONObject = ["id": .string("remote/people/\(id)")]
    fields.append("base", base.map { .object($0) })
    fields.append("memory", sourceState.map { .object($0) })
    try transaction.put(coder.encode(fields), id: "remote/people/\(id)", in: .state)
  }
}

extension Birthday {
  /// A birthday that a test writes down.
  static func on(_ text: String) -> Birthday { Birthday(text)! }
}

extension PullPage {
  /// The ids of the whole list, and those that it had before.
  var list: (before: [String], now: [String])? {
    guard case .whole(let before, let now, _) = coverage else { return nil }
    return (before.map(\.id), now.map(\.id))
  }
}
