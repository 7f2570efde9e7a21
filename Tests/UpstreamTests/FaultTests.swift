import Testing
import UpstreamKit

@Suite struct FaultTests {
  private let ada = #"{"firstName": "Ada", "lastName": "Nova", "birthday": "2000-01-01"}"#

  private func played(_ rules: FaultRule...) throws -> Played {
    try Played {
      $0.people = 1
      $0.faults = rules
    }
  }

  @Test func answersWithAStatusAndRetryAfter() throws {
    let played = try played(
      FaultRule(.status(429, retryAfter: "7"), path: "/people"), FaultRule(.status(503), path: "/people"))
    defer { played.upstream.stop() }
    let busy = try played.client.call("POST", "/people", body: ada)
    #expect(busy.status == 429)
    #expect(busy["retry-after"] == "7")
    #expect(try played.client.call("POST", "/people", body: ada).status == 503)
    #expect(played.upstream.peopleCount == 1)
    #expect(try played.client.call("POST", "/people", body: ada).status == 201)
    #expect(played.upstream.faultCounts == ["429": 1, "503": 1])
    #expect(played.upstream.log.map(\.fault) == ["429", "503", nil])
  }

  @Test func writesRetryAfterAsADate() throws {
    let played = try played(FaultRule(.status(503, retryAfter: "date:60")))
    defer { played.upstream.stop() }
    let value = try #require(try played.client.call("GET", "/people")["retry-after"])
    #expect(value.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
  }

  @Test func resetsBeforeAnythingIsDone() throws {
    let played = try played(FaultRule(.reset, method: "POST"))
    defer { played.upstream.stop() }
    try played.client.send("POST /people HTTP/1.1\r\nContent-Length: \(ada.utf8.count)\r\n\r\n" + ada)
    let end = played.client.readAll()
    #expect(end.bytes.isEmpty && end.ending == .reset)
    #expect(played.upstream.peopleCount == 1)
  }

  @Test func losesTheReplyOfAWriteThatWasDone() throws {
    let played = try played(FaultRule(.lostReply, method: "POST"))
    defer { played.upstream.stop() }
    try played.client.send("POST /people HTTP/1.1\r\nContent-Length: \(ada.utf8.count)\r\n\r\n" + ada)
    let end = played.client.readAll()
    #expect(end.bytes.isEmpty && end.ending == .reset)
    #expect(played.upstream.peopleNames.last == "Ada Nova")
    #expect(played.upstream.log.map(\.status) == [0])
  }

  @Test func truncates() throws {
    let played = try played(FaultRule(.truncate(10)), FaultRule(.truncate(1_000_000)))
    defer { played.upstream.stop() }
    for most in [10, 1_000_000] {
      let client = try played.another()
      try client.send("GET /people HTTP/1.1\r\n\r\n")
      let end = client.readAll()
      let text = String(decoding: end.bytes, as: UTF8.self)
      let length = try #require(text.firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) })
      let body = try #require(text.split(separator: "\r\n\r\n", maxSplits: 1).last)
      #expect(body.utf8.count == min(most, length - 1))
      #expect(end.ending == .closed)
    }
  }

  @Test func redirectsBackToWhatWasAskedFor() throws {
    let played = try played(FaultRule(.redirect(307), times: nil))
    defer { played.upstream.stop() }
    let moved = try played.client.call("GET", "/people?x=1")
    #expect(moved.status == 307)
    let location = try #require(moved["location"])
    #expect(location.hasPrefix("/people?x=1&"))
    #expect(try played.client.call("GET", location).status == 200)
  }

  @Test func redirectsElsewhere() throws {
    let played = try played(FaultRule(.redirect(301, to: "http://127.0.0.1:9/x")))
    defer { played.upstream.stop() }
    #expect(try played.client.call("GET", "/people")["location"] == "http://127.0.0.1:9/x")
  }

