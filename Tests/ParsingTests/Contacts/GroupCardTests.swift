import Models
import Parsing
import Ports
import Testing

/// Cards of groups, in the form of RFC 6350 and in that of Apple.
@Suite struct GroupCardTests {
  enum Form: CaseIterable {
    case standard, apple

    var member: String { self == .standard ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER" }

    func card(_ name: String, _ members: [String], _ lines: [String] = []) -> String {
      let version = self == .standard ? "4.0" : "3.0"
      let kind = self == .standard ? "KIND:group" : "X-ADDRESSBOOKSERVER-KIND:group"
      let head = [
        "BEGIN:VCARD", "VERSION:\(version)", "UID:g1", "N:\(name);;;;", "FN:\(name)", kind, "X-KEEP:  a\\,b ",
      ]
      return (head + members.map { "\(member):\($0)" } + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
    }
  }

  private func group(_ name: String, _ members: String...) -> PersonGroup {
    PersonGroup(id: "g", name: name, members: members, origin: "o")
  }

  private func changed(_ card: String, _ group: PersonGroup) throws -> String {
    let time = try #require(Timestamp(rfc3339: "2026-11-26T12:00:00Z"))
    return String(decoding: try #require(VCardFormat().changed(Array(card.utf8), to: group, at: time)), as: UTF8.self)
  }

  @Test(arguments: Form.allCases) func aGroupIsNotAPerson(_ form: Form) throws {
    let card = form.card("Choir", ["urn:uuid:u1", "URN:UUID:u2", "mailto:dan@example.org"])
    let read = try VCardFormat().read(Array((card + form.card("Team", [])).utf8))
    #expect(read.people.isEmpty && read.skipped.map(\.isOfPerson) == [false, false])
    #expect(read.groups.map(\.name) == ["Choir", "Team"] && read.groups.map(\.uid) == ["g1", "g1"])
    #expect(read.groups[0].members == ["u1", "u2", "mailto:dan@example.org"] && read.groups[1].members.isEmpty)
    #expect(String(decoding: read.groups[0].card, as: UTF8.self) == card)
  }

  @Test(arguments: Form.allCases) func onlyTheLinesOfChangedMembersDiffer(_ form: Form) throws {
    let card = form.card("Choir", ["urn:uuid:u1", "URN:UUID:u2", "urn:uuid:gone"], ["REV:2020-01-01T00:00:00Z"])
    #expect(try changed(card, group("Choir", "u1", "u2", "gone")) == card)
    let rev = form == .standard ? "20261126T120000Z" : "2026-11-26T12:00:00Z"
    let revised = card.replacing("2020-01-01T00:00:00Z", with: rev)
    #expect(
      try changed(card, group("Choir", "u1", "gone")) == revised.replacing("\(form.member):URN:UUID:u2\r\n", with: ""))
    #expect(
      try changed(card, group("Choir", "u1", "u2", "gone", "u3"))
        == revised.replacing("END:", with: "\(form.member):urn:uuid:u3\r\nEND:"))
    #expect(try changed(card, group("Band", "u1", "u2", "gone")) == revised.replacing("N:Choir", with: "N:Band"))
    #expect(try changed(form.card("Choir", []), group("Choir", "u1")) == form.card("Choir", ["urn:uuid:u1"]))
    #expect(try changed(form.card("Choir", ["u1"]), group("Choir", "u1", "u2")) == form.card("Choir", ["u1", "u2"]))
  }

  @Test func otherCardsAreNotChanged() throws {
    let person = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:L;Ada;;;\r\nFN:Ada L\r\nEND:VCARD\r\n"
    let time = try #require(Timestamp(rfc3339: "2026-11-26T12:00:00Z"))
    for card in [person, Form.apple.card("A", []) + Form.apple.card("B", []), "x"] {
      #expect(VCardFormat().changed(Array(card.utf8), to: group("Choir"), at: time) == nil)
    }
  }
}
