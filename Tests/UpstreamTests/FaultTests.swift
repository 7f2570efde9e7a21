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
    let value = try #require(try played.client.call("GET", "/people")["retry-after"])
    #expect(value.wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
  }

  @Test func resetsBeforeAnythingIsDone() throws {
    let played = try played(FaultRule(.reset, method: "POST"))
    try played.client.send("POST /people HTTP/1.1\r\nContent-Length: \(ada.utf8.count)\r\n\r\n" + ada)
    let end = played.client.readAll()
    #expect(end.bytes.isEmpty && end.ending == .reset)
    #expect(played.upstream.peopleCount == 1)
  }

  @Test func losesTheReplyOfAWriteThatWasDone() throws {
    let played = try played(FaultRule(.lostReply, method: "POST"))
    try played.client.send("POST /people HTTP/1.1\r\nContent-Length: \(ada.utf8.count)\r\n\r\n" + ada)
    let end = played.client.readAll()
    #expect(end.bytes.isEmpty && end.ending == .reset)
    #expect(played.upstream.peopleNames.last == "Ada Nova")
    #expect(played.upstream.log.map(\.status) == [0])
  }

  @Test func truncates() throws {
    let played = try played(FaultRule(.truncate(10)), FaultRule(.truncate(1_000_000)))
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
    let moved = try played.client.call("GET", "/people?x=1")
    #expect(moved.status == 307)
    let location = try #require(moved["location"])
    #expect(location.hasPrefix("/people?x=1&"))
    #expect(try played.client.call("GET", location).status == 200)
  }

  @Test func redirectsElsewhere() throws {
    let played = try played(FaultRule(.redirect(301, to: "http://127.0.0.1:9/x")))
    #expect(try played.client.call("GET", "/people")["location"] == "http://127.0.0.1:9/x")
  }

  @Test func sendsHTMLAndGarbage() throws {
    let played = try played(FaultRule(.html(200)), FaultRule(.html(502)), FaultRule(.garbage))
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
    try played.client.send("GET /people HTTP/1.1\r\n\r\n")
    let text = String(decoding: played.client.readAll(limit: 3 << 20).bytes, as: UTF8.self)
    #expect(text.utf8.count >= 3 << 20 && text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.prefix(300).lowercased().contains("content-encoding") == (coding != nil))
  }

  @Test func dripsDelaysAndCodes() throws {
    let played = try played(
      FaultRule(.drip(piece: 50, milliseconds: 1)), FaultRule(.delay(milliseconds: 20)), FaultRule(.gzip))
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
    let start = ContinuousClock.now
    for _ in 0..<3 { #expect(try played.client.call("GET", "/people").status == 200) }
    #expect(ContinuousClock.now - start >= .milliseconds(45))
    // A delayed response to HEAD must not have a body, which would be read as the next response.
    for method in ["HEAD", "GET", "HEAD", "GET"] {
      #expect(try played.client.call(method, "/people").text.isEmpty == (method == "HEAD"))
    }
    #expect(played.upstream.server.connectionCount == 1)
  }

  @Test func codesForClientsThatAcceptIt() throws {
    let played = try Played { $0.gzip = true }
    let plain = try played.client.call("GET", "/people")
    #expect(plain["content-encoding"] == nil)
    let coded = try played.client.call("GET", "/people", headers: ["Accept-Encoding": "br, gzip"])
    #expect(coded.body.count < plain.body.count)
    #expect(try inflate(coded.body, as: "gzip") == plain.body)
  }
}

@Suite struct FaultMixTests {
  /// The faults that a client receives if it requests each target this often, in the given order of targets.
  private func faults(_ targets: [String], times: Int, _ mix: FaultMix) throws -> [String: [String?]] {
    let played = try Played {
      $0.faultMix = mix
      $0.recordedRequests = 0
    }
    for target in targets {
      for _ in 0..<times { _ = try? played.another().call("GET", target) }
    }
    return Dictionary(grouping: played.upstream.log, by: \.target).mapValues { $0.map(\.fault) }
  }

  private let kinds = ["429", "503", "reset", "lost-reply", "truncate", "html"].compactMap(Fault.init(name:))

  @Test func isDecidedByTheSeedAndNotByTheOrder() throws {
    let targets = ["/people", "/user/ada", "/user/bo"]
    let mix = FaultMix(rate: 0.4, kinds: kinds, seed: 7, longestStreak: 3)
    let once = try faults(targets, times: 20, mix)
    #expect(try faults(targets.reversed(), times: 20, mix) == once)
    #expect(try faults(targets, times: 20, FaultMix(rate: 0.4, kinds: kinds, seed: 8)) != once)
    #expect(Set(once.values.joined().compactMap { $0 }).count > 3)
  }

