import AsyncHTTPClient
import CLibrary
import Models
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Ports

extension InFlightRequest {
  /// The error as the port defines it. Unless it is certain that the request did not arrive, it may have.
  func transportError(_ error: any Error, isCancelled: Bool) -> TransportError {
    if var error = error as? TransportError {
      error.url = error.url ?? printedURL
      return error
    }
    if error is CancellationError || isCancelled { return make(.cancelled, "cancelled") }
    switch error {
    case let error as HTTPClientError: return clientError(error)
    case let error as NIOConnectionError:
      return make(.cannotConnect, "no connection to \(host): \(reason(error))", arrived: false)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      // `TLSFailure` finds the exact reason.
      return make(.untrusted, "TLS with the server failed", arrived: false)
    case let error as IOError:
      // Errors while connecting to a host come wrapped. A bare one breaks a running exchange, or is about a Unix socket
      // that cannot be opened.
      let isConnecting = [ECONNREFUSED, ENOENT, EACCES, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
      return isConnecting
        ? make(.cannotConnect, "no connection to \(host): \(reason(error))", arrived: false)
        : make(.connectionLost, "the connection broke: \(reason(error))")
    case let error as HTTPParserError: return parserError(error)
    case is ChannelError: return make(.connectionLost, "the connection broke")
    default: return unnamed(error)
    }
  }

  private func clientError(_ error: HTTPClientError) -> TransportError {
    switch error {
    case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
      .getConnectionFromPoolTimeout:
      return make(.timeout, "no connection to \(host) in time", arrived: false)
    case .readTimeout, .writeTimeout: return make(.timeout, "the connection was silent for too long")
    case .deadlineExceeded: return make(.timeout, "no complete response in time")
    case .cancelled: return make(.cancelled, "cancelled")
    case .remoteConnectionClosed: return make(.connectionLost, "the server closed the connection without a response")
    case .uncleanShutdown: return make(.truncated, "the encrypted connection ended without a proper close")
    case .invalidProxyResponse, .proxyAuthenticationRequired:
      return make(.cannotConnect, "the proxy refused: \(error.shortDescription)", arrived: false)
    case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath, .traceRequestWithBody,
      .bodyLengthMismatch, .alreadyShutdown, .identityCodingIncorrectlyPresent, .contentLengthMissing:
      return make(.invalidRequest, error.shortDescription, arrived: false)
    default:
      let name = String(describing: error)
      return name.contains("invalidHeaderField") || name.contains("unsupportedScheme")
        ? make(.invalidRequest, error.shortDescription, arrived: false) : make(.malformed, error.shortDescription)
    }
  }

  private func parserError(_ error: HTTPParserError) -> TransportError {
    switch error {
    case .invalidEOFState: make(.truncated, "the connection ended before the response was complete")
    case .headerOverflow: make(.tooLarge, "the response headers are too large")
    case .invalidConstant, .invalidVersion, .invalidStatus, .invalidMethod:
      make(.malformed, "what answers there does not speak HTTP: check the scheme and the port of the address")
    default: make(.malformed, "the response is not valid HTTP: \(error)")
    }
  }

  // Matches errors of indirect dependencies by name, so that they need not become direct ones.
  private func unnamed(_ error: any Error) -> TransportError {
    let type = String(reflecting: type(of: error))
    let name = String(describing: error)
    if type.contains("DecompressionError") {
      if name == "limit" { return make(.tooLarge, "the response is too large when decompressed") }
      return make(name.contains("truncated") ? .truncated : .malformed, "the response cannot be decompressed")
    }
    if type.contains("HTTP2") || type.contains("NIOHTTP") {
      return make(.connectionLost, "the exchange broke: \(name)")
    }
    return make(.connectionLost, "the exchange broke: \(type)")
  }

  private func reason(_ error: NIOConnectionError) -> String {
    if let first = error.connectionErrors.first?.error {
      return (first as? IOError).map(reason) ?? String(describing: first)
    }
    return error.dnsAError == nil && error.dnsAAAAError == nil ? "unreachable" : "unknown host"
  }

  /// The system's message alone: the description of an `IOError` adds its own text.
  private func reason(_ error: IOError) -> String { String(cString: strerror(error.errnoCode)).lowercased() }

  private func make(_ code: TransportError.Code, _ message: String, arrived: Bool = true) -> TransportError {
    TransportError(code, message, url: printedURL, mayHaveArrived: arrived)
  }
}
