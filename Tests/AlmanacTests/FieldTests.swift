import AlmanacTesting
import Assembly
import Models
import Testing

/// Queries name fields that there are, in a way that can be met, or are refused.
@Suite struct FieldTests {
  private func filled() async throws -> Program {
    let almanac = try Program("almanac")
    for (first, last) in [("Ada", "Lovelace"), ("Grace", "Hopper")] {
      let add = try await almanac.run(
        "people", "add", "--first", first, "--last", last, "--birthday", "1990-01-02", "--quiet")
      #expect(add.status == 0, "\(add.err)")
    }
    return almanac
  }

  @Test(arguments: [
    (["--where", "nme = x"], "'nme' is not a field of people", "the fields are id, firstName"),
    (["--sort", "fullname"], "'fullname' is not a field of people", "did you mean 'fullName'?"),
    (["--sort", "-fulName"], "'fulName' is not a field of people", "did you mean 'fullName'?"),
    (["--where", "birthday == 1990-01-02"], "'==' in", "did you mean 'birthday = …'?"),
    (["--where", "birthday =~ 1990"], "'=~' in", "did you mean 'birthday ~ …'?"),
    (["--where", "birthday <> 1990"], "'<>' in", "did you mean 'birthday != …'?"),
    (["--where", "birthday => 1990"], "'=>' in", "did you mean 'birthday >= …'?"),
    (["--where", "birthday !~ 1990"], "'!~' in", "contains"), (["--where", "birthday"], "is not a condition", "FIELD"),
    (["--where", "birthday is null"], "is not a condition", "'FIELD is absent'"),
    (["--where", "birthday = none"], "'birthday' cannot be compared with 'none'", "'birthday is absent'"),
    (["--where", "nme is absent"], "'nme' is not a field of people", "the fields are id, firstName"),
    (["--where", "= 5"], "is not a condition", "FIELD"),
    (["--where", "birthday > yesterday"], "'birthday' cannot be compared with 'yesterday'", "2026-01-31 or --01-31"),
  ])
  func areRefused(arguments: [String], message: String, hint: String) async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    for format in ["table", "json", "jsonl", "csv"] {
      let result = try await almanac.run(["list", "people", "--format", format] + arguments)
      #expect(result.status == 64, "\(format)")
      #expect(result.out.isEmpty, "\(format): \(result.out)")
      #expect(result.err.contains(message) && result.err.contains(hint), "\(result.err)")
      if format.hasPrefix("json") { #expect(result.err.hasPrefix(#"{"kind":"config","message":""#), "\(result.err)") }
    }
  }

  @Test func aValueMayBeginWithASign() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    for condition in ["firstName != =x", "firstName != ~", "firstName ~ <b>", "firstName=Ada", "firstName>=Ada"] {
      let result = try await almanac.run("list", "people", "--where", condition)
      #expect(result.status == 0, "\(condition): \(result.err)")
    }
  }

  @Test func columnTitlesAreFields() async throws {
    let almanac = try await filled()
    defer { almanac.clean() }
    for collection in SourceList.compiled.catalog.names.map(\.rawValue) {
      let result = try await almanac.run("list", collection)
      for title in result.out.split(separator: "\n").first?.split(separator: " ") ?? [] {
        #expect(try await almanac.run("list", collection, "--sort", String(title)).status == 0, "\(title)")
      }
    }
    let people = try await almanac.run("list", "people")
    #expect(people.out.contains("fullName") && !people.out.contains("NAME"), "\(people.out)")
  }

  @Test func helpNamesEveryField() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let help = try await almanac.run("help", "list").out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for collection in SourceList.compiled.catalog.collections {
      let names = collection.leaves.map(\.name).joined(separator: ", ")
      #expect(help.contains("\(collection.name): \(names)"), "\(collection.name)")
    }
  }

  @Test func anUnknownCollectionIsNamedWithThoseThereAre() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("list", "peple")
    #expect(result.status == 64)
    #expect(result.err.contains("did you mean 'people'?") && result.err.contains("rejects"), "\(result.err)")
  }
}
