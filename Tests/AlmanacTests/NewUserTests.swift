import AlmanacTesting
import Foundation
import Models
import Testing

@testable import almanac

/// What somebody meets who uses the program for people, lists and exports for the first time.
@Suite final class NewUserTests: ProgramTests {
  private func add(_ names: String...) async throws {
    for name in names { #expect(try await almanac.run("people", "add", name).status == 0) }
  }

  private func people() async throws -> [[String: Any]] {
    try await almanac.records("list", "people")
  }

  /// The table that `list` writes is corrected elsewhere, and says who is meant.
  @Test func anOwnTableCorrectsPeople() async throws {
    try await add("Ada Byron", "Dr. Bob Baker")
    let table = try await almanac.run("list", "people", "--format", "csv").out
    let corrected = table.replacing("Byron,,Ada Byron", with: "King,1815-12-10,Ada Byron")
    #expect(corrected != table)
    let file = try almanac.file("own.csv", corrected)
    let first = try await almanac.object("people", "import", file)
    #expect(first["updated"] as? Int == 1 && first["added"] as? Int == 0 && first["known"] as? Int == 1, "\(first)")
    let ada = try #require(try await people().first { $0["firstName"] as? String == "Ada" })
    #expect(ada["lastName"] as? String == "King" && ada["fullName"] as? String == "Ada King", "\(ada)")
    #expect(ada["birthday"] as? String == "1815-12-10")
    let again = try await almanac.object("people", "import", file)
    #expect((again["notes"] as? [[String: Any]])?.count == 1, "\(again)")
    #expect(again["known"] as? Int == 2 && again["updated"] as? Int == 0, "\(again)")
    // An id of nobody, or of somebody else, says nothing.
    let others = try almanac.file(
      "others.csv", "id,firstName,lastName\nnobody,Ada,King\n\(ada["id"] as? String ?? ""),Carl,Clay\n")
    let third = try await almanac.object("people", "import", others)
    #expect(third["known"] as? Int == 1 && third["added"] as? Int == 1, "\(third)")
  }

  @Test func theFormatOfAnExportIsThatOfItsFile() async throws {
    try await add("Ada Byron", "Bob Baker")
    try await almanac.run("export", "people", exits: 64, err: "jsonl, csv, json, vcf, ics, html, singer")
    for (name, beginning) in [
      ("p.csv", "id,"), ("p.vcf", "BEGIN:VCARD"), ("p.ics", "BEGIN:VCALENDAR"), ("p.jsonl", "{\"id\""),
      ("p.ndjson", "{\"id\""), ("p.html", "<!doctype html>"),
    ] {
      let path = almanac.folder + "/" + name
      try await almanac.run("export", "people", "--out", path, exits: 0)
      #expect(try contents(path).hasPrefix(beginning), "\(name)")
    }
    _ = try await almanac.run("people", "edit", "Ada", "--birthday", "1815-12-10")
    _ = try await almanac.run("people", "edit", "Bob", "--birthday", "1990-01-05")
    for format in ["ndjson", "vcf", "html", "singer"] {
      let out = try await almanac.run("export", "people", "--to", format, "--where", "firstName = Bob").out
      #expect(out.contains("Bob") && !out.contains("Ada"), "\(format): \(out)")
    }
    #expect(try await almanac.run("list", "people", "--format", "ndjson").out.split(separator: "\n").count == 2)
    try await almanac.run("list", "people", "--format", "vcf", exits: 64, err: "almanac export people --to vcf")
  }

  @Test func filesOfWindowsNameTheOptionThatReadsThem() async throws {
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ren\u{E9}\r\nN:;Ren\u{E9}\r\nEND:VCARD\r\n"
    for (name, text) in [("a.vcf", card), ("a.csv", "First Name,Note\nRen\u{E9},x\n")] {
      let path = almanac.folder + "/" + name
      try #require(text.data(using: .isoLatin1)).write(to: URL(fileURLWithPath: path))
      try await almanac.run("people", "import", path, exits: 65, err: "--charset latin1")
      try await almanac.run("people", "import", path, "--charset", "latin-1", exits: 0)
    }
    let file = try almanac.file("b.csv", "First Name\nZo\u{EB}\n")
    try await almanac.run("people", "import", file, "--charset", "utf-8", exits: 0)
    #expect(try await people().compactMap { $0["firstName"] as? String }.sorted() == ["René", "Zoë"])
  }

  @Test func aNameIsAnArgument() async throws {
    let person = try await almanac.object("people", "add", "Sinéad O'Connor", "--birthday", "8 Dec 1966")
    #expect(person["firstName"] as? String == "Sinéad" && person["lastName"] as? String == "O'Connor", "\(person)")
    #expect(person["birthday"] as? String == "1966-12-08")
    try await almanac.run("people", "add", "Bob Baker", "--first", "Bob", exits: 64)
    let help = try await almanac.run("help", "people", "edit").out
    let places = ["--first", "--last", "--birthday", "--email", "--phone", "--middle"].map { option in
      help.split(separator: "\n").firstIndex { $0.hasPrefix("  \(option) ") } ?? -1
    }
    #expect(places == places.sorted() && !places.contains(-1), "\(places) \(help)")
  }

  @Test func fewFieldsAndOptionsAreNamed() async throws {
    try await add("Ada Byron")
    for arguments in [
      ["people", "edit", "Ada", "--zzzz"], ["list", "people", "--columns", "zzzz"],
      ["list", "people", "--where", "zzzz = 1"], ["list", "people", "--sort", "zzzz"],
    ] {
      let result = try await almanac.run(arguments, exits: 64, err: "'almanac ")
      #expect(result.err.count < 300, "\(result.err)")
    }
    let result = try await almanac.run("list", "people", "--columns", "lastname")
    #expect(result.err.hasSuffix("did you mean 'lastName'?\n"), "\(result.err)")
  }

  @Test func peopleAreListedByName() async throws {
    try await add("Zoe Adams", "Ömer", "Olaf Berg", "Jörg Ölund", "José Olsen", "Ada adams")
    func names(_ arguments: String...) async throws -> [String] {
      try await almanac.run(["list", "people"] + arguments).out.split(separator: "\n").dropFirst().map {
        String($0.split(separator: "  ")[0])
      }
    }
    let ordered = ["Ada adams", "Zoe Adams", "Olaf Berg", "José Olsen", "Jörg Ölund", "Ömer"]
    #expect(try await names() == ordered)
    #expect(try await names("--limit", "2") == ["Ada adams", "Zoe Adams"])
    let sorted = try await almanac.records("list", "people", "--sort", "lastName")
    #expect(sorted.map { $0["lastName"] as? String } == ["Adams", "adams", "Berg", "Olsen", "Ölund", nil], "\(sorted)")
    #expect(try await people().compactMap { $0["fullName"] as? String } == ordered)
  }

  /// The id is last and whole, and columns without a value are left out on a screen.
  @Test func emptyColumnsAreLeftOut() {
    let rows: [JSONObject] = [
      ["fullName": "Ada Byron", "id": "01"], ["fullName": "Bob", "birthday": "--01-05", "id": "02"],
    ]
    let columns = CollectionColumns.table(.people)
    func shown(_ width: Int?) -> [String] { FakeTerminal.printing(width) { $0.list(rows, columns: columns) }.lines }
    #expect(shown(80) == ["fullName   birthday  id", "Ada Byron            01", "Bob        --01-05   02"])
    #expect(shown(nil)[0] == "fullName   birthday  remoteID  id")
  }

  @Test func whatIsOlderThanTheHistoryBeginsWithIt() async throws {
    try await add("Ada Byron")
    try await almanac.run("diff", "2020-01-01", exits: 0, out: "added", err: "the history begins at")
    try await almanac.run("history", "--since", "2020-01-01", exits: 0, out: "added", err: "begins at")
    try await almanac.run("list", "people", "--at", "2020-01-01", exits: 66, err: "commit:1")
    #expect(try await almanac.run("list", "people", "--at", "commit:1").out.contains("Ada Byron"))
    #expect(try await almanac.run("people", "show", "Ada", "--at", "commit:1").out.contains("Byron"))
    #expect(try await almanac.run("people", "list", "--at", "commit:1").out.contains("Byron"))
  }

  @Test func aTextOfAFailedEditorIsUsedAgain() async throws {
    try await add("Ada Byron")
    var almanac = almanac
    let temporary = almanac.folder + "/tmp"
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: false)
    almanac.environment["TMPDIR"] = temporary
    almanac.environment["EDITOR"] = "false"
    try await almanac.run("people", "edit", "Ada", "--editor", exits: 78)
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    almanac.environment["EDITOR"] = "sh -c 'sed -i s/^title:.*/title:Countess/ \"$0\"; exit 1'"
    let failed = try await almanac.run("people", "edit", "Ada", "--editor")
    let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: temporary).first)
    #expect(failed.err.contains("--from \(temporary)/\(kept)"), "\(failed.err)")
    let used = try await almanac.run("people", "edit", "Ada", "--from", "\(temporary)/\(kept)", "--format", "json")
    #expect(try used.object()["title"] as? String == "Countess", "\(used)")
    // Nobody gets the names, the addresses and the birthday of another person.
    try await add("Bo King")
    try await almanac.run(
      "people", "edit", "Bo King", "--from", "\(temporary)/\(kept)", exits: 64, err: "the text of another person")
    let wrong = try almanac.file("wrong.txt", "nonsense\n")
    #expect(try await almanac.run("people", "edit", "Ada", "--from", wrong).err.contains("line 1: "))
  }

  @Test func aRecordWithoutItsCollection() async throws {
    try await add("Bob Baker")
    for (arguments, meant) in [
      (["show", "Bob"], "show people Bob"), (["history", "Bob"], "history people Bob"),
      (["edit", "Bob", "--set", "lastName=X"], "edit people Bob"), (["list", "Bob"], "show people Bob"),
    ] { try await almanac.run(arguments, exits: 64, err: "did you mean 'almanac \(meant)'?") }
  }

  @Test func aTableIsSpokenOfAsATable() async throws {
    let file = try almanac.file("a.csv", "Vorname,Mobill,Note\nAda,+44 1,x\n,,only a note\n")
    let result = try await almanac.run("people", "import", file)
    #expect(
      result.err.contains("a line without a name") && result.err.contains("--map 'Mobill=phones:cell'"),
      "\(result.err)")
    let photo = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:L;Bo;;;\r\nPHOTO;ENCODING=b:%%%%\r\nEND:VCARD\r\n"
    try await almanac.run(
      "people", "import", almanac.file("b.vcf", photo), exits: 0, err: "the photo is not valid Base64")
    #expect(try await people().allSatisfy { $0["photo"] == nil })
  }
}
