import Models
import Parsing
import Ports
import Testing

@Suite("vCard: lines and files")
struct VCardFileTests {
  private let photo = (0..<200).map { _ in " \(String(repeating: "A", count: 70))" }.joined(separator: "\r\n")

  @Test("CR LF, LF, CR and mixtures give the same")
  func lineEnds() throws {
    let text = card("N:Berg;An", " na", "BDAY:1985-04-07")
    let mixed = text.replacing("BEGIN:VCARD\r\n", with: "BEGIN:VCARD\n").replacing("An\r\n", with: "An\r")
    let doubled = text.replacing("\r\n", with: "\r\r\n")
    for variant in [text, doubled, text.replacing("\r\n", with: "\n"), text.replacing("\r\n", with: "\r"), mixed] {
      #expect(summaries(try readCards(variant)) == ["Anna|Berg|1985-04-07"])
    }
  }

  @Test(
    "the UID, also alone",
    arguments: [
      ("UID:a-1", "a-1"), ("UID;VALUE=text: a-1 ", "a-1"), ("item1.uid:a\\,1", "a,1"), ("UID:a\r\n -1", "a-1"),
      ("UID:urn:uuid:4fbe", "4fbe"), ("UID;X=1:URN:UUID:4fbe", "4fbe"), ("UID:", nil), ("X-UID:a", nil),
      ("UID:a\r\nUID:b", "a"),
    ] as [(String, String?)])
  func uids(line: String, uid: String?) throws {
    let text = card("N:Berg;Anna", line, "NOTE:UID:x")
    #expect(try readCards(text).people.map(\.uid) == [uid])
    #expect(VCardFormat().uid(of: Array(text.utf8)) == uid)
  }

