/// An error in the form in which users and programs see it.
public struct Failure: Error, Hashable, Sendable {
  /// The part that failed, which is printed.
  public enum Kind: String, Sendable, CaseIterable {
    /// The server could not be reached, or the connection broke.
    case transport
    /// The server answered with an error status.
    case http
    /// The API reported an error of its own.
    case api
    case parsing
    case store
    /// The configuration, an argument or a key is not valid.
    case config
    /// The recording does not contain the response, or is not valid.
    case recording = "seed"
  }

  /// The meaning for the caller. It determines the exit status and is not printed.
  public enum Reason: String, Sendable, CaseIterable {
    case usage
    case unparsable
    case notFound
    /// The server could not be reached, kept failing, or refused the request.
    case unavailable
    case internalFault
    case cannotCreate
    case inputOutput
    case tryLater
    /// The key or the permission was refused, or the key is missing.
    case denied
    case config
    case cancelled
  }

  public var kind: Kind
  public var reason: Reason
  /// The message, in one line and without secrets.
  public var message: String
  public var hint: Advice?
  /// The URL, without secrets.
  public var url: String?
  /// A stable identifier: `http-503`, `flickr-5`, `busy`.
  public var code: FailureCode?
  /// The file or the JSON path.
  public var path: String?
  public var retryable: Bool
  /// The seconds after which the server, the budget or the circuit breaker allows a retry; `nil` if unknown.
  public var retryAfter: Int?

  public init(
    _ kind: Kind, _ reason: Reason, _ message: String, hint: Advice? = nil, url: String? = nil,
    code: FailureCode? = nil, path: String? = nil, retryable: Bool = false, retryAfter: Int? = nil
  ) {
    (self.kind, self.reason, self.message, self.hint, self.url) = (kind, reason, message, hint, url)
    (self.code, self.path, self.retryable, self.retryAfter) = (code, path, retryable, retryAfter)
  }

  public var fields: JSONObject {
    [
      "kind": .of(kind.rawValue), "message": .of(message), "hint": .of(hint?.description), "url": .of(url),
      "code": .of(code?.text), "path": .of(path), "retryable": .of(retryable), "retryAfter": .of(retryAfter),
    ]
  }
}

public protocol FailureRepresentable: Error {
  var failure: Failure { get }
}

extension Failure {
  /// Runs `body` and converts its error into a `Failure`.
  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () throws(Problem) -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
  }

  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () async throws(Problem) -> Value
  ) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
  }
}

/// The exit status of a program, with the codes of sysexits(3).
public enum ExitStatus: Int32, Sendable {
  /// Success, with or without changes.
  case done = 0
  /// Several operations failed for different reasons, or a person answered a question so that nothing was changed.
  case mixed = 1
  case usage = 64
  case data = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case cannotCreate = 73
  case inputOutput = 74
  case tryLater = 75
  case denied = 77
  case config = 78
  /// Interrupted by Ctrl-C.
  case interrupted = 130

  public init(_ reason: Failure.Reason) {
    self =
      switch reason {
      case .usage: .usage
      case .unparsable: .data
      case .notFound: .noInput
      case .unavailable: .unavailable
      case .internalFault: .software
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .tryLater: .tryLater
      case .denied: .denied
      case .config: .config
      case .cancelled: .interrupted
      }
  }

  /// The status for a sync: that of the failure if everything that failed did so for one reason, otherwise 1.
  public init(_ report: SyncReport, strict: Bool = false) {
    let failures = report.follows.compactMap(\.error) + [report.outbox.unsent].compactMap(\.self)
    let codes = Set(failures.map { ExitStatus($0.reason) })
    if codes.count > 1 {
      self = .mixed
    } else if let code = codes.first {
      self = code
    } else {
      self = strict && report.totals.rejected > 0 ? .data : .done
    }
  }
}
