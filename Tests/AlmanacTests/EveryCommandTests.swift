import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanac

/// Every command prints one valid document in every format.
@Suite final class EveryCommandTests: SceneTests {
  /// How each command is called; `$` words are replaced. A command that is not here fails the test.
  private static let calls: [String: [String]] = [
    "demo": ["--store", "$new"], "store copy": ["$store", "$new"],
    "follow": ["app-store/us/top-free/games", "--limit", "10"],
    "unfollow": ["app-store/us/top-paid"], "following": [], "sync": ["users/ada"],
    "source add": ["lobsters"], "source remove": ["lobsters"], "edit": ["people", "x", "--set", "firstName=Y"],
    "source new": ["$url/people", "--name", "shop"], "source import": ["manifest.yaml", "--name", "market"],
    "source check": [], "source try": ["people"], "source list": [],
    "source show": ["flickr"], "source trust": ["nothing"], "source login": ["nothing"], "source schema": [],
    "account list": [], "list": ["people", "--limit", "3"], "show": ["profiles", "ada"], "search": ["ada"],
    "open": ["apps", "us/$app", "--print"],
    "charts top": ["app-store/us/top-free"], "charts movers": ["app-store/us/top-free"],
    "charts history": ["app-store/us/top-free", "$app"], "charts prices": ["--limit", "3"], "genre list": [],
    "photos": ["--limit", "3"],
    "people list": ["--group", "none"], "people show": ["$person"], "birthdays": ["--ics", "$new.ics"], "status": [],
    "people add": ["$name", "--birthday", "2000-01-01", "--group", "family"],
    "people import": ["cards.vcf"], "people edit": ["Zoe Q", "--last", "Late"], "people remove": ["Zoe Late", "--yes"],
    "people duplicates": [], "people merge": ["$person", "Name", "--prefer", "a"],
    "people group list": [], "people group add": ["choir", "$person"], "people group rename": ["choir", "band"],
    "people group remove": ["band", "$person"], "people group delete": ["family", "--yes"],
    "people send": [], "people fetch": [], "profile show": ["ada"], "profile set": ["ada", "--name", "$name"],
    "outbox list": [], "outbox log": [], "outbox show": ["ada"], "outbox approve": ["--all"],
    "outbox reject": ["--all"],
    "outbox retry": ["--again"], "outbox discard": ["ada", "--yes"],
    "outbox resolve": ["--all", "--take", "mine"], "media list": ["--limit", "3"],
    "media export": ["$new"], "media fetch": ["--max-bytes", "20K"],
    "export": ["people", "--to", "vcf", "--out", "$new.vcf"],
    "import": ["people.jsonl"], "changes": [], "backup": ["kept"], "restore": ["kept", "--yes"],
    "doctor": [], "compact": [], "config get": [], "config set": ["daemon.openMetrics", "true"],
    "config unset": ["daemon.openMetrics"], "config edit": [], "config path": [], "config check": [], "version": [],
    "undo": ["--list"], "mcp log": [],
    "history list": ["people", "--limit", "3"], "blame": ["people", "$person"],
    "diff": ["commit:1"],
    "history keep": ["people", "1y", "--yes"], "history status": [], "forget": ["people/$person", "--yes"],
  ]
  /// What these print is not an answer, but the script of a shell or messages of a protocol; or they need a daemon, or a
  /// server of address books.
  private static let others: Set<String> = [
    "completion", "dashboard", "help", "manual", "mcp serve", "account add", "account remove", "account show",
    "account password", "people move", "people copy", "people group create",
  ]
  /// Commands whose output has a format of its own whatever is asked for.
  private static let ownFormats: Set<String> = ["changes", "source new", "source schema"]
  /// There is nothing to trust here, and no collection that a definition describes.
  private static let refused: Set<String> = ["source trust", "source login", "edit"]

  /// By default not in JSON Lines, which differ from JSON in the frame alone: `ALMANAC_FORMATS=json,jsonl,csv`.
  @Test(
    arguments: (ProcessInfo.processInfo.environment["ALMANAC_FORMATS"] ?? "json,csv").split(separator: ",").map(
      String.init))
  func printsOneDocument(format: String) async throws {
    try await printsOneDocument(format: format, store: nil)
  }

