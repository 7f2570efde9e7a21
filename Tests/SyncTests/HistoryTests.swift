import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// Edits both sides at random, with random faults: lost requests and responses, 5xx, refusals, newer records, kills, and
/// processes that lead, are paused while they send, and go on after another one has led.
///
/// `ALMANAC_HISTORIES` is the number of histories (25 by default); `ALMANAC_HISTORY` selects a single one.
@Suite struct HistoryTests {
  @Test func noEditIsLostOrDoubled() async throws { try await History.playAll("histories") }
}

/// One history and the invariants at its end.
struct History: RandomHistory {
  enum Count: String, HistoryCount {
    case edits, removals, syncs, kills, pauses, faults, conflicts, refusals
    case remoteRemovals = "removals elsewhere"
    case remoteEdits = "edits elsewhere"
  }

  /// A local edit of one field.
  struct Edit {
    var card: String
    var field: String
    var value: JSONValue
    /// The reason why it need not be on the server: a later edit replaced it before it was sent, or the user discarded
    /// it.
    var excuse: String?
  }

  let random: SeededRandom
  let honoursKeys: Bool
  let server: FakeSourceServer
  let faults: FaultDice
  let watch = SendWatch()
  let bench: Bench
  let lead = Lead()
  var edits: [Edit] = []
  var notes: [String] = []
  /// Texts of notes that were removed locally or elsewhere.
  var removedNotes: Set<String> = []
  var remoteValues: Set<String> = []
  /// Values that may be written twice: the user chose them over those of the remote, or their first arrival was undone.
  var repeatable: Set<String> = []
  var nextValue = 0
  var tally = HistoryTally<Count>()
  var log: [String] = []

  static let cards = ["c0"] + [LookAlikes.equivalent[0].0, LookAlikes.equivalent[0].1]
  static let fields = ["a", "b", "c"]

