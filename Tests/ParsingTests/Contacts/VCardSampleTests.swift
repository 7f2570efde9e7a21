import Foundation
import Models
import Parsing
import Ports
import Testing

@Suite("vCard: real samples", .enabled(if: Samples.areThere, "\(Samples.reason)"))
struct VCardSampleTests {
  /// What every file with a birthday in it becomes.
  private static let birthdays: [String: [String]] = [
    "ez-John_Doe_GMAIL.vcf": ["John|Doe|1980-03-22"],
    "ez-John_Doe_IPHONE.vcf": ["John|Doe|2012-06-06"],
    "ez-John_Doe_MAC_ADDRESS_BOOK.vcf": ["John|Doe|2012-06-06"],
    "ez-gmail-single.vcf": ["Greg|Dartmouth|1960-09-10"],
    "ez-gmail-single2.vcf": ["VCard|Test|1912-06-23"],
    "ez-outlook-2003.vcf": ["John|Doe|1980-03-21"],
    "ez-rfc6350-example.vcf": ["Simon|Perreault|--02-03"],
    "ez-thunderbird-MoreFunctionsForAddressBook-extension.vcf": ["John|Doe|1970-09-21"],
    "khard-contact1.vcf": ["second|contact|2018-01-20"],
    "sabre-BirthdayCalendarGenerator-09.vcf": ["Forrest|Gump|--04-07"],
  ]

  private func files(_ folder: String) throws -> [(name: String, bytes: [UInt8])] {
    try Samples.names(in: folder).map { ($0, try Samples.bytes("\(folder)/\($0)")) }
  }

  @Test("every file is read, and what becomes of it is pinned")
  func counts() throws {
    var (people, skipped, reasons) = (0, 0, [String: Int]())
    for file in try files("vcard") {
      let cards = try VCardFormat().read(file.bytes)
      people += cards.people.count
      skipped += cards.skipped.count
      for card in cards.skipped { reasons[card.reason, default: 0] += 1 }
      for card in cards.notes { reasons[card.reason, default: 0] += 1 }
      let born = summaries(cards).filter { !$0.hasSuffix("|-") }
      #expect(born == Self.birthdays[file.name] ?? [], "\(file.name)")
    }
    #expect(people == 76)
    #expect(skipped == 15)
    #expect(
      reasons == [
        "birthday \"foo\" is not a date; it is left out": 1,
        "birthday \"circa 1800\" is not a date; it is left out": 1,
        "cut off: END:VCARD is missing": 1, "no name": 14,
      ])
  }

  @Test("a calendar is not read as a card")
  func calendars() throws {
    for file in try files("ical") {
      #expect(throws: ParsingError.self, "\(file.name)") { try VCardFormat().read(file.bytes) }
    }
  }

  @Test("samples that are truncated anywhere, or have a changed byte, are handled")
  func cuts() throws {
    for file in try files("vcard") where file.bytes.count < 1500 {
      for length in stride(from: 0, to: file.bytes.count, by: 7) {
        _ = try? VCardFormat().read(Array(file.bytes.prefix(length)))
        var changed = file.bytes
        changed[length] ^= 0x20
        _ = try? VCardFormat().read(changed)
      }
    }
  }

  /// Writes what was read, for `compare_vobject.py`; cards without a birthday are read a second time with one, so that
  /// their names come out as well.
  @Test(
    "dump",
    .enabled(if: ProcessInfo.processInfo.environment["ALMANAC_CARD_DUMP"] != nil, "ALMANAC_CARD_DUMP names no file"))
  func dump() throws {
    struct Line: Encodable {
      var file: String
      var people: [[String]]
      var named: [[String]]
      var skipped: [String]
    }
    var lines: [String] = []
    for file in try files("vcard") {
      let cards = try VCardFormat().read(file.bytes)
      var named: [UInt8] = []
      for line in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        if String(decoding: line.prefix(9), as: UTF8.self).uppercased() == "END:VCARD" {
          named += Array("BDAY:2001-02-03\n".utf8)
        }
        named += Array(line) + [0x0A]
      }
      let all = try VCardFormat().read(named)
      let line = Line(
        file: file.name,
        people: cards.people.compactMap { person in
          person.birthday.map { [person.firstName, person.lastName, $0.description] }
        },
        named: all.people.map { [$0.firstName, $0.lastName] }, skipped: (cards.skipped + cards.notes).map(\.reason))
      lines.append(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
    }
    let path = ProcessInfo.processInfo.environment["ALMANAC_CARD_DUMP"]!
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
  }
}
