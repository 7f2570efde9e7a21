import AlmanacTesting
import Models
import Networking
import Ports
import Testing

@Suite struct RetryTests {
  static func stack(
    _ network: ScriptedTransport, _ policy: RetryPolicy = .interactive, time: ManualTime = ManualTime(),
    events: RecordedEvents? = nil
  ) -> TransportStack { TransportStack(network, [Retry(policy, time: time, random: SeededRandom(), events: events)]) }

  static func answers(_ statuses: Int...) -> ScriptedTransport {
    ScriptedTransport(statuses.map { HTTPResponse(status: $0, url: "http://h/") })
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, nil, 3), (.head, nil, 3), (.put, nil, 3), (.delete, nil, 3), (.options, nil, 3),
    (.post, nil, 1), (.patch, nil, 1), (.post, true, 3), (.put, false, 1),
  ]) func repeatsOnlyWhatMayBe(_ method: HTTPRequest.Method, _ isRepeatable: Bool?, _ expected: Int) async throws {
    let network = Self.answers(503, 503, 200)
    let answer = try await Self.stack(network).send(HTTPRequest(method, "http://h/", isRepeatable: isRepeatable))
    #expect(network.requests.count == expected && answer.requests == expected)
    #expect(answer.status == (expected == 3 ? 200 : 503))
  }

  @Test func repeatsStatusesThatPass() async throws {
    for status in 200...599 {
      let network = Self.answers(status, 299)
      let answer = try await Self.stack(network).send(HTTPRequest(.get, "http://h/"))
      #expect((answer.status == 299) == [299, 408, 425, 429, 500, 502, 503, 504].contains(status), "\(status)")
    }
  }

  @Test func givesServerErrorsBackToWhoeverComesBack() async throws {
    for status in [408, 429, 500, 502, 503, 504] {
      var request = HTTPRequest(.get, "http://h/")
      request.returnsServerErrors = true
      #expect(
        try await Self.stack(Self.answers(status, 299)).send(request).status.code == (status < 500 ? 299 : status))
    }
  }

  @Test(arguments: TransportError.Code.allCases)
  func repeatsBreaksThatPass(_ code: TransportError.Code) async throws {
    let passes: Set<TransportError.Code> = [.cannotConnect, .timeout, .connectionLost, .truncated]
    for (method, arrived) in [(HTTPRequest.Method.get, true), (.post, true), (.post, false)] {
      let network = ScriptedTransport { (_: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        throw TransportError(code, "x", mayHaveArrived: arrived)
      }
      let error = try await #require(throws: TransportError.self) {
        try await Self.stack(network).send(HTTPRequest(method, "http://h/"))
      }
      let repeated = passes.contains(code) && (method == .get || !arrived)
      #expect(error.requests == (repeated ? 7 : 1) && error.mayHaveArrived == arrived)
    }
  }

  @Test func waitsAsLongAsAskedAndGivesUpBeyond() async throws {
    for (value, seconds) in [("7", 7), ("30", 30), ("31", nil), ("Thu, 01 Jan 2026 00:00:10 GMT", 10)] {
      let time = ManualTime(now: Timestamp(rfc3339: "2026-01-01T00:00:00Z")!)
      let network = ScriptedTransport([
        HTTPResponse(status: 429, headers: ["Retry-After": value], url: "http://h/"),
        HTTPResponse(status: 200, url: "http://h/"),
      ])
      let answer = try await Self.stack(network, time: time).send(HTTPRequest(.get, "http://h/"))
      if let seconds {
        #expect(answer.status == 200)
        let bounds = Duration.seconds(seconds)..<(.seconds(seconds) + .milliseconds(1000))
        #expect(bounds.contains(time.sleeps[0]), "\(value): \(time.sleeps)")
      } else {
        #expect(answer.status == 429 && answer.headers["Retry-After"] == "31" && time.sleeps.isEmpty)
      }
    }
  }

  /// A field of the API is a `Retry-After` from the first response on, for the statuses and fields that it belongs to.
  @Test func waitsForTheTimeOfAnotherField() async throws {
    let time = ManualTime(now: Timestamp(rfc3339: "2026-01-01T00:00:00Z")!)
    var request = HTTPRequest(.get, "http://h/")
    request.retryTimes = [
      HTTPRetryTime(statuses: [429], header: "X-Wait", isEpoch: false),
      HTTPRetryTime(statuses: [503], conditions: ["X-Left": "0"], header: "X-Reset", isEpoch: true),
    ]
    let reset = "\(time.now.secondsSinceEpoch + 600)"
    let cases: [(Int, HTTPHeaders, String?, Int)] = [
      (429, ["X-Wait": "600"], "600", 1), (503, ["X-Left": "0", "X-Reset": reset], "600", 1),
      (503, ["X-Left": "1", "X-Reset": reset], nil, 7), (429, ["X-Wait": "soon"], nil, 7),
      (503, ["X-Wait": "600"], nil, 7),
    ]
    for (status, headers, expected, count) in cases {
      let network = ScriptedTransport { request, _ throws(TransportError) in
        HTTPResponse(status: status, headers: headers, url: request.url)
      }
      let answer = try await Self.stack(network, time: time).send(request)
      #expect(answer.headers["Retry-After"] == expected && network.requests.count == count, "\(status) \(headers)")
    }
  }

  @Test func noAttemptBeginsAfterThePatience() async throws {
    // Each attempt takes 4 s, as a host that does not answer does.
    let time = ManualTime()
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      time.advance(by: .seconds(4))
      throw TransportError(.cannotConnect, "no answer", url: request.url)
    }
    await #expect(throws: TransportError.self) {
      try await Self.stack(network, time: time).send(HTTPRequest(.get, "http://h/"))
    }
    #expect((2...3).contains(network.requests.count), "\(network.requests.count)")
    // What the server asks for is waited for all the same.
    let asked = ScriptedTransport([
      HTTPResponse(status: 503, headers: ["Retry-After": "20"], url: "http://h/"),
      HTTPResponse(status: 200, url: "http://h/"),
    ])
    #expect(try await Self.stack(asked).send(HTTPRequest(.get, "http://h/")).status == 200)
  }

  @Test func givesRetryAfterBackInSeconds() async throws {
    let time = ManualTime(now: Timestamp(rfc3339: "2026-01-01T00:00:00Z")!)
    for (value, expected) in [("Thu, 01 Jan 2026 01:00:00 GMT", "3600"), ("soon", nil), ("-5", nil)] {
      let network = ScriptedTransport([HTTPResponse(status: 429, headers: ["Retry-After": value], url: "http://h/")])
      let answer = try await Self.stack(network, time: time).send(HTTPRequest(.post, "http://h/"))
      #expect(answer.headers["Retry-After"] == expected)
    }
  }

  /// The server's clock may be another one than ours.
  @Test func aDateIsByTheClockOfTheServer() async throws {
    let headers: HTTPHeaders = [
      "Date": "Thu, 01 Jan 2026 01:00:00 GMT", "Retry-After": "Thu, 01 Jan 2026 01:00:05 GMT",
    ]
    let network = ScriptedTransport([HTTPResponse(status: 429, headers: headers, url: "http://h/")])
    let time = ManualTime(now: Timestamp(rfc3339: "2026-01-01T00:00:00Z")!)
    let answer = try await Self.stack(network, time: time).send(HTTPRequest(.post, "http://h/"))
    #expect(answer.headers["Retry-After"] == "5")
  }

  /// A program that asks for another number of attempts keeps the rest of the default.
  @Test func whatIsNotGivenIsThatOfTheDefault() async throws {
    var few = RetryPolicy.interactive
    few.attempts = 5
    #expect(RetryPolicy(attempts: 5) == few && RetryPolicy() == StandardStack().retry)
    // A host that takes 6 s for each failure gets a second attempt, and none after 10 s.
    let time = ManualTime()
    let network = ScriptedTransport { (_, _) throws(TransportError) -> HTTPResponse in
      time.advance(by: .seconds(6))
      return HTTPResponse(status: 503, url: "http://h/")
    }
    _ = try await Self.stack(network, RetryPolicy(attempts: 5), time: time).send(HTTPRequest(.get, "http://h/"))
    #expect(network.requests.count == 2)
  }

  @Test func endsWhenCancelledWhileWaiting() async {
    let network = Self.answers(503)
    let events = RecordedEvents()
    let stack = TransportStack(
      network,
      [
        Retry(
          RetryPolicy(base: .seconds(3600), cap: .seconds(3600), timeout: nil), time: SystemTimeSource(),
          random: SeededRandom(), events: events)
      ])
    let task = Task { try await stack.send(HTTPRequest(.get, "http://h/")) }
    // Cancelling before the delay would return the response instead.
    while events.events.isEmpty { await Task.yield() }
    task.cancel()
    #expect(await #expect(throws: TransportError.self) { try await task.value }?.code == .cancelled)
  }

  @Test func reportsEveryTry() async throws {
    let events = RecordedEvents()
    _ = try await Self.stack(Self.answers(503, 200), events: events).send(HTTPRequest(.get, "http://h/?token=abc"))
    guard case .retryScheduled(let url, 2, _, let reason) = events.events.first else {
      Issue.record("\(events.events)")
      return
    }
    #expect(url == "http://h/?token=REDACTED" && reason.contains("503"))
  }
}
