import Models
import Parsing
import Ports
import Testing

@Suite("vCard: bytes of any kind")
struct VCardMutationTests {
  private static let sample = Array(
    (card("item1.N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FC=\r\nller;J=F6rg", "BDAY:19850407", version: "2.1")
      + card("N;X=\"a:b\":Berg,x;An\\;na", "AGENT:\r\nBEGIN:VCARD\r\nFN:x\r\nEND:VCARD", "BDAY;VALUE=date:--0203")
      + card("FN:Bo O", "  ak", "PHOTO;ENCODING=b:AAAA\r\n AAAA==", "BDAY;VALUE=text:circa 1800", version: "4.0")).utf8)
  private static let pieces = [
    "\r\n", "\n ", "=", ":", ";", "\\", "\"", "BEGIN:VCARD", "END:VCARD", "AGENT:", "\u{FEFF}", "BDAY:",
  ]

  @Test("20,000 mutated files: no crash, every card accounted for")
  func mutations() {
    var mutator = Mutator(seeds: [Self.sample], tokens: Self.pieces.map { Array($0.utf8) }, seed: 5)
    let read = (0..<20_000).count { _ in check(mutator.next()) }
    // Most mistakes cost a card, not the file.
    #expect(read > 10_000)
  }

  @Test("5,000 files of noise")
  func noise() {
    var chance = Chance(seed: 7)
    let read = (0..<5_000).count { _ in
      check(Array("BEGIN:VCARD\n".utf8) + (0..<200).map { _ in UInt8(chance.next(256)) })
    }
    #expect(read > 0)
  }

  @Test("every prefix of a file")
  func prefixes() {
    let read = Self.sample.indices.filter { check(Array(Self.sample.prefix($0))) }
    #expect(read.count > Self.sample.count / 2)
  }

  /// Whatever the bytes, there is an answer, which is whether they were read as cards; a card that is skipped has a line
  /// of the file and a reason.
  private func check(_ bytes: [UInt8]) -> Bool {
    guard let cards = try? VCardFormat().read(bytes) else { return false }
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    for skipped in cards.skipped + cards.notes where !(1...lines).contains(skipped.line) || skipped.reason.isEmpty {
      Issue.record("\(skipped) in \(bytes)")
    }
    for person in cards.people where person.firstName.isEmpty && person.lastName.isEmpty {
      Issue.record("a person without a name in \(bytes)")
    }
    return true
  }
}
