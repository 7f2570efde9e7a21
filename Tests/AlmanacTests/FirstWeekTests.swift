import AlmanacTesting
import Foundation
import Testing

/// What somebody meets who has used the program for some days: orders, files of other programs, parts of names and answers.
@Suite final class FirstWeekTests: ProgramTests {
  @Test("records have one order in every format, with numbers by their values, and people by name")
  func order() async throws {
    let rest = #""ownerID":"o","title":"T","thumbnailURL":"t","imageURL":"i","pageURL":"p""#
    try await almanac.load("photos", [10, 2, 1, 33].map { #"{"id":"\#($0)",\#(rest)}"# })
    let people = [(1, "Zoe", "Zorn"), (2, "Ada", "Abel")]
    try await almanac.load("people", people.map { #"{"id":"\#($0)","firstName":"\#($1)","lastName":"\#($2)"}"# })
    for limit in [[], ["--limit", "2"]] {
      for (collection, ids) in [("photos", ["1", "2", "10", "33"]), ("people", ["2", "1"])] {
        let ids = limit.isEmpty ? ids : Array(ids.prefix(2))
        let list = ["list", collection, "--columns", "id"] + limit
        let lines = ids.map { "\($0)\n" }.joined()
        #expect(try await almanac.run(list + ["--format", "csv"]).out == "id\n" + lines)
        #expect(try await almanac.run(list).out.filter { $0 != " " } == "id\n" + lines)
        for format in ["json", "jsonl"] {
          for whole in [list, ["list", collection] + limit] {
            let out = try await almanac.run(whole + ["--format", format]).out
            #expect(out.matches(of: /"id":"(\d+)"/).map { String($0.1) } == ids, "\(whole) \(format): \(out)")
          }
        }
      }
    }
  }

  @Test("tables in a folder of cards are imported, too")
  func folder() async throws {
    let folder = almanac.folder + "/contacts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try almanac.file("contacts/a.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada King\r\nEND:VCARD\r\n")
    _ = try almanac.file("contacts/B.CSV", "firstName,lastName\nBob,Baker\n")
    _ = try almanac.file("contacts/notes.txt", "nothing")
    #expect(try await almanac.object("people", "import", folder)["added"] as? Int == 2)
  }

  @Test("a card in UTF-16 that was cut off is not one of another character set")
  func utf16() async throws {
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë Quill\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:É"
    let bytes = card.data(using: .utf16LittleEndian)!.dropLast()
    let path = almanac.folder + "/old.vcf"
    try (Data([0xFF, 0xFE]) + bytes).write(to: URL(filePath: path))
    let result = try await almanac.run("people", "import", path)
    #expect(!result.err.contains("charset") && result.err.contains("old.vcf, line 5"), "\(result)")
    #expect(try await almanac.records("list", "people").count == 1)
  }

  @Test("a file without text is an empty one, and no column is asked for")
  func emptyFile() async throws {
    for name in ["empty.bin", "blank.csv"] {
      let file = try almanac.file(name, name == "empty.bin" ? "" : "\n\n")
      let result = try await almanac.run("people", "import", file, exits: 65, err: "an empty file")
      #expect(!result.err.contains("--map"), "\(result)")
    }
  }

  @Test("a change needs the whole id or words of a name; what reads takes a part")
  func partsOfNames() async throws {
    try await almanac.load("profiles", #"{"id":"ada","name":"Ada King","email":"a@example.com"}"#)
    try await almanac.run("profile", "show", "ad", exits: 0, out: "Ada King")
    try await almanac.run("profile", "set", "ad", "--name", "B", exits: 66, err: "did you mean ada (Ada King)?")
    try await almanac.run("profile", "set", "King", "--name", "Ada B", exits: 0, out: "Ada B")
    for command in [["retry", "ad"], ["discard", "ad", "--yes"]] {
      try await almanac.run(["outbox"] + command, exits: 66, err: "there is no pending edit 'ad'")
    }
    try await almanac.run("outbox", "show", "ad", exits: 0, out: "profiles/ada")
    try await almanac.run(
      "outbox", "retry", "ada", exits: 0, out: "pending", err: "the edit of profiles/ada was not refused: it waits")
  }

  @Test("the year that stands for no year is not an age, and two people become one without a question")
  func merge() async throws {
    for (name, birthday) in [("Ada King", "1604-12-10"), ("Ada Byron", "1815-12-10")] {
      try await almanac.run("people", "add", name, "--birthday", birthday, exits: 0)
    }
    let list = try await almanac.records("birthdays", "--on", "2026-12-10", "--days", "0")
    #expect(list.compactMap { $0["age"] as? Int } == [211], "\(list)")
    try await almanac.run("people", "merge", "Ada King", "Ada Byron", exits: 64)
    let merged = try await almanac.object("people", "merge", "Ada King", "Ada Byron", "--yes")
    #expect((merged["person"] as? [String: Any])?["birthday"] as? String == "1604-12-10", "\(merged)")
  }

  @Test("no line of a help text is wider than 80 columns")
  func width() async throws {
    let help = try await almanac.run("help", "people", "edit").out
    for line in help.split(separator: "\n") {
      let width = line.reduce(0) { $0 + ($1.unicodeScalars.first!.value >= 0x1100 ? 2 : 1) }
      #expect(width <= 80, "\(line)")
    }
  }
}
