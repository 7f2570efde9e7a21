import AlmanacTesting
import Models
import Ports
import Testing

@testable import Networking

@Suite("Numbers at the ends of their range: header fields and budgets")
struct ExtremeNumberTests {
  private static let now = Timestamp(rfc3339: "2026-11-29T12:00:00Z")!

  @Test("a wait is from 0 seconds to a day", arguments: ExtremeNumbers.texts)
  func waits(text: String) async {
    let response = HTTPResponse(
      status: 403, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text, "Retry-After": text], url: "")
    for isEpoch in [true, false] {
      let time = HTTPRetryTime(
        statuses: [403], conditions: ["X-RateLimit-Remaining": "0"], header: "X-RateLimit-Reset", isEpoch: isEpoch)
      let seconds = time.seconds(of: response, now: Self.now)
      #expect(seconds.map { (0...86_400).contains($0) } ?? (Int(text) == nil), "\(text)")
      var request = HTTPRequest(.get, "http://h/")
      request.retryTimes = [time]
      let stack = TransportStack(
        ScriptedTransport([response]), [Retry(RetryPolicy(), time: ManualTime(now: Self.now), random: SeededRandom())])
      _ = try? await stack.send(request)
    }
    #expect(RetryAfter.seconds(text, now: Self.now).map { (0...86_400).contains($0) } ?? true)
    #expect(response.retryAfter.map { (0...86_400).contains($0) } ?? true)
  }

  @Test("Content-Length", arguments: ExtremeNumbers.texts)
  func lengths(text: String) async {
    let network = ScriptedTransport([
      HTTPResponse(status: 200, headers: ["Content-Length": text], body: [1, 2, 3], url: "")
    ])
    let stack = TransportStack(network, [ExchangeRules()])
    #expect((try? await stack.send(HTTPRequest(.get, "http://h/")))?.body.count ?? 3 == 3)
  }

  @Test("a budget of no calls refuses at once")
  func noCalls() async throws {
    for calls in [0, -1, Int.min] {
      let (network, time) = (ScriptedTransport([HTTPResponse(status: 200, url: "")]), ManualTime())
      let stack = TransportStack(network, [RateBudgetMiddleware(InMemoryBudgetLedger(), time: time)])
      let budget = RateBudget(name: "none", calls: calls, window: Interval(seconds: 0))
      let error = try await #require(throws: TransportError.self) {
        try await stack.send(HTTPRequest(.get, "http://h/", budget: budget))
      }
      #expect(error.code == .budgetExhausted && error.retryAfter == nil && error.message.contains("allows no calls"))
      #expect(time.sleeps.isEmpty && network.requests.isEmpty)
    }
  }

  @Test("budgets of any size")
  func budgets() async {
    for calls in ExtremeNumbers.integers {
      for seconds in ExtremeNumbers.integers {
        let time = ManualTime()
        let stack = TransportStack(
          ScriptedTransport([HTTPResponse(status: 200, url: "")]),
          [RateBudgetMiddleware(InMemoryBudgetLedger(), time: time)])
        let budget = RateBudget(
          name: "b", calls: calls, window: Interval(seconds: seconds), spacingMilliseconds: seconds)
        for _ in 0..<2 { _ = try? await stack.send(HTTPRequest(.get, "http://h/", budget: budget)) }
      }
    }
  }
}
