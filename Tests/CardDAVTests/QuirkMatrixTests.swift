import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// Every peculiarity of real servers with a pull, a change, a new person and a removal, of both sides.
@Suite struct QuirkMatrixTests {
  struct Quirk: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout FakeCardDAV.Peculiarities) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout FakeCardDAV.Peculiarities) -> Void) {
      testDescription = name
      self.change = change
    }
  }

  /// What servers answer to changes that they accept.
  static let accepting: [Quirk] = [
    Quirk("weak entity tags") { $0.tag = { "W/\"\($0)\"" } },
    Quirk("entity tags without quotes") { $0.tag = { "\($0)" } },
    Quirk("no entity tags") { quirks in (quirks.tag, quirks.hidesTags) = ({ _ in "" }, true) },
    Quirk("no entity tag after a change") { $0.hidesTags = true },
    Quirk("an entity tag although the card was rewritten") { quirks in
      quirks.rewrites = { card in
        let lines = card.split(separator: "\r\n").map(String.init)
        return (lines.dropLast().sorted { $0 == "BEGIN:VCARD" || ($1 != "BEGIN:VCARD" && $0 < $1) } + ["END:VCARD"])
          .map { $0 + "\r\n" }.joined()
      }
    },
    Quirk("a proxy changes the tags in header fields") {
      $0.headerTag = { "W/" + $0.replacing("\"", with: "") + "-gzip" }
    },
    Quirk("carriage returns as references") { $0.lineEnd = "&#13;\n" },
    Quirk("carriage returns alone") { $0.lineEnd = "\r" },
    Quirk("a server that fails while another writer is busy") { quirks in (quirks.locks, quirks.lockStatus) = (1, 500)
    },
    Quirk("conditions are ignored") { $0.ignoresMatch = true },
    Quirk("new cards get other names") { $0.newName = { "server-\($0.utf8.count)-\($0.suffix(9))" } },
    Quirk("new cards get other names and UIDs") { quirks in
      quirks.newName = { "server-\($0.suffix(9))" }
      quirks.rewrites = { card in
        card.split(separator: "\r\n").map { $0.hasPrefix("UID:0") ? "UID:given-by-the-server" : String($0) }
          .map { $0 + "\r\n" }.joined()
      }
    },
    Quirk("207 for what is missing") { quirks in
      (quirks.rootKnowsUser, quirks.missingIs207, quirks.wellKnown) = (false, true, "/principals/ann/")
    },
    Quirk("addresses with other escapes") { $0.href = { $0.replacing("@", with: "%40").replacing("-", with: "%2d") } },
    Quirk("absolute addresses") { $0.href = { FakeCardDAV.origin + ":443" + $0 } },
    Quirk("another writer holds a lock") { $0.locks = 1 },
    Quirk("200 with a body for a removal") { $0.removedStatus = 200 },
    Quirk("removed cards with 418 in a propstat") { $0.hidesGone = true },
    Quirk("the collection among its changes") { $0.listsItself = true },
    Quirk("every card twice") { $0.repeats = true },
    Quirk("UIDs are unique") { $0.uidConflict = 409 },
    Quirk("no report: 403") { $0.noReport = 403 }, Quirk("no report: 400") { $0.noReport = 400 },
    Quirk("no report: 405") { $0.noReport = 405 }, Quirk("no report: 501") { $0.noReport = 501 },
    Quirk("no report and no collection tag") { quirks in (quirks.noReport, quirks.noTag) = (415, true) },
    Quirk("a report needs a token") { $0.needsToken = true }, Quirk("answers are cut") { $0.cut = 2 },
    Quirk("404 for a report with a missing card") { $0.missingStatus = 404 },
    Quirk("413 for a report of many cards") { $0.mostCards = 1 },
    Quirk("cards that reports leave out") { $0.unmentioned = ["ada.vcf", "bob.vcf"] },
    Quirk("a proxy changes the tags of cards that reports leave out") { quirks in
      quirks.unmentioned = ["ada.vcf", "bob.vcf"]
      quirks.headerTag = { $0.replacing("\"", with: "") + "-gzip" }
    },
    Quirk("the user is found elsewhere") { quirks in
      (quirks.rootKnowsUser, quirks.wellKnown, quirks.home) = (false, "/ann b/", "/ann b/")
    },
  ]

  private static func card(_ name: String, _ lines: String...) -> String {
    // A card of version 4.0, a name with seven parts, an address with eighteen (RFC 9554), a time of revision.
    vCard(
      name, uid: name, "X-KEPT;A=b:\(name)", "item1.EMAIL:\(name.prefix(1))@x", "item1.X-ABLabel:Boat",
      "ADR;TYPE=home:;;1 Main St;Town;;1;X\(String(repeating: ";", count: 11))s", "REV:1999-01-01T00:00:00Z"
    ).replacing("VERSION:3.0", with: name == "Cle D" ? "VERSION:4.0" : "VERSION:3.0")
      .replacing(";;;\r\n", with: name == "Ada B" ? ";;;;;Jr\r\n" : ";;;\r\n")
      .replacing("END:VCARD\r\n", with: lines.map { $0 + "\r\n" }.joined() + "END:VCARD\r\n")
  }

  @Test(arguments: accepting) func everyOperationArrives(_ quirk: Quirk) async throws {
    let server = FakeCardDAV(quirk.change)
    for (name, card) in [("ada", "Ada B"), ("bob", "Bob C"), ("c@d-e", "Cle D"), ("dan", "Dan E")] {
      server.put("\(name).vcf", Self.card(card))
    }
    let group =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:g\r\nN:Crew\r\nFN:Crew\r\nX-ADDRESSBOOKSERVER-KIND:group\r\nEND:VCARD\r\n"
    server.put("crew.vcf", group)
    let house = try await CardDAVHouse.synced(server.transport)
    #expect(try house.names == ["Ada B", "Bob C", "Cle D", "Dan E"])
    // The other side.
    server.put("ada.vcf", Self.card("Ada B", "NOTE:there"))
    server.put("new.vcf", Self.card("New F"))
    server.remove("dan.vcf")
    // This side.
    for name in ["Ada B", "Cle D"] {
      let person = try #require(try house.person(name))
      _ = try await house.people.edit(person.id, PersonChange(birthday: Birthday("2000-01-02")))
    }
    try await house.remove("Bob C")
    try await house.add("Eve", "G", ["note": "here"])
    for _ in 0..<4 {
      try await house.flush()
      house.time.advance(by: .seconds(2))
      let report = try await house.sync()
      #expect(report.error == nil, "\(report)")
    }
    #expect(try house.outbox.entries() == [])
    let expected = ["Ada B", "Cle D", "Eve G", "New F"]
    #expect(try house.names == expected && house.cardCount() == 4)
    #expect(server.cards.count == 5 && server.cards["crew.vcf"] == group)
    let cards = server.cards.values.sorted()
    for name in expected {
      let card = try #require(cards.first { $0.contains("FN:\(name)\r\n") }, "\(name)")
      if name != "Eve G" {
        #expect(card.contains("X-KEPT;A=b:\(name)") && card.contains("item1.X-ABLabel:Boat"), "\(card)")
        #expect(card.contains(";;1 Main St;Town;;1;X;;;;;;;;;;;s\r\n"), "\(card)")
        #expect(card.contains("VERSION:4.0") == (name == "Cle D"), "\(card)")
        #expect(card.contains(";;;;;Jr\r\n") == (name == "Ada B"), "\(card)")
      }
    }
    #expect(server.cards["ada.vcf"]?.contains("NOTE:there") == true)
    for name in ["ada.vcf", "c@d-e.vcf"] {
      let card = server.cards[name] ?? ""
      #expect(card.contains("BDAY:2000-01-02") || card.contains("BDAY:20000102"), "\(card)")
      #expect(card.split(separator: "\r\nREV").count == 2 && !card.contains("REV:1999"), "\(card)")
    }
    let eve = try #require(cards.first { $0.contains("NOTE:here") })
    // Folded, it makes iCloud refuse the card.
    #expect(eve.contains("VERSION:3.0\r\n") && eve.contains("\r\nPRODID:-//Almanac//Almanac//EN\r\n"), "\(eve)")
    #expect(try house.person("Ada B")?.details.note == "there")
  }

  /// Refusals: the edits wait with the reason, and neither side loses anything.
  @Test(arguments: [
    (403, "need-privileges", "the address book may only be read (need-privileges)"),
    (403, "no-such-thing", "the server does not allow this change (403) (no-such-thing)"),
    (403, "max-resource-size", "the card is too large for the server (max-resource-size)"),
    (412, "valid-address-data", "the server answered 412 (valid-address-data)"),
    (413, "max-resource-size", "the card is too large for the server (max-resource-size)"),
    (415, "supported-address-data", "the server does not take this card (415) (supported-address-data)"),
    (507, "quota-not-exceeded", "the address book is full (quota-not-exceeded)"),
  ]) func refusalsAreSaid(_ status: Int, _ condition: String, _ reason: String) async throws {
    let server = FakeCardDAV { $0.refusal = (status, condition) }
    server.put("ada.vcf", Self.card("Ada B"))
    let house = try await CardDAVHouse.synced(server.transport)
    let ada = try #require(try house.person("Ada B"))
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    try await house.add("Eve", "G")
    let counts = try await house.flush()
    #expect(counts.refused == 2 && counts.sent == 0, "\(counts)")
    for entry in try house.outbox.entries() { #expect(entry.lastError == reason) }
    #expect(server.cards["ada.vcf"] == Self.card("Ada B") && server.cards.count == 1)
    // After the reason is gone, both are sent.
    server.change { $0.refusal = nil }
    _ = try await house.outbox.retry(nil)
    #expect(try await house.flush().sent == 2)
    #expect(server.cards.count == 2 && server.cards["ada.vcf"]?.contains("N:King;Ada") == true)
  }

  @Test func aUIDUnderTwoPathsIsTwoPeople() async throws {
    let server = FakeCardDAV()
    server.put("one.vcf", vCard("Ada B", uid: "same"))
    server.put("two.vcf", vCard("Ada C", uid: "same"))
    let house = try await CardDAVHouse.synced(server.transport)
    _ = try await house.people.edit(try #require(try house.person("Ada C")).id, PersonChange(lastName: "K"))
    #expect(try await house.flush().sent == 1)
    server.remove("one.vcf")
    try await house.sync()
    #expect(try house.names == ["Ada K"] && server.cards.keys.sorted() == ["two.vcf"])
  }

  @Test(arguments: [403, 409]) func aUIDThatIsThereAlreadyIsNamed(_ status: Int) async throws {
    let server = FakeCardDAV { $0.uidConflict = status }
    server.put("ada.vcf", vCard("Ada B", uid: "same"))
    let house = try await CardDAVHouse.synced(server.transport)
    _ = try await house.people.importContacts(
      Array(vCard("Eve K", uid: "same").utf8), file: "a.vcf",
      to: FollowedBook(follow: house.follow.path, source: .cardDAV))
    #expect(try await house.flush().refused == 1)
    #expect(
      try house.outbox.entries().first?.lastError
        == "the address book has a card with the same UID already: that of Ada B at https://dav.example/ann/book/ada.vcf"
    )
    #expect(server.cards.count == 1)
  }
}
