import AlmanacTesting
import Models
import People
import Ports
import Testing

struct BirthdaysTests {
  private let house = PeopleHouse()

  private func upcoming(
    _ people: [(String, String)], from day: String, days: Int, leapDay: Birthday.LeapDayRule = .feb28
  ) async throws -> [String] {
    try await house.put(
      people.map { Person(id: $0.0.lowercased(), firstName: $0.0, lastName: "", birthday: .on($0.1)) })
    return try house.people.birthdays(from: CivilDate(day)!, days: days, leapDay: leapDay).map {
      "\($0.person.firstName) \($0.date)\($0.age.map { " \($0)" } ?? "")"
    }
  }

  @Test(arguments: [
    ("2026-05-20", 0, ["A 2026-05-20 26"]), ("2026-05-20", 1, ["A 2026-05-20 26", "B 2026-05-21"]),
    ("2026-05-21", 0, ["B 2026-05-21"]), ("2026-05-22", 10, []),
    ("2026-12-30", 3, ["C 2027-01-01 77", "D 2027-01-02"]),
    (
      "2026-05-20", 366,
      ["A 2026-05-20 26", "B 2026-05-21", "C 2027-01-01 77", "D 2027-01-02", "A 2027-05-20 27", "B 2027-05-21"]
    ),
    ("9999-12-30", 9, []),
  ])
  func standInOrder(from day: String, days: Int, expected: [String]) async throws {
    let people = [("A", "2000-05-20"), ("B", "--05-21"), ("C", "1950-01-01"), ("D", "--01-02")]
    #expect(try await upcoming(people, from: day, days: days) == expected)
  }

  @Test(arguments: [
    ("2027-02-01", Birthday.LeapDayRule.feb28, "L 2027-02-28 27"), ("2027-02-01", .mar1, "L 2027-03-01 27"),
    ("2028-02-01", .feb28, "L 2028-02-29 28"), ("2028-02-01", .mar1, "L 2028-02-29 28"),
    ("2100-02-01", .mar1, "L 2100-03-01 100"),
  ])
  func february29(from day: String, rule: Birthday.LeapDayRule, expected: String) async throws {
    #expect(try await upcoming([("L", "2000-02-29")], from: day, days: 40, leapDay: rule) == [expected])
  }

  @Test func onOneDayByName() async throws {
    let people = [("Zoe", "--05-05"), ("Ada", "1999-05-05"), ("Mia", "--05-05")]
    #expect(
      try await upcoming(people, from: "2026-05-05", days: 0)
        == ["Ada 2026-05-05 27", "Mia 2026-05-05", "Zoe 2026-05-05"])
  }

  @Test func nobodyHasABirthdayBeforeBeingBorn() async throws {
    #expect(
      try await upcoming([("N", "2030-05-05")], from: "2029-01-01", days: 900) == ["N 2030-05-05 0", "N 2031-05-05 1"])
  }

  @Test func aSpanIsAtLeastToday() {
    #expect(throws: Failure.self) {
      try house.people.birthdays(from: CivilDate("2026-01-01")!, days: -1, leapDay: .feb28)
    }
  }

  @Test func everybodyIsInTheCalendarAndOnTheCards() async throws {
    try await house.put([
      Person(id: "1", firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10")),
      Person(id: "2", firstName: "Alan", lastName: "", birthday: .on("--06-23")),
      Person(id: "3", firstName: "小龙", lastName: "李", birthday: nil, fullName: "李小龙"),
    ])
    let calendar = String(decoding: try house.people.calendar(leapDay: .feb28, alarm: nil), as: UTF8.self)
    #expect(calendar.components("RRULE:") == 2)
    #expect(calendar.contains("Ada Lovelace"))
    let cards = try house.people.contacts()
    #expect(String(decoding: cards, as: UTF8.self).components("BEGIN:VCARD") == 3)
    // What goes out comes in again.
    let other = PeopleHouse()
    #expect(try await other.people.importContacts(cards, file: "people.vcf").added.count == 3)
    func people(_ house: PeopleHouse) throws -> Set<[String]> {
      Set(try house.all().map { [$0.firstName, $0.lastName, $0.birthday?.description ?? "", $0.fullName] })
    }
    #expect(try people(other) == people(house))
  }
}

extension String {
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
