import Testing

@testable import ArchlintKit

@Suite struct BehaviourScannerTests {
  static let table: [(String, [String])] = [
    ("public protocol P { func run(for time: Int) async throws -> Int\n var x: Int { get } }", []),
    ("struct S { var a = 1\n init(a: Int) { self.a = a }\n var b: Int { a + 1 } }", []),
    ("extension P { func run() async { await run(for: 1) } }", []),
    ("enum E { case a, b\n var text: String { switch self { case .a: \"for while\"\n default: \"\" } } }", []),
    ("static let a = 1\nlet b = 2\nvar c: Int { 1 }", []),
    ("class func make() {}\nclass var x: Int { 1 }", []),
    ("final class C {}", ["1:7 a class"]),
    ("actor A {}", ["1:1 an actor"]),
    ("let actor = 1", []),
    ("var count = 0\n", ["1:1 mutable state that everybody shares"]),
    ("struct S {\n  static var shared = S()\n}", ["2:10 mutable state that everybody shares"]),
    ("func f() { for x in y {} }", ["1:12 a loop"]),
    (
      "struct S { func f() { while a { if b { repeat {} while c } } } }", ["1:23 a loop", "1:40 a loop", "1:50 a loop"]
    ),
    ("func f() throws(E) { do { try g() } catch { throw E(error) } }", []),
    ("func f() { defer { g() } }", ["1:12 'defer', so something happens in order"]),
    ("func f() async { await a()\n await b() }", ["2:2 a body that waits more than once"]),
    ("extension P { func f() async { await a() }\n func g() async { await b() } }", []),
    ("func f() { Task { g() } }", ["1:12 a task"]),
  ]

  @Test(arguments: table)
  func finds(_ source: String, _ expected: [String]) {
    let findings = SourceBytes.with(source, BehaviourScanner.findings(in:))
    #expect(findings.map { "\($0.line):\($0.column) \($0.what)" } == expected, "\(source)")
  }
}
