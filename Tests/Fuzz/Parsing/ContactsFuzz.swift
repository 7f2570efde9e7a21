import Models
import Parsing
import Ports

/// Contact cards and calendars. Every card that is begun is answered for; what was read is written as cards that say
/// the same and need no mercy; and a calendar of the same people has nothing but whole lines of at most 75 bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  #if VCARD
    guard let cards = try? VCardFormat().read(bytes) else { return 0 }
    precondition(cards.people.count + cards.skipped.count > 0, "a file with cards and no answer")
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    for skipped in cards.skipped + cards.notes {
      precondition((1...lines).contains(skipped.line) && !skipped.reason.isEmpty)
    }
    let people = cards.people.map { person in
      Person(
        id: "x", firstName: person.firstName, lastName: person.lastName, birthday: person.birthday,
        fullName: person.fullName, details: person.details)
    }
    // The cards of people who did not change keep their bytes.
    for (person, contact) in zip(people, cards.people) where !contact.card.isEmpty {
      let kept = VCardFormat().write([person], cards: ["x": contact.card])
      precondition(kept.starts(with: contact.card) && kept.count <= contact.card.count + 2, "another card")
    }
    for person in people { precondition(!person.firstName.isEmpty || !person.lastName.isEmpty) }
    guard !people.isEmpty else { return 0 }
    let written = VCardFormat().write(people)
    checkLines(written)
    guard let again = try? VCardFormat().read(written) else { preconditionFailure("cards of ours that are none") }
    precondition(again.skipped.isEmpty && again.notes.isEmpty && again.people.count == people.count)
    for (var person, contact) in zip(people, again.people) {
      person.details.photo = nil
      let back = Person(
        id: "x", firstName: contact.firstName, lastName: contact.lastName, birthday: contact.birthday,
        fullName: contact.fullName, details: contact.details)
      precondition(back == person, "the people came back as others")
    }
  #else
    // The bytes are names, with a birthday and an alarm in front; anything may stand in what a person typed.
    guard count >= 8 else { return 0 }
    let year = bytes[0] & 1 == 0 ? nil : 1 + Int(bytes[0]) * 39
    guard let birthday = Birthday(year: year, month: 1 + Int(bytes[1]) % 12, day: 1 + Int(bytes[2]) % 31) else {
      return 0
    }
    let name = String(decoding: bytes[8...], as: UTF8.self)
    let person = Person(id: String(name.prefix(3)), firstName: name, lastName: name, birthday: birthday)
    let alarm = bytes[3] == 0 ? nil : Interval(seconds: Int(bytes[3]) << (bytes[4] & 0x0F))
    let stamp = Timestamp(secondsSinceEpoch: Int(bytes[5]) << 24 | Int(bytes[6]) << 8)
    let leapDay: Birthday.LeapDayRule = bytes[7] & 1 == 0 ? .feb28 : .mar1
    let written = ICalendarFormat().write([person, person], leapDay: leapDay, alarm: alarm, stamp: stamp)
    checkLines(written)
    let ends = written.split(separator: 0x0A).count { $0.elementsEqual("END:VEVENT\r".utf8) }
    let begins = written.split(separator: 0x0A).count { $0.elementsEqual("BEGIN:VEVENT\r".utf8) }
    precondition(ends == begins && ends >= 2, "a name that ends its own event")
  #endif
  return 0
}

/// RFC 5545 section 3.1, RFC 6350 section 3.2: lines end with CR LF, hold at most 75 bytes, and none is cut within a
/// character.
private func checkLines(_ bytes: [UInt8]) {
  precondition(bytes.suffix(2) == [0x0D, 0x0A])
  for line in bytes.split(separator: 0x0A) {
    precondition(line.count <= 76 && line.last == 0x0D)
    precondition(!line.dropLast().contains { $0 < 0x20 && $0 != 0x09 }, "a control character")
    precondition(String(validating: line, as: UTF8.self) != nil, "a character that was cut in two")
  }
}
