import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// Books that may only be read, books of which only bad cards are left, and servers that name new cards.
@Suite struct BookRightsTests {
  private func code(_ body: () async throws -> Void) async -> FailureCode? {
    do { try await body() } catch { return (error as? Failure)?.code }
    return nil
  }

  @Test func aBookThatMayOnlyBeReadTakesNoEdits() async throws {
    let server = FakeCardDAV { $0.isReadOnly = true }
    for name in ["Ada Byron", "Bo Lind"] { server.put("\(name.prefix(2)).vcf", vCard(name)) }
    let house = try await CardDAVHouse.synced(server.transport)
    let (ada, bo) = (try #require(try house.person("Ada Byron")), try #require(try house.person("Bo Lind")))
    var change = PersonChange(lastName: "King")
    #expect(await code { _ = try await house.people.edit(ada.id, change) } == .own(.readOnly))
    #expect(await code { _ = try await house.people.remove(ada.id) } == .own(.readOnly))
    #expect(try house.outbox.entries().isEmpty && house.names == ["Ada Byron", "Bo Lind"])
    // Only here it can be changed, and a change of the server does not undo that.
    change.staysHere = true
    #expect(try await !house.people.edit(ada.id, change).isSent)
    server.put("Ad.vcf", vCard("Ada Byron", "NOTE:there"))
    try await house.sync()
    let changed = try #require(try house.all().first { $0.id == ada.id })
    #expect(changed.lastName == "King" && changed.details.note == "there", "\(changed)")
    #expect(try house.outbox.entries().isEmpty)
    // Somebody may be given the right to write.
    server.change { $0.isReadOnly = false }
    try await house.sync(SyncOptions(full: true))
    _ = try await house.people.edit(bo.id, PersonChange(details: ["nickname": "B"]))
    #expect(try await house.flush().sent == 1)
  }

  @Test(arguments: [nil, 405], [false, true]) func aBookOfWhichOnlyBadCardsAreLeftIsRead(
    _ noReport: Int?, _ isFull: Bool
  ) async throws {
    let server = FakeCardDAV { $0.noReport = noReport }
    server.put("good.vcf", vCard("Ada Byron"))
    server.put("bad.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:nobody\r\nEND:VCARD\r\n")
    let house = CardDAVHouse(server.transport)
    #expect(try await house.sync().error == nil)
    server.remove("good.vcf")
    for options in [SyncOptions(full: isFull, force: true), SyncOptions()] {
      let report = try await house.sync(options)
      #expect(report.error == nil, "\(String(describing: report.error))")
      #expect(try house.all().isEmpty && house.rejects().count == 1)
    }
    _ = server.taken()
    try await house.sync()
    #expect(server.taken().allSatisfy { !$0.text.contains("multiget") })
  }

  /// Google and others name new cards themselves, some without saying so.
  @Test(arguments: [0, 1, 2]) func aCardThatTheServerNamesIsFoundByItsUID(_ lostAnswers: Int) async throws {
    let server = FakeCardDAV {
      $0.newName = { _ in "\(UInt64.random(in: 0...UInt64.max)).vcf" }
      $0.hidesLocation = true
    }
    let house = CardDAVHouse(server.transport)
    server.put("ada.vcf", vCard("Ada Byron"))
    try await house.sync()
    try await house.add("Grace", "Hopper")
    server.loseAnswers(min(lostAnswers, 1))
    for _ in 0...lostAnswers { try await house.flush() }
    #expect(try server.cards.count == 2 && house.outbox.entries().isEmpty)
    for _ in 0..<2 { try await house.sync() }
    #expect(try house.names == ["Ada Byron", "Grace Hopper"] && house.outbox.entries().isEmpty)
    #expect(server.cards.count == 2)
    let grace = try #require(try house.person("Grace Hopper"))
    _ = try await house.people.edit(grace.id, PersonChange(lastName: "Murray"))
    #expect(try await house.flush().sent == 1)
    #expect(server.cards.values.contains { $0.contains("N:Murray;Grace") } && server.cards.count == 2)
  }

  /// The card that was sent is read back: also a value that the server changed is named.
  @Test func aValueThatTheServerChangesIsNamed() async throws {
    let server = FakeCardDAV { $0.rewrites = { $0.replacing("NOTE:mine", with: "NOTE:min") } }
    server.put("ada.vcf", vCard("Ada Byron"))
    let house = try await CardDAVHouse.synced(server.transport)
    _ = try await house.people.edit(try house.all()[0].id, PersonChange(details: ["note": "mine"]))
    try await house.flush()
    #expect(house.warnings.contains { $0.contains("did not keep note") })
  }
}
