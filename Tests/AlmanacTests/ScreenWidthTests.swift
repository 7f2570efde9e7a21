import AlmanacTesting
import Foundation
import Models
import Testing
import UpstreamKit

@testable import almanac

/// The main commands in a terminal: they ask it for its width themselves.
@Suite struct ScreenWidthTests {
  private static let path = "flickr/search/a text of many words that somebody looks for every day, and 東京 too"

  /// A store with charts, photos, people with wide names and names from right to left, and an edit in conflict.
  private func filled() async throws -> Scene {
    var scene = try Scene()
    scene.almanac.environment["ALMANAC_CONFIG"] = try scene.config(
      ["app-store", "flickr", "users"], settings: ["flickr": #""apiKey": "k""#],
      follows: ["app-store/us/top-paid", Self.path, "users/ada", "users/nobody"])
    let almanac = scene.almanac
    try await almanac.loadDemo()
    try await almanac.load(
      "people",
      """
      {"id":"p1","fullName":"王小明","note":"\(String(repeating: "很長的備註", count: 40))","birthday":"1980-03-04"}
      {"id":"p2","fullName":"محمد بن عبد الله آل سعود الطويل جدا","birthday":"--12-02"}
      {"id":"p3","fullName":"Karl-Theodor Maria Nikolaus Johann Jacob Philipp Franz Joseph Sylvester Buhl-Freiherr"}
      """)
    _ = try await almanac.run("sync")
    let name = "Augusta Ada King, Countess of Lovelace 王小明, of Ockham Park in the county of Surrey"
    try await almanac.run("profile", "set", "ada", "--name", name, exits: 0)
    scene.upstream.changeUser("ada", name: "Somebody else, with a name that is quite long as well")
    _ = try await almanac.run("sync")
    return scene
  }

  @Test func noLineIsWiderThanTheTerminal() async throws {
    let scene = try await filled()
    defer { scene.end() }
    func shown(_ command: String, _ columns: Int = 80) async throws -> [String] {
      let call = "stty cols \(columns) rows 24; $PROGRAM \(command) --no-pager"
      let result = try await scene.almanac.shell("TERM=xterm script -qec '\(call)' /dev/null < /dev/null")
      return Self.plain(result.out).split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
    let collections = [
      "apps", "charts", "prices", "photos", "owners", "profiles", "people", "outbox", "runs", "rejects",
    ]
    let commands =
      collections.map { "list \($0) --limit 5" } + [
        "status", "following", "photos --limit 5", "charts top app-store/us/top-paid --limit 5",
        "charts movers app-store/us/top-paid --limit 5", "charts prices", "outbox", "outbox show ada", "people list",
        "birthdays --days 366", "search ada", "show people p1", "show profiles ada", "undo --list", "config get",
        "history --limit 40", "history profiles ada", "history status", "blame profiles ada", "diff commit:2",
        "source list", "source list --gallery", "source show app-store", "doctor", "help", "help sync", "help options",
      ]
    let wide = ["list apps --limit 5", "status", "people list", "charts top app-store/us/top-paid --limit 5", "doctor"]
    for (command, columns) in commands.map({ ($0, 80) }) + wide.flatMap({ [($0, 120), ($0, 200)] }) {
      let lines = try await shown(command, columns)
      #expect(!lines.isEmpty, "\(command)")
      for line in lines where Printable.width(line) > columns {
        // What is copied stands whole, and alone but for its name.
        let isCopied = line.hasSuffix(Self.path) || line.split(separator: " ").last?.contains("/") == true
        #expect(isCopied, "\(command), \(columns) columns: \(line)")
      }
    }
    for command in ["status", "following"] {
      let lines = try await shown(command)
      #expect(lines.contains { $0.hasPrefix(Self.path) }, "\(command): \(lines)")
    }
    #expect(try await shown("status").prefix(2).contains { $0.contains("state") })
    let id = try #require(try await scene.almanac.records("list", "outbox").first?["id"])
    #expect(try await shown("outbox show ada").contains { $0.hasSuffix(" \(id)") })
    let people = try await shown("people list")
    for id in ["p1", "p2", "p3"] { #expect(people.contains { $0.hasSuffix(" \(id)") }, "\(people)") }
  }

  /// What a terminal shows of its input: without links, colours and the echo of script(1).
  private static func plain(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "").replacing("^D\u{8}\u{8}", with: "")
      .replacing(/\u{1B}\]8;[^\u{1B}]*\u{1B}\\/, with: "").replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
  }
}
