import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// Cards that get another path, in their address book or in another followed one.
@Suite struct MovedCardTests {
  private let store = InMemoryRecordStore()

  private func card(_ number: Int, _ more: String...) -> String {
    vCard("P\(number) Q", uid: "u\(number)", more.first ?? "TEL:\(number)")
  }

  private func fill(_ server: FakeCardDAV) {
    for number in 0..<4 { server.put("\(number).vcf", card(number)) }
  }

  private func move(_ name: String, to new: String, _ server: FakeCardDAV, at other: FakeCardDAV? = nil) {
    (other ?? server).put(new, server.cards[name] ?? "")
    server.remove(name)
  }

  @Test(arguments: [nil, 405], [false, true]) func aCardThatMovesWithinABookKeepsItsPerson(
    _ noReport: Int?, _ isFull: Bool
  ) async throws {
    let server = FakeCardDAV { $0.noReport = noReport }
    fill(server)
    let house = try await CardDAVHouse.synced(server.transport, store: store)
    let before = try house.ids()
    try await house.edit("P1 Q", ["note": "mine"])
    move("1.vcf", to: "new.vcf", server)
    let report = try await house.sync(SyncOptions(full: isFull))
    #expect(report.error == nil && (report.counts.added, report.counts.removed) == (0, 0), "\(report)")
    #expect(try house.ids() == before)
    #expect(try house.outbox.entries().isEmpty && server.cards["new.vcf"]?.contains("NOTE:mine") == true)
    // It goes on there, and another card comes to the former path.
    server.put("1.vcf", vCard("R R", uid: "r"))
    for options in [SyncOptions(), SyncOptions(full: true)] { try await house.sync(options) }
    var all = before
    all["R R"] = try house.ids()["R R"]
    #expect(try house.ids() == all && house.all().count == 5)
    server.put("new.vcf", card(1, "NOTE:theirs"))
    try await house.sync()
    #expect(try house.person("P1 Q")?.details.note == "theirs" && house.ids() == all)
    move("new.vcf", to: "again.vcf", server)
    try await house.sync()
    #expect(try house.ids() == all)
    server.remove("again.vcf")
    try await house.sync()
    all["P1 Q"] = nil
    #expect(try house.ids() == all && house.cardCount() == 4)
  }

  /// The `UID` decides, also where everything else changed; two cards may have changed their places.
  @Test(arguments: [nil, 405]) func theUIDDecides(_ noReport: Int?) async throws {
    let server = FakeCardDAV { $0.noReport = noReport }
    fill(server)
    let house = try await CardDAVHouse.synced(server.transport, store: store)
    let before = try house.ids()
    try await house.edit("P2 Q", ["note": "mine"])
    server.remove("0.vcf")
    server.put("new.vcf", vCard("Other Name", uid: "u0", "BDAY:1970-01-01"))
    let (one, two) = (server.cards["1.vcf"] ?? "", server.cards["2.vcf"] ?? "")
    server.put("1.vcf", two)
    server.put("2.vcf", one)
    // The edit is sent to the card where it is now, before a pull knows.
    #expect(try await house.flush().sent == 1)
    #expect(server.cards["1.vcf"]?.contains("NOTE:mine") == true && server.cards["2.vcf"] == one)
    for _ in 0..<2 { try await house.sync() }
    var all = before
    all["Other Name"] = all.removeValue(forKey: "P0 Q")
    #expect(try house.ids() == all && house.outbox.entries().isEmpty)
    #expect(try house.person("P2 Q")?.details.note == "mine")
  }

  /// Every card gets another name, more than one page has.
  @Test func everyCardMoves() async throws {
    let server = FakeCardDAV()
    for number in 0..<700 { server.put("\(number).vcf", card(number)) }
    let house = try await CardDAVHouse.synced(server.transport, store: store)
    let before = try house.ids()
    for number in 0..<700 { move("\(number).vcf", to: "n\(number).vcf", server) }
    let report = try await house.sync()
    #expect(report.error == nil && (report.counts.added, report.counts.removed) == (0, 0), "\(report)")
    #expect(try house.ids() == before)
  }

  /// An edit that the user chose to keep finds the card where it is now.
  @Test(arguments: [409, 412]) func aConflictOfTheUIDFindsTheCard(_ status: Int) async throws {
    let server = FakeCardDAV { $0.uidConflict = status }
    fill(server)
    let house = try await CardDAVHouse.synced(server.transport, store: store)
    let before = try house.ids()
    try await house.edit("P1 Q", ["note": "mine"])
    let card = server.cards["1.vcf"] ?? ""
    server.remove("1.vcf")
    #expect(try await house.flush().conflict == 1)
    try await house.resolve(.mine)
    server.put("new.vcf", card)
    for _ in 0..<3 { try await house.flush() }
    try await house.sync()
    #expect(server.cards.count == 4 && server.cards["new.vcf"]?.contains("NOTE:mine") == true, "\(server.cards)")
    #expect(try house.ids() == before && house.outbox.entries().isEmpty)
  }

