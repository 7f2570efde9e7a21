public import Models

/// One HTTP request, whole in memory.
public struct HTTPRequest: Hashable, Sendable {
  /// A request method (RFC 9110 section 9).
  public enum Method: String, Sendable, CaseIterable {
    /// Transfers a representation.
    case get = "GET"
    /// Like GET, without the content.
    case head = "HEAD"
    /// Makes something new.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Changes a part.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"
    /// Asks what is possible.
    case options = "OPTIONS"

    /// Whether it only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }
    /// Whether sending it twice is as sending it once (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// The method.
  public var method: Method
  /// An absolute `http` or `https` URL. It may hold secrets; print only what a redaction gave back.
  @ExactString public var url: String
  /// The caller's headers.
  public var headers: HTTPHeaders
  /// The content; `nil` for none.
  public var body: [UInt8]?
  /// What the caller already has; makes the request conditional, so that 304 is an answer.
  public var validator: HTTPValidator?
  /// Whether it may be sent again after an unknown outcome; where absent, as its method says. A POST may be with an
  /// idempotency key that the server is known to honour; a PUT that no validator guards may not, because it would undo
  /// what somebody else changed meanwhile.
  public var isRepeatable: Bool?
  /// Whether 500, 502, 503 and 504 are given back at once, because the caller comes back by itself; they then say
  /// nothing about the host as a whole.
  public var returnsServerErrors = false
  /// The largest decoded body that is accepted, in bytes; the transport's own limit where absent.
  public var bodyLimit: Int?
  /// The rate budget that the request draws from, if any.
  public var budget: RateBudget?

  /// Makes a request.
  public init(
    _ method: Method = .get, _ url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    validator: HTTPValidator? = nil, isRepeatable: Bool? = nil, bodyLimit: Int? = nil, budget: RateBudget? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.validator = validator
    self.isRepeatable = isRepeatable
    self.bodyLimit = bodyLimit
    self.budget = budget
  }
}

/// How many calls one server allows in a rolling window.
public struct RateBudget: Hashable, Sendable {
  /// The budget's name; calls under the same name share it. It holds no secret.
  public var name: String
  /// Calls in any window.
  public var calls: Int
  /// The window's length.
  public var window: Interval
  /// Milliseconds between two calls.
  public var spacingMilliseconds: Int

  /// Makes a budget.
  public init(name: String, calls: Int, window: Interval, spacingMilliseconds: Int = 0) {
    self.name = name
    self.calls = calls
    self.window = window
    self.spacingMilliseconds = spacingMilliseconds
  }
}
