import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// Resources with several cards, which sabre/dav and Xandikos accept although RFC 6352 section 5.1 forbids them.
@Suite struct SharedResourceTests {
  private static let ada = vCard("Ada Byron", uid: "a", "TEL:1", "X-OWN:a")
  private static let eve = vCard("Eve King", uid: "e", "TEL:2", "X-OWN:e")

  private func house(_ text: String = ada + eve) async throws -> (FakeCardDAV, CardDAVHouse) {
    let server = FakeCardDAV()
    server.put("two.vcf", text)
    server.put("one.vcf", vCard("Kay One", uid: "k"))
    let house = try await CardDAVHouse.synced(server.transport)
    return (server, house)
  }

  @Test func eachCardIsAPerson() async throws {
    let (_, house) = try await house()
    #expect(try house.names == ["Ada Byron", "Eve King", "Kay One"])
    #expect(try house.cardCount() == 3)
    let ids = try house.all().map(\.id)
    // The same people come again, with all cards and without changes, and in another store.
    for options in [SyncOptions(), SyncOptions(full: true)] {
      let report = try await house.sync(options)
      #expect((report.counts.added, report.counts.updated, report.counts.removed) == (0, 0, 0), "\(report)")
    }
    #expect(try house.all().map(\.id) == ids)
    #expect(try await self.house().1.all().map(\.id) == ids)
  }

  @Test(arguments: ["Ada Byron", "Eve King"]) func anEditKeepsTheOtherCard(_ name: String) async throws {
    let (server, house) = try await house()
    try await house.edit(name, ["note": "mine"])
    #expect(try await house.flush().sent == 1)
    let text = try #require(server.cards["two.vcf"])
    let isFirst = name == "Ada Byron"
    #expect(text.contains(isFirst ? Self.eve : Self.ada), "\(text)")
    #expect(
      text.components(separatedBy: "BEGIN:VCARD").count == 3 && text.components(separatedBy: "NOTE:mine").count == 2)
    let own = text.components(separatedBy: "END:VCARD").first { $0.contains("NOTE:mine") } ?? ""
    #expect(own.contains("X-OWN:\(isFirst ? "a" : "e")"))
    let before = try house.all().map(\.id)
    try await house.sync()
    #expect(try house.all().map(\.id) == before && house.person(name)?.details.note == "mine")
  }

  @Test(arguments: ["Ada Byron", "Eve King"]) func aRemovalKeepsTheOtherCard(_ name: String) async throws {
    let (server, house) = try await house()
    try await house.remove(name)
    #expect(try await house.flush().sent == 1)
    #expect(server.cards["two.vcf"] == (name == "Ada Byron" ? Self.eve : Self.ada))
    for _ in 0..<2 { try await house.sync() }
    let rest = name == "Ada Byron" ? "Eve King" : "Ada Byron"
    #expect(try house.names == [rest, "Kay One"].sorted() && house.cardCount() == 2)
    // The last card goes with its resource.
    try await house.remove(rest)
    #expect(try await house.flush().sent == 1)
    #expect(server.cards.keys.sorted() == ["one.vcf"])
  }

  /// Another program removes one of the cards, adds one, and changes their order.
  @Test func theOthersStayThePeopleTheyAre() async throws {
    let (server, house) = try await house()
    let ids = Dictionary(uniqueKeysWithValues: try house.all().map { ($0.fullName, $0.id) })
    server.put("two.vcf", Self.eve)
    try await house.sync()
    #expect(try house.names == ["Eve King", "Kay One"] && house.person("Eve King")?.id == ids["Eve King"])
    let new = vCard("Nora New", uid: "n")
    server.put("two.vcf", new + Self.eve)
    try await house.sync()
    #expect(try house.names == ["Eve King", "Kay One", "Nora New"] && house.person("Eve King")?.id == ids["Eve King"])
    let nora = try #require(try house.person("Nora New")?.id)
    server.put("two.vcf", Self.eve.replacing("TEL:2", with: "TEL:3") + new)
    try await house.sync(SyncOptions(full: true))
    #expect(try house.person("Eve King")?.id == ids["Eve King"] && house.person("Nora New")?.id == nora)
    #expect(try house.person("Eve King")?.details.phones.map(\.value) == ["3"])
    server.remove("two.vcf")
    try await house.sync(SyncOptions(force: true))
    #expect(try house.names == ["Kay One"] && house.cardCount() == 1)
  }

  /// A card was added to the resource after the last pull: a removal must not take it along.
  @Test func aCardThatCameMeanwhileStays() async throws {
    let (server, house) = try await house(Self.ada)
    try await house.remove("Ada Byron")
    server.put("two.vcf", Self.ada + Self.eve)
    try await house.flush()
    try await house.sync()
    try await house.flush()
    try await house.sync()
    #expect(server.cards["two.vcf"]?.contains("FN:Eve King") == true)
    #expect(try house.names == ["Eve King", "Kay One"])
  }

  /// The edit of a card that another program removed from its resource changes no other card.
  @Test func anEditOfACardThatIsGoneChangesNoOther() async throws {
    let (server, house) = try await house()
    try await house.edit("Eve King", ["note": "mine"])
    server.put("two.vcf", Self.ada)
    try await house.flush()
    #expect(server.cards["two.vcf"] == Self.ada)
    #expect(try house.outbox.entries().map(\.state) == [.conflict])
  }

  @Test func aCardThatCannotBeReadIsNamed() async throws {
    let bad = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:b\r\nNOTE:Acme\r\nEND:VCARD\r\n"
    let (server, house) = try await house(Self.ada + bad)
    #expect(try house.names == ["Ada Byron", "Kay One"])
    let rejects = try house.rejects()
    #expect(rejects.count == 1 && rejects[0].contains("Acme"), "\(rejects)")
    // It is not lost by an edit either.
    try await house.edit("Ada Byron", ["note": "mine"])
    #expect(try await house.flush().sent == 1)
    #expect(server.cards["two.vcf"]?.contains(bad) == true)
  }
}
