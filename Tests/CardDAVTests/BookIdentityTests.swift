import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// Which address books are the same one: a book that got another path or name of its account, and back; not another server
/// under the same name, and not two books that are both there.
@Suite struct BookIdentityTests {
  private let server = FakeCardDAV()
  private let store = InMemoryRecordStore()

  private func house(
    _ account: String = "home", book: String = "book", over transport: (any HTTPTransport)? = nil,
    url: String = FakeCardDAV.origin, seed: UInt64 = 1
  ) -> CardDAVHouse {
    CardDAVHouse(
      transport ?? server.transport, store: store, seed: seed,
      account: CardDAVHouse.account(url, name: account), book: book)
  }

  private func fill(_ server: FakeCardDAV, _ prefix: String = "P") {
    for number in 0..<4 { server.put("\(number).vcf", vCard("\(prefix)\(number) Q", uid: "\(prefix)\(number)")) }
  }

  private func ids() throws -> [String: String] { try house().ids() }

  /// A server at another address.
  private static let otherOrigin = "https://other.example"

  private func elsewhere(_ server: FakeCardDAV) -> any HTTPTransport {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      var request = request
      request.url = request.url.replacing(Self.otherOrigin, with: FakeCardDAV.origin)
      var response = try await server.transport.send(request)
      response.url = response.url.replacing(FakeCardDAV.origin, with: Self.otherOrigin)
      return response
    }
  }

  /// The book gets another name twice, and is followed anew each time; the second name is the first one again. Edits, removals
  /// and new people wait meanwhile.
  @Test(arguments: [true, false]) func aBookUnderAnotherNameKeepsThePeople(_ isPath: Bool) async throws {
    fill(server)
    var current = house()
    try await current.sync()
    var before = try ids()
    let names = isPath ? ["arbeit", "book", "third", "book"] : ["work", "home", "third", "home"]
    for (round, name) in names.enumerated() {
      try await current.edit("P0 Q", ["note": .string("\(name)-\(round)")])
      try await current.add("New\(round)", "New")
      if round == 0 { _ = try await current.people.remove(try #require(before["P3 Q"])) }
      before = try ids()
      if isPath { server.move(to: "/ann/", as: name) }
      let seed = UInt64(round + 2)
      current = isPath ? house(book: name, seed: seed) : house(name, seed: seed)
      let report = try await current.sync()
      #expect(report.error == nil && (report.counts.added, report.counts.removed) == (0, 0), "\(name) \(report)")
      #expect(try ids() == before, "\(name)")
      #expect(try current.outbox.entries().isEmpty, "\(name)")
      #expect(server.cards["0.vcf"]?.contains("NOTE:\(name)-\(round)") == true, "\(name)")
      #expect(server.cards.values.filter { $0.contains("FN:New\(round) New\r\n") }.count == 1, "\(name)")
      #expect(try current.all().allSatisfy { $0.origin == current.follow.path }, "\(name)")
      // A full sync, and one without changes, find the same.
      try await current.sync(SyncOptions(full: true))
      #expect(try await current.sync().counts.requests == 1)
      #expect(try ids() == before, "\(name)")
    }
    #expect(server.cards.count == 3 + names.count && server.cards["3.vcf"] == nil)
  }

  /// The answer to the request that made the card is lost, and the account gets another name.
  @Test func aNewCardWithoutAnAnswerIsFoundUnderTheNextName() async throws {
    fill(server)
    let old = house()
    try await old.sync()
    try await old.add("Eve", "New")
    server.loseAnswers(1)
    #expect(try await old.flush().pending == 1)
    let before = try ids()
    let new = house("work")
    try await new.sync()
    try await new.sync()
    #expect(try ids() == before && new.outbox.entries().isEmpty)
    #expect(server.cards.count == 5)
  }

  /// Both paths are there: the same cards are other people, as two accounts of a phone have them.
  @Test func aBookThatIsStillThereIsAnotherOne() async throws {
    fill(server)
    try await house().sync()
    server.move(to: "/ann/", as: "copy")
    let both = ScriptedTransport { [server] (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard request.method == .propfind, request.url.hasSuffix("/ann/book/") else {
        return try await server.transport.send(request)
      }
      let names = request.headers["Depth"] == "1" ? [""] + server.cards.keys.sorted() : [""]
      let found = names.map { name in
        "<response><href>/ann/book/\(name)</href><propstat><prop/><status>HTTP/1.1 200 OK</status></propstat></response>"
      }.joined()
      return HTTPResponse(
        status: 207, body: Array("<multistatus xmlns=\"DAV:\">\(found)</multistatus>".utf8), url: request.url)
    }
    let copy = house(book: "copy", over: both)
    #expect(try await copy.sync().counts.added == 4)
    #expect(
      try copy.all().map(\.origin).sorted { ($0 ?? "") < ($1 ?? "") }.suffix(4)
        == Array(repeating: copy.follow.path, count: 4)[...])
    try await copy.sync(SyncOptions(full: true))
    #expect(try copy.all().count == 8)
  }

  /// While the server does not say whether the old path is there, nobody is doubled.
  @Test func aFaultMakesNoOtherPeople() async throws {
    fill(server)
    try await house().sync()
    let before = try ids()
    server.move(to: "/ann/", as: "arbeit")
    let failing = ScriptedTransport { [server] (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      if request.method == .propfind, request.url.hasSuffix("/ann/book/") {
        return HTTPResponse(status: 503, body: [], url: request.url)
      }
      return try await server.transport.send(request)
    }
    #expect(try await house(book: "arbeit", over: failing).sync().error != nil)
    #expect(try ids() == before)
    #expect(try await house(book: "arbeit").sync().counts.added == 0)
    #expect(try ids() == before)
  }

  /// The path is used again for other people after its book got another name.
  @Test(arguments: [true, false]) func thePathOfAFormerBookIsFree(_ isFull: Bool) async throws {
    fill(server)
    try await house().sync()
    server.move(to: "/ann/", as: "arbeit")
    try await house(book: "arbeit").sync()
    let before = try ids()
    let second = FakeCardDAV { $0.tag = { "\"other-\($0)\"" } }
    fill(second, "R")
    let book = house(over: second.transport)
    for _ in 0..<2 { try await book.sync(SyncOptions(full: isFull)) }
    #expect(try ids().count == 8 && ids().filter { $0.key.hasPrefix("P") } == before)
    // Each book goes on for itself.
    server.remove("0.vcf")
    second.remove("1.vcf")
    for house in [house(book: "arbeit"), book] { try await house.sync(SyncOptions(full: isFull)) }
    #expect(try ids().keys.sorted() == ["P1 Q", "P2 Q", "P3 Q", "R0 Q", "R2 Q", "R3 Q"])
  }

  /// Under the name of the account is another server: its cards are other people, and the former ones stay as they are.
  @Test func anotherServerUnderTheSameNameHasOtherPeople() async throws {
    fill(server)
    let old = house()
    try await old.sync()
    let before = try ids()
    try await old.edit("P1 Q", ["note": "mine"])
    _ = try await old.people.remove(try #require(before["P2 Q"]))
    // The same names of cards, and tags of its own.
    let other = FakeCardDAV { $0.tag = { "\"other-\($0)\"" } }
    fill(other, "R")
    let new = house(over: elsewhere(other), url: Self.otherOrigin)
    for options in [SyncOptions(), SyncOptions(), SyncOptions(full: true)] {
      let report = try await new.sync(options)
      #expect(report.error == nil && report.counts.removed == 0, "\(report)")
      #expect(try ids().count == 7)
    }
    let entries = try new.outbox.entries()
    #expect(
      entries.count == 2
        && entries.allSatisfy { $0.state == .pending && $0.lastError?.contains("another server") == true })
    #expect(other.cards.values.allSatisfy { $0.contains("FN:R") && !$0.contains("NOTE") } && other.cards.count == 4)
    // Its own people are edited, added and removed.
    try await new.edit("R1 Q", ["note": "theirs"])
    try await new.add("Eve", "New")
    other.remove("0.vcf")
    try await new.sync()
    try await new.sync()
    #expect(other.cards["1.vcf"]?.contains("NOTE:theirs") == true && other.cards.count == 4)
    #expect(try new.names == ["Eve New", "P0 Q", "P1 Q", "P3 Q", "R1 Q", "R2 Q", "R3 Q"])
    // The account leads to the first server again: what waited is sent.
    let again = house()
    #expect(try await again.sync().counts.added == 0)
    #expect(server.cards["1.vcf"]?.contains("NOTE:mine") == true && server.cards["2.vcf"] == nil)
    server.put("5.vcf", vCard("P5 Q", uid: "P5"))
    try await again.sync(SyncOptions(full: true))
    #expect(try again.names == ["Eve New", "P0 Q", "P1 Q", "P3 Q", "P5 Q", "R1 Q", "R2 Q", "R3 Q"])
    for name in ["P0 Q", "P1 Q", "P3 Q"] { #expect(try ids()[name] == before[name]) }
    #expect(try again.outbox.entries().isEmpty)
  }

  /// The same cards at another address are those of the same server.
  @Test func aServerAtAnotherAddressKeepsThePeople() async throws {
    fill(server)
    let old = house()
    try await old.sync()
    let before = try ids()
    try await old.edit("P1 Q", ["note": "mine"])
    let new = house(over: elsewhere(server), url: Self.otherOrigin)
    #expect(try await new.sync().counts.added == 0)
    #expect(try ids() == before && new.outbox.entries().isEmpty)
    #expect(server.cards["1.vcf"]?.contains("NOTE:mine") == true)
  }
}
