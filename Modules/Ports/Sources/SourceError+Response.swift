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
