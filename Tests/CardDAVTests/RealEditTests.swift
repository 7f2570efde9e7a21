import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// Edits whose answers Radicale, Xandikos and sabre/dav lose; those that meet are `RealServerTests.editsOfBothSidesMeet`.
///
/// `ALMANAC_MEETINGS` sets the number of cards (10 by default).
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealEditTests {
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_MEETINGS"].flatMap { Int($0) } ?? 10

  private func with(_ kind: RealServer.Kind, _ body: (RealServer, [CardDAVHouse]) async throws -> Void) async throws {
    try await RealServer.with(kind) { server in
      try await body(server, (1...2).map { server.house(seed: $0) })
    }
  }

  /// Fills the book with `P100 Q` and so on, and syncs both stores.
  private func fill(_ server: RealServer, _ houses: [CardDAVHouse]) async throws {
    try server.fill(
      (100..<100 + Self.count).map { number in
        ("c\(number).vcf", vCard("P\(number) Q", uid: "u\(number)", "X-NUMBER:\(number)"))
      })
    for house in houses { #expect(try await house.sync().counts.added == Self.count) }
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
      let lossy = LossyTransport(inner: server.transport, losesFirst: true)
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
      #expect(lossy.paths == Self.count && lossy.doneTwice.isEmpty, "\(lossy.paths) \(lossy.doneTwice)")
      let cards = try await server.cards()
      #expect(cards.count == Self.count - removed + new)
      #expect(cards.filter { $0.contains("NICKNAME:new") }.count == changed)
      #expect(try houses[1].names == house.names && house.names.count == cards.count)
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
