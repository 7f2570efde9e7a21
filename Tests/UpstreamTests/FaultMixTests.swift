import Testing
import UpstreamKit

@Suite struct FaultMixTests {
  /// The faults that a client meets which asks for each target so often, in this order of targets.
  private func faults(_ targets: [String], times: Int, _ mix: FaultMix) throws -> [String: [String?]] {
    let played = try Played {
      $0.faultMix = mix
      $0.recordedRequests = 0
    }
    defer { played.upstream.stop() }
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
    defer { played.upstream.stop() }
    let location = try #require(try played.client.call("GET", "/people")["location"])
    #expect(try played.client.call("GET", location).status == 200)
  }
}
