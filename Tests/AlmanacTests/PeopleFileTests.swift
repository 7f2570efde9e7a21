import AlmanacTesting
import Foundation
import Testing

/// People from tables and archives, those who are there twice, and one file for each.
@Suite final class PeopleFileTests: ProgramTests {
  @Test func tablesAreImportedAndTheirColumnsNamed() async throws {
    let file = try almanac.file("list.csv", "Vorname,Nachname,Emial,Handy\nAda,Byron,ada@example.org,+44 1\n,,,\n")
    let first = try await almanac.run("people", "import", file, exits: 0)
    #expect(first.out.hasSuffix("1 added, 0 known already, 0 skipped\n"), "\(first.out)")
    #expect(first.err.contains("the column 'Emial' is left out (1 value); did you mean 'email'?"), "\(first.err)")
    let mapped = try await almanac.run(
      "people", "import", file, "--map", "Emial=emails:work", "--map", "Handy=phones:cell", "--format", "json")
    #expect(try mapped.object()["updated"] as? Int == 1)
    let columns = try mapped.object()["columns"] as? [[String: Any]] ?? []
    #expect(columns.map { $0["field"] as? String } == ["firstName", "lastName", "emails:work", "phones:cell"])
    let wrong = try await almanac.run(
      "people", "import", file, "--map", "Handy=mobile", exits: 64, err: "--map: ", "phones:cell")
    #expect(wrong.err.contains(" at Handy=mobile"), "\(wrong.err)")
    // What is listed can be imported again.
    let listed = try almanac.file("own.csv", try await almanac.run("list", "people", "--format", "csv").out)
    let again = try await almanac.object("people", "import", listed)
    #expect(again["known"] as? Int == 1 && again["added"] as? Int == 0 && again["updated"] as? Int == 0)
    // Columns without a value, of which it has many, have no line.
    let shown = try await almanac.run("people", "import", listed, exits: 0)
    #expect(shown.out.contains(" columns are empty\n") && !shown.out.contains("middleName"), "\(shown.out)")
    #expect(shown.err == "the column 'origin' is left out (1 value): a table cannot change it\n", "\(shown.err)")
  }

  @Test("an address is shown without its empty parts, and removed as it is shown")
  func addressesWithGaps() async throws {
    try await almanac.run("people", "add", "Ada", "--address", "home: ; Paris; ; 75001; France", exits: 0)
    #expect(try await almanac.run("people", "show", "Ada").out.contains("addresses  Paris, 75001, France (home)\n"))
    try await almanac.run("people", "edit", "Ada", "--remove-address", "Paris, 75001, France", exits: 0)
    #expect(try await almanac.records("list", "people").first?["addresses"] == nil)
  }

  @Test("records with numbers as ids are listed in their order, and the newest runs first")
  func order() async throws {
    try await almanac.loadDemo()
    let profiles = ["10", "2"].map { "{\"id\":\"\($0)\",\"name\":\"Zed\",\"email\":\"a@example.org\"}" }
    try await almanac.load("profiles", profiles.joined(separator: "\n"))
    let list = try await almanac.run("list", "profiles", "--columns", "id", "--where", "name = Zed")
    #expect(list.out == "id\n2\n10\n")
    let runs = try await almanac.records("list", "runs").compactMap { $0["id"] as? String }
    #expect(runs.count > 1 && runs == runs.sorted(by: >), "\(runs)")
    #expect(try await almanac.records("list", "runs", "--limit", "1").first?["id"] as? String == runs.first)
  }

