import AlmanacTesting
import CardDAV
import Library
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// Groups that have cards of their own, with a server in memory and with real ones.
@Suite struct GroupCardSyncTests {
  private static func apple(_ name: String, _ members: String..., lines: [String] = []) -> String {
    let head = ["BEGIN:VCARD", "VERSION:3.0", "UID:g-\(name)", "N:\(name);;;;", "FN:\(name)", "X-KEEP:1"]
    let kind = ["X-ADDRESSBOOKSERVER-KIND:group"] + members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\($0)" }
    return (head + kind + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
  }

  private func groups(_ house: CardDAVHouse) throws -> [String] {
    try house.people.groups().all.map { group in
      let people = try group.people.map { id in try house.all().first { $0.id.exact == id }?.fullName ?? "?" }
      return "\(group.name): \(people.joined(separator: ", ")); \(group.missing.joined(separator: ", "))"
    }
  }

  private func edit(_ house: CardDAVHouse, _ name: String, _ change: ([String]) -> [String]) async throws {
    let group = try #require(try house.people.groups().all.first { $0.name == name }?.card)
    _ = try await house.library.edit(
      .groups, group.id, [FieldChange("members", .array(change(group.members).map { .string($0) }))])
  }

  @Test func groupsComeChangeAndGo() async throws {
    let server = FakeCardDAV()
    for (name, uid) in [("Ada L", "u1"), ("Bob M", "u2")] { server.put("\(uid).vcf", vCard(name, uid: uid)) }
    server.put("choir.vcf", Self.apple("Choir", "u2", "gone"))
    let house = try await CardDAVHouse.synced(server.transport)
    #expect(try house.names == ["Ada L", "Bob M"] && house.rejects().isEmpty)
    #expect(try groups(house) == ["Choir: Bob M; gone"])
    #expect(try await house.sync().status == .unchanged)
    // A list of the whole book fetches only what has another entity tag.
    server.forgetTokens()
    _ = server.taken()
    try await house.sync()
    #expect(!server.taken().contains { $0.text.contains("multiget") })
    server.put("choir.vcf", Self.apple("Chorus", "u1", "u2"))
    try await house.sync()
    #expect(try groups(house) == ["Chorus: Ada L, Bob M; "])
    // Another card at the path, and a group that was removed.
    server.put("band.vcf", Self.apple("Band"))
    server.put("choir.vcf", vCard("Cyn N"))
    try await house.sync()
    #expect(try groups(house) == ["Band: ; "] && house.names == ["Ada L", "Bob M", "Cyn N"])
    server.remove("band.vcf")
    server.put("choir.vcf", Self.apple("Choir"))
    try await house.sync()
    #expect(try groups(house) == ["Choir: ; "])
    #expect(try house.names == ["Ada L", "Bob M"])
    server.remove("choir.vcf")
    server.forgetTokens()
    try await house.sync()
    #expect(try groups(house).isEmpty && house.names == ["Ada L", "Bob M"])
  }

  /// Both sides change the members; a read of a newer card decides.
  @Test(arguments: [false, true]) func changesOfBothSidesAreKept(_ pulls: Bool) async throws {
    let server = FakeCardDAV()
    server.put("choir.vcf", Self.apple("Choir", "u1", "u2", "u3"))
    let house = try await CardDAVHouse.synced(server.transport)
    try await edit(house, "Choir") { $0.filter { $0 != "u2" } + ["mine"] }
    server.put("choir.vcf", Self.apple("Choir", "u2", "u3", "theirs"))
    if pulls { try await house.sync() } else { try await house.flush() }
    #expect(server.cards["choir.vcf"] == Self.apple("Choir", "u3", "theirs", "mine"))
    try await house.sync()
    #expect(try house.outbox.entries().isEmpty && groups(house) == ["Choir: ; u3, theirs, mine"])
  }

  @Test func aMemberOfARestoredBookIsAddedAgain() async throws {
    let server = FakeCardDAV()
    server.put("choir.vcf", Self.apple("Choir", "u1"))
    let house = try await CardDAVHouse.synced(server.transport)
    let backup = server.backup()
    try await edit(house, "Choir") { $0 + ["u2"] }
    try await house.flush()
    server.restore(backup, forgetsTokens: false)
    try await house.sync()
    #expect(server.cards["choir.vcf"] == Self.apple("Choir", "u1", "u2"))
    #expect(try house.outbox.entries().isEmpty)
  }

  /// What a server may do with a new card: nothing, lose the answer, choose another name, and not say which.
  enum Answer: CaseIterable { case usual, lost, renamed, renamedSilently, lostAndRenamed }

  @Test(arguments: Answer.allCases) func aGroupIsMadeOnceAndRemoved(_ answer: Answer) async throws {
    let server = FakeCardDAV { peculiarities in
      if [.renamed, .renamedSilently, .lostAndRenamed].contains(answer) {
        peculiarities.newName = { "server-" + $0 }
        peculiarities.hidesLocation = answer != .renamed
      }
    }
    server.put("ada.vcf", vCard("Ada L", uid: "u1"))
    let lossy = LossyTransport(inner: server.transport)
    let house = CardDAVHouse(lossy)
    try await house.sync()
    let made = try await add(house, "Choir", ["u1"])
    if [.lost, .lostAndRenamed].contains(answer) { lossy.loseNext() }
    for _ in 0..<3 { _ = try? await house.flush() }
    #expect(try house.outbox.entries().isEmpty && groups(house) == ["Choir: Ada L; "])
    let cards = server.cards.filter { $0.key != "ada.vcf" }
    #expect(cards.count == 1 && cards.keys.first?.hasPrefix("server-") == (answer != .usual && answer != .lost))
    let card = try #require(cards.values.first)
    for line in [
      "VERSION:3.0", "X-ADDRESSBOOKSERVER-KIND:group", "FN:Choir", "N:Choir;;;;",
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u1",
    ] { #expect(card.contains(line + "\r\n"), "\(card)") }
    for _ in 0..<2 { try await house.sync() }
    #expect(try await house.sync().status == .unchanged && groups(house) == ["Choir: Ada L; "])
    // Another store has the same record.
    let other = CardDAVHouse(server.transport)
    try await other.sync()
    let id = try #require(try house.people.groups().all.first?.card?.id)
    #expect(try other.people.groups().all.first?.card?.id == id)
    #expect((id == made) == (answer == .usual || answer == .lost))
    // It is changed and removed as any other one, by the id that it was made with.
    _ = try await house.library.edit(.groups, made, [FieldChange("name", "Band")])
    try await house.sync()
    try await other.sync()
    #expect(try groups(other) == ["Band: Ada L; "])
    try await house.library.remove(.groups, made)
    if answer == .lost { lossy.loseNext() }
    for _ in 0..<3 { _ = try? await house.flush() }
    #expect(Array(server.cards.keys) == ["ada.vcf"])
    #expect(try house.outbox.entries().isEmpty && groups(house).isEmpty)
    try await other.sync()
    #expect(try groups(other).isEmpty && other.names == ["Ada L"])
    #expect(try await house.sync().error == nil)
  }

  /// A change of the other side is not removed without a question; a group of a restored book is made again.
  @Test func removedAndRestoredGroups() async throws {
    let server = FakeCardDAV()
    server.put("choir.vcf", Self.apple("Choir", "u1"))
    let house = try await CardDAVHouse.synced(server.transport)
    let choir = try #require(try house.people.groups().all.first?.card)
    try await house.library.remove(.groups, choir.id)
    server.put("choir.vcf", Self.apple("Choir", "u1", "u2"))
    try await house.flush()
    let conflict = try #require(try house.outbox.entries().first)
    #expect(conflict.state == .conflict && server.cards["choir.vcf"] != nil)
    _ = try await house.outbox.resolve(conflict.id, take: .mine)
    try await house.sync()
    #expect(server.cards.isEmpty)
    // A new one goes with its edit.
    _ = try await add(house, "Trio", ["u1"])
    _ = try await house.outbox.discard(#require(house.outbox.entries().first).id)
    #expect(try groups(house).isEmpty)
    let backup = server.backup()
    _ = try await add(house, "Band", ["u1"])
    try await house.sync()
    server.restore(backup, forgetsTokens: false)
    for _ in 0..<3 { try await house.sync() }
    #expect(server.cards.count == 1 && server.cards.values.allSatisfy { $0.contains("FN:Band") })
    #expect(try house.outbox.entries().isEmpty && groups(house) == ["Band: ; u1"])
  }

  private func add(_ house: CardDAVHouse, _ name: String, _ members: [String]) async throws -> String {
    let made = try await house.library.add(
      .groups,
      [
        FieldChange("name", .string(name)), FieldChange("members", .array(members.map { .string($0) })),
        FieldChange("origin", .string(house.follow.path)),
      ])
    return try #require(made["id"]?.string)
  }

  @Test func aGroupInAResourceOfSeveralCardsIsRemovedAlone() async throws {
    let server = FakeCardDAV()
    server.put("all.vcf", vCard("Ada L", uid: "u1") + Self.apple("Choir"))
    let house = try await CardDAVHouse.synced(server.transport)
    try await house.library.remove(.groups, try #require(try house.people.groups().all.first?.card?.id))
    try await house.sync()
    #expect(server.cards["all.vcf"] == vCard("Ada L", uid: "u1"))
    try await house.sync()
    #expect(try groups(house).isEmpty && house.names == ["Ada L"])
  }

  @Test func aGroupInAResourceOfSeveralCardsIsChangedAlone() async throws {
    let server = FakeCardDAV()
    server.put("all.vcf", vCard("Ada L", uid: "u1") + Self.apple("Choir"))
    let house = try await CardDAVHouse.synced(server.transport)
    try await edit(house, "Choir") { $0 + ["u1"] }
    try await house.sync()
    #expect(server.cards["all.vcf"] == vCard("Ada L", uid: "u1") + Self.apple("Choir", "u1"))
    try await house.sync()
    #expect(try groups(house) == ["Choir: Ada L; "] && house.names == ["Ada L"])
  }
}

/// Operations with groups at real servers.
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealGroupTests {
  enum Operation: String, CaseIterable { case add, remove, rename, bothSides }

  @Test(arguments: RealServer.installed, ["3.0", "4.0"])
  func theCardDiffersInOneLine(_ kind: RealServer.Kind, version: String) async throws {
    try await RealServer.with(kind) { try await meet($0, version) }
  }

  private func meet(_ server: RealServer, _ version: String) async throws {
    let property = version == "4.0" ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER"
    let group = version == "4.0" ? "KIND:group" : "X-ADDRESSBOOKSERVER-KIND:group"
    let uids = ["u1", "u2", "u3"].map { "0f1e2d3c-0000-4000-8000-0000000000\($0)" }
    func card(_ name: String, _ members: [String]) -> String {
      let head = ["BEGIN:VCARD", "VERSION:\(version)", "UID:group-1", "N:\(name);;;;", "FN:\(name)", "X-KEEP:a\\,b"]
      return (head + [group] + members.map { "\(property):urn:uuid:\($0)" } + ["END:VCARD"]).map { $0 + "\r\n" }
        .joined()
    }
    try server.fill(zip(["Ada L", "Bob M"], uids).map { ("\($1).vcf", vCard($0, uid: $1)) })
    try await server.put("group.vcf", card("Choir", [uids[0], uids[2]]))
    let before = try await stored(server)
    let house = server.house()
    try await house.sync()
    #expect(try house.names == ["Ada L", "Bob M"] && house.rejects().isEmpty)
    let first = try #require(try house.people.groups().all.first)
    #expect(first.people.count == 1 && first.missing == [uids[2]])
    for operation in Operation.allCases {
      let known = try #require(try house.people.groups().all.first?.card)
      var expected = try await stored(server)
      switch operation {
      case .add:
        _ = try await edit(house, known, known.members + [uids[1]])
        expected.insert("\(property):urn:uuid:\(uids[1])")
      case .remove:
        _ = try await edit(house, known, known.members.filter { $0 != uids[0] })
        expected.remove("\(property):urn:uuid:\(uids[0])")
      case .rename:
        _ = try await house.library.edit(.groups, known.id, [FieldChange("name", "Band")])
        expected = Set(expected.map { $0.replacing("Choir", with: "Band") })
      case .bothSides:
        try await server.put("group.vcf", card("Band", [uids[2], uids[0]]))
        _ = try await edit(house, known, known.members.filter { $0 != uids[1] })
        expected = Set(card("Band", [uids[2], uids[0]]).split(separator: "\r\n").map(String.init))
      }
      try await house.sync()
      try await house.sync()
      let now = try await stored(server).filter { !$0.hasPrefix("REV") && !$0.hasPrefix("PRODID") }
      expected = expected.filter { !$0.hasPrefix("REV") && !$0.hasPrefix("PRODID") }
      #expect(now == expected, "\(server.kind) \(operation): \(now.symmetricDifference(expected))")
      #expect(try house.outbox.entries().isEmpty)
    }
    #expect(before.contains("X-KEEP:a\\,b"))
    #expect(try await house.sync().status == .unchanged)
  }

  private func edit(_ house: CardDAVHouse, _ group: PersonGroup, _ members: [String]) async throws {
    _ = try await house.library.edit(.groups, group.id, [FieldChange("members", .array(members.map { .string($0) }))])
  }

  /// The lines of the group's card.
  private func stored(_ server: RealServer) async throws -> Set<String> {
    let card = try #require(try await server.cards().first { $0.contains("UID:group-1") })
    return Set(card.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init))
  }
}
