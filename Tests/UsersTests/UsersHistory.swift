import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Users

/// One history of a profile that is edited here and elsewhere, through the engine, the outbox and a real source.
struct UsersHistory: RandomHistory {
  enum Count: String, HistoryCount {
    case edits, syncs, kills, conflicts, refusals
    case remoteEdits = "edits elsewhere"
  }

  let random: SeededRandom
  let users: FakeUsers
  let store = InMemoryRecordStore()
  let time = ManualTime()
  let coder = JSONRecordCoder()
  var tally = HistoryTally<Count>()
  var log: [String] = []
  private var faultOdds = 0
  private var next = 0
  /// Values set here that need not have been at the server: replaced before they were sent, or given up.
  private var excused: Set<String> = []
  /// Values set here, by field.
  private var mine: [String: [String]] = [:]
  /// What was to be seen here, or in a conflict, before the value was decided on: `field=value`.
  private var seen: [String: Set<String>] = [:]
  /// Everything that a field was seen to have so far.
  private var shown: [String: Set<String>] = [:]
  /// Values that somebody chose over the remote's.
  private var chosen: Set<String> = []

  init(seed: Int) {
    random = SeededRandom(seed: UInt64(seed) &* 0x9E37_79B9 &+ 7)
    users = FakeUsers(tags: random.pick(FakeUsers.Tags.allCases), wraps: random.below(2) == 0)
  }

  private var catalog: CollectionCatalog { CollectionCatalog([UsersSource.descriptor]) }
  private var profiles: Profiles {
    Profiles(store: store, coder: coder, edits: OutboxEdits(coder: coder, catalog: catalog, time: time, random: random))
  }
  private var outbox: Outbox {
    Outbox(store: store, coder: coder, catalog: catalog, time: time, events: RecordedEvents())
  }
  private var follows: [Follow] { [Follow(path: "users/ada")] }

  private func engine(_ kill: Kill) -> SyncEngine {
    SyncEngine(
      store: KilledStore(inner: store, kill: kill),
      sources: [
        UsersSource(user: UserEnvelopeParser(), coder: coder, settings: Settings.Server(url: "http://localhost"))
      ],
      transport: KilledTransport(inner: users.transport, kill: kill), coder: coder, time: time, random: random,
      events: RecordedEvents())
  }

  mutating func play() async throws {
    try await sync()
    faultOdds = 3
    for _ in 0..<(6 + random.below(14)) { try await step() }
    faultOdds = 0
    try await settle()
    try check()
    try await checkQuiet()
  }

  private mutating func step() async throws {
    time.advance(by: .seconds(random.below(3)))
    switch random.below(10) {
    case 0..<3: try await editHere()
    case 3..<5: editThere()
    case 5: try await sync(killedAfter: random.below(10) + 1)
    case 6: try await decideOne()
    default: try await sync()
    }
    try look()
  }

  private mutating func value(_ side: String) -> String {
    next += 1
    return "\(side)\(next)@example.org"
  }

  private mutating func editHere() async throws {
    let field = random.pick(FakeUsers.fields)
    let value = value("m")
    if random.below(8) == 0 { users.refuse(value) }
    // An edit of the field that did not arrive is replaced: what a later one changes as well is not sent.
    let before = try outbox.entries()
    for (index, old) in before.enumerated()
    where old.kind == .put && !old.outcomeUnknown && old.edit[field] != nil {
      let later = before[(index + 1)...]
      for member in old.edit.members where member.key == field || later.contains(where: { $0.edit[member.key] != nil })
      {
        if let value = member.value.string { excused.insert(value) }
      }
    }
    // A refused edit never arrives as it is; this one corrects it.
    for edit in try outbox.entries().map(\.edit) where edit.members.contains(where: { users.refuses($0.value.string) })
    {
      if let old = edit[field]?.string { excused.insert(old) }
    }
    seen[value] = shown[field]
    let change =
      switch field {
      case "name": ProfileChange(name: value)
      case "email": ProfileChange(email: value)
      default: ProfileChange(description: .set(value))
      }
    _ = try await profiles.edit("ada", change)
    mine[field, default: []].append(value)
    tally[.edits] += 1
    log.append("here \(field)=\(value)")
  }

