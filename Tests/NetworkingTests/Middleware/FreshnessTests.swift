import Networking
import Ports
import TestSupport
import Testing

@Suite struct FreshnessTests {
  static func world(_ control: String, vary: String? = nil) -> (ManualTime, ScriptedTransport, TransportStack) {
    let time = ManualTime()
    var headers: HTTPHeaders = ["Cache-Control": control]
    if let vary { headers.append("Vary", vary) }
    let first = HTTPResponse(status: 200, headers: headers, body: [1], url: "http://h/")
    let network = ScriptedTransport { (_: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      if index == 0 { return first }
      if index == 1 { throw TransportError(.connectionLost, "x", mayHaveArrived: true) }
      return HTTPResponse(status: 503, url: "http://h/")
    }
    return (time, network, TransportStack(network, [Freshness(time: time)]))
  }

  @Test(
    arguments: [
      ("max-age=60", nil, 1), ("max-age=\"60\"", nil, 1), ("private, max-age=60", "Accept-Encoding", 1),
      ("max-age=60", "Accept", 2), ("no-store, max-age=60", nil, 2), ("no-cache, max-age=60", nil, 2),
      ("max-age=0", nil, 2), ("max-age=soon", nil, 2), ("", nil, 2), ("max-age=99999999999999999999", nil, 1),
    ] as [(String, String?, Int)])
  func keepsWhatIsFresh(_ control: String, _ vary: String?, _ requests: Int) async {
    let (time, network, stack) = Self.world(control, vary: vary)
    for _ in 0..<2 {
      _ = try? await stack.send(HTTPRequest(.get, "http://h/"))
      time.advance(by: .seconds(59))
    }
    #expect(network.requests.count == requests)
  }

  @Test func agesAndStandsIn() async throws {
    let (time, network, stack) = Self.world("max-age=60, stale-if-error=100")
    let request = HTTPRequest(.get, "http://h/")
    _ = try await stack.send(request)
    time.advance(by: .seconds(30))
    let fresh = try await stack.send(request)
    #expect(fresh.requests == 0 && fresh.headers["Age"] == "30")
    time.advance(by: .seconds(60))
    // The connection breaks, then the server fails: the old answer stands in for both.
    for _ in 0..<2 { #expect(try await stack.send(request).body == [1]) }
    #expect(network.requests.count == 3)
    time.advance(by: .seconds(70))
    #expect(try await stack.send(request).status == 503)
  }

  @Test func tellsRequestsApart() async throws {
    let (_, network, stack) = Self.world("max-age=60")
    _ = try await stack.send(HTTPRequest(.get, "http://h/"))
    for request in [
      HTTPRequest(.get, "http://h/", headers: ["Accept": "x"]), HTTPRequest(.head, "http://h/"),
      HTTPRequest(.get, "http://h/", validator: HTTPValidator(etag: "\"1\"")),
    ] { _ = try? await stack.send(request) }
    #expect(network.requests.count == 4)
  }
}
