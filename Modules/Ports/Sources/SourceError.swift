public import Models

/// An error of a pull or a push.
public enum SourceError: FailureRepresentable, Hashable, Sendable {
  /// There is no response, or none that can be trusted.
  case transport(TransportError)
  /// An error status. `message` is the API's own message, if any; `retryAfter` is in seconds.
  case http(status: Int, message: String?, url: String, retryAfter: Int?)
  /// An error that the API reported, possibly with HTTP 200, or one that was noticed in its answers.
  case api(APIFailure, meaning: APIMeaning, url: String)
  /// The response could not be parsed.
  case parsing(ParsingError)
  /// A key, or the password of an account, is required and missing. `problem` is the reason, if the config file names a
  /// place for it.
  case missingKey(source: SourceName, account: String? = nil, problem: String?, hint: String)
  /// A setting is required and missing, such as the URL of a server.
  case configuration(message: String, hint: String)
  /// The store could not be read.
  case store(StoreError)
  /// The follow is not valid for this source.
  case follow(FollowError)
  /// The edit cannot be sent as it is.
  case refused(message: String)

  /// The meaning of an error of an API.
  public enum APIMeaning: String, Sendable {
    /// The requested item does not exist.
    case notFound
    /// The key or the permission was refused.
    case denied
    /// The API requests a later attempt.
    case tryLater
    /// Any other error.
    case refused
  }

  /// The state of an edit after the error.
  public enum Disposition: Sendable {
    /// The remote refused the edit permanently.
    case refused
    /// The edit did not arrive and may be sent again.
    case retry
    /// The edit may have arrived: read the remote before sending it again.
    case unknown
  }

  /// The state of an edit after the error.
  public var disposition: Disposition {
    switch self {
    case .transport(let error):
      if error.mayHaveArrived { return .unknown }
      return error.code == .invalidRequest || error.code == .badRedirect ? .refused : .retry
    case .http(let status, _, _, _):
      switch status {
      case 401, 403, 408, 425, 429: return status == 408 ? .unknown : .retry
      case 400..<500: return .refused
      default: return .unknown
      }
    case .api(_, let meaning, _): return meaning == .tryLater || meaning == .denied ? .retry : .refused
    case .parsing: return .unknown
    case .missingKey, .configuration, .store: return .retry
    case .follow, .refused: return .refused
    }
  }

  /// Whether the server says that it has no such record.
  public var isNotFound: Bool {
    switch self {
    case .http(let status, _, _, _): status == 404 || status == 410
    case .api(_, let meaning, _): meaning == .notFound
    case .follow(let error): error.isMissing
    default: false
    }
  }

  /// The statuses with which a server may ask for a later attempt (RFC 9110 section 10.2.3, RFC 6585 section 4). With
  /// another one, `Retry-After` means nothing: a key that was refused is not accepted later.
  private static func mayAskForRetry(_ status: Int) -> Bool {
    [408, 413, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// What to do about an error status.
  private static func remedy(_ status: Int, _ retryAfter: Int?) -> String? {
    if let retryAfter { return "the server asks for a retry in \(retryAfter) s" }
    return switch status {
    case 401, 403: "the server refuses the key or the permission: check the key of this source in the config"
    case 428:
      "the server takes a change only with the version of the record (RFC 6585 section 3), and gave no entity tag (ETag) that says it"
    case 429: "the server limits how often it may be asked: try again later"
    case 408, 425, 500...: "the server has a problem of its own: try again later"
    default: nil
    }
  }

  /// The error of a follow of this source as users see it. Where a server refuses the request, it says which setting counts.
  public func failure(of source: SourceDescriptor) -> Failure {
    var failure = failure
    guard case .http(let status, _, _, _) = self else { return failure }
    let server = "servers.\(source.name)"
    switch status {
    case 401, 403:
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
    case _ where [404, 410].contains(status) && source.hasAccounts:
      failure.hint = "check the address of the account, in \(server).accounts in the config file"
    case _ where [404, 410].contains(status) && source.defaultURL == nil:
      failure.hint = "check the address, \(server).url in the config file: the path is added to it"
    default: break
    }
    return failure
  }

  /// The error as users see it.
  public var failure: Failure {
    switch self {
    case .transport(let error): return error.failure
    case .http(let status, let message, let url, let asked):
      let retryAfter = Self.mayAskForRetry(status) ? asked : nil
      let reason: Failure.Reason =
        switch status {
        case 404, 410: .notFound
        case 401, 403: .denied
        default: retryAfter == nil ? .unavailable : .tryLater
        }
      return Failure(
        .http, reason, "the server answered \(status)\(message.map { ": \($0)" } ?? "")",
        hint: Self.remedy(status, retryAfter), url: url, code: "http-\(status)",
        retryable: [408, 425, 429, 500, 502, 503, 504].contains(status), retryAfter: retryAfter)
    case .api(let error, let meaning, let url):
      let reason: Failure.Reason =
        switch meaning {
        case .notFound: .notFound
        case .denied: .denied
        case .tryLater: .tryLater
        case .refused: .unavailable
        }
      return Failure(
        .api, reason,
        error.isReported ? "the API answered with error \(error.code): \(error.message)" : error.message, url: url,
        code: error.code, retryable: meaning == .tryLater)
    case .parsing(let error): return error.failure
    case .missingKey(let source, let account, let problem, let hint):
      let what = account.map { "the password of the account \($0) is missing" } ?? "\(source) needs an API key"
      return Failure(
        .config, .denied, what + (problem.map { ": \($0)" } ?? ""), hint: hint, code: "missing-key")
    case .configuration(let message, let hint):
      return Failure(.config, .config, message, hint: hint, code: "missing-setting")
    case .store(let error): return error.failure
    case .follow(let error): return error.failure
    case .refused(let message): return Failure(.config, .unavailable, message)
    }
  }
}

extension SourceError {
  /// The error for a response whose status is not a success.
  ///
  /// - Parameters:
  ///   - url: the URL without secrets.
  ///   - message: the API's own message.
  public static func status(_ response: HTTPResponse, url: String, message: String? = nil) -> SourceError {
    .http(
      status: response.status, message: message, url: url,
      // A date is ignored, because the transport has already evaluated it.
      retryAfter: response.headers["Retry-After"].flatMap { Int($0) })
  }

  /// The error for a response that could not be parsed, with its URL.
  public static func parsing(_ error: ParsingError, url: String) -> SourceError {
    var error = error
    error.source = url
    return .parsing(error)
  }
}
