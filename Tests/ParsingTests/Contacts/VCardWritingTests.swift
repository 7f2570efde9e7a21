import Models
import Parsing
import Ports
import Testing

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
