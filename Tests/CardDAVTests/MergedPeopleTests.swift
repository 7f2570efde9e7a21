import AlmanacTesting
import CardDAV
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// Two people who become one: what the server gets, and when.
@Suite struct MergedPeopleTests {
  private let server = FakeCardDAV()

  private func house() async throws -> (house: CardDAVHouse, a: Person, b: Person) {
    server.put("a.vcf", vCard("Ada Byron", uid: "a", "TEL:111", "X-OWN:a"))
    server.put("b.vcf", vCard("Ada Byron", uid: "b", "TEL:222", "NOTE:Of b", "X-OTHER:b", "URL:https://b.example"))
    let house = try await CardDAVHouse.synced(server.transport)
    let people = try house.all()
    return (
      house, try #require(people.first { $0.details.note == nil }),
      try #require(people.first { $0.details.note != nil })
    )
  }

  /// The numbers that the server has, in whatever cards.
  private var numbers: [String] {
    server.cards.values.flatMap { $0.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("TEL") } }
      .map { String($0.suffix(3)) }.sorted()
  }

  @Test func theCardGetsTheDetailsAndTheOtherOneIsRemovedAfterwards() async throws {
    let (house, a, b) = try await house()
    let merged = try await house.people.merge(a.id, b.id, [:])
    #expect(merged.person.id == a.id && merged.person.details.phones.map(\.value) == ["111", "222"])
    #expect(merged.person.details.note == "Of b" && merged.lost.contains("X-OTHER") && merged.isSent)
    #expect(try house.all() == [merged.person])
    _ = server.taken()
    try await house.flush()
    let changes = server.taken().filter { $0.method == .put || $0.method == .delete }
    #expect(changes.map(\.method) == [.put, .delete])
    try await house.sync()
    #expect(server.cards.keys.sorted() == ["a.vcf"] && numbers == ["111", "222"])
    #expect(server.cards["a.vcf"]?.contains("X-OWN:a") == true)
    #expect(try house.all().map(\.id) == [a.id] && house.outbox.entries().isEmpty)
  }

  /// A photo is a field: the card that stays gets it.
  @Test(arguments: [true, false]) func thePhotoOfTheOtherCardIsTaken(_ isSent: Bool) async throws {
    let photo = try #require(ContactPhoto([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]))
    server.put("b.vcf", vCard("Ada Byron", uid: "b", "PHOTO;ENCODING=b;TYPE=JPEG:\(photo.data)"))
    if isSent { server.put("a.vcf", vCard("Ada Byron", uid: "a", "TEL:111")) }
    let house = CardDAVHouse(server.transport)
    if isSent { try await house.sync() }
    for card in isSent ? [] : [vCard("Ada Byron", uid: "a", "TEL:111"), server.cards["b.vcf"] ?? ""] {
      _ = try await house.people.importContacts(Array(card.utf8), file: "a.vcf")
    }
    let people = try house.all()
    let (a, b) = (people.first { $0.details.photo == nil }, people.first { $0.details.photo != nil })
    let merged = try await house.people.merge(#require(a).id, #require(b).id, [:])
    #expect(merged.lost == [])
    if isSent {
      try await house.flush()
      try await house.sync()
      #expect(server.cards.keys.sorted() == ["a.vcf"])
    }
    #expect(VCardFormat().photo(of: try house.people.contacts()) == photo)
    #expect(try house.all()[0].details.photo == ContactPhoto(type: "image/jpeg", bytes: 7))
  }

  /// While the change cannot be sent, the other card is not removed; if it is given up, both are as before.
  @Test func noCardIsRemovedBeforeTheChangeIsAccepted() async throws {
    let (house, a, b) = try await house()
    server.change { $0.isReadOnly = true }
    let before = try house.all()
    _ = try await house.people.merge(a.id, b.id, [:])
    try await house.flush()
    server.change { $0.isReadOnly = false }
    try await house.flush()
    #expect(server.cards.count == 2 && numbers == ["111", "222"])
    let entries = try house.outbox.entries()
    let change = try #require(entries.first { $0.kind == .put })
    #expect(
      change.state == .refused && entries.first { $0.kind == .delete }?.lastError?.contains(change.target) == true)
    _ = try await house.outbox.discard(change.id)
    #expect(try house.all().map(\.details) == before.map(\.details) && house.outbox.entries().isEmpty)
  }

  @Test func nothingIsLostOrDoubledWhereverItIsKilled() async throws {
    let (house, a, b) = try await house()
    _ = try await house.people.merge(a.id, b.id, [:])
    var (steps, kills) = (1, 0)
    while try !house.outbox.entries().isEmpty, steps < 100 {
      let before = try house.outbox.entries().count
      let kill = Kill(after: steps)
      let engine = SyncEngine(
        store: KilledStore(inner: house.store, kill: kill), sources: [house.source],
        transport: KilledTransport(inner: server.transport, kill: kill), coder: house.coder, time: house.time,
        random: SeededRandom(seed: UInt64(steps)), events: RecordedEvents())
      _ = try? await engine.sync([house.follow], SyncOptions(jobs: 1))
      if kill.isDead { kills += 1 }
      // Whatever was reached, the server has both numbers.
      #expect(Set(numbers) == ["111", "222"], "after \(steps) steps")
      steps = try house.outbox.entries().count < before ? 1 : steps + 1
    }
    try await house.sync()
    #expect(kills > 10)
    #expect(server.cards.count == 1 && numbers == ["111", "222"])
    #expect(try house.all().map(\.id) == [a.id])
  }

  /// A person who is only here is merged into the one of the address book, in whatever order they are named.
  @Test func theCardOfTheServerStays() async throws {
    let (house, a, b) = try await house()
    let local = try await house.people.add(
      firstName: "Ada", lastName: "King", birthday: Birthday("1815-12-10"), fullName: nil,
      details: ["nickname": "Countess"], to: nil)
    await #expect { try await house.people.merge(local.id, a.id, [:]) } throws: { error in
      (error as? Failure)?.code == .own(.conflict)
    }
    let merged = try await house.people.merge(local.id, a.id, ["name": .a])
    #expect(merged.person.id == a.id && merged.person.fullName == "Ada King")
    #expect(merged.person.birthday == local.birthday && merged.person.details.nickname == "Countess")
    try await house.sync()
    #expect(server.cards["a.vcf"]?.contains("FN:Ada King") == true && server.cards.count == 2)
    await #expect(throws: Failure.self) { try await house.people.merge(b.id, b.id, [:]) }
  }

  @Test func aPairThatIsNotedAsDifferentIsNotListed() async throws {
    let (house, a, b) = try await house()
    #expect(try house.people.duplicates().count == 1)
    try await house.people.note(b.id, a.id, areDifferent: true)
    #expect(try house.people.duplicates().isEmpty)
    try await house.sync()
    #expect(try house.people.duplicates().isEmpty && house.all().count == 2)
    // A third card of the same person is another pair with each of them.
    server.put("c.vcf", vCard("Ada Byron", uid: "c", "TEL:111"))
    try await house.sync()
    #expect(try house.people.duplicates().count == 2)
    try await house.people.note(a.id, b.id, areDifferent: false)
    #expect(try house.people.duplicates().count == 3)
    await #expect(throws: Failure.self) { try await house.people.note(a.id, a.id, areDifferent: true) }
  }

  /// A person who was only here gets another id when the server has the card.
  @Test func theyStayDifferentWhenOneGetsTheIDOfTheServer() async throws {
    let (house, a, _) = try await house()
    let book = FollowedBook(follow: house.follow.path, source: .cardDAV)
    let local = try await house.people.add(
      firstName: "Ada", lastName: "Byron", birthday: nil, fullName: nil, details: ["nickname": "Countess"], to: book,
      isNew: true, alongside: nil)
    try await house.people.note(local.id, a.id, areDifferent: true)
    let before = try house.people.duplicates().count
    try await house.flush()
    try await house.sync()
    #expect(try house.all().count == 3 && house.people.duplicates().count == before)
  }

  @Test func ofABookThatMayOnlyBeReadNobodyIsMerged() async throws {
    server.change { $0.isReadOnly = true }
    let (house, a, b) = try await house()
    await #expect { try await house.people.merge(a.id, b.id, [:]) } throws: { error in
      (error as? Failure)?.code == .own(.readOnly)
    }
    #expect(try house.all().count == 2 && house.outbox.entries().isEmpty)
  }
}
