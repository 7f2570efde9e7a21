import AlmanacTesting
import Foundation
import Glibc
import Testing
import UpstreamKit

/// A server that refuses one edit for good, as the shipped program meets it.
@Suite struct RefusedEditTests {
  @Test func onePermanent422DelaysNoOtherTarget() async throws {
    var options = UpstreamOptions()
    options.people = 0
    options.userIDs = ["u0", "u1", "u2", "u3"]
    options.faults = [
      FaultRule(.status(422), method: "PUT", path: "/user/u0", times: nil),
      FaultRule(.status(422), method: "POST", path: "/people"),
    ]
    let upstream = try Upstream(options)
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    let servers = ["--server", "users=\(upstream.url)", "--server", "people=\(upstream.url)", "--format", "json"]
    #expect(try await almanac.run(["sync"] + options.userIDs.map { "users/\($0)" } + servers).status == 0)
    for user in options.userIDs {
      #expect(try await almanac.run("profile", "set", user, "--name", "New \(user)").status == 0)
    }
    for name in ["A", "B", "C"] {
      #expect(try await almanac.run("people", "add", "--first", name, "--birthday", "2000-01-01").status == 0)
    }
    let sent = try await almanac.run(["people", "send"] + servers)
    #expect(sent.status == 0, "\(sent.err)")
    #expect(try sent.object() as? [String: Int] == ["sent": 2, "pending": 0, "conflict": 0, "refused": 1])
    let sync = try await almanac.run(["sync"] + servers)
    #expect(sync.status == 0, "\(sync.err)")
    #expect(try sync.object()["outbox"] as? [String: Int] == ["sent": 3, "pending": 0, "conflict": 0, "refused": 2])
    for user in ["u1", "u2", "u3"] { #expect(upstream.user(user)?.name == "New \(user)") }
    #expect(upstream.peopleCount == 2)
    // What was refused is not tried again by itself.
    let writes = upstream.log.filter { $0.method != "GET" }.count
    #expect(writes == 4 + 3)
    #expect(try await almanac.run(["sync"] + servers).status == 0)
    #expect(upstream.log.filter { $0.method != "GET" }.count == writes)
    // And goes out once somebody says so.
    upstream.setFaults([])
    #expect(try await almanac.run("outbox", "retry").status == 0)
    let again = try await almanac.run(["sync"] + servers).object()
    #expect(again["outbox"] as? [String: Int] == ["sent": 2, "pending": 0, "conflict": 0, "refused": 0])
    #expect(upstream.user("u0")?.name == "New u0" && upstream.peopleNames.sorted() == ["A ", "B ", "C "])
  }

  /// 503 with and without `Retry-After`, and other 5xx: the record waits, the others do not.
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      Fault.status(503), .status(503, retryAfter: "25"), .status(503, retryAfter: "3000"), .status(500),
    ])
  func aTargetThatIsNotAvailableHoldsUpNoOtherTarget(fault: Fault) async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1", "u2", "u3"]
    let upstream = try Upstream(options)
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    let servers = ["--server", "users=\(upstream.url)", "--format", "json"]
    #expect(try await almanac.run(["sync"] + options.userIDs.map { "users/\($0)" } + servers).status == 0)
    for user in options.userIDs {
      #expect(try await almanac.run("profile", "set", user, "--name", "New \(user)").status == 0)
    }
    upstream.setFaults([FaultRule(fault, path: "/user/u0", times: nil)])
    let before = upstream.log.count
    let running = try almanac.start(["sync"] + servers)
    if fault == .status(503, retryAfter: "25") {
      // It waits as long as it is asked to, after all others were sent.
      while try await almanac.run("outbox", "--format", "json").records().count > 1 {}
      running.signal(SIGINT)
      #expect(try await running.result().status == 130)
    } else {
      let result = try await running.result()
      #expect(
        try result.object()["outbox"] as? [String: Int] == ["sent": 3, "pending": 1, "conflict": 0, "refused": 0],
        "\(result.out)\(result.err)")
      let tries = upstream.log.dropFirst(before).count { $0.target == "/user/u0" }
      #expect(tries == (fault == .status(503, retryAfter: "3000") ? 1 : 4))
    }
    for user in ["u1", "u2", "u3"] { #expect(upstream.user(user)?.name == "New \(user)") }
    upstream.setFaults([])
    let again = try await almanac.run(["sync"] + servers).object()
    #expect(again["outbox"] as? [String: Int] == ["sent": 1, "pending": 0, "conflict": 0, "refused": 0])
  }
}
