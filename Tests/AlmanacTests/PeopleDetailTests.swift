import AlmanacTesting
import Foundation
import Testing

/// Details of people through the program: added, shown, edited, imported and exported.
@Suite final class PeopleDetailTests: ProgramTests {
  @Test func whatIsNoAddressOrNumberIsRefused() async throws {
    for (option, value, reason, example) in [
      ("--email", "work: ", "no '@'", "ada@example.org"), ("--phone", "cell:abc", "no digit", "cell: +44"),
    ] { try await almanac.run("people", "add", "--first", "Ada", option, value, exits: 64, err: reason, example) }
  }

  /// A member that no field reads must not stand beside the field.
  @Test("fields that an import left empty, or in another form, are edited", arguments: ["[]", #""family""#])
  func emptyFields(groups: String) async throws {
    try await almanac.load(
      "people",
      [#"{"id":"e1","firstName":"A","lastName":"B","emails":[],"note":"","groups":\#(groups),"shoe":42}"#])
    try await almanac.run("people", "edit", "e1", "--email", "a@b.example", "--note", "hi", "--group", "g", exits: 0)
    try await almanac.run("people", "edit", "e1", "--nickname", "N", exits: 0)
    let out = try await almanac.run("export", "people", "--to", "jsonl").out
    for field in ["emails", "note", "groups", "nickname"] {
      #expect(out.components(separatedBy: "\"\(field)\":").count == 2, "\(out)")
    }
    let person = try await almanac.run("show", "people", "e1", "--format", "json").object()
    #expect(person["note"] as? String == "hi" && person["groups"] as? [String] == ["g"], "\(person)")
    #expect(person["shoe"] as? Int == 42)
  }

  @Test("a number with other spaces, or an address in another case, is the one that is there")
  func equalValues() async throws {
    try await almanac.run(
      "people", "add", "Ada L", "--email", "home: ada@l.example", "--phone", "cell: +49 170 1234567", exits: 0)
    let edited = try await almanac.run(
      "people", "edit", "Ada L", "--email", "ADA@L.example", "--phone", "work: +491701234567", "--format", "json")
    let person = try edited.object()
    #expect(person["emails"] as? [[String: String]] == [["value": "ADA@L.example", "type": "home"]], "\(person)")
    #expect(person["phones"] as? [[String: String]] == [["value": "+491701234567", "type": "work"]], "\(person)")
    try await almanac.run("people", "edit", "Ada L", "--remove-email", "work: ada@L.example", exits: 64)
    let removed = try await almanac.run(
      "people", "edit", "Ada L", "--remove-email", "ada@L.example", "--remove-phone", "+49-170-1234567", "--format",
      "json", exits: 0)
    #expect(try removed.object()["emails"] == nil && removed.object()["phones"] == nil, "\(removed)")
  }

  @Test("what no field reads of a merged person is taken, or named")
  func mergedMembers() async throws {
    try await almanac.load(
      "people",
      [
        #"{"id":"a1","firstName":"Ada","lastName":"L","colour":"blue","size":1}"#,
        #"{"id":"a2","firstName":"Ada","lastName":"L","colour":"red","size":1,"shoe":42}"#,
      ])
    let merged = try await almanac.run("people", "merge", "a1", "a2", "--format", "json", exits: 0)
    #expect(try merged.object()["lost"] as? [String] == ["colour"], "\(merged)")
    let person = try await almanac.run("show", "people", "a1", "--format", "json").object()
    #expect(person["colour"] as? String == "blue" && person["shoe"] as? Int == 42 && person["size"] as? Int == 1)
  }

  @Test("a folder is imported as its vCard files, and all of them or none")
  func folder() async throws {
    for folder in ["cards", "empty"] {
      try FileManager.default.createDirectory(atPath: almanac.folder + "/" + folder, withIntermediateDirectories: false)
    }
    func card(_ name: String) -> String { "BEGIN:VCARD\r\nVERSION:3.0\r\nN:L;\(name);;;\r\nEND:VCARD\r\n" }
    for (file, name) in [("cards/b.VCF", "Bo"), ("cards/a.vcf", "Ada"), ("cards/notes.txt", "Nobody")] {
      _ = try almanac.file(file, card(name))
    }
    try await almanac.run(
      "people", "import", almanac.folder + "/empty", almanac.folder + "/cards", exits: 66,
      err: "has no file named *.vcf")
    let result = try await almanac.run("people", "import", almanac.folder + "/cards", "--format", "json")
    #expect(try result.object()["added"] as? Int == 2, "\(result)")
    // Of several files, one that cannot be read stops no other one.
    _ = try almanac.file("cards/b.VCF", "hello")
    _ = try almanac.file("cards/c.vcf", card("Cy"))
    let mixed = try await almanac.run(
      "people", "import", almanac.folder + "/cards", almanac.folder + "/none.vcf", exits: 1)
    #expect(mixed.out == "1 added, 1 known already, 0 skipped, 2 files not read\n", "\(mixed)")
    #expect(mixed.err.contains("b.VCF: ") && mixed.err.contains("none.vcf"), "\(mixed)")
    try await almanac.run("people", "import", almanac.folder + "/cards/b.VCF", almanac.folder + "/none.vcf", exits: 65)
  }

  /// The editor is a program that changes the text that it is given.
  @Test func aPersonIsEditedAsText() async throws {
    try await almanac.run(
      "people", "add", "--first", "Ada", "--last", "L", "--email", "home: a@x.example", "--date",
      "anniversary: 1835-07-08",
      "--im", "xmpp:ada@x.example", "--relation", "spouse: William", "--title", "Analyst", exits: 0)
    var almanac = almanac
    almanac.environment["EDITOR"] = "sed -i 's/^title:.*/title: Author/; s/^emails: .*/emails: work: b@x.example/'"
    let edited = try await almanac.run("people", "edit", "Ada L", "--editor", "--role", "Countess", "--format", "json")
    let person = try edited.object()
    #expect(person["title"] as? String == "Author" && person["role"] as? String == "Countess", "\(edited)")
    #expect(person["emails"] as? [[String: String]] == [["value": "b@x.example", "type": "work"]])
    #expect(person["relations"] as? [[String: String]] == [["value": "William", "type": "spouse"]])
    // The line is shown again with what is wrong, and then corrected.
    almanac.environment["EDITOR"] =
      "sh -c 'if grep -q \"#! .*not a birthday\" $0; then sed -i \"s/soon/1815-12-10/\" $0; else sed -i \"s/^birthday:.*/birthday: soon/\" $0; fi'"
    let corrected = try await almanac.run("people", "edit", "Ada L", "--editor", "--format", "json")
    #expect(try corrected.object()["birthday"] as? String == "1815-12-10", "\(corrected)")
    almanac.environment["EDITOR"] = "sed -i 's/^title:.*/nonsense/'"
    try await almanac.run("people", "edit", "Ada L", "--editor", exits: 64, err: "'nonsense' cannot be read")
    // An editor that is a script makes the same mistake in a text that never is the same, or never has the marks.
    for editor in ["sh -c 'echo nonsense >> $0'", "cp \(try almanac.file("wrong.txt", "nonsense"))"] {
      almanac.environment["EDITOR"] = "timeout 60 \(editor)"
      try await almanac.run("people", "edit", "Ada L", "--editor", exits: 64, err: "the text is kept")
    }
    almanac.environment["EDITOR"] = "truncate -s 0"
    try await almanac.run("people", "edit", "Ada L", "--editor", exits: 64)
  }

  @Test func aPhotoComesFromAFileAndGoes() async throws {
    let file = almanac.folder + "/a.jpg"
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2]).write(to: URL(fileURLWithPath: file))
    let added = try await almanac.run("people", "add", "--first", "Ada", "--photo", file, "--format", "json")
    #expect((try added.object()["photo"] as? [String: Any])?["type"] as? String == "image/jpeg", "\(added)")
    let exported = try await almanac.run("export", "people", "--to", "vcf")
    #expect(exported.out.contains("PHOTO:data:image/jpeg;base64,/9j/4AEC"), "\(exported)")
    try await almanac.run(
      "people", "edit", "Ada", "--photo", almanac.file("a.txt", "text"), exits: 64, err: "not a JPEG")
    #expect(try await almanac.object("people", "edit", "Ada", "--no-photo")["photo"] == nil)
  }

  @Test func detailsAreAddedShownAndEdited() async throws {
    try await almanac.run(
      "people", "add", "--first", "Ada", "--last", "Lovelace", "--email", "home: ada@example.org", "--email",
      "a@example.org", "--phone", "cell: 1", "--address", "work: 1 Road; London; ; N1; UK", "--group", "family",
      "--organization", "Engines", "--note", "A note", "--nickname", "Countess", "--format", "json", exits: 0)
    try await almanac.run(
      "people", "edit", "Ada Lovelace", "--email", "work: new@example.org", "--remove-email", "a@example.org", "--note",
      "", "--group", "maths", "--group", "family", "--remove-address", "work: 1 Road; London; ; N1; UK", exits: 0)
    let shown = try await almanac.object("people", "show", "ada")
    #expect(
      shown["emails"] as? [[String: String]] == [
        ["value": "ada@example.org", "type": "home"], ["value": "new@example.org", "type": "work"],
      ])
    #expect(shown["phones"] as? [[String: String]] == [["value": "1", "type": "cell"]])
    #expect(shown["groups"] as? [String] == ["family", "maths"])
    #expect(shown["nickname"] as? String == "Countess" && shown["organization"] as? String == "Engines")
    #expect(shown["note"] == nil && shown["addresses"] == nil && shown["origin"] == nil)
    try await almanac.run(
      "people", "group", "add", "ada", "maths", exits: 66, err: "almanac people group add maths ada")
    try await almanac.run("people", "list", "--group", "maths", exits: 0, out: "Ada Lovelace")
    try await almanac.run(
      "people", "list", "--group", "math", exits: 0, err: "there is no group 'math'; did you mean 'maths'?")
    try await almanac.run(
      "people", "edit", "Ada Lovelace", "--remove-email", "x@example.org", exits: 64,
      err: "there is home: ada@example.org")
    try await almanac.run("people", "edit", "Ada Lovelace", "--address", "a;b;c;d;e;f", exits: 64)
    try await almanac.run("people", "edit", "Ada Lovelace", exits: 64)
  }

  @Test func aPageShowsEveryDetail() async throws {
    try await almanac.run("people", "add", "--first", "Plain", exits: 0)
    let plain = try await almanac.run("export", "people", "--to", "html").out
    #expect(!plain.contains("emails") && !plain.contains("phones"), "\(plain)")
    try await almanac.run(
      "people", "add", "--first", "Ada", "--email", "home: a&b@example.org", "--phone", "cell: +44 20 1", "--address",
      "work: 1 Road; London; ; N1; UK", "--organization", "Engines", "--note", "One\nTwo", "--group", "maths",
      "--nickname", "Countess", exits: 0)
    let page = try await almanac.run("export", "people", "--to", "html").out
    for text in [
      "<a href=\"mailto:a&amp;b@example.org\">a&amp;b@example.org</a> (home)",
      "<a href=\"tel:+44201\">+44 20 1</a> (cell)", "1 Road, London, N1, UK (work)", "Engines", "One<br>Two", "maths",
      "Countess", "<th scope=\"col\">organization</th>",
    ] { #expect(page.contains(text), "\(text): \(page)") }
  }

  @Test func anExportedCardHasEveryPropertyOfTheImportedOne() async throws {
    let card =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Turing;Alan;;;\r\nFN:Alan Turing\r\nX-KEPT;A=1:b\\, c\r\nEMAIL:alan@example.org\r\nEND:VCARD\r\n"
    let file = try almanac.file("cards.vcf", card)
    try await almanac.run("people", "import", file, exits: 0)
    #expect(try await almanac.run("export", "people", "--to", "vcf").out == card)
    try await almanac.run("people", "edit", "Alan Turing", "--email", "new@example.org", exits: 0)
    let edited = try await almanac.run("export", "people", "--to", "vcf").out
    #expect(edited == card.replacingOccurrences(of: "END:VCARD", with: "EMAIL:new@example.org\r\nEND:VCARD"))
    // A backup and the files of the store have the cards as well.
    try await almanac.run("backup", almanac.folder + "/copy", exits: 0)
    let copy = try await almanac.run("export", "people", "--to", "vcf", "--store", almanac.folder + "/copy")
    #expect(copy.out == edited, "\(copy.err)")
  }
}
