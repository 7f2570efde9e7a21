public import Ports

/// Says who is asking (RFC 9110 section 10.1.5), unless the caller did.
public struct UserAgent: HTTPMiddleware {
  private let value: String

  /// Makes the middleware.
  ///
  /// - Parameter value: product and version: `almanac/1.0 (+https://…)`.
  public init(_ value: String) { self.value = value }

  /// Adds the header.
  ///
  /// - Throws: what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    guard request.headers["User-Agent"] == nil else { return try await next(request) }
    return try await next(named(request))
  }

  @inline(never)
  private func named(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    request.headers.append("User-Agent", value)
    return request
  }
}
