import AlmanacTesting
import CardDAV
import Models
import Networking
import Ports
import Sync
import Testing

/// How address books are found, and who gets the password.
@Suite struct DiscoveryTests {
  private func offers(_ server: FakeCardDAV, _ url: String = FakeCardDAV.origin) async throws -> [AccountOffer] {
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

  /// Where a server keeps its address books, and what an account finds.
  struct Layout: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = ""
    /// The follows; `nil` if the account is refused.
    var books: [String]? = ["book"]
    var change: @Sendable (inout FakeCardDAV.Peculiarities) -> Void

    init(
      _ name: String, at path: String = "", finds books: [String]? = ["book"],
      _ change: @escaping @Sendable (inout FakeCardDAV.Peculiarities) -> Void = { _ in }
    ) { (testDescription, self.path, self.books, self.change) = (name, path, books, change) }
  }

  static let layouts: [Layout] = [
    Layout("the root knows the user"),
    Layout("the well-known path leads to the root", at: "/nothing/") { $0.wellKnown = "/" },
    Layout("the well-known path leads to the user", at: "/nothing/") { quirks in
      (quirks.wellKnown, quirks.rootKnowsUser) = ("/principals/ann/", false)
    },
    Layout("no well-known path, the address of the user", at: "/principals/ann/") { $0.rootKnowsUser = false },
    Layout("the address of the home", at: "/ann/") { $0.rootKnowsUser = false },
    Layout("the address of the book", at: "/ann/book/") { $0.rootKnowsUser = false },
    Layout("absolute addresses") { $0.href = { FakeCardDAV.origin + $0 } },
    Layout("the port in addresses") { $0.href = { FakeCardDAV.origin + ":443" + $0 } },
    Layout("no user, but homes") { quirks in (quirks.rootKnowsUser, quirks.rootKnowsHomes) = (false, true) },
    Layout("spaces") { quirks in
      (quirks.home, quirks.href) = ("/Ann B/", { $0.replacing(" ", with: "%20") })
    },
    Layout("207 for what is missing", at: "/nothing/") { quirks in
      (quirks.wellKnown, quirks.missingIs207) = ("/ann/", true)
    },
    Layout("two homes", finds: ["book", "other"]) { $0.moreHomes = ["/also/"] },
    Layout("three homes, one is missing", finds: ["book", "other"]) { $0.moreHomes = ["/gone/", "/also-here/"] },
    Layout("two homes, one is at another server") { $0.moreHomes = ["https://other.example/ann/"] },
    Layout("two homes, one is at another port") { $0.moreHomes = ["https://dav.example:8443/ann/"] },
    Layout("the user is at another server", finds: nil) { $0.principal = "https://other.example/principals/ann/" },
    Layout("the home is at another server", finds: nil) { $0.home = "https://other.example/ann/" },
    Layout("the well-known path leads to another server", at: "/nothing/", finds: nil) { quirks in
      (quirks.wellKnown, quirks.rootKnowsUser) = ("https://other.example/dav/", false)
    },
    Layout("a name that begins like the server's", finds: nil) {
      $0.href = { FakeCardDAV.origin + ".other.example" + $0 }
    },
  ]

  /// Through the middlewares, which follow redirects.
  @Test(arguments: layouts) func booksAreFoundInEveryLayout(_ layout: Layout) async throws {
    let server = FakeCardDAV(layout.change)
    let house = CardDAVHouse(server.transport)
    let stack = StandardStack().transport(over: server.transport)
    let account = CardDAVHouse.account(FakeCardDAV.origin + layout.path)
    if let books = layout.books {
      let offers = try await house.source.offers(of: account, over: stack)
      #expect(offers.map(\.path) == books.map { "carddav/home/\($0)" }, "\(offers)")
    } else {
      let error = await #expect(throws: SourceError.self) { try await house.source.offers(of: account, over: stack) }
      #expect(error?.failure.hint != nil, "\(String(describing: error))")
    }
    for request in server.taken() where !request.url.hasPrefix(FakeCardDAV.origin + "/") {
      #expect(request.headers["Authorization"] == nil, "\(request.url)")
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
    let refused = try await CardDAVHouse(server.transport, account: missing).sync().error
    #expect(refused?.code == .own(.missingKey))
    #expect(
      refused?.message.hasPrefix("the password of the account home is missing: ") == true, "\(refused?.message ?? "")")
  }

  @Test func theContractOfSourcesHolds() async throws {
    let server = FakeCardDAV()
    server.put("a.vcf", vCard("Ada Lovelace"))
    let house = CardDAVHouse(server.transport)
    var answers: [HTTPResponse] = []
    let recording = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try await server.transport.send(request)
    }
    _ = try await house.source.pull(CardDAVHouse.follow, over: recording, in: house.store, at: house.time.now)
    for request in recording.requests { answers.append(try await server.transport.send(request)) }
    try await SourceContract(
      source: house.source, follow: CardDAVHouse.follow,
      badFollows: [Follow(path: "carddav/home"), Follow(path: "carddav"), Follow(path: "carddav/a/b/c")],
      answers: answers, store: house.store
    ).verify()
  }
}
