import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Synchronization
import Testing

/// Edits of two stores that meet at Radicale, Xandikos and sabre/dav.
///
/// `ALMANAC_MEETINGS` sets the number of cards of each test (10 by default).
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealEditTests {
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_MEETINGS"].flatMap { Int($0) } ?? 10

  private func with(_ kind: RealServer.Kind, _ body: (RealServer, [CardDAVHouse]) async throws -> Void) async throws {
    try await RealServer.with(kind) { server in
      try await body(server, (1...2).map { server.house(seed: $0) })
    }
  }

  /// Fills the book with `P100 Q` and so on, and syncs both stores.
  private func fill(_ server: RealServer, _ houses: [CardDAVHouse], _ lines: String...) async throws {
    try server.fill(
      (100..<100 + Self.count).map { number in
        let card = vCard("P\(number) Q", uid: "u\(number)", "X-NUMBER:\(number)")
        return ("c\(number).vcf", card.replacing("END:VCARD", with: lines.map { $0 + "\r\n" }.joined() + "END:VCARD"))
      })
    for house in houses { #expect(try await house.sync().counts.added == Self.count) }
  }

  private func edit(_ house: CardDAVHouse, _ field: String, _ value: (Person) -> JSONValue) async throws {
    for person in try house.all() {
      _ = try await house.people.edit(person.id, PersonChange(details: [field: value(person)]))
    }
  }

  /// Syncs both stores until they have what the server has.
  private func settle(_ houses: [CardDAVHouse]) async throws {
    for _ in 0..<2 { for house in houses { try await house.sync() } }
    for house in houses {
      #expect(try await house.sync().status == .unchanged)
      #expect(try house.outbox.entries().isEmpty)
    }
  }

  /// The first answer to every PUT and DELETE is lost: what was done is found, and not done again.
  @Test(arguments: RealServer.installed) func lostAnswersAreSettled(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server, houses in
      let lossy = FirstAnswersLost(inner: server.transport)
      let house = server.house(over: lossy)
      try await fill(server, [house, houses[1]])
      let people = try house.all()
      let (changed, removed) = (Self.count * 2 / 5, Self.count * 3 / 10)
      for person in people[..<changed] {
        _ = try await house.people.edit(person.id, PersonChange(details: ["nickname": "new"]))
      }
      for person in people[changed..<changed + removed] { _ = try await house.people.remove(person.id) }
      let new = Self.count - changed - removed
      for number in 0..<new {
        try await house.add("N\(number)", "O")
      }
      for _ in 0..<3 * Self.count where try !house.outbox.entries().isEmpty {
        _ = try? await house.flush()
      }
      try await settle([house, houses[1]])
      #expect(lossy.lost == Self.count && lossy.doneTwice.isEmpty, "\(lossy.lost) \(lossy.doneTwice)")
      let cards = try await server.cards()
      #expect(cards.count == Self.count - removed + new)
      #expect(cards.filter { $0.contains("NICKNAME:new") }.count == changed)
      #expect(try houses[1].names == house.names && house.names.count == cards.count)
    }
  }

  /// Both values and the one before are shown, and each decision ends in the same value on all sides.
  @Test(arguments: RealServer.installed) func theSameFieldIsAConflict(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server, houses in
      try await fill(server, houses, "NOTE:old")
      try await edit(houses[0], "note") { .string("mine \($0.firstName)") }
      try await edit(houses[1], "note") { .string("theirs \($0.firstName)") }
      #expect(try await houses[1].flush().sent == Self.count)
      #expect(try await houses[0].flush().conflict == Self.count)
      var expected: Set<String> = []
      for (index, entry) in try houses[0].outbox.entries().enumerated() {
        let mine = try #require(entry.edit["note"]?.string)
        let name = mine.dropFirst("mine ".count)
        #expect(entry.base["note"] == "old" && entry.theirs?["note"] == .string("theirs \(name)"), "\(entry)")
        _ = try await houses[0].outbox.resolve(entry.id, take: index % 2 == 0 ? .mine : .theirs)
        expected.insert(index % 2 == 0 ? mine : "theirs \(name)")
      }
      try await houses[0].flush()
      try await settle(houses)
      let cards = try await server.cards()
      for note in expected { #expect(cards.filter { $0.contains("NOTE:\(note)\r\n") }.count == 1, "\(note)") }
      for house in houses { #expect(try Set(house.all().compactMap(\.details.note)) == expected) }
      #expect(expected.count == Self.count)
    }
  }

  /// What either side adds to a list is there once, and what either side removes stays away.
  @Test(arguments: RealServer.installed) func listsOfBothSidesAreMerged(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server, houses in
      try await fill(server, houses, "EMAIL:a@x", "EMAIL:away@x", "EMAIL:gone@x")
      func list(_ mails: String...) -> JSONValue { .array(mails.map { ["value": .string($0)] }) }
      try await edit(houses[0], "emails") { _ in list("a@x", "away@x", "mine@x", "both@x") }
      try await edit(houses[1], "emails") { _ in list("a@x", "gone@x", "theirs@x", "both@x") }
      for house in [houses[1], houses[0]] {
        let counts = try await house.flush()
        #expect(counts.sent == Self.count && counts.conflict == 0, "\(counts)")
      }
      try await settle(houses)
      for house in houses {
        for person in try house.all() {
          #expect(person.details.emails.map(\.value).sorted() == ["a@x", "both@x", "mine@x", "theirs@x"])
        }
      }
      let cards = try await server.cards()
      #expect(cards.allSatisfy { $0.split(separator: "EMAIL").count == 5 && $0.contains("X-NUMBER:") })
    }
  }

  /// Removed here and changed there, changed here and removed there, removed on both sides.
  @Test(arguments: RealServer.installed) func removalsMeetChanges(_ kind: RealServer.Kind) async throws {
    try await with(kind) { server, houses in
      try await fill(server, houses)
      let people = try houses[0].all()
      func change(_ house: CardDAVHouse, _ person: Person) async throws {
        _ = try await house.people.edit(person.id, PersonChange(details: ["note": "changed"]))
      }
      _ = try await houses[0].people.remove(people[0].id)
      try await change(houses[1], people[0])
      try await change(houses[0], people[1])
      _ = try await houses[1].people.remove(people[1].id)
      for house in houses { _ = try await house.people.remove(people[2].id) }
      #expect(try await houses[1].flush().sent == 3)
      let counts = try await houses[0].flush()
      #expect((counts.conflict, counts.refused) == (2, 0), "\(counts)")
      // Nothing comes back, and nothing goes, without a decision.
      try await houses[0].sync()
      #expect(try await server.cards().count == Self.count - 2)
      for entry in try houses[0].outbox.entries() {
        #expect(entry.state == .conflict)
        _ = try await houses[0].outbox.resolve(entry.id, take: .theirs)
      }
      try await settle(houses)
      for house in houses {
        #expect(
          try house.names == people.map(\.fullName).filter { ![people[1], people[2]].map(\.fullName).contains($0) })
        #expect(try house.person(people[0].fullName)?.details.note == "changed")
      }
    }
  }

  /// Radicale stores nothing of the photo of a card of version 4.0 but its type: it is sent as one of version 3.0.
  @Test func aPhotoOfVersion4IsKept() async throws {
    try await with(.radicale) { server, houses in
      let house = houses[0]
      try await house.sync()
      let photo = "PHOTO:data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="
      let card = vCard("Ada B", photo).replacing("VERSION:3.0", with: "VERSION:4.0")
      _ = try await house.people.importContacts(
        Array(card.utf8), file: "a.vcf", to: FollowedBook(follow: house.follow.path, source: .cardDAV))
      #expect(try await house.flush().sent == 1)
      #expect(house.warnings.isEmpty, "\(house.warnings)")
      let cards = try await server.cards().map { $0.replacing("\r\n ", with: "") }
      #expect(cards.count { $0.contains("R0lGODlhAQABAIAAAAUEBAAAACwA") } == 1)
    }
  }
}

/// Loses the first answer to a PUT or DELETE of each path: the server has done it.
final class FirstAnswersLost: HTTPTransport {
  private struct State {
    var asked: Set<String> = []
    var done: [String] = []
  }

  private let inner: any HTTPTransport
  private let state = Mutex(State())

  init(inner: any HTTPTransport) { self.inner = inner }

  var lost: Int { state.withLock { $0.asked.count } }
  /// What the server did more than once.
  var doneTwice: [String] {
    state.withLock { state in Dictionary(grouping: state.done) { $0 }.filter { $0.value.count > 1 }.map(\.key) }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let response = try await inner.send(request)
    guard request.method == .put || request.method == .delete else { return response }
    let isLost = state.withLock { state in
      if response.isSuccess { state.done.append("\(request.method) \(request.url)") }
      return state.asked.insert(request.url).inserted
    }
    if isLost { throw TransportError(.connectionLost, "the answer was lost", url: request.url, mayHaveArrived: true) }
    return response
  }
}
