import AlmanacTesting
import CardDAV
import Models
import Networking
import People
import Ports
import Sync
import Testing

/// What cards and answers contain that some programs and servers write in their own way, through every operation.
@Suite struct QuirkCardTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The lines of the card, which an edit of something else keeps byte for byte.
    var lines: [String]
    var version = "3.0"
    var birthday: String?
    /// An edit, and the lines that it changes: the old ones go, the new ones come.
    var edit = PersonChange(details: ["note": "new"])
    var gone: [String] = []
    var come = ["NOTE:new"]
  }

  private static let photo = "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgID\r\n AwMD"
  private static let born = PersonChange(birthday: Birthday("2000-03-04"))

  static let scenes: [Scene] = [
    Scene(testDescription: "a birthday without a year", lines: ["BDAY:--0229"], version: "4.0", birthday: "--02-29"),
    Scene(
      testDescription: "1604 in the place of the year", lines: ["BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29"],
      birthday: "--02-29"),
    Scene(
      testDescription: "the year is learned", lines: ["BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29"], birthday: "--02-29",
      edit: born, gone: ["BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29"], come: ["BDAY:2000-03-04"]),
    Scene(testDescription: "a birthday as text", lines: ["BDAY;VALUE=text:circa 1800"]),
    Scene(testDescription: "an embedded photo", lines: [photo]),
    Scene(
      testDescription: "a photo as a data address", lines: ["PHOTO:data:image/gif;base64,R0lGODlhAQABAAAAACw="],
      version: "4.0"),
    Scene(testDescription: "a photo elsewhere", lines: ["PHOTO;VALUE=uri:https://photos.example/ada.jpg"]),
    Scene(
      testDescription: "a label of a group", lines: ["item1.EMAIL;TYPE=INTERNET:a@x", "item1.X-ABLabel:_$!<Other>!$_"]),
    Scene(
      testDescription: "a value is removed with its label",
      lines: ["item1.EMAIL;TYPE=INTERNET:a@x", "item1.X-ABLabel:Boat", "item2.TEL:1", "item2.X-ABLabel:Car"],
      edit: PersonChange(details: ["emails": .null]),
      gone: ["item1.EMAIL;TYPE=INTERNET:a@x", "item1.X-ABLabel:Boat"], come: []),
    Scene(
      testDescription: "names of seven parts", lines: ["N:Q;P;M;Dr.;MD;Q2;Jr"],
      edit: PersonChange(lastName: "R"), gone: ["N:Q;P;M;Dr.;MD;Q2;Jr", "FN:P Q"],
      come: ["N:R;P;M;Dr.;MD;Q2;Jr", "FN:P R"]),
    Scene(testDescription: "an address of eighteen parts", lines: ["ADR:;;1 St;Town;;9;X;r;a;f;b;u;s;n;d;e;l;o"]),
    Scene(testDescription: "preferred types", lines: ["TEL;TYPE=PREF;TYPE=CELL;TYPE=VOICE:+1 5", "EMAIL;PREF=1:a@x"]),
  ]

  private static func card(_ scene: Scene) -> String {
    let names = scene.lines.contains { $0.hasPrefix("N:") } ? ["FN:P Q"] : ["N:Q;P;;;", "FN:P Q"]
    let all = ["BEGIN:VCARD", "VERSION:\(scene.version)", "UID:u"] + names + scene.lines + ["END:VCARD"]
    return all.map { $0 + "\r\n" }.joined()
  }

  @Test(arguments: scenes) func onlyTheEditChangesACard(_ scene: Scene) async throws {
    let server = FakeCardDAV()
    let card = Self.card(scene)
    server.put("p.vcf", card)
    let house = try await CardDAVHouse.synced(server.transport)
    let person = try #require(try house.all().first)
    #expect(person.birthday?.description == scene.birthday)
    #expect(try house.exported() == card)
    _ = try await house.people.edit(person.id, scene.edit)
    #expect(try await house.flush().sent == 1)
    var expected = card.components.filter { !scene.gone.contains($0) } + scene.come
    #expect(server.cards["p.vcf"]?.components.sorted() == expected.sorted(), "\(server.cards)")
    // The other side adds something, and nothing of this side comes back.
    expected.append("X-MORE:1")
    server.put("p.vcf", (server.cards["p.vcf"] ?? "").replacing("END:VCARD", with: "X-MORE:1\r\nEND:VCARD"))
    #expect(try await house.sync().error == nil)
    #expect(try house.exported().components.sorted() == expected.sorted())
    #expect(server.cards["p.vcf"]?.components.sorted() == expected.sorted())
    _ = try await house.people.remove(person.id)
    #expect(try await house.flush().sent == 1)
    #expect(try server.cards.isEmpty && house.cardCount() == 0)
  }

  /// The type of an answer says nothing; the card does.
  @Test(arguments: [nil, "text/vcard", "text/x-vcard", "text/directory; charset=utf-8", "application/octet-stream"])
  func anyTypeOfAnswerIsRead(_ type: String?) async throws {
    let server = FakeCardDAV { $0.unmentioned = ["one.vcf"] }
    for name in ["one", "two"] { server.put("\(name).vcf", vCard("\(name) Q")) }
    let typed = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      var response = try await server.transport.send(request)
      response.headers["Content-Type"] = type
      return response
    }
    let house = CardDAVHouse(typed)
    try await house.sync()
    #expect(try house.names == ["one Q", "two Q"])
    try await house.edit("one Q", ["note": "n"])
    #expect(try await house.flush().sent == 1)
    #expect(server.cards["one.vcf"]?.contains("NOTE:n") == true)
  }

  /// A card that is asked for alone is asked for without a condition: some servers do not know 304.
  @Test func cardsAreReadWithoutConditions() async throws {
    let server = FakeCardDAV { $0.unmentioned = ["one.vcf"] }
    server.put("one.vcf", vCard("one Q"))
    let house = CardDAVHouse(server.transport)
    for note in ["1", "2"] {
      server.put("one.vcf", vCard("one Q", uid: "u", "NOTE:\(note)"))
      try await house.sync()
      #expect(try house.all().map(\.details.note) == [note])
    }
    let gets = server.taken().filter { $0.method == .get }
    #expect(!gets.isEmpty)
    #expect(gets.allSatisfy { $0.headers["If-None-Match"] == nil && $0.headers["If-Modified-Since"] == nil })
  }

  /// A folder within the book is not a card.
  @Test(arguments: [false, true]) func collectionsInABookAreLeftOut(_ hasReport: Bool) async throws {
    let server = FakeCardDAV { $0.noReport = hasReport ? nil : 403 }
    server.put("one.vcf", vCard("one Q"))
    let nested = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      var response = try await server.transport.send(request)
      let folder =
        "<c:response><c:href>/ann/book/more/</c:href><c:propstat><c:prop><c:getetag>\"x\"</c:getetag></c:prop>"
        + "<c:status>HTTP/1.1 200 OK</c:status></c:propstat></c:response></c:multistatus>"
      response.body = Array(
        String(decoding: response.body, as: UTF8.self).replacing("</c:multistatus>", with: folder).utf8)
      return response
    }
    let report = try await CardDAVHouse(nested).sync()
    #expect(report.error == nil && report.counts.added == 1 && report.counts.rejected == 0, "\(report)")
    #expect(
      server.taken().allSatisfy {
        !$0.url.contains("/more") && $0.body.map { !String(decoding: $0, as: UTF8.self).contains("/more") } ?? true
      })
  }

  /// A server sends PROPFIND and REPORT elsewhere, with their methods and bodies.
  @Test(arguments: [301, 302, 307, 308]) func questionsFollowRedirects(_ status: Int) async throws {
    let server = FakeCardDAV()
    server.put("one.vcf", vCard("one Q"))
    let moved = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      var request = request
      let target = FakeCardDAV.origin + "/there"
      guard request.url.hasPrefix(target) || [.put, .delete].contains(request.method) else {
        var response = HTTPResponse(status: status, body: [], url: request.url)
        response.headers["Location"] = target + request.url.dropFirst(FakeCardDAV.origin.count)
        return response
      }
      request.url = request.url.replacing("/there/", with: "/")
      return try await server.transport.send(request)
    }
    let house = CardDAVHouse(StandardStack().transport(over: moved))
    let report = try await house.sync()
    #expect(try report.error == nil && house.names == ["one Q"], "\(report)")
    _ = try await house.people.edit(try #require(try house.all().first).id, PersonChange(details: ["note": "n"]))
    #expect(try await house.flush().sent == 1)
  }
}

extension String {
  fileprivate var components: [String] {
    replacing("\r\n ", with: "\u{1}").split(separator: "\r\n").map { String($0).replacing("\u{1}", with: "\r\n ") }
  }
}
