import Parsing
import Ports
import Testing

@Suite("vCard: character sets and encodings")
struct VCardTextTests {
  /// A card with the bytes of one `N` line.
  private func cards(_ header: String, _ value: [UInt8]) throws -> [String] {
    let bytes =
      Array("BEGIN:VCARD\r\nVERSION:2.1\r\n\(header):".utf8) + value
      + Array("\r\nBDAY:1985-04-07\r\nEND:VCARD\r\n".utf8)
    let cards = try VCardFormat().read(bytes)
    return summaries(cards) + skips(cards)
  }

  @Test(
    "quoted-printable, with and without the parameter's name",
    arguments: [
      ("N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE", "M=C3=BCller;J=c3=b6rg;;;", "Jörg|Müller"),
      ("N;ENCODING=quoted-printable", "M=C3=BCller;J=C3=B6rg", "Jörg|Müller"),
      ("N;QUOTED-PRINTABLE", "M=C3=BCller;J=C3=B6rg", "Jörg|Müller"),
      ("N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE", "M=FCller;J=F6rg", "Jörg|Müller"),
      ("N;CHARSET=windows-1252;QUOTED-PRINTABLE", "=8Cuvre;=80", "€|Œuvre"),
      ("N;ENCODING=QUOTED-PRINTABLE", "M=C3=\r\n=BCller;J=C3=B6=\r\nrg;;;", "Jörg|Müller"),
      ("N;ENCODING=QUOTED-PRINTABLE", "M=C3=BCller;J=  \r\n=C3=B6rg", "Jörg|Müller"),
      ("N;ENCODING=QUOTED-PRINTABLE", "a=3Bb;c", "c|a;b"),
      ("N;ENCODING=QUOTED-PRINTABLE", "Berg=3BAnna=3B=3B=3B", "Anna|Berg"),
      ("N;ENCODING=QUOTED-PRINTABLE", "1=2;=ZZ", "=ZZ|1=2"),
      ("N", "a=3Db;c=", "c=|a=3Db"),
    ])
  func quotedPrintable(header: String, value: String, expected: String) throws {
    #expect(try cards(header, Array(value.utf8)) == ["\(expected)|1985-04-07"])
  }

  @Test(
    "UTF-8 first, then what is declared, then windows-1252",
    arguments: [
      ("N", [0x4D, 0xFC, 0x6C, 0x3B, 0x80], "€|Mül"),
      ("N;CHARSET=ISO-8859-1", [0x4D, 0xFC, 0x6C, 0x3B, 0xE9], "é|Mül"),
      ("N;CHARSET=ISO-8859-15", [0xA4, 0xBC, 0x3B, 0xE9], "é|€Œ"),
      ("N;CHARSET=UTF-8", [0xC3, 0xBC, 0x3B, 0x41], "A|ü"),
      ("N;CHARSET=ISO-8859-1", [0xC3, 0xBC, 0x3B, 0x41], "A|ü"),
      ("N;CHARSET=SHIFT_JIS", [0xC3, 0xBC, 0x3B, 0x41], "A|ü"),
    ] as [(String, [UInt8], String)])
  func sets(header: String, value: [UInt8], expected: String) throws {
    #expect(try cards(header, value) == ["\(expected)|1985-04-07"])
  }

  @Test("a set that is not known is named, not guessed")
  func unknownSet() throws {
    #expect(
      try cards("N;CHARSET=SHIFT_JIS", [0x83, 0x41, 0x3B, 0x41])
        == ["1|-|name in an unsupported character set: SHIFT_JIS"])
  }

  @Test("UTF-16 with and without its mark, and a UTF-8 mark")
  func marks() throws {
    let text = card("N:Müller;Jörg", "BDAY:1985-04-07")
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
      #expect(summaries(try VCardFormat().read(bytes)) == ["Jörg|Müller|1985-04-07"])
    }
  }
}
