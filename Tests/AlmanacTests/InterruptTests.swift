import AlmanacTesting
import CLibrary
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// Ctrl-C at every moment of a sync against a slow and faulty server: the end comes within a second, the store is whole
/// after each, and the sync after all of them brings what a sync that nobody stopped would have brought.
@Suite(.serialized) final class InterruptTests: ProgramTests {
  /// When the signal is sent: as soon as the server has got so many requests, or has answered so many.
  enum Moment: Sendable, CustomStringConvertible {
    case start
    case request(Int)
    case answer(Int)

    var description: String {
      switch self {
      case .start: "at the start"
      case .request(let number): "request \(number)"
      case .answer(let number): "answer \(number)"
      }
    }
  }

  private static let users = (1...30).map { "user\($0)" }
  private static let follows =
    ["app-store/us/top-free", "flickr/interestingness", "flickr/search/cats", "people"] + users.map { "users/\($0)" }
  private static let collections = ["apps", "photos", "owners", "profiles", "people"]

  private static func options() -> UpstreamOptions {
    var options = UpstreamOptions()
    options.photos = 120
    options.owners = 12
    options.people = 8
    options.userIDs = users
    options.latencyMilliseconds = 2
    options.faults = [
      FaultRule(.drip(piece: 700, milliseconds: 15), path: "/*/rss/*", times: nil),
      FaultRule(.drip(piece: 900, milliseconds: 10), contains: "flickr.photos.search", times: nil),
      FaultRule(.delay(milliseconds: 40), contains: "flickr.people.getInfo", times: nil, chance: 0.3),
      FaultRule(.status(503, retryAfter: nil), path: "/people", times: 40, chance: 0.5),
      FaultRule(.hang, path: "/user/user9", times: 2),
      FaultRule(.drip(piece: 20, milliseconds: 5), path: "/user/*", times: nil, chance: 0.5),
    ]
    return options
  }

  private static func config(_ almanac: Program, _ url: String) throws -> String {
    try almanac.config(
      url, ["app-store", "users", "people", "flickr"], settings: ["flickr": #""apiKey": "anykey""#], follows: follows)
  }

  private static func records(_ almanac: Program, _ config: String) async throws -> [String: String] {
    var result: [String: String] = [:]
    for collection in collections {
      let listed = try await almanac.run("list", collection, "--format", "jsonl", "--config", config, exits: 0)
      result[collection] = listed.out
    }
    return result
  }

  @Test(.timeLimit(.minutes(10))) func endsWithinASecondWithAWholeStore() async throws {
    let wanted = ProcessInfo.processInfo.environment["ALMANAC_INTERRUPTS"].flatMap(Int.init) ?? 5
    // Each sync makes one request for each follow at least; a moment beyond the last would not come.
    let count = min(wanted, Self.follows.count * 2)
    let progress = Progress()
    let upstream = try Upstream(Self.options()) { _ in progress.answered() }
    defer { upstream.stop() }
    let config = try Self.config(almanac, upstream.url)
    let moments = (0..<count).map { number in
      number == 0 ? Moment.start : number % 2 == 1 ? .request((number + 1) / 2) : .answer(number / 2)
    }
    var slowest = Duration.zero
    var outcomes: [Int32: Int] = [:]
    for moment in moments {
      // Nothing that an earlier run has open may be counted.
      await upstream.server.waitForNoConnections()
      let (requests, answers) = (upstream.server.requestCount, progress.count)
      let running = try almanac.start(["sync", "--full", "--jobs", "3", "--format", "json", "--config", config])
      switch moment {
      case .start: break
      case .request(let number): await upstream.server.waitForRequests(requests + number)
      case .answer(let number): await progress.wait(for: answers + number)
      }
      let begun = ContinuousClock.now
      running.signal(SIGINT)
      let result = try await running.result()
      let took = ContinuousClock.now - begun
      slowest = max(slowest, took)
      outcomes[result.status, default: 0] += 1
      #expect(took < PromisedTime.bound(.seconds(1)), "\(moment)")
      // It was stopped, or it had ended before the signal came.
      #expect([0, 130].contains(result.status), "\(moment): \(result.status) \(result.err)")
      if result.status == 130, moment.isAnswered {
        #expect(result.err.contains(#""message":"stopped","hint":"#), "\(moment): \(result.err)")
        let isToldWhatIsKept = ["kept: ", "nothing had come yet"].contains { result.err.contains($0) }
        #expect(isToldWhatIsKept, "\(moment): \(result.err)")
      }
      try await almanac.run("doctor", "--config", config, exits: 0)
    }
    print("interrupts: \(moments.count) moments, outcomes \(outcomes), the slowest end after \(slowest)")
    #expect(outcomes[130, default: 0] >= moments.count * 3 / 4)

    upstream.setFaults([])
    try await almanac.run("sync", "--format", "json", "--config", config, exits: 0)
    let calm = try Program("almanac")
    defer { calm.clean() }
    let other = try Self.config(calm, upstream.url)
    try await calm.run("sync", "--config", other, exits: 0)
    let (after, expected) = (try await Self.records(almanac, config), try await Self.records(calm, other))
    for collection in Self.collections {
      #expect(after[collection] == expected[collection], "\(collection)")
      #expect(expected[collection]?.isEmpty == false)
    }
  }
}

extension InterruptTests.Moment {
  /// Whether an exchange was under way or done, so that the program certainly had begun to watch for signals.
  fileprivate var isAnswered: Bool {
    if case .start = self { false } else { true }
  }
}

/// Counts answers, and wakes who waits for them.
private final class Progress: Sendable {
  private struct State {
    var count = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  func answered() {
    let ready = state.withLock { state in
      state.count += 1
      let count = state.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        guard state.count < count else { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