  init(seed number: Int) {
    let seed = UInt64(number)
    random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 17)
    honoursKeys = seed % 2 == 0
    let faults = FaultDice(SeededRandom(seed: seed &+ 1_000_003))
    self.faults = faults
    server = FakeSourceServer(coder: JSONRecordCoder(), honoursKeys: honoursKeys) { faults.next($0) }
    bench = Bench(server: server)
    lead.holder = Self.process
    for card in Self.cards { server.set(card, ["a": "a0", "b": "b0"]) }
  }

  static var follows: [Follow] {
    cards.map { Follow(path: "fake/card/\($0)") } + [Follow(path: "fake/notes", limit: mostNotes)]
  }
  static let mostNotes = 3

  /// Runs the history and checks its invariants.
  mutating func play() async throws {
    try await sync(kill: nil)
    faults.odds = 3
    for _ in 0..<(6 + random.below(14)) { try await step() }
    faults.odds = 0
    try await settle()
    try check()
    try await checkQuiet()
  }

  private mutating func step() async throws {
    defer { noteState() }
    bench.time.advance(by: .seconds(random.below(3)))
    switch random.below(13) {
    case 0..<3: try await editHere()
    case 3..<5: editThere()
    case 5: try await addNote()
    case 6: try await sync(kill: Kill(after: random.below(14) + 1))
    case 7: try await flush()
    case 8: try await resolveOne()
    case 9: try await removeHere()
    case 10: try removeThere()
    case 11: try await pause()
    default: try await sync(kill: nil)
    }
  }

  private mutating func value() -> String {
    nextValue += 1
    return "v\(nextValue)"
  }

  private mutating func editHere() async throws {
    let card = random.pick(Self.cards)
    var values = JSONObject()
    for field in Self.fields where random.below(2) == 0 {
      let value = value()
      // The server refuses one edit in ten.
      if random.below(10) == 0 { server.change { $0.refused.insert(value) } }
      values.append(field, value)
    }
    guard !values.isEmpty else { return }
    let before = try bench.outbox.entries().filter { $0.$target == "cards/\(card)".exact }
    guard try await bench.edit(card, values, entry: "e\(nextValue)") else { return }
    tally[.edits] += 1
    note("edit \(card) \(values.members.map { "\($0.key)=\($0.value.string ?? "")" })")
    // An edit of one of the fields that did not arrive is replaced: what a later one changes as well is not sent.
    for (index, old) in before.enumerated() where old.kind == .put && !old.outcomeUnknown {
      guard old.edit.keys.contains(where: { values[$0] != nil }) else { continue }
      let later = before[(index + 1)...].map(\.edit) + [values]
      for member in old.edit.members where later.contains(where: { $0[member.key] != nil }) {
        excuse(card, member.key, member.value, "replaced before it arrived")
      }
    }
    for member in values.members {
      for edit in before.map(\.edit) where edit.members.contains(where: { isRefused($0.value) }) {
        if let old = edit[member.key] { excuse(card, member.key, old, "corrected") }
      }
      edits.append(Edit(card: card, field: member.key, value: member.value))
    }
  }

  private func isRefused(_ value: JSONValue) -> Bool { server.now.refused.contains(value.string ?? "") }

  private mutating func excuse(_ card: String, _ field: String, _ value: JSONValue, _ reason: String) {
    for index in edits.indices
    where edits[index].card.exact == card.exact && edits[index].field == field && edits[index].value == value {
      edits[index].excuse = reason
    }
  }

  private mutating func editThere() {
    let card = random.pick(Self.cards)
    if random.below(3) == 0 {
      let text = value()
      server.change { $0.addNote(text) }
      notes.append(text)
      return
    }
    let field = random.pick(Self.fields)
    let value = value()
    remoteValues.insert(value)
    server.set(card, [field: .string(value)])
    tally[.remoteEdits] += 1
    note("there \(card) \(field)=\(value)")
  }

  private mutating func removeHere() async throws {
    let entry = "d\(value())"
    tally[.removals] += 1
    if random.below(3) == 0 {
      let ids = try bench.ids(FakeSource.notes)
      guard !ids.isEmpty else { return }
      let id = random.pick(ids)
      let text = try bench.record(FakeSource.notes, id)?["text"]?.string ?? ""
      try await bench.remove(FakeSource.notes, id, entry: entry)
      removeNote(text)
      note("remove note \(text)")
      return
    }
    let card = random.pick(Self.cards)
    try await bench.remove(FakeSource.cards, card, entry: entry)
    for edit in edits where edit.card.exact == card.exact && edit.excuse == nil {
      excuse(card, edit.field, edit.value, "removed here")
    }
    note("remove \(card)")
  }

  private mutating func removeThere() throws {
    tally[.remoteRemovals] += 1
    if random.below(3) == 0 {
      // A new note that may have arrived and is then removed is not simulated, because it would be created again.
      let waiting = Set(try bench.outbox.entries().compactMap { $0.edit["text"]?.string })
      let others = server.now.notes.filter { !waiting.contains($0.text) }
      guard !others.isEmpty else { return }
      let chosen = random.pick(others)
      server.change { $0.notes.removeAll { $0.id == chosen.id } }
      removeNote(chosen.text)
      note("there remove note \(chosen.text)")
      return
    }
    let card = random.pick(Self.cards)
    // An edit that arrived unnoticed is sent again if somebody else creates the card again: with its value missing, the
    // new card looks like the one before the edit.
    for entry in try bench.outbox.entries() where entry.$target == "cards/\(card)".exact && entry.outcomeUnknown {
      for value in entry.edit.members.compactMap(\.value.string) { repeatable.insert(value) }
    }
    server.change { if $0.cards[card.exact] != nil { $0.remove(card) } }
    note("there remove \(card)")
  }

  private mutating func removeNote(_ text: String) {
    notes.removeAll { $0 == text }
    removedNotes.insert(text)
  }

  private mutating func addNote() async throws {
    let text = value()
    try await bench.add(note: text, entry: "n\(nextValue)")
    notes.append(text)
    tally[.edits] += 1
    note("note \(text)")
  }

  private mutating func sync(kill: Kill?, force: Bool? = nil) async throws {
    tally[.syncs] += 1
    let kill = kill ?? Kill(after: nil)
    let engine = engine(kill)
    let force = force ?? (random.below(2) == 0)
    let options = SyncOptions(force: force, asksEarly: force, jobs: 1)
    note("sync")
    _ = try? await engine.sync(Self.follows, options)
    if kill.isDead {
      tally[.kills] += 1
      note("killed")
    }
  }

  /// A process leads and is paused while it sends. Another one leads meanwhile, and still does when the first one goes on.
  private mutating func pause() async throws {
    guard lead.holder == Self.process else { return }
    tally[.pauses] += 1
    let name = "paused-\(tally[.pauses])"
    let watched = WatchedTransport(inner: server, watch: watch, store: bench.store, coder: bench.coder)
    let transport = PausedTransport(watched, at: random.below(4), isAfter: random.below(2) == 0)
    lead.holder = name
    note("\(name) leads")
    let engine = engine(name, bench.store, transport)
    let flush = Task {
      _ = try? await engine.flush(only: nil)
      transport.reach()
    }
    await transport.reached()
    lead.holder = Self.process
    note("\(name) is paused")
    for _ in 0..<random.below(5) { try await step() }
    // A daemon that learns that it does not lead any more cancels what it does.
    if random.below(2) == 0 { flush.cancel() }
    transport.release()
    await flush.value
    note("\(name) has gone on")
  }

  private static let process = "process"

  /// An engine of a process on the store.
  func engine(_ kill: Kill) -> SyncEngine {
    let transport = WatchedTransport(
      inner: KilledTransport(inner: server, kill: kill), watch: watch, store: bench.store, coder: bench.coder)
    return engine(Self.process, KilledStore(inner: bench.store, kill: kill), transport)
  }

  /// Those that were killed are not alive, those that were paused are.
  private func engine(_ name: String, _ store: any RecordStore, _ transport: any HTTPTransport) -> SyncEngine {
    SyncEngine(
      store: store, outbox: LeadingStore(base: store, lead: lead, name: name), sources: bench.sources,
      transport: transport, coder: bench.coder, time: bench.time, random: SeededRandom(seed: random.next()),
      events: bench.events, process: ProcessIdentity(name: name) { $0 != Self.process })
  }

  private mutating func flush() async throws {
    tally[.syncs] += 1
    note("flush")
    _ = try? await engine(Kill(after: nil)).flush(only: nil)
  }

  private mutating func resolveOne() async throws {
    guard let entry = try bench.outbox.entries().first(where: { $0.state != .pending }) else { return }
    if entry.state == .conflict {
      tally[.conflicts] += 1
      let side = random.pick(ConflictSide.allCases)
      note("resolve \(entry.id) \(side)")
      _ = try await bench.outbox.resolve(entry.id, take: side)
      if side == .theirs { giveUp(entry) }
      if side == .mine, entry.kind == .put, entry.theirs?.members.allSatisfy({ $0.value == .null }) == true {
        // The card is created again in its local version, or in the one that was removed here as well.
        let removed = try bench.outbox.entries().filter { $0.$target == entry.$target && $0.kind == .delete }
        let card = try (bench.card(entry.targetID)?.members ?? []) + removed.flatMap(\.base.members)
        for value in card.compactMap(\.value.string) { repeatable.insert(value) }
      }
      if side == .mine { for value in entry.edit.members.compactMap(\.value.string) { repeatable.insert(value) } }
    } else {
      tally[.refusals] += 1
      note("discard \(entry.id)")
      _ = try await bench.outbox.discard(entry.id)
      giveUp(entry)
    }
  }

  private mutating func giveUp(_ entry: OutboxEntry) {
    for member in entry.edit.members { excuse(entry.targetID, member.key, member.value, "given up") }
  }

  /// Ends the faults, resolves all conflicts, and syncs until nothing changes.
  private mutating func settle() async throws {
    for _ in 0..<40 {
      try await sync(kill: nil, force: true)
      noteState()
      let entries = try bench.outbox.entries()
      if entries.isEmpty {
        // A note that was removed with the last edits makes room in the list for one beyond its limit.
        if server.now.notes.count >= Self.mostNotes { try await sync(kill: nil, force: true) }
        return
      }
      try await resolveOne()
    }
    throw BrokenHistory("the outbox never empties: \(try bench.outbox.entries().map(\.fields))")
  }

  mutating func note(_ text: String) { log.append(text) }

  /// Logs the state of both sides, to analyse a history that failed.
  private mutating func noteState() {
    func show(_ fields: JSONObject?) -> String {
      fields.map { String(decoding: bench.coder.encode($0), as: UTF8.self) } ?? "-"
    }
    for card in Self.cards {
      note("    here \(show(try? bench.card(card)))  there \(show(server.now.cards[card.exact]))")
    }
    for entry in (try? bench.outbox.entries()) ?? [] { note("    \(show(entry.fields))") }
  }
}

