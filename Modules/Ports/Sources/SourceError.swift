public import Models

public enum SourceError: FailureRepresentable, Hashable, Sendable {
  /// There is no response, or none that can be trusted.
  case transport(TransportError)
  /// The error status of a response, never one that was made up. `message` is the API's own message, if any; `retryAfter` is
  /// in seconds.
  case answered(HTTPStatus, message: String?, url: String, retryAfter: Int?)
  /// An error that the API reported in its own words, possibly with HTTP 200, or one that was concluded from its answers.
  /// `retryAfter` is in seconds, as the API gave it.
  case meant(Meaning, said: APIFailure, url: String, retryAfter: Int? = nil)
  case parsing(ParsingError)
  /// A key, or an account's password, is required and missing. `problem` says why, if the config file names a place.
  case missingKey(source: SourceName, account: String? = nil, problem: String?, hint: Advice)
  case configuration(message: String, hint: Advice)
  case store(StoreError)
  case follow(FollowError)
  case refused(message: String)
  /// The remote made the new record, and what it answered cannot be read.
  case made(message: String)

  public enum Meaning: Sendable {
    case missing
    case denied
    /// The API limits the rate of all calls.
    case limited
    /// The API requests a later attempt of this call.
    case later
    /// Another client has locked the record for a moment.
    case locked
    case changed
    /// The server does not say which version of the record it has, so that a change could overwrite a newer one.
    case unguarded
    /// The server repeats what it sent already.
    case endless
    case refused
  }

  public enum Disposition: Sendable {
    /// The remote refused the edit permanently.
    case refused
    /// The remote made the new record: sent again, it would be a second one.
    case made
    /// The edit did not arrive and may be sent again.
    case retry
    /// The edit may have arrived: read the remote before sending it again.
    case unknown
  }

  public var disposition: Disposition {
    switch self {
    case .transport(let error):
      if error.mayHaveArrived { return .unknown }
      return error.code == .invalidRequest || error.code == .badRedirect ? .refused : .retry
    case .answered(let status, _, _, _): return status.edit
    case .meant(let meaning, _, _, _):
      return [.denied, .limited, .later, .locked].contains(meaning) ? .retry : .refused
    case .parsing: return .unknown
    case .missingKey, .configuration, .store: return .retry
    case .follow, .refused: return .refused
    case .made: return .made
    }
  }

  public var isNotFound: Bool {
    switch self {
    case .answered(let status, _, _, _): status.meaning == .missing
    case .meant(let meaning, _, _, _): meaning == .missing
    case .follow(let error): error.isMissing
    default: false
    }
  }

  private static func suggestion(_ status: HTTPStatus, _ retryAfter: Int?) -> Advice? {
    if let retryAfter { return wait(retryAfter) }
    return switch status.meaning {
    case .unauthorized, .forbidden:
      "the server refuses the key or the permission: check the key of this source in the config"
    case .preconditionRequired: unguarded
    case .limited: "the server limits how often it may be asked: try again later"
    case .tryLater: serverProblem
    default: status.isServerError ? serverProblem : nil
    }
  }

  private static func wait(_ seconds: Int) -> Advice { "the server asks for a retry in \(seconds) s" }

  private static let serverProblem: Advice = "the server has a problem of its own: try again later"

  private static let unguarded: Advice =
    "the server takes a change only with the version of the record (RFC 6585 section 3), and gave no entity tag (ETag) that says it"

  /// The error of a follow of this source as users see it. Where a server refuses the request, it says which setting counts.
  public func failure(of source: SourceDescriptor) -> Failure {
    var failure = failure
    guard case .answered(let status, _, _, _) = self else { return failure }
    let server = "servers.\(source.name)"
    switch status.meaning {
    case .unauthorized, .forbidden:
      if source.hasAccounts {
        failure.hint =
          "check user and password of the account, in \(server).accounts in the config file; a server with two-factor "
          + "authentication needs an app password, which its settings create"
      } else if let key = source.key {
        failure.hint = "check the key, \(server).apiKey in the config file or the variable \(key.variable); \(key.help)"
      } else {
        failure.hint =
          "\(source.name) is asked without a key or password: let the server answer without one, or set a client "
          + "certificate, \(server).certFile in the config file"
      }
    case .missing where source.hasAccounts:
      failure.hint = "check the address of the account, in \(server).accounts in the config file"
    case .missing where source.defaultURL == nil:
      failure.hint = "check the address, \(server).url in the config file: the path is added to it"
    default: break
    }
    return failure
  }

  public var failure: Failure {
    switch self {
    case .transport(let error): return error.failure
    case .answered(let status, let message, let url, let asked):
      let retryAfter = status.mayNameAPause ? asked : nil
      let reason: Failure.Reason =
        switch status.meaning {
        case .missing: .notFound
        case .unauthorized, .forbidden: .denied
        default: retryAfter == nil ? .unavailable : .tryLater
        }
      return Failure(
        .http, reason, "the server answered \(status)\(message.map { ": \($0)" } ?? "")",
        hint: Self.suggestion(status, retryAfter), url: url, code: .status(status.code),
        retryable: status.isWorthRepeating, retryAfter: retryAfter)
    case .meant(let meaning, let error, let url, let retryAfter):
      let reason: Failure.Reason =
        switch meaning {
        case .missing: .notFound
        case .denied: .denied
        case .limited, .later, .locked: .tryLater
        case .changed, .unguarded, .endless, .refused: .unavailable
        }
      return Failure(
        .api, reason, error.isReported ? "the API answered with error \(error.code): \(error.message)" : error.message,
        hint: meaning == .unguarded ? Self.unguarded : retryAfter.map(Self.wait), url: url,
        code: error.isReported ? .reported(error.code) : FailureCode(error.code, of: .api),
        retryable: reason == .tryLater, retryAfter: retryAfter)
    case .parsing(let error): return error.failure
    case .missingKey(let source, let account, let problem, let hint):
      let what = account.map { "the password of the account \($0) is missing" } ?? "\(source) needs an API key"
      return Failure(.config, .denied, what + (problem.map { ": \($0)" } ?? ""), hint: hint, code: .own(.missingKey))
    case .configuration(let message, let hint):
      return Failure(.config, .config, message, hint: hint, code: .own(.missingSetting))
    case .store(let error): return error.failure
    case .follow(let error): return error.failure
    case .refused(let message), .made(let message): return Failure(.config, .unavailable, message)
    }
  }
}

extension SourceError {
  public static func from<Value>(_ body: () throws(StoreError) -> Value) throws(SourceError) -> Value {
    do { return try body() } catch { throw .store(error) }
  }

  /// Reads a value from a store and converts the error.
  public static func reading<Value>(_ value: @autoclosure () throws(StoreError) -> Value) throws(SourceError) -> Value {
    do { return try value() } catch { throw .store(error) }
  }

  /// The error for a response whose status is not a success.
  ///
  /// - Parameters:
  ///   - url: the URL without secrets.
  public static func status(_ response: HTTPResponse, url: String, message: String? = nil) -> SourceError {
    .answered(
      response.status, message: message, url: url,
      // A date is ignored, because the transport has already evaluated it.
      retryAfter: response.retryAfter)
  }

  public static func parsing(_ error: ParsingError, url: String) -> SourceError {
    var error = error
    error.source = url
    return .parsing(error)
  }
}
