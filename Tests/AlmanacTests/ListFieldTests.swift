import AlmanacTesting
import Foundation
import Testing

/// Lists within records: one rule for each format.
@Suite final class ListFieldTests: ProgramTests {
  private func filled() async throws -> Program {
    try await almanac.load(
      "people",
      #"{"id":"p1","firstName":"Ada","lastName":"Lovelace","emails":[{"value":"ada@x.org","type":"work"},{"value":"a@y.org"}],"phones":[{"value":"+44 20 7946"}],"groups":["home, sweet home","maths"]}"#
    )
    return almanac
  }

  @Test(arguments: [
    ["list", "people", "--columns", "groups", "--format", "csv"], ["export", "people", "--to", "csv"],
  ])
  func aListInCSVIsItsJSON(command: [String]) async throws {
    let almanac = try await filled()
    let result = try await almanac.run(command)
    #expect(result.out.contains(#""["# + #"""home, sweet home"",""maths""]""#), "\(result)")
  }

  @Test func aTableHasCommasBetweenTheItems() async throws {
    let almanac = try await filled()
    let list = try await almanac.run("list", "people", "--columns", "id,emails,groups").out
    #expect(list.contains("ada@x.org (work), a@y.org  home, sweet home, maths"), "\(list)")
  }

  @Test func aMemberOfTheObjectsIsAColumn() async throws {
    let almanac = try await filled()
    func list(_ format: String) async throws -> Program.Result {
      try await almanac.run("list", "people", "--columns", "emails.value", "--format", format)
    }
    #expect(try await list("json").records().first?["emails.value"] as? [String] == ["ada@x.org", "a@y.org"])
    #expect(try await list("csv").out == "emails.value\n\"[\"\"ada@x.org\"\",\"\"a@y.org\"\"]\"\n")
    #expect(try await list("table").out.contains("ada@x.org, a@y.org"))
    // The second address has no type: both lists have two items.
    let types = try await almanac.run("list", "people", "--columns", "emails.type", "--format", "csv").out
    #expect(types == "emails.type\n\"[\"\"work\"\",null]\"\n")
  }
}
