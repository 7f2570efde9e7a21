import AlmanacTesting
import Models
import Networking
import Ports
import Synchronization
import Testing

@Suite struct SingleFlightTests {
  @Test func joinsOnlyWhatIsEqual() async throws {
    let gate = Gate()
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      await gate.wait()
      return HTTPResponse(status: 200, url: request.url)
    }
    let base = HTTPRequest(.get, "http://h/", headers: ["Accept": "a"])
    let requests: [HTTPRequest] = [
      base, HTTPRequest(.head, "http://h/", headers: ["Accept": "a"]),
      HTTPRequest(.get, "http://h/?a=1", headers: ["Accept": "a"]), HTTPRequest(.get, "http://h/"),
      HTTPRequest(.get, "http://h/", headers: ["Accept": "b"]),
      HTTPRequest(.get, "http://h/", headers: ["Accept": "a", "Authorization": "x"]),
      HTTPRequest(.get, "http://h/", headers: ["Accept": "a"], validator: HTTPValidator(etag: "\"1\"")),
      HTTPRequest(.get, "http://h/", headers: ["Accept": "a"], bodyLimit: 5),
    ]
    let writes = (0..<6).map { _ in HTTPRequest(.post, "http://h/", body: [1]) }
    let arrived = Mutex(0)
    let stack = TransportStack(network, [Counter { arrived.withLock { $0 += 1 } }, SingleFlight()])
    let all = requests + requests + writes
    await withTaskGroup(of: Void.self) { group in
      for request in all { group.addTask { _ = try? await stack.send(request) } }
      while arrived.withLock({ $0 }) < all.count || network.requests.count < requests.count + writes.count {
        await Task.yield()
      }
      gate.open()
    }
    #expect(network.requests.count == requests.count + writes.count)
    #expect(Set(network.requests).count == requests.count + 1)
  }

  @Test func oneThatLeavesDoesNotCancelTheOthers() async throws {
    let gate = Gate()
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      await gate.wait()
      if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
      return HTTPResponse(status: 200, url: request.url)
    }
    let arrived = Mutex(0)
    let stack = TransportStack(network, [Counter { arrived.withLock { $0 += 1 } }, SingleFlight()])
    let tasks = (0..<10).map { _ in Task { try await stack.send(HTTPRequest(.get, "http://h/")) } }
    while arrived.withLock({ $0 }) < 10 || network.requests.isEmpty { await Task.yield() }
    for task in tasks.dropLast() {
      task.cancel()
      // The call returns although the exchange is still in progress.
      await #expect(throws: TransportError.self) { try await task.value }
    }
    gate.open()
    #expect(try await tasks[9].value.status == 200)
  }

  @Test func theExchangeEndsWhenNobodyWaits() async {
    let cancelled = Gate()
    let network = ScriptedTransport { (_: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try? await Task.sleep(for: .seconds(3600))
      cancelled.open()
      throw TransportError(.cancelled, "cancelled", mayHaveArrived: true)
    }
    let stack = TransportStack(network, [SingleFlight()])
    let task = Task { try await stack.send(HTTPRequest(.get, "http://h/")) }
    while network.requests.isEmpty { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.requests == 1 && error?.mayHaveArrived == true)
    await cancelled.wait()
  }

  @Test func aLaterRequestStartsAnew() async throws {
    let network = ScriptedTransport([HTTPResponse(status: 200, url: "http://h/")])
    let stack = TransportStack(network, [SingleFlight()])
    for _ in 0..<3 { _ = try await stack.send(HTTPRequest(.get, "http://h/")) }
    #expect(network.requests.count == 3)
  }
}
