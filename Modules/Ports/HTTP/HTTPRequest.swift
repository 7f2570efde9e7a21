public import Models

/// An HTTP request with its complete body.
public struct HTTPRequest: Hashable, Sendable {
  /// A request method (RFC 9110 section 9).
  public enum Method: String, Sendable, CaseIterable {
    /// Requests a representation.
    case get = "GET"
    /// Like GET, without the content.
    case head = "HEAD"
    /// Creates a resource, or processes the content.
    case post = "POST"
    /// Replaces a resource.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Removes a resource.
    case delete = "DELETE"
    /// Requests the communication options.
    case options = "OPTIONS"

    /// Whether the method only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }
    /// Whether several equal requests have the same effect as one (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
  }

  /// The method.
  public var method: Method
  /// An absolute `http` or `https` URL. It may contain secrets: redact it before printing.
  @ExactString public var url: String
  /// The headers.
  public var headers: HTTPHeaders
  /// The content; `nil` for a request without content.
  public var body: [UInt8]?
  /// The validator of the representation that the caller has. It makes the request conditional, so that 304 is a valid
  /// response.
  public var validator: HTTPValidator?
  /// Whether the request may be repeated after an unknown outcome; `nil` to decide by its method. A POST may be repeated with
  /// an idempotency key that the server supports. A PUT without a validator should not be, because it could overwrite a
  /// change that was made in the meantime.
  public var isRepeatable: Bool?
  /// Whether 500, 502, 503 and 504 are returned at once because the caller repeats the request itself. They then do not
  /// count as failures of the host.
  public var returnsServerErrors = false
  /// The largest decoded body, in bytes; `nil` for the limit of the transport.
  public var bodyLimit: Int?
  /// The rate budget against which the request counts.
  public var budget: RateBudget?

  /// Creates a request.
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

/// The number of calls that a server allows in a rolling window.
public struct RateBudget: Hashable, Sendable {
  /// The name. Calls under the same name share the budget. It must not contain a secret.
  public var name: String
  /// The calls in any window.
  public var calls: Int
  /// The length of the window.
  public var window: Interval
  /// The shortest time between two calls, in milliseconds.
  public var spacingMilliseconds: Int

  /// Creates a budget.
  public init(name: String, calls: Int, window: Interval, spacingMilliseconds: Int = 0) {
    self.name = name
    self.calls = calls
    self.window = window
    self.spacingMilliseconds = spacingMilliseconds
  }
}
