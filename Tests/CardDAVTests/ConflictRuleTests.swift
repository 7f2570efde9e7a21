import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Testing

/// Conflicts of follows whose owner is not asked.
@Suite struct ConflictRuleTests {
  private static let old = vCard("Ada L", uid: "u1", "NOTE:was", "REV:2020-01-01T00:00:00Z")

  /// Syncs a conflict of the note, and another change of the server.
  private func house(_ rule: String?, rev: String) async throws -> (FakeCardDAV, CardDAVHouse) {
    let server = FakeCardDAV()
    server.put("ada.vcf", Self.old)
    let house = CardDAVHouse(server.transport)
    var follow = house.follow
    if let rule { follow.options = ["conflict": .string(rule)] }
    _ = try await house.engine.sync([follow], SyncOptions())
    let ada = try #require(try house.person("Ada L"))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "mine", "nickname": "A"]))
    server.put(
      "ada.vcf", Self.old.replacing("NOTE:was", with: "NOTE:theirs").replacing("REV:2020-01-01T00:00:00Z", with: rev))
    for _ in 0..<2 { _ = try await house.engine.sync([follow], SyncOptions()) }
    return (server, house)
  }

  @Test(arguments: [
    ("mine", "", "mine"), ("theirs", "", "theirs"), ("newest", "REV:2999-01-01T00:00:00Z", "theirs"),
    ("newest", "REV:19990101T000000Z", "mine"),
  ]) func theRuleDecides(rule: String, rev: String, note: String) async throws {
    let (server, house) = try await house(rule, rev: rev)
    let card = try #require(server.cards["ada.vcf"])
    #expect(card.contains("NOTE:\(note)") && card.contains("NICKNAME:A"), "\(card)")
    #expect(try house.person("Ada L")?.details.note == note && house.outbox.entries().isEmpty)
    let decisions = try house.outbox.decisions()
    #expect(decisions.count == 1 && decisions[0]["took"]?.string == note, "\(decisions)")
    #expect(decisions[0]["mine"]?.object?["note"] == "mine" && decisions[0]["theirs"]?.object?["note"] == "theirs")
  }

  /// What a rule drops is a change of the follow: it is counted, and the history says what made it.
  @Test(arguments: [true, false]) func aDecisionIsCountedAndExplained(_ isRemoved: Bool) async throws {
    let (server, store) = (FakeCardDAV(), InMemoryRecordStore())
    server.put("ada.vcf", Self.old)
    let house = CardDAVHouse(server.transport, store: store)
    var follow = house.follow
    follow.options = ["conflict": "theirs"]
    _ = try await house.engine.sync([follow], SyncOptions())
    let ada = try #require(try house.person("Ada L"))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "mine"]))
    if isRemoved {
      server.remove("ada.vcf")
    } else {
      server.put("ada.vcf", Self.old.replacing("NOTE:was", with: "NOTE:theirs"))
    }
    let report = try await house.engine.sync([follow], SyncOptions()).follows[0]
    #expect(report.counts.removed == (isRemoved ? 1 : 0) && report.counts.updated == (isRemoved ? 0 : 1))
    #expect(report.status == .ok)
    #expect(try house.person("Ada L")?.details.note == (isRemoved ? nil : "theirs"))
    let last = try #require(try store.history(.people, ada.id, before: nil, limit: 1).first)
    let cause = try store.origin(of: last.commit)?.cause
    #expect(cause?.words == "sync carddav/home/book" && cause?.run != nil)
  }

  @Test(arguments: [nil, "newest"]) func withoutARuleOrATimeTheConflictWaits(_ rule: String?) async throws {
    let (server, house) = try await house(rule, rev: "X-NOTHING:1")
    #expect(try house.outbox.entries().map(\.state) == [.conflict] && house.outbox.decisions().isEmpty)
    #expect(server.cards["ada.vcf"]?.contains("NOTE:theirs") == true)
  }
}
