import AlmanacTesting
import ArgumentParser
import Foundation
import Testing
import UpstreamKit

@testable import almanac

/// The examples of the help texts.
@Suite final class ExampleTests: ProgramTests {
  /// They need a daemon, a definition that was changed, a source that takes edits, the servers of images, or one of
  /// address books.
  private static let notRun: Set<String> = [
    "dashboard", "edit", "source trust", "source login", "media fetch", "account add", "account remove", "account show",
    "account password", "people move", "people copy", "people group create",
  ]

  /// They ask the server for records that the demo has in another form.
  private static let onServersRecords: Set<String> = ["people fetch", "source try"]

  private let commands = CommandCheck.leaves().map { $0.joined(separator: " ") }

  @Test func everyCommandHasTwoInItsHelp() async throws {
    #expect(Set(CommandExamples.all.keys) == Set(commands))
    for command in commands {
      let examples = CommandExamples.all[command] ?? []
      #expect(examples.count == 2 && examples.allSatisfy { $0.contains("almanac") }, "\(command)")
      #expect(examples.allSatisfy { $0.count < 79 }, "\(command): wider than a screen")
    }
    let groups = CommandCheck.leaves().flatMap { path in (0...path.count).map { Array(path.prefix($0)) } }
    for path in Set(groups) {
      let text = CommandCheck.command(in: path).type.configuration.discussion
      for line in text.split(separator: "\n") where line.hasPrefix("  almanac ") {
        #expect(line.count < 81, "wider than a screen: \(line)")
      }
    }
    try await almanac.run("people", "--config", "none.json", exits: 0, out: "SUBCOMMANDS")
    for words in [["help", "people", "add"], ["people", "add", "--help", "--config", "none.json"]] {
      let help = try await almanac.run(words)
      #expect(help.out.contains("EXAMPLES:\n  almanac people add --first Ada"), "\(help.out)")
      // Common options are neither listed nor in the line of the usage.
      #expect(help.out.contains("USAGE: almanac people add ") && !help.out.contains("--seed"), "\(help.out)")
      #expect(help.out.contains("'almanac help options' lists the options of every command."))
    }
    #expect(try await almanac.run("help", "compact").out.contains("USAGE: almanac compact\n"))
    #expect(!(try await almanac.run("help").out.contains("EXAMPLES:")))
  }

  @Test func everyExampleWorks() async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = scene.almanac
    let config = try scene.config(
      ["app-store", "flickr", "users", "people"], settings: ["flickr": #""apiKey": "k""#],
      follows: [
        #"{"follow": "app-store/us/top-paid", "every": "6h"}"#, "app-store/us/top-free", "users/ada", "users/bo",
      ])
    almanac.environment["ALMANAC_CONFIG"] = config
    almanac.environment["EDITOR"] = "true"
    let bin = almanac.folder + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: bin + "/almanac", withDestinationPath: almanac.path)
    almanac.environment["PATH"] = "\(bin):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    _ = try almanac.file("contacts.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Q;Zoe;;;\r\nFN:Zoe Q\r\nEND:VCARD\r\n")
    _ = try almanac.file("people.jsonl", #"{"id":"1","firstName":"Imported","birthday":"2000-01-01"}"#)
    _ = try almanac.file("manifest.yaml", CommandFiles.manifest)
    let text = try contents(config)
    _ = try almanac.file("other.json", text)
    try await almanac.loadDemo()
    let other = almanac.folder + "/other-store"
    try await almanac.run("sync", "people", "flickr/search/cats", "--store", other, exits: 0)
    var count = 0
    for command in commands where !Self.notRun.contains(command) {
      for example in CommandExamples.of(command.split(separator: " ").map(String.init)) {
        // What earlier examples used up.
        if command.hasPrefix("outbox") || command == "profile show" {
          _ = try await almanac.run("profile", "set", "ada", "--name", "Again \(count)")
        }
        try text.write(toFile: config, atomically: false, encoding: .utf8)
        if command == "config unset" { _ = try await almanac.run("config", "set", "daemon.openMetrics", "true") }
        let line = example.replacing("https://people.example.com", with: scene.upstream.url)
        almanac.environment["ALMANAC_STORE"] = Self.onServersRecords.contains(command) ? other : almanac.store
        try await almanac.shell("bash -c \(quoted(line))", exits: 0)
        count += 1
      }
    }
    #expect(count > 90)
  }

  /// The formatter has nothing to complain about, and the page has every command with its examples.
  @Test func theManualIsWhole() async throws {
    #expect(try await almanac.run("manual", "--out", "almanac.1", "--quiet").out == "")
    let page = try await almanac.run("manual").out
    #expect(try contents(almanac.folder + "/almanac.1") == page)
    for command in commands {
      #expect(page.contains("\n.SS almanac \(command.replacing("-", with: "\\-"))\n"), "\(command)")
    }
    for word in ["people add \\-\\-first Ada", ".SH EXIT STATUS", "\\-\\-no\\-pager", "ALMANAC_PAGER"] {
      #expect(page.contains(word), "\(word)")
    }
    #expect(!page.contains("help options"))
    let formatted = try await almanac.shell(
      "command -v groff > /dev/null || exit 42; groff -k -man -Tutf8 -ww -P-cbou almanac.1")
    guard formatted.status != 42 else { return }
    #expect(formatted.status == 0 && formatted.err.isEmpty, "\(formatted.err.prefix(500))")
    #expect(formatted.out.contains("almanac people add") && formatted.out.contains("--no-pager"))
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
