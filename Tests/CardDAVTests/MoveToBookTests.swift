import AlmanacTesting
import CardDAV
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// People whom the user moves or copies to another address book.
@Suite struct MoveToBookTests {
  private let book = FollowedBook(follow: "carddav/work/book", source: .cardDAV)
  private static let card = vCard("P1 Q", uid: "u1", "TEL:1", "X-KEPT;A=b:as it is")

  private func books() async throws -> MovedCardTests.Books {
    let books = MovedCardTests.Books(InMemoryRecordStore())
    books.first.put("0.vcf", vCard("P0 Q", uid: "u0"))
    books.first.put("1.vcf", Self.card)
    books.second.put("9.vcf", vCard("P9 Q", uid: "u9"))
    try await books.sync([0, 1])
    return books
  }

  private func person(_ name: String, _ books: MovedCardTests.Books) throws -> Person {
    try #require(try books.house.person(name))
  }

  /// The cards with the `UID` in both books.
  private func count(_ books: MovedCardTests.Books) -> (first: Int, second: Int) {
    func count(_ server: FakeCardDAV) -> Int { server.cards.values.filter { $0.contains("UID:u1\r\n") }.count }
    return (count(books.first), count(books.second))
  }

  @Test func aMoveKeepsTheCardTheIDAndEditsThatWait() async throws {
    let books = try await books()
    let person = try person("P1 Q", books)
    _ = try await books.house.people.edit(person.id, PersonChange(details: ["note": "mine"]))
    let moved = try await books.house.people.move(person.id, to: book)
    #expect(moved.isSent && moved.person.origin == book.follow)
    #expect(try await books.house.people.move(person.id, to: book).isChanged == false)
    for _ in 0..<2 { try await books.sync([0, 1]) }
    #expect(count(books) == (0, 1) && books.first.cards.count == 1 && books.second.cards.count == 2)
    let card = try #require(books.second.cards.values.first { $0.contains("UID:u1") })
    for line in ["X-KEPT;A=b:as it is", "NOTE:mine", "TEL:1"] { #expect(card.contains("\r\n\(line)\r\n"), "\(card)") }
    let after = try self.person("P1 Q", books)
    #expect(after.id == person.id && after.origin == book.follow && after.details.note == "mine")
    #expect(try books.house.all().count == 3 && books.house.outbox.entries().isEmpty)
    // It goes on there, and back.
    _ = try await books.house.people.edit(person.id, PersonChange(details: ["note": "again"]))
    try await books.sync([1, 0])
    #expect(books.second.cards.values.contains { $0.contains("NOTE:again") })
    _ = try await books.house.people.move(person.id, to: FollowedBook(follow: "carddav/home/book", source: .cardDAV))
    for _ in 0..<2 { try await books.sync([0, 1]) }
    #expect(try count(books) == (1, 0) && self.person("P1 Q", books).id == person.id)
  }

  /// Killed at each request and each commit, then continued: the person is always in a book, and in the end only in the new one.
  @Test(arguments: [false, true]) func aMoveThatIsInterruptedIsContinued(_ losesAnswers: Bool) async throws {
    var steps = 0
    while true {
      steps += 1
      let books = try await books()
      let person = try person("P1 Q", books)
      _ = try await books.house.people.move(person.id, to: book)
      let kill = Kill(after: steps)
      if losesAnswers {
        books.first.loseAnswers(steps % 2)
        books.second.loseAnswers(1)
      }
      let engine = SyncEngine(
        store: KilledStore(inner: books.house.store, kill: kill), sources: [books.house.source],
        transport: KilledTransport(inner: books.transport, kill: kill), coder: books.house.coder,
        time: books.house.time, random: SeededRandom(seed: UInt64(steps)), events: RecordedEvents())
      _ = try? await engine.sync(books.follows, SyncOptions(jobs: 1))
      let between = count(books)
      #expect(between.first + between.second >= 1, "step \(steps): in no book")
      for round in 0..<3 { try await books.sync(round == 1 ? [1, 0] : [0, 1]) }
      #expect(count(books) == (0, 1), "step \(steps): \(count(books))")
      let after = try books.house.all()
      #expect(
        after.count == 3 && after.contains { $0.id == person.id && $0.origin == book.follow }, "step \(steps): \(after)"
      )
      #expect(try books.house.outbox.entries().isEmpty && books.house.cardCount() == 3, "step \(steps)")
      if !kill.isDead { break }
    }
    #expect(steps > 10)
  }

  @Test func aMoveToABookThatTakesNothingLeavesThePersonWhereTheyWere() async throws {
    let books = try await books()
    let person = try person("P1 Q", books)
    _ = try await books.house.people.move(person.id, to: book)
    books.second.change { $0.isReadOnly = true }
    #expect(try await books.house.flush().refused == 1)
    #expect(count(books) == (1, 0))
    let entry = try #require(try books.house.outbox.entries().first)
    _ = try await books.house.outbox.discard(entry.id)
    #expect(try self.person("P1 Q", books).origin == "carddav/home/book")
    // The former book keeps its card: the new one is taken back.
    books.second.change { $0.isReadOnly = false }
    books.first.change { $0.refusal = (403, "need-privileges") }
    _ = try await books.house.people.move(person.id, to: book)
    #expect(try await books.house.flush().refused == 1)
    #expect(count(books) == (1, 0))
  }

  @Test func aChangeOnTheServerIsMovedToo() async throws {
    let books = try await books()
    _ = try await books.house.people.move(try person("P1 Q", books).id, to: book)
    books.first.before { $0.put("1.vcf", Self.card.replacing("TEL:1", with: "TEL:2")) }
    for _ in 0..<3 { try await books.sync([0, 1]) }
    #expect(count(books) == (0, 1) && books.second.cards.values.contains { $0.contains("TEL:2") })
    #expect(try self.person("P1 Q", books).details.phones.map(\.value) == ["2"])
  }

  @Test func aCopyHasAnotherUID() async throws {
    let books = try await books()
    let person = try person("P1 Q", books)
    let copy = try await books.house.people.copy(person.id, to: book).person
    #expect(copy.id != person.id)
    for _ in 0..<2 { try await books.sync([0, 1]) }
    #expect(count(books) == (1, 0) && books.second.cards.count == 2)
    let card = try #require(books.second.cards.values.first { $0.contains("FN:P1 Q") })
    #expect(card.contains("X-KEPT;A=b:as it is") && card.contains("\r\nUID:"))
    #expect(try books.house.all().map(\.id).filter { [copy.id, person.id].contains($0) }.count == 2)
    let again = await #expect(throws: Failure.self) { try await books.house.people.copy(person.id, to: book) }
    #expect(again?.code == .own(.duplicate))
  }
}