extension History {
  mutating func check() throws {
    let state = server.now
    tally[.faults] += faults.count
    try checkSidesAgree(state)
    try checkNoEditIsLost(state)
    try checkNothingIsOverwrittenUnseen(state)
    try checkNothingIsRemovedUnseen(state)
    try checkNotes(state)
    try checkNothingIsSentBlindly()
  }

  private func checkSidesAgree(_ state: FakeSourceServer.State) throws {
    for card in Self.cards {
      let here = try bench.card(card)
      guard here == state.cards[card.exact] else {
        throw BrokenHistory(
          "\(card) is \(String(describing: here)), there \(String(describing: state.cards[card.exact]))")
      }
    }
  }

  private func checkNoEditIsLost(_ state: FakeSourceServer.State) throws {
    for edit in edits where edit.excuse == nil {
      guard state.values["\(edit.card)/\(edit.field)".exact]?.contains(edit.value) == true else {
        throw BrokenHistory("the edit \(edit.card).\(edit.field) = \(edit.value) is lost")
      }
    }
    // A value occurs twice only if the user chose it over the value that had replaced it, or a removal undid its arrival.
    for (place, values) in state.values {
      let once = values.compactMap(\.string).filter { !repeatable.contains($0) }
      if Set(once).count == once.count { continue }
      throw BrokenHistory("\(place) had a value twice: \(values)")
    }
  }

