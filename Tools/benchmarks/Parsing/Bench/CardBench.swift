import Models
import Parsing
import Ports

/// Reads a file of a thousand contact cards, a response of a server with the same cards, and writes a calendar of their
/// birthdays. `peers.py` generates the same
/// file.
struct CardBench {
  let lines: Lines
  let stopwatch: Stopwatch

  func run() {
    let count = min(1000, lines.count)
    let file = (0..<count).flatMap { index in card(lines[index]) }
    stopwatch.measure("cards read", "almanac", records: count, bytes: file.count) {
      (try? VCardFormat().read(file))?.people.count ?? 0
    }
    let answer = self.answer(cards: (0..<count).map { index in card(lines[index]) })
    stopwatch.measure("multistatus read", "almanac", records: count, bytes: answer.count) {
      (try? Self.cardBytes(in: answer)) ?? 0
    }
    guard let cards = try? VCardFormat().read(file) else { return }
    let people = cards.people.enumerated().map { index, person in
      Person(id: "p\(index)", firstName: person.firstName, lastName: person.lastName, birthday: person.birthday)
    }
    func write() -> [UInt8] {
      ICalendarFormat().write(people, leapDay: .feb28, alarm: nil, stamp: Timestamp(secondsSinceEpoch: 1_700_000_000))
    }
    stopwatch.measure("calendar write", "almanac", records: people.count, bytes: write().count) { write().count }
  }

  /// The response of a CardDAV server to a request for these cards.
  private func answer(cards: [[UInt8]]) -> [UInt8] {
    var text =
      #"<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">"#
    for (index, card) in cards.enumerated() {
      let data = String(decoding: card, as: UTF8.self).replacing("&", with: "&amp;").replacing("\r", with: "&#13;")
      text += """
        <d:response><d:href>/ada/contacts/p\(index).vcf</d:href><d:propstat><d:prop><d:getetag>&quot;\(index)&quot;</d:getetag>\
        <c:address-data>\(data)</c:address-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        """
    }
    return Array("\(text)</d:multistatus>".utf8)
  }

  /// The size of all cards of a response.
  private static func cardBytes(in answer: [UInt8]) throws(ParsingError) -> Int {
    var reader = try XMLReader(answer)
    _ = try reader.root()
    var (depth, sum) = (1, 0)
    while depth > 0 {
      guard let element = try reader.child() else {
        depth -= 1
        continue
      }
      if element.name == XMLName("urn:ietf:params:xml:ns:carddav", "address-data") {
        sum += try reader.text().bytes.count
      } else {
        depth += 1
      }
    }
    return sum
  }

  private func card(_ line: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let person = try? JSONDocument.read(line) { (node) throws(ParsingError) in try BenchPerson.person(node) }
    guard let person else { return [] }
    let names = person.name.split(separator: " ", maxSplits: 1)
    return Array(
      """
      BEGIN:VCARD\r
      VERSION:3.0\r
      N:\(names[1]);\(names[0]);;;\r
      FN:\(person.name)\r
      EMAIL;TYPE=INTERNET:\(person.email)\r
      TEL;TYPE=CELL:\(person.phone)\r
      ADR;TYPE=HOME:;;\(person.address.street);\(person.address.city);;;\(person.address.country)\r
      BDAY:\(person.birthday)\r
      NOTE:A friend\\, met in \(person.address.city)\\; see the other card\r
      END:VCARD\r

      """.utf8)
  }
}
