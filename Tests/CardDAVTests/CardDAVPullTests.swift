import AlmanacTesting
import CardDAV
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// Pulls of address books, through the engine.
@Suite struct CardDAVPullTests {
  private func server(_ change: @Sendable (inout FakeCardDAV.Peculiarities) -> Void = { _ in }) -> FakeCardDAV {
    let server = FakeCardDAV(change)
    server.put("ada.vcf", vCard("Ada Lovelace", "BDAY:1815-12-10", "EMAIL;TYPE=HOME:ada@example.org"))
    server.put("bo.vcf", vCard("Bo Ek", "X-UNKNOWN;A=b:kept\\; as it is"))
    server.put("cy@x.vcf", vCard("Cy Dahl", "TEL;TYPE=CELL:+1 555"))
    return server
  }

  @Test func everyCardIsAPersonAndIsKept() async throws {
    let server = server()
    let house = CardDAVHouse(server.transport)
    let report = try await house.sync()
    #expect(report.status == .ok && report.counts.added == 3, "\(report)")
    // Principal, home, books, changes, cards.
    #expect(server.taken().map(\.method) == [.propfind, .propfind, .propfind, .report, .report])
    let ada = try #require(try house.person("Ada Lovelace"))
    #expect(ada.birthday == Birthday("1815-12-10"))
    #expect(ada.details.emails.map(\.value) == ["ada@example.org"])
    #expect(ada.origin == "carddav/home/book" && ada.id.hasPrefix("c-"))
    let exported = try house.exported()
    for card in server.cards.values { #expect(exported.contains(card)) }
  }

  @Test func withoutChangesThereIsOneRequestAndNoCommitOfRecords() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    _ = server.taken()
    let before = try house.store.snapshot().sequence
    let report = try await house.sync()
    #expect(report.status == .unchanged && report.counts.requests == 1)
    #expect(server.taken().map(\.method) == [.report])
    // The times of the follow.
    #expect(try house.store.snapshot().sequence - before <= 1)
  }

