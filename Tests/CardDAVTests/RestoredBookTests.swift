import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// A server that is restored from a backup after edits were sent.
@Suite struct RestoredBookTests {
  /// What the server answers to the token of the last pull after it was restored.
  enum Answer: CaseIterable { case nothing, forgotten, onlyLists }

  @Test(arguments: Answer.allCases, [false, true])
  func editsThatAreNotThereAnyMoreAreSentAgain(_ answer: Answer, isRestored: Bool) async throws {
    let server = FakeCardDAV { if answer == .onlyLists { ($0.noReport, $0.noToken) = (501, true) } }
    for name in ["Ada L", "Bob M", "Cyn N"] { server.put("\(name.prefix(3)).vcf", vCard(name, "NOTE:old")) }
    let house = try await CardDAVHouse.synced(server.transport)
    let backup = server.backup()
    let (ada, bob) = (try #require(try house.person("Ada L")), try #require(try house.person("Bob M")))
    for note in ["newer", "newest"] {
      _ = try await house.people.edit(ada.id, PersonChange(details: ["note": .string(note)]))
      try await house.flush()
    }
    _ = try await house.people.remove(bob.id)
    try await house.add("Dan", "O")
    #expect(try await house.flush().sent == 2)
    let sent = server.cards
    if isRestored { server.restore(backup, forgetsTokens: answer == .forgotten) }
    let report = try await house.sync()
    #expect(try house.names == ["Ada L", "Cyn N", "Dan O"] && house.person("Ada L")?.details.note == "newest")
    #expect(report.counts.removed == 0 && report.counts.added == 0, "\(report.counts)")
    #expect(server.cards == sent)
    #expect(try house.outbox.entries().isEmpty)
    let isSaid = house.events.events.contains {
      if case .warning(let message) = $0 { message.contains("3 cards are sent again") } else { false }
    }
    #expect(isSaid == isRestored)
    // Then nothing is kept of them.
    for _ in 0..<2 { try await house.sync() }
    #expect(try await house.sync().status == .unchanged)
    #expect(try house.store.snapshot().stateKeys(.sent).isEmpty)
  }

  /// A change that somebody else makes is not a backup, also one that takes an edit back.
  @Test func whatOthersTakeBackStays() async throws {
    let server = FakeCardDAV()
    server.put("ada.vcf", vCard("Ada L", "NOTE:old"))
    let house = try await CardDAVHouse.synced(server.transport)
    let ada = try #require(try house.person("Ada L"))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "new"]))
    try await house.flush()
    server.put("ada.vcf", vCard("Ada L", "NOTE:old"))
    try await house.sync()
    #expect(try house.person("Ada L")?.details.note == "old" && house.outbox.entries().isEmpty)
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "new"]))
    try await house.flush()
    server.remove("ada.vcf")
    try await house.sync()
    #expect(try house.names.isEmpty && house.outbox.entries().isEmpty)
  }
}

/// The same with the folders of real servers.
@Suite(.serialized, .enabled(if: RealServer.missing.isEmpty, "radicale and xandikos are not installed"))
struct RealRestoreTests {
  @Test(arguments: RealServer.installed) func whatABackupLacksIsSentAgain(_ kind: RealServer.Kind) async throws {
    try await RealServer.with(kind) { server in
      let backup = server.folder + "-backup"
      defer { try? FileManager.default.removeItem(atPath: backup) }
      try await lose(server, backup)
    }
  }

  private func lose(_ server: RealServer, _ backup: String) async throws {
    for name in ["Ada L", "Bob M", "Cyn N"] { try await server.put("\(name.prefix(3)).vcf", vCard(name, "NOTE:old")) }
    let house = server.house()
    try await house.sync()
    try await server.back(upTo: backup)
    let (ada, bob) = (try #require(try house.person("Ada L")), try #require(try house.person("Bob M")))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "new"]))
    _ = try await house.people.remove(bob.id)
    try await house.add("Dan", "O")
    #expect(try await house.flush().sent == 3)
    try await server.restore(from: backup)
    let report = try await house.sync()
    #expect(report.counts.added + report.counts.removed + report.counts.updated == 0, "\(report.counts)")
    #expect(try house.outbox.entries().isEmpty && house.names == ["Ada L", "Cyn N", "Dan O"])
    var cards = try await server.cards()
    #expect(cards.count == 3 && cards.contains { $0.contains("FN:Ada L") && $0.contains("NOTE:new") })
    #expect(cards.contains { $0.contains("FN:Dan O") } && !cards.contains { $0.contains("FN:Bob M") })
    // A backup of before the last pull is what the server has: both are equal at the end.
    for _ in 0..<2 { try await house.sync() }
    try await server.restore(from: backup)
    for _ in 0..<3 { try await house.sync() }
    cards = try await server.cards()
    #expect(try house.names.count == cards.count && house.outbox.entries().isEmpty)
    #expect(cards.contains { $0.contains("NOTE:new") } == (try house.person("Ada L")?.details.note == "new"))
  }
}
