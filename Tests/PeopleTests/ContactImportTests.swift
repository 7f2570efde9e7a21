import AlmanacTesting
import Models
import People
import Ports
import Testing

struct ContactImportTests {
  private let house = PeopleHouse()

  private func file(_ cards: [(String, String)]) -> [UInt8] {
    Array(
      cards.map { "BEGIN:VCARD\r\nVERSION:3.0\r\nN:\($0.0)\r\nFN:\($0.0)\r\nBDAY:\($0.1)\r\nEND:VCARD\r\n" }.joined()
        .utf8)
  }

  @Test func nobodyIsImportedTwice() async throws {
    let cards = file([("Lovelace;Ada", "1815-12-10"), ("Turing;Alan", "--0623"), ("Lovelace ; Ada", "18151210")])
    let first = try await house.people.importContacts(cards, file: "a.vcf")
    #expect(first.added.map(\.fullName) == ["Ada Lovelace", "Alan Turing"])
    #expect(first.known == 1)
    #expect(
      first.notes == [.init(line: 13, name: "Ada Lovelace", reason: "the same person as on the card at line 1")])
    let sequence = try house.store.snapshot().sequence
    #expect(sequence == 1)
    let second = try await house.people.importContacts(cards, file: "a.vcf")
    #expect(second.added.isEmpty)
    #expect(second.known == 3)
    #expect(second.notes.map(\.line) == [13])
    #expect(try house.store.snapshot().sequence == sequence)
    #expect(Set(try house.all().map(\.id)).count == 2)
  }

  @Test func whatIsNotUnderstoodIsNamed() async throws {
    let result = try await house.people.importContacts(
      file([("Lovelace;Ada", "1815-12-10"), ("Turing;Alan", "soon"), ("Bot;Bo", "2126-01-01"), ("", "1815-12-10")]),
      file: "a.vcf")
    #expect(result.added.map(\.fullName) == ["Ada Lovelace", "Alan Turing", "Bo Bot"])
    #expect(result.added.map(\.birthday) == [.on("1815-12-10"), nil, .on("2126-01-01")])
    #expect(result.skipped == [.init(line: 19, name: nil, reason: "no name")])
    #expect(
      result.notes == [
        .init(
          line: 7, name: "Alan Turing", reason: "birthday \"soon\" is not a date; the person is imported without it"),
        .init(
          line: 13, name: "Bo Bot", reason: "the birthday 2126-01-01 is in the future; it is stored but not sent"),
      ])
  }

  /// A card that says less is nobody new, in either order and however often it comes.
  @Test(arguments: [
    (["", "1815-12-10"], ["1815-12-10"]), (["1815-12-10", ""], ["1815-12-10"]), (["", ""], [""]),
    (["", "1815-12-10", "1990-01-01"], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "", "1990-01-01"], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "1990-01-01", "", ""], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "--12-10"], ["--12-10", "1815-12-10"]),
  ])
  func aCardThatSaysLess(birthdays: [String], expected: [String]) async throws {
    let cards = birthdays.map { file([("Lovelace;Ada", $0)]) }
    for _ in 0..<2 { _ = try await house.people.importContacts(cards.flatMap { $0 }, file: "a.vcf") }
    for card in cards { _ = try await house.people.importContacts(card, file: "a.vcf") }
    #expect(try house.all().map { $0.birthday?.description ?? "" }.sorted() == expected)
  }

  @Test func aBirthdayThatIsLearnedKeepsThePerson() async throws {
    let first = try await house.people.importContacts(file([("Lovelace;Ada", "")]), file: "a.vcf").added
    let second = try await house.people.importContacts(file([("Lovelace;Ada", "1815-12-10")]), file: "a.vcf")
    #expect(second.added.isEmpty && second.known == 0)
    #expect(second.updated.map(\.id) == first.map(\.id))
    // And who got one by hand is not added again by the card without one.
    _ = try await house.people.edit(first[0].id, PersonChange(birthday: .on("1816-12-10")))
    #expect(try await house.people.importContacts(file([("Lovelace;Ada", "")]), file: "a.vcf").known == 1)
    #expect(try house.all().map(\.id) == first.map(\.id))
  }

  @Test func aFileWithoutCardsIsAnError() async throws {
    let error = await #expect(throws: Failure.self) {
      try await house.people.importContacts(Array("hello".utf8), file: "notes.txt")
    }
    #expect(error?.reason == .unparsable)
    #expect(error?.message.hasPrefix("notes.txt: ") == true)
    #expect(error?.path == "notes.txt")
  }

  @Test func afterAFailedCommitNobodyIsThere() async throws {
    house.store.failNextCommit(with: StoreError(.full, "the disk is full"))
    await #expect(throws: Failure.self) {
      try await house.people.importContacts(file([("Lovelace;Ada", "1815-12-10")]), file: "a.vcf")
    }
    #expect(try house.all().isEmpty)
  }

  /// Every recorded address book, twice: the second time nobody is new.
  @Test(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason))) func recordedCardsGoThrough()
    async throws
  {
    var added = 0
    var skipped = 0
    for name in Fixtures.names("vcard") {
      let house = PeopleHouse()
      let bytes = try Fixtures.bytes("vcard/\(name)")
      guard let first = try? await house.people.importContacts(bytes, file: name) else { continue }
      added += first.added.count
      skipped += first.skipped.count
      for person in first.added { #expect(!person.fullName.isEmpty, "\(name)") }
      let second = try await house.people.importContacts(bytes, file: name)
      #expect(second.added.isEmpty, "\(name)")
      #expect(second.known == first.added.count + first.updated.count + first.known, "\(name)")
    }
    print("recorded address books: \(added) people, \(skipped) cards skipped")
    #expect(added >= 60)
  }
}
