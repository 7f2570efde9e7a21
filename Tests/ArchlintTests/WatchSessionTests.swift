import ArchlintKit
import Foundation
import Testing

@Suite struct WatchSessionTests {
  @Test func lintsWhenSomethingChanged() throws {
    let package = FixturePackage()
    try package.write()
    var session = WatchSession(
      ProjectLoader(root: package.root, manifestPath: package.root + "/dump.json"), today: "2026-06-15")
    func write(_ path: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: package.root + "/" + path))
    }
    #expect(try session.step()?.violations == [])
    #expect(try session.step() == nil)
    try write("Modules/Net/Net.swift", "import Core\nimport Ports\nimport Store\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
    #expect(try session.step() == nil)
    try write("Modules/Net/New.swift", "import NIO\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport, .thirdPartyImport])
    try FileManager.default.removeItem(atPath: package.root + "/Modules/Net/New.swift")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
    try write("Modules/archlint.rules", package.rules + "role\n")
    #expect(throws: ArchlintError.self) { try session.step() }
    try write("Modules/archlint.rules", package.rules + "# better\n")
    #expect(try session.step()?.violations.map(\.check) == [.siblingImport])
  }
}
