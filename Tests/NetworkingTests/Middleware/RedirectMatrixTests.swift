import AlmanacTesting
import Models
import Networking
import Ports
import Testing

/// Follows redirects through a fake network in which every URL of a chain redirects to the next one.
@Suite struct RedirectMatrixTests {
  struct Case: CustomStringConvertible {
    var chain: [String]
    var description: String { chain.joined(separator: " → ") }

    /// Whether a step of the chain goes from https to http.
    var falls: Bool { zip(chain, chain.dropFirst()).contains { $0.hasPrefix("https:") && $1.hasPrefix("http:") } }

    func origin(_ index: Int) -> String { chain[index].split(separator: "/").prefix(2).joined(separator: "//") }

    /// The number of steps that may receive the caller's headers.
    var trusted: Int { chain.indices.first { origin($0) != origin(0) } ?? chain.count }
  }

  static let chains: [Case] = {
    let starts = ["http://a.example", "https://a.example"]
    let others = [
      "http://a.example", "https://a.example", "http://b.example", "https://b.example", "http://a.example:8080",
      "https://a.example:8443", "http://sub.a.example", "https://sub.a.example",
    ]
    var chains: [Case] = []
    for start in starts {
      for other in others {
        chains.append(Case(chain: ["\(start)/0", "\(other)/1"]))
        // Chains that return to the first origin, and chains that do not.
        chains.append(Case(chain: ["\(start)/0", "\(other)/1", "\(start)/2"]))
        for third in others { chains.append(Case(chain: ["\(start)/0", "\(other)/1", "\(third)/2", "\(start)/3"])) }
      }
    }
    return chains
  }()

  static let secrets: HTTPHeaders = [
    "Authorization": "Bearer t", "Cookie": "a=1", "X-Api-Key": "k", "Proxy-Authorization": "p", "X-Anything": "x",
    "Accept": "application/json", "Referer": "http://a.example/secret",
  ]

  static func network(_ testCase: Case, status: Int) -> ScriptedTransport {
    ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      guard testCase.chain.indices.contains(index + 1) else { return HTTPResponse(status: 200, url: request.url) }
      return HTTPResponse(status: status, headers: ["Location": testCase.chain[index + 1]], url: request.url)
    }
  }

  @Test func leaksNothingAndFollowsNoWrite() async {
    var cases = 0
    var leaks = 0
    var writes = 0
    for testCase in Self.chains {
      for status in [301, 302, 303, 307, 308] {
        for method in HTTPRequest.Method.allCases {
          cases += 1
          let network = Self.network(testCase, status: status)
          let stack = TransportStack(network, [Redirects(), ExchangeRules()])
          let request = HTTPRequest(
            method, testCase.chain[0], headers: Self.secrets, body: method.isSafe ? nil : [1],
            validator: HTTPValidator(etag: "\"private\""))
          let answer = try? await stack.send(request)
          let sent = network.requests
          if method == .get || method == .head {
            // The request fails if and only if a step goes from https to http.
            #expect((answer == nil) == testCase.falls, "\(method) \(status) \(testCase)")
            #expect(!zip(sent, sent.dropFirst()).contains { $0.url.hasPrefix("https:") && $1.url.hasPrefix("http:") })
            for (place, request) in sent.enumerated() {
              let mayHave = place < testCase.trusted
              let found = !request.headers.fields.isEmpty || request.validator != nil
              if found, !mayHave { leaks += 1 }
              #expect(found == mayHave, "\(method) \(status) \(testCase) at \(place)")
            }
          } else if method == .propfind || method == .report {
            // Only within one server, with everything that was sent.
            let isFollowed = testCase.trusted == testCase.chain.count && status != 303
            #expect((answer != nil) == isFollowed, "\(method) \(status) \(testCase)")
            #expect(sent.allSatisfy { $0.headers == Self.secrets && $0.method == method })
            #expect(sent.count <= testCase.trusted)
          } else {
            #expect(answer == nil)
            writes += sent.count - 1
          }
        }
      }
    }
    print("redirect matrix: \(cases) cases, \(leaks) leaked headers, \(writes) writes followed")
    #expect(leaks == 0 && writes == 0 && cases > 5000)
  }

  @Test(arguments: [
    "", "ftp://b.example/", "javascript:alert(1)", "http://user:pass@b.example/", "http://", "//", "http://b exa/",
    "http+unix://%2Frun%2Fdocker.sock/", "file:///etc/passwd", "http://b.example\\@a.example/",
  ]) func refusesTargets(_ location: String) async {
    let network = ScriptedTransport([HTTPResponse(status: 302, headers: ["Location": location], url: "http://a/")])
    await #expect(throws: TransportError.self) {
      try await TransportStack(network, [Redirects()]).send(HTTPRequest(.get, "http://a/"))
    }
    #expect(network.requests.count == 1)
  }

  @Test func followsFiveAndNoMore() async throws {
    func chain(_ count: Int) -> ScriptedTransport {
      ScriptedTransport { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
        index < count
          ? HTTPResponse(status: 301, headers: ["Location": "n\(index)"], url: request.url)
          : HTTPResponse(status: 200, url: request.url)
      }
    }
    let answer = try await TransportStack(chain(5), [Redirects()]).send(HTTPRequest(.get, "http://a/x/y"))
    #expect(answer.url == "http://a/x/n4" && answer.requests == 6)
    let error = try await #require(throws: TransportError.self) {
      try await TransportStack(chain(6), [Redirects()]).send(HTTPRequest(.get, "http://a/x/y"))
    }
    #expect(error.code == .badRedirect && error.requests == 6 && !error.mayHaveArrived)
  }
}
