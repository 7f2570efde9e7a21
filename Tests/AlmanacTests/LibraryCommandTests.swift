import AlmanacTesting
import Assembly
import Foundation
import Models
import Testing

/// People by hand and from cards, queries, and copies out and in.
@Suite final class LibraryCommandTests: ProgramTests {
  private static let cards = """
    BEGIN:VCARD
    VERSION:3.0
    N:Okoye;Ines;;;
    FN:Ines Okoye
    BDAY:1990-02-28
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    FN:Per Åström
    N:Åström;Per;;;
    BDAY:--0229
    END:VCARD
    BEGIN:VCARD
    VERSION:2.1
    NOTE:Nobody
    END:VCARD

    """

  private func filled() async throws -> Program {
    let file = try almanac.file("cards.vcf", Self.cards.replacingOccurrences(of: "\n", with: "\r\n"))
    let result = try await almanac.run("people", "import", file, exits: 0)
    #expect(result.out == "2 added, 0 known already, 1 skipped\n")
    #expect(result.err.contains("cards.vcf, line 13: skipped a card without a name: no name"))
    let again = try await almanac.object("people", "import", file, "--quiet")
    #expect(again["added"] as? Int == 0)
    #expect(again["known"] as? Int == 2)
    return almanac
  }

  @Test func birthdays() async throws {
    let almanac = try await filled()
    func dates(_ arguments: String...) async throws -> [String] {
      try await almanac.run(["birthdays", "--format", "json"] + arguments).records().compactMap { record in
        "\(record["date"] ?? "") \(record["fullName"] ?? "") \(record["age"] ?? "-")"
      }
    }
    #expect(
      try await dates("--on", "2026-02-27", "--days", "1") == ["2026-02-28 Ines Okoye 36", "2026-02-28 Per Åström -"])
    #expect(try await dates("--on", "2026-03-01", "--days", "0", "--feb29", "mar1") == ["2026-03-01 Per Åström -"])
    let ics = almanac.folder + "/b.ics"
    _ = try await almanac.run("birthdays", "--ics", ics)
    let calendar = try contents(ics)
    #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n"))
    #expect(calendar.components(separatedBy: "RRULE:").count == 3)
    let age = Calendar(identifier: .gregorian).component(.year, from: Date()) - 1990
    #expect(calendar.contains("SUMMARY:Ines Okoye (\(age))\r\n"))
    #expect(calendar.contains("SUMMARY:Per Åström\r\n"))
  }

  @Test func outAndInWithoutLoss() async throws {
    let almanac = try await filled()
    let file = almanac.folder + "/people.jsonl"
    try await almanac.run("export", "people", "--to", "jsonl", "--out", file, exits: 0)
    let other = almanac.folder + "/other"
    let imported = try await almanac.object("import", file, "--store", other)
    #expect(imported["added"] as? Int == 2)
    let before = try await almanac.run("export", "people", "--to", "jsonl").out
    #expect(try await almanac.run("export", "people", "--to", "jsonl", "--store", other).out == before)
    let again = try await almanac.object("import", file, "--store", other)
    #expect(again["unchanged"] as? Int == 2)

    // One mistake in the file, and nothing of it is taken; no store is made for it.
    let lines = before + #"{"id":"x","firstName":1}"# + "\n"
    try await almanac.run(
      "import", almanac.file("bad.jsonl", lines), "--collection", "people", "--store", almanac.folder + "/third",
      exits: 65, err: "line 3")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/third"))

    for (format, mark) in [
      ("vcf", "BEGIN:VCARD"), ("ics", "BEGIN:VCALENDAR"), ("html", "<table>"), ("singer", #""type":"SCHEMA""#),
    ] {
      try await almanac.run("export", "people", "--to", format, exits: 0, out: mark)
    }
    let cards = try almanac.file("out.vcf", try await almanac.run("export", "people", "--to", "vcf").out)
    let back = try await almanac.object("people", "import", cards, "--store", other)
    #expect(back["known"] as? Int == 2)
  }

  @Test func changesInOrder() async throws {
    let almanac = try await filled()
    func changes(_ arguments: String...) async throws -> [[String: Any]] {
      try await almanac.run(["changes"] + arguments).out.split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
    }
    let first = try await changes()
    #expect(first.count == 2)
    #expect(first.allSatisfy { $0["op"] as? String == "put" && $0["collection"] as? String == "people" })
    let cursor = try #require(first.last?["cursor"] as? String)
    #expect(try await changes("--since", cursor).isEmpty)
    let id = try #require(first.first?["id"] as? String)
    try await almanac.run("people", "remove", id, "--yes", exits: 0)
    let later = try await changes("--since", cursor)
    #expect(later.count == 1)
    #expect(later.first?["op"] as? String == "delete")
    #expect(later.first?["id"] as? String == id)
    #expect(later.first?["record"] == nil)

    let feed = try almanac.start(["changes", "--follow", "--since", cursor])
    let deadline = ContinuousClock.now + .seconds(300)
    while !feed.outputSoFar.contains("\n"), ContinuousClock.now < deadline { await Task.yield() }
    feed.signal(SIGINT)
    #expect(try await feed.result().out.contains("delete"))

    // A store that takes the place of this one has other commits.
    let reader = try almanac.start(["changes", "--follow"])
    while !reader.outputSoFar.contains("\n"), ContinuousClock.now < deadline { await Task.yield() }
    try FileManager.default.moveItem(atPath: almanac.store, toPath: almanac.store + ".old")
    try FileManager.default.copyItem(atPath: almanac.store + ".old", toPath: almanac.store)
    let ended = try await reader.result()
    #expect(ended.status == 74 && ended.err.contains("moved, deleted or replaced"), "\(ended)")
  }

  @Test(arguments: [
    ("people.csv", "a,b\n", "", "mlr --icsv --ojsonl cat ", Int32(64)),
    (
      "people.csv", "a,b\n", "--collection people", "line 1: expected a value, found 'a' at column 1\n  nothing was", 65
    ),
    ("people.html", "<p>", "", "reads JSON only", 64),
    ("contacts.vcf", "BEGIN:VCARD\n", "", "'almanac people import ", 64),
    ("people.json", "{\n\"id\": \"1\"\n}", "", "objects in several lines: jq -c . ", 65),
    ("p.json", "[]", "", "--collection people' says so", 64),
    ("people.json", "[{\"firstName\": \"A\"}]", "", "each record has an \"id\"", 65),
    ("people.json", "[\n{\"id\": \"1\", \"firstName\": \"A\"},", "", "line 2: the array does not end", 65),
    ("people.jsonl", #"{"type":"SCHEMA","stream":"people"}"#, "", "select(.type ==", 65),
    ("people.jsonl", #"{"id":7,"firstName":"A"}"#, "", "jq -c '.id = (.KEY | tostring)'", 65),
  ])
  func filesOfOtherFormatsArePointedElsewhere(
    name: String, text: String, options: String, words: String, status: Int32
  ) async throws {
    try await almanac.run(
      ["import", almanac.file(name, text)] + options.split(separator: " ").map(String.init), exits: status, err: words)
  }

  @Test("what is exported as JSON comes back as it was")
  func exportsAreImported() async throws {
    try await almanac.loadDemo()
    try await almanac.run(
      "people", "edit", "Xenia Zamorra", "--email", "x@example.org", "--note", "a [note], {1}", exits: 0)
    let folders = ["one", "two"].map { almanac.folder + "/" + $0 }
    try await almanac.run("export", "--all", folders[0], "--to", "json", "--quiet", exits: 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folders[0]).sorted()
    #expect(files.count > 6)
    let other = ["--store", almanac.folder + "/other"]
    for file in files { try await almanac.run(["import", "\(folders[0])/\(file)"] + other, exits: 0) }
    try await almanac.run(["export", "--all", folders[1], "--to", "json", "--quiet"] + other, exits: 0)
    for file in files { #expect(try contents("\(folders[0])/\(file)") == contents("\(folders[1])/\(file)")) }
  }

  @Test func whatWasAskedForDecidesWhatIsSaid() async throws {
    let almanac = try await filled()
    func said(_ arguments: String...) async throws -> String {
      let result = try await almanac.run(["list", "people"] + arguments, exits: 0)
      #expect(result.out.isEmpty, "\(result.out)")
      return result.err
    }
    #expect(try await said("--where", "firstName = X") == "no people match\n")
    #expect(try await almanac.run("list", "apps").err == "no apps\n")
  }
}

/// Queries name fields that there are, in a way that can be met, or are refused.
@Suite final class FieldTests: ProgramTests {
  private func filled() async throws -> Program {
    for (first, last) in [("Ada", "Lovelace"), ("Grace", "Hopper")] {
      try await almanac.run(
        "people", "add", "--first", first, "--last", last, "--birthday", "1990-01-02", "--quiet", exits: 0)
    }
    return almanac
  }

  @Test func areRefusedInEveryFormat() async throws {
    try almanac.makeStore()
    for format in ["table", "json", "csv"] {
      let result = try await almanac.run(
        "list", "people", "--format", format, "--where", "nme = x", exits: 64, err: "'nme' is not a field of people",
        "did you mean 'firstName' or 'lastName'")
      #expect(result.out.isEmpty, "\(format): \(result.out)")
      if format.hasPrefix("json") { #expect(result.err.hasPrefix(#"{"kind":"config","message":""#), "\(result.err)") }
    }
  }

  @Test func columnTitlesAreFields() async throws {
    for collection in SourceList.compiled.catalog.collections {
      let fields = (collection.fields + collection.leaves).map(\.name)
      #expect(collection.columns.allSatisfy(fields.contains), "\(collection.name): \(collection.columns)")
    }
    let almanac = try await filled()
    let people = try await almanac.run("list", "people")
    #expect(people.out.contains("fullName") && !people.out.contains("NAME"), "\(people.out)")
  }

  @Test func helpNamesEveryField() async throws {
    let help = try await almanac.run("help", "list").out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for collection in SourceList.compiled.catalog.collections {
      let names = collection.leaves.map(\.name).joined(separator: ", ")
      #expect(help.contains("\(collection.name): \(names)"), "\(collection.name)")
    }
  }
}

/// Ids that are the same text in other bytes are ids of two records, from the server to the store and back.
@Suite final class LookAlikeTests: ProgramTests {
  @Test func importTakesThemAll() async throws {
    let lines = LookAlikes.ids.map { #"{"id":"\#($0)","name":"N","email":"e"}"# }
    let file = try almanac.file("profiles.jsonl", lines.joined(separator: "\n"))
    let first = try await almanac.run("import", file, "--format", "json", exits: 0)
    #expect(try first.object()["added"] as? Int == lines.count)
    #expect(try await almanac.object("import", file)["unchanged"] as? Int == lines.count)
    let out = try await almanac.run("export", "profiles", "--to", "jsonl").out
    let expected = lines.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    #expect(Array(out.utf8) == Array((expected.joined(separator: "\n") + "\n").utf8))
    for id in LookAlikes.ids {
      let shown = try await almanac.run("show", "profiles", id, "--format", "json", exits: 0)
      let found = try shown.object()["id"] as? String
      #expect(found.map { Array($0.utf8) } == Array(id.utf8))
    }
  }
}
