import Models
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
      ("N;ENCODING=QUOTED-PRINTABLE", "1=2;=ZZ", "=ZZ|1=2"), ("N", "a=3Db;c=", "c=|a=3Db"),
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

@Suite("vCard: writing")
struct VCardWritingTests {
  private func person(_ first: String, _ last: String, _ birthday: String, id: String = "p1") -> Person {
    Person(id: id, firstName: first, lastName: last, birthday: Birthday(birthday)!)
  }

  private func text(_ people: Person...) -> String {
    String(decoding: VCardFormat().write(people), as: UTF8.self)
  }

  @Test("one card, line by line")
  func oneCard() {
    #expect(
      text(person("Ada", "Lovelace", "1815-12-10", id: "01ab")) == """
        BEGIN:VCARD\r
        VERSION:4.0\r
        PRODID:-//Almanac//Almanac//EN\r
        UID;VALUE=text:01ab\r
        N:Lovelace;Ada;;;\r
        FN:Ada Lovelace\r
        BDAY:18151210\r
        END:VCARD\r\n
        """)
  }

  @Test("a birthday without a year, and an early one")
  func birthdays() {
    #expect(text(person("A", "B", "--02-29")).contains("\r\nBDAY:--0229\r\n"))
    #expect(text(person("A", "B", "0987-01-02")).contains("\r\nBDAY:09870102\r\n"))
  }

  @Test("separators and line breaks are escaped, control characters left out")
  func escaping() {
    let written = text(person("a;b,c\\d", "x\r\ny\nz\u{7}:\"", "1985-04-07"))
    #expect(written.contains("\r\nN:x\\ny\\nz:\";a\\;b\\,c\\\\d;;;\r\n"))
  }

  @Test("lines have at most 75 octets and characters stay whole")
  func folding() throws {
    for width in 0..<8 {
      let name = String(repeating: "a", count: width) + String(repeating: "né😀", count: 60)
      let bytes = VCardFormat().write([person(name, name, "1985-04-07")])
      for line in bytes.split(separator: 0x0A) {
        #expect(line.count <= 76 && line.last == 0x0D)
        #expect(String(validating: line, as: UTF8.self) != nil)
      }
      #expect(summaries(try VCardFormat().read(bytes)) == ["\(name)|\(name)|1985-04-07"])
    }
  }

  @Test("what is written is read back the same")
  func roundTrip() throws {
    let people = [
      person("Ada", "Lovelace", "1815-12-10"), person("", "Prince", "--06-07"), person("Cher", "", "1946-05-20"),
      person("a;b\\n", "c,d\\;e", "2000-02-29"), person("Anna  Maria", "van der Berg", "0001-01-01"),
      person("梅", "刘", "--12-31"), person("back\\", "\\slash", "9999-12-31"),
    ]
    let cards = try VCardFormat().read(VCardFormat().write(people))
    #expect(cards.skipped.isEmpty)
    #expect(summaries(cards) == people.map { "\($0.firstName)|\($0.lastName)|\($0.birthday!)" })
    #expect(VCardFormat().write([]).isEmpty)
  }
}
