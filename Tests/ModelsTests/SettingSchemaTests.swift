import Foundation
import Models
import Testing

/// The settings as pages show them.
@Suite struct SettingSchemaTests {
  @Test func thePageHasEverySetting() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Apps/README.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter {
      $0.hasPrefix("| `servers.") || $0.hasPrefix("| `follows[") || $0.hasPrefix("| `daemon.")
    }
    #expect(table.map(String.init) == SettingSchema.table)
  }

  @Test func eachRowPutsItsValueInItsOwnPlace() {
    let interval = Interval(seconds: 60)
    let values: [SettingValue] = [
      .flag(true), .number(7), .text("x"), .texts(["x"]), .interval(interval), .secret(.literal("x")),
      .accounts([.init(name: "a", url: "x")]),
      .notifications([.init(name: "n", channel: .mail("x"), rules: NotificationRules())]),
      .days([1]), .charts([.init(path: "x", top: 1)]), .collections([.people]),
    ]
    func changes<Root: Hashable>(_ rows: [SettingRow<Root>], _ root: Root) -> [Root] {
      rows.map { row in
        // A value of another form is left out.
        var changed = root
        for value in values { row.put(value, &changed) }
        #expect(changed != root, "\(row.name)")
        return changed
      }
    }
    #expect(Set(changes(SettingSchema.daemon, Settings.Daemon())).count == SettingSchema.daemon.count)
    #expect(Set(changes(SettingSchema.server, Settings.Server())).count == SettingSchema.server.count)
    #expect(Set(changes(SettingSchema.events, NotificationRules())).count == SettingSchema.events.count)
    #expect(Set(changes(SettingSchema.follow, Follow(path: ""))).count == SettingSchema.follow.count)
  }
}