  @Test func oneOfEachChangeNeedsTwoRequests() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    _ = server.taken()
    server.put("ada.vcf", vCard("Ada King", "BDAY:1815-12-10"))
    server.put("di.vcf", vCard("Di Ro"))
    server.remove("bo.vcf")
    let report = try await house.sync()
    #expect(server.taken().count == 2)
    #expect((report.counts.added, report.counts.updated, report.counts.removed) == (1, 1, 1), "\(report)")
    #expect(try house.names == ["Ada King", "Cy Dahl", "Di Ro"])
    #expect(try house.cardCount() == 3)
  }

  @Test(arguments: [403, 409, 410, 412], [true, false])
  func anOldTokenLeadsToAListWithoutFetchingKnownCards(_ status: Int, _ isNamed: Bool) async throws {
    // Without a reason, 403 means that there is no report, and the tags of all cards are compared.
    let server = server { peculiarities in
      peculiarities.tokenStatus = status
      peculiarities.namesToken = isNamed
    }
    let house = try await CardDAVHouse.synced(server.transport)
    server.put("ada.vcf", vCard("Ada King"))
    server.remove("bo.vcf")
    server.forgetTokens()
    _ = server.taken()
    let report = try await house.sync()
    #expect((report.counts.added, report.counts.updated, report.counts.removed) == (0, 1, 1), "\(report)")
    let taken = server.taken()
    let multigets = taken.filter { request in request.method == .report && request.text.contains("multiget") }
    #expect(multigets.count == 1)
    let asked = String(decoding: multigets.first?.body ?? [], as: UTF8.self)
    #expect(!asked.contains("cy"))
    #expect(try house.names == ["Ada King", "Cy Dahl"])
    // A report without a token lists the cards and gives a new one.
    #expect(taken.allSatisfy { $0.method == .report })
  }

  @Test(arguments: [403, 400, 404, 405, 415, 501], [true, false])
  func withoutTheReportTheTagsAreCompared(_ status: Int, _ hasTag: Bool) async throws {
    let server = server { peculiarities in
      peculiarities.noReport = status
      peculiarities.noToken = true
      peculiarities.noTag = !hasTag
    }
    let house = CardDAVHouse(server.transport)
    #expect(try await house.sync().counts.added == 3)
    _ = server.taken()
    #expect(try await house.sync().status == .unchanged)
    #expect(server.taken().count == (hasTag ? 1 : 3))
    server.put("bo.vcf", vCard("Bo Eklund"))
    server.remove("ada.vcf")
    let report = try await house.sync()
    #expect((report.counts.updated, report.counts.removed) == (1, 1), "\(report)")
    #expect(try house.names == ["Bo Eklund", "Cy Dahl"])
  }

  @Test func aReportThatNeedsATokenGetsTheOneOfTheList() async throws {
    let server = server { $0.needsToken = true }
    let house = CardDAVHouse(server.transport)
    #expect(try await house.sync().counts.added == 3)
    _ = server.taken()
    #expect(try await house.sync().status == .unchanged)
    #expect(server.taken().map(\.method) == [.report])
  }

  @Test func aCutAnswerIsContinued() async throws {
    let server = FakeCardDAV { $0.cut = 4 }
    for number in 10..<30 { server.put("\(number).vcf", vCard("P\(number) Q")) }
    let house = CardDAVHouse(server.transport)
    #expect(try await house.sync().counts.added == 20)
    #expect(server.taken().filter { $0.method == .report }.count == 5 + 1)
    for number in 10..<16 { server.remove("\(number).vcf") }
    #expect(try await house.sync().counts.removed == 6)
  }

  @Test(arguments: [404, 413]) func refusedReportsAboutCardsAreDivided(_ status: Int) async throws {
    let server = server { $0.mostCards = status == 413 ? 1 : nil }
    let house = CardDAVHouse(server.transport)
    server.change { $0.unmentioned = ["bo.vcf"] }
    #expect(try await house.sync().counts.added == 3)
    // One is removed between the list and its fetch.
    server.put("di.vcf", vCard("Di Ro"))
    server.put("eve.vcf", vCard("Eve Ro"))
    server.change { $0.missingStatus = status }
    let transport = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      let response = try await server.transport.send(request)
      if index == 0 { server.remove("eve.vcf") }
      return response
    }
    let page = try await house.source.pull(
      CardDAVHouse.follow, over: transport, in: house.store, sourceState: try sourceState(house), at: house.time.now)
    #expect(page.changes.filter { $0.collection == .people }.count == 1)
  }

  private func sourceState(_ house: CardDAVHouse) throws -> JSONObject {
    try house.store.snapshot().object(.state, "follow/carddav/home/book", house.coder)?["memory"]?.object ?? [:]
  }

  @Test func addressesAreComparedWithoutEscapes() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    let ids = try house.all().map(\.id)
    // A server may write the same address in another way, also as a URL, and with the port of its scheme.
    for write in [
      { $0.replacing("@", with: "%40") }, { FakeCardDAV.origin + $0 }, { "https://DAV.example:443" + $0 },
    ] as [@Sendable (String) -> String] {
      server.change {
        $0.href = write
        $0.listsItself = true
      }
      let report = try await house.sync(SyncOptions(full: true))
      #expect(report.status == .unchanged && report.error == nil, "\(report)")
      #expect(try house.all().map(\.id) == ids)
    }
  }

  @Test func listsThatLoseMostCardsAreRefused() async throws {
    let server = FakeCardDAV()
    for number in 10..<20 { server.put("\(number).vcf", vCard("P\(number) Q")) }
    let house = try await CardDAVHouse.synced(server.transport)
    for number in 10..<18 { server.remove("\(number).vcf") }
    // As changes in several parts, and as a list.
    for isList in [false, true] {
      server.change { $0.cut = isList ? nil : 3 }
      if isList { server.forgetTokens() }
      let report = try await house.sync()
      #expect(report.error?.code == .own(.massRemoval), "\(report)")
      #expect(try house.all().count == 10)
    }
    #expect(try await house.sync(SyncOptions(force: true)).counts.removed == 8)
    #expect(try house.cardCount() == 2)
  }

  @Test("a card that a report cannot say more of is asked for alone, and is not removed")
  func faultyCards() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    server.put("bo.vcf", vCard("Bo Eklund"))
    server.change { $0.faulty = ["bo.vcf"] }
    #expect(try await house.sync().counts.updated == 1)
    server.forgetTokens()
    let report = try await house.sync()
    #expect(report.error == nil && report.counts.removed == 0, "\(report)")
    #expect(try house.names == ["Ada Lovelace", "Bo Eklund", "Cy Dahl"])
  }

  @Test(
    "a card that a report about cards does not mention, and that is gone when it is asked for, waits for the next list")
  func unmentionedCards() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    server.change { $0.unmentioned = ["ada.vcf", "bo.vcf"] }
    #expect(try await house.sync(SyncOptions(full: true)).counts.removed == 0)
    #expect(try house.names.count == 3)
  }

  @Test("an answer that names nothing, not even the book, is no list of it; the next one that does is")
  func blankList() async throws {
    for count in [1, 3] {
      let server = FakeCardDAV { peculiarities in (peculiarities.noReport, peculiarities.noToken) = (501, true) }
      for number in 0..<count { server.put("\(number).vcf", vCard("P\(number) Q")) }
      let house = try await CardDAVHouse.synced(server.transport)
      server.put("0.vcf", vCard("New Q"))
      server.change { $0.isBlank = true }
      for options in [SyncOptions(), SyncOptions(full: true), SyncOptions(force: true)] {
        let report = try await house.sync(options)
        #expect(report.error == nil && report.counts.removed == 0, "\(report)")
      }
      #expect(try house.all().count == count)
      server.change { $0.isBlank = false }
      #expect(try await house.sync().counts.updated == 1)
      #expect(try house.names.contains("New Q"))
      for number in 0..<count { server.remove("\(number).vcf") }
      #expect(try await house.sync(SyncOptions(force: true)).counts.removed == count)
    }
  }

  @Test("a list of changes that is cut, and whose rest fails, changes nothing")
  func cutWithoutRest() async throws {
    let server = FakeCardDAV { $0.cut = 4 }
    for number in 10..<20 { server.put("\(number).vcf", vCard("P\(number) Q")) }
    let house = CardDAVHouse(
      ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
        let body = request.text
        if body.contains("token-4<"), index > 7 { return HTTPResponse(status: 500, url: request.url) }
        return try await server.transport.send(request)
      })
    try await house.sync()
    server.forgetTokens()
    for number in 10..<13 { server.remove("\(number).vcf") }
    let report = try await house.sync()
    #expect(report.error?.code == .status(500) && report.counts.removed == 0, "\(report)")
    #expect(try house.all().count == 10)
  }

  @Test func cardsThatCannotBeReadAreRejectedAndAskedForAgain() async throws {
    let server = server()
    server.put("bad.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:B\u{1}d One\r\nEND:VCARD\r\n")
    server.put("none.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n")
    server.put("group.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nX-ADDRESSBOOKSERVER-KIND:group\r\nFN:All\r\nEND:VCARD\r\n")
    let house = CardDAVHouse(server.transport)
    let report = try await house.sync()
    #expect(report.status == .partial && report.counts.rejected == 2 && report.counts.added == 4, "\(report)")
    #expect(try await house.sync().status == .unchanged)
    #expect(try house.store.snapshot().count(.rejects) == 2)
    server.put("none.vcf", vCard("Nils One"))
    #expect(try await house.sync().counts.rejected == 1)
    #expect(try house.store.snapshot().count(.rejects) == 1)
  }

  @Test func aNameOfTheCardThatChangesIsTaken() async throws {
    let server = server()
    let house = try await CardDAVHouse.synced(server.transport)
    server.put("bo.vcf", vCard("Bo Ek").replacing("FN:Bo Ek", with: "FN:Dr. Bo Ek"))
    try await house.sync()
    #expect(try house.person("Dr. Bo Ek") != nil)
    server.put("bo.vcf", vCard("Bo Ek"))
    try await house.sync()
    #expect(try house.person("Bo Ek") != nil)
  }

  @Test func aPullThatIsStoppedGoesOn() async throws {
    let server = FakeCardDAV()
    for number in 1000..<2300 { server.put("\(number).vcf", vCard("P\(number) Q")) }
    let store = InMemoryRecordStore()
    let failing = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index == 10 { throw TransportError(.connectionLost, "lost") }
      return try await server.transport.send(request)
    }
    #expect(try await CardDAVHouse(failing, store: store).sync().error != nil)
    let house = CardDAVHouse(server.transport, store: store)
    #expect(try house.all().count == 500)
    _ = server.taken()
    let report = try await house.sync()
    #expect(report.counts.added == 800 && report.error == nil)
    #expect(server.taken().count == 7)
    #expect(try await house.sync().status == .unchanged)
    #expect(try house.all().count == 1300)
  }

  /// An account that is written in another way, or a cursor of another version: the rest of the list means nothing, and
  /// nothing counts as known of what is not stored yet.
  @Test(arguments: [false, true]) func aListThatIsNotValidAnyMoreIsReadAgain(_ isOtherAccount: Bool) async throws {
    let server = FakeCardDAV()
    for number in 1000..<1700 { server.put("\(number).vcf", vCard("P\(number) Q")) }
    let store = InMemoryRecordStore()
    let failing = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index == 9 { throw TransportError(.connectionLost, "lost") }
      return try await server.transport.send(request)
    }
    #expect(try await CardDAVHouse(failing, store: store).sync().error != nil)
    let account = isOtherAccount ? CardDAVHouse.account(FakeCardDAV.origin + "/ann/") : CardDAVHouse.account()
    let house = CardDAVHouse(server.transport, store: store, account: account)
    #expect(try house.all().count == 500)
    if !isOtherAccount {
      _ = try await store.write { (transaction) throws(StoreError) in
        let id = "follow/\(house.follow.path)"
        guard var state = try transaction.object(.state, id, house.coder) else { return }
        state["cursor"] = ["unknown": true]
        try transaction.put(house.coder.encode(state), id: id, in: .state)
      }
    }
    _ = server.taken()
    let report = try await house.sync()
    #expect(report.error == nil && report.counts.added == 200, "\(report)")
    #expect(server.taken().allSatisfy { $0.method != .get })
    #expect(try house.all().count == 700 && house.cardCount() == 700)
    #expect(try await house.sync().status == .unchanged)
  }
}
