import Models
import Parsing
import Ports
import Testing

@Suite("vCard: names")
struct VCardNameTests {
  @Test(
    "N gives first and last name, FN stands in",
    arguments: [
      (["N:Lovelace;Ada;;;", "FN:Countess of Lovelace"], "Ada|Lovelace"),
      (["N:Lovelace;Ada;Augusta;Lady;MP"], "Ada|Lovelace"), (["N:Lovelace"], "|Lovelace"), (["N:;Ada;;;"], "Ada|"),
      (["N:;;;;", "FN:Ada Lovelace"], "Ada|Lovelace"), (["N:", "FN:Ada Lovelace"], "Ada|Lovelace"),
      (["FN:Ada King Lovelace"], "Ada King|Lovelace"), (["FN:Ada"], "Ada|"),
      (["FN:  Ada   Lovelace  "], "Ada|Lovelace"),
      (["N:  van  der  Berg ; Anna  Maria ;;;"], "Anna  Maria|van  der  Berg"),
      (["N:Dr\\;x;A\\,b;;;"], "A,b|Dr;x"), (["N:a\\\\b;c\\:d;;;"], "c:d|a\\b"), (["N:a\\qb;c\\;;"], "c;|a\\qb"),
      (["N:Garcia,Marquez;Gabriel,Jose;;;"], "Gabriel Jose|Garcia Marquez"),
      (["item1.N:Lovelace;Ada;;;", "item1.X-ABLabel:name"], "Ada|Lovelace"),
      (["a.b.n:Lovelace;Ada;;;"], "Ada|Lovelace"),
      (["N;LANGUAGE=en;ALTID=1:Liu;Mei;;;", "N;LANGUAGE=zh;ALTID=1:刘;梅;;;"], "Mei|Liu"),
      (["N;SORT-AS=\"Harten:x;y\":van Harten;Ada;;;"], "Ada|van Harten"),
      (["N;SORT-AS=\"x;QUOTED-PRINTABLE\":Love=41;Ada;;;"], "Ada|Love=41"),
      (["N;X=\"open:Lovelace;Ada;;;"], "Ada|Lovelace"),
      (["N:Love\\nlace\u{1B}[2J;A\tda\u{0};;;"], "A da|Love lace[2J"),
      (["N :Lovelace;Ada;;;"], "Ada|Lovelace"), (["N;PREF=1 :Lovelace;Ada;;;"], "Ada|Lovelace"),
    ])
  func names(lines: [String], expected: String) throws {
    let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["BDAY:1815-12-10", "END:VCARD"]).joined(separator: "\n")
    #expect(summaries(try readCards(text)) == ["\(expected)|1815-12-10"])
  }

  @Test(
    "FN counts where it says more than N",
    arguments: [
      (["N:李;小龙;;;", "FN:李小龙"], "小龙|李|李小龙"), (["FN:李小龙"], "李小龙||李小龙"),
      (["N:李;;;;", "FN:李小龙"], "小龙|李|李小龙"), (["N:김;;;;", "FN:김연아"], "연아|김|김연아"),
      (["N:Lovelace;;;;", "FN:Ada Lovelace"], "Ada|Lovelace|Ada Lovelace"),
      (["N:;Ada;;;", "FN:Ada Lovelace"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:Ada King Lovelace"], "Ada|Lovelace|Ada King Lovelace"),
      (["N:Lovelace;Ada;;Dr.;", "FN:Dr. Ada Lovelace"], "Ada|Lovelace|Dr. Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:Countess of Lovelace"], "Ada|Lovelace|Countess of Lovelace"),
      (["N:Bartók;Béla;;;", "FN:Bartók Béla"], "Béla|Bartók|Bartók Béla"),
      // As much, less, the form of an index, and an address.
      (["N:Lovelace;Ada;;;", "FN:Ada Lovelace"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:ada  lovelace"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:Ada"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:Lovelace\\, Ada"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:Lovelace;Ada;;;"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:ada@example.org"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Lovelace;Ada;;;", "FN:"], "Ada|Lovelace|Ada Lovelace"), (["N:Lovelace;Ada;;;"], "Ada|Lovelace|Ada Lovelace"),
      (["N:Smith;;;;", "FN:Blacksmith"], "|Smith|Blacksmith"),
      (["N:Smith;;;;", "FN:Smith\\, John"], "|Smith|Smith, John"),
    ])
  func fullNames(lines: [String], expected: String) throws {
    for suffix in [[], ["BDAY:1815-12-10"]] {
      let cards = try readCards(card(lines + suffix))
      let people = cards.people.map { $0.person(id: "x") }
      #expect(people.map { "\($0.firstName)|\($0.lastName)|\($0.fullName)" } == [expected])
      #expect(cards.skipped.isEmpty && cards.notes.isEmpty)
      // And once more from a card of ours.
      let again = try VCardFormat().read(VCardFormat().write(people)).people
      #expect(again.map(\.firstName) == people.map(\.firstName) && again.map(\.lastName) == people.map(\.lastName))
      #expect(again.map { $0.fullName ?? people[0].fullName } == people.map(\.fullName))
    }
  }

  @Test("in 2.1 a comma is part of the name")
  func commaInVersion2() throws {
    let cards = try readCards(card("N:Smith, Jr.;John", "BDAY:19850407", version: "2.1"))
    #expect(summaries(cards) == ["John|Smith, Jr.|1985-04-07"])
  }

  @Test("the version may come last, in lower case, be missing or be of the future")
  func versions() throws {
    for version in ["VERSION:2.1", "version:3.0", "VERSION:4.0", "VERSION:5.0", "X-NONE:1", "VERSION:", "VERSION"] {
      let text = "begin:vcard\nn:Berg;Anna\nbday:1985-04-07\n\(version)\nend:vcard\n"
      #expect(summaries(try readCards(text)) == ["Anna|Berg|1985-04-07"], "\(version)")
    }
  }

  @Test("a card without a name is skipped")
  func noName() throws {
    #expect(skips(try readCards(card("BDAY:1985-04-07"))) == ["1|-|no name"])
  }

  /// Who has no name is called by what else is known, also after another detail was added to the card.
  @Test(
    "without a name, the nickname, the organization, a mail address or a number stands for it",
    arguments: [
      (["NICKNAME:Bee", "ORG:Acme"], "Bee"), (["N:;;;;", "FN: ", "ORG:Acme;Tools"], "Acme"),
      (["EMAIL:a@example.org", "TEL:1"], "a@example.org"), (["TEL:+1 2"], "+1 2"),
    ])
  func substitutes(lines: [String], expected: String) throws {
    let bytes = Array((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined().utf8)
    let contact = try #require(try VCardFormat().read(bytes).people.first)
    #expect([contact.firstName, contact.lastName, contact.fullName ?? "-"] == [expected, "", "-"])
    // Servers refuse a card without FN.
    let named = Person(id: "x", firstName: contact.firstName, lastName: "", birthday: nil, details: contact.details)
    let new = String(
      decoding: VCardFormat().newCard(of: named, uid: "u", from: bytes, at: Timestamp(secondsSinceEpoch: 0)),
      as: UTF8.self)
    #expect(new.split(separator: "\r\n").contains { $0 == "FN:\(expected.replacing(",", with: "\\,"))" }, "\(new)")
    var person = Person(
      id: "x", firstName: contact.firstName, lastName: "", birthday: contact.birthday, details: contact.details)
    #expect(VCardFormat().write([person], cards: ["x": contact.card]) == bytes)
    person.details.nickname = "New"
    let changed = VCardFormat().changed(bytes, to: person, at: Timestamp(secondsSinceEpoch: 0))
    let again = try #require(try VCardFormat().read(changed).people.first)
    #expect((again.firstName, again.fullName, again.details) == (expected, nil, person.details))
  }
}
