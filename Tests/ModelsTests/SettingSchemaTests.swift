import Foundation
import Models
import Testing

@Suite struct SettingSchemaTests {
  @Test func thePageHasEverySetting() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Apps/README.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter {
      $0.hasPrefix("| `servers.") || $0.hasPrefix("| `follows[") || $0.hasPrefix("| `daemon.")
        || $0.hasPrefix("| `mcp.")
    }
    #expect(table.map(String.init) == SettingSchema.table)
  }
}
