import Models
import Parsing
import Ports

/// Reads a file of a thousand contact cards and writes a calendar of their birthdays. `peers.py` generates the same
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
    guard let cards = try? VCardFormat().read(file) else { return }
    let people = cards.people.enumerated().map { index, person in
      Person(id: "p\(index)", firstName: person.firstName, lastName: person.lastName, birthday: person.birthday)
    }
    func write() -> [UInt8] {
      ICalendarFormat().write(people, leapDay: .feb28, alarm: nil, stamp: Timestamp(secondsSinceEpoch: 1_700_000_000))
    }
    stopwatch.measure("calendar write", "almanac", records: people.count, bytes: write().count) { write().count }
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
