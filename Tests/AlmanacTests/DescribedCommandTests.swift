import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// What the author of a definition meets, with an API that answers nothing at its root and wants a key.
@Suite("Sources that a file describes, as their authors use them", .timeLimit(.minutes(5)))
struct DescribedCommandTests {
  private static let key = "k-7f3a"

  private static func server() throws -> LocalServer {
    try LocalServer { request in
      guard request.headers["authorization"] == "Bearer \(key)" else {
        return .json(#"{"error": "no key"}"#, status: 401)
      }
      guard request.path == "/v1/things" else { return .json(#"{"error": "not here"}"#, status: 403) }
      return .json(
        #"{"items": [{"id": 1, "fields": {"Name": "Cedar water"}}, {"id": 2, "fields": {"Name": "Birch water"}}]}"#)
    }
  }

  private static func definition(_ server: LocalServer) -> String {
    """
    {
      "almanac": 1, "source": "shop", "url": "\(server.url)/v1", "auth": {"kind": "bearer"},
      "collections": {"things": {"id": "$.id", "fields": {"name": "text $.fields.Name"}}},
      "follows": {"all": {"get": "/things", "take": {"records": "$.items", "into": "things"}}}
    }
    """
  }

  private func scene(_ server: LocalServer, key: String = key, _ text: String? = nil) throws -> Program {
    var almanac = try Program("almanac")
    try FileManager.default.createDirectory(atPath: almanac.folder + "/sources", withIntermediateDirectories: true)
    _ = try almanac.file("sources/shop.json", text ?? Self.definition(server))
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file("config.json", #"{"follows": [{"follow": "shop/all"}]}"#)
    almanac.environment["ALMANAC_SHOP_KEY"] = key
    return almanac
  }

  @Test("doctor finds nothing wrong with a server that refuses a request without a key, and names a refused follow")
  func doctor() async throws {
    let server = try Self.server()
    let almanac = try scene(server)
    defer { almanac.clean() }
    try await almanac.run("sync", exits: 0)
    let well = try await almanac.run("doctor", "--format", "json", exits: 0)
    #expect(!well.out.contains("401"), "\(well.out)")
    var wrong = almanac
    wrong.environment["ALMANAC_SHOP_KEY"] = "other"
    try await wrong.run("sync", exits: 77)
    try await wrong.run("doctor", exits: 77, out: "shop/all failed at 2")
    server.stop()
    try await almanac.run("doctor", exits: 69, out: server.url)
  }

  @Test("the newest of the files that a service exports is read, and what it lacks is removed")
  func files() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    let exports = almanac.folder + "/sources/exports"
    try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: true)
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file("config.json", #"{"follows": [{"follow": "runs/all"}]}"#)
    _ = try almanac.file(
      "sources/runs.json",
      #"""
      {"almanac": 1, "source": "runs", "file": "exports",
        "collections": {"activities": {"id": "$.Id", "fields": {"name": "text $.Name", "km": "decimal? $.Km"}}},
        "follows": {"all": {"get": "/runs%20*.csv", "format": "csv", "take": {"into": "activities"}, "complete": true}}}
      """#)
    func write(_ name: String, _ rows: [String], at time: TimeInterval) throws {
      let path = try almanac.file("sources/exports/\(name)", (["Id,Name,Km"] + rows).joined(separator: "\n"))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
    }
    func records() async throws -> [String] {
      try await almanac.records("list", "activities").map {
        "\($0["id"] ?? "") \($0["km"] ?? "")"
      }
    }
    try await almanac.run("sync", exits: 69, err: "there is no file runs *.csv in \(exports)")
    try write("runs 1.csv", [#"1,"Morning, long",10.5"#, "2,Evening,"], at: 1_000)
    try await almanac.run("sync", exits: 0)
    #expect(try await records() == ["1 10.5", "2 "])
    try write("runs 2.csv", ["2,Evening,3"], at: 2_000)
    try await almanac.run("sync", exits: 0)
    #expect(try await records() == ["2 3"])
  }

  @Test("no part of a key is printed or stored, whatever the server says")
  func keyOfParts() async throws {
    let server = try LocalServer { _ in .json(#"{"error": "bad are d-4444, c-3333, b-2222 and a-1111"}"#, status: 400) }
    defer { server.stop() }
    let almanac = try scene(
      server, key: "a-1111:b-2222:c-3333:d-4444",
      """
      {
        "almanac": 1, "source": "shop", "url": "\(server.url)/v1",
        "auth": {"key": ["a", "b", "c", "d"], "headers": {"X-A": "{a}", "X-B": "{b}", "X-C": "{c}", "X-D": "{d}"}},
        "collections": {"things": {"id": "$.id", "fields": {"name": "text $.name"}}},
        "follows": {"all": {"get": "/things", "take": {"into": "things"}}}
      }
      """)
    defer { almanac.clean() }
    let sync = try await almanac.run("sync", "--format", "json", "--verbose")
    #expect(sync.err.contains("bad are") || sync.out.contains("bad are"), "\(sync)")
    for part in ["a-1111", "b-2222", "c-3333", "d-4444"] { #expect(!"\(sync)".contains(part), "\(sync)") }
    let status = try await almanac.run("status", "--format", "json")
    #expect(!status.out.contains("-3333") && !status.out.contains("-4444"), "\(status.out)")
  }

  @Test("a manifest is imported: its settings are asked for, and its key is sent when the server is trusted")
  func manifest() async throws {
    let server = try Self.server()
    var almanac = try Program("almanac")
    defer { almanac.clean(); server.stop() }
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file("config.json", "{}")
    try FileManager.default.createDirectory(atPath: almanac.folder + "/source-shop", withIntermediateDirectories: false)
    let manifest = try almanac.file(
      "source-shop/manifest.yaml",
      """
      streams:
        - type: DeclarativeStream
          name: things
          primary_key: id
          retriever: &retriever
            type: SimpleRetriever
            requester: &requester
              type: HttpRequester
              url_base: "{{ config['base_url'] }}/v1"
              path: things
              authenticator: {type: BearerAuthenticator, api_token: "{{ config['token'] }}"}
            record_selector: {extractor: {type: DpathExtractor, field_path: [items]}}
          schema_loader: {type: InlineSchemaLoader, schema: {properties: {id: {type: integer}, fields: {type: object}}}}
        - type: DeclarativeStream
          name: others
          retriever: {<<: *retriever, requester: {<<: *requester, class_name: shop.Requester}}
      spec:
        connection_specification:
          required: [base_url, token]
          properties: {base_url: {type: string, title: The server}, token: {type: string, airbyte_secret: true}}
      """)
    try await almanac.run(
      "source", "import", manifest, "--dry-run", exits: 0, out: #""auth": "bearer""#, "{base_url}",
      err: "manifest.yaml:14: others: left out: the program code shop.Requester")
    try await almanac.run("source", "import", manifest, "--set", "base_ur=x", exits: 64, err: "did you mean 'base_url'")
    try await almanac.run(
      "source", "import", try almanac.file("broken.yaml", "streams:\n  - {a: ["), exits: 65, err: "broken.yaml:3:")
    try await almanac.run("source", "import", manifest, "--strict", exits: 65, err: "1 of 2 streams")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/sources/shop.json"))
    try await almanac.run(
      "source", "import", manifest, exits: 0, out: "almanac follow shop/things",
      err: "config set servers.shop.with.base_url", "The server")
    try await almanac.run("follow", "shop/things", exits: 0)
    try await almanac.run("sync", exits: 78, err: "the setting base_url of shop is missing")
    #expect(try await almanac.run("source", "show", "shop").out.contains("setting base_url  The server; needed"))
    try await almanac.run("config", "set", "servers.shop.with.base_url", server.url, exits: 0)
    almanac.environment["ALMANAC_SHOP_KEY"] = Self.key
    try await almanac.run("sync", exits: 77, err: "source trust shop")
    try await almanac.run("source", "trust", "shop", exits: 0)
    try await almanac.run("sync", exits: 0)
    #expect(try await almanac.records("list", "things").count == 2)
    let again = try await almanac.object("sync")
    #expect((again["totals"] as? [String: Any])?["updated"] as? Int == 0, "\(again)")
  }

  @Test("a name of the gallery that another definition takes is said, and how to put it aside")
  func galleryName() async throws {
    let server = try Self.server()
    let almanac = try scene(server)
    defer { almanac.clean(); server.stop() }
    let manifest = try almanac.file(
      "manifest.yaml",
      "streams: [{name: a, retriever: {requester: {url_base: '\(server.url)', path: /a}, record_selector: {extractor: {field_path: []}}}}]\n"
    )
    try await almanac.run(
      "source", "import", manifest, "--name", "github", exits: 0, err: "the gallery has a source github, too")
    try await almanac.run("source", "add", "github", exits: 64, err: "almanac source remove github")
    try await almanac.run("source", "remove", "github", exits: 0)
    try await almanac.run("source", "add", "github", exits: 0)
  }

  @Test("a key that single requests alone have is announced, sent and guarded; the server of the settings is named")
  func keyOfRequests() async throws {
    let server = try Self.server()
    let text = Self.definition(server).replacing(#", "auth": {"kind": "bearer"}"#, with: "")
      .replacing(#""get": "/things""#, with: #""get": "/things", "auth": "bearer""#)
    var almanac = try scene(server, text)
    defer { almanac.clean(); server.stop() }
    let shown = try await almanac.run("source", "show", "shop")
    #expect(shown.out.contains("key     ALMANAC_SHOP_KEY"), "\(shown.out)")
    try await almanac.run("sync", exits: 0)
    _ = try almanac.file("sources/shop.json", text.replacing("127.0.0.1", with: "localhost"))
    try await almanac.run("sync", exits: 77, err: "source trust shop")
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file(
      "config.json", #"{"servers": {"shop": {"url": "\#(server.url)/v1"}}, "follows": [{"follow": "shop/all"}]}"#)
    let trusted = try await almanac.run("source", "trust", "shop")
    #expect(trusted.out.contains("the key of shop goes to \(server.url)\n"), "\(trusted.out)")
    try await almanac.run("sync", exits: 0)
  }

  @Test("a proposal sends the key that is piped or in a variable, and neither prints nor keeps it")
  func proposalWithKey() async throws {
    let server = try Self.server()
    var almanac = try scene(server)
    defer { almanac.clean(); server.stop() }
    almanac.environment["SHOP_SECRET"] = Self.key
    let new = ["source", "new", server.url + "/v1/things", "--name", "other"]
    try await almanac.run(new, exits: 77, err: "--auth bearer", "--from FILE.har")
    try await almanac.run(new + ["--auth", "bear"], exits: 64)
    try await almanac.run(new + ["--auth", "bearer", "--key-env", "NO_SUCH"], exits: 64)
    try await almanac.run(
      new + ["--auth", "header X-Api-Key", "--key-env", "SHOP_SECRET"], exits: 77, err: "how the API wants it")
    let har = almanac.folder + "/run.har"
    let proposed = try await almanac.run(
      new + ["--auth", "bearer", "--key-env", "SHOP_SECRET", "--record", har], exits: 0, out: #""auth": "bearer""#)
    let recording = try contents(har)
    #expect(![proposed.out, proposed.err, recording].contains { $0.contains(Self.key) })
  }

  @Test("the key of a source without auth is kept outside the config file, and what edits lack is said")
  func withoutAuth() async throws {
    let server = try Self.server()
    let text = Self.definition(server).replacing(#", "auth": {"kind": "bearer"}"#, with: "")
      .replacing(
        #""follows":"#,
        with: #""edits": {"things": {"read": "/{id}", "update": {"put": "/{id}", "send": {"n": "name"}}}}, "follows":"#)
    let almanac = try scene(server, text)
    defer { almanac.clean(); server.stop() }
    try await almanac.run("config", "set", "servers.shop.apiKey", input: "k-secret\n", exits: 0)
    let config = try contents(almanac.folder + "/config.json")
    #expect(!config.contains("k-secret") && config.contains("keys/shop"), "\(config)")
    let check = try await almanac.run("config", "check")
    #expect((check.out + check.err).contains(#""auth" in its definition"#), "\(check)")
    // The failure of a sync makes the store.
    _ = try await almanac.run("sync")
    try await almanac.run("edit", "things", "--new", "--set", "name=x", exits: 64, err: #"has no "create""#)
  }

  @Test("check, add and try warn of a text that looks like a path, and try of one that every record has")
  func warnings() async throws {
    let server = try Self.server()
    let text = Self.definition(server).replacing("text $.fields.Name", with: "text fields.Name")
    let almanac = try scene(server, text)
    defer { almanac.clean(); server.stop() }
    try await almanac.run(
      "source", "check", "shop", exits: 0, out: "shop.json:3:", ": warning: collections.things.fields.name:")
    let list = try await almanac.records("source", "check", "shop")
    #expect((list.first?["warnings"] as? [[String: Any]])?.first?["line"] as? Int == 3, "\(list)")
    try await almanac.run(
      "source", "try", "shop/all", exits: 0, err: "write $.fields.Name", "every record has the same name, 'fields.Name'"
    )
  }
}
