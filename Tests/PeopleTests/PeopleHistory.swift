import AlmanacTesting
import Models
import Parsing
import People
import Ports
import Sync

/// One history of people who are added, changed and removed here and elsewhere, and sent, through the engine, the
/// outbox and the real source.
struct PeopleHistory: RandomHistory {
  enum Count: String, HistoryCount {
    case added, edits, removed, renamed, syncs, kills
    case remote = "elsewhere"
  }

  /// What a server's list says of ids that its answers to a POST tell.
  enum Listing: CaseIterable {
    /// Always, never, by name, or now and then.
    case all, none, some, changing
  }

  let random: SeededRandom
  let server: FakePeople
  let watch = SendWatch()
  let store = InMemoryRecordStore()
  let time = ManualTime()
  let coder = JSONRecordCoder()
  var tally = HistoryTally<Count>()
  var log: [String] = []
  private let honoursKeys: Bool
  private let givesIDs: Bool
  private let listing: Listing
  private var next = 0
  /// How many people somebody else added.
  private var others = 0
  private var isFaulty = false
  /// First names of people who were removed here.
  private var removed: Set<String> = []
  /// Those of them whose id at the server was not known.
  private var unlinked: Set<String> = []
  /// First names of people who were added here and not removed: each must be at the server once.
  private var mine: Set<String> = []
  /// First names of people who got another name at the server since it was last looked at.
  private var renamed: Set<String> = []
  /// By first names, which ids people had here and at the server.
  private var identities: [String: (id: String, remoteID: String?)] = [:]

  init(seed: Int) {
    random = SeededRandom(seed: UInt64(seed) &* 0x9E37_79B9 &+ 11)
    honoursKeys = random.below(2) == 0
    givesIDs = random.below(3) != 0
    listing = random.pick([.all, .all] + Listing.allCases)
    server = FakePeople(
      honoursKeys: honoursKeys, givesIDs: givesIDs, looksAlike: random.below(2) == 0, tells: random.below(4) != 0)
    log.append("honours keys \(honoursKeys), gives ids \(givesIDs), lists \(listing)")
    setListing()
  }

  private var edits: OutboxEdits {
    OutboxEdits(coder: coder, catalog: CollectionCatalog([PeopleSource.descriptor]), time: time, random: random)
  }

  private var people: People {
    People(store: store, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time)
  }

  private static let follows = [Follow(path: "people")]

  private func engine(_ kill: Kill) -> SyncEngine {
    SyncEngine(
      store: KilledStore(inner: store, kill: kill),
      sources: [
        PeopleSource(
          list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder, edits: edits,
          settings: .init(url: "http://people"))
      ],
      transport: WatchedTransport(
        inner: KilledTransport(inner: server.transport, kill: kill), watch: watch, store: store, coder: coder),
      coder: coder, time: time, random: random, events: RecordedEvents())
  }

  mutating func play() async throws {
    isFaulty = true
    for _ in 0..<(6 + random.below(14)) { try await step() }
    isFaulty = false
    _ = try await people.queue([])
    for _ in 0..<6 { try await sync() }
    try check()
    try await checkQuiet()
  }

  private mutating func step() async throws {
    time.advance(by: .seconds(random.below(3)))
    let here = try all()
    switch random.below(11) {
    case 0, 1:
      next += 1
      let person = try await people.add(
        firstName: "P\(next)", lastName: "", birthday: Birthday("--01-0\(1 + random.below(9))")!)
      mine.insert(person.firstName)
      tally[.added] += 1
      log.append("add \(person.firstName)")
    case 2:
      guard !here.isEmpty else { return }
      let person = try await people.edit(random.pick(here).id, PersonChange(lastName: "L\(random.below(1000))")).person
      tally[.edits] += 1
      log.append("edit \(person.fullName)")
    case 3:
      guard !here.isEmpty, random.below(2) == 0 else { return }
      let chosen = random.pick(here)
      guard !hidesIDs || !renamed.contains(chosen.firstName) else { return }
      let person = try await people.remove(chosen.id).person
      identities[person.firstName] = nil
      removed.insert(person.firstName)
      if person.remoteID == nil { unlinked.insert(person.firstName) }
      mine.remove(person.firstName)
      tally[.removed] += 1
      log.append("remove \(person.fullName)")
    case 4:
      _ = try await people.queue([])
      log.append("queue")
    case 5, 6: try changeElsewhere()
    case 7 where listing == .changing: setListing()
    case 7, 8: try await sync(killedAfter: random.below(12) + 1)
    default: try await sync()
    }
  }

  private var hidesIDs: Bool { !givesIDs || listing != .all }

