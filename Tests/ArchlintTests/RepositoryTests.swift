import ArchlintKit
import Foundation
import Testing

/// The rules of this repository, kept by its own test run.
@Suite struct RepositoryTests {
  /// The package that this file belongs to.
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// A manifest that cannot be read fails the test with SwiftPM's own words.
  @Test func theRepositoryKeepsItsRules() {
    var output = ""
    var errors = ""
    let status = Command.run(
      ["--package", root], console: Console(output: { output += $0 }, errors: { errors += $0 }))
    #expect(status == 0, "\n\(output)\(errors)")
  }

  /// Ids, keys and paths go into sets and dictionaries as `ExactString`: a `String` takes two spellings of one text for
  /// the same. Fixed words of a format, which a literal follows, and the names of people are texts.
  @Test(arguments: ["Models", "Ports", "Parsing", "Features"])
  func setsAndDictionariesOfIdsAreExact(_ module: String) throws {
    let folder = "\(root)/Modules/\(module)"
    let files = FileTree.walk(root: folder, targets: [], entersNested: true).files
    try #require(!files.isEmpty)
    for file in files {
      let text = try String(contentsOfFile: "\(folder)/\(file.path)", encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      where Self.isInexact(line) {
        Issue.record("\(module)/\(file.path):\(number + 1): use ExactString: \(line)")
      }
    }
  }

  private static func isInexact(_ line: Substring) -> Bool {
    guard line.contains(/Set<String>|\[String: |Dictionary<String,/) else { return false }
    // Names of fields by names of fields, which the types write down, are fixed words too.
    return !line.contains(/Set<String> = \[(?:"|$)|dependentFields:/)
  }

  @Test(arguments: [
    ("var seen: Set<String> = []", true), ("  private var known: [String: Int] = [:]", true),
    ("let wanted: Set<String> = [\"BEGIN\", \"END\"]", false), ("var seen: Set<ExactString> = []", false),
    ("var people: [[String]: String] = [:]", false),
  ])
  func inexactLinesAreTold(line: String, isInexact: Bool) {
    #expect(Self.isInexact(Substring(line)) == isInexact)
  }
}