  @Test(arguments: [nil, 412]) func aConflictOfTheUIDNamesTheOwner(_ status: Int?) async throws {
    let server = FakeCardDAV { $0.uidConflict = status }
    let house = try await CardDAVHouse.synced(server.transport, store: store)
    _ = try await house.people.importContacts(
      Array(vCard("Eve New", uid: "u0").utf8), file: "a.vcf",
      to: FollowedBook(follow: house.follow.path, source: .cardDAV))
    server.put("0.vcf", card(0))
    #expect(try await house.flush().refused == 1)
    let message = try #require(try house.outbox.entries().first?.lastError)
    #expect(message.contains("P0 Q") && message.contains("/ann/book/0.vcf"), "\(message)")
  }

  // MARK: Two books

  /// Two books of one server, each an account of its own.
  struct Books {
    let first: FakeCardDAV
    let second: FakeCardDAV
    let house: CardDAVHouse
    let transport: ScriptedTransport
    let follows: [Follow]

    init(_ store: InMemoryRecordStore) {
      let (first, second) = (FakeCardDAV(), FakeCardDAV { $0.home = "/bob/" })
      let follows = [Follow(path: "carddav/home/book"), Follow(path: "carddav/work/book")]
      (self.first, self.second, self.follows) = (first, second, follows)
      let accounts = [
        CardDAVHouse.account(FakeCardDAV.origin + "/ann/book/", name: "home"),
        CardDAVHouse.account(FakeCardDAV.origin + "/bob/book/", name: "work"),
      ]
      let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        try await (request.url.contains("/bob/") ? second : first).transport.send(request)
      }
      self.transport = transport
      house = CardDAVHouse(transport, store: store, account: accounts[0], others: [accounts[1]], follows: follows)
    }

    func sync(_ order: [Int]) async throws {
      for index in order {
        let report = try await house.engine.sync([follows[index]], SyncOptions()).follows[0]
        #expect(report.error == nil, "\(report)")
      }
    }
  }

  /// Whichever book is asked first, and if both are asked at once.
  @Test(arguments: [[0, 1], [1, 0], []], [false, true]) func aCardThatMovesToAnotherBookKeepsItsPerson(
    _ order: [Int], _ hasOthers: Bool
  ) async throws {
    let books = Books(store)
    fill(books.first)
    if hasOthers { books.second.put("9.vcf", card(9)) }
    try await books.sync([0, 1])
    let before = try books.house.ids()
    try await books.house.edit("P1 Q", ["note": "mine"])
    move("1.vcf", to: "1.vcf", books.first, at: books.second)
    move("2.vcf", to: "two.vcf", books.first, at: books.second)
    if order.isEmpty {
      for report in try await books.house.engine.sync(books.follows, SyncOptions()).follows {
        #expect(report.error == nil, "\(report)")
      }
    }
    for _ in 0..<3 { try await books.sync(order.isEmpty ? [0, 1] : order) }
    #expect(try books.house.ids() == before)
    #expect(books.second.cards["1.vcf"]?.contains("NOTE:mine") == true && books.first.cards.count == 2)
    #expect(try books.house.outbox.entries().isEmpty && books.house.cardCount() == before.count)
    for name in ["P1 Q", "P2 Q"] { #expect(try books.house.person(name)?.origin == "carddav/work/book") }
    // Each book goes on for itself.
    books.second.remove("1.vcf")
    books.first.put("1.vcf", card(5))
    try await books.sync([0, 1])
    #expect(try books.house.names.contains("P5 Q") && !books.house.names.contains("P1 Q"))
    #expect(try books.house.person("P2 Q")?.id == before["P2 Q"])
  }

  /// A copy in another book is another person, and stays when the first one goes.
  @Test func aCopyIsAnotherPerson() async throws {
    let books = Books(store)
    fill(books.first)
    try await books.sync([0, 1])
    books.second.put("1.vcf", card(1))
    try await books.sync([1, 0])
    #expect(try books.house.all().count == 5)
    books.first.remove("1.vcf")
    try await books.sync([0, 1])
    #expect(try books.house.all().map(\.origin).filter { $0 == "carddav/work/book" }.count == 1)
    #expect(try books.house.all().count == 4)
  }

  /// A server that cannot search: the person comes anew, and nothing is doubled.
  @Test func withoutASearchNothingIsDoubled() async throws {
    let books = Books(store)
    fill(books.first)
    books.second.change { $0.noSearch = 501 }
    try await books.sync([0, 1])
    move("1.vcf", to: "1.vcf", books.first, at: books.second)
    try await books.sync([0, 1])
    #expect(try books.house.all().count == 4)
  }
}