  @Test func strikesAsOftenAsTold() throws {
    let targets = (0..<300).map { "/user/u\($0)" }
    let struck = try faults(targets, times: 1, FaultMix(rate: 0.3, kinds: kinds)).values.joined().compactMap { $0 }
    #expect((60...120).contains(struck.count))
    #expect(try faults(["/people"], times: 20, FaultMix(rate: 0)).values.joined().allSatisfy { $0 == nil })
  }

  @Test func letsAPatientClientThrough() throws {
    let met = try faults(["/people"], times: 30, FaultMix(rate: 1, kinds: kinds, longestStreak: 2))
    let faults = try #require(met["/people"])
    for (index, fault) in faults.enumerated() { #expect((fault == nil) == (index % 3 == 2)) }
  }

  @Test func letsARedirectThrough() throws {
    let mix = FaultMix(rate: 1, kinds: [.redirect(302)], longestStreak: 100)
    let played = try Played { $0.faultMix = mix }
    let location = try #require(try played.client.call("GET", "/people")["location"])
    #expect(try played.client.call("GET", location).status == 200)
  }
}

@Suite struct FaultScriptTests {
  @Test func readsEveryKey() throws {
    let rules = try FaultScript.rules(
      parsing: Array(
        """
        [
          {"fault": 429, "retryAfter": 2, "path": "/people", "times": 2},
          {"fault": "lost-reply", "method": "POST"},
          {"fault": "html", "status": 200, "contains": "getInfo", "after": 3},
          {"fault": "drip", "piece": 100, "ms": 20, "times": null, "chance": 0.5},
          {"fault": "redirect", "status": 308, "location": "/x"},
          {"fault": "truncate", "bytes": 5}
        ]
        """.utf8))
    #expect(
      rules == [
        FaultRule(.status(429, retryAfter: "2"), path: "/people", times: 2), FaultRule(.lostReply, method: "POST"),
        FaultRule(.html(200), contains: "getInfo", after: 3),
        FaultRule(.drip(piece: 100, milliseconds: 20), times: nil, chance: 0.5),
        FaultRule(.redirect(308, to: "/x")), FaultRule(.truncate(5)),
      ])
  }

  @Test(arguments: [
    ("{}", "an array of rules is expected"), ("[1]", "rule 0: an object is expected"), ("[", "not JSON"),
    (#"[{"fault": "reset"}, {"fault": "rest"}]"#, "rule 1: unknown fault 'rest'"),
    (#"[{"fault": "reset", "time": 1}]"#, "rule 0: unknown key time"),
    (#"[{"fault": "reset", "chance": 2}]"#, "rule 0: chance is from 0 to 1"),
    (#"[{"fault": 200}]"#, "rule 0: unknown fault '200'"),
  ])
  func namesWhatIsWrong(text: String, message: String) {
    #expect(throws: FaultScript.Failure.self) { try FaultScript.rules(parsing: Array(text.utf8)) }
    do { _ = try FaultScript.rules(parsing: Array(text.utf8)) } catch {
      #expect(error.description == "fault script: " + message)
    }
  }
}

@Suite struct BrokenRecordTests {
  @Test func breaksEveryNthRecord() throws {
    let played = try Played {
      $0.brokenEvery = 10
      $0.people = 30
      $0.photos = 50
    }
    let people = try #require(try json(played.client.call("GET", "/people")) as? [[String: Any]])
    #expect(people.indices.filter { people[$0]["birthday"] as? String == "sometime" } == [9, 19, 29])
    let answer = try played.flickr("interestingness.getList&per_page=500")
    let photos = try #require((answer["photos"] as? [String: Any])?["photo"] as? [[String: Any]])
    #expect(photos.indices.filter { !(photos[$0]["id"] is String) } == [9, 19, 29, 39, 49])
    let chart = try played.object("/us/rss/topgrossingapplications/limit=200/json")
    let entries = try #require((chart["feed"] as? [String: Any])?["entry"] as? [[String: Any]])
    let nameless = entries.filter { $0["im:name"] == nil }
    #expect((5...40).contains(nameless.count))
    let feed = try played.object("/api/v2/us/apps/top-free/100/apps.json")["feed"] as? [String: Any]
    let results = try #require(feed?["results"] as? [[String: Any]])
    #expect(results.contains { !($0["name"] is String) } && results.contains { $0["name"] is String })
  }

  @Test func breaksNothingUntold() throws {
    let played = try Played { $0.people = 30 }
    #expect(try !played.client.call("GET", "/people").text.contains("sometime"))
  }
}