  @Test("folded with space or tab, in the middle of a character too")
  func folding() throws {
    let bytes =
      Array("BEGIN:VCARD\r\nN:M".utf8) + [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("ller;J\n\to\r\n  hn\r\n".utf8)
      + Array("BDAY:1985-04-07\r\nEND:VCARD".utf8)
    #expect(summaries(try VCardFormat().read(bytes)) == ["Jo hn|Müller|1985-04-07"])
  }

  @Test("photos are stepped over, folded, unfolded or as a data URL")
  func photos() throws {
    for lines in [
      "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\n\(photo)==", "PHOTO;ENCODING=BASE64;JPEG:\r\n\(photo)\r\n",
      "PHOTO;BASE64:\r\n" + photo.replacing(" ", with: "") + "=\r\n\r\n",
      "PHOTO:data:image/png;base64,AAAA\r\n\(photo)=",
    ] {
      #expect(summaries(try readCards(card("N:Berg;Anna", lines, "BDAY:1985-04-07"))) == ["Anna|Berg|1985-04-07"])
    }
  }

  @Test("a quoted-printable note may hold lines that look like properties")
  func hiddenProperties() throws {
    let note = "NOTE;ENCODING=QUOTED-PRINTABLE:first=\r\nBDAY:2000-01-01=\r\nFN:x"
    #expect(summaries(try readCards(card("N:Berg;Anna", note, "BDAY:1985-04-07"))) == ["Anna|Berg|1985-04-07"])
  }

  @Test("a soft break before END does not swallow it")
  func softBreakAtTheEnd() throws {
    for line in ["NOTE;QUOTED-PRINTABLE:x=", "N;QUOTED-PRINTABLE:Berg;Anna="] {
      let text = card("N:Berg;Anna", "BDAY:1985-04-07", line) + card("N:Oak;Bo", "BDAY:--0203", line)
      let cards = try readCards(text)
      #expect(summaries(cards) == ["Anna|Berg|1985-04-07", "Bo|Oak|--02-03"])
      #expect(cards.skipped.isEmpty)
    }
  }

  @Test("many cards, text between them, marks inside")
  func manyCards() throws {
    let cards = try readCards(
      "hello\r\n" + card("N:Berg;Anna", "BDAY:1985-04-07") + "\u{FEFF}" + card("FN:Bo Oak") + "\r\nBDAY:2000-01-01\r\n"
        + card("FN:Cy Elm", "BDAY:--0203"))
    #expect(summaries(cards) == ["Anna|Berg|1985-04-07", "Bo|Oak|-", "Cy|Elm|--02-03"])
    #expect(cards.people.map(\.line) == [2, 7, 13])
    #expect(cards.skipped.isEmpty)
  }

  @Test("an agent's card is not ours, whichever way it is nested")
  func agents() throws {
    let agent = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Agent;Sue\r\nBDAY:2000-01-01\r\nEND:VCARD"
    for lines in [
      "AGENT:\r\n\(agent)", "AGENT:\(agent)", "AGENT:\r\n\r\n\(agent)",
      "AGENT:BEGIN:VCARD\\nFN:Sue Agent\\nBDAY:2000-01-01\\nEND:VCARD\\n",
    ] {
      let text = card("N:Berg;Anna", lines, "BDAY:1985-04-07", version: "2.1") + card("FN:Bo Oak", "BDAY:--0203")
      let cards = try readCards(text)
      #expect(summaries(cards) == ["Anna|Berg|1985-04-07", "Bo|Oak|--02-03"], "\(lines)")
      #expect(cards.skipped.map(\.reason) == ["the AGENT of the card at line 1"], "\(lines)")
    }
  }

  @Test("a card without BEGIN is named")
  func missingBegin() throws {
    let cards = try readCards(card("FN:Anna Berg") + "BEGIN:VCRD\r\nFN:Bo Oak\r\nEND:VCARD\r\n")
    #expect(summaries(cards) == ["Anna|Berg|-"])
    #expect(skips(cards) == ["7|-|cut off: BEGIN:VCARD is missing"])
  }

  @Test("groups, locations and things are not people", arguments: ["KIND:group", "X-ADDRESSBOOKSERVER-KIND:group"])
  func kinds(line: String) throws {
    let cards = try readCards(card(line, "N:Friends", "FN:Friends") + card("KIND:org", "FN:Acme"))
    #expect(summaries(cards) == ["Acme||-"])
    #expect(skips(cards) == ["1|Friends|a group, not a person"])
  }

  @Test("a card without END counts where another one begins, and is cut off at the end of the file")
  func missingEnd() throws {
    let cards = try readCards("BEGIN:VCARD\nFN:Anna Berg\nBDAY:1985-04-07\nBEGIN:VCARD\nFN:Bo Oak\nBDAY:--0203\n")
    #expect(summaries(cards) == ["Anna|Berg|1985-04-07"])
    #expect(skips(cards) == ["4|Bo Oak|cut off: END:VCARD is missing"])
    #expect(cards.notes.map(\.line) == [1] && cards.notes[0].reason.hasPrefix("END:VCARD is missing"))
    let whole = "BEGIN:VCARD\nFN:Anna Berg\nBDAY:1985-04-07\nEND:VCARD\r\n"
    #expect(cards.people.map { String(decoding: $0.card, as: UTF8.self) } == [whole])
  }

  @Test(
    "a file without a card is an error that says what is there",
    arguments: [
      ("", "an empty file"), ("\r\n  \n", "an empty file"), ("BEGIN:VCALENDAR\r\nEND:VCALENDAR", "\"BEGIN:VCALENDAR\""),
      ("<!DOCTYPE html>", "\"<!DOCTYPE html>\""), ("END:VCARD", "\"END:VCARD\""),
    ])
  func noCard(text: String, found: String) throws {
    let error = #expect(throws: ParsingError.self) { try readCards(text) }
    #expect(error?.code == .foreign)
    #expect(error?.found == found)
    #expect(error?.expected == "a contact card (BEGIN:VCARD)")
  }
}

/// A card around some lines, with a version and CR LF.
func card(_ lines: String..., version: String = "3.0") -> String { card(lines, version: version) }

/// The same of any number of lines.
func card(_ lines: [String], version: String = "3.0") -> String {
  (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
}

func readCards(_ text: String) throws(ParsingError) -> ContactCards {
  try VCardFormat().read(Array(text.utf8))
}

/// `First|Last|birthday` of every person, which is easy to compare.
func summaries(_ cards: ContactCards) -> [String] {
  cards.people.map { "\($0.firstName)|\($0.lastName)|\($0.birthday?.description ?? "-")" }
}

/// `line|name|reason` of every card that was not taken.
func skips(_ cards: ContactCards) -> [String] {
  cards.skipped.map { "\($0.line)|\($0.name ?? "-")|\($0.reason)" }
}

/// `line|name|reason` of what is to be known of cards that were taken.
func notes(_ cards: ContactCards) -> [String] {
  cards.notes.map { "\($0.line)|\($0.name ?? "-")|\($0.reason)" }
}