  /// A store on a server is used like a folder; what needs files says so in one sentence.
  @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
  func worksOnAServer() async throws {
    try await printsOneDocument(format: "json", store: PostgreSQLServer.shared().newAddress())
  }

  /// What works on files.
  private static let needFolder: Set<String> = ["backup", "restore"]

  private func printsOneDocument(format: String, store: String?) async throws {
    var almanac = scene.almanac
    if let store { almanac.environment["ALMANAC_STORE"] = store }
    let refused = store == nil ? Self.refused : Self.refused.union(Self.needFolder)
    let follows = ["app-store/us/top-free", "app-store/us/top-paid", "flickr/interestingness", "users/ada", "people"]
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(
      ["app-store", "flickr", "users", "people"], settings: ["flickr": #""apiKey": "k""#], follows: follows)
    almanac.environment["EDITOR"] = "true"
    _ = try almanac.file("cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Q;Zoe;;;\r\nFN:Zoe Q\r\nEND:VCARD\r\n")
    _ = try almanac.file("people.jsonl", #"{"id":"1","firstName":"Imported","birthday":"2000-01-01"}"#)
    _ = try almanac.file("manifest.yaml", CommandFiles.manifest)
    try await almanac.run("sync", exits: 0)
    let top = try await almanac.records("charts", "top", "app-store/us/top-free")
    let app = try #require(top.first?["id"] as? String)
    // The first commands for people need one.
    let added = try await almanac.run(
      "people", "add", "--first", "Early", "--email", "e@example.org", "--format", "json")
    let person = try #require(try added.object()["id"] as? String)
    var count = 0
    for command in CommandCheck.leaves().map({ $0.joined(separator: " ") }) where !Self.others.contains(command) {
      let call = try #require(Self.calls[command], "how is 'almanac \(command)' called?")
      count += 1
      let words = call.map { word in
        word.replacing("$new", with: "\(almanac.folder)/new-\(count)").replacing("$url", with: scene.upstream.url)
          .replacing("$store", with: store ?? almanac.store).replacing("$app", with: app).replacing(
            "$person", with: person
          ).replacing("$name", with: "Name \(count)")
      }
      if command == "outbox show" || command == "outbox discard" {
        _ = try await almanac.run("profile", "set", "ada", "--name", "Again \(count)")
      }
      let result = try await almanac.run(command.split(separator: " ").map(String.init) + words + ["--format", format])
      if refused.contains(command) {
        if Self.needFolder.contains(command) {
          #expect(result.status == 64 && result.err.contains("the store is on a server"), "\(command): \(result)")
        }
        let failure = try JSONSerialization.jsonObject(with: Data((format == "csv" ? "{}" : result.err).utf8))
        #expect(result.status != 0 && failure is [String: Any], "\(command): \(result)")
        continue
      }
      // 'follow' came before, and what it added was never synced.
      #expect(result.status == (command == "status" ? 75 : 0), "\(command): \(result)")
      guard !Self.ownFormats.contains(command) else { continue }
      try check(result.out, format, command)
    }
    #expect(count > 35)
  }

  /// A document of the format; there is always one.
  private func check(_ text: String, _ format: String, _ command: String) throws {
    switch format {
    case "json":
      let document = try? JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(document != nil, "\(command) prints no JSON: '\(text.prefix(200))'")
    case "jsonl":
      for line in text.split(separator: "\n") {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        #expect(object is [String: Any], "\(command): '\(line.prefix(200))'")
      }
    default:
      #expect(!text.isEmpty, "\(command) prints no header")
      let counts = Set(records(text).map(\.count))
      #expect(counts.count == 1, "\(command): fields per line \(counts.sorted())\n\(text.prefix(400))")
    }
  }

  /// The records of comma-separated values (RFC 4180).
  private func records(_ text: String) -> [[String]] {
    var (records, record, field, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        record.append(field)
        field = ""
      case "\n" where !isQuoted, "\r\n" where !isQuoted:
        records.append(record + [field])
        (record, field) = ([], "")
      default: field.append(character)
      }
    }
    return records
  }
}

/// What commands read.
enum CommandFiles {
  static let manifest = """
    streams:
      - name: orders
        retriever:
          requester: {url_base: "https://{{ config['region'] }}.market.example", path: orders}
          record_selector: {extractor: {field_path: [orders]}}
    spec: {connection_specification: {required: [region], properties: {region: {type: string}}}}
    """
}
