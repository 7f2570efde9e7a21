public import Ports

/// Adds a `User-Agent` (RFC 9110 section 10.1.5) to requests that do not have one.
public struct UserAgent: HTTPMiddleware {
  private let value: String

  /// Creates the middleware.
  ///
  /// - Parameter value: product and version: `example/1.0 (+https://…)`.
  public init(_ value: String) { self.value = value }

  /// Adds the header.
  ///
  /// - Throws: the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    guard request.headers["User-Agent"] == nil else { return try await next(request) }
    return try await next(withUserAgent(request))
  }

  @inline(never)
  private func withUserAgent(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers.append("User-Agent", value)
    return request
  }
}
