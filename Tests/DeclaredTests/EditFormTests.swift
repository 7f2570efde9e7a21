import AlmanacTesting
import Declared
import Foundation
import Library
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A server with one kind of record, an engine, a library and a store in memory.
private final class Remote: BenchServer {
  struct State {
    var records: [ExactString: JSONObject] = [:]
    var version = 10
    var sent: [HTTPRequest] = []
  }

  typealias Answer = (status: Int, body: JSONValue?, headers: HTTPHeaders)

  let state = Mutex(State())
  let bench: DeclaredBench
  let collection: CollectionName
  private let answer: @Sendable (HTTPRequest, JSONValue, inout State) -> Answer

  init(
    _ definition: String, with: [ExactString: String] = [:], records: [ExactString: JSONObject],
    answer: @escaping @Sendable (HTTPRequest, JSONValue, inout State) -> Answer
  ) throws {
    var server = Settings.Server()
    server.with = with
    bench = try DeclaredBench(definition, settings: server, key: .given("k3y", from: "a test"))
    collection = bench.source.descriptor.collections[0].name
    self.answer = answer
    state.withLock { $0.records = records }
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    state.withLock { $0.sent = [] }
    return try await bench.sync("\(source.name)/all", over: self)
  }

  /// The changes of the last sync: `POST /customers/7 name=Ada`.
  var changes: [String] {
    state.withLock { $0.sent }.filter { $0.method != .get }.map { request in
      let body = request.body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
      let path = request.url.dropFirst("https://".count).drop { $0 != "/" }
      return "\(request.method.rawValue) \(path)\(body)"
    }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      state.sent.append(request)
      let text = Array(#"{"v": "#.utf8) + (request.body ?? []) + [0x7D]
      let (status, body, headers) = answer(request, (try? coder.decode(text))?["v"] ?? .null, &state)
      return HTTPResponse(status: status, headers: headers, body: body.map { coder.encode($0) } ?? [], url: request.url)
    }
  }

  func record(_ id: String) throws -> JSONObject { try coder.decode(try library.record(collection, id)) }

  func edit(_ id: String, _ changes: FieldChange...) async throws {
    _ = try await library.edit(collection, id, changes)
  }

  /// The last part of an address.
  static func id(_ request: HTTPRequest) -> ExactString {
    String(request.url.prefix { $0 != "?" }.split(separator: "/").last ?? "").exact
  }
}

/// Edits in the forms of APIs that take neither JSON of their fields nor entity tags.
@Suite("Declared sources: edits in other forms")
struct EditFormTests {
  // MARK: Stripe: forms, an idempotency key, objects that are marked as deleted

  private static let stripe = """
    {
      "almanac": 1, "source": "stripe", "url": "https://api.stripe.com/v1", "auth": "bearer",
      "headers": {"Stripe-Version": "2025-01-27.acacia"},
      "errors": [{"status": 200, "if": {"$.deleted": true}, "means": "gone"}],
      "collections": {"customers": {"id": "$.id", "fields": {
        "name": "text? $.name", "email": "text? $.email", "phone": "text? $.phone", "balance": "int? $.balance",
        "address": {"city": "text? $.address.city"}, "locales": "list(text)? $.preferred_locales"
      }}},
      "follows": {"all": {"get": "/customers{?limit}", "limit": 100, "take": {"records": "$.data", "into": "customers"}}},
      "edits": {"customers": {
        "read": "/customers/{id}", "delete": "/customers/{id}",
        "update": {"post": "/customers/{id}", "form": {
          "name": "name", "email": "email", "phone": "phone", "balance": "balance", "address": {"city": "address.city"},
          "preferred_locales": "locales", "metadata": {"by": "'almanac'"}, "validate": true}},
        "create": {"post": "/customers", "key": "Idempotency-Key", "form": {"name": "name", "email": "email"}}
      }}
    }
    """

