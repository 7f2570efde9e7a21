import AlmanacTesting
import Foundation
import Models
import Parsing
import Ports
import Testing
import UpstreamKit

@testable import almanacd

@Suite struct EventStreamTests {
  private static let person = #"{"firstName": "Grace", "lastName": "Hopper", "birthday": "1906-12-09"}"#

  private static func events(_ text: String) -> [(name: String, id: String, data: String)] {
    WebClient.Reply(text).body.components(separatedBy: "\n\n").compactMap { block in
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") {
        let sides = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if sides.count == 2 { fields[sides[0]] = sides[1] }
      }
      guard let name = fields["event"], let data = fields["data"] else { return nil }
      return (name, fields["id"] ?? "", data)
    }
  }

  @Test("a change that is made after a page was read, and before its stream begins, is in the stream")
  func pageAndStream() async throws {
    let client = try await Daemon(follows: []).client
    let page = try await client.get("/").body
    let since = try #require(page.components(separatedBy: "data-since=\"").dropFirst().first?.prefix { $0 != "\"" })
    _ = try await client.post("/api/v1/collections/people", Self.person)
    let text = try await client.stream("/api/v1/events?lastEventID=\(since)") {
    } until: {
      $0.contains("event: commit")
    }
    #expect(Self.events(text).contains { $0.name == "commit" && $0.data.contains("\"people\"") }, "\(text)")
  }

  @Test("commits and progress come as they happen, and a listener that was away goes on where it was")
  func resume() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    try await daemon.log(holds: "synced")
    let first = try await client.stream("/api/v1/events") {
      _ = try await client.post("/api/v1/collections/people", Self.person)
    } until: {
      $0.contains("event: commit") && $0.contains("\"people\"")
    }
    #expect(WebClient.Reply(first).headers["content-type"] == "text/event-stream")
    let commit = try #require(Self.events(first).first { $0.name == "commit" })
    #expect(commit.data.contains("\"op\":\"put\"") && commit.data.contains("\"collection\":\"people\""))
    // Nobody listens while this happens.
    let other = Self.person.replacing("Grace", with: "Brewster")
    let made = try await client.post("/api/v1/collections/people", other).object()["id"] as? String ?? ""
    let run = try await client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
    _ = try await daemon.eventually("/api/v1/runs/\(run)") { try $0.object()["state"] as? String == "done" }
    let second = try await client.stream("/api/v1/events", headers: ["Last-Event-ID": commit.id]) {
    } until: {
      $0.contains(made) && $0.contains("syncFinished")
    }
    let missed = Self.events(second)
    #expect(missed.contains { $0.name == "progress" && $0.data.contains("syncFinished") && $0.data.contains(run) })
    #expect(missed.contains { $0.name == "commit" && $0.data.contains(made) })
    #expect(!missed.contains { $0.id == commit.id })
    let numbers = missed.compactMap { $0.id.split(separator: "@")[0].split(separator: "-").last.flatMap { Int($0) } }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
  }

  @Test(
    "commits of another process appear, also those that were made while the daemon was away",
    .enabled(if: Daemon.hasCLI, "the CLI is not built beside the tests"))
  func otherProcess() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    @Sendable func add(_ name: String) async throws {
      let done = try await daemon.program.almanac("people add --first \(name) --last X --birthday=--12-09")
      #expect(done.status == 0, "\(done)")
    }
    try await add("Ada")
    let text = try await client.stream("/api/v1/events") {
      try await add("Bo")
    } until: {
      $0.contains("event: commit")
    }
    let commit = try #require(Self.events(text).first { $0.name == "commit" })
    try await daemon.stop()
    try await add("Cy")
    let again = try daemon.program.start(["--listen", "127.0.0.1:\(daemon.port)"])
    defer { again.signal(SIGKILL) }
    _ = try await Daemon.waitFor(again, again.errorPath, "listening")
    let resumed = try await client.stream("/api/v1/events", headers: ["Last-Event-ID": commit.id]) {
    } until: {
      $0.contains("event: ")
    }
    let missed = Self.events(resumed)
    #expect(missed.first?.name == "commit" && missed.first?.data.components(separatedBy: "\"op\"").count == 2)
  }

  @Test("an id that nobody knows gets a reset, and everything from then on")
  func reset() async throws {
    let client = try await Daemon(follows: []).client
    for id in ["nonsense", "00000000-5", "00000000-5@nonsense", "@"] {
      let text = try await client.stream("/api/v1/events", headers: ["Last-Event-ID": id]) {
      } until: {
        $0.contains("event: ")
      }
      #expect(Self.events(text).first?.name == "reset", "\(id)")
    }
  }

  @Test("listeners that went away leave room for others at once")
  func leaving() async throws {
    let daemon = try await Daemon(follows: [])
    for number in 0..<200 {
      let text = try await daemon.client.stream("/api/v1/events") {
      } until: {
        $0.contains("\nid: ")
      }
      #expect(text.hasPrefix("HTTP/1.1 200"), "\(number)")
      if !text.hasPrefix("HTTP/1.1 200") { break }
    }
  }

  @Test("a stream tells nothing after its token is revoked")
  func revoked() async throws {
    let client = try await Daemon(follows: []).client
    let made = try await client.post("/api/v1/tokens", #"{"name": "reader", "rights": "read"}"#)
    var reader = client
    reader.token = try made.object()["token"] as? String
    let text = try await reader.stream("/api/v1/events") {
      #expect(try await client.send("DELETE", "/api/v1/tokens/reader").status == 204)
      _ = try await client.post("/api/v1/collections/people", Self.person)
    } until: { _ in
      false
    }
    #expect(Self.events(text).isEmpty, "\(text)")
  }

  @Test("an answer that waits for a change says nothing after its token is revoked")
  func revokedWhileWaiting() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let made = try await client.post("/api/v1/tokens", #"{"name": "reader", "rights": "read"}"#)
    var reader = client
    reader.token = try made.object()["token"] as? String
    _ = try await client.post("/api/v1/collections/people", Self.person)
    let first = try await reader.get("/api/v1/changes")
    let next = try #require(try first.object()["next"] as? String, "\(first.body)")
    async let waiting = reader.get("/api/v1/changes?since=\(next)&wait=60")
    #expect(try await client.send("DELETE", "/api/v1/tokens/reader").status == 204)
    _ = try await client.post("/api/v1/collections/people", Self.person)
    #expect(try await waiting.status == 401)
  }

  @Test("a daemon that stops ends its streams at once")
  func stop() async throws {
    let daemon = try await Daemon(follows: [])
    let begun = ContinuousClock.now
    _ = try await daemon.client.stream("/api/v1/events") {
      try await daemon.stop()
    } until: { _ in
      false
    }
    #expect(ContinuousClock.now - begun < PromisedTime.bound(.seconds(5)))
  }
}