  @Test func sendsHTMLAndGarbage() throws {
    let played = try played(FaultRule(.html(200)), FaultRule(.html(502)), FaultRule(.garbage))
    defer { played.upstream.stop() }
    let page = try played.client.call("GET", "/people")
    #expect(page.status == 200 && page.text.hasPrefix("<!DOCTYPE html>"))
    #expect(try played.client.call("GET", "/people").status == 502)
    try played.client.send("GET /people HTTP/1.1\r\n\r\n")
    let end = played.client.readAll()
    #expect(end.bytes.first == 1 && end.ending == .closed)
  }

  @Test(arguments: [("endless", nil), ("bomb", "gzip")] as [(String, String?)])
  func answersWithoutEnd(name: String, coding: String?) throws {
    let played = try played(FaultRule(try #require(Fault(name: name))))
    defer { played.upstream.stop() }
    try played.client.send("GET /people HTTP/1.1\r\n\r\n")
    let text = String(decoding: played.client.readAll(limit: 3 << 20).bytes, as: UTF8.self)
    #expect(text.utf8.count >= 3 << 20 && text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.prefix(300).lowercased().contains("content-encoding") == (coding != nil))
  }

  @Test func dripsDelaysAndCodes() throws {
    let played = try played(
      FaultRule(.drip(piece: 50, milliseconds: 1)), FaultRule(.delay(milliseconds: 20)), FaultRule(.gzip))
    defer { played.upstream.stop() }
    let whole = try played.another().call("GET", "/_upstream/state")
    #expect(whole.status == 200)
    let dripped = try played.client.call("GET", "/people")
    let start = ContinuousClock.now
    let delayed = try played.client.call("GET", "/people")
    #expect(ContinuousClock.now - start >= .milliseconds(20))
    let coded = try played.client.call("GET", "/people")
    #expect(coded["content-encoding"] == "gzip")
    #expect(dripped.body == delayed.body)
    #expect(try inflate(coded.body, as: "gzip") == delayed.body)
  }

  @Test func hangsAndCloses() async throws {
    let played = try played(FaultRule(.hang), FaultRule(.close))
    defer { played.upstream.stop() }
    try played.client.send("GET /people HTTP/1.1\r\n\r\n")
    await played.upstream.server.waitForRequests(1)
    let other = try played.another()
    try other.send("GET /people HTTP/1.1\r\n\r\n")
    #expect(other.readAll().ending == .closed)
    played.upstream.stop()
    #expect(played.client.readAll().bytes.isEmpty)
  }

  @Test func strikesWhereAndAsOftenAsTold() throws {
    let played = try played(
      FaultRule(.status(500), method: "GET", path: "/user/*", contains: "x=1", after: 1, times: 2))
    defer { played.upstream.stop() }
    func status(_ target: String) throws -> Int { try played.client.call("GET", target).status }
    #expect(try status("/people?x=1") == 200)
    #expect(try status("/user/ada") == 200)
    #expect(try status("/user/ada?x=1") == 200)
    #expect(try status("/user/ada?x=1") == 500)
    #expect(try status("/user/bo?x=1") == 500)
    #expect(try status("/user/ada?x=1") == 200)
  }

  @Test func waitsAsLongAsTheLatency() throws {
    let played = try Played { $0.latencyMilliseconds = 15 }
    defer { played.upstream.stop() }
    let start = ContinuousClock.now
    for _ in 0..<3 { #expect(try played.client.call("GET", "/people").status == 200) }
    #expect(ContinuousClock.now - start >= .milliseconds(45))
    // A late answer to HEAD has no body either: it would be taken for the next answer.
    for method in ["HEAD", "GET", "HEAD", "GET"] {
      #expect(try played.client.call(method, "/people").text.isEmpty == (method == "HEAD"))
    }
    #expect(played.upstream.server.connectionCount == 1)
  }

  @Test func codesForClientsThatAcceptIt() throws {
    let played = try Played { $0.gzip = true }
    defer { played.upstream.stop() }
    let plain = try played.client.call("GET", "/people")
    #expect(plain["content-encoding"] == nil)
    let coded = try played.client.call("GET", "/people", headers: ["Accept-Encoding": "br, gzip"])
    #expect(coded.body.count < plain.body.count)
    #expect(try inflate(coded.body, as: "gzip") == plain.body)
  }
}
