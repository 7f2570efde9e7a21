public import Models

/// A pull or a push that did not come to its end.
public enum SourceError: FailureRepresentable, Hashable, Sendable {
  /// No answer, or none that can be trusted.
  case transport(TransportError)
  /// An error status. `message` is the API's own where it gave one; `retryAfter` in seconds.
  case http(status: Int, message: String?, url: String, retryAfter: Int?)
  /// The API's own error, also under HTTP 200.
  case api(APIFailure, meaning: APIMeaning, url: String)
  /// The answer could not be understood.
  case parsing(ParsingError)
  /// A key is needed and not there: why, where the config names a place for it, and how to give one.
  case missingKey(source: SourceName, problem: String?, hint: String)
  /// A setting is needed and not there, a server's address for instance; how to give it.
  case configuration(message: String, hint: String)
  /// The store could not be read.
  case store(StoreError)
  /// The follow is none of this source's.
  case follow(FollowError)
  /// The edit cannot be sent as it is.
  case refused(message: String)

  /// What an API's own error means.
  public enum APIMeaning: String, Sendable {
    /// No such thing.
    case notFound
    /// Key or permission refused.
    case denied
    /// The API asks to come back later.
    case tryLater
    /// Anything else.
    case refused
  }

  /// What a push may do after the error.
  public enum Disposition: Sendable {
    /// The remote said no for good.
    case refused
    /// Nothing arrived: it may be sent again.
    case retry
    /// It may have arrived: read the remote before sending it again.
    case unknown
  }

  /// What a push may do after the error.
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

  /// The error as users see it.
  public var failure: Failure {
    switch self {
    case .transport(let error): return error.failure
    case .http(let status, let message, let url, let retryAfter):
      let reason: Failure.Reason =
        switch status {
        case 404, 410: .notFound
        case 401, 403: .denied
        default: retryAfter == nil ? .unavailable : .tryLater
        }
      return Failure(
        .http, reason, "the server answered \(status)\(message.map { ": \($0)" } ?? "")",
        hint: retryAfter.map { "it asks to come back in \($0) s" }, url: url, code: "http-\(status)",
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
        .api, reason, "the API answered with error \(error.code): \(error.message)", url: url, code: error.code,
        retryable: meaning == .tryLater)
    case .parsing(let error): return error.failure
    case .missingKey(let source, let problem, let hint):
      return Failure(
        .config, .denied, "\(source) needs an API key\(problem.map { ": \($0)" } ?? "")", hint: hint,
        code: "missing-key")
    case .configuration(let message, let hint):
      return Failure(.config, .config, message, hint: hint, code: "missing-setting")
    case .store(let error): return error.failure
    case .follow(let error): return error.failure
    case .refused(let message): return Failure(.config, .unavailable, message)
    }
  }
}

extension SourceError {
  /// The error for an answer with a status that is no success.
  ///
  /// - Parameters:
  ///   - url: the address without secrets.
  ///   - message: what the API itself says about it.
  public static func status(_ response: HTTPResponse, url: String, message: String? = nil) -> SourceError {
    .http(
      status: response.status, message: message, url: url,
      // A date here is left out: the transport has already judged it.
      retryAfter: response.headers["Retry-After"].flatMap { Int($0) })
  }

  /// The error for an answer that could not be understood, with the address that gave it.
  public static func parsing(_ error: ParsingError, url: String) -> SourceError {
    var error = error
    error.source = url
    return .parsing(error)
  }
}
