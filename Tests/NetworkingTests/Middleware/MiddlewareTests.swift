import AlmanacTesting
import Models
import Networking
import Ports
import Synchronization
import Testing

@Suite struct MiddlewareTests {
  static let request = HTTPRequest(.get, "http://h/")

  @Test func conditionalRequestsCarryTheValidator() async throws {
    let network = ScriptedTransport([HTTPResponse(status: 304, url: "http://h/")])
    let stack = TransportStack(network, [ExchangeRules()])
    var request = Self.request
    request.validator = HTTPValidator(etag: "W/\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(try await stack.send(request).status == 304)
    #expect(network.requests[0].headers["If-None-Match"] == "W/\"1\"")
    #expect(network.requests[0].headers["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    // A 304 is not a valid response to a request without a condition: the caller has no earlier representation.
    for request in [Self.request, HTTPRequest(.put, "http://h/", validator: request.validator)] {
      let error = try await #require(throws: TransportError.self) { try await stack.send(request) }
      #expect(error.code == .malformed)
    }
  }

  @Test(arguments: [
    (
      HTTPResponse(status: 200, headers: ["Content-Length": "3"], body: [1, 2], url: ""), TransportError.Code.truncated
    ), (HTTPResponse(status: 200, headers: ["Content-Length": "1"], body: [1, 2], url: ""), .malformed),
    (HTTPResponse(status: 200, body: Array(repeating: 0, count: 101), url: ""), .tooLarge),
    (HTTPResponse(status: 200, headers: ["X": String(repeating: "a", count: 1000)], url: ""), .tooLarge),
    (HTTPResponse(status: 99, url: ""), .malformed), (HTTPResponse(status: 999, url: ""), .malformed),
  ]) func responseLimitsRefuse(_ response: HTTPResponse, _ code: TransportError.Code) async throws {
    let stack = TransportStack(ScriptedTransport([response]), [ExchangeRules(body: 100, headers: 1000)])
    let error = try await #require(throws: TransportError.self) { try await stack.send(Self.request) }
    #expect(error.code == code)
  }

  @Test func requestLimitsOnlyTighten() async throws {
    let answer = HTTPResponse(status: 200, body: Array(repeating: 0, count: 50), url: "")
    let stack = TransportStack(ScriptedTransport([answer]), [ExchangeRules(body: 100)])
    #expect(try await stack.send(HTTPRequest(.get, "http://h/", bodyLimit: 1000)).body.count == 50)
    await #expect(throws: TransportError.self) { try await stack.send(HTTPRequest(.get, "http://h/", bodyLimit: 49)) }
  }

  @Test func eventsHoldNoSecret() async throws {
    let events = RecordedEvents()
    let time = ManualTime()
    let network = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      time.advance(by: .milliseconds(20))
      if index == 1 { throw TransportError(.timeout, "x") }
      return HTTPResponse(status: 200, body: [1, 2, 3], url: request.url)
    }
    let stack = TransportStack(
      network, [EventReporting(to: events, time: time, redaction: Redaction(secrets: ["hidden!"]))])
    for _ in 0..<2 { _ = try? await stack.send(HTTPRequest(.get, "http://h/hidden!?api_key=k")) }
    let url = "http://h/REDACTED?api_key=REDACTED"
    #expect(
      events.events == [
        .requestStarted(method: "GET", url: url, attempt: 1),
        .requestFinished(method: "GET", url: url, status: 200, bytes: 3, duration: .milliseconds(20)),
        .requestStarted(method: "GET", url: url, attempt: 1),
        .requestFailed(method: "GET", url: url, code: .timeout, duration: .milliseconds(20)),
      ])
  }

  @Test func userAgentIsAddedOnce() async throws {
    let network = ScriptedTransport([HTTPResponse(status: 200, url: "")])
    let stack = TransportStack(network, [ExchangeRules(userAgent: "almanac/1")])
    _ = try await stack.send(Self.request)
    _ = try await stack.send(HTTPRequest(.get, "http://h/", headers: ["user-agent": "mine"]))
    #expect(network.requests.map { $0.headers.values("User-Agent") } == [["almanac/1"], ["mine"]])
  }

  @Test func budgetsWaitOrRefuse() async throws {
    let time = ManualTime()
    let events = RecordedEvents()
    let network = ScriptedTransport([HTTPResponse(status: 200, url: "")])
    let stack = TransportStack(
      network, [RateBudgetMiddleware(InMemoryBudgetLedger(), longestWait: 30, time: time, events: events)])
    let short = RateBudget(name: "s", calls: 1, window: Interval(seconds: 20))
    for _ in 0..<2 { _ = try await stack.send(HTTPRequest(.get, "http://h/", budget: short)) }
    #expect(time.sleeps == [.seconds(21)] && events.events.contains(.budgetWait(name: "s", seconds: 21)))
    let long = RateBudget(name: "l", calls: 1, window: Interval(seconds: 3600))
    _ = try await stack.send(HTTPRequest(.get, "http://h/", budget: long))
    let error = try await #require(throws: TransportError.self) {
      try await stack.send(HTTPRequest(.get, "http://h/", budget: long))
    }
    #expect(error.code == .budgetExhausted && error.retryAfter == 3601 && error.failure.reason == .tryLater)
    let spaced = RateBudget(name: "p", calls: 100, window: Interval(seconds: 60), spacingMilliseconds: 300)
    let before = time.sleeps.count
    for _ in 0..<3 { _ = try await stack.send(HTTPRequest(.get, "http://h/", budget: spaced)) }
    #expect(time.sleeps.dropFirst(before) == [.milliseconds(300), .milliseconds(300)])
  }

  @Test func aLedgerThatCannotBeWrittenStopsTheCall() async throws {
    let store = InMemoryRecordStore()
    store.failNextCommit(with: StoreError(.full, "no space"))
    let network = ScriptedTransport([HTTPResponse(status: 200, url: "")])
    let ledger = StoredBudgetLedger(store: store, coder: TestCoder())
    let stack = TransportStack(network, [RateBudgetMiddleware(ledger, time: ManualTime())])
    let error = try await #require(throws: TransportError.self) {
      try await stack.send(
        HTTPRequest(.get, "http://h/", budget: RateBudget(name: "b", calls: 5, window: Interval(seconds: 5))))
    }
    #expect(error.code == .budgetExhausted && network.requests.isEmpty)
  }

  @Test func concurrencyIsBoundedPerHostAndFair() async throws {
    let running = Mutex<[String: Int]>([:])
    let most = Mutex<[String: Int]>([:])
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      let host = String(request.url.prefix(8))
      let now = running.withLock { running in
        running[host, default: 0] += 1
        return running[host] ?? 0
      }
      most.withLock { $0[host] = max($0[host] ?? 0, now) }
      for _ in 0..<20 { await Task.yield() }
      running.withLock { $0[host, default: 0] -= 1 }
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [ConcurrencyLimit(perHost: 3)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask { _ = try await stack.send(HTTPRequest(.get, "http://\(number % 2)/\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(most.withLock { $0 } == ["http://0": 3, "http://1": 3])
    #expect(network.requests.count == 60)
  }

  @Test func aWaiterThatIsCancelledGivesItsPlaceUp() async throws {
    let gate = Gate()
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      await gate.wait()
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [ConcurrencyLimit(perHost: 1)])
    let first = Task { try await stack.send(Self.request) }
    while network.requests.isEmpty { await Task.yield() }
    let second = Task { try await stack.send(Self.request) }
    second.cancel()
    await #expect(throws: TransportError.self) { try await second.value }
    gate.open()
    _ = try await first.value
    #expect(try await stack.send(Self.request).status == 200)
  }

  @Test func bothStacksRefuseWhatMustNotBeSent() async {
    let network = ScriptedTransport([HTTPResponse(status: 200, url: "")])
    for stack in [
      StandardStack(time: ManualTime(), random: SeededRandom()),
      StandardStack.service(time: ManualTime(), random: SeededRandom()),
    ] {
      for request in [HTTPRequest(.get, "h"), HTTPRequest(.get, "http://h/", headers: ["A": "b\r\nC: d"])] {
        await #expect(throws: TransportError.self) { try await stack.transport(over: network).send(request) }
      }
    }
    #expect(network.requests.isEmpty)
  }
}

/// Encodes every record as `{}`, for tests that do not read records back.
private struct TestCoder: RecordCoder {
  func encode(_ fields: JSONObject) -> [UInt8] { Array(#"{"id":"\#(fields["id"]?.string ?? "")"}"#.utf8) }
  func encode(_ value: JSONValue) -> [UInt8] { [] }
  func decode(_ bytes: RawSpan) throws(ParsingError) -> JSONObject { [:] }
  func checkSent(_ bytes: RawSpan) throws(ParsingError) {}
}
