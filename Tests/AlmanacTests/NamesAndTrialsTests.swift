import AlmanacTesting
import Foundation
import Testing

/// Wrong names are told, namesakes are asked for, and an import can be tried.
@Suite final class NamesAndTrialsTests: ProgramTests {
  private static let people = [
    #"{"id":"p1","firstName":"José","lastName":"García","birthday":"1980-02-03"}"#,
    #"{"id":"p2","firstName":"Ann","lastName":"Lee","birthday":"1990-01-01","emails":[{"value":"ann@one.example"}]}"#,
    #"{"id":"p3","firstName":"Ann","lastName":"Lee","emails":[{"value":"ann@two.example"}]}"#,
  ]

  private func filled() async throws -> Program {
    try await almanac.load("people", Self.people)
    return almanac
  }

  /// What is known may have no changes.
  @Test func aHistoryTellsWhatIsWrong() async throws {
    let almanac = try await filled()
    for (options, words) in [
      (["--field", "lastNam"], "'lastNam' is not a field of any collection"),
      (["--by", "snyc"], "did you mean 'sync'?"),
      (["--by", "people eidt"], "did you mean 'people edit'?"),
    ] { try await almanac.run(["history"] + options, exits: 64, err: words) }
    for options in [["--field", "note"], ["--by", "people edit"], ["people", "--field", "nickname"]] {
      try await almanac.run(["history"] + options, exits: 0, err: "no change is known")
    }
  }

  @Test func changesNameTheirRecords() async throws {
    let almanac = try await filled()
    try await almanac.run("people", "edit", "p1", "--note", "x", exits: 0)
    let history = try await almanac.run("history", exits: 0).out
    #expect(history.contains("José García") && history.contains("people/p1"), "\(history)")
    let difference = try await almanac.run("diff", "commit:1", exits: 0).out
    #expect(difference.contains("José García") && difference.contains("people/p1"), "\(difference)")
    #expect(try await almanac.records("diff", "commit:1").first?["name"] as? String == "José García")
    let csv = try await almanac.run("history", "--limit", "1", "--format", "csv", exits: 0).out
    #expect(csv.hasPrefix("commit,at,by,collection,id,name,field,from,to\n"), "\(csv)")
  }

  @Test func namesakesAreListed() async throws {
    let almanac = try await filled()
    for command in [
      ["show", "people"], ["people", "edit", "--note", "x"], ["people", "remove", "--yes"], ["history", "people"],
      ["open", "people", "--picture"], ["people", "group", "add", "choir"], ["people", "merge", "p1"],
    ] {
      try await almanac.run(
        command + ["Ann Lee"], exits: 64, err: "p2 (Ann Lee, 1990-01-01, ann@one.example)",
        "p3 (Ann Lee, ann@two.example)")
    }
  }

  @Test(arguments: [("2", "ann@two.example"), ("9\\n1", "ann@one.example")])
  func aTerminalAsksWhichOne(typed: String, shown: String) async throws {
    let almanac = try await filled()
    let said = try await almanac.shell(
      "printf '\(typed)\\n' | script -qec \"$PROGRAM show people 'Ann Lee' --no-pager\" /dev/null", exits: 0,
      out: "2  p3 (Ann Lee, ann@two.example)")
    let answer = said.out.components(separatedBy: "which one? [1-2, or Enter for none] ").last ?? ""
    #expect(answer.contains(shown) && answer.contains("Lee") && answer.count < said.out.count, "\(said)")
    try await almanac.shell(
      "printf '\\n' | script -qec \"$PROGRAM people edit 'Ann Lee' --note x\" /dev/null", exits: 64,
      out: "name one by its id")
  }

  @Test func aValueThatCannotBeIsRefused() async throws {
    let almanac = try await filled()
    try await almanac.load("profiles", #"{"id":"ada","name":"Ada","email":"ada@example.org"}"#)
    for (command, words) in [
      (["profile", "set", "ada", "--email", "nomail"], "it has no '@'"),
      (["people", "add", "Cy", "--email", "nomail"], "it has no '@'"),
      (["people", "edit", "p1", "--birthday", "5/1/1990"], "cannot be told apart"),
      (["people", "edit", "p1", "--url", "nowhere"], "it is not an address of the web"),
      (["people", "edit", "p1", "--date", "anniversary: soon"], "it is not a day"),
    ] { try await almanac.run(command, exits: 64, err: command[command.count - 2], words) }
    let edited = try await almanac.object("people", "edit", "p1", "--birthday", "5 Jan 1990", "--date", "met: 5.1.1990")
    #expect(edited["birthday"] as? String == "1990-01-05", "\(edited)")
    #expect((edited["dates"] as? [[String: Any]])?.first?["value"] as? String == "1990-01-05", "\(edited)")
  }

  @Test func aPersonMayBecomeANamesake() async throws {
    let almanac = try await filled()
    let edit = ["people", "edit", "p3", "--birthday", "1990-01-01"]
    try await almanac.run(edit, exits: 64, err: "exists already", "--different", "almanac people merge p2 p3")
    try await almanac.run(edit + ["--different"], exits: 0)
    #expect(try await almanac.records("list", "people", "--where", "birthday = 1990-01-01").count == 2)
  }

  /// What somebody would send without names is said before.
  @Test func whoIsSentIsNamed() async throws {
    try await almanac.run("people", "add", "Zoe Q", "--birthday", "--02-29", exits: 0)
    let config = try almanac.config("http://127.0.0.1:9", ["people"])
    let send = ["people", "send", "--config", config]
    try await almanac.run(send + ["--dry-run"], exits: 0, out: "Zoe Q")
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM people send --config \(config)\" /dev/null", exits: 1,
      out: "send Zoe Q to the server? [y/N]")
    #expect(try await almanac.records("outbox").isEmpty)
    try await almanac.run(send, exits: 69, err: "sending Zoe Q")
  }

