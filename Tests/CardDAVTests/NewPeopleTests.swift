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
    let house = try await CardDAVHouse.synced(server.transport)
    _ = server.taken()
    return (server, house)
  }

  @discardableResult
  private func add(_ house: CardDAVHouse, _ name: String = "Grace Hopper") async throws -> Person {
    try await house.people.add(
      firstName: "", lastName: "", birthday: Birthday("--12-09"), fullName: name,
      details: ["emails": [["value": "grace@example.org", "type": "work"]], "note": "a, b; c"], to: Self.book)
  }

  private func newCard(_ server: FakeCardDAV) -> String? { server.cards.first { $0.key != "ada.vcf" }?.value }

  @Test func aCardIsMadeOnce() async throws {
    let (server, house) = try await house()
    try await add(house)
    #expect(try await house.flush().sent == 1)
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
    #expect(try await house.flush().sent == 1)
    #expect(newCard(server)?.contains("N:Murray;Grace;;;") == true)
  }

  /// A removed person gets a card again and keeps the id, whoever made the former card.
  @Test(arguments: ["Ada Byron", "Grace Hopper"]) func aRemovedPersonReturns(_ name: String) async throws {
    let (server, house) = try await house()
    try await add(house)
    try await house.flush()
    try await house.sync()
    let person = try #require(try house.person(name))
    _ = try await house.people.remove(person.id)
    try await house.flush()
    try await house.sync()
    #expect(try house.all().count == 1 && server.cards.count == 1)
    let restoration = Restoration(.people, person.id, .post, person.fields, over: [:], leftOut: [], current: nil)
    _ = try await house.people.restore(restoration, card: nil, in: [Self.book])
    #expect(try await house.flush().sent == 1)
    #expect(try await house.sync().counts.added == 0)
    #expect(try house.person(name) == person && server.cards.count == 2 && house.outbox.entries().isEmpty)
  }

  /// An address book takes any birthday, and no note says otherwise.
  @Test func aBirthdayInTheFutureIsSent() async throws {
    let (server, house) = try await house()
    let card = vCard("Bo Late", "BDAY:2126-01-01")
    let result = try await house.people.importContacts(Array(card.utf8), file: "b.vcf", to: Self.book)
    #expect(result.notes.map(\.reason) == ["the birthday 2126-01-01 is in the future"])
    try await house.flush()
    #expect(newCard(server)?.contains("2126-01-01") == true)
  }

  /// Who is not sent is no longer one of the book, unless the card may have been made.
  @Test(arguments: [nil, Person.imported], [false, true])
  func aDiscardedPersonLeavesTheBook(_ origin: String?, _ isLost: Bool) async throws {
    let (server, house) = try await house()
    if origin == nil {
      try await add(house)
    } else {
      _ = try await house.people.importContacts(Array(vCard("Grace Hopper").utf8), file: "g.vcf", to: Self.book)
    }
    let grace = try #require(try house.person("Grace Hopper"))
    // The base of the edit outlives a change of it.
    _ = try await house.people.edit(grace.id, PersonChange(details: ["note": "new"]))
    if isLost {
      server.loseAnswers(1)
      try await house.flush()
    }
    _ = try await house.outbox.discard(try #require(try house.outbox.entries().first).id)
    #expect(try house.person("Grace Hopper")?.origin == (isLost ? Self.book.follow : origin))
    try await house.sync()
    #expect(try house.names == ["Ada Byron", "Grace Hopper"] && server.cards.count == (isLost ? 2 : 1))
  }

  @Test func changesBeforeTheCardIsMadeAreInIt() async throws {
    let (server, house) = try await house()
    let grace = try await add(house)
    let changed = try await house.people.edit(
      grace.id, PersonChange(lastName: "Murray", clearsBirthday: true, details: ["emails": .null]))
    #expect(changed.isSent)
    #expect(try house.outbox.entries().count == 1)
    #expect(try await house.flush().sent == 1)
    let card = try #require(newCard(server))
    #expect(card.contains("N:Murray;Grace;;;") && !card.contains("BDAY") && !card.contains("EMAIL"), "\(card)")
    // Who is removed before leaves nothing at the server.
    let alan = try await add(house, "Alan Turing")
    _ = try await house.people.remove(alan.id)
    #expect(try house.outbox.entries().isEmpty)
    try await house.flush()
    #expect(server.cards.count == 2)
  }

  @Test(arguments: [false, true]) func changesAfterALostAnswerAreSentToo(_ removes: Bool) async throws {
    let (server, house) = try await house()
    let grace = try await add(house)
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    if removes {
      _ = try await house.people.remove(grace.id)
    } else {
      _ = try await house.people.edit(grace.id, PersonChange(lastName: "Murray"))
    }
    try await house.flush()
    try await house.flush()
    try await house.sync()
    #expect(try house.outbox.entries() == [])
    #expect(server.cards.count == (removes ? 1 : 2))
    #expect(try house.names == (removes ? ["Ada Byron"] : ["Ada Byron", "Grace Murray"]))
    if !removes { #expect(newCard(server)?.contains("N:Murray;Grace") == true) }
  }

  @Test func cardsOfPeopleWhoWereMergedAreOneInABook() async throws {
    let (server, house) = try await house()
    let cards = ["1980-01-02", "1990-03-04"].map {
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jan Weber\r\nN:Weber;Jan;;;\r\nBDAY:\($0)\r\nTEL:\($0)\r\nEND:VCARD\r\n"
    }
    let file = Array(cards.joined().utf8)
    let added = try await house.people.importContacts(file, file: "a.vcf").added
    try #require(added.count == 2)
    _ = try await house.people.merge(added[0].id, added[1].id, ["birthday": .b])
    let result = try await house.people.importContacts(file, file: "a.vcf", to: Self.book)
    #expect(result.added.isEmpty && result.updated.map(\.id) == [added[0].id], "\(result)")
    _ = try await house.flush()
    #expect(server.cards.values.count { $0.contains("FN:Jan Weber") } == 1, "\(server.cards)")
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
    let counts = try await house.flush()
    #expect(counts.sent == 4 && counts.pending + counts.refused + counts.conflict == 0, "\(counts)")
    // The cards stay with the people, also before the next sync.
    #expect(try house.exported().contains("X-UNKNOWN;A=b:kept"))
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
    #expect(try await house.flush().sent == 1)
    #expect(newCard(server)?.contains("NICKNAME:Amazing") == true)
    try await house.sync()
    #expect(try house.names == ["Ada Byron", "Grace Hopper"])
    let stored = try #require(try house.person("Grace Hopper"))
    let again = try await house.people.queue([stored.id], to: Self.book)
    #expect(again.entries.isEmpty)
  }

  @Test func whoIsInTheBookIsNotSentToIt() async throws {
    let server = FakeCardDAV()
    let house = CardDAVHouse(server.transport)
    let ada = try await house.people.add(
      firstName: "Ada", lastName: "Byron", birthday: nil, fullName: nil, details: [:])
    server.put("ada.vcf", vCard("Ada Byron", uid: "u1"))
    try await house.sync()
    let error = await #expect(throws: Failure.self) { try await house.people.queue([ada.id], to: Self.book) }
    #expect(error?.code == .own(.duplicate) && error?.message == "carddav/home/book has Ada Byron already")
    #expect(try house.outbox.entries().isEmpty && house.all().count == 2)
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
    #expect(try await house.flush().sent == 1)
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
    #expect(error?.code == .own(.duplicate) && error?.hint?.contains(grace.id) == true, "\(String(describing: error))")
    #expect(error?.hint?.contains("carddav/home/book") == true)
  }

  @Test func aBookThatMayOnlyBeReadTakesNobody() async throws {
    let (server, house) = try await house { $0.isReadOnly = true }
    try await add(house)
    #expect(try await house.flush().refused == 1)
    #expect(server.taken().allSatisfy { $0.method != .put })
    let entry = try #require(try house.outbox.entries().first)
    #expect(entry.lastError == "the address book may only be read")
    _ = try await house.outbox.discard(entry.id)
    #expect(try house.outbox.entries().isEmpty)
  }

  @Test func oneSearchForTheBookIsEnough() async throws {
    let (server, house) = try await house()
    for number in 100..<120 { try await add(house, "P\(number) Q") }
    #expect(try await house.flush().sent == 20)
    #expect(server.taken().filter { $0.method == .propfind }.count <= 3)
    #expect(server.cards.count == 21)
  }
}

/// The id of a person is the same before and after the card is made.
@Suite struct KeptIDTests {
  private static let book = FollowedBook(follow: "carddav/home/book", source: .cardDAV)

  private func add(_ house: CardDAVHouse, _ name: String = "Grace Hopper") async throws -> Person {
    try await house.people.add(firstName: "", lastName: "", birthday: nil, fullName: name, details: [:], to: Self.book)
  }

  private func house(_ server: FakeCardDAV) async throws -> CardDAVHouse {
    let house = try await CardDAVHouse.synced(server.transport)
    return house
  }

  private func ids(_ house: CardDAVHouse) throws -> [String] { try house.all().map(\.id) }

  @Test(arguments: [0, 1, 2]) func aPersonKeepsTheID(_ lostAnswers: Int) async throws {
    let server = FakeCardDAV { $0.href = { $0.replacing("-", with: "%2D") } }
    let house = try await house(server)
    let grace = try await add(house)
    server.loseAnswers(lostAnswers > 0 ? 1 : 0)
    try await house.flush()
    // The card comes with a sync before the edit is settled, or after it.
    if lostAnswers < 2 { try await house.flush() }
    try await house.sync()
    #expect(try ids(house) == [grace.id] && house.cardCount() == 1)
    try await house.flush()
    #expect(try ids(house) == [grace.id] && house.outbox.entries().isEmpty && server.cards.count == 1)
    // Changes of both sides reach the same person.
    let name = try #require(server.cards.keys.first)
    server.put(name, server.cards[name]!.replacing("END:VCARD", with: "NOTE:there\r\nEND:VCARD"))
    _ = try await house.people.edit(grace.id, PersonChange(lastName: "Murray"))
    #expect(try await house.flush().sent == 1)
    try await house.sync()
    #expect(try ids(house) == [grace.id] && house.all()[0].details.note == "there")
    #expect(server.cards[name]?.contains("N:Murray;Grace") == true)
    // The id is the same in another store, also in one that is made again.
    let other = try await self.house(server)
    #expect(try ids(other) == [grace.id])
    server.remove(name)
    for one in [house, other] {
      try await one.sync(SyncOptions(force: true))
      #expect(try one.all().isEmpty && one.cardCount() == 0)
    }
  }

  @Test(arguments: [false, true]) func aRemovedPersonWhoIsKeptKeepsTheID(_ isOurs: Bool) async throws {
    let server = FakeCardDAV()
    if !isOurs { server.put("grace.vcf", vCard("Grace Hopper", uid: "g")) }
    let house = try await house(server)
    if isOurs {
      _ = try await add(house)
      try await house.flush()
      try await house.sync()
    }
    let grace = try #require(try house.all().first)
    let (name, card) = try #require(server.cards.first)
    _ = try await house.people.edit(grace.id, PersonChange(details: ["note": "mine"]))
    server.remove(name)
    #expect(try await house.flush().conflict == 1)
    try await house.resolve(.mine)
    if isOurs {
      // The card is restored at the same path: what it says is not lost.
      server.put(name, card.replacing("END:VCARD", with: "NOTE:theirs\r\nEND:VCARD"))
      #expect(try await house.flush().conflict == 1)
      #expect(server.cards[name]?.contains("NOTE:theirs") == true)
      try await house.resolve(.mine)
    }
    #expect(try await house.flush().sent == 1)
    try await house.sync()
    #expect(try ids(house) == [grace.id] && house.all()[0].details.note == "mine")
    #expect(server.cards.count == 1 && server.cards.values.allSatisfy { $0.contains("NOTE:mine") })
  }

  /// A server chooses the names of cards, and people are copied between books with their names.
  @Test func aCardTakesNoIDThatIsInUse() async throws {
    let server = FakeCardDAV()
    let house = try await house(server)
    let grace = try await add(house)
    try await house.flush()
    let local = CardDAVHouse(server.transport)
    try await local.store.put([Person(id: grace.id, firstName: "Mine", lastName: "Only", birthday: nil)], local.coder)
    try await local.sync()
    #expect(try local.names == ["Grace Hopper", "Mine Only"])
    #expect(try local.person("Mine Only")?.id == grace.id)
    // The same name in another book belongs to another person.
    let elsewhere = FakeCardDAV { $0.home = "/elsewhere/" }
    for (name, card) in server.cards { elsewhere.put(name, card) }
    let other = try await self.house(elsewhere)
    #expect(try other.all().count == 1 && other.all()[0].id != grace.id)
  }

  /// An id that cannot be part of a name is replaced, and still leads to the person.
  @Test func anIDThatIsNotPlainIsReplaced() async throws {
    let server = FakeCardDAV()
    let house = try await house(server)
    try await house.store.put([Person(id: "a/ü b", firstName: "Grace", lastName: "Hopper", birthday: nil)], house.coder)
    _ = try await house.people.queue(["a/ü b"], to: Self.book)
    #expect(try await house.flush().sent == 1)
    try await house.sync()
    #expect(try house.names == ["Grace Hopper"] && ids(house)[0].hasPrefix("c-") && house.cardCount() == 1)
    let changed = try await house.people.edit("a/ü b", PersonChange(lastName: "Murray"))
    #expect(try changed.isSent && [changed.person.id] == ids(house))
    let again = try await house.people.queue(["a/ü b"], to: Self.book)
    #expect(again.entries.isEmpty)
    _ = try await house.people.remove("a/ü b")
    try await house.flush()
    #expect(try house.all().isEmpty && server.cards.isEmpty)
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
      #expect(error?.code == .own(.noBook) && error?.hint?.contains("carddav/home/book") == true)
    }
  }
}
