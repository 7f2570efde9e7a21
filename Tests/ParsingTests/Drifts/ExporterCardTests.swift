import Parsing
import Ports
import Testing

/// Cards as exporters in the wild write them, in words of our own: what each becomes.
@Suite("Drifts: contact cards")
struct ExporterCardTests {
  @Test(
    "the ways of exporters",
    arguments: [
      // iOS and macOS: groups, labels, the year that means no year.
      (
        "N:Berg;Anna;;;\r\nFN:Anna Berg\r\nitem1.X-ABDATE;type=pref:1999-01-01\r\nitem1.X-ABLabel:_$!<Anniversary>!$_\r\n"
          + "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-07", "3.0", "Anna|Berg|--04-07"
      ),
      ("N:Berg;Anna;;;\r\nBDAY;value=date:1985-04-07\r\nX-ABUID:1:ABPerson", "3.0", "Anna|Berg|1985-04-07"),
      // Google: no year with dashes, custom fields in groups.
      ("FN:Anna Berg\r\nN:Berg;Anna;;;\r\nBDAY:--0407\r\nitem1.X-ABDATE:2001-02-03", "3.0", "Anna|Berg|--04-07"),
      // Outlook: 2.1, language and windows names, base64 photo with an empty line after it.
      (
        "N;LANGUAGE=de;CHARSET=Windows-1252:Berg;Anna\r\nX-MS-OL-DEFAULT-POSTAL-ADDRESS:0\r\nPHOTO;TYPE=JPEG;ENCODING=BASE64:\r\n"
          + " /9j/4AAQ\r\n SkZJRg==\r\n\r\nBDAY:19850407", "2.1", "Anna|Berg|1985-04-07"
      ),
      // Nextcloud and other sabre servers.
      (
        "N:Berg;Anna;;;\r\nBDAY;VALUE=DATE:19850407\r\nREV;VALUE=DATE-AND-OR-TIME:20200101T000000Z", "4.0",
        "Anna|Berg|1985-04-07"
      ),
      ("N:Berg;Anna;;;\r\nBDAY;VALUE=DATE-AND-OR-TIME;X-NC-EXCLUDE=1:1985-04-07", "4.0", "Anna|Berg|1985-04-07"),
      // Phones: 2.1 in quoted-printable, soft breaks within an encoded byte's neighbours, base64 names.
      (
        "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=42=65=\r\n=72=67;=41=6E=6E=61;;;\r\nBDAY:1985-04-07", "2.1",
        "Anna|Berg|1985-04-07"
      ),
      (
        "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Berg=\r\n;Anna=\r\n\r\nBDAY:1985-04-07", "2.1",
        "Anna|Berg|1985-04-07"
      ),
      ("N;CHARSET=UTF-8;ENCODING=BASE64:QmVyZztBbm5h\r\nBDAY:1985-04-07", "2.1", "Anna|Berg|1985-04-07"),
      ("FN;ENCODING=b:QW5uYSBCZXJn\r\nBDAY:1985-04-07", "3.0", "Anna|Berg|1985-04-07"),
      ("FN;ENCODING=B:QW5uYSBC\r\n ZXJnZQ==\r\nBDAY:1985-04-07", "3.0", "Anna|Berge|1985-04-07"),
      ("FN;ENCODING=B:Anna Berg\r\nBDAY:1985-04-07", "3.0", "Anna|Berg|1985-04-07"),
      // Thunderbird, Evolution, KDE: escaped colons, times, a property in lower case.
      ("n:Berg;Anna\r\nbday:1985-04-07T00\\:00\\:00Z", "3.0", "Anna|Berg|1985-04-07"),
      (
        "N:Berg;Anna;;;\r\nX-EVOLUTION-ANNIVERSARY:2001-01-01\r\nBDAY;VALUE=DATE:1985-04-07", "3.0",
        "Anna|Berg|1985-04-07"
      ),
      ("N:Berg;Anna;;;\r\nBDAY;VALUE=date-time:1985-04-07T23:59:59+14:00", "3.0", "Anna|Berg|1985-04-07"),
      ("N:Berg;Anna;;;\r\nBDAY;VALUE=text:1985-04-07", "4.0", "Anna|Berg|1985-04-07"),
      // Companies and people with one name.
      ("N:;;;;\r\nFN:Acme\r\nORG:Acme;Tools\r\nBDAY:1985-04-07", "3.0", "Acme||1985-04-07"),
    ])
  func exporters(lines: String, version: String, expected: String) throws {
    let cards = try readCards(card(lines, version: version))
    #expect(summaries(cards) == [expected])
    #expect(skips(cards) == [])
  }

  @Test("an agent within an agent, and the card goes on after them")
  func agents() throws {
    let inner = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Deep;Di\r\nBDAY:19010101\r\nEND:VCARD"
    let agent = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Agent;Al\r\nAGENT:\r\n\(inner)\r\nBDAY:19020202\r\nEND:VCARD"
    let text =
      card("N:Berg;Anna", "AGENT:\r\n\(agent)", "BDAY:19850407", version: "2.1") + card("FN:Bo Oak", "BDAY:--0203")
    #expect(summaries(try readCards(text)) == ["Anna|Berg|1985-04-07", "Bo|Oak|--02-03"])
  }

  @Test("Latin-1 bytes with and without CHARSET, in one file with UTF-8, after a mark")
  func sets() throws {
    let latin = Array("N;CHARSET=ISO-8859-1:M".utf8) + [0xFC] + Array("ller;J".utf8) + [0xF6] + Array("rg".utf8)
    let bare = Array("FN:J".utf8) + [0xF6] + Array("rg M".utf8) + [0xFC] + Array("ller".utf8)
    var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    for line in [latin, bare, Array("N:Müller;Jörg".utf8)] {
      bytes += Array("BEGIN:VCARD\nVERSION:2.1\n".utf8) + line + Array("\nBDAY:19850407\nEND:VCARD\n".utf8)
    }
    let cards = try VCardFormat().read(bytes)
    #expect(summaries(cards) == Array(repeating: "Jörg|Müller|1985-04-07", count: 3))
  }
}
