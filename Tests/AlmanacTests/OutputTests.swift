import AlmanacTesting
import Assembly
import Foundation
import Models
import Parsing
import Synchronization
import Testing

@testable import almanac

/// Answers go where they are asked for, or the program says that they did not.
@Suite final class OutputTests: ProgramTests {
  private func withPerson() async throws -> Program {
    try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-02", exits: 0)
    return almanac
  }

  @Test(arguments: ["list people", "export people --to csv", "changes", "birthdays --days 400 --format json"])
  func fullDisk(command: String) async throws {
    let almanac = try await withPerson()
    try await almanac.shell("\"$PROGRAM\" \(command) > /dev/full", exits: 74, err: "No space left")
  }

  @Test func aFileThatMayNotGrow() async throws {
    let lines = (0..<100).map { #"{"id":"p\#($0)","firstName":"A","lastName":"B","birthday":"2000-01-02"}"# + "\n" }
    _ = try almanac.file("people.jsonl", lines.joined())
    try await almanac.shell("ulimit -f 1; \"$PROGRAM\" import people.jsonl", exits: 74, err: "file too large")
    #expect(try await almanac.records("list", "people").isEmpty)
  }

  @Test func aReaderThatLeavesEndsTheFeed() async throws {
    let almanac = try await withPerson()
    // As under systemd: a write to a closed pipe is an error and no signal.
    let feed = "trap '' PIPE; \"$PROGRAM\" changes --follow; echo $? >&2"
    let add = "\"$PROGRAM\" people add --first B --birthday 2000-01-03"
    let result = try await almanac.shell(
      "mkfifo feed; (\(feed)) > feed & head -n 1 feed > line; \(add) > /dev/null; wait")
    #expect(result.err == "0\n")
    #expect(try contents(almanac.folder + "/line").contains(#""firstName":"A""#))
  }

  @Test func pipesAndDevicesStayWhatTheyAre() async throws {
    let almanac = try await withPerson()
    try await almanac.shell(
      """
      mkfifo pipe; cat pipe > through & "$PROGRAM" export people --to jsonl --out pipe && wait
      test -p pipe && "$PROGRAM" export people --to jsonl --out /dev/stdout && "$PROGRAM" export people --to jsonl | cmp - through
      """, exits: 0, out: #""firstName":"A""#)
  }

  @Test func linksAndModesStay() async throws {
    let almanac = try await withPerson()
    let result = try await almanac.shell(
      """
      touch kept; chmod 600 kept; ln -s kept link; ln -s new dangling
      "$PROGRAM" export people --to csv --out link && "$PROGRAM" birthdays --ics dangling
      test -L link && test -L dangling && grep -q A kept && grep -q VCALENDAR new && stat -c %a kept; ls
      """)
    #expect(result.out.hasPrefix("600\n"), "\(result.out)\(result.err)")
    #expect(!result.out.contains(".new\n"))
  }

  @Test func aRecordingThatCannotBeKeptIsAFailure() async throws {
    let seed = try almanac.file("run.har", Recording.har([.init("http://api.example/people", "[]")]))
    try await almanac.run(
      "sync", "people", "--seed", seed, "--server", "people=http://api.example", "--record", "missing/new.har",
      exits: 73, err: "missing/new.har")
  }

  /// Comma-separated values are that and nothing else: a header, and lines with as many fields.
  @Test(arguments: [
    ["status"], ["doctor"], ["compact"], ["demo"], ["media", "fetch"], ["people", "send"], ["outbox"], ["following"],
  ])
  func commaSeparatedValues(command: [String]) async throws {
    let almanac = try await withPerson()
    _ = try almanac.file(
      "config.json", #"{"servers": {"people": {"url": "http://127.0.0.1:9"}}, "follows": [{"follow": "people"}]}"#)
    let result = try await almanac.run(command + ["--format", "csv", "--config", "config.json"])
    let lines = result.out.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = try #require(lines.first, "\(result.err)")
    #expect(header.count > 1)
    #expect(header.allSatisfy { !$0.contains(" ") && !$0.isEmpty }, "\(header)")
    if !result.out.contains("\"") { for line in lines { #expect(line.count == header.count, "\(line)") } }
  }
}

/// `export --to singer` describes every field, and every record has every field.
@Suite final class SingerTests: ProgramTests {
  private func export(_ almanac: Program, _ collection: String) async throws -> [[String: Any]] {
    let result = try await almanac.run("export", collection, "--to", "singer", exits: 0)
    return try result.out.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func properties(_ message: [String: Any]?) -> [String: [String: Any]] {
    (message?["schema"] as? [String: Any])?["properties"] as? [String: [String: Any]] ?? [:]
  }

  @Test(arguments: SourceList.compiled.catalog.names)
  func everyFieldIsDescribed(collection: CollectionName) async throws {
    try almanac.makeStore()
    let messages = try await export(almanac, collection.rawValue)
    #expect(messages.map { $0["type"] as? String } == ["SCHEMA", "STATE"])
    #expect(messages.first?["stream"] as? String == collection.rawValue)
    #expect(messages.first?["key_properties"] as? [String] == ["id"])
    let properties = properties(messages.first)
    #expect(Set(properties.keys) == Set(SourceList.compiled.catalog.fields(of: collection).map(\.name)))
    for (name, property) in properties {
      if name == "id" {
        #expect(property["type"] as? String == "string")
      } else {
        #expect(
          (property["type"] as? [String])?.first == "null" && (property["type"] as? [String])?.count == 2, "\(name)")
      }
    }
  }

  @Test func recordsAreWholeAndImportedFieldsAreDescribed() async throws {
    try await almanac.load(
      "apps",
      """
      {"id":"1","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u"}
      {"id":"2","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u","price":{"amount":"1","currency":"EUR"},"stars":4.5,"more":{"x":[1],"y":true}}
      {"id":"3","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u","stars":"five","more":{"z":1}}
      """)
    let messages = try await export(almanac, "apps")
    let described = properties(messages.first)
    #expect(described["stars"]?["type"] as? [String] == ["null", "number", "string"])
    #expect(described["releaseDate"]?["type"] as? [String] == ["null", "string"])
    let price = described["price"]?["properties"] as? [String: [String: Any]]
    #expect(price?["amount"]?["type"] as? [String] == ["null", "string"] && price?.count == 2)
    let more = described["more"]?["properties"] as? [String: [String: Any]]
    #expect(
      more?.mapValues { $0["type"] as? [String] } == [
        "x": ["null", "array"], "y": ["null", "boolean"], "z": ["null", "integer"],
      ])
    let records = messages.compactMap { $0["record"] as? [String: Any] }
    #expect(records.compactMap { $0["id"] as? String } == ["1", "2", "3"])
    for record in records {
      #expect(Set(record.keys) == Set(described.keys))
      #expect(Set((record["price"] as? [String: Any] ?? [:]).keys) == ["amount", "currency"])
      #expect(Set((record["more"] as? [String: Any] ?? [:]).keys) == ["x", "y", "z"])
    }
    #expect(records.first?["releaseDate"] is NSNull && records.last?["stars"] as? String == "five")
    #expect((records[1]["price"] as? [String: Any])?["amount"] as? String == "1")
  }
}

/// Tables on a screen of 80 columns.
@Suite struct TableTests {
  private func print(_ rows: [JSONObject], _ columns: [Answer.Column], _ width: Int?) -> [String] {
    FakeTerminal.printing(width) { $0.list(rows, columns: columns) }.lines
  }

  private static let path = "app-store/us/top-grossing/6014"

  @Test func aSyncsFollowsAreWhole() {
    var counts = SyncCounts()
    counts.requests = 12
    counts.bytes = 123_456_789
    for _ in 0..<200 { counts.add(to: .apps) }
    counts.add(to: .charts)
    let report = SyncReport(
      startedAt: Timestamp(secondsSinceEpoch: 0), finishedAt: Timestamp(secondsSinceEpoch: 1),
      follows: [FollowReport(follow: Self.path, status: .ok, counts: counts)])
    let screen = FakeTerminal()
    let terminal = screen.terminal(.init(isInteractive: true, width: 80))
    SyncAnswer(terminal: terminal).print(report)
    terminal.flush()
    let lines = screen.lines
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines[1].hasPrefix("\(Self.path)  ok      201 (200 apps, 1 chart)"), "\(lines)")
    #expect(screen.err.hasPrefix("not shown on a screen of 80 columns: "), "\(screen.err)")
    // What is 0 is left out first.
    #expect(screen.err.contains("updated") && !lines[0].contains("rejected"), "\(lines)")
  }

  @Test func longTextsGoBelowTheirRow() {
    let id = "01K0000000000000000000000A"
    let error = "the server answered 422: " + Array(repeating: "word", count: 30).joined(separator: " ")
    let rows: [JSONObject] = [
      [
        "id": .string(id), "target": "profiles/ada", "kind": "put", "state": "refused", "attempts": 3,
        "fields": .object(["name": "Ada"]), "lastError": .string(error),
      ],
      ["id": "2", "target": "profiles/bo", "kind": "put", "state": "pending", "attempts": 0, "fields": .object([:])],
    ]
    let columns = CollectionColumns.table(.outbox)
    let narrow = print(rows, columns, 80)
    #expect(narrow.allSatisfy { $0.count <= 80 }, "\(narrow)")
    #expect(narrow[1] == "\(id)  profiles/ada  put   refused         3", "\(narrow)")
    #expect(narrow[2] == #"  fields: {"name":"Ada"}"#)
    #expect(narrow[3].hasPrefix("  lastError: the server answered 422: word word") && narrow[3].hasSuffix("word"))
    #expect(narrow[4].hasPrefix("    word"))
    #expect(!narrow.contains { $0.contains("theirs") }, "nothing below a row without it")
    // Where there is room, and elsewhere than on a screen, a row is a line.
    for width in [400, nil] {
      let wide = print(rows, columns, width)
      #expect(wide.count == 3 && wide[1].contains(error), "\(wide)")
    }
  }

  @Test(arguments: [80, 60, 40, 20])
  func idsAreNeverCut(width: Int) {
    let rows: [JSONObject] = (0..<3).map { number in
      [
        "id": .string("us/123456789\(number)"), "name": .string(String(repeating: "Näme ", count: 12)),
        "artist": "Some Company Incorporated", "price": .object(["amount": "0.99000", "currency": "USD"]),
        "category": "Entertainment", "releaseDate": "2026-01-31T12:00:00Z",
      ]
    }
    let lines = print(rows, CollectionColumns.table(.apps), width)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    // On a narrow screen, the other columns stand below the id.
    let ids = lines.filter { $0.hasPrefix("us/") }.map { $0.prefix { $0 != " " } }
    #expect(ids == ["us/1234567890", "us/1234567891", "us/1234567892"], "\(lines)")
    // A time is whole or not there at all.
    #expect(!lines.contains { $0.contains("2026") && !$0.contains("2026-01-31T12:00:00Z") }, "\(lines)")
  }

  /// Feeds write prices with zeros at their end; every table shows them alike, and programs get what came.
  @Test(arguments: [("5.99000", "5.99"), ("0.00000", "0.00"), ("1.5", "1.5"), ("12", "12"), ("0.125", "0.125")])
  func prices(amount: String, shown: String) {
    let app: JSONObject = ["id": "us/1", "price": .object(["amount": .string(amount), "currency": "USD"])]
    #expect(print([app], [.init("id"), .init("price.amount", number: true)], nil).last?.hasSuffix(" \(shown)") == true)
    let lines = FakeTerminal.printing(80) { $0.one(app) }.lines
    #expect(lines == ["id              us/1", "price.amount    \(shown)", "price.currency  USD"])
  }

  @Test(arguments: [
    ("one two three", 7, 0, ["one two", "three"]), ("one two three", 7, 2, ["one two", "  three"]),
    ("  one two", 5, 4, ["  one", "    two"]), ("https://a.example/b c", 5, 0, ["https://a.example/b", "c"]),
    ("一二 三", 5, 0, ["一二", "三"]), ("", 5, 0, [""]), ("a  b", 10, 0, ["a  b"]),
  ])
  func wrapping(text: String, columns: Int, indent: Int, lines: [String]) {
    #expect(Printable.wrapped(text, columns, indent: indent) == lines)
  }

  @Test func messagesAreBrokenAtWordsOnAScreenAlone() {
    let words = Array(repeating: "message", count: 20).joined(separator: " ")
    for width in [nil, 40] as [Int?] {
      let screen = FakeTerminal()
      let terminal = screen.terminal(.init(messageWidth: width))
      terminal.report(Failure(.http, .unavailable, words, hint: Advice(words)))
      terminal.complain(Advice(words))
      let lines = screen.err.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= width ?? 1000 }, "\(lines)")
      #expect((lines.count == 3) == (width == nil), "\(lines)")
      #expect(lines.joined(separator: " ").split(separator: " ").count == 61)
    }
  }
}

/// The collection files that other programs read, after commands.
@Suite final class PublishedFileTests: ProgramTests {
  private func lines(_ almanac: Program) -> [Substring] {
    let text = (try? contents(almanac.store + "/people.jsonl")) ?? ""
    return text.split(separator: "\n")
  }

