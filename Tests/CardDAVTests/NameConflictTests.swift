import AlmanacTesting
import Models
import People
import Ports
import Sync
import Testing

/// The full name of a card follows the names that a conflict is decided for.
@Suite struct NameConflictTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var change: PersonChange
    /// The card's name at the server, as FN and N.
    var theirs: (full: String, names: String)
    var mine: Set<ExactString>
    /// The same after the decision was sent.
    var sent: (full: String, names: String)

    var testDescription: String { "\(theirs.full), mine: \(mine.map(\.text).sorted()) -> \(sent.full)" }
  }

  private static let last = PersonChange(lastName: "Dentt")
  private static let scenes = [
    Scene(
      change: last, theirs: ("Carla Denton", "Denton;Carla;;;"), mine: ["lastName"],
      sent: ("Carla Dentt", "Dentt;Carla;;;")),
    Scene(
      change: last, theirs: ("Karla Denton", "Denton;Karla;;;"), mine: ["lastName"],
      sent: ("Karla Dentt", "Dentt;Karla;;;")),
    Scene(
      change: last, theirs: ("Karla Denton", "Denton;Karla;;;"), mine: ["lastName", "fullName"],
      sent: ("Karla Dentt", "Dentt;Karla;;;")),
    // The full name has no side of its own.
    Scene(
      change: last, theirs: ("Carla Denton", "Denton;Carla;;;"), mine: ["fullName"],
      sent: ("Carla Denton", "Denton;Carla;;;")),
    Scene(
      change: last, theirs: ("Dr. Carla Dent", "Dent;Carla;;;"), mine: [],
      sent: ("Dr. Carla Dentt", "Dentt;Carla;;;")),
    // A full name that was given is decided as any field.
    Scene(
      change: PersonChange(lastName: "Dentt", fullName: "Captain Carla"), theirs: ("Carla Denton", "Denton;Carla;;;"),
      mine: ["lastName"], sent: ("Carla Denton", "Dentt;Carla;;;")),
  ]

  private static func card(_ name: (full: String, names: String)) -> String {
    "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nN:\(name.names)\r\nFN:\(name.full)\r\nEND:VCARD\r\n"
  }

  @Test(arguments: scenes) func theFullNameFollows(_ scene: Scene) async throws {
    let server = FakeCardDAV()
    server.put("carla.vcf", Self.card(("Carla Dent", "Dent;Carla;;;")))
    let house = try await CardDAVHouse.synced(server.transport)
    let carla = try #require(try house.all().first)
    _ = try await house.people.edit(carla.id, scene.change)
    server.put("carla.vcf", Self.card(scene.theirs))
    try await house.sync()
    let entry = try #require(try house.outbox.entries().first)
    try #require(entry.state == .conflict)
    // Only a full name that was given has a side of its own.
    let following: [ExactString: [String]] = scene.change.fullName == nil ? ["fullName": ["lastName"]] : [:]
    #expect(try house.outbox.followingFields(of: entry) == following)
    _ = try await house.outbox.resolve(entry.id, mine: scene.mine)
    #expect(try house.all().map(\.fullName) == [scene.sent.full])
    try await house.flush()
    #expect(try house.outbox.entries().isEmpty)
    let card = server.cards["carla.vcf"] ?? ""
    #expect(card.contains("FN:\(scene.sent.full)\r\n") && card.contains("N:\(scene.sent.names)\r\n"), "\(card)")
  }
}
