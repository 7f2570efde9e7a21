import AlmanacTesting
import Foundation
import Testing

/// People by hand and from cards, queries, and copies out and in.
@Suite struct LibraryCommandTests {
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
    let almanac = try Program("almanac")
    let file = try almanac.file("cards.vcf", Self.cards.replacingOccurrences(of: "\n", with: "\r\n"))
    let result = try await almanac.run("people", "import", file)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out == "2 added, 0 known already, 1 skipped\n")
    #expect(result.err.contains("cards.vcf, line 13: skipped a card without a name: no name"))
    let again = try await almanac.run("people", "import", file, "--quiet", "--format", "json").object()
    #expect(again["added"] as? Int == 0)
    #expect(again["known"] as? Int == 2)
    return almanac
  }

  @Test func birthdays() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    func dates(_ arguments: String...) async throws -> [String] {
      try await almanac.run(["birthdays", "--format", "json"] + arguments).records().compactMap { record in
        "\(record["date"] ?? "") \(record["fullName"] ?? "") \(record["age"] ?? "-")"
      }
    }
    #expect(
      try await dates("--on", "2026-02-27", "--days", "1") == ["2026-02-28 Ines Okoye 36", "2026-02-28 Per Åström -"])
    #expect(
      try await dates("--on", "2026-02-27", "--days", "2", "--feb29", "mar1")
        == ["2026-02-28 Ines Okoye 36", "2026-03-01 Per Åström -"])
    #expect(try await dates("--on", "2026-03-02", "--days", "0") == [])
    let ics = almanac.folder + "/b.ics"
    _ = try await almanac.run("birthdays", "--ics", ics)
    let calendar = try String(contentsOfFile: ics, encoding: .utf8)
    #expect(calendar.hasPrefix("BEGIN:VCALENDAR\r\n"))
    #expect(calendar.components(separatedBy: "RRULE:").count == 3)
    let age = Calendar(identifier: .gregorian).component(.year, from: Date()) - 1990
    #expect(calendar.contains("SUMMARY:Ines Okoye (\(age))\r\n"))
    #expect(calendar.contains("SUMMARY:Per Åström\r\n"))
  }

  @Test func queries() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    func names(_ arguments: String...) async throws -> [String] {
      try await almanac.run(["list", "people", "--format", "jsonl"] + arguments).out.split(separator: "\n").map {
        let object = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        return object?["firstName"] as? String ?? "?"
      }
    }
    #expect(try await names("--sort", "lastName") == ["Ines", "Per"])
    #expect(try await names("--sort", "-lastName") == ["Per", "Ines"])
    #expect(try await names("--where", "birthday ~ -02-").count == 2)
    #expect(try await names("--where", "firstName = Per") == ["Per"])
    #expect(try await names("--where", "firstName != Per") == ["Ines"])
    #expect(try await names("--where", "birthday >= 1990", "--where", "fullName ~ okoye") == ["Ines"])
    #expect(try await names("--sort", "firstName", "--limit", "1") == ["Ines"])
    let csv = try await almanac.run("list", "people", "--format", "csv", "--sort", "lastName")
    #expect(csv.out.hasPrefix("id,firstName,lastName,birthday,fullName,remoteID\n"))
  }

  @Test func outAndInWithoutLoss() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    let file = almanac.folder + "/people.jsonl"
    #expect(try await almanac.run("export", "people", "--to", "jsonl", "--out", file).status == 0)
    let other = almanac.folder + "/other"
    let imported = try await almanac.run("import", file, "--store", other, "--format", "json").object()
    #expect(imported["added"] as? Int == 2)
    let before = try await almanac.run("export", "people", "--to", "jsonl").out
    #expect(try await almanac.run("export", "people", "--to", "jsonl", "--store", other).out == before)
    let again = try await almanac.run("import", file, "--store", other, "--format", "json").object()
    #expect(again["unchanged"] as? Int == 2)

    // One mistake in the file, and nothing of it is taken.
    let lines = before + #"{"id":"x","firstName":1}"# + "\n"
    let bad = try await almanac.run(
      "import", almanac.file("bad.jsonl", lines), "--collection", "people", "--store", almanac.folder + "/third")
    #expect(bad.status == 65, "\(bad.err)")
    #expect(bad.err.contains("line 3"))
    #expect(
      try await almanac.run("list", "people", "--format", "json", "--store", almanac.folder + "/third").records()
        .isEmpty)

    for (format, mark) in [
      ("vcf", "BEGIN:VCARD"), ("ics", "BEGIN:VCALENDAR"), ("html", "<table>"), ("singer", #""type":"SCHEMA""#),
    ] {
      let result = try await almanac.run("export", "people", "--to", format)
      #expect(result.status == 0)
      #expect(result.out.contains(mark), "\(format)")
    }
    let cards = try almanac.file("out.vcf", try await almanac.run("export", "people", "--to", "vcf").out)
    let back = try await almanac.run("people", "import", cards, "--store", other, "--format", "json").object()
    #expect(back["known"] as? Int == 2)
  }

  @Test func changesInOrder() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
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
    #expect(try await almanac.run("people", "remove", id).status == 0)
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
  }

  @Test func compactedFilesAreSortedJSONLines() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    #expect(try await almanac.run("compact").status == 0)
    let lines = try String(contentsOfFile: almanac.store + "/people.jsonl", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"id":"#) })
    #expect(lines == lines.sorted())
    #expect(try await almanac.run("doctor").status == 0)
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 2)
  }

  @Test(arguments: [
    ("people.csv", "a,b\n", "", "JSON Lines only", Int32(64)),
    (
      "people.csv", "a,b\n", "--collection people", "nothing was imported; 'almanac import' reads JSON Lines only",
      65
    ),
    ("contacts.vcf", "BEGIN:VCARD\n", "", "'almanac people import ", 64),
    ("people.json", "[]", "", "jq -c '.[]'", 64),
    ("people.jsonl", #"{"type":"SCHEMA","stream":"people"}"#, "", "select(.type ==", 65),
  ])
  func filesOfOtherFormatsArePointedElsewhere(
    name: String, text: String, options: String, words: String, status: Int32
  ) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run(
      ["import", almanac.file(name, text)] + options.split(separator: " ").map(String.init))
    #expect(result.status == status && result.err.contains(words), "\(result.err)")
  }

  @Test func whatWasAskedForDecidesWhatIsSaid() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    func said(_ arguments: String...) async throws -> String {
      let result = try await almanac.run(["list", "people"] + arguments)
      #expect(result.status == 0 && result.out.isEmpty, "\(result.out)")
      return result.err
    }
    #expect(try await said("--limit", "0").isEmpty)
    #expect(try await said("--where", "firstName = X") == "no people match\n")
    #expect(try await almanac.run("list", "apps").err == "no apps\n")
    // Two conditions in one are compared as one value.
    let joined = try await said("--where", "firstName = Per and lastName = Åström")
    #expect(joined.contains("all of 'Per and lastName = Åström' was compared: repeat --where"), "\(joined)")
    #expect(try await said("--where", "firstName ~ rock and roll") == "no people match\n")
    let wrong = try await almanac.run("list", "people", "--where", "birthday > 1990 and firstName = Per")
    #expect(wrong.status == 64 && wrong.err.contains("repeat --where for each condition"), "\(wrong.err)")
  }
}