  @Test("a file that was changed from outside is kept, and the command that the warning names takes it over")
  func changed() async throws {
    let file = almanac.store + "/people.jsonl"
    _ = try await almanac.run("people", "add", "--first", "Ada", "--birthday", "2000-01-01")
    let own = try contents(file)
    try FileManager.default.removeItem(atPath: file)
    let mine = own.replacing("Ada", with: "Grace").replacing("\"id\":\"", with: "\"id\":\"x")
    try (own + mine).write(toFile: file, atomically: false, encoding: .utf8)
    // Doctor names the change and nothing else about the file, and leaves it there.
    let doctor = try await almanac.run("doctor", exits: 74, out: "changed from outside: 1 record")
    #expect(!doctor.out.contains("does not contain the latest commits"), "\(doctor.out)")
    #expect(lines(almanac).count == 2)
    let add = try await almanac.run("people", "add", "--first", "Alan", "--birthday", "2000-01-01", exits: 0)
    #expect(lines(almanac).count == 2)
    let command = "almanac import \(file).changed"
    #expect(add.err.contains("was changed from outside") && add.err.contains("run '\(command)'"), "\(add.err)")
    #expect(try await almanac.run("people", "add", "--first", "Emmy", "--birthday", "2000-01-01").err == "")
    #expect(try await almanac.run("import", file + ".changed").out == "people: 1 added, 0 updated, 1 unchanged\n")
    #expect(lines(almanac).count == 4)
    try await almanac.run("doctor", exits: 0)
  }

