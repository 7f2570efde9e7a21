import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// Address books of Radicale that get another path, through the library and through the program.
@Suite(.enabled(if: RealServer.Kind.radicale.program != nil, "radicale is not installed"))
struct RealBookTests {
  private func folder(_ server: RealServer, _ book: String) -> String {
    "\(server.folder)/data/collection-root/ann/\(book)"
  }

  /// The folder of the book is renamed, and later copied.
  @Test func aRenamedBookIsTheSameAndACopyIsNot() async throws {
    try await RealServer.with(.radicale) { server in
      for number in 0..<5 { try await server.put("\(number).vcf", vCard("P\(number) Q")) }
      let store = InMemoryRecordStore()
      let old = server.house(store: store)
      try await old.sync()
      let before = try old.ids()
      _ = try await old.people.edit(try #require(before["P1 Q"]), PersonChange(details: ["note": "mine"]))
      try FileManager.default.moveItem(atPath: folder(server, "book"), toPath: folder(server, "arbeit"))
      let report = try await old.sync()
      #expect(report.error?.reason == .notFound, "\(report)")
      let new = CardDAVHouse(server.transport, store: store, seed: 2, account: server.account, book: "arbeit")
      #expect(try await new.sync().counts.added == 0)
      #expect(try new.ids() == before && new.outbox.entries().isEmpty)
      let card = try String(contentsOfFile: folder(server, "arbeit") + "/1.vcf", encoding: .utf8)
      #expect(card.contains("NOTE:mine"))
      try FileManager.default.copyItem(atPath: folder(server, "arbeit"), toPath: folder(server, "book"))
      #expect(try await old.sync().counts.added == 5)
      for house in [new, old] { try await house.sync(SyncOptions(full: true)) }
      #expect(try new.all().count == 10)
      #expect(try Set(new.all().filter { $0.origin == new.follow.path }.map(\.id)) == Set(before.values))
    }
  }

  /// Two books of an account: one is missing at the server, and the other one is synced nevertheless.
  @Test func aMissingBookIsLikeAMissingRecord() async throws {
    try await RealServer.with(.radicale) { server in
      try await server.put("ada.vcf", vCard("Ada B", "EMAIL:ada@example.org"))
      try FileManager.default.copyItem(atPath: folder(server, "book"), toPath: folder(server, "work"))
      let almanac = try Program("almanac")
      defer { almanac.clean() }
      let words = ["account", "add", "carddav", server.url, "--user", "ann", "--password-file"]
      try await almanac.run(words + [almanac.file("password", "secret\n")], exits: 0)
      for book in ["book", "work"] { #expect(try await almanac.run("follow", "carddav/home/\(book)").status == 0) }
      try await almanac.run("sync", exits: 0)
      try FileManager.default.removeItem(atPath: folder(server, "work"))
      try await server.put("bo.vcf", vCard("Bo C", "EMAIL;TYPE=work:bo@example.com"))
      try await almanac.run("sync", exits: 66, err: "there is no address book 'work'", "carddav/home/book")
      // The books are told apart, and their people are found by a mail address.
      func names(_ words: String...) async throws -> [String] {
        try await almanac.run(words + ["--format", "json"]).records().compactMap { $0["fullName"] as? String }.sorted()
      }
      #expect(try await names("people", "list", "--from", "carddav/home/book") == ["Ada B", "Bo C"])
      #expect(try await names("people", "list", "--from", "carddav/home/work") == ["Ada B"])
      #expect(try await names("people", "list", "--where", "emails~example.com") == ["Bo C"])
      #expect(try await names("list", "people", "--where", "emails.type = work") == ["Bo C"])
    }
  }

  /// Of two accounts, the one whose password the server refuses.
  @Test func theDoctorNamesTheAccountThatIsRefused() async throws {
    try await RealServer.with(.radicale) { server in
      var almanac = try Program("almanac")
      defer { almanac.clean() }
      let (good, bad) = (try almanac.file("good", "secret\n"), try almanac.file("bad", "wrong\n"))
      func account(_ password: String) -> String {
        #"{"url": "\#(server.url)", "user": "ann", "password": {"file": "\#(password)"}}"#
      }
      let follows = ["home/book", "work/book", "work/more"].map { #"{"follow": "carddav/\#($0)"}"# }
      let accounts = #"{"home": \#(account(good)), "work": \#(account(bad))}"#
      almanac.environment["ALMANAC_CONFIG"] = try almanac.file(
        "config.json",
        #"{"servers": {"carddav": {"accounts": \#(accounts)}}, "follows": [\#(follows.joined(separator: ", "))]}"#)
      try almanac.makeStore()
      let doctor = try await almanac.run("doctor")
      #expect(doctor.out.contains("carddav/work/book and 1 more: "), "\(doctor)")
      #expect(doctor.out.contains("check user and password of the account"), "\(doctor)")
    }
  }
}
