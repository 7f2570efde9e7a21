import Foundation
import Testing

@testable import ArchlintKit

/// The compiler says which modules a file imports (`-emit-imported-modules`); the lexer must find the same ones.
///
/// The compiler leaves out inactive code, so every set of files is asked about twice: as it is, and without the lines of its
/// conditions, which makes all of it active.
@Suite struct CompilerOracleTests {
  private static let hasCompiler = (try? Subprocess.run(["swiftc", "--version"]).status) == 0

  /// The package that this file belongs to.
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// Folders with sources: this package's, and those of swift-nio where a build has fetched them.
  private static let folders: [String] = {
    let nio = root + "/.build/checkouts/swift-nio/Sources"
    var folders = ["Modules", "Modules/Features", "Modules/Plugs", "Apps", "Tools", "Tests"].map { root + "/" + $0 }
    folders.append(nio)
    return folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { !$0.contains(".") && $0 != "Features" && $0 != "Plugs" }.sorted().map { folder + "/" + $0 }
    }.filter { !sources(in: $0).isEmpty }
  }()

  private static func sources(in folder: String) -> [String] {
    FileTree.walk(root: folder, targets: [], entersNested: true).files.map { folder + "/" + $0.path }
  }

  @Test func thereAreFoldersToCompare() {
    for name in [
      "Modules/Models", "Modules/Features/Sync", "Modules/Plugs/AsyncHTTPTransport", "Apps/almanac", "Tools/archlint",
    ] {
      #expect(Self.folders.contains(Self.root + "/" + name))
    }
  }

  private func compilerImports(of files: [String]) throws -> Set<String> {
    let output = NSTemporaryDirectory() + "archlint-oracle-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let outcome = try Subprocess.run(
      ["swiftc", "-frontend", "-emit-imported-modules", "-module-name", "Any_", "-o", output] + files)
    // Errors elsewhere in a file do not keep the compiler from listing its imports.
    let text = try #require(
      try? String(contentsOfFile: output, encoding: .utf8), "\(String(decoding: outcome.errors, as: UTF8.self))")
    return Set(text.split(separator: "\n").map(String.init))
  }

  private func scan(_ files: [String]) throws -> [ImportStatement] {
    try files.flatMap { try #require(SourceBytes.withFile($0, ImportScanner.imports(of:))) }
  }

  private func compare(_ files: [String], _ name: String) throws {
    let compiler = try compilerImports(of: files)
    let own = try scan(files)
    let missed = compiler.subtracting(own.map(\.module))
    let added = Set(own.filter(\.conditions.isEmpty).map(\.module)).subtracting(compiler)
    #expect(missed.isEmpty && added.isEmpty, "\(name): missed \(missed.sorted()), added \(added.sorted())")
  }

  /// Copies without the lines that hold conditions.
  private func withoutConditions<Result>(_ files: [String], _ body: ([String]) throws -> Result) throws -> Result {
    let folder = NSTemporaryDirectory() + "archlint-oracle-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let copies = try files.enumerated().map { index, file in
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let word = line.drop { $0 == " " || $0 == "\t" }
        return ["#if ", "#if(", "#if!", "#else", "#endif"].contains(where: word.hasPrefix) ? "" : line
      }
      let copy = "\(folder)/\(index).swift"
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: copy))
      return copy
    }
    return try body(copies)
  }

  @Test(.enabled(if: hasCompiler, "swiftc is not in PATH"), arguments: folders)
  func agreesOnSources(_ folder: String) throws {
    let files = Self.sources(in: folder)
    try compare(files, folder)
    try withoutConditions(files) { try compare($0, folder + " without conditions") }
  }

  /// Each case in a file of its own, because one that swallows too much would hide the next.
  @Test(.enabled(if: hasCompiler, "swiftc is not in PATH"))
  func agreesOnCases() throws {
    let folder = NSTemporaryDirectory() + "archlint-cases-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (index, (source, _)) in ImportScannerTests.table.enumerated() {
      let path = "\(folder)/\(index).swift"
      try Data(source.utf8).write(to: URL(fileURLWithPath: path))
      try compare([path], source)
    }
  }
}

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
    return all.behaviour.map(\.place) + all.uses.map(\.place) + (all.globals + globals).map(\.place)
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