  /// Puts another text in the place of a published file, as an editor does.
  private func edit(_ file: String, _ change: (String) -> String) throws {
    let text = change(try contents(file))
    try FileManager.default.removeItem(atPath: file)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
  }

  /// The lines of the file are older than the store where somebody else changed it.
  @Test func onlyWhatWasChangedByHandIsTakenOver() async throws {
    let file = almanac.store + "/people.jsonl"
    for (first, last) in [("Ada", "Lovelace"), ("Grace", "Hopper"), ("Emmy", "Noether"), ("Jean", "Bartik")] {
      _ = try await almanac.run("people", "add", "--first", first, "--last", last, "--birthday", "2000-01-01")
    }
    try edit(file) { text in
      text.split(separator: "\n").filter { !$0.contains("Bartik") }.joined(separator: "\n")
        .replacing("\"firstName\":\"Ada\"", with: "\"firstName\":\"Augusta\"").replacing("Hopper", with: "Murray")
        + "\n"
        + #"{"id":"new","firstName":"Mary","lastName":"Somerville","birthday":"1780-12-26"}"# + "\n"
    }
    for (name, option, value) in [
      ("Ada Lovelace", "--nickname", "Countess"), ("Grace Hopper", "--last", "Brewster"),
      ("Emmy Noether", "--nickname", "E"),
    ] {
      try await almanac.run("people", "edit", name, option, value, exits: 0)
    }
    let imported = try await almanac.run("import", file + ".changed", exits: 1)
    #expect(imported.out == "people: 1 added, 1 updated, 1 unchanged\n", "\(imported)")
    #expect(
      imported.err.contains("lastName: 'Murray' in the file, 'Brewster' in the store, 'Hopper' before"),
      "\(imported.err)")
    #expect(imported.err.contains("'almanac people remove NAME'"), "\(imported.err)")
    let people = try await almanac.records("list", "people", "--sort", "fullName")
    let names = people.map { $0["fullName"] as? String }
    #expect(
      names == ["Augusta Lovelace", "Emmy Noether", "Grace Brewster", "Jean Bartik", "Mary Somerville"], "\(names)")
    #expect(people[0]["nickname"] as? String == "Countess" && people[1]["nickname"] as? String == "E")
    #expect(people[4]["id"] as? String == "new")
    // The second time, nothing is left but the conflict.
    let again = try await almanac.run("import", file + ".changed", "--format", "json")
    let counts = try again.object()
    #expect(again.status == 1 && counts["updated"] as? Int == 0 && counts["unchanged"] as? Int == 3, "\(again)")
    let conflicts = counts["conflicts"] as? [[String: Any]]
    #expect(conflicts?.count == 1 && conflicts?.first?["stored"] as? String == "Brewster")
  }

  @Test func whatIsOnlyKnownToHaveBeenChangedIsNotTakenOver() async throws {
    _ = try await almanac.run("people", "add", "--first", "Ada", "--birthday", "2000-01-01")
    let (file, kept) = (almanac.store + "/people.jsonl", almanac.store + "/people.jsonl.changed")
    try edit(file) { $0.replacing("Ada", with: "Grace") }
    try FileManager.default.moveItem(atPath: file, toPath: kept)
    try await almanac.run("import", kept, exits: 64, err: "it is not known what was changed")
    // A mistake is refused with its line, and a value that no edit may have with its record.
    _ = try await almanac.run("compact")
    try edit(file) { $0.replacing("2000-01-01", with: "2000-13-01") }
    try await almanac.run("import", file, exits: 65, err: "people.jsonl, line 1")
  }

  @Test("a large collection is named while its file is behind, until compact")
  func behind() async throws {
    let note = String(repeating: "n", count: 1000)
    let people = (1000..<3000).map { number in
      #"{"id":"\#(number)","firstName":"P","lastName":"Q","birthday":"2000-01-01","note":"\#(note)"}"#
    }
    try await almanac.load("people", people)
    #expect(lines(almanac).count == 2000, "the command wrote all of it")
    // As if it had been written just now, however long this test takes.
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now + 86_400], ofItemAtPath: almanac.store + "/people.jsonl")
    _ = try await almanac.run("people", "add", "--first", "Late", "--birthday", "2000-01-01")
    #expect(lines(almanac).count == 2000)
    let status = try await almanac.object("status")["store"] as? [String: Any]
    #expect(status?["behind"] as? [String] == ["people"])
    #expect(try await almanac.run("status").out.contains("people.jsonl"))
    try await almanac.run(
      "doctor", "--format", "json", exits: 0, out: "people.jsonl does not contain the latest commits")
    _ = try await almanac.run("compact")
    #expect(lines(almanac).count == 2001)
    #expect(try await almanac.run("doctor").out.contains("no problems found"))
  }

  @Test("standard streams that are closed are no files of the store")
  func closedStreams() async throws {
    try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01", exits: 0)
    try await almanac.shell(
      "\"$PROGRAM\" people add --first B --birthday 2000-01-02 --format json <&- >&- 2>&-", exits: 0)
    try await almanac.run("doctor", exits: 0)
    #expect(try await almanac.records("list", "people").count == 2)
  }
}
