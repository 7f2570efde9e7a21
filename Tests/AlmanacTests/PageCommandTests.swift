import AlmanacTesting
import Foundation
import Models
import Testing
import UpstreamKit

@testable import almanac

/// The commands in pages, help texts and errors: they exist, and those of the tour work.
@Suite final class PageCommandTests: ProgramTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The pages and the sources of the programs.
  private static func files() throws -> [String] {
    var files = ["README.md"]
    for folder in ["Apps", "Modules", "Tools", "Tests"] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      files += names.filter { $0.hasSuffix(".md") || folder == "Apps" && $0.hasSuffix(".swift") }.map {
        "\(folder)/\($0)"
      }
    }
    return files.sorted()
  }

  private static func text(_ file: String) throws -> String {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }

  /// The lines of the blocks of code in a page that begin with `almanac` or `swift run almanac`.
  private static func blocks(_ page: String) -> [String] {
    var isCode = false
    return page.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") { isCode.toggle() }
      let words = line.hasPrefix("$ ") ? line.dropFirst(2) : line
      let command = words.hasPrefix("swift run ") ? words.dropFirst("swift run ".count) : words
      guard isCode, command.hasPrefix("almanac ") else { return nil }
      var text = command[..<(command.firstRange(of: " #")?.lowerBound ?? command.endIndex)]
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }

  /// What is wrong with a command; `nil` where it exists with its options.
  private static func mistake(_ command: String) -> String? {
    let words = command.split(separator: " ").map(String.init).dropFirst()
      .prefix { !["|", "&&", ">", ";"].contains($0) }
    // What is filled in later, as `NAME`, `PATH` or `\(path)`, is neither a command nor an option.
    let (rest, _) = ArgumentOrder.split(Array(words))
    let path = CommandCheck.command(in: rest.first == "help" ? Array(rest.dropFirst()) : rest).path
    let next = rest.dropFirst(path.count + (rest.first == "help" ? 1 : 0)).first ?? ""
    if path.isEmpty, !["help", "COMMAND", "options", ""].contains(next), !next.hasPrefix("-"),
      next.first?.isLowercase == true
    {
      return "'\(next)' is not a command"
    }
    if let failure = CommandCheck.mistake(
      rest.filter { !$0.contains("\\(") && $0 != "…" && $0 != "COMMAND" && $0 != "options" })
    {
      return failure.message
    }
    let known = CommandCheck.options(of: path) + GlobalOptions.names
    for word in rest where word.hasPrefix("--") {
      let name = String(word.prefix { $0 != "=" }.filter { $0.isLetter || $0 == "-" })
      if name.count > 2, !known.contains(name) {
        return "\(name) is not an option of 'almanac \(path.joined(separator: " "))'"
      }
    }
    return nil
  }

  @Test func everyCommandThatIsNamedExists() throws {
    var count = 0
    for file in try Self.files() {
      let text = try Self.text(file)
      let inline = text.matches(of: /[`']almanac ([a-z][^`'\n"]*)[`']/).map { "almanac \($0.1)" }
      for command in inline + Self.blocks(text) {
        count += 1
        if let mistake = Self.mistake(command) { Issue.record("\(file): \(command): \(mistake)") }
      }
    }
    #expect(count > 150)
  }

  @Test(
    arguments: [
      ("almanac outbox resolve NAME", nil), ("almanac folow x", "'folow' is not a command"),
      ("almanac people lst", "'lst' is not a command of 'almanac people'"),
      ("almanac sync PATH --ful", "--ful is not an option of 'almanac sync'"), ("almanac help COMMAND", nil),
      ("almanac doctor --repair", nil), ("almanac list apps --where 'x = 1' --format csv", nil),
    ] as [(String, String?)])
  func aMistakeIsFound(command: String, mistake: String?) { #expect(Self.mistake(command) == mistake) }

  /// What is pasted from a page: the commands of its blocks, without prompts and without the output.
  private static func pasted(_ page: String) -> [String] {
    page.matches(of: /```console\n(.*?)```/.dotMatchesNewlines()).map { block in
      block.1.split(separator: "\n").filter { $0.hasPrefix("$ ") || $0.hasPrefix("> ") }.map { $0.dropFirst(2) }
        .joined(separator: "\n")
    }
  }

  @Test(
    "the blocks of a page are commands of a shell, and each line that goes on is followed by the rest",
    arguments: ["README.md", "Apps/README.md", "Apps/almanacd/deploy/README.md", "Tools/package/README.md"])
  func blocksAreCommands(page: String) async throws {
    let text = try Self.text(page)
    // A line that goes on has one backslash, and what follows it is no output.
    for line in text.matches(of: /\n[$>] .*\\\n(..)?/) {
      #expect(line.1 == "> " && !line.0.contains(#"\\"#), "\(page): \(line.0)")
    }
    for block in Self.pasted(text) {
      _ = try almanac.file("block.sh", block)
      try await almanac.shell("exec bash -n block.sh", exits: 0)
    }
  }

  /// The section of the README whose commands are shown with what they print.
  private static func tour() throws -> String {
    let page = try text("README.md")
    let start = try #require(page.firstRange(of: "## A tour of five minutes\n")).upperBound
    let end = try #require(page[start...].firstRange(of: "\n## ")).lowerBound
    return String(page[start..<end])
  }

  @Test func theTourPrintsWhatThePageShows() async throws {
    try FileManager.default.createDirectory(atPath: almanac.folder + "/bin", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: almanac.folder + "/bin/almanac", withDestinationPath: almanac.path)
    almanac.environment["PATH"] = "\(almanac.folder)/bin:/usr/bin:/bin"
    almanac.environment["ALMANAC_STORE"] = ""
    var isCode = false
    var shown: [(command: String, lines: [String])] = []
    for line in try Self.tour().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode = line.hasPrefix("```console")
      } else if isCode, line.hasPrefix("$ ") {
        shown.append((String(line.dropFirst(2)), []))
      } else if isCode {
        shown[shown.count - 1].lines.append(String(line))
      }
    }
    #expect(shown.count > 12)
    // One shell runs them all, as a reader's does.
    let script = shown.map { "\($0.command)\nprintf 'status %s\\n@@\\n' $?" }.joined(separator: "\n")
    _ = try almanac.file("tour.sh", script)
    let printed = try await almanac.shell("exec bash tour.sh 2>&1").out.components(separatedBy: "@@\n")
    for (step, text) in zip(shown, printed) {
      var lines = text.split(separator: "\n").map(String.init)
      let status = lines.popLast()
      #expect(lines == step.lines, "\(step.command)\n\(text)")
      #expect(
        status == (step.lines.first?.hasPrefix("almanac: ") == true ? "status 66" : "status 0"), "\(step.command)")
    }
  }

  @Test(arguments: ["README.md", "Apps/README.md", "Tools/upstream/README.md"])
  func theCommandsOfAPageWork(page: String) async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = try scene.configured(
      ["app-store", "flickr", "users", "people"], settings: ["flickr": #""apiKey": "k""#])
    almanac.environment["UP"] = scene.upstream.url
    _ = try almanac.file("contacts.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Q;Zoe;;;\r\nFN:Zoe Q\r\nEND:VCARD\r\n")
    try await almanac.run("people", "add", "--first", "Ada", "--birthday", "1815-12-10", exits: 0)
    // The tour has a store of its own.
    let text = try Self.text(page).replacing(try Self.tour(), with: "")
    let commands = Self.blocks(text).filter {
      // A daemon, and a server of address books; CardDAVTests has one.
      !$0.hasPrefix("almanac dashboard") && !$0.contains("carddav") && !$0.contains("caldav")
    }
    try #require(commands.count > 2)
    for command in commands {
      let line = command.replacing("/mnt/usb", with: almanac.folder).replacing("almanac ", with: "$PROGRAM ")
      try await almanac.shell(line, exits: 0)
    }
  }
}
