import Models
import Testing

/// Who may be stored twice. `LabelledPeople` says who is.
@Suite struct DuplicateSearchTests {
  private func search(_ people: [Person]) -> (pairs: [DuplicatePair], comparisons: Int) {
    var search = DuplicateSearch(people.map { ($0, nil) })
    let pairs = search.pairs()
    return (pairs, search.comparisons)
  }

  /// Nobody is certain who is not the same, whoever else is in the store; 95 of 100 are found.
  @Test(arguments: [UInt64(1), 2]) func findsThoseWhoAreTheSame(seed: UInt64) throws {
    let labelled = LabelledPeople(pairs: 1_000, seed: seed)
    let found = search(labelled.people).pairs
    var same: Set<[Int]> = []
    for pair in labelled.pairs where pair.kind.isOnePerson { same.insert([pair.first, pair.second]) }
    let wrong = found.filter { $0.score == .certain && !same.contains([$0.first, $0.second]) }
    #expect(wrong.isEmpty, "\(wrong.map { (labelled.people[$0.first].fields, labelled.people[$0.second].fields) })")
    let places = Set(found.map { [$0.first, $0.second] })
    #expect(same.intersection(places).count >= same.count * 95 / 100)
    #expect(found.filter { $0.score == .certain }.count > same.count / 6)
    // People of one store are compared by what they have in common.
    let count = labelled.people.count
    #expect(search(labelled.people).comparisons < 20 * count)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var a: String
    var b: String
    var score: DuplicatePair.Score?
    var reasons: [DuplicatePair.Reason] = []
  }

  /// `FIRST|LAST|BIRTHDAY|PHONE|SUFFIX`
  private static let rows: [Row] = [
    Row(
      testDescription: "one number", a: "Ada|Byron||0301234567", b: "ADA|Byron||+49 30 1234567", score: .certain,
      reasons: [.names, .phone]),
    Row(
      testDescription: "one birthday", a: "Ada|Byron|1815-12-10", b: "Ada|Byron|1815-12-10", score: .certain,
      reasons: [.names, .birthday]),
    Row(testDescription: "two birthdays", a: "Ada|Byron|1815-12-10", b: "Ada|Byron|1816-12-10"),
    Row(
      testDescription: "two birthdays, one number", a: "Ada|Byron|1815-12-10|123456789",
      b: "Ada|Byron|1816-12-10|123456789", score: .possible, reasons: [.names, .phone, .otherBirthday]),
    Row(
      testDescription: "a birthday without a year", a: "Ada|Byron|1815-12-10", b: "Ada|Byron|--12-10", score: .likely,
      reasons: [.names, .dayOfBirth]),
    Row(
      testDescription: "father and son", a: "John|Hale||123456789", b: "John|Hale||123456789|Jr.", score: .possible,
      reasons: [.names, .phone, .otherGeneration]),
    Row(
      testDescription: "swapped", a: "Martin|Thomas||123456789", b: "Thomas|Martin||123456789", score: .likely,
      reasons: [.swappedNames, .phone]),
    Row(
      testDescription: "a typing error", a: "Ada|Lovelace||123456789", b: "Ada|Lovlace||123456789", score: .likely,
      reasons: [.spelling, .phone]),
    Row(
      testDescription: "an initial", a: "A.|Lovelace||123456789", b: "Ada|Lovelace||123456789", score: .likely,
      reasons: [.initials, .phone]),
    Row(
      testDescription: "a nickname", a: "William|Hale||123456789", b: "Bill|Hale||123456789", score: .likely,
      reasons: [.nickname, .phone]),
    Row(
      testDescription: "Cyrillic letters", a: "Наталья|Цветаева||123456789", b: "Natalia|Zwetajewa||123456789",
      score: .likely, reasons: [.spelling, .phone]),
    Row(
      testDescription: "an accent", a: "Jörg|Müller||123456789", b: "Joerg|Muller||123456789", score: .certain,
      reasons: [.names, .phone]),
    Row(
      testDescription: "two vowels for an umlaut", a: "Jürgen|Møller-Groß", b: "Juergen|Moeller-Gross", score: .likely,
      reasons: [.names]),
    Row(testDescription: "two vowels for a ring", a: "Åse|Bäck", b: "Aase|Baeck", score: .likely, reasons: [.names]),
    Row(
      testDescription: "Chinese names with and without a space", a: "小龙|李||123456789", b: "李小龙|||123456789",
      score: .likely, reasons: [.swappedNames, .phone]),
    Row(
      testDescription: "another last name", a: "Ada|Byron|1815-12-10|123456789", b: "Ada|King|1815-12-10|123456789",
      score: .likely, reasons: [.otherLastName, .phone, .birthday]),
    Row(testDescription: "two people at one number", a: "Ada|Byron||123456789", b: "Anne|Byron||123456789"),
    Row(testDescription: "nothing else", a: "Ada|Byron", b: "Ada|Byron", score: .likely, reasons: [.names]),
    Row(testDescription: "only a similar name", a: "Jan|Hale||111111111", b: "Jon|Hale||222222222"),
  ]

  private func person(_ text: String) -> Person {
    let parts =
      text.split(separator: "|", omittingEmptySubsequences: false).map(String.init) + Array(repeating: "", count: 5)
    var details = ContactDetails()
    if !parts[3].isEmpty { details.phones = [ContactValue(parts[3])] }
    if !parts[4].isEmpty { details.nameSuffix = parts[4] }
    return Person(id: text, firstName: parts[0], lastName: parts[1], birthday: Birthday(parts[2]), details: details)
  }

  @Test(arguments: rows) func scores(row: Row) {
    let pairs = search([person(row.a), person(row.b)]).pairs
    #expect(pairs.first?.score == row.score && pairs.first?.reasons ?? [] == row.reasons, "\(pairs)")
  }

  /// A number of a third person is one of a family.
  @Test func aSharedNumberMakesNobodyCertain() {
    let people = ["John|Hale||123456789", "John|Hale||123456789", "Mary|Hale||123456789"].map(person)
    #expect(search(people).pairs.map(\.score) == [.likely])
  }

  @Test func theSameUIDIsAReason() {
    let pairs = PersonMatcher.duplicates(among: [(person("Ada|Byron"), "u"), (person("Ada|Byron"), "u")])
    #expect(pairs.map(\.score) == [.certain] && pairs.first?.reasons == [.uid, .names])
  }
}
