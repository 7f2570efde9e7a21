import AlmanacTesting
import Assembly
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Testing

/// What records were, who changed them, and how they become so again.
@Suite struct RecordHistoryTests {
  private let time = ManualTime()
  private let store: InMemoryRecordStore
  private let coder = JSONRecordCoder()
  private let items = CollectionName(rawValue: "items")

  init() { store = InMemoryRecordStore(time: time) }

  private func services(
    _ command: String? = "people edit", _ kind: ChangeCause.Kind = .edit, over other: (any RecordStore)? = nil
  ) -> LocalServices {
    LocalServices(
      store: other ?? store, sources: .compiled, coder: coder, time: time,
      random: SeededRandom(seed: UInt64(time.now.secondsSinceEpoch)),
      events: RecordedEvents(), cause: command.map { ChangeCause(kind, tool: .command($0)) })
  }

  private func put(_ collection: CollectionName, _ id: String, _ record: String?, _ cause: ChangeCause) async throws {
    time.set(by: 60)
    _ = try await store.write { (transaction) throws(StoreError) in
      transaction.explain(cause)
      if let record {
        try transaction.put(Array(record.utf8), id: id, in: collection)
      } else {
        try transaction.delete(collection, id)
      }
    }
  }

  private func changes(_ query: HistoryQuery) throws -> [String] {
    var found: [String] = []
    try services().history().changes(query) { entry in
      let what = entry.kind == "changed" ? entry.differences.map(\.field).joined(separator: " ") : entry.kind
      found.append("\(entry.commit) \(entry.origin?.cause?.words ?? "") \(entry.id) \(what)")
      return .next
    }
    return found
  }

  private let sync = ChangeCause(.sync, follow: "shop/all", run: "r1")

