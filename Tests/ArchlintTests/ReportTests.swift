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

  @Test func json() throws {
    let run = try package().lint("--format", "json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let violation = try #require((object["violations"] as? [[String: Any]])?.first)
    #expect(violation["check"] as? String == "sibling-import")
    #expect(violation["file"] as? String == "Modules/Net/Bad file.swift")
    #expect(violation["line"] as? Int == 1)
    #expect(violation["column"] as? Int == 8)
    #expect((violation["rule"] as? [String: Any])?["line"] as? Int == 2)
    #expect(run.status == 1)
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

  @Test func gitHubAnnotations() throws {
    let run = try package().lint("--format", "github")
    #expect(
      run.output.hasPrefix(
        "::error file=Modules/Net/Bad file.swift,line=1,col=8,title=archlint sibling-import::Net (module) and Store (module) "
          + "must not use one another%0Arule: Modules/archlint.rules:2:1%0Aremedy: "))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["text", "json", "sarif", "github"])
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
    #expect(package.run(["--format", "json", "--output", path]).output == "")
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("{\n  \"version\": 1,"))
  }
}

@Suite struct GraphTests {
  private func run(_ arguments: String...) throws -> String {
    let package = FixturePackage()
    package.files["Modules/Net/Bad.swift"] = "import Store\n"
    try package.write()
    let run = package.run(arguments)
    #expect(run.status == 0)
    return run.output
  }

  @Test func mermaid() throws {
    let text = try run("graph", "--format", "mermaid")
    #expect(
      text == """
        flowchart TD
          subgraph r0["app"]
            n4["app"]
          end
          subgraph r1["core"]
            n0["Core"]
          end
          subgraph r2["module"]
            n1["Net"]
            n3["Store"]
          end
          subgraph r3["ports"]
            n2["Ports"]
          end
          n1 --> n0
          n1 --> n2
          n1 -->|"sibling-import"| n3
          n2 --> n0
          n3 --> n2
          n4 --> n1
          n4 --> n2
          n4 --> n3
          linkStyle 2 stroke:#d1242f,stroke-width:3px

        """)
  }

  @Test func dotWithTestsAndPackages() throws {
    let text = try run("graph", "--format", "dot", "--tests", "--packages")
    #expect(text.hasPrefix("digraph targets {"))
    #expect(text.contains("\"Net\" -> \"Store\" [color=\"#d1242f\""))
    #expect(text.contains("\"NetTests\" -> \"Net\";"))
    #expect(text.contains("\"app\" -> \"ArgumentParser\";"))
  }

  @Test func pictureAloneAndInAPage() throws {
    let svg = try run("graph", "--format", "svg")
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.matches(of: /<g class="node"/).count == 5)
    #expect(svg.matches(of: /stroke="#d1242f" stroke-width="3"/).count == 1)
    #expect(svg.contains("<title>Net uses Store: sibling-import</title>"))
    let page = try run("graph", "--format", "html")
    #expect(page.contains(svg))
    #expect(!page.contains("https://") && page.matches(of: /src=|href=/).isEmpty)
    #expect(page.contains("<td>Net</td><td>module</td>"))
  }

  @Test func metrics() throws {
    let text = try run("metrics")
    #expect(
      text == """
        target  role    files  fan-in  fan-out  reach  packages  instability
        Core    core        1       2        0      0         0         0.00
        Net     module      2       1        3      3         0         0.75
        Ports   ports       1       3        1      1         0         0.25
        Store   module      1       2        1      2         0         0.33
        app     app         2       0        3      4         1         1.00

        """)
    #expect(try run("metrics", "--format", "json").contains("\"instability\": 0.750"))
  }
}
