import Models
import Parsing
import Ports
import Testing

@Suite("vCard: bytes of any kind")
struct VCardMutationTests {
  /// A small generator with a seed, so that a failure can be repeated.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private static let sample = Array(
    (card("item1.N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FC=\r\nller;J=F6rg", "BDAY:19850407", version: "2.1")
      + card("N;X=\"a:b\":Berg,x;An\\;na", "AGENT:\r\nBEGIN:VCARD\r\nFN:x\r\nEND:VCARD", "BDAY;VALUE=date:--0203")
      + card("FN:Bo O", "  ak", "PHOTO;ENCODING=b:AAAA\r\n AAAA==", "BDAY;VALUE=text:circa 1800", version: "4.0")).utf8)
  private static let pieces = [
    "\r\n", "\n ", "=", ":", ";", "\\", "\"", "BEGIN:VCARD", "END:VCARD", "AGENT:", "\u{FEFF}", "BDAY:",
  ]

  @Test("20,000 mutated files: no crash, every card accounted for")
  func mutations() {
    var random = Generator(state: 5)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = Self.sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: Array(Self.pieces.randomElement(using: &random)!.utf8), at: min(place, bytes.count))
        case 3: bytes.removeSubrange(min(place, bytes.count)..<min(place + 40, bytes.count))
        default: bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count + 1, using: &random)))
        }
      }
      if check(bytes) { read += 1 }
    }
    // Most mistakes cost a card, not the file.
    #expect(read > 10_000)
  }

  @Test("5,000 files of noise")
  func noise() {
    var random = Generator(state: 7)
    var read = 0
    for _ in 0..<5_000 {
      let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      if check(Array("BEGIN:VCARD\n".utf8) + noise) { read += 1 }
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