  /// A value of another client is replaced only by another client, or by an edit whose author had seen the value.
  private func checkNothingIsOverwrittenUnseen(_ state: FakeSourceServer.State) throws {
    for (place, values) in state.values {
      for (old, new) in zip(values, values.dropFirst()) {
        guard let old = old.string, let new = new.string, remoteValues.contains(old), !remoteValues.contains(new) else {
          continue
        }
        guard watch.known("\(place)=\(new)").contains(old) else {
          throw BrokenHistory("\(place): \(new) took the place of \(old), which nobody here had seen")
        }
      }
    }
  }

  /// A card that was removed locally contained no value of another client that its author had not seen.
  private func checkNothingIsRemovedUnseen(_ state: FakeSourceServer.State) throws {
    for removal in state.removals {
      for member in removal.fields.members {
        guard let value = member.value.string, remoteValues.contains(value) else { continue }
        guard watch.known("\(removal.id)/\(member.key)=removed").contains(value) else {
          throw BrokenHistory("\(removal.id) was removed with \(member.key)=\(value), which nobody here had seen")
        }
      }
    }
  }

  private func checkNotes(_ state: FakeSourceServer.State) throws {
    let there = state.notes.map(\.text)
    for text in notes {
      let count = there.filter { $0 == text }.count
      guard count == 1 else { throw BrokenHistory("the note \(text) is there \(count) times") }
    }
    for text in removedNotes where there.contains(text) { throw BrokenHistory("the removed note \(text) is there") }
    var here: [String] = []
    for id in try bench.ids(FakeSource.notes) {
      here.append(try bench.record(FakeSource.notes, id)?["text"]?.string ?? "")
    }
    guard here.sorted() == there.sorted() else { throw BrokenHistory("the notes here are \(here), there \(there)") }
  }

  /// The server was read before an edit that may have arrived was sent again.
  private func checkNothingIsSentBlindly() throws {
    if let entry = watch.blind { throw BrokenHistory("\(entry) was sent again without a look") }
  }

  /// A second sync sends nothing and changes no record.
  func checkQuiet() async throws {
    let writes = server.now.seen.filter { $0.method != .get }.count
    let place = try bench.place()
    // The follow of a card that both sides removed fails.
    let gone = Self.cards.filter { server.now.cards[$0.exact] == nil }.map { "fake/card/\($0)".exact }
    let follows = Self.follows.filter { !gone.contains($0.$path) }
    let report = try await engine(Kill(after: nil)).sync(follows, SyncOptions(asksEarly: true))
    guard server.now.seen.filter({ $0.method != .get }).count == writes,
      try bench.store.recordChanges(since: place).isEmpty,
      report.follows.allSatisfy({ $0.status == .unchanged })
    else { throw BrokenHistory("a second sync still moves something: \(report.fields)") }
  }
}
