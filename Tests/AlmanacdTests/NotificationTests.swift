import AlmanacTesting
import CLibrary
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Synchronization
import Testing
import UpstreamKit

/// Notifications of the running daemon.
@Suite("Notifications of the daemon")
struct NotificationTests {
  private struct Message: Sendable {
    var id: String
    var body: String
  }

  private final class Received: Sendable {
    let messages = Mutex<[Message]>([])
    let process = Mutex<Running?>(nil)
    var ids: [String] { messages.withLock { $0.map(\.id) } }

    func add(_ request: ReceivedRequest) {
      let id = request.headers["webhook-id"] ?? ""
      messages.withLock { $0.append(Message(id: id, body: String(decoding: request.body, as: UTF8.self))) }
    }
  }

  private static func config(_ targets: String, more: String = "") -> String {
    #"{"daemon": {"notifications": [\#(targets)]\#(more)}}"#
  }

  @Test(
    "a daemon that is killed between a request and its answer sends the same message again, with the same id",
    .timeLimit(.minutes(5)))
  func killed() async throws {
    let received = Received()
    let server = try LocalServer { request in
      received.add(request)
      // The first one is killed while the receiver has the message and it does not know.
      received.process.withLock { process in
        process?.signal(SIGKILL)
        process = nil
      }
      return Reply(status: 204)
    }
    defer { server.stop() }
    let target = #"{"name": "hook", "webhook": "\#(server.url)/hook", "secret": "s", "on": {"changes": ["people"]}}"#
    let daemon = try await Daemon(config: Self.config(target))
    // What was there before is not told.
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_notifications_waiting 0") }
    received.process.withLock { $0 = daemon.running }
    _ = try await daemon.client.post("/api/v1/collections/people", #"{"firstName":"Ada"}"#)
    await server.waitForRequests(1)
    _ = try await daemon.running.result()
    let again = try daemon.program.start([
      "--config", daemon.program.folder + "/config.json", "--listen", "127.0.0.1:0",
    ])
    await server.waitForRequests(2)
    again.signal(SIGTERM)
    _ = try await again.result()
    #expect(received.ids.count == 2 && received.ids[0].hasPrefix("msg_") && Set(received.ids).count == 1)
    let first = try #require(server.requests.first)
    #expect(first.headers["webhook-signature"]?.hasPrefix("v1,") == true)
    #expect(received.messages.withLock { $0[0].body }.contains(#""firstName":"Ada""#))
  }

  @Test("what waits is listed, and a test message is sent once, or refused with the reason")
  func testMessage() async throws {
    let received = Received()
    let server = try LocalServer { request in
      received.add(request)
      return Reply(status: 204)
    }
    defer { server.stop() }
    let down = try LocalServer { _ in Reply(status: 500) }
    defer { down.stop() }
    let daemon = try await Daemon(
      config: Self.config(
        [("up", server.url), ("down", down.url)].map { name, url in
          #"{"name": "\#(name)", "webhook": "\#(url)/hook", "on": {"changes": ["people"]}}"#
        }.joined(separator: ",")))
    let client = daemon.client
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_notifications_waiting 0") }
    let sent = try await client.post("/api/v1/notifications/test", #"{"receiver": "up"}"#)
    #expect(sent.status == 200 && received.messages.withLock { $0[0].body }.contains("A test by Almanac"), "\(sent)")
    let failed = try await client.post("/api/v1/notifications/test", #"{"receiver": "down"}"#)
    #expect(failed.status == 502 && failed.body.contains("500"), "\(failed.body)")
    let unknown = try await client.post("/api/v1/notifications/test", #"{"receiver": "phone"}"#)
    #expect(unknown.status == 404 && unknown.body.contains("there are: up, down"), "\(unknown.body)")
    #expect(try await client.post("/api/v1/notifications/test", "{}").status == 422)
    // A test is not kept; a message that its receiver did not take is.
    #expect(try await client.get("/api/v1/notifications").list("items").isEmpty)
    _ = try await client.post("/api/v1/collections/people", #"{"firstName":"Ada"}"#)
    let waiting = try await daemon.eventually("/api/v1/notifications") {
      let items = try $0.list("items")
      return items.count == 1 && items[0]["attempts"] as? Int ?? 0 > 0
    }
    let item = try #require(waiting.list("items").first)
    #expect(item["target"] as? String == "down" && item["error"] is String && item["next"] is String, "\(item)")
    #expect(try waiting.object()["receivers"] as? [String] == ["up", "down"])
    let states = try waiting.list("states")
    #expect(states[0]["lastDelivery"] != nil && states[1]["lastDelivery"] == nil, "\(states)")
    #expect(states.map { $0["receiver"] as? String } == ["up", "down"])
    #expect(states.map { $0["waiting"] as? Int } == [0, 1])
    #expect(states[0]["error"] == nil && (states[1]["error"] as? String)?.contains("500") == true, "\(states)")
    let page = try await client.get("/activity").body
    #expect(page.contains(#"action="/do/receivers/down/test""#) && page.contains(">failing<"))
    for name in ["up", "down"] {
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let pressed = try await client.send("POST", "/do/receivers/\(name)/test", headers: form, body: "")
      #expect(pressed.status == 303)
      let answer = try await client.get(pressed.headers["location"]?.prefix { $0 != "#" }.description ?? "").body
      #expect(answer.contains("has accepted a test message") == (name == "up"), "\(name)")
    }
    try await daemon.stop()
    // After two more attempts it is a problem for the terminal as well.
    let (store, coder) = (try JSONFileStore(folder: daemon.program.store), JSONRecordCoder())
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      var deliveries: [JSONObject] = []
      try transaction.scan(.state, ScanRange(prefix: "notify/delivery/")) { (bytes: RawSpan) throws(StoreError) in
        deliveries.append(try coder.object(bytes, of: .state))
        return .next
      }
      for var delivery in deliveries {
        delivery["attempts"] = 3
        try transaction.put(coder.encode(delivery), id: delivery["id"]?.string ?? "", in: .state)
      }
      return true
    }
    let program = daemon.program
    let command =
      "ALMANAC_CONFIG='\(program.folder)/config.json' '\(program.beside("almanac"))' status --store '\(program.store)'"
    let doctor = try await program.shell(command.replacing("' status --store", with: "' doctor --store") + "; echo $?")
    #expect("\(doctor)".contains("down does not accept notifications: ") && doctor.out.hasSuffix("75\n"), "\(doctor)")
    let status = try await program.shell("\(command); \(command) --format json; \(command) --check --quiet; echo $?")
    #expect(status.out.contains("notifications: down does not accept notifications: "), "\(status.out)")
    #expect(status.out.contains(#""part":"notifications""#) && status.out.hasSuffix("75\n"), "\(status.out)")
  }

  @Test("a test of a receiver that never answers ends after a few seconds, on the page and in the API")
  func silentTest() async throws {
    let silent = try LocalServer { _ in .hang }
    defer { silent.stop() }
    let daemon = try await Daemon(
      config: Self.config(
        #"{"name": "silent", "webhook": "\#(silent.url)/hook", "on": {"changes": ["people"]}}"#))
    let client = daemon.client
    let begun = Date()
    async let answer = client.post("/api/v1/notifications/test", #"{"receiver": "silent"}"#)
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    let pressed = try await client.send("POST", "/do/receivers/silent/test", headers: form, body: "")
    let refused = try await answer
    #expect(Date().timeIntervalSince(begun) < 20)
    #expect(refused.status == 502 && refused.body.contains(#""code":"timeout""#), "\(refused.body)")
    let page = try await client.get(pressed.headers["location"]?.prefix { $0 != "#" }.description ?? "").body
    #expect(page.contains("did not accept the test: it did not answer within 5 s"), "\(pressed)")
    #expect(try await daemon.stop().status == 0)
  }

  @Test("a receiver that never answers delays no other one")
  func silentReceiver() async throws {
    let received = Received()
    let server = try LocalServer { request in
      received.add(request)
      return Reply(status: 204)
    }
    defer { server.stop() }
    let silent = try LocalServer { _ in .hang }
    defer { silent.stop() }
    let targets = [("silent", silent.url), ("quick", server.url)].map { name, url in
      #"{"name": "\#(name)", "webhook": "\#(url)/hook", "on": {"changes": ["people"]}}"#
    }
    let daemon = try await Daemon(config: Self.config(targets.joined(separator: ",")))
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_notifications_waiting 0") }
    for (count, name) in ["Ada", "Bo", "Cy"].enumerated() {
      _ = try await daemon.client.post("/api/v1/collections/people", #"{"firstName":"\#(name)"}"#)
      await server.waitForRequests(count + 1)
      let metrics = try await daemon.client.get("/metrics").body
      #expect(!metrics.contains(#"target="silent""#), "the message came only after the silent receiver had failed")
    }
  }

  @Test("a message is handed to the sendmail program, and a receiver that fails is a problem on the page")
  func mail() async throws {
    let down = try LocalServer { _ in Reply(status: 500) }
    defer { down.stop() }
    let program = try Program("almanacd")
    let script = try program.file(
      "sendmail", "#!/bin/sh\necho \"$@\" > \(program.folder)/arguments\ncat > \(program.folder)/mail\n")
    chmod(script, 0o755)
    defer { program.clean() }
    let targets = """
      {"name": "mail", "mail": "me@example.org", "on": {"birthdays": [0, 1, 2], "changes": ["people"]}},
      {"name": "down", "webhook": "\(down.url)/x?key=geheim", "on": {"changes": ["people"]}}
      """
    let daemon = try await Daemon(config: Self.config(targets, more: #", "sendmail": "\#(script)""#))
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_notifications_waiting 0") }
    _ = try await daemon.client.post("/api/v1/collections/people", #"{"firstName":"Zoe"}"#)
    _ = try await daemon.eventually("/metrics") {
      $0.body.contains(#"almanac_notifications_total{target="mail",result="sent"} 1"#)
        && $0.body.contains(#"almanac_notifications_total{target="down",result="failed"} "#)
        && $0.body.contains("almanac_notifications_waiting 1\n")
    }
    let mail = try String(contentsOfFile: program.folder + "/mail", encoding: .utf8)
    #expect(mail.hasPrefix("To: me@example.org\nSubject: changed: Zoe (people)\n"), "\(mail)")
    #expect(mail.contains("Message-ID: <msg_"))
    #expect(try String(contentsOfFile: program.folder + "/arguments", encoding: .utf8) == "-i -- me@example.org\n")
    let log = try await daemon.log(holds: "a notification waits")
    #expect(log.contains("target=down") && !log.contains("geheim"), "\(log)")
  }

  @Test("a collection that does not exist is named with its line, at the start and after a reload")
  func unknownCollection() async throws {
    func config(_ names: String) -> String {
      Self.config("\n" + #"{"name": "a", "mail": "x@y", "on": {"changes": [\#(names)]}}"#)
    }
    let daemon = try await Daemon(config: config(#""people", "invoices""#))
    let log = try await daemon.log(holds: "there is no collection 'invoices'")
    #expect(log.contains("config.json:2:") && log.contains("path=daemon.notifications[0].on.changes[1]"), "\(log)")
    #expect(!log.contains("collection 'people'"))
    try daemon.write(config: config(#""bills""#))
    try await daemon.log(holds: "there is no collection 'bills'")
  }
}
