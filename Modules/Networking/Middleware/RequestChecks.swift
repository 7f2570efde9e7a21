import Models
public import Ports

/// Rejects requests that must not reach a socket: relative URLs, invalid header names, control characters in headers.
public struct RequestChecks: HTTPMiddleware {
  private let redaction: Redaction

  /// Creates the middleware; `redaction` masks secrets in its errors.
  public init(redaction: Redaction = Redaction()) { self.redaction = redaction }

  /// Passes valid requests on.
  ///
  /// - Throws: `TransportError.invalidRequest`, and the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    if let refusal = refusal(of: request) { throw refusal }
    return try await next(request)
  }

  @inline(never)
  private func refusal(of request: HTTPRequest) -> TransportError? {
    RequestChecks.refusal(of: request, printed: redaction.url(request.url))
  }

  /// The reason why the request must not be sent; `nil` for a valid one. `printed` is its URL without secrets.
  package static func refusal(of request: HTTPRequest, printed: @autoclosure () -> String) -> TransportError? {
    func error(_ message: String, hint: Advice? = nil) -> TransportError {
      TransportError(.invalidRequest, message, url: printed(), hint: hint, requests: 0)
    }
    guard WebAddress.isPlain(request.url) || WebAddress(request.url) != nil else {
      return error("the address is not an absolute http or https URL", hint: "write an absolute http or https URL")
    }
    for field in request.headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(isToken) else {
        return error("a header has a name that is not valid in HTTP")
      }
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        return error("the header \(field.name) contains a line break or another control character")
      }
    }
    return nil
  }

  /// `tchar` (RFC 9110 section 5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E:
      true
    default: false
    }
  }
}