  /// A person is added, renamed, and removed; a record of another collection is pulled in between.
  private func someHistory() async throws -> String {
    let ada = try await services("people add").people.add(firstName: "Ada", lastName: "Byron", birthday: nil)
    try await put(items, "1", #"{"id":"1","price":{"amount":"2","currency":"EUR"},"name":"Tea"}"#, sync)
    time.set(by: 60)
    _ = try await services().people.edit(ada.id, PersonChange(lastName: "King"))
    try await put(items, "1", #"{"id":"1","price":{"amount":"3","currency":"EUR"},"name":"Tea"}"#, sync)
    time.set(by: 60)
    _ = try await services("people remove").people.remove(ada.id, ifStored: nil)
    return ada.id
  }

  @Test func changesComeNewestFirst() async throws {
    let ada = try await someHistory()
    let all = [
      "5 edit (people remove) \(ada) removed", "4 sync shop/all 1 price.amount",
      "3 edit (people edit) \(ada) lastName fullName", "2 sync shop/all 1 added", "1 edit (people add) \(ada) added",
    ]
    #expect(try changes(HistoryQuery()) == all)
    #expect(try changes(HistoryQuery(limit: 2)) == Array(all.prefix(2)))
    #expect(try changes(HistoryQuery([.people])) == [all[0], all[2], all[4]])
    #expect(try changes(HistoryQuery([.people], record: ada, limit: 1)) == [all[0]])
    #expect(try changes(HistoryQuery(cause: "sync")) == [all[1], all[3]])
    #expect(try changes(HistoryQuery(cause: "people edit")) == [all[2]])
    #expect(try changes(HistoryQuery(field: "price")) == [all[1], all[3]])
    let history = try services().history()
    let (second, fourth) = (try history.moment("commit:2"), try history.moment("commit:4"))
    #expect(try changes(HistoryQuery(since: second, until: fourth)) == [all[1], all[2]])
    #expect(try changes(HistoryQuery([items], record: "1", since: second, until: fourth)) == [all[1]])
  }

  /// More commits than are looked at at once.
  @Test func longHistoriesAreListedInOrder() async throws {
    for number in 1...450 { try await put(items, "\(number % 7)", #"{"id":"\#(number % 7)","n":\#(number)}"#, sync) }
    for limit in [nil, 3, 101, 449] {
      let commits = try changes(HistoryQuery(limit: limit)).map { $0.split(separator: " ")[0] }
      #expect(commits == (1...450).reversed().prefix(limit ?? .max).map { "\($0)"[...] })
    }
    #expect(try changes(HistoryQuery([items], record: "3")).count == 64)
  }

  @Test func aMovedRecordKeepsItsHistory() async throws {
    try await put(items, "new", #"{"id":"new","name":"Tea"}"#, ChangeCause(.edit))
    time.set(by: 60)
    _ = try await store.write { (transaction) throws(StoreError) in
      transaction.explain(ChangeCause(.sent, moved: [.init(items, from: "new", to: "7")]))
      try transaction.delete(items, "new")
      try transaction.put(Array(#"{"id":"7","name":"Tea","sku":"x"}"#.utf8), id: "7", in: items)
    }
    try await put(items, "7", #"{"id":"7","name":"Green tea","sku":"x"}"#, sync)
    #expect(
      try changes(HistoryQuery([items], record: "7"))
        == ["3 sync shop/all 7 name", "2 sent 7 id sku", "1 edit new added"])
    let history = try services().history()
    let blamed = try history.blame(items, "7", at: history.moment("commit:2"))
    #expect(blamed.map { "\($0.field) \($0.commit ?? 0)" } == ["id 2", "name 1", "sku 2"])
  }

  @Test func blameNamesTheLastChangeOfEachField() async throws {
    _ = try await someHistory()
    let history = try services().history()
    let blamed = try history.blame(items, "1", at: history.moment("now"))
    #expect(
      blamed.map { "\($0.field) \($0.commit ?? 0) \($0.origin?.cause?.kind.rawValue ?? "")" }
        == ["id 2 sync", "price.amount 4 sync", "price.currency 2 sync", "name 2 sync"])
    #expect(throws: Failure.self) { try history.blame(items, "2", at: history.moment("now")) }
  }

  @Test func theDifferenceIsThatOfTheTwoStates() async throws {
    let ada = try await someHistory()
    try await put(items, "2", #"{"id":"2"}"#, sync)
    try await put(items, "2", nil, sync)
    let history = try services().history()
    func difference(_ from: String, _ to: String) throws -> [String] {
      var found: [String] = []
      try history.difference(from: history.moment(from), to: history.moment(to), in: []) { entry in
        found.append("\(entry.id) \(entry.kind) \(entry.before?["lastName"]?.string ?? "")")
        return .next
      }
      return found
    }
    #expect(try difference("commit:1", "now") == ["\(ada) removed Byron", "1 added "])
    #expect(try difference("commit:2", "commit:4") == ["\(ada) changed Byron", "1 changed "])
    #expect(try difference("now", "now") == [])
    #expect(throws: Failure.self) { try difference("now", "commit:2") }
  }

  @Test func timesAreReadAsPeopleWriteThem() async throws {
    let begun = time.now
    try await put(items, "1", #"{"id":"1"}"#, sync)
    time.set(by: 3 * 86_400)
    try await put(items, "1", #"{"id":"1","n":1}"#, sync)
    let history = try services().history()
    for (text, commit) in [
      ("now", 2), ("commit:1", 1), ("1d", 1), ("1m", 1), ("\(begun + 60)", 1), ("\((begun + 86_400).date)", 1),
      ("yesterday", 1), ("2 days ago", 1), ("\(time.now.date)", 2),
    ] {
      #expect(try history.moment(text).commit == UInt64(commit), "\(text)")
    }
    for text in ["", "soon", "last year", "commit:3", "commit:", "2026-13-01", "40d", "\((begun + 5 * 86_400).date)"] {
      #expect(throws: Failure.self, "\(text)") { try history.moment(text) }
    }
  }

  @Test func thePastIsReadByTheSameServices() async throws {
    let ada = try await someHistory()
    let past = try services().past(at: services().history().moment("commit:2"))
    #expect(try coder.decode(past.library.record(.people, ada))["lastName"] == "Byron")
    var found: [String] = []
    try past.library.search(["byron"], in: [], limit: 10) { record in
      found.append(record.id)
      return .next
    }
    #expect(found == [ada])
    #expect(try past.library.count(.people) == 1)
    #expect(try services().library.count(.people) == 0)
    await #expect(throws: Failure.self) { try await past.people.remove(ada, ifStored: nil) }
  }

  @Test func aChangedRecordIsRestoredByAnEdit() async throws {
    let ada = try await services("people add").people.add(firstName: "Ada", lastName: "Byron", birthday: nil)
    time.set(by: 60)
    _ = try await services().people.edit(
      ada.id, PersonChange(lastName: "King", birthday: Birthday("1815-12-10"), details: ["organization": "AE"]))
    time.set(by: 60)
    let history = try services("restore", .restore).history()
    let restoration = try history.restoration(of: .people, ada.id, at: history.moment("commit:1"))
    #expect(restoration.leftOut == [])
    #expect(try await history.restore(restoration, in: []).id == ada.id)
    let restored = try coder.decode(services().library.record(.people, ada.id))
    #expect(restored["lastName"] == "Byron" && restored["birthday"] == nil && restored["organization"] == nil)
    #expect(try store.origin(of: 3)?.cause?.kind == .restore)
    #expect(throws: Failure.self) { try history.restoration(of: .people, ada.id, at: history.moment("commit:1")) }
    // Another state than the restoration was made for.
    await #expect(throws: Failure.self) { try await history.restore(restoration, in: []) }
  }

  @Test func aRemovedRecordComesBack() async throws {
    let ada = try await someHistory()
    let history = try services("restore", .restore).history()
    let restored = try await history.restore(
      history.restoration(of: .people, ada, at: history.moment("commit:4")), in: [])
    #expect(try restored.id == ada && coder.decode(services().library.record(.people, ada))["lastName"] == "King")
    #expect(try changes(HistoryQuery([.people], record: ada)).count == 4)
    // A record of no source comes back under its id, and what a source owns does not.
    try await put(items, "1", nil, sync)
    let item = try history.restoration(of: items, "1", at: history.moment("commit:4"))
    #expect(try await history.restore(item, in: []).id == "1")
    #expect(try coder.decode(services().library.record(items, "1"))["price"]?.object?["amount"] == "3")
    try await put(.photos, "9", #"{"id":"9","title":"A"}"#, sync)
    try await put(.photos, "9", #"{"id":"9","title":"B"}"#, sync)
    #expect(throws: Failure.self) {
      try history.restoration(of: .photos, "9", at: history.moment("1m"))
    }
  }

  /// The server still has it: its removal is given up.
  @Test func aRemovalThatWaitsIsGivenUp() async throws {
    try await put(
      .people, "a", #"{"id":"a","firstName":"Ada","lastName":"Byron","fullName":"Ada Byron","origin":"carddav/b/c"}"#,
      sync)
    _ = try await store.write { (transaction) throws(StoreError) in
      let entry = OutboxEntry(
        id: "e1", target: "people/a", kind: .delete, edit: [:],
        base: ["firstName": "Ada", "lastName": "Byron", "fullName": "Ada Byron", "origin": "carddav/b/c"],
        createdAt: time.now)
      try transaction.put(entry, coder)
      try transaction.delete(.people, "a")
    }
    let history = try services("restore", .restore).history()
    let removed = try history.restoration(of: .people, "a", at: history.moment("commit:1"))
    #expect(try await history.restore(removed, in: []).id == "a")
    #expect(try services().outbox.entries().isEmpty)
    #expect(try services().library.count(.people) == 1)
  }

  /// A photo comes back as long as its bytes are known: from the card, or from a former one.
  @Test(arguments: ["edited", "replaced", "removed", "removed by the daemon", "not kept"])
  func aPhotoIsRestored(_ what: String) async throws {
    let folder = NSTemporaryDirectory() + "almanac-kept-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keeps = HistorySetting.policies { $0.isInternal ? .none : .forever }
    let store: any HistoricalStore =
      what == "not kept" ? try JSONFileStore(folder: folder, history: keeps, time: time) : store
    func services(_ command: String? = "people edit", _ kind: ChangeCause.Kind = .edit) -> LocalServices {
      self.services(command, kind, over: store)
    }
    let photo = try #require(ContactPhoto([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]))
    let other = try #require(ContactPhoto([0xFF, 0xD8, 0xFF, 0xE0, 9]))
    let ada = try await services("people add").people.add(
      firstName: "Ada", lastName: "Byron", birthday: nil, details: ["photo": .object(photo.fields)])
    time.set(by: 60)
    switch what {
    case "edited": _ = try await services().people.edit(ada.id, PersonChange(details: ["photo": .null]))
    case "replaced":
      _ = try await services().people.edit(ada.id, PersonChange(details: ["photo": .object(other.fields)]))
    case "removed": _ = try await services("people remove").people.remove(ada.id)
    default:
      // The daemon remembers nothing for an undo.
      _ = try await services(nil).because(ChangeCause(.edit)).people.remove(ada.id)
    }
    let history = try services("restore", .restore).history()
    let restoration = try history.restoration(of: .people, ada.id, at: history.moment("commit:1"))
    let restored = try await history.restore(restoration, in: [])
    #expect(restored.id == ada.id && !restored.waits)
    let cards = try services().people.contacts()
    #expect(VCardFormat().photo(of: cards) == (what == "not kept" ? nil : photo))
    #expect(restoration.leftOut == (what == "not kept" ? ["photo"] : []))
  }

  /// Nothing that was stored is refused as what somebody enters is.
  @Test func whatCannotBeEnteredIsRestored() async throws {
    let record =
      #"{"id":"a","firstName":"Ada","fullName":"Ada","emails":[{"value":"ada at home"}],"photo":{"url":"http://a.example/a.jpg"}}"#
    try await put(.people, "a", record, sync)
    try await put(.people, "a", nil, sync)
    let history = try services("restore", .restore).history()
    let restoration = try history.restoration(of: .people, "a", at: history.moment("commit:1"))
    _ = try await history.restore(restoration, in: [])
    let restored = try coder.decode(services().library.record(.people, "a"))
    #expect(restored == (try coder.decode(Array(record.utf8))) && restoration.leftOut == [])
  }

  /// A person of an address book returns to it, unless it is not followed or may only be read.
  @Test(arguments: ["followed", "read-only", "left"]) func aRemovedPersonReturnsToTheBook(_ state: String) async throws
  {
    let book = FollowedBook(follow: "carddav/home/book", source: .cardDAV)
    let record = #"{"id":"a","firstName":"Ada","lastName":"Byron","fullName":"Ada Byron","origin":"carddav/home/book"}"#
    try await put(.people, "a", record, sync)
    try await put(.people, "a", nil, sync)
    if state == "read-only" {
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
        try transaction.setState(StateKey(.follow, book.follow), to: ["memory": ["readOnly": true]], coder)
      }
    }
    let history = try services("restore", .restore).history()
    let restoration = try history.restoration(of: .people, "a", at: history.moment("commit:1"))
    let restored = try await history.restore(restoration, in: state == "left" ? [] : [book])
    let isBack = state == "followed"
    #expect(
      restored == RestoredRecord(id: "a", waits: isBack, formerBook: isBack ? nil : book.follow, hasNewCard: true))
    let entries = try services().outbox.entries()
    #expect(entries.map(\.target) == (isBack ? ["people/a"] : []) && entries.allSatisfy { $0.kind == .post })
    let now = try coder.decode(services().library.record(.people, "a"))
    #expect(now["origin"]?.string == (isBack ? book.follow : nil))
    #expect(try changes(HistoryQuery([.people], record: "a")).count == 3)
  }

  /// The card of a removed person goes when the server has removed it; a restoration still has it, and so the same `UID`.
  @Test func aRestoredPersonKeepsTheCard() async throws {
    let book = FollowedBook(follow: "carddav/home/book", source: .cardDAV)
    let person = Person(id: "a", firstName: "Ada", lastName: "Byron", birthday: nil, origin: book.follow)
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u-1\r\nN:Byron;Ada;;;\r\nFN:Ada Byron\r\nX-SKI:1\r\nEND:VCARD\r\n"
    _ = try await store.write { [coder, sync] (transaction) throws(StoreError) in
      transaction.explain(sync)
      try transaction.put(person, coder)
      let stored = StoredCard(id: person.id, bytes: Array(card.utf8))
      try transaction.put(coder.encode(stored.fields), id: person.id, in: .cards)
      let remote: JSONObject = ["source": "carddav", "base": .object(person.fields), "memory": [:]]
      try transaction.setState(StateKey(.remote, "people/a"), to: remote, coder)
    }
    time.set(by: 60)
    #expect(try await services("people remove").people.remove("a").isSent)
    #expect(try services().undo.commands().first?.refusal == nil)
    // The server accepts the removal.
    let edit = try #require(try services().outbox.entries().first)
    _ = try await store.write { [sync] (transaction) throws(StoreError) in
      transaction.explain(sync)
      try transaction.delete(.outbox, edit.id)
      try transaction.delete(.cards, "a")
      try transaction.clearState(StateKey(.remote, "people/a"))
    }
    #expect(try services().undo.commands().first?.refusal?.code == .own(.changedSince))
    let history = try services("restore", .restore).history()
    let restored = try await history.restore(
      history.restoration(of: .people, "a", at: history.moment("commit:1")), in: [book])
    #expect(restored == RestoredRecord(id: "a", waits: true))
    #expect(try String(decoding: services().people.contacts(), as: UTF8.self) == card)
  }

  /// What a server has is not replaced behind its back: the change of an imported line is an edit.
  @Test func anImportedChangeOfARecordOfAServerIsAnEdit() async throws {
    let book = FollowedBook(follow: "carddav/home/book", source: .cardDAV)
    let person = Person(id: "a", firstName: "Ada", lastName: "Byron", birthday: nil, origin: book.follow)
    _ = try await store.write { [coder, sync] (transaction) throws(StoreError) in
      transaction.explain(sync)
      try transaction.put(person, coder)
      let remote: JSONObject = ["source": "carddav", "base": .object(person.fields), "memory": [:]]
      try transaction.setState(StateKey(.remote, "people/a"), to: remote, coder)
    }
    var changed = person
    changed.details.title = "Countess"
    for record in [person, changed] {
      var lines = [coder.encode(record.fields) + [10], Array(#"{"id":"x","firstName":"Bo"}"#.utf8 + [10])]
      let (library, history) = try (services("import", .import).library, services("import", .import).history())
      let result = try await library.importLines(into: .people) { lines.popLast() }
      #expect(result.changed == (record == person ? [] : [changed.fields]))
      for edit in try history.edits(to: result.changed, of: .people).edits {
        try await history.restore(edit, in: [book])
      }
    }
    #expect(try services().outbox.entries().map(\.edit) == [["title": "Countess"]])
    let stored = try store.snapshot().record(Person.self, "a", coder)
    #expect(stored?.details.title == "Countess")
  }

  /// Also where a line is what would be written.
  @Test func anImportedChangeOfAProfileIsAnEdit() async throws {
    let profile = #"{"id":"ada","name":"Ada","email":"a@b.c"}"#
    try await put(.profiles, "ada", profile, sync)
    let fields = try coder.decode(Array(profile.utf8))
    _ = try await store.write { [coder, sync] (transaction) throws(StoreError) in
      transaction.explain(sync)
      let remote: JSONObject = ["source": "users", "base": .object(fields), "memory": [:]]
      try transaction.setState(StateKey(.remote, "profiles/ada"), to: remote, coder)
    }
    let (library, history) = try (services("import", .import).library, services("import", .import).history())
    var lines = [Array((profile + "\n").utf8)]
    let same = try await library.importLines(into: .profiles) { lines.popLast() }
    #expect(same == ImportedRecords(added: 0, updated: 0, unchanged: 1))
    lines = [Array((profile.replacing("Ada", with: "Ada King") + "\n").utf8)]
    let changed = try await library.importLines(into: .profiles) { lines.popLast() }
    #expect(changed.updated == 0 && changed.changed.map { $0["name"] } == ["Ada King"])
    for edit in try history.edits(to: changed.changed, of: .profiles).edits { try await history.restore(edit, in: []) }
    #expect(try services().outbox.entries().map(\.edit) == [["name": "Ada King"]])
  }

  /// Every service that a person's commands use says why it commits; the store refuses the others.
  @Test func everyCommitOfACommandHasACause() async throws {
    let strict = ExplainedStore(store)
    await #expect(throws: Failure.self) {
      try await services(nil, over: strict).people.add(firstName: "A", lastName: "B", birthday: nil)
    }
    let bound = services(over: strict)
    let ada = try await bound.people.add(firstName: "Ada", lastName: "Byron", birthday: Birthday("1815-12-10"))
    _ = try await bound.people.queue([ada.id])
    _ = try await bound.outbox.discard(try #require(bound.outbox.entries().first).id)
    _ = try await bound.people.remove(ada.id, ifStored: nil)
    try await put(.profiles, "ada", #"{"id":"ada","name":"Ada","email":"a@b.c"}"#, sync)
    _ = try await bound.profiles.edit("ada", ProfileChange(patch: ["name": "Ada King"]), ifStored: nil)
    let undone = try #require(bound.undo.commands().first)
    _ = try await bound.undo.undo(undone.id)
    var lines = [Array(#"{"id":"x","firstName":"Bo","lastName":"Li"}"#.utf8 + [10])]
    _ = try await services("import", .import).library.importLines(into: .people) { lines.popLast() }
    #expect(try changes(HistoryQuery([.people], record: "x"))[0].contains("import (import)"))
  }
}