  private mutating func editThere() {
    let field = random.pick(FakeUsers.fields)
    let value = value("t")
    users.change([field: value])
    tally[.remoteEdits] += 1
    log.append("there \(field)=\(value)")
  }

  private mutating func sync(killedAfter steps: Int? = nil) async throws {
    tally[.syncs] += 1
    let faults: [ServerFault] = [.replyLost, .replyLost, .unreachable, .status(503), .status(500)]
    users.prepare((0..<30).map { _ in faultOdds > 0 && random.below(faultOdds) == 0 ? random.pick(faults) : nil })
    let kill = Kill(after: steps)
    log.append("sync\(steps.map { " killed after \($0)" } ?? "")")
    _ = try? await engine(kill).sync(follows, SyncOptions(jobs: 1))
    users.prepare([])
    if kill.isDead { tally[.kills] += 1 }
  }

  /// Decides a conflict or gives up a refused edit; now and then a refused one is tried again.
  private mutating func decideOne() async throws {
    guard let entry = try outbox.entries().first(where: { $0.state != .pending }) else { return }
    let values = entry.edit.members.compactMap(\.value.string)
    if entry.state == .refused {
      tally[.refusals] += 1
      log.append("discard \(values)")
      _ = try await outbox.discard(entry.id)
      excused.formUnion(values)
      return
    }
    tally[.conflicts] += 1
    for member in entry.edit.members {
      guard let theirs = entry.theirs?[member.key]?.string else { continue }
      shown[member.key, default: []].insert(theirs)
    }
    let side = random.pick(ConflictSide.allCases)
    log.append("take \(side) \(values)")
    _ = try await outbox.resolve(entry.id, take: side)
    guard side == .mine else { return excused.formUnion(values) }
    // Whoever chose this value over the remote's chose the later ones of the same field as well.
    for later in try outbox.entries() {
      for member in later.edit.members {
        guard let value = member.value.string, entry.edit[member.key] != nil else { continue }
        chosen.insert(value)
        seen[value, default: []].formUnion(shown[member.key] ?? [])
      }
    }
  }

  private mutating func look() throws {
    let fields = try profiles.profile("ada").fields
    for field in FakeUsers.fields {
      if let value = fields[field]?.string { shown[field, default: []].insert(value) }
    }
    let (here, there) = (FakeUsers.fields.map { fields[$0]?.string }, FakeUsers.fields.map { users.user[$0] })
    log.append("    here \(here.map { $0 ?? "-" }) there \(there.map { $0 ?? "-" })")
    for entry in try outbox.entries() {
      log.append("    \(String(decoding: coder.encode(entry.fields), as: UTF8.self))")
    }
  }

  private mutating func settle() async throws {
    for _ in 0..<40 {
      try await sync()
      try look()
      if try outbox.entries().isEmpty { return }
      try await decideOne()
    }
    throw BrokenHistory("the outbox never empties")
  }

  private func check() throws {
    let here = try profiles.profile("ada").fields
    for field in FakeUsers.fields {
      guard here[field]?.string == users.user[field] else {
        throw BrokenHistory("\(field) is \(here[field]?.string ?? "-"), there \(users.user[field] ?? "-")")
      }
      let values = users.values(of: field).compactMap(\.self)
      for value in mine[field] ?? [] where !excused.contains(value) && !values.contains(value) {
        throw BrokenHistory("the edit \(field) = \(value) is lost")
      }
      let once = values.filter { !chosen.contains($0) }
      guard Set(once).count == once.count else { throw BrokenHistory("\(field) had a value twice: \(values)") }
      for (old, new) in zip(values, values.dropFirst()) where old.hasPrefix("t") && new.hasPrefix("m") {
        guard seen[new]?.contains(old) == true else {
          throw BrokenHistory("\(field): \(new) took the place of \(old), which nobody here had seen")
        }
      }
    }
  }

  /// A second sync sends nothing and changes no record.
  private func checkQuiet() async throws {
    let count = users.requests.count
    let before = try store.changes(since: nil, limit: .max).count
    let report = try await engine(Kill(after: nil)).sync(follows, SyncOptions())
    let changed = try store.recordChanges(since: before)
    guard users.methods.dropFirst(count) == [.get], changed.isEmpty, report.follows.map(\.status) == [.unchanged]
    else { throw BrokenHistory("a second sync still moves something: \(report.fields)") }
  }
}
