import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// Lists that both sides changed.
@Suite struct CardListMergeTests {
  private static func card(_ lines: [String]) -> String {
    let head = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nN:Byron;Ada;;;\r\nFN:Ada Byron\r\nREV:2020-01-01T00:00:00Z\r\n"
    return head + lines.map { $0 + "\r\n" }.joined() + "END:VCARD\r\n"
  }

  private func house(_ lines: [String]) async throws -> (FakeCardDAV, CardDAVHouse, Person) {
    let server = FakeCardDAV()
    server.put("ada.vcf", Self.card(lines))
    let house = try await CardDAVHouse.synced(server.transport)
    return (server, house, try #require(try house.all().first))
  }

  private func edit(_ house: CardDAVHouse, _ id: String, _ emails: [JSONValue]) async throws {
    _ = try await house.people.edit(id, PersonChange(details: ["emails": emails.isEmpty ? .null : .array(emails)]))
  }

  private func lines(_ server: FakeCardDAV) -> [String] {
    (server.cards["ada.vcf"] ?? "").split(separator: "\r\n").map(String.init)
  }

  /// Whether the other side's change comes with a sync, or is found by the push.
  @Test(arguments: [false, true]) func additionsOfBothSidesAreKeptOnce(_ pulls: Bool) async throws {
    let (server, house, ada) = try await house(["EMAIL;TYPE=HOME;TYPE=PREF:a@x", "TEL;TYPE=CELL:1"])
    try await edit(
      house, ada.id, [["value": "a@x", "type": "home", "preferred": true], ["value": "mine@x"], ["value": "both@x"]])
    server.put(
      "ada.vcf", Self.card(["EMAIL;TYPE=HOME;TYPE=PREF:a@x", "EMAIL:theirs@x", "EMAIL:both@x", "TEL;TYPE=CELL:1"]))
    // A sync pulls, and then sends.
    if pulls { try await house.sync() }
    #expect(try await house.flush().conflict == 0)
    let emails = lines(server).filter { $0.hasPrefix("EMAIL") }
    #expect(Set(emails) == ["EMAIL;TYPE=HOME;TYPE=PREF:a@x", "EMAIL:theirs@x", "EMAIL:both@x", "EMAIL:mine@x"])
    #expect(emails.count == 4)
    try await house.sync()
    #expect(try house.outbox.entries().isEmpty)
    #expect(Set(try house.all()[0].details.emails.map(\.value)) == ["a@x", "mine@x", "both@x", "theirs@x"])
    #expect(try house.all()[0].details.emails.count == 4)
  }

  @Test(arguments: [false, true]) func whatOneSideRemovedStaysRemoved(_ pulls: Bool) async throws {
    let (server, house, ada) = try await house(["EMAIL:a@x", "EMAIL:b@x", "EMAIL:c@x"])
    try await edit(house, ada.id, [["value": "b@x"], ["value": "c@x"], ["value": "d@x"]])
    server.put("ada.vcf", Self.card(["EMAIL:a@x", "EMAIL:c@x"]))
    if pulls { try await house.sync() }
    #expect(try await house.flush().conflict == 0)
    try await house.sync()
    #expect(lines(server).filter { $0.hasPrefix("EMAIL") }.sorted() == ["EMAIL:c@x", "EMAIL:d@x"])
    #expect(try house.all()[0].details.emails.map(\.value).sorted() == ["c@x", "d@x"])
    #expect(try house.outbox.entries().isEmpty)
  }

  @Test(arguments: [ConflictSide.mine, .theirs]) func differentValuesOfOneEntryAreAConflict(
    _ side: ConflictSide
  ) async throws {
    let (server, house, ada) = try await house(["EMAIL:a@x", "EMAIL:b@x"])
    try await edit(house, ada.id, [["value": "mine@x"], ["value": "b@x"]])
    server.put("ada.vcf", Self.card(["EMAIL:theirs@x", "EMAIL:b@x"]))
    #expect(try await house.flush().conflict == 1)
    let entry = try #require(try house.outbox.entries().first)
    _ = try await house.outbox.resolve(entry.id, take: side)
    try await house.flush()
    try await house.sync()
    let value = side == .mine ? "mine@x" : "theirs@x"
    #expect(Set(lines(server).filter { $0.hasPrefix("EMAIL") }) == ["EMAIL:\(value)", "EMAIL:b@x"])
    #expect(Set(try house.all()[0].details.emails.map(\.value)) == [value, "b@x"])
  }

  @Test func aLostAnswerAndAChangeThereGiveNoDouble() async throws {
    let (server, house, ada) = try await house(["EMAIL:a@x"])
    try await edit(house, ada.id, [["value": "a@x"], ["value": "mine@x"]])
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    server.put("ada.vcf", Self.card(["EMAIL:a@x", "EMAIL:mine@x", "EMAIL:theirs@x"]))
    try await house.flush()
    try await house.sync()
    #expect(try house.outbox.entries().isEmpty)
    #expect(lines(server).filter { $0.hasPrefix("EMAIL") }.count == 3)
    #expect(try house.all()[0].details.emails.map(\.value) == ["a@x", "mine@x", "theirs@x"])
  }

  @Test func editsOfAnEditAreMergedInTurn() async throws {
    let (server, house, ada) = try await house(["EMAIL:a@x", "EMAIL:b@x"])
    try await edit(house, ada.id, [["value": "a@x"], ["value": "b@x"], ["value": "c@x"]])
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    // The first edit may have arrived, so that this is a second one.
    try await edit(house, ada.id, [["value": "a@x"], ["value": "c@x"], ["value": "d@x"]])
    #expect(try house.outbox.entries().count == 2)
    server.put("ada.vcf", Self.card(["EMAIL:b@x", "EMAIL:c@x", "EMAIL:e@x"]))
    try await house.sync()
    try await house.flush()
    try await house.sync()
    #expect(try house.outbox.entries() == [])
    #expect(Set(lines(server).filter { $0.hasPrefix("EMAIL") }) == ["EMAIL:c@x", "EMAIL:d@x", "EMAIL:e@x"])
    #expect(Set(try house.all()[0].details.emails.map(\.value)) == ["c@x", "d@x", "e@x"])
  }

  @Test func whatASecondEditTakesBackStaysAway() async throws {
    let (server, house, ada) = try await house(["EMAIL:a@x"])
    try await edit(house, ada.id, [["value": "a@x"], ["value": "c@x"]])
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    try await edit(house, ada.id, [["value": "a@x"]])
    server.put("ada.vcf", Self.card(["EMAIL:a@x", "EMAIL:c@x", "EMAIL:e@x"]))
    try await house.sync()
    try await house.flush()
    try await house.sync()
    #expect(try house.outbox.entries() == [])
    #expect(lines(server).filter { $0.hasPrefix("EMAIL") } == ["EMAIL:a@x", "EMAIL:e@x"])
    #expect(try house.all()[0].details.emails.map(\.value) == ["a@x", "e@x"])
  }

  @Test func parametersSurviveAChangeOfValueOrType() async throws {
    let (server, house, ada) = try await house([
      "EMAIL;TYPE=INTERNET,HOME,pref;X-A=b:a@x", "item1.TEL;TYPE=VOICE;PREF=1:1", "item1.X-ABLabel:Boat",
      "item2.ADR;LABEL=\"x\":;;S;C;;;", "item2.X-ABADR:us",
    ])
    _ = try await house.people.edit(
      ada.id,
      PersonChange(details: [
        "emails": [["value": "a@x", "type": "work", "preferred": true]],
        "phones": [["value": "1", "type": "Plane", "preferred": true]],
        "addresses": [["street": "S", "city": "C", "type": "home"]],
      ]))
    #expect(try await house.flush().sent == 1)
    let written = lines(server)
    for line in [
      "EMAIL;TYPE=INTERNET,pref;X-A=b;TYPE=work:a@x", "item1.TEL;TYPE=VOICE;PREF=1:1", "item1.X-ABLabel:Plane",
      "item2.ADR;LABEL=\"x\";TYPE=home:;;S;C;;;", "item2.X-ABADR:us",
    ] { #expect(written.contains(line), "\(line) \(written)") }
    // The time of the revision is replaced, not added.
    let revisions = written.filter { $0.hasPrefix("REV") }
    #expect(revisions == ["REV:\(house.time.now)"])
    _ = try await house.people.edit(
      ada.id,
      PersonChange(details: [
        "emails": [["value": "new@x", "type": "work", "preferred": true]],
        "phones": [["value": "1", "preferred": true]],
      ]))
    try await house.flush()
    #expect(lines(server).contains("EMAIL;TYPE=INTERNET,pref;X-A=b;TYPE=work:new@x"))
    #expect(
      lines(server).contains("item1.TEL;TYPE=VOICE;PREF=1:1") && !lines(server).contains { $0.contains("ABLabel") })
  }
}
