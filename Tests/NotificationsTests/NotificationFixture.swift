import AlmanacTesting
import Models
import Notifications
import Parsing
import Ports
import Synchronization

/// A store, a clock and a receiver for notifications.
final class NotificationFixture: Sendable {
  let time = ManualTime(now: Timestamp(rfc3339: "2026-12-03T09:00:00Z")!)
  let coder = JSONRecordCoder()
  let store: InMemoryRecordStore
  let server: FaultyServer<[String]>
  let mail = MailBox()
  let follows = FollowStates()
  let events = RecordedEvents()
  private let random = SeededRandom()

  init() {
    store = InMemoryRecordStore(time: time)
    server = FaultyServer([]) { request, ids in
      ids.append(request.headers["webhook-id"] ?? "")
      return HTTPResponse(status: 204, url: request.url)
    }
  }

  /// The service as a new process has it.
  func service(
    _ rules: NotificationRules, _ channel: NotificationTarget.Channel = .webhook(url: "https://hook/x", secret: nil),
    secret: String? = nil, name: String = "hook"
  ) -> Notifications {
    service([.init(NotificationTarget(name: name, channel: channel, rules: rules), secret: secret)])
  }

  func service(
    _ receivers: [Notifications.Receiver], catalog: CollectionCatalog = CollectionCatalog([])
  ) -> Notifications {
    Notifications(
      receivers, follows: [],
      services: .init(
        store: store, coder: coder, transport: server.transport, mail: mail, sync: follows,
        people: Birthdays(store, coder),
        time: time, random: random, local: { ($0.date, $0.secondOfDay / 3600) }, events: events,
        catalog: catalog))
  }

  func put(_ records: (any Record)...) async throws { try await store.put(records, coder) }

  func bodies() throws -> [JSONObject] {
    try server.requests.map { request in
      let bytes = (request.body ?? [])[...]
      return try coder.decode(bytes.span.bytes)
    }
  }

  func titles(_ service: Notifications) throws -> [String] { try service.waiting().map(\.title) }
}

/// Keeps messages, or refuses them.
final class MailBox: MailTransport {
  let mails = Mutex<[Mail]>([])
  /// Is called with each message that was kept.
  let onMail = Mutex<@Sendable () async throws(Failure) -> Void>({})

  func send(_ mail: Mail) async throws(Failure) {
    mails.withLock { $0.append(mail) }
    try await onMail.withLock { $0 }()
  }
}

final class FollowStates: SyncService {
  let statuses = Mutex<[FollowStatus]>([])

  func check(_ follow: Follow) throws(FollowError) -> Follow { follow }
  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    SyncReport(startedAt: Timestamp(secondsSinceEpoch: 0), finishedAt: Timestamp(secondsSinceEpoch: 0), follows: [])
  }
  func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts {
    OutboxCounts()
  }
  func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>] { [:] }
  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    SyncStatus(follows: statuses.withLock { $0 }, outbox: OutboxCounts())
  }
}

/// People of whom only the birthdays are asked for.
struct Birthdays: PeopleService {
  private let store: InMemoryRecordStore
  private let coder: JSONRecordCoder

  init(_ store: InMemoryRecordStore, _ coder: JSONRecordCoder) {
    (self.store, self.coder) = (store, coder)
  }

  func birthdays(from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule) throws(Failure) -> [UpcomingBirthday] {
    try Failure.from { () throws(StoreError) in
      var found: [UpcomingBirthday] = []
      try store.snapshot().scan(Person.self, .all, coder) { (person) throws(StoreError) -> ScanStep in
        if let date = person.birthday?.next(onOrAfter: day, leapDay: leapDay), date <= day.adding(days: days) {
          found.append(UpcomingBirthday(person: person, date: date, age: person.birthday?.age(in: date.year)))
        }
        return .next
      }
      return found
    }
  }

  private static let unused = Failure(.store, .internalFault, "not used here")
  func add(
    firstName: String, lastName: String, birthday: Birthday?, fullName: String?, details: JSONObject,
    to book: FollowedBook?, isNew: Bool, alongside note: CommitNote?
  ) async throws(Failure) -> Person { throw Self.unused }
  func edit(_ id: String, _ change: PersonChange, ifStored current: [UInt8]?) async throws(Failure) -> ChangedPerson {
    throw Self.unused
  }
  func remove(_ id: String, ifStored current: [UInt8]?) async throws(Failure) -> ChangedPerson { throw Self.unused }
  func photo(of id: String) throws(Failure) -> ContactPhoto? { throw Self.unused }
  func move(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson { throw Self.unused }
  func copy(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson { throw Self.unused }
  func importContacts(
    _ bytes: [UInt8], file: String, _ reading: ContactReading, to book: FollowedBook?
  ) async throws(Failure) -> ImportedContacts { throw Self.unused }
  func queue(_ ids: [String], to book: FollowedBook?) async throws(Failure) -> QueuedPeople { throw Self.unused }
  func calendar(of ids: Set<ExactString>?, leapDay: Birthday.LeapDayRule, alarm: Interval?) throws(Failure) -> [UInt8] {
    throw Self.unused
  }
  func cards() throws(Failure) -> [StoredCard] { throw Self.unused }
  func cardCount(of ids: Set<ExactString>) throws(Failure) -> Int { throw Self.unused }
  func groups() throws(Failure) -> PeopleGroups { throw Self.unused }
}
