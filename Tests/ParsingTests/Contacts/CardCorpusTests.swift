import Foundation
import Models
import Parsing
import Ports
import Testing

private let corpus = ProcessInfo.processInfo.environment["ALMANAC_CARD_CORPUS"]

/// Cards of other applications' test suites: every one is read, changed, written and read again.
///
/// The files are not part of this repository: `ALMANAC_CARD_CORPUS` names a folder with files `*.vcf`.
@Suite(.enabled(if: corpus != nil, "ALMANAC_CARD_CORPUS is not set"))
struct CardCorpusTests {
  private static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

  private func files() throws -> [(name: String, bytes: [UInt8])] {
    let all = FileManager.default.enumerator(atPath: corpus ?? "")?.compactMap { $0 as? String } ?? []
    return try all.filter { $0.hasSuffix(".vcf") }.sorted().map { name in
      (name, [UInt8](try Data(contentsOf: URL(filePath: "\(corpus ?? "")/\(name)"))))
    }
  }

  private func person(_ contact: Contact) -> Person { contact.person(id: contact.uid ?? "x") }

  /// What a writer of a whole new card cannot keep: the photo.
  private func plain(_ person: Person) -> JSONObject {
    var fields = person.fields
    fields["id"] = nil
    fields["photo"] = nil
    return fields
  }

  @Test func everyCardIsReadAndWritten() throws {
    let format = VCardFormat()
    var (cards, skipped, unread, wrong): (Int, Int, [String], [String]) = (0, 0, [], [])
    for (name, bytes) in try files() {
      let found: ContactCards
      do { found = try format.read(bytes) } catch {
        unread.append("\(name): \(error)")
        continue
      }
      skipped += found.skipped.count
      for skip in found.skipped { unread.append("\(name):\(skip.line): \(skip.reason)") }
      for contact in found.people where !contact.card.isEmpty {
        cards += 1
        let place = "\(name):\(contact.line)"
        let person = person(contact)
        func compare(_ what: String, _ card: [UInt8], _ expected: Person) {
          let read = (try? format.read(card))?.people ?? []
          guard read.count == 1 else { return wrong.append("\(place): \(what): \(read.count) people") }
          let (got, wanted) = (plain(self.person(read[0])), plain(expected))
          guard got != wanted else { return }
          let names = Set(got.keys + wanted.keys).sorted().filter { got[$0] != wanted[$0] }
          let values = names.map { "\($0): \(wanted[$0] ?? .null) became \(got[$0] ?? .null)" }
          wrong.append("\(place): \(what): \(values.joined(separator: "; "))")
        }
        let same = format.write([person], cards: [person.id.exact: contact.card])
        if !same.starts(with: contact.card) { wrong.append("\(place): the unchanged card is written in another way") }
        var changed = person
        changed.details.note = "Änderung; 1, 2\nnew"
        changed.details.emails.append(ContactValue("new@example.org", type: "work"))
        compare("changed", format.changed(contact.card, to: changed, at: Self.now), changed)
        compare("new card", format.newCard(of: person, uid: "u", from: contact.card, at: Self.now), person)
        compare("without the card", format.write([person]), person)
        let removed = format.otherProperties(of: contact.card)
        let kept = format.otherProperties(of: format.changed(contact.card, to: changed, at: Self.now))
        if removed != kept { wrong.append("\(place): \(removed) became \(kept)") }
      }
    }
    print("\(cards) cards, \(skipped) skipped, \(wrong.count) wrong")
    for line in unread { print("unread: \(line)") }
    for line in wrong { print("wrong: \(line)") }
    #expect(wrong.isEmpty)
  }
}