  /// A text that no column replaces, several addresses in a cell, a tab in a note, and names in their order.
  @Test func whatATableSaysIsKept() async throws {
    try await almanac.run("people", "add", "--first", "小龙", "--last", "李", exits: 0)
    let file = try almanac.file(
      "list.csv",
      "姓,名,Notes,Notes,E-mail,Company,Organization\n山田,太郎,a\tb,c,\"p@x.example, q@x.example\",One,Two\n")
    try await almanac.run(
      "people", "import", file, exits: 0, err: "山田太郎: organization is \"One\", not \"Two\" of another column")
    let card = try almanac.file(
      "cards.vcf",
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lee;Bo\r\nNOTE:c\td\r\nTEL;TYPE=Ferienhaus,HOME:1\r\nEND:VCARD\r\n")
    try await almanac.run("people", "import", card, exits: 0)
    let copies = ["copy", "table"].map { almanac.folder + "/" + $0 }
    for (copy, next) in zip([almanac.store] + copies, copies + [nil]) {
      let people = try await almanac.records("list", "people", "--sort", "fullName", "--store", copy)
      #expect(people.map { $0["fullName"] as? String } == ["Bo Lee", "山田太郎", "李小龙"], "\(people)")
      #expect(people.map { $0["note"] as? String } == ["c\td", "a\tb\nc", nil], "\(people)")
      #expect((people[1]["emails"] as? [[String: String]])?.map { $0["value"] } == ["p@x.example", "q@x.example"])
      #expect((people[0]["phones"] as? [[String: String]])?.map { $0["type"] } == ["Ferienhaus home"])
      guard let next else { break }
      let export = almanac.folder + (next == copies[0] ? "/all.vcf" : "/all.csv")
      try await almanac.run("export", "people", "--out", export, "--store", copy, exits: 0)
      try await almanac.run("people", "import", export, "--store", next, exits: 0)
    }
    let names = try almanac.file("names.csv", "Name,E-mail\n佐藤 健,k@x.example\n")
    try await almanac.run("people", "import", names, exits: 0)
    let sato = try await almanac.records("list", "people", "--where", "lastName = 佐藤")
    #expect(sato.map { $0["fullName"] as? String } == ["佐藤健"], "\(sato)")
  }

  /// A list of names that no longer has a person takes nobody away of whom more is known here.
  @Test func whoHasDetailsHereStaysWhereAListNoLongerNamesThem() async throws {
    let file = try almanac.file(
      "list.csv", "First Name,Last Name,Birthday,Notes\nJane,Doe,1985-03-04,a note\nJim,Roe,1986-03-04,\n")
    try await almanac.run("people", "import", file, exits: 0)
    let people = [("1", "Jane", "Doe", "1985"), ("2", "Jim", "Roe", "1986"), ("3", "Jo", "Poe", "1987")]
    let listed = people.map {
      #"{"id":"\#($0.0)","firstName":"\#($0.1)","lastName":"\#($0.2)","birthday":"\#($0.3)-03-04"}"#
    }
    for list in [listed, [listed[2]]] {
      let seed = try almanac.file(
        "seed.har", try Recording.har([.init("http://people.test/people", "[\(list.joined(separator: ","))]")]))
      try await almanac.run(
        "sync", "people", "--seed", seed, "--server", "people=http://people.test", "--force", exits: 0)
    }
    let left = try await almanac.records("list", "people", "--sort", "fullName")
    #expect(left.map { $0["fullName"] as? String } == ["Jane Doe", "Jo Poe"], "\(left)")
    #expect(left[0]["note"] as? String == "a note")
  }

  /// What to do with a file depends on what it is.
  @Test func filesOfOtherKindsAreNamed() async throws {
    let picture = almanac.folder + "/a.png"
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]).write(to: URL(fileURLWithPath: picture))
    for (file, words) in [
      (picture, ["a.png", "a picture (image/png)", "--photo"]),
      (try almanac.file("a.jsonl", #"{"id":"1"}"#), ["a.jsonl", "JSON", "import ", "--collection people"]),
      (try almanac.file("a.vcf", ""), ["a.vcf", "an empty file", "export the contacts"]),
    ] {
      let result = try await almanac.run("people", "import", file, exits: 65)
      #expect(words.allSatisfy { result.err.contains($0) }, "\(result)")
      #expect(!result.err.contains("charset") && !result.err.contains("column fills"), "\(result)")
    }
    try await almanac.run("import", picture, exits: 64, err: "reads JSON only")
  }

  @Test func duplicatesAreMerged() async throws {
    for name in ["William", "Bill"] {
      _ = try await almanac.run("people", "add", "--first", name, "--last", "Hale", "--email", "w@example.org")
    }
    let pair = try #require(try await almanac.records("people", "duplicates").first)
    #expect(pair["score"] as? String == "likely" && pair["reasons"] as? [String] == ["nickname", "mail"])
    let (a, b) = (pair["a"] as? String ?? "", pair["b"] as? String ?? "")
    try await almanac.run("people", "merge", b, a, "--different", "--quiet", exits: 0)
    #expect(try await almanac.records("people", "duplicates").isEmpty)
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await almanac.records("people", "duplicates").count == 1)
    try await almanac.run("people", "merge", a, b, exits: 64, err: "differ in name", "--prefer a")
    try await almanac.run("people", "merge", a, b, "--prefer", "a", "--quiet", exits: 0)
    #expect(try await almanac.records("people", "list").map { $0["id"] as? String } == [a])
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await almanac.records("people", "list").count == 2)
    let folder = almanac.folder + "/cards"
    #expect(
      try await almanac.run("export", "people", "--to", "vcf", "--one-file-each", "--out", folder).out
        == "wrote 2 files into \(folder)\n")
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder)) == ["\(a).vcf", "\(b).vcf"])
  }

  /// The bytes of a picture are in the card, which JSON Lines do not have.
  @Test func picturesThatJSONLinesLackAreCounted() async throws {
    let file = almanac.folder + "/a.jpg"
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2]).write(to: URL(fileURLWithPath: file))
    for name in ["Ada", "Bo"] { _ = try await almanac.run("people", "add", name, "--photo", file) }
    _ = try await almanac.run("people", "add", "Cy")
    let lines = try await almanac.run("export", "people", "--to", "jsonl", "--quiet")
    #expect(
      lines.err.contains("not in jsonl: 2 pictures of people, and what only the cards of 2 people have"), "\(lines)")
    let one = try await almanac.run("export", "people", "--to", "json", "--where", "fullName = Ada")
    #expect(one.err.contains("not in json: 1 picture of a person, and what only the cards of 1 person have"), "\(one)")
    let csv = try await almanac.run("export", "people", "--to", "csv", "--where", "fullName = Cy", exits: 0)
    #expect(csv.err == "", "\(csv)")
    #expect(try await almanac.run("export", "people", "--to", "vcf").err == "")
    let exported = try almanac.file("people.jsonl", lines.out)
    let same = try await almanac.run("import", exported, exits: 0)
    #expect(!same.err.contains("picture"), "\(same)")
    try await almanac.run(
      "import", exported, "--store", almanac.folder + "/other", exits: 0, err: "2 pictures of people are not here")
  }
}
