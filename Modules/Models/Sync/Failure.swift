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

/// An error that can be shown to users.
public protocol FailureRepresentable: Error {
  /// The error as users see it.
  var failure: Failure { get }
}

extension Failure {
  /// Runs `body`, and turns its error into what users see.
  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () throws(Problem) -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
  }

  /// Runs `body`, and turns its error into what users see.
  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () async throws(Problem) -> Value
  ) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
  }
}

/// What a program ends with: the codes of sysexits(3).
public enum ExitStatus: Int32, Sendable {
  /// Done, also when nothing changed.
  case done = 0
  /// Several things failed in different ways.
  case mixed = 1
  /// The command was used wrongly.
  case usage = 64
  /// An answer could not be parsed.
  case data = 65
  /// No such record or file.
  case noInput = 66
  /// The server could not be reached or kept failing.
  case unavailable = 69
  /// A fault of ours.
  case software = 70
  /// The store cannot be made.
  case cannotCreate = 73
  /// The store cannot be read or written.
  case inputOutput = 74
  /// Try later.
  case tryLater = 75
  /// Key or permission refused.
  case denied = 77
  /// The config is wrong.
  case config = 78
  /// Stopped by Ctrl-C.
  case interrupted = 130

  /// The code for a failure.
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

  /// The code for a sync: the failure's where all follows and edits that failed did so in the same way, 1 where they did
  /// not.
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
