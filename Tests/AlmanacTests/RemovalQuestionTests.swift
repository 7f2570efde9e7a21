import AlmanacTesting
import Foundation
import Testing

/// Questions before removals, whole exports, and pages of records.
@Suite struct RemovalQuestionTests {
  private func filled() async throws -> Program {
    let almanac = try Program("almanac")
    let people = #"{"id":"p1","firstName":"Ada","lastName":"Lovelace","fullName":"Ada Lovelace"}"#
    let apps =
      #"{"id":"us/7","appID":"7","storefront":"us","name":"Tide","artist":"A","thumbnailURL":"https://i.example/t","artworkURL":"https://i.example/a","url":"https://apps.example/7","more":[1]}"#
    #expect(try await almanac.run("import", almanac.file("people.jsonl", people + "\n")).status == 0)
    let imported = try await almanac.run("import", almanac.file("apps.jsonl", apps + "\n"))
    #expect(imported.status == 0, "\(imported.err)")
    return almanac
  }

  @Test func aPersonIsAskedBeforeARemoval() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    func remove(_ answer: String, _ options: String = "") async throws -> String {
      try await almanac.shell(
        "printf '\(answer)\\n' | script -qec \"$PROGRAM people remove 'Ada Lovelace' \(options)\" /dev/null"
      ).out
    }
    for answer in ["n", "", "maybe"] {
      let said = try await remove(answer)
      #expect(said.contains("remove Ada Lovelace? [y/N]") && said.contains("nothing was changed"), "\(said)")
    }
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 1)
    let said = try await remove("y")
    #expect(said.contains("[y/N]") && said.contains("removed Ada Lovelace"), "\(said)")
    #expect(try await almanac.run("import", almanac.folder + "/people.jsonl").status == 0)
    #expect(!(try await remove("n", "--yes").contains("[y/N]")))
    #expect(try await almanac.run("list", "people", "--format", "json").records().isEmpty)
    // A script is not asked.
    #expect(try await almanac.run("import", almanac.folder + "/people.jsonl").status == 0)
    #expect(try await almanac.run("people", "remove", "p1").status == 0)
  }

  @Test func everyCollectionIsExported() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    let result = try await almanac.run("export", "--all", "all", "--to", "jsonl", "--format", "json")
    let rows = try result.records()
    #expect(rows.compactMap { $0["collection"] as? String } == ["apps", "people"], "\(result)")
    for name in ["apps", "people"] {
      let copy = try String(contentsOfFile: "\(almanac.folder)/all/\(name).jsonl", encoding: .utf8)
      #expect(try await almanac.run("export", name, "--to", "jsonl").out == copy)
    }
    #expect(try await almanac.run("export", "--all", "all", "--to", "csv").status == 0)
    #expect(FileManager.default.fileExists(atPath: almanac.folder + "/all/people.csv"))
    #expect(try await almanac.run("export", "--all", "all", "--to", "vcf").status == 64)
    #expect(try await almanac.run("export", "people", "--all", "all", "--to", "csv").status == 64)
    #expect(try await almanac.run("export", "--to", "csv").err.contains("missing expected argument '<collection>'"))
    #expect(try await almanac.run("export", "--all", "/nowhere/x", "--to", "csv").status == 73)
  }

  @Test func thePageOfARecordIsOpened() async throws {
    var almanac = try await filled()
    defer { almanac.clean() }
    let opener = try almanac.file("xdg-open", "#!/bin/sh\necho \"$1\" > \"$HOME/opened\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener)
    almanac.environment["PATH"] = "\(almanac.folder):/usr/bin:/bin"
    let opened = try await almanac.shell("mkfifo opened; $PROGRAM open apps Tide; timeout 60 cat opened")
    #expect(opened.out == "https://apps.example/7\nhttps://apps.example/7\n", "\(opened)")
    #expect(
      try await almanac.run("open", "apps", "7", "--print", "--format", "json").object()["url"] as? String
        == "https://apps.example/7")
    let none = try await almanac.run("open", "people", "Ada Lovelace")
    #expect(none.status == 66 && none.err.contains("has no address of a page"), "\(none)")
    let picture = try await almanac.run("open", "apps", "Tide", "--picture")
    #expect(picture.status == 66 && picture.err.contains("'almanac media fetch' downloads them"), "\(picture)")
  }
}