  private static func stripeServer() throws -> Remote {
    try Remote(
      stripe,
      records: [
        "cus_7": ["id": "cus_7", "name": "Ada", "email": "a@x.example", "address": ["city": "Rome"]],
        "cus_8": ["id": "cus_8", "name": "Bob"],
      ]
    ) { request, _, state in
      #expect(request.headers["Stripe-Version"] != nil && request.headers["Authorization"] == "Bearer k3y")
      let id = Remote.id(request)
      if request.method == .get, id == "customers" {
        let all = state.records.sorted { $0.key < $1.key }.map { JSONValue.object($0.value) }
        return (200, ["object": "list", "data": .array(all)], [:])
      }
      guard request.method != .post else {
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let key = request.headers["Idempotency-Key"] ?? ""
        let isNew = id == "customers"
        let own = isNew ? "cus_\(key.count)" : id.description
        var record = state.records[own.exact] ?? ["id": .string(own)]
        for pair in String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&") {
          let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map {
            $0.replacing("+", with: " ").removingPercentEncoding ?? ""
          }
          // An empty text unsets a value.
          if ["name", "email", "phone"].contains(parts[0]) {
            record[parts[0]] = parts[1].isEmpty ? .null : .string(parts[1])
          }
          if parts[0] == "address[city]" { record["address"] = ["city": .string(parts[1])] }
        }
        state.records[own.exact] = record
        return (200, .object(record), [:])
      }
      guard let record = state.records[id] else { return (404, ["error": ["message": "No such customer"]], [:]) }
      if request.method == .delete { state.records[id] = ["id": .string(id.description), "deleted": true] }
      return (200, .object(state.records[id] ?? record), [:])
    }
  }

  @Test("Stripe: changes, new customers and removals are sent as forms")
  func forms() async throws {
    let stripe = try Self.stripeServer()
    try await stripe.sync()
    try await stripe.edit(
      "cus_7", .init("name", "Ada L&L"), .init("email", nil), .init("address.city", "Turin"),
      .init("locales", #"["it"]"#))
    var report = try await stripe.sync()
    #expect(report.outbox.sent == 1 && report.outbox.pending == 0, "\(report.outbox)")
    let body =
      "name=Ada%20L%26L&email=&address%5Bcity%5D=Turin&preferred_locales%5B%5D=it&metadata%5Bby%5D=almanac&validate=true"
    #expect(stripe.changes == ["POST /v1/customers/cus_7 \(body)"])
    #expect(stripe.state.withLock { $0.records["cus_7"]?["address"] } == ["city": "Turin"])
    let id = try #require(try await stripe.library.add(stripe.collection, [.init("name", "Eve")])["id"]?.string)
    report = try await stripe.sync()
    #expect(report.outbox.sent == 1, "\(report.outbox)")
    #expect(stripe.changes == ["POST /v1/customers name=Eve"])
    #expect(try stripe.record(id)["name"] == "Eve")
    try await stripe.library.remove(stripe.collection, "cus_8")
    report = try await stripe.sync()
    #expect(stripe.changes == ["DELETE /v1/customers/cus_8"] && report.outbox.sent == 1, "\(report.outbox)")
    // What the server says is deleted is no record, and is not changed.
    stripe.state.withLock { $0.records["cus_7"] = ["id": "cus_7", "deleted": true] }
    try await stripe.edit("cus_7", .init("name", "Late"))
    try await stripe.sync()
    #expect(stripe.changes.isEmpty)
  }

  // MARK: Zotero: versions in header fields of its own, lists of new items, a write token

  private static let zotero = """
    {
      "almanac": 1, "source": "zotero", "url": "https://api.zotero.org", "headers": {"Zotero-API-Version": "3"},
      "auth": {"headers": {"Zotero-API-Key": "{key}"}}, "with": {"library": {"about": "your number"}},
      "errors": [{"status": 200, "if": {"$.failed['0'].code": true}, "means": "refused", "message": "$.failed['0'].message"}],
      "collections": {"items": {"id": "$.key", "fields": {
        "title": "text? $.data.title", "kind": "text $.data.itemType", "note": "text? $.data.note"}}},
      "follows": {"all": {"get": "/users/{library}/items", "take": {"into": "items"}}},
      "edits": {"items": {
        "read": "/users/{library}/items/{id}", "delete": "/users/{library}/items/{id}",
        "version": "header Last-Modified-Version",
        "headers": {"If-Unmodified-Since-Version": "{version}", "Zotero-Write-Token": "{key}"},
        "update": {"patch": "/users/{library}/items/{id}", "send": {"title": "title", "note": "note"}},
        "create": {"post": "/users/{library}/items", "send": [{"itemType": "'document'", "title": "title", "tags": []}],
          "record": "$.successful['0']"}
      }}
    }
    """

  private static func zoteroServer() throws -> Remote {
    try Remote(
      zotero, with: ["library": "42"],
      records: ["AAAA": ["key": "AAAA", "version": 7, "data": ["title": "Notes", "itemType": "book"]]]
    ) { request, body, state in
      #expect(request.url.hasPrefix("https://api.zotero.org/users/42/items"))
      let id = Remote.id(request)
      let library: HTTPHeaders = ["Last-Modified-Version": "\(state.version)"]
      if id == "items", request.method == .get {
        return (200, .array(state.records.values.map { .object($0) }), library)
      }
      if id == "items" {
        #expect(request.headers["Zotero-Write-Token"]?.count ?? 0 >= 5)
        guard let new = body.array?.first?.object, new["title"] != "Bad" else {
          return (
            200, ["successful": [:], "failed": ["0": ["code": 400, "message": "'Bad' is not a title"]]], library
          )
        }
        state.version += 1
        let record: JSONObject = ["key": "NEW1", "version": .int(state.version), "data": .object(new)]
        state.records["NEW1"] = record
        return (200, ["successful": ["0": .object(record)], "failed": [:]], library)
      }
      guard var record = state.records[id] else { return (404, nil, [:]) }
      let own = record["version"]?.int ?? 0
      if request.method == .get { return (200, .object(record), ["Last-Modified-Version": "\(own)"]) }
      guard let since = request.headers["If-Unmodified-Since-Version"].flatMap({ Int($0) }) else {
        return (428, nil, [:])
      }
      guard own <= since else { return (412, nil, [:]) }
      state.version += 1
      if request.method == .delete {
        state.records[id] = nil
        return (204, nil, [:])
      }
      var data = record["data"]?.object ?? [:]
      for member in body.object?.members ?? [] { data[member.key] = member.value }
      (record["data"], record["version"]) = (.object(data), .int(state.version))
      state.records[id] = record
      return (204, nil, ["Last-Modified-Version": "\(state.version)"])
    }
  }

  @Test("Zotero: the version is sent in the header field of the API, and nothing newer is overwritten")
  func versions() async throws {
    let zotero = try Self.zoteroServer()
    try await zotero.sync()
    try await zotero.edit("AAAA", .init("title", "Notes I"))
    var report = try await zotero.sync()
    #expect(report.outbox.sent == 1, "\(report.outbox)")
    #expect(zotero.changes == [#"PATCH /users/42/items/AAAA {"title":"Notes I"}"#])
    // The version of the answer guards the next change, without a read.
    try await zotero.edit("AAAA", .init("title", "Notes II"))
    try await zotero.sync()
    #expect(zotero.state.withLock { $0.sent }.filter { Remote.id($0) == "AAAA" }.map(\.method) == [.patch])
    // Another client changes another field, and then the same one.
    zotero.state.withLock { state in
      state.version += 1
      state.records["AAAA"]?["version"] = .int(state.version)
      state.records["AAAA"]?["data"] = ["title": "Notes II", "itemType": "book", "note": "theirs"]
    }
    try await zotero.edit("AAAA", .init("title", "Notes III"))
    try await zotero.sync()
    try await zotero.sync()
    let data = zotero.state.withLock { $0.records["AAAA"]?["data"]?.object }
    #expect(data?["title"] == "Notes III" && data?["note"] == "theirs", "\(String(describing: data))")
    zotero.state.withLock { state in
      state.version += 1
      state.records["AAAA"]?["version"] = .int(state.version)
      state.records["AAAA"]?["data"] = ["title": "Theirs", "itemType": "book"]
    }
    try await zotero.edit("AAAA", .init("title", "Mine"))
    report = try await zotero.sync()
    #expect(report.outbox.conflicts.count == 1, "\(report.outbox)")
    #expect(zotero.state.withLock { $0.records["AAAA"]?["data"]?.object?["title"] } == "Theirs")
  }

  @Test("Zotero: a new item is sent in a list, with constants and a write token; a removal with the version")
  func newItems() async throws {
    let zotero = try Self.zoteroServer()
    try await zotero.sync()
    let id = try #require(try await zotero.library.add(zotero.collection, [.init("title", "New")])["id"]?.string)
    var report = try await zotero.sync()
    #expect(report.outbox.sent == 1, "\(report.outbox)")
    #expect(zotero.changes == [#"POST /users/42/items [{"itemType":"document","title":"New","tags":[]}]"#])
    #expect(try zotero.record(id)["kind"] == "document")
    try await zotero.library.remove(zotero.collection, "AAAA")
    report = try await zotero.sync()
    #expect(report.outbox.sent == 1 && zotero.state.withLock { $0.records["AAAA"] } == nil, "\(report.outbox)")
    _ = try await zotero.library.add(zotero.collection, [.init("title", "Bad")])
    report = try await zotero.sync()
    #expect(report.outbox.refused == 1, "\(report.outbox)")
  }

  // MARK: GitHub: mutations of its GraphQL API

  private static let github = """
    {
      "almanac": 1, "source": "hub", "url": "https://api.github.com", "auth": "bearer",
      "errors": [
        {"status": 200, "if": {"$.errors[0].type": "NOT_FOUND"}, "means": "notFound"},
        {"status": 200, "if": {"$.errors": true}, "means": "refused", "message": "$.errors[0].message"}
      ],
      "collections": {"issues": {"id": "$.id", "fields": {
        "title": "text $.title", "text": "text? $.body", "repository": "text $.repository.id"}}},
      "follows": {"all": {"post": "/graphql", "body": {"query": "query list {{ viewer {{ issues {{ nodes {{ id }} }} }} }}"},
        "take": {"records": "$.data.viewer.issues.nodes", "into": "issues"}}},
      "edits": {"issues": {
        "read": {"post": "/graphql", "body": {
          "query": "query read($id: ID!) {{ node(id: $id) {{ id ... on Issue {{ title body }} }} }}",
          "variables": {"id": "{id}"}}},
        "record": "$.data.node",
        "update": {"post": "/graphql", "send": {
          "query": "'mutation update($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { id title body } } }'",
          "variables": {"input": {"id": "id", "title": "title", "body": "text"}}}},
        "create": {"post": "/graphql", "record": "$.data.createIssue.issue",
          "find": {"get": "/search?ref={key}"},
          "send": {"query": "'mutation create'", "variables": {"input": {
            "repositoryId": "repository", "title": "title", "clientMutationId": "{key}"}}}},
        "delete": {"post": "/graphql", "send": {"query": "'mutation remove'", "variables": {"input": {"issueId": "id"}}}}
      }}
    }
    """

  private static func githubServer() throws -> Remote {
    try Remote(
      github, records: ["I_7": ["id": "I_7", "title": "Crash", "body": "It does.", "repository": ["id": "R_1"]]]
    ) { request, body, state in
      #expect(request.method == .post && request.url == "https://api.github.com/graphql")
      let query = body.object?["query"]?.string ?? ""
      let variables = body.object?["variables"]?.object ?? [:]
      let input = variables["input"]?.object ?? [:]
      let missing: Remote.Answer = (
        200, ["data": ["node": .null], "errors": [["type": "NOT_FOUND", "message": "Could not resolve to a node"]]], [:]
      )
      switch query.split(separator: "(").first?.split(separator: " ").prefix(2).joined(separator: " ") {
      case "query list":
        return (200, ["data": ["viewer": ["issues": ["nodes": .array(state.records.values.map { .object($0) })]]]], [:])
      case "query read":
        guard let id = variables["id"]?.string, let record = state.records[id.exact] else { return missing }
        return (200, ["data": ["node": .object(record)]], [:])
      case "mutation update":
        guard let id = input["id"]?.string, var record = state.records[id.exact] else { return missing }
        if input["title"] == "" {
          return (200, ["errors": [["type": "UNPROCESSABLE", "message": "Title is blank"]]], [:])
        }
        for member in input.members { record[member.key] = member.value }
        state.records[id.exact] = record
        return (200, ["data": ["updateIssue": ["issue": .object(record)]]], [:])
      case "mutation create":
        let record: JSONObject = [
          "id": "I_8", "title": input["title"] ?? .null, "repository": ["id": input["repositoryId"] ?? .null],
        ]
        state.records["I_8"] = record
        return (200, ["data": ["createIssue": ["issue": .object(record)]]], [:])
      case "mutation remove":
        guard let id = input["issueId"]?.string, state.records[id.exact] != nil else { return missing }
        state.records[id.exact] = nil
        return (200, ["data": ["deleteIssue": ["clientMutationId": .null]]], [:])
      default: return (200, ["errors": [["type": "UNKNOWN", "message": .string(query)]]], [:])
      }
    }
  }

  @Test("GitHub: changes, new issues and removals are mutations")
  func mutations() async throws {
    let github = try Self.githubServer()
    try await github.sync()
    try await github.edit("I_7", .init("title", "Crash at start"), .init("text", nil))
    var report = try await github.sync()
    #expect(report.outbox.sent == 1, "\(report.outbox)")
    #expect(github.changes.last?.contains(#""variables":{"id":"I_7"}"#) == true, "\(github.changes)")
    #expect(
      github.changes.contains {
        $0.hasSuffix(#""variables":{"input":{"id":"I_7","title":"Crash at start","body":null}}}"#)
          && $0.contains("updateIssue(input: $input) { issue {")
      }, "\(github.changes)")
    let id = try #require(
      try await github.library.add(github.collection, [.init("title", "New"), .init("repository", "R_1")])["id"]?.string
    )
    report = try await github.sync()
    #expect(report.outbox.sent == 1 && github.state.withLock { $0.records["I_8"] } != nil, "\(report.outbox)")
    #expect(try github.record(id)["title"] == "New")
    try await github.library.remove(github.collection, "I_7")
    report = try await github.sync()
    #expect(report.outbox.sent == 1 && github.state.withLock { $0.records["I_7"] } == nil, "\(report.outbox)")
    // Removed at the server meanwhile.
    github.state.withLock { $0.records["I_8"] = nil }
    try await github.edit(id, .init("title", "Late"))
    report = try await github.sync()
    #expect(report.outbox.sent == 0 && github.changes.allSatisfy { !$0.contains("mutation") }, "\(github.changes)")
  }
}
