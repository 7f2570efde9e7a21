import AlmanacTesting
import CLibrary
import Foundation
import Models
import Synchronization
import Testing

@testable import almanacd

/// The status codes of the API: what is wrong decides them, and the description names each of them.
@Suite struct StatusCodeTests {
  /// A body that each route with one accepts, by method and path.
  private static let bodies = [
    "POST /api/v1/follows": #"{"follow": "users/bo"}"#, "POST /api/v1/collections/{name}": #"{"firstName": "Ada"}"#,
    "PATCH /api/v1/collections/{name}/**": #"{"firstName": "Ada"}"#,
    "POST /api/v1/outbox/{id}/resolve": #"{"take": "mine"}"#,
    "POST /api/v1/tokens": #"{"name": "grafana", "rights": "read"}"#,
    "POST /api/v1/notifications/test": #"{"receiver": "phone"}"#,
  ]

  /// The parameters that a route cannot do without.
  private static let queries = [
    "/api/v1/charts/top": "?chart=app-store/us/top-paid", "/api/v1/charts/movers": "?chart=app-store/us/top-paid",
    "/api/v1/charts/history": "?app=1", "/api/v1/media": "?url=https://example.org/a.png",
  ]

  /// Asks every route of the API; the answers by method and path. The client compares each status with the description.
  private static func all(_ client: WebClient, pages: Bool = true) async throws -> [(name: String, WebClient.Reply)] {
    var replies: [(String, WebClient.Reply)] = []
    for (method, path, route) in AccessTests.requests(try Routes.all()) {
      // It ends all access, or never ends.
      if ["/api/v1/token-rotations", "/api/v1/events", "/login"].contains(route.path) { continue }
      let isForm = route.content.isForm
      if isForm || route.access == .page, !pages { continue }
      let body =
        method == "GET" ? nil : isForm ? "follow=users/bo&id=x&tag=y" : Self.bodies["\(method) \(route.path)"] ?? "{}"
      var headers = ["Accept": route.access == .page ? "text/html" : "application/json"]
      if body != nil { headers["Content-Type"] = isForm ? Route.Content.form.rawValue : "application/json" }
      let reply = try await client.send(method, path + (Self.queries[route.path] ?? ""), headers: headers, body: body)
      replies.append(("\(method) \(route.path)", reply))
    }
    return replies
  }

  @Test("a store whose files cannot be read: 503 with the reason from every route that reads it, and no 500")
  func unreadable() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    _ = try program.file("config.json", #"{"follows": [{"follow": "users/ada"}, {"follow": "app-store/us/top-paid"}]}"#)
    // The permissions of files mean nothing to root, unless it gives that right up.
    let unprivileged = getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search --" : ""
    async let ended = program.shell(
      "exec \(unprivileged) \"$PROGRAM\" --config config.json --listen 127.0.0.1:0")
    let (client, pid, _) = try await Daemon.started(in: program)
    #expect(try await client.post("/api/v1/collections/people", #"{"firstName": "Bo"}"#).status == 201)
    let files = try FileManager.default.contentsOfDirectory(atPath: program.store).map { program.store + "/" + $0 }
    for file in files + [program.store] { #expect(chmod(file, 0) == 0) }
    let replies = try await Self.all(client)
    let wrong = replies.filter { $0.1.status == 500 }.map { "\($0.name): \($0.1.body.prefix(200))" }
    #expect(wrong.isEmpty, "\(wrong)")
    let refused = replies.filter { $0.1.status == 503 }
    // What the daemon has read already it can still answer.
    let status = replies.first { $0.name == "GET /api/v1/status" }?.1
    #expect(status?.status == 200 && status?.body.contains(#""part":"store","message":"cannot"#) == true)
    for name in ["POST /api/v1/collections/{name}", "POST /api/v1/sync"] {
      #expect(refused.contains { $0.name == name }, "\(name): \(replies.filter { $0.name == name })")
    }
    for (name, reply) in refused where name.contains("/api/") {
      #expect(reply.body.contains("cannot") || reply.body.contains("moved"), "\(name): \(reply.body)")
    }
    // What was typed is not lost.
    let form = try await client.send(
      "POST", "/do/people/add", headers: ["Content-Type": Route.Content.form.rawValue, "Accept": "text/html"],
      body: "firstName=Grace")
    #expect(form.status == 503 && form.body.contains("value=\"Grace\""), "\(form.status) \(form.body)")
    for file in [program.store] + files { #expect(chmod(file, 0o700) == 0) }
    while try await client.get("/readyz").status != 200 {}
    #expect(try await client.get("/api/v1/status").status == 200)
    kill(pid, SIGTERM)
    #expect(try await ended.status == 0)
  }

  @Test("while the config has a mistake, every route that writes it answers 409 with the mistake and its place")
  func configMistake() async throws {
    let (daemon, client) = try await Daemon(follows: ["users/ada"]).withClient
    try daemon.write(config: "{\"follows\": [{\"follow\": \"users/ada\"}],\n\"folows\": []}")
    try await daemon.log(holds: "the new config is refused")
    for (method, path, body) in [
      ("POST", "/api/v1/follows", #"{"follow": "users/bo"}"#), ("DELETE", "/api/v1/follows/users/ada", nil),
    ] {
      let reply = try await client.send(
        method, path, headers: body == nil ? [:] : ["Content-Type": "application/json"], body: body)
      #expect(
        reply.status == 409 && reply.body.contains(":2:1: folows"),
        "\(method): \(reply.status) \(reply.body)")
    }
    for action in ["follow", "unfollow", "pause"] {
      let reply = try await client.send(
        "POST", "/do/\(action)", headers: ["Content-Type": Route.Content.form.rawValue, "Accept": "text/html"],
        body: "follow=users/ada")
      #expect(
        reply.status == 409 && reply.body.contains(":2:1: folows"),
        "\(action): \(reply.status) \(reply.body)")
    }
  }

  @Test(
    "what is wrong decides the status",
    arguments: [
      (Failure(.store, .inputOutput, "x", code: .store(.cannotRead)), 503), (Failure(.store, .cannotCreate, "x"), 503),
      (Failure(.store, .inputOutput, "x", code: .store(.full)), 507),
      (Failure(.store, .inputOutput, "x", code: .store(.damaged)), 503),
      (Failure(.store, .tryLater, "x", code: .store(.busy)), 503),
      (Failure(.config, .config, "x", code: .own(.config)), 409),
      (Failure(.config, .cannotCreate, "x"), 409), (Failure(.config, .inputOutput, "x"), 409),
      (Failure(.config, .inputOutput, "x", code: .store(.full)), 507), (Failure(.config, .usage, "x"), 422),
      (Failure(.transport, .unavailable, "x"), 502), (Failure(.transport, .internalFault, "x"), 500),
    ])
  func table(failure: Failure, status: Int) { #expect(Problem(failure).fields["status"]?.int == status) }
}
