import AlmanacTesting
import CardDAV
import Library
import Models
import Parsing
import People
import Ports
import Sync
import Synchronization
import Testing

/// A store with the engine, the people of address books and the services over it.
struct CardDAVHouse {
  let store: any RecordStore
  let coder = JSONRecordCoder()
  let time = ManualTime()
  let source: CardDAVSource
  let engine: SyncEngine
  let people: People
  let library: Library
  let outbox: Outbox
  let events = RecordedEvents()
  let follow: Follow
  static let follow = Follow(path: "carddav/home/book")

  init(
    _ transport: any HTTPTransport, store: any RecordStore = InMemoryRecordStore(), seed: UInt64 = 1,
    account: SourceAccount = CardDAVHouse.account(), others: [SourceAccount] = [], book: String = "book",
    follows: [Follow] = []
  ) {
    self.store = store
    follow = Follow(path: "carddav/\(account.name)/\(book)")
    let random = SeededRandom(seed: seed)
    let edits = OutboxEdits(
      coder: coder, catalog: CollectionCatalog([CardDAVSource.descriptor]), time: time, random: random)
    source = CardDAVSource(
      format: WebDAVXML(), contacts: VCardFormat(), coder: coder, edits: edits, accounts: others + [account],
      follows: follows)
    engine = SyncEngine(
      store: store, sources: [source], transport: transport, coder: coder, time: time, random: random, events: events)
    people = People(
      store: store, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time)
    library = Library(
      store: store, coder: coder, filters: JSONRecordFilterCompiler(),
      catalog: CollectionCatalog([CardDAVSource.descriptor]), edits: edits)
    outbox = Outbox(
      store: store, coder: coder, catalog: CollectionCatalog([CardDAVSource.descriptor]), time: time, events: events)
  }

  /// A house that has synced the book once.
  static func synced(
    _ transport: any HTTPTransport, store: any RecordStore = InMemoryRecordStore()
  ) async throws -> CardDAVHouse {
    let house = CardDAVHouse(transport, store: store)
    try await house.sync()
    return house
  }

  static func account(
    _ url: String = FakeCardDAV.origin, user: String? = "ann", password: String = FakeCardDAV.password,
    name: String = "home"
  ) -> SourceAccount { SourceAccount(name: name, url: url, user: user, password: .given(password, from: "the test")) }

  @discardableResult
  func sync(_ options: SyncOptions = SyncOptions()) async throws -> FollowReport {
    try await engine.sync([follow], options).follows[0]
  }

  func all() throws -> [Person] { try store.snapshot().all(Person.self, coder).sorted { $0.fullName < $1.fullName } }

  var names: [String] { get throws { try all().map(\.fullName) } }

  func person(_ name: String) throws -> Person? { try all().first { $0.fullName == name } }

  func rejects() throws -> [String] {
    try store.snapshot().all(Reject.self, coder)
      .map { "\($0.path): expected \($0.expected), found \($0.found) \($0.raw)" }
  }

  func cardCount() throws -> Int { try store.snapshot().count(.cards) }

  /// The ids by the full names.
  func ids() throws -> [String: String] { Dictionary(try all().map { ($0.fullName, $0.id) }) { "\($0) \($1)" } }

  /// The cards of all people, as a file.
  func exported() throws -> String { String(decoding: try people.contacts(), as: UTF8.self) }

  var warnings: [String] {
    events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
  }

  /// The book, as one to which people are added.
  var book: FollowedBook { FollowedBook(follow: follow.path, source: .cardDAV) }

  /// Adds a person to the book.
  @discardableResult
  func add(_ first: String, _ last: String, _ details: JSONObject = [:]) async throws -> Person {
    try await people.add(firstName: first, lastName: last, birthday: nil, fullName: nil, details: details, to: book)
  }

  /// Changes details of the person with a name.
  func edit(_ name: String, _ details: JSONObject) async throws {
    _ = try await people.edit(try #require(try person(name)).id, PersonChange(details: details))
  }

  func remove(_ name: String) async throws { _ = try await people.remove(try #require(try person(name)).id) }

  @discardableResult
  func flush() async throws -> OutboxCounts { try await engine.flush(only: nil) }

  /// Decides the first conflict.
  func resolve(_ side: ConflictSide) async throws {
    _ = try await outbox.resolve(try #require(try outbox.entries().first).id, take: side)
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body ?? [], as: UTF8.self) }
}

func vCard(_ name: String, uid: String? = nil, _ lines: String...) -> String {
  let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
  let n = parts.count == 2 ? "\(parts[1]);\(parts[0]);;;" : "\(name);;;;"
  let all = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid ?? name)", "N:\(n)", "FN:\(name)"] + lines + ["END:VCARD"]
  return all.map { $0 + "\r\n" }.joined()
}

/// A transport that loses answers to PUT and DELETE: the server has done what was asked.
final class LossyTransport: HTTPTransport {
  private struct State {
    var losesNext = false
    var asked: Set<String> = []
    var done: [String] = []
  }

  private let inner: any HTTPTransport
  private let losesFirst: Bool
  private let state = Mutex(State())

  /// - Parameter losesFirst: whether the first answer of each path is lost.
  init(inner: any HTTPTransport, losesFirst: Bool = false) { (self.inner, self.losesFirst) = (inner, losesFirst) }

  /// Loses the next answer.
  func loseNext() { state.withLock { $0.losesNext = true } }

  /// The number of paths that were asked for.
  var paths: Int { state.withLock { $0.asked.count } }
  /// What the server did more than once.
  var doneTwice: [String] {
    state.withLock { state in Dictionary(grouping: state.done) { $0 }.filter { $0.value.count > 1 }.map(\.key) }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let response = try await inner.send(request)
    guard request.method == .put || request.method == .delete else { return response }
    let isLost = state.withLock { state in
      if response.isSuccess { state.done.append("\(request.method) \(request.url)") }
      defer { state.losesNext = false }
      return state.asked.insert(request.url).inserted && losesFirst || state.losesNext
    }
    if isLost { throw TransportError(.connectionLost, "the answer was lost", url: request.url, mayHaveArrived: true) }
    return response
  }
}
