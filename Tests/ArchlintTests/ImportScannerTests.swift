import ArchlintKit
import Testing

@Suite struct ImportScannerTests {
  private func imports(_ text: String) -> [ImportStatement] { SourceBytes.with(text, ImportScanner.imports(of:)) }

  /// Source and the imports in it, as `line:column path`.
  static let table: [(String, [String])] = [
    ("import A", ["1:8 A"]),
    ("import A\nimport B.C\n", ["1:8 A", "2:8 B.C"]),
    ("import A; import B;import C", ["1:8 A", "1:18 B", "1:27 C"]),
    ("let a = 1; import B", ["1:19 B"]),
    ("struct S {}\n\nimport Late\n", ["3:8 Late"]),
    ("import struct A.B\nimport func A.f", ["1:15 A.B", "2:13 A.f"]),
    ("import\n  A\n", ["2:3 A"]),
    ("import /* x */ A // import B", ["1:16 A"]),
    ("@testable import A\n@_spi(X) @preconcurrency\nimport B", ["1:18 A", "3:8 B"]),
    ("public import A\npackage import B\n", ["1:15 A", "2:16 B"]),
    ("import `default`", ["1:8 default"]),
    ("\u{FEFF}import A", ["1:8 A"]),
    ("#!/usr/bin/swift import X\nimport A", ["2:8 A"]),
    ("import A\r\nimport B\rimport C", ["1:8 A", "2:8 B", "3:8 C"]),
    (
      "#if X\nimport A\n#elseif Y // z\nimport B\n#else\nimport C\n#endif\nimport D",
      ["2:8 A", "4:8 B", "6:8 C", "8:8 D"]
    ),
    ("/* import A /* import B */ import C */ import D", ["1:47 D"]),
    ("// import A\n/// import B\nimport C", ["3:8 C"]),
    ("let s = \"import A\"\nimport B", ["2:8 B"]),
    ("let s = \"\\(f(\"import A\"))\"\nimport B", ["2:8 B"]),
    ("let s = \"\"\"\nimport A\n\\(1 + (2))\n\"\"\"\nimport B", ["5:8 B"]),
    ("let s = #\"\"\"\nimport A \"\"\"\n\\(\"\\#(\"x\")\n\"\"\"#\nimport B", ["5:8 B"]),
    ("let s = #\"\"\"#; import A", ["1:23 A"]),
    ("let s = ##\"a\"# import A\"##\nimport B", ["2:8 B"]),
    ("let s = \"\\\"\"; import A", ["1:22 A"]),
    ("let r = /\"/\nimport A", ["2:8 A"]),
    ("let r = #/\"\n/#\nimport A", ["3:8 A"]),
    ("let x = a / b / c // \"\nimport A", ["2:8 A"]),
    ("let x = a.reduce(1, /); let y = (/)\nimport A // \"", ["2:8 A"]),
    ("func f(import x: Int) {}\nf(import: 1)\nx.import\nlet important = 1; reimport()", []),
    ("func f(\n  import x: Int\n) {}", []),
    ("`import` = 1", []),
    ("import", []),
    ("importA\nimport_ B", []),
    ("let a = \"unterminated\nimport A", ["2:8 A"]),
    ("let a = 1 \u{0} import A\u{0}\nimport B", ["1:20 A", "2:8 B"]),
  ]

  @Test(arguments: table)
  func finds(_ source: String, _ expected: [String]) {
    #expect(imports(source).map { "\($0.line):\($0.column) \($0.path)" } == expected, "\(source)")
  }

  @Test func detailsOfAnImport() throws {
    let text = "#if A\n#if B // why\n@_spi(In) /* and */ @testable\npublic import enum M.E\n#endif\n#endif"
    let found = try #require(imports(text).first)
    #expect(found.module == "M")
    #expect(found.kind == "enum")
    #expect(found.access == "public")
    #expect(found.attributes == ["_spi(In)", "testable"])
    #expect(found.conditions == ["#if A", "#if B"])
  }
}
