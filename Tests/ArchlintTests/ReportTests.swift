import ArchlintKit
import Foundation
import Testing

@Suite struct ReportTests {
  /// A package with one violation of a chain and one of a line.
  private func package() -> FixturePackage {
    let package = FixturePackage()
    package.files["Modules/Net/Bad file.swift"] = "import Store\n"
    return package
  }

  @Test func textNamesPlaceRuleAndRemedy() throws {
    let run = try package().lint()
    #expect(
      run.output == """
        Modules/Net/Bad file.swift:1:8: error: [sibling-import] Net (module) and Store (module) must not use one another
          rule:    Modules/archlint.rules:2:1
          remedy:  define a protocol below both, and join the two in a composition root

        """)
    #expect(run.errors == "archlint: 1 violation in 8 files of 6 targets\n")
  }

  @Test func sarif() throws {
    let run = try package().lint("--format", "sarif")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["version"] as? String == "2.1.0")
    let log = try #require((object["runs"] as? [[String: Any]])?.first)
    let driver = try #require((log["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let result = try #require((log["results"] as? [[String: Any]])?.first)
    let index = try #require(result["ruleIndex"] as? Int)
    #expect(rules[index]["id"] as? String == "sibling-import")
    #expect(result["ruleId"] as? String == "sibling-import")
    let location = try #require((result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    #expect((location["artifactLocation"] as? [String: Any])?["uri"] as? String == "Modules/Net/Bad%20file.swift")
    #expect((location["region"] as? [String: Any])?["startColumn"] as? Int == 8)
    #expect(result["relatedLocations"] != nil)
  }

  @Test(arguments: ["text", "sarif"])
  func sameInputSameBytes(_ format: String) throws {
    let package = FixturePackage()
    for number in 0..<40 {
      package.files["Modules/Net/Bad\(number).swift"] = "import Store\nimport NIO\nimport Dispatch\n"
    }
    let first = try package.lint("--format", format)
    for _ in 0..<3 { #expect(package.run(["--format", format, "--today", "2026-06-15"]).output == first.output) }
  }

  @Test func outputGoesToAFile() throws {
    let package = package()
    try package.write()
    let path = package.root + "/Modules/report.json"
    #expect(package.run(["--format", "sarif", "--output", path]).output == "")
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\n  \"$schema\" : "))
  }
}

@Suite struct GraphTests {
  private func run(_ arguments: String...) throws -> String {
    let package = FixturePackage()
    package.files["Modules/Net/Bad.swift"] = "import Store\n"
    try package.write()
    let run = package.run(["graph"] + arguments)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("<svg xmlns="))
    return run.output
  }

  private func edges(_ svg: String) -> [String] { svg.matches(of: /<title>(.*)<\/title>/).map { String($0.output.1) } }

  @Test func drawsTargetsAndViolations() throws {
    let svg = try run()
    #expect(
      edges(svg) == [
        "Net uses Core", "Net uses Ports", "Ports uses Core", "Store uses Ports", "app uses Net", "app uses Ports",
        "app uses Store", "Net uses Store: sibling-import",
      ])
    #expect(svg.matches(of: /<g class="node"/).count == 5)
    #expect(svg.matches(of: /stroke="#d1242f" stroke-width="3"/).count == 1)
    // Without external resources, apart from the name of the format.
    #expect(!svg.contains("https://") && svg.matches(of: /src=|href=/).isEmpty)
  }

  @Test func withTestsAndPackages() throws {
    let edges = edges(try run("--tests", "--packages"))
    #expect(edges.contains("NetTests uses Net") && edges.contains("app uses ArgumentParser"))
  }
}
