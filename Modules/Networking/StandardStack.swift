public import Ports

/// The middlewares in the order that both apps use; `Networking.md` says why it is this one.
public struct StandardStack: Sendable {
  /// The clock.
  public var time: any TimeSource
  /// The chance behind jitter.
  public var random: any RandomSource
  /// Takes reports; none by default.
  public var events: (any EventSink)?
  /// Keys and tokens in use; they never leave in an event, an error or a recording.
  public var secrets: [String] = []
  /// The `User-Agent`.
  public var userAgent = "almanac"
  /// When requests are sent again; `nil` for never.
  public var retry: RetryPolicy? = .interactive
  /// Keeps rate budgets.
  public var ledger: any BudgetLedger = InMemoryBudgetLedger()
  /// Seconds that are waited for a place in a rate budget.
  public var longestBudgetWait = 30
  /// Exchanges with one host at the same time.
  public var requestsPerHost = 8
  /// Failures in a row after which a host is left alone; `nil` for no breaker.
  public var breakerThreshold: Int?
  /// How long it is left alone.
  public var breakerPause = Duration.seconds(30)
  /// Bytes of answers that are kept while they are fresh; 0 for none.
  public var freshBytes = 0
  /// The largest decoded body, in bytes.
  public var bodyLimit = 64 << 20
  /// Records every exchange.
  public var recorder: HARRecorder?

  /// A stack for one run with a person waiting: no breaker, no memory, short waits.
  public init(time: any TimeSource, random: any RandomSource, events: (any EventSink)? = nil) {
    self.time = time
    self.random = random
    self.events = events
  }

  /// A stack for a service that lives for months: a breaker, fresh answers kept, long waits.
  public static func service(
    time: any TimeSource, random: any RandomSource, events: (any EventSink)? = nil
  ) -> StandardStack {
    var stack = StandardStack(time: time, random: random, events: events)
    stack.retry = .patient
    stack.longestBudgetWait = 3600
    stack.breakerThreshold = 5
    stack.freshBytes = 16 << 20
    return stack
  }

  /// Puts the stack around a transport.
  public func transport(over transport: any HTTPTransport) -> TransportStack {
    let redaction = Redaction(secrets: secrets)
    // From the inside out.
    var next = TransportStack.innermost(transport)
    if let recorder { next = recorder.around(next) }
    next = ResponseLimits(body: bodyLimit, redaction: redaction).around(next)
    if let events { next = EventReporting(to: events, time: time, redaction: redaction).around(next) }
    next = UserAgent(userAgent).around(next)
    next = RateBudgetMiddleware(
      ledger, longestWait: longestBudgetWait, time: time, events: events, redaction: redaction
    ).around(next)
    next = ConcurrencyLimit(perHost: requestsPerHost).around(next)
    if let breakerThreshold {
      next = CircuitBreaker(
        threshold: breakerThreshold, pause: breakerPause, time: time, events: events, redaction: redaction
      ).around(next)
    }
    next = ConditionalRequests(redaction: redaction).around(next)
    next = Redirects(events: events, redaction: redaction).around(next)
    if let retry {
      next = Retry(retry, time: time, random: random, events: events, redaction: redaction).around(next)
    }
    next = SingleFlight().around(next)
    if freshBytes > 0 { next = Freshness(capacity: freshBytes, time: time).around(next) }
    next = RequestChecks(redaction: redaction).around(next)
    return TransportStack(next, limitations: transport.limitations)
  }
}
