import Foundation
import Testing

@testable import ArchlintKit

/// Sources that do not compile: an editor saves half a line, a merge leaves its marks.
@Suite struct BrokenSourceTests {
  /// The delimiters that the lexer distinguishes.
  private static let pieces = [
    "\"", "\"\"\"", "#\"", "\"#", "##\"", "\\(", "\\#(", ")", "(", "/*", "*/", "//", "/", "#/", "/#", "`", "\\", "\n",
    "\r\n",
    "\u{0}", "\u{FEFF}", "é", ";", "#if A\n", "#else\n", "#endif\n", "@a(b) ", "import A\n", "import struct A.B",
    "import ",
    "public import C", "let a = 1", "{", "}", "for x in y {", "func f() ", "static var x", "a.import", "<<<<<<< HEAD\n",
  ]

  private static func code(_ source: SourceBytes) -> [(Int, Int)] {
    let names = ["A", ".import", "x"].map(ForbiddenName.init)
    let all = CodeScanner.scan(source, for: .init(behaviour: true, globals: true, names: names))
    let globals = CodeScanner.scan(source, for: .init(globals: true)).globals
    return all.behaviour.map { ($0.line, $0.column) } + all.uses.map { ($0.line, $0.column) }
      + (all.globals + globals).map { ($0.line, $0.column) }
  }

  /// Documents of random pieces; `ARCHLINT_DOCUMENTS=1000000` for the long form.
  @Test func theScannersEndAndStayInside() {
    let count = ProcessInfo.processInfo.environment["ARCHLINT_DOCUMENTS"].flatMap { Int($0) } ?? 5000
    var state: UInt64 = 42
    func draw(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for _ in 0..<count {
      let text = (0..<(1 + draw(40))).map { _ in Self.pieces[draw(Self.pieces.count)] }.joined()
      let lines = 1 + text.utf8.count { $0 == 0x0A || $0 == 0x0D }
      let places =
        SourceBytes.with(text, ImportScanner.imports(of:)).map { ($0.line, $0.column) }
        + SourceBytes.with(text, Self.code)
      for (line, column) in places {
        guard (1...lines).contains(line), (1...(text.utf8.count + 1)).contains(column) else {
          Issue.record("\(line):\(column) is outside of \(text.debugDescription)")
          return
        }
      }
    }
  }

  /// What stands before an import in a file without a mistake in it never hides the import.
  @Test func wholePiecesHideNoImport() {
    let whole = [
      "\"a\"", "\"\\(b)\"", "#\"c\"#", "\"\"\"\nd\n\"\"\"", "/* e */", "/* /* f */ */", "// g\n", "let h = 1\n",
      "#if I\n#endif\n",
      "func j() {}\n", "`k`", "let l = #/m/#\n",
    ]
    var state: UInt64 = 7
    func draw(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for _ in 0..<2000 {
      let text = (0..<(1 + draw(12))).map { _ in whole[draw(whole.count)] + "\n" }.joined()
      let found = SourceBytes.with(text + "import Last\n", ImportScanner.imports(of:))
      guard found.map(\.path) == ["Last"] else {
        Issue.record("\(found.map(\.path)) in \(text.debugDescription)")
        return
      }
    }
  }
}
