public import Ports

/// The standard middlewares, in the order that `Networking.md` explains.
///
/// ```swift
/// var stack = StandardStack()
/// stack.userAgent = "example/1.0"
/// let client = stack.transport(over: AsyncHTTPTransport(.init(userAgent: stack.userAgent)))
/// let response = try await client.send(HTTPRequest(.get, "https://example.com/"))
/// ```
public struct StandardStack: Sendable {
  public var time: any TimeSource
  public var random: any RandomSource
  public var events: (any EventSink)?
  /// Keys and tokens in use. They are masked in events, errors and recordings.
  public var secrets: [String] = []
  public var secretNames = SecretNames()
  /// The base URLs of the servers that the settings name. Other servers may be asked for what data names only where their
  /// addresses are public.
  public var servers: [String] = []
  /// What names these servers, such as a setting of the program, for the hint of an error.
  public var serversAreNamedBy = "the program"
  public var userAgent = "almanac"
  public var retry: RetryPolicy? = .interactive
  public var ledger: any BudgetLedger = InMemoryBudgetLedger()
  /// The longest wait for a rate budget, in seconds.
  public var longestBudgetWait = 30
  /// Concurrent exchanges with one host.
  public var requestsPerHost = 8
  /// Consecutive failures after which requests to a host are paused; `nil` for no circuit breaker.
  public var breakerThreshold: Int?
  /// How many failures a timeout counts for.
  public var breakerTimeoutWeight = 1
  /// How long they are paused; `nil` never resumes them, for a program that ends soon.
  public var breakerPause: Duration? = .seconds(30)
  /// The largest decoded body, in bytes.
  public var bodyLimit = 64 << 20
  public var recorder: HARRecorder?

  /// Creates the stack for a command with a user waiting: no circuit breaker, short waits.
  public init(
    time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
    events: (any EventSink)? = nil
  ) { (self.time, self.random, self.events) = (time, random, events) }

  /// Creates the stack for a long-running service: a circuit breaker, long waits.
  public static func service(
    time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource(),
    events: (any EventSink)? = nil
  ) -> StandardStack {
    var stack = StandardStack(time: time, random: random, events: events)
    stack.retry = .patient
    stack.longestBudgetWait = 3600
    stack.breakerThreshold = 5
    return stack
  }

  public func transport(over transport: any HTTPTransport) -> TransportStack {
    let redaction = Redaction(secrets: secrets, names: secretNames)
    // From the innermost to the outermost.
    var next = TransportStack.innermost(transport)
    if let recorder { next = recorder.around(next) }
    if let events { next = EventReporting(to: events, time: time, redaction: redaction).around(next) }
    next = RateBudgetMiddleware(
      ledger, longestWait: longestBudgetWait, time: time, events: events, redaction: redaction
    ).around(next)
    next = ConcurrencyLimit(perHost: requestsPerHost).around(next)
    if let breakerThreshold {
      next = CircuitBreaker(
        threshold: breakerThreshold, timeoutWeight: breakerTimeoutWeight, pause: breakerPause, time: time,
        events: events, redaction: redaction
      ).around(next)
    }
    next = AddressGuard(servers: servers, namedBy: serversAreNamedBy, redaction: redaction).around(next)
    next = ExchangeRules(userAgent: userAgent, body: bodyLimit, redaction: redaction).around(next)
    next = Redirects(events: events, redaction: redaction).around(next)
    if let retry { next = Retry(retry, time: time, random: random, events: events, redaction: redaction).around(next) }
    next = SingleFlight().around(next)
    return TransportStack(next)
  }
}
