import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// People who are added to an address book.
@Suite struct NewPeopleTests {
  private static let book = FollowedBook(follow: "carddav/home/book", source: .cardDAV)

  private func house(
    _ change: @Sendable (inout FakeCardDAV.Peculiarities) -> Void = { _ in }
  ) async throws -> (FakeCardDAV, CardDAVHouse) {
    let server = FakeCardDAV(change)
    server.put("ada.vcf", vCard("Ada Byron", uid: "u1"))
    let house = CardDAVHouse(server.transport)
    try await house.sync()
    _ = server.taken()
    return (server, house)
  }

  @discardableResult
  private func add(_ house: CardDAVHouse, _ name: String = "Grace Hopper") async throws -> Person {
    try await house.people.add(
      firstName: "", lastName: "", birthday: Birthday("--12-09"), fullName: name,
      details: ["emails": [["value": "grace@example.org", "type": "work"]], "note": "a, b; c"], to: Self.book)
  }

  private func flush(_ house: CardDAVHouse) async throws -> OutboxCounts { try await house.engine.flush(only: nil) }

  private func newCard(_ server: FakeCardDAV) -> String? { server.cards.first { $0.key != "ada.vcf" }?.value }

  @Test func aCardIsMadeOnce() async throws {
    let (server, house) = try await house()
    try await add(house)
    #expect(try await flush(house).sent == 1)
    let sent = server.taken()
    let put = try #require(sent.first { $0.method == .put })
    #expect(put.headers["If-None-Match"] == "*" && sent.filter { $0.method == .put }.count == 1)
    let card = try #require(newCard(server))
    for line in [
      "VERSION:3.0", "N:Hopper;Grace;;;", "FN:Grace Hopper", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-09",
      "EMAIL;TYPE=work:grace@example.org", "NOTE:a\\, b\\; c",
    ] { #expect(card.contains("\r\n\(line)\r\n"), "\(line): \(card)") }
    #expect(card.split(separator: "\r\n").filter { $0.hasPrefix("UID:") }.count == 1)
    // The person belongs to the book, and the next sync finds the same one.
    #expect(try await house.sync().counts.added == 0)
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    #expect(try house.cardCount() == 2)
    #expect(try await house.sync().counts.requests == 1)
    let grace = try #require(try house.person("Grace Hopper"))
    _ = try await house.people.edit(grace.id, PersonChange(lastName: "Murray"))
    #expect(try await flush(house).sent == 1)
    #expect(newCard(server)?.contains("N:Murray;Grace;;;") == true)
  }

  @Test(arguments: [false, true]) func aLostAnswerMakesNoSecondCard(_ pulls: Bool) async throws {
    let (server, house) = try await house()
    try await add(house)
    server.loseAnswers(1)
    #expect(try await flush(house).pending == 1)
    // The card may come with a sync before the edit is settled.
    if pulls { try await house.sync() }
    _ = try await flush(house)
    try await house.sync()
    #expect(try house.outbox.entries().isEmpty)
    #expect(server.cards.count == 2)
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    #expect(try house.cardCount() == 2)
  }

  @Test func changesBeforeTheCardIsMadeAreInIt() async throws {
    let (server, house) = try await house()
    let grace = try await add(house)
    let changed = try await house.people.edit(
      grace.id, PersonChange(lastName: "Murray", clearsBirthday: true, details: ["emails": .null]))
    #expect(changed.isSent)
    #expect(try house.outbox.entries().count == 1)
    #expect(try await flush(house).sent == 1)
    let card = try #require(newCard(server))
    #expect(card.contains("N:Murray;Grace;;;") && !card.contains("BDAY") && !card.contains("EMAIL"), "\(card)")
    // Who is removed before leaves nothing at the server.
    let alan = try await add(house, "Alan Turing")
    _ = try await house.people.remove(alan.id)
    #expect(try house.outbox.entries().isEmpty)
    _ = try await flush(house)
    #expect(server.cards.count == 2)
  }

  @Test(arguments: [false, true]) func changesAfterALostAnswerAreSentToo(_ removes: Bool) async throws {
    let (server, house) = try await house()
    let grace = try await add(house)
    server.loseAnswers(1)
    #expect(try await flush(house).pending == 1)
    if removes {
      _ = try await house.people.remove(grace.id)
    } else {
      _ = try await house.people.edit(grace.id, PersonChange(lastName: "Murray"))
    }
    _ = try await flush(house)
    _ = try await flush(house)
    try await house.sync()
    #expect(try house.outbox.entries() == [])
    #expect(server.cards.count == (removes ? 1 : 2))
    #expect(try house.names == (removes ? ["Ada Byron"] : ["Ada Byron", "Grace Murray"]))
    if !removes { #expect(newCard(server)?.contains("N:Murray;Grace") == true) }
  }

  @Test func cardsOfAFileAreAddedWithAllTheirProperties() async throws {
    let (server, house) = try await house()
    let file = Array(
      (vCard("Grace Hopper", uid: "file-1", "X-UNKNOWN;A=b:kept") + vCard("Ada Byron", uid: "u1", "TEL:+1 5")
        + "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Turing;Alan\r\nX-OLD:1\r\nEND:VCARD\r\n"
        + "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Kay;Alan;;;\r\nFN:Alan Kay\r\nEND:VCARD\r\n").utf8)
    let result = try await house.people.importContacts(file, file: "a.vcf", to: Self.book)
    // Ada is in the book already: what the file adds is sent, and nothing of her card is lost.
    #expect(result.added.count == 3 && result.updated.map(\.fullName) == ["Ada Byron"], "\(result)")
    let counts = try await flush(house)
    #expect(counts.sent == 4 && counts.pending + counts.refused + counts.conflict == 0, "\(counts)")
    // The cards stay with the people, also before the next sync.
    #expect(try String(decoding: house.people.contacts(), as: UTF8.self).contains("X-UNKNOWN;A=b:kept"))
    let cards = server.cards
    #expect(cards.count == 4 && cards["ada.vcf"]?.contains("TEL:+1 5") == true)
    #expect(cards.values.contains { $0.contains("X-UNKNOWN;A=b:kept") && $0.contains("UID:file-1") })
    #expect(cards.values.allSatisfy { $0.contains("VERSION:3.0") && $0.contains("\r\nUID:") }, "\(cards)")
    try await house.sync()
    #expect(try house.names == ["Ada Byron", "Alan Kay", "Alan Turing", "Grace Hopper"])
    #expect(try house.cardCount() == 4)
    let again = try await house.people.importContacts(file, file: "a.vcf", to: Self.book)
    #expect(again.added.isEmpty && again.updated.isEmpty)
    #expect(try house.outbox.entries().isEmpty)
    // The card of a person who is removed before it is sent goes with the person.
    let late = try await house.people.importContacts(Array(vCard("Late One").utf8), file: "b.vcf", to: Self.book)
    #expect(try house.cardCount() == 5)
    _ = try await house.people.remove(try #require(late.added.first).id)
    #expect(try house.cardCount() == 4)
  }

  @Test func storedPeopleCanBeSentToABook() async throws {
    let (server, house) = try await house()
    let grace = try await house.people.add(
      firstName: "Grace", lastName: "Hopper", birthday: nil, fullName: nil, details: ["nickname": "Amazing"])
    let queued = try await house.people.queue([grace.id], to: Self.book)
    #expect(queued.entries.count == 1 && queued.leftOut.isEmpty)
    #expect(try await flush(house).sent == 1)
    #expect(newCard(server)?.contains("NICKNAME:Amazing") == true)
    try await house.sync()
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    let stored = try #require(try house.person("Grace Hopper"))
    let again = try await house.people.queue([stored.id], to: Self.book)
    #expect(again.entries.isEmpty)
  }

  /// Who is here already is added to the book, as a plain import finds them.
  @Test(
    arguments: [(nil, nil), ("1906-12-09", "1906-12-09"), (nil, "1906-12-09"), ("1906-12-09", nil)]
      as [(String?, String?)])
  func whoIsHereIsAddedToTheBookByAnImport(here: String?, there: String?) async throws {
    let (server, house) = try await house()
    let grace = try await house.people.add(
      firstName: "Grace", lastName: "Hopper", birthday: here.flatMap { Birthday($0) }, fullName: nil,
      details: ["nickname": "Amazing"])
    let card = vCard("Grace Hopper", uid: "g1", "X-OWN:1", there.map { "BDAY:\($0)" } ?? "NOTE:n")
    let result = try await house.people.importContacts(Array(card.utf8), file: "a.vcf", to: Self.book)
    #expect(result.added.isEmpty && result.updated.map(\.id) == [grace.id], "\(result)")
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    #expect(try house.person("Grace Hopper")?.origin == Self.book.follow)
    #expect(try await flush(house).sent == 1)
    let sent = try #require(newCard(server))
    #expect(sent.contains("NICKNAME:Amazing") && sent.contains("X-OWN:1") && sent.contains("UID:g1"), "\(sent)")
    #expect(sent.contains("BDAY") == (here != nil || there != nil))
    try await house.sync()
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    let again = try await house.people.importContacts(Array(card.utf8), file: "a.vcf", to: Self.book)
    #expect(again.added.isEmpty && again.updated.isEmpty && again.known == 1, "\(again)")
    #expect(try house.outbox.entries().isEmpty)
  }

  @Test(arguments: [(nil, nil), (nil, "--12-09"), ("--12-09", nil)] as [(String?, String?)])
  func whoIsHereIsNotAddedToTheBookTwice(here: String?, there: String?) async throws {
    let (_, house) = try await house()
    let grace = try await house.people.add(
      firstName: "Grace", lastName: "Hopper", birthday: here.flatMap { Birthday($0) }, fullName: nil, details: [:])
    let error = await #expect(throws: Failure.self) {
      try await house.people.add(
        firstName: "Grace", lastName: "Hopper", birthday: there.flatMap { Birthday($0) }, fullName: nil, details: [:],
        to: Self.book)
    }
    #expect(error?.code == "duplicate" && error?.hint?.contains(grace.id) == true, "\(String(describing: error))")
    #expect(error?.hint?.contains("carddav/home/book") == true)
  }

  @Test func aBookThatMayOnlyBeReadTakesNobody() async throws {
    let (server, house) = try await house { $0.isReadOnly = true }
    try await add(house)
    #expect(try await flush(house).refused == 1)
    #expect(server.taken().allSatisfy { $0.method != .put })
    let entry = try #require(try house.outbox.entries().first)
    #expect(entry.lastError == "the address book may only be read")
    _ = try await house.outbox.discard(entry.id)
    #expect(try house.outbox.entries().isEmpty)
  }

  @Test func oneSearchForTheBookIsEnough() async throws {
    let (server, house) = try await house()
    for number in 100..<120 { try await add(house, "P\(number) Q") }
    #expect(try await flush(house).sent == 20)
    #expect(server.taken().filter { $0.method == .propfind }.count <= 3)
    #expect(server.cards.count == 21)
  }
}

/// The address books that people can be added to.
@Suite struct FollowedBookTests {
  @Test func onlyFollowedAddressBooksAreAccepted() throws {
    let books = FollowedBook.all(
      among: [Follow(path: "carddav/home/book"), Follow(path: "people")],
      of: [CardDAVSource.descriptor, PeopleSource.descriptor])
    #expect(books.map(\.follow) == ["carddav/home/book"])
    #expect(try FollowedBook("carddav/home/book", among: books).source == .cardDAV)
    for path in ["people", "carddav/home/other", ""] {
      let error = #expect(throws: Failure.self) { try FollowedBook(path, among: books) }
      #expect(error?.code == "no-book" && error?.hint?.contains("carddav/home/book") == true)
    }
  }
}
