import Testing

@testable import ArchlintKit

@Suite struct CodeScannerTests {
  static let behaviours: [(String, [String])] = [
    ("public protocol P { func run(for time: Int) async throws -> Int\n var x: Int { get } }", []),
    ("struct S { var a = 1\n init(a: Int) { self.a = a }\n var b: Int { a + 1 } }", []),
    ("extension P { func run() async { await run(for: 1) } }", []),
    ("enum E { case a, b\n var text: String { switch self { case .a: \"for while\"\n default: \"\" } } }", []),
    ("static let a = 1\nlet b = 2\nvar c: Int { 1 }", []),
    ("class func make() {}\nclass var x: Int { 1 }", []),
    ("final class C {}", ["1:7 a class"]),
    ("actor A {}", ["1:1 an actor"]),
    ("let actor = 1", []),
    ("var count = 0\n", ["1:1 mutable state outside any instance"]),
    ("struct S {\n  static var shared = S()\n}", ["2:10 mutable state outside any instance"]),
    ("func f() { for x in y {} }", ["1:12 a loop"]),
    (
      "struct S { func f() { while a { if b { repeat {} while c } } } }", ["1:23 a loop", "1:40 a loop", "1:50 a loop"]
    ),
    ("func f() throws(E) { do { try g() } catch { throw E(error) } }", []),
    ("func f() { defer { g() } }", ["1:12 'defer', which makes the order of steps matter"]),
    ("func f() async { await a()\n await b() }", ["2:2 a body that waits more than once"]),
    ("extension P { func f() async { await a() }\n func g() async { await b() } }", []),
    ("func f() { Task { g() } }", ["1:12 a task"]),
    ("func f() { a.forEach { g($0) } }", ["1:14 a loop"]),
    ("func f() async { async let a = g()\n _ = a }", ["1:24 a task"]),
    ("func f() async { await withCheckedContinuation { g($0) } }", ["1:24 a continuation"]),
    ("struct S { let lock: Mutex<Int> }", ["1:22 a lock"]),
    ("struct S {\n  static var shared: Int?\n}", ["2:10 mutable state outside any instance"]),
    ("struct S { static nonisolated(unsafe) var shared: Int? = nil }", ["1:39 mutable state outside any instance"]),
    ("func f() {\n" + String(repeating: "  g()\n", count: 40) + "}", []),
    ("func f() {\n" + String(repeating: "  g()\n", count: 41) + "}", ["1:10 a body of 41 lines"]),
  ]

  @Test(arguments: behaviours)
  func findsBehaviour(_ source: String, _ expected: [String]) {
    let findings = SourceBytes.with(source) { CodeScanner.scan($0, for: .init(behaviour: true)) }.behaviour
    #expect(findings.map { "\($0.place.line):\($0.place.column) \($0.what)" } == expected, "\(source)")
  }

  static let names: [(String, [String])] = [
    ("func f() { print(1) }", ["1:12 print()"]),
    ("func f() { Swift.print(1); a.print(1); self.print(1) }", ["1:18 print()"]),
    ("func print(_ a: Int) {}\nfunc g(print: Int) { h(print: print) }", []),
    ("// print(1)\nlet a = \"print(1)\" // Date", []),
    ("let a = \"\\(Date())\"", []),
    ("extension Date: P { let at: Foundation.Date\n func f(_ a: Date?) {} }", ["1:11 Date", "1:40 Date", "2:14 Date"]),
    ("struct Date {}\nlet a: My.Date", []),
    ("let a = Int.random(in: 0...1), b: Int = .random(in: 0...1)", ["1:13 .random", "1:42 .random"]),
    ("let a = random(), b = c\n  .random()", ["2:4 .random"]),
    (
      "try await Task.sleep(for: a)\nTask<Never, Never>.sleep(a)\nother.sleep()",
      ["1:16 Task.sleep", "2:20 Task.sleep"]
    ),
    ("#if os(Linux)\nlet a = Date.now\n#endif", ["2:9 Date"]),
  ]

  @Test(arguments: names)
  func findsNames(_ source: String, _ expected: [String]) {
    let names = ["print()", "Date", ".random", "Task.sleep"].map(ForbiddenName.init)
    let findings = SourceBytes.with(source) { CodeScanner.scan($0, for: .init(names: names)) }.uses
    #expect(findings.map { "\($0.place.line):\($0.place.column) \($0.name.text)" } == expected, "\(source)")
  }

  /// Variables with `var`, constants with the words of their types.
  static let globals: [(String, [String])] = [
    ("let a = 1\nvar b = 2\nstruct S { var c = 3\n let d = 4 }", ["1:1 let 1", "2:1 var 2"]),
    ("struct S {\n static var a: Int { 1 }\n static var b: Int {\n get { 1 }\n }\n static var c: Int\n {\n 1 } }", []),
    ("struct S {\n static var a: Int = 1 {\n didSet {} } }", ["2:9 var Int"]),
    (
      "enum E { static let lock = Mutex<Int>(1)\n static let b: Atomic<Int> = .init(1) }",
      ["1:17 let Mutex", "2:9 let Atomic Int"]
    ),
    ("enum E { private(set) static var a: [String:\n Int] = [:] }", ["1:30 var String Int"]),
    (
      "enum E { static let make: (Mutex<Int>) -> Void = { _ in }\n static let all = Other.all }",
      ["1:17 let", "2:9 let"]
    ),
    ("enum E { @TaskLocal static var a = 1 }", ["1:28 var 1"]),
    ("func f() { var a = 1\n struct S { static var b = 1 } }", []),
    ("protocol P { static var a: Int { get } }", []),
    ("let a = { var b = 1 }()", ["1:1 let"]),
  ]

  @Test(arguments: globals)
  func findsGlobals(_ source: String, _ expected: [String]) {
    let findings = SourceBytes.with(source) { CodeScanner.scan($0, for: .init(globals: true)) }.globals
    let texts = findings.map { global in
      (["\(global.place.line):\(global.place.column)", global.isVariable ? "var" : "let"] + global.types).joined(
        separator: " ")
    }
    #expect(texts == expected, "\(source)")
  }

  @Test(arguments: [
    ("print()", true), (".random", true), ("Task.sleep", true), ("a.b.c()", true), ("", false), ("()", false),
    (".", false),
    ("a b", false), ("1a", false), ("a()b", false),
  ])
  func namesThatCanBeForbidden(_ text: String, _ isValid: Bool) {
    #expect(ForbiddenName(text).isValid == isValid)
  }
}

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
