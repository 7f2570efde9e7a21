/// Why something failed, as users and programs see it.
public struct Failure: Error, Hashable, Sendable {
  /// The part that failed; printed.
  public enum Kind: String, Sendable, CaseIterable {
    /// The server could not be reached, or the connection broke.
    case transport
    /// The server answered with an error status.
    case http
    /// The API reported an error of its own.
    case api
    /// The answer was not what it should be.
    case parsing
    /// The store could not be read or written.
    case store
    /// The config, an argument or a key is wrong.
    case config
    /// The recording has no such answer, or is no recording.
    case recording = "seed"
  }

  /// What it means for the caller; decides the exit code, is not printed.
  public enum Reason: String, Sendable, CaseIterable {
    /// Wrong arguments.
    case usage
    /// The answer could not be understood.
    case unparsable
    /// No such thing.
    case notFound
    /// The server could not be reached, kept failing, or refused.
    case unavailable
    /// A fault of ours.
    case internalFault
    /// A file could not be made.
    case cannotCreate
    /// A file could not be read or written.
    case inputOutput
    /// Try later.
    case tryLater
    /// Key or permission refused, or a key is missing.
    case denied
    /// The config is wrong.
    case config
    /// It was stopped from outside.
    case cancelled
  }

  /// The part that failed.
  public var kind: Kind
  /// What it means for the caller.
  public var reason: Reason
  /// What happened, in one line, without secrets.
  public var message: String
  /// How to mend it.
  public var hint: String?
  /// The address, without secrets.
  public var url: String?
  /// A short name that does not change: `http-503`, `flickr-5`, `busy`.
  public var code: String?
  /// The file or the JSON path.
  public var path: String?
  /// Whether the same call may go through later.
  public var retryable: Bool
  /// Seconds after which the server, the budget or the breaker lets it through; `nil` where nothing is said.
  public var retryAfter: Int?

  /// Makes a failure.
  public init(
    _ kind: Kind, _ reason: Reason, _ message: String, hint: String? = nil, url: String? = nil, code: String? = nil,
    path: String? = nil, retryable: Bool = false, retryAfter: Int? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.message = message
    self.hint = hint
    self.url = url
    self.code = code
    self.path = path
    self.retryable = retryable
    self.retryAfter = retryAfter
  }

  /// The failure as it is printed.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("kind", kind.rawValue)
    fields.append("message", message)
    fields.append("hint", hint)
    fields.append("url", url)
    fields.append("code", code)
    fields.append("path", path)
    fields.append("retryable", retryable)
    fields.append("retryAfter", retryAfter)
    return fields
  }
}
