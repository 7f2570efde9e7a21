import AlmanacTesting
import Models
import Networking
import Ports
import Synchronization
import Testing

@Suite struct CircuitBreakerTests {
  @Test func opensTriesAndCloses() async throws {
    let time = ManualTime()
    let events = RecordedEvents()
    let isBroken = Mutex(true)
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      if isBroken.withLock({ $0 }), request.url == "http://h/" { throw TransportError(.cannotConnect, "refused") }
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 3, pause: .seconds(30), time: time, events: events)])
    let request = HTTPRequest(.get, "http://h/")
    for _ in 0..<3 { await #expect(throws: TransportError.self) { try await stack.send(request) } }
    let error = try await #require(throws: TransportError.self) { try await stack.send(request) }
    #expect(error.code == .circuitOpen && error.retryAfter == 30 && error.requests == 0)
    #expect(error.message.contains("refused"), "\(error.message)")
    // Other hosts are not affected.
    #expect(try await stack.send(HTTPRequest(.get, "http://other/")).status == 200)
    #expect(network.requests.count == 4)

    time.advance(by: .seconds(30))
    await #expect(throws: TransportError.self) { try await stack.send(request) }
    await #expect(throws: TransportError.self) { try await stack.send(request) }
    time.advance(by: .seconds(30))
    isBroken.withLock { $0 = false }
    for _ in 0..<5 { #expect(try await stack.send(request).status == 200) }
    let states = events.events.compactMap {
      if case .breakerChanged("http://h", let state, _) = $0 { state } else { nil }
    }
    #expect(states == [.open, .halfOpen, .open, .halfOpen, .closed])
  }

  @Test("the error of an open circuit names the failure that opened it, including a broken connection")
  func saysWhy() async throws {
    let network = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index < 2 { return HTTPResponse(status: 500, url: request.url) }
      throw TransportError(.cannotConnect, "nothing listens on port 1")
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 3, time: ManualTime())])
    for _ in 0..<4 { _ = try? await stack.send(HTTPRequest(.get, "http://h/")) }
    let error = try await #require(throws: TransportError.self) { try await stack.send(HTTPRequest(.get, "http://h/")) }
    #expect(error.code == .circuitOpen && error.message.contains("nothing listens on port 1"), "\(error.message)")
  }

  @Test("a timeout may count for several failures", arguments: [(1, 5), (3, 2), (9, 1)])
  func timeouts(weight: Int, count: Int) async throws {
    let network = ScriptedTransport { (_: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      throw TransportError(.timeout, "no response within 30 s")
    }
    let breaker = CircuitBreaker(threshold: 5, timeoutWeight: weight, pause: nil, time: ManualTime())
    let stack = TransportStack(network, [breaker])
    for _ in 0..<9 { _ = try? await stack.send(HTTPRequest(.get, "http://h/")) }
    #expect(network.requests.count == count)
  }

  /// Answers 500 on `/bad…` and 401 elsewhere.
  private func host(_ time: ManualTime) -> (ScriptedTransport, TransportStack) {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      HTTPResponse(status: request.url.contains("/bad") ? 500 : 401, url: request.url)
    }
    return (network, TransportStack(network, [CircuitBreaker(threshold: 3, pause: .seconds(30), time: time)]))
  }

  @Test("an address that keeps answering 500 is paused alone, and hides no 401 of its host")
  func oneAddress() async throws {
    let time = ManualTime()
    let (network, stack) = host(time)
    let (bad, key) = (HTTPRequest(.get, "http://h/bad?secret=1"), HTTPRequest(.get, "http://h/key"))
    for _ in 0..<3 { #expect(try await stack.send(bad).status == 500) }
    for _ in 0..<10 {
      let error = try await #require(throws: TransportError.self) { try await stack.send(bad) }
      #expect(error.code == .circuitOpen && error.retryAfter == 30)
      #expect(error.message.contains("http://h/bad are paused") && error.message.contains("it answered 500"))
      #expect(try await stack.send(key).status == 401)
    }
    #expect(network.requests.count == 13)
    time.advance(by: .seconds(30))
    #expect(try await stack.send(bad).status == 500)
    await #expect(throws: TransportError.self) { try await stack.send(bad) }
    #expect(try await stack.send(key).status == 401)
  }

  @Test(
    "an address whose responses break, end too early or are malformed is paused alone",
    arguments: [TransportError.Code.truncated, .connectionLost, .malformed])
  func brokenResponses(code: TransportError.Code) async throws {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      if request.url.hasSuffix(".png") { throw TransportError(code, "it did not come whole") }
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 3, time: ManualTime())])
    for _ in 0..<9 { _ = try? await stack.send(HTTPRequest(.get, "http://h/a.png")) }
    #expect(network.requests.count == 3)
    #expect(try await stack.send(HTTPRequest(.get, "http://h/users")).status == 200)
  }

  @Test("a host whose addresses all answer 500 is paused as a whole")
  func everyAddress() async throws {
    let (network, stack) = host(ManualTime())
    for address in 0..<3 { #expect(try await stack.send(HTTPRequest(.get, "http://h/bad/\(address)")).status == 500) }
    await #expect(throws: TransportError.self) { try await stack.send(HTTPRequest(.get, "http://h/key")) }
    #expect(network.requests.count == 3)
    // Another answer in between shows that the host works.
    let (others, mixed) = host(ManualTime())
    for address in 0..<9 {
      #expect(try await mixed.send(HTTPRequest(.get, "http://h/bad/\(address)")).status == 500)
      if address % 2 == 1 { #expect(try await mixed.send(HTTPRequest(.get, "http://h/key")).status == 401) }
    }
    #expect(others.requests.count == 13)
  }

  @Test("a request that is cut off between two attempts ends with its own outcome")
  func retriesKeepTheirReason() async throws {
    let time = ManualTime()
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      if request.url.hasSuffix("lost") { throw TransportError(.cannotConnect, "refused", url: request.url) }
      return HTTPResponse(status: 500, url: request.url)
    }
    let stack = TransportStack(
      network,
      [
        Retry(.interactive, time: time, random: SeededRandom()), CircuitBreaker(threshold: 3, time: time),
      ])
    let answer = try await stack.send(HTTPRequest(.get, "http://h/bad"))
    #expect(answer.status == 500 && answer.requests == 3 && network.requests.count == 3)
    let error = try await #require(throws: TransportError.self) {
      try await stack.send(HTTPRequest(.get, "http://other/lost"))
    }
    #expect(error.code == .cannotConnect && error.requests == 3)
  }

  @Test("an open circuit counts as the failure that opened it; without a pause it promises no next attempt")
  func countsAsItsCause() async throws {
    let time = ManualTime()
    let network = ScriptedTransport { (_: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      throw TransportError(.cannotConnect, "connection refused")
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 1, pause: nil, time: time)])
    for pass in 0..<3 {
      let error = try await #require(throws: TransportError.self) {
        try await stack.send(HTTPRequest(.get, "http://h/"))
      }
      #expect(error.failure.reason == .unavailable && error.message.contains("connection refused"))
      if pass > 0 { #expect(error.code == .circuitOpen && error.retryAfter == nil && error.hint == nil) }
      time.advance(by: .seconds(86_400))
    }
    #expect(network.requests.count == 1)
  }

  @Test("a follow that is refused leaves the others of its host alone", arguments: [401, 403, 404, 410, 429])
  func refusalsOpenNothing(status: Int) async throws {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      HTTPResponse(status: request.url.hasSuffix("good") ? 200 : status, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 1, time: ManualTime())])
    for _ in 0..<10 { #expect(try await stack.send(HTTPRequest(.get, "http://h/bad")).status.code == status) }
    #expect(try await stack.send(HTTPRequest(.get, "http://h/good")).status == 200)
  }

  @Test func letsOneTryAtATime() async throws {
    let time = ManualTime()
    let gate = Gate()
    let network = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index == 0 { throw TransportError(.cannotConnect, "x") }
      await gate.wait()
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 1, pause: .seconds(5), time: time)])
    _ = try? await stack.send(HTTPRequest(.get, "http://h/"))
    time.advance(by: .seconds(5))
    let probe = Task { try await stack.send(HTTPRequest(.get, "http://h/")) }
    while network.requests.count < 2 { await Task.yield() }
    await #expect(throws: TransportError.self) { try await stack.send(HTTPRequest(.get, "http://h/")) }
    gate.open()
    #expect(try await probe.value.status == 200)
    #expect(network.requests.count == 2)
  }

  @Test("a request that was sent before the circuit opened does not close it")
  func lateAnswer() async throws {
    let gate = Gate()
    let network = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index > 0 { throw TransportError(.cannotConnect, "x") }
      await gate.wait()
      return HTTPResponse(status: 200, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 1, time: ManualTime())])
    let early = Task { try await stack.send(HTTPRequest(.get, "http://h/early")) }
    while network.requests.isEmpty { await Task.yield() }
    _ = try? await stack.send(HTTPRequest(.get, "http://h/"))
    gate.open()
    #expect(try await early.value.status == 200)
    await #expect(throws: TransportError.self) { try await stack.send(HTTPRequest(.get, "http://h/")) }
    #expect(network.requests.count == 2)
  }

  @Test func signsOfLifeAndCancellationsAreNoFailures() async throws {
    let network = ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index % 2 == 0 { throw TransportError(.cancelled, "x") }
      return HTTPResponse(status: 429, url: request.url)
    }
    let stack = TransportStack(network, [CircuitBreaker(threshold: 1, time: ManualTime())])
    for _ in 0..<10 { _ = try? await stack.send(HTTPRequest(.get, "http://h/")) }
    #expect(network.requests.count == 10)
  }
}
