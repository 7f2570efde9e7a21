import ArchlintKit
import Foundation
import Testing

/// The rules of this repository, kept by its own test run.
@Suite struct RepositoryTests {
  /// The package that this file belongs to. A manifest that cannot be read fails the test with SwiftPM's own words.
  @Test func theRepositoryKeepsItsRules() {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: root + "/Modules/archlint.rules") else { return }
    var output = ""
    var errors = ""
    let status = Command.run(
      ["--package", root], console: Console(output: { output += $0 }, errors: { errors += $0 }))
    #expect(status == 0, "\n\(output)\(errors)")
  }
}
