import AlmanacTesting
import CardDAV
import Models
import Ports
import Sync
import Testing

/// How address books are found, and who gets the password.
@Suite struct DiscoveryTests {
  private func offers(
    _ server: FakeCardDAV, _ url: String = FakeCardDAV.origin
  ) async throws -> [AccountOffer] {
    let house = CardDAVHouse(server.transport)
    return try await house.source.offers(of: CardDAVHouse.account(url), over: server.transport)
  }

  @Test(arguments: [
    "", "/", "/.well-known/carddav", "/ann/", "/ann/book/", "/principals/ann/", "/somewhere/else", "/ann/?x#y",
  ])
  func booksAreFoundFromAnyAddress(_ path: String) async throws {
    for wellKnown in [nil, "/", "/principals/ann/"] {
      let server = FakeCardDAV { $0.wellKnown = wellKnown }
      let found = try await offers(server, FakeCardDAV.origin + path)
      #expect(found == [AccountOffer(path: "carddav/home/book", title: "My Book", isReadOnly: false)])
    }
  }

  @Test func namesWithSpacesAndTitlesAreAccepted() async throws {
    let server = FakeCardDAV { peculiarities in
      peculiarities.home = "/Ann B/"
      peculiarities.href = { $0.replacing(" ", with: "%20") }
    }
    server.put("a.vcf", vCard("Ada Lovelace"))
    let house = CardDAVHouse(server.transport)
    let report = try await house.engine.sync([Follow(path: "carddav/home/My Book")], SyncOptions()).follows[0]
    #expect(report.counts.added == 1, "\(report)")
  }

  @Test func aReadOnlyBookIsSaidToBeOne() async throws {
    #expect(try await offers(FakeCardDAV { $0.isReadOnly = true }).first?.isReadOnly == true)
  }

  @Test func thePasswordIsSentToNoOtherServer() async throws {
    for target in ["https://other.example", "http://dav.example", "https://dav.example:8443", "https://dav.example@x"] {
      let server = FakeCardDAV { $0.href = { target + $0 } }
      await #expect(throws: SourceError.self) { try await offers(server) }
      #expect(server.taken().allSatisfy { $0.url.hasPrefix(FakeCardDAV.origin + "/") })
      // Members of a book, too.
      let house = CardDAVHouse(server.transport)
      #expect(try await house.sync().error != nil)
    }
    let house = CardDAVHouse(FakeCardDAV().transport)
    for path in ["carddav/other/book", "carddav/home/nothing"] {
      let report = try await house.engine.sync([Follow(path: path)], SyncOptions()).follows[0]
      #expect(report.error?.hint != nil, "\(report)")
    }
  }

  @Test func aWrongPasswordIsDenied() async throws {
    let server = FakeCardDAV()
    let house = CardDAVHouse(server.transport, account: CardDAVHouse.account(password: "wrong"))
    let failure = try #require(try await house.sync().error)
    #expect(failure.reason == .denied)
    #expect((failure.hint ?? "").contains("servers.carddav.accounts"))
    let missing = SourceAccount(
      name: "home", url: FakeCardDAV.origin, user: "ann",
      password: .missing(Failure(.config, .config, "the file x cannot be read")))
    #expect(try await CardDAVHouse(server.transport, account: missing).sync().error?.code == "missing-key")
  }

  @Test func theContractOfSourcesHolds() async throws {
    let server = FakeCardDAV()
    server.put("a.vcf", vCard("Ada Lovelace"))
    let house = CardDAVHouse(server.transport)
    var answers: [HTTPResponse] = []
    let recording = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try await server.transport.send(request)
    }
    let context = PullContext(
      transport: recording, snapshot: try house.store.snapshot(), now: house.time.now, run: "run")
    _ = try await house.source.pull(CardDAVHouse.follow, context)
    for request in recording.requests { answers.append(try await server.transport.send(request)) }
    try await SourceContract(
      source: house.source, follow: CardDAVHouse.follow,
      badFollows: [Follow(path: "carddav/home"), Follow(path: "carddav"), Follow(path: "carddav/a/b/c")],
      answers: answers, store: house.store
    ).verify()
  }
}