@Suite struct EventFeedTests {
  @Test("what happened after a number; what is too old is said to be missing")
  func items() throws {
    let feed = EventFeed(coder: JSONRecordCoder())
    #expect(feed.items(after: 0)?.isEmpty == true)
    for number in 0..<10 { feed.report(.warning(message: "\(number)")) }
    #expect(feed.items(after: 7)?.map(\.number) == [8, 9, 10])
    #expect(feed.items(after: 10)?.isEmpty == true)
    for _ in 0..<EventFeed.mostItems { feed.report(.warning(message: "more")) }
    #expect(feed.items(after: 7) == nil)
    let kept = try #require(feed.items(after: feed.last - 500))
    #expect(kept.count == 500)
  }

  @Test("large events do not pile up")
  func bytes() {
    let feed = EventFeed(coder: JSONRecordCoder())
    let data = [UInt8](repeating: 0x20, count: 100_000)
    for _ in 0..<100 { feed.add("commit", data) }
    #expect(feed.items(after: 0) == nil)
    #expect(feed.items(after: 99)?.count ?? 1 <= 1)
  }

  @Test("a listener is woken by what happens, and no more than so many may listen")
  func listeners() async {
    let feed = EventFeed(coder: JSONRecordCoder())
    let stream = feed.listen()
    feed.report(.warning(message: "a"))
    feed.report(.warning(message: "b"))
    var iterator = stream?.signals.makeAsyncIterator()
    #expect(await iterator?.next() != nil)
    var others: [EventFeed.Listening] = []
    while let other = feed.listen() { others.append(other) }
    #expect(others.count == EventFeed.mostListeners - 1)
    others = []
    #expect(feed.listen() != nil)
  }

  @Test("what is of no use to listeners is not told")
  func silent() {
    let feed = EventFeed(coder: JSONRecordCoder())
    feed.report(.requestStarted(method: "GET", url: "http://a", attempt: 1))
    feed.report(.budgetTaken(name: "a", remaining: 1))
    #expect(feed.last == 0)
  }
}
