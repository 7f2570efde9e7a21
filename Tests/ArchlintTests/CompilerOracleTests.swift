import ArchlintKit
import Foundation
import Testing

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
