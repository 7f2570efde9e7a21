import AlmanacTesting
import Foundation
import Testing

/// What commands ask, refuse and say, as people met it.
@Suite final class CommandWordTests: ProgramTests {
  private func filled() async throws -> Program {
    try await almanac.load("people", #"{"id":"p1","firstName":"Ada","lastName":"Lovelace"}"#)
    return almanac
  }

  /// A config that follows an address book whose server is not there.
  private func followingBook() throws -> String {
    try almanac.file(
      "config.json",
      #"{"follows": [{"follow": "carddav/home/book"}], "servers": {"carddav": {"accounts": {"home": {"url": "https://dav.example"}}}}}"#
    )
  }

  /// As every other removal.
  @Test func aRecordOfADescribedSourceIsRemovedOnlyWhenThatIsConfirmed() async throws {
    try FileManager.default.createDirectory(atPath: almanac.folder + "/sources", withIntermediateDirectories: true)
    _ = try almanac.file(
      "sources/shop.json",
      #"""
      {
        "almanac": 1, "source": "shop", "url": "http://127.0.0.1:9",
        "collections": {"things": {"id": "$.id", "fields": {"name": "text $.name"}}},
        "follows": {"all": {"get": "/things", "take": {"records": "$.items", "into": "things"}}},
        "edits": {"things": {"read": "/things/{id}", "delete": "/things/{id}"}}
      }
      """#)
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file("config.json", #"{"follows": [{"follow": "shop/all"}]}"#)
    try await almanac.load("things", #"{"id":"1","name":"Cedar"}"#)
    try await almanac.run("edit", "things", "Cedar", "--remove", exits: 64, err: "remove things/1 (Cedar)?", "--yes")
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM edit things 1 --remove\" /dev/null", exits: 1, out: "nothing was changed")
    #expect(try await almanac.records("list", "things").count == 1)
    try await almanac.run("edit", "things", "1", "--remove", "--yes", exits: 0)
    #expect(try await almanac.records("list", "things").isEmpty)
  }

  /// One record, and not several.
  @Test func aCountOfOneIsSingular() async throws {
    let almanac = try await filled()
    let copied = try await almanac.run("backup", "kept", exits: 0)
    #expect(copied.out.hasPrefix("1 record, "), "\(copied)")
  }

  @Test func followsAreListedBesideMistakes() async throws {
    let config = try almanac.file(
      "config.json", #"{"follows": [{"follow": "people"}], "servers": {"people": {"url": "nonsense"}}}"#)
    try await almanac.run("following", "--config", config, exits: 0, out: "people", err: "servers.people.url")
  }

  @Test func anAddressBookThatIsNotFollowedIsSaidToBeSo() async throws {
    let almanac = try await filled()
    let none = try await almanac.run("people", "list", "--from", "carddav/home/none")
    #expect(none.err.contains("carddav/home/none, which is not followed; no address book is followed"), "\(none)")
    let config = try followingBook()
    let other = try await almanac.run("people", "list", "--from", "carddav/home/bok", "--config", config)
    #expect(other.err.contains("the address books are carddav/home/book"), "\(other)")
    let empty = try await almanac.run("people", "list", "--from", "carddav/home/book", "--config", config)
    #expect(empty.err == "no people match\n", "\(empty)")
  }

  /// What a command does not reach is named, with the commands that do.
  @Test func theCardOfAForgottenPersonIsNamed() async throws {
    let config = try followingBook()
    try await almanac.load("people", #"{"id":"p-1","firstName":"Ada","lastName":"L","origin":"carddav/home/book"}"#)
    let forgotten = try await almanac.run(
      "forget", "people/p-1", "--yes", "--config", config, exits: 0,
      err: "the card in the address book carddav/home/book")
    #expect(forgotten.err.contains(#"people remove "Ada L""#), "\(forgotten)")
  }

  /// No server has the card of a person who was never sent.
  @Test func theRemovalOfAPersonWhoWasNeverSentIsNotSent() async throws {
    let config = try followingBook()
    try await almanac.run("people", "add", "--first", "Ada", "--to", "carddav/home/book", "--config", config, exits: 0)
    let removed = try await almanac.run("people", "remove", "Ada", "--yes", "--config", config, exits: 0)
    #expect(removed.err == "removed Ada locally\n", "\(removed)")
    #expect(try await almanac.records("outbox").isEmpty)
  }

  @Test func anEditIsNamedWithItsRecord() async throws {
    let almanac = try await filled()
    try await almanac.load(
      "outbox",
      #"{"id":"01abc","target":"people/p1","kind":"put","fields":{"note":"M"},"base":{"note":null},"theirs":{"note":"T"},"#
        + #""attempts":0,"state":"conflict","createdAt":"2026-11-23T10:00:00Z","source":"carddav"}"#)
    let refused = try await almanac.run("outbox", "discard", "p1")
    #expect(refused.err.contains("people/p1 (Ada Lovelace: note M)"), "\(refused)")
    let resolved = try await almanac.run("outbox", "resolve", "p1", "--take", "theirs")
    #expect(resolved.err.contains("people/p1 (Ada Lovelace)"), "\(resolved)")
  }

  @Test("an edit that only waits is not said to be a conflict by outbox resolve", arguments: [["--take", "mine"], []])
  func pendingIsNoConflict(options: [String]) async throws {
    try await almanac.load(
      "outbox",
      #"{"id":"01abc","target":"profiles/ada","kind":"put","fields":{"name":"A"},"base":{"name":"B"},"#
        + #""attempts":0,"state":"pending","createdAt":"2026-11-23T10:00:00Z","source":"users"}"#)
    try await almanac.run(
      ["outbox", "resolve", "ada"] + options, exits: 64, err: "waits to be sent: it is not in conflict",
      "'almanac sync' sends it", "'almanac outbox discard profiles/ada'")
  }

  /// Photos are listed in the order in which they were posted.
  @Test func photosShowWhenTheyWerePosted() async throws {
    try await almanac.loadDemo()
    let photos = try await almanac.run("photos")
    #expect(photos.out.split(separator: "\n").first?.contains("postedAt") == true, "\(photos)")
    let times = try await almanac.records("photos").compactMap { $0["postedAt"] as? String }
    #expect(!times.isEmpty && times == times.sorted(by: >), "\(times)")
  }

  /// What is cut cannot be copied.
  @Test func aMailAddressIsNotCut() async throws {
    let address = "augusta.ada.king.countess.of.lovelace@analytical-engines.example.org"
    try await almanac.load(
      "people",
      #"{"id":"p1","firstName":"Augusta Ada","lastName":"King","emails":[{"value":"\#(address)"}],"note":"A note of some length"}"#
    )
    for columns in ["id,fullName,emails,note", "id,fullName,emails.value,note"] {
      let shown = try await almanac.shell(
        "TERM=xterm script -qec 'stty cols 80 rows 24; $PROGRAM list people --columns \(columns) --no-pager' /dev/null < /dev/null"
      )
      #expect(shown.out.contains(address), "\(shown)")
    }
    let search = try await almanac.shell(
      "TERM=xterm script -qec 'stty cols 80 rows 24; $PROGRAM search augusta.ada.king --no-pager' /dev/null < /dev/null"
    )
    #expect(search.out.contains(address), "\(search)")
  }
}
