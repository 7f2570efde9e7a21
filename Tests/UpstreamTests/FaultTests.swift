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