  private func setListing() {
    let hidden = random.below(3)
    server.listIDs { [listing] made in
      switch listing {
      case .all: true
      case .none: false
      case .some: made.firstName.utf8.last.map { $0 % 2 == 0 } ?? true
      case .changing: hidden == 0 || (made.firstName.utf8.last.map { Int($0 % 3) } ?? 0) == hidden
      }
    }
  }

  /// Somebody else adds a person or gives one another name.
  ///
  /// A person of ours whose POST was answered with silence and who got another name before anybody looked is somebody
  /// else: names are all that a list tells then. So is one who was removed here and renamed where no id is known.
  /// Neither is played.
  private mutating func changeElsewhere() throws {
    var there = server.people
    let waiting = try waiting()
    let known = there.indices.filter { index in
      let name = there[index].firstName
      return !waiting.contains(name) && !(removed.contains(name) && (hidesIDs || unlinked.contains(name)))
    }
    if !known.isEmpty, random.below(2) == 0 {
      let index = random.pick(known)
      there[index].lastName = "T\(random.below(1000))"
      renamed.insert(there[index].firstName)
      tally[.renamed] += 1
      log.append("there \(there[index].firstName) \(there[index].lastName)")
    } else {
      next += 1
      there.append(
        .init(
          id: givesIDs ? "x" + LookAlikes.id(others) : nil, firstName: "R\(next)", lastName: "", birthday: "--02-02"))
      others += 1
      log.append("there R\(next)")
    }
    tally[.remote] += 1
    server.set(there)
  }

  /// First names of those who wait in the outbox.
  private func waiting() throws -> Set<String> {
    Set(try store.snapshot().all(OutboxEntry.self, coder).map { $0.edit["firstName"]?.string ?? "" })
  }

  /// Everybody is who they were before: id and, once there was one, the id on the server.
  private mutating func checkIdentities() throws {
    for person in try all() {
      let before = identities.updateValue((person.id, person.remoteID), forKey: person.firstName)
      guard let before else { continue }
      guard before.id.exact == person.id.exact,
        before.remoteID == nil || before.remoteID?.exact == person.remoteID?.exact
      else { throw BrokenHistory("\(person.firstName) was \(before), is \(person.id) \(person.remoteID ?? "-")") }
    }
  }

  private mutating func sync(killedAfter steps: Int? = nil) async throws {
    tally[.syncs] += 1
    let faults: [ServerFault?] = (0..<30).map { _ in
      isFaulty && random.below(3) == 0 ? random.pick([.replyLost, .replyLost, .unreachable, .status(503)]) : nil
    }
    server.prepare(faults)
    let kill = Kill(after: steps)
    let report = try? await engine(kill).sync(Self.follows, SyncOptions(jobs: 1))
    if let report, report.follows.allSatisfy({ $0.error == nil }) { renamed = [] }
    server.prepare([])
    if kill.isDead { tally[.kills] += 1 }
    let here = try all().map { "\($0.fullName) \($0.remoteID ?? "-")" }
    log.append("sync\(steps.map { " killed after \($0)" } ?? "") here \(here) there \(server.people.map(\.firstName))")
    try checkIdentities()
  }

  private func all() throws -> [Person] { try store.snapshot().all(Person.self, coder) }

  private func check() throws {
    let there = server.people.map(\.firstName)
    guard Set(there).count == there.count else { throw BrokenHistory("somebody is there twice: \(there)") }
    guard mine.isSubset(of: there) else { throw BrokenHistory("lost: \(mine.subtracting(there))") }
    let here = try all()
    let names = here.map(\.firstName)
    guard names.sorted() == there.filter({ !removed.contains($0) }).sorted() else {
      throw BrokenHistory("here \(names), there \(there), removed here \(removed)")
    }
    if !hidesIDs, let alone = here.first(where: { $0.remoteID == nil }) {
      throw BrokenHistory("\(alone.fullName) is not linked")
    }
    if let entry = watch.blind { throw BrokenHistory("\(entry) was sent again without a look") }
    guard try store.snapshot().count(.outbox) == 0 else { throw BrokenHistory("something still waits") }
  }

  /// A second sync sends nothing and changes no record.
  private func checkQuiet() async throws {
    let count = server.requests.count
    let before = try store.changes(since: nil, limit: .max).count
    _ = try await engine(Kill(after: nil)).sync(Self.follows, SyncOptions())
    let changed = try store.recordChanges(since: before)
    guard server.methods.dropFirst(count) == [.get], changed.isEmpty else {
      throw BrokenHistory("a second sync still moves something: \(changed.map { "\($0.collection)/\($0.id)" })")
    }
  }
}
