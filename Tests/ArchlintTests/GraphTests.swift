import ArchlintKit
import Testing

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