  @Test func unreadMembersAreNamed() async throws {
    let file = try almanac.file(
      "people.jsonl",
      #"{"id":"a","firstName":"A"}"# + "\n"
        + #"{"id":"b","firstName":"B","phone":"1","emails":[{"value":"b@x","typ":"work"}]}"#)
    let said = try await almanac.run(
      "import", file, exits: 0,
      err:
        "people.jsonl, line 2: 'phone' is not a field of people: it is stored as it is, beside the fields; did you mean 'phones'?",
      "'emails.typ' is not a field of people: it is left out; did you mean 'emails.type'?")
    #expect(said.out == "people: 2 added, 0 updated, 0 unchanged\n")
    let again = try await almanac.object("import", file)
    #expect((again["unread"] as? [[String: Any]])?.map { $0["member"] as? String } == ["emails.typ"], "\(again)")
    try await almanac.run("list", "people", "--where", "phone = 1", exits: 0, out: "b")
    for format in ["csv", "vcf", "html"] {
      try await almanac.run(
        "export", "people", "--to", format, exits: 0, err: "not in \(format): phone, no fields of people", "--to jsonl")
    }
  }

  @Test func anImportCanBeTried() async throws {
    let file = try almanac.file("people.jsonl", Self.people.map { $0 + "\n" }.joined())
    // No store is made, either.
    try await almanac.run("import", file, "--dry-run", exits: 0, out: "people: 3 to add", "nothing was changed")
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
    try await almanac.run("import", file, exits: 0)
    let changed = try almanac.file(
      "changed.jsonl",
      #"{"id":"p1","firstName":"Pepe","lastName":"García"}"# + "\n" + #"{"id":"p4","firstName":"New"}"#)
    let said = try await almanac.run(
      "import", changed, "--collection", "people", "--dry-run", exits: 0, out: "1 to add, 1 to update, 0 unchanged")
    #expect(said.out.contains("firstName") && said.out.contains("José"), "\(said)")
    let planned = try #require(
      try await almanac.object("import", changed, "--collection", "people", "--dry-run")["planned"] as? [[String: Any]])
    #expect(
      planned.map { $0["kind"] as? String } == ["changed", "added"] && planned[1]["id"] as? String == "p4", "\(planned)"
    )
    #expect(try await almanac.records("list", "people").count == 3)
    try await almanac.run("show", "people", "p1", exits: 0, out: "José")
  }

  @Test func anImportOfContactsCanBeTried() async throws {
    let almanac = try await filled()
    let file = try almanac.file(
      "people.csv", "First Name,Last Name,Phone,Shoe size\nAnn,Byron,1,40\nJosé,García,2,\n,,,41\nJosé,García,,\n")
    let said = try await almanac.run("people", "import", file, "--dry-run", exits: 0)
    #expect(said.out.contains("1 to add, 1 to update"), "\(said)")
    #expect(said.out.contains("added") && said.out.contains("Ann Byron") && said.out.contains("phones"), "\(said)")
    #expect(said.err.contains("line 4: skipped") && said.err.contains("'Shoe size' is left out"), "\(said)")
    let json = try await almanac.object("people", "import", file, "--dry-run")
    let planned = try #require(json["planned"] as? [[String: Any]])
    #expect(
      json["dryRun"] as? Bool == true && json["columns"] != nil && (json["skipped"] as? [Any])?.count == 1, "\(json)")
    #expect(
      planned.count == 2 && planned.contains { $0["kind"] as? String == "added" && $0["id"] == nil }, "\(planned)")
    let people = try await almanac.records("list", "people")
    #expect(people.count == 3 && people.allSatisfy { $0["phones"] == nil }, "\(people)")
    // Then the import does the same.
    let done = try await almanac.object("people", "import", file)
    #expect(
      done["added"] as? Int == json["added"] as? Int && done["updated"] as? Int == json["updated"] as? Int, "\(done)")
  }

  /// A GIF of one point.
  private static let picture = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

  @Test func thePhotoOfACardIsAPicture() async throws {
    var almanac = almanac
    almanac.environment["XDG_CACHE_HOME"] = almanac.folder + "/cache"
    let card =
      "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Lee\r\nN:Lee;Ann;;;\r\nPHOTO:data:image/gif;base64,\(Self.picture)\r\nEND:VCARD\r\n"
    try await almanac.run("people", "import", almanac.file("ann.vcf", card), exits: 0)
    let path = try await almanac.run("open", "people", "Ann Lee", "--picture", "--print", exits: 0).out
    let file = path.trimmingCharacters(in: .newlines)
    #expect(file.hasSuffix(".gif") && file.hasPrefix(almanac.folder + "/cache/almanac/images/"), "\(path)")
    #expect(try Data(contentsOf: URL(filePath: file)).base64EncodedString() == Self.picture)
    try await almanac.run("people", "add", "Bo", exits: 0)
    try await almanac.run(
      "open", "people", "Bo", "--picture", "--print", exits: 66, err: "Bo has no picture", "--photo")
    try await almanac.run("forget", "people/Ann Lee", "--yes", exits: 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}
