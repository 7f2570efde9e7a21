import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// People whose account gets another name, or whose address book moves, stay the same people.
@Suite struct PreviousBookTests {
  private let server = FakeCardDAV()
  private let store = InMemoryRecordStore()

  private func house(_ account: String, _ server: FakeCardDAV? = nil, seed: UInt64 = 1) -> CardDAVHouse {
    CardDAVHouse(
      (server ?? self.server).transport, store: store, seed: seed, account: CardDAVHouse.account(name: account))
  }

  private func fill(_ count: Int = 3) {
    for number in 0..<count { server.put("\(number).vcf", vCard("P\(number) Q", uid: "\(number)")) }
  }

  private func ids() throws -> [String: String] { try house("x").ids() }

  @Test func aPurgeRemovesThePeopleOfOneBook() async throws {
    fill()
    let old = house("home")
    try await old.sync()
    _ = try await old.people.add(firstName: "Own", lastName: "Q", birthday: nil)
    _ = try await old.people.edit(try #require(try ids()["P1 Q"]), PersonChange(details: ["note": "mine"]))
    let purge = FollowPurge(store: store, sources: [old.source], coder: old.coder)
    #expect(try await purge.purge(Follow(path: "carddav/home/other"), besides: []).removed == [:])
    #expect(try await purge.purge(old.follow, besides: []).removed == [.people: 2])
    #expect(try old.names == ["Own Q", "P1 Q"] && old.cardCount() == 1)
    #expect(server.cards.count == 3)
    // The book comes again as a whole.
    try await old.sync()
    #expect(try old.names == ["Own Q", "P0 Q", "P1 Q", "P2 Q"])
  }

  @Test func aBookThatMovesKeepsThePeople() async throws {
    fill()
    let house = house("home")
    try await house.sync()
    let before = try ids()
    server.move(to: "/moved/")
    let report = try await house.sync()
    #expect(report.error == nil && (report.counts.added, report.counts.removed) == (0, 0), "\(report)")
    #expect(try ids() == before)
    _ = try await house.people.edit(try #require(before["P1 Q"]), PersonChange(details: ["note": "mine"]))
    server.remove("0.vcf")
    try await house.sync()
    #expect(server.cards["1.vcf"]?.contains("NOTE:mine") == true)
    #expect(try ids().keys.sorted() == ["P1 Q", "P2 Q"])
  }

  /// The last pages come in another run than the first ones.
  @Test func aTakeoverThatIsStoppedGoesOn() async throws {
    fill(700)
    try await house("home").sync()
    let before = try ids()
    let failing = ScriptedTransport {
      [server] (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index == 9 { throw TransportError(.connectionLost, "lost") }
      return try await server.transport.send(request)
    }
    #expect(
      try await CardDAVHouse(failing, store: store, account: CardDAVHouse.account(name: "work")).sync().error != nil)
    for options in [SyncOptions(), SyncOptions(full: true)] {
      #expect(try await house("work").sync(options).counts.added == 0)
      #expect(try ids() == before)
    }
  }

  /// Nobody else says what the book was before.
  @Test func anEditKeepsWhatTheBookWas() async throws {
    fill(1)
    try await house("home").sync()
    let before = try ids()
    let new = house("work", seed: 2)
    try await new.sync()
    _ = try await new.people.edit(try #require(before["P0 Q"]), PersonChange(details: ["note": "mine"]))
    #expect(try await new.flush().sent == 1)
    let report = try await new.sync(SyncOptions(full: true))
    #expect(try (report.counts.added, report.counts.removed) == (0, 0) && ids() == before, "\(report)")
  }

  /// One of four cards is the same: somebody copied it.
  @Test func aBookWithFewOfTheCardsIsAnotherOne() async throws {
    fill(4)
    try await house("home").sync()
    for number in 1..<4 { server.remove("\(number).vcf") }
    for number in 5..<9 { server.put("\(number).vcf", vCard("R\(number) S", uid: "r\(number)")) }
    let report = try await house("work").sync()
    #expect(report.error == nil && (report.counts.added, report.counts.removed) == (5, 0), "\(report)")
    #expect(try house("work").all().count == 9)
  }

  /// Other cards with the same names, and two accounts that are both there, are other people.
  @Test(arguments: [false, true]) func anotherBookIsNotTakenOver(_ isThere: Bool) async throws {
    fill()
    try await house("home").sync()
    let other = FakeCardDAV { $0.tag = { "\"other-\($0)\"" } }
    for number in 0..<3 { other.put("\(number).vcf", vCard("R\(number) S", uid: "r\(number)")) }
    let house = CardDAVHouse(
      (isThere ? server : other).transport, store: store, account: CardDAVHouse.account(name: "work"),
      others: isThere ? [CardDAVHouse.account()] : [])
    #expect(try await house.sync().counts.added == 3)
    #expect(try house.all().count == 6)
  }
}
