import Models
import People
import Ports
import TestSupport
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
    let sequence = try house.store.snapshot().sequence
    #expect(sequence == 1)
    let second = try await house.people.importContacts(cards, file: "a.vcf")
    #expect(second.added.isEmpty)
    #expect(second.known == 3)
    #expect(try house.store.snapshot().sequence == sequence)
    #expect(Set(try house.all().map(\.id)).count == 2)
  }

  @Test func whatCannotBeTakenIsNamed() async throws {
    let result = try await house.people.importContacts(
      file([("Lovelace;Ada", "1815-12-10"), ("Turing;Alan", "soon")]), file: "a.vcf")
    #expect(result.added.count == 1)
    #expect(result.skipped.count == 1)
    #expect(result.skipped.first?.name?.contains("Alan") == true)
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
      #expect(second.known == first.added.count + first.known, "\(name)")
    }
    print("recorded address books: \(added) people, \(skipped) cards skipped")
    #expect(added >= 10)
  }
}
