import Foundation
import Models
import Networking
public import Ports

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport over URLSession, for Apple's platforms, examples and small programs.
///
/// On Linux it has the limitations in `limitations`: cancelling abandons the exchange instead of ending it, because
/// ending one that is about to finish crashes or deadlocks; a compressed body can grow far beyond the limit before it
/// is rejected; a truncated body without a length or with invalid framing passes as complete; Unix sockets and HTTP/2
/// are not supported.
///
/// A request that must not be repeated, or that has a body, has a session and a connection of its own: on a connection that was used
/// before, the system sends it again by itself if the server closes the connection without a response.
public final class URLSessionTransport: HTTPTransport {
  private let configuration: URLSessionConfiguration
  /// The session of the requests that may be repeated, which share its connections.
  private let session: URLSession
  private let callTimeout: Duration
  private let bodyLimit: Int

  public init(callTimeout: Duration = .seconds(120), bodyLimit: Int = 64 << 20) {
    configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 30
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    (self.callTimeout, self.bodyLimit) = (callTimeout, bodyLimit)
    session = URLSessionTransport.session(configuration)
  }

  private static func session(_ configuration: URLSessionConfiguration) -> URLSession {
    URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
  }

  public var limitations: Set<TransportLimitation> {
    #if canImport(FoundationNetworking)
      [.abandonsOnCancel, .unboundedDecompression, .acceptsBrokenFraming, .noUnixSockets, .noHTTP2]
    #else
      [.unboundedDecompression, .noUnixSockets]
    #endif
  }

  /// Invalidates the session after its last exchange.
  public func shutdown() { session.finishTasksAndInvalidate() }

  /// - Throws: `TransportError`: `invalidRequest`, `cannotConnect`, `untrusted`, `timeout`, `connectionLost`,
  ///   `truncated`, `tooLarge`, `malformed`, `cancelled`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let printed = Redaction().url(request.url)
    guard let address = WebAddress(request.url), address.scheme == "http" || address.scheme == "https",
      let url = URL(string: request.encodedURL, encodingInvalidCharacters: false)
    else {
      throw TransportError(
        .invalidRequest, "the address is not an absolute http or https URL", url: printed, requests: 0)
    }
    if let refusal = ExchangeRules.refusal(of: request, printed: printed) { throw refusal }
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: printed, requests: 0) }
    let limit = min(request.bodyLimit ?? bodyLimit, bodyLimit)
    let outcome = FirstResult<Result<HTTPResponse, TransportError>>()
    let isAlone = !request.mayBeRepeated || request.body != nil
    let session = isAlone ? URLSessionTransport.session(configuration) : session
    defer { if isAlone { session.finishTasksAndInvalidate() } }
    let task = session.dataTask(with: URLSessionTransport.prepared(request, url)) { data, response, error in
      outcome.resolve(URLSessionTransport.outcome(request, data, response, error, limit: limit, printed: printed))
    }
    let timeout = callTimeout
    // After a timeout or a cancellation the exchange is abandoned, because `task.cancel()` may crash.
    let alarm = Task {
      do { try await Task.sleep(for: timeout) } catch { return }
      outcome.resolve(
        .failure(
          TransportError(
            .timeout, "no complete response within \(timeout.secondsRoundedUp) s", url: printed, mayHaveArrived: true)))
    }
    defer { alarm.cancel() }
    task.resume()
    return try await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      outcome.resolve(.failure(TransportError(.cancelled, "cancelled", url: printed, mayHaveArrived: true)))
    }.get()
  }

  private static func prepared(_ request: HTTPRequest, _ url: URL) -> URLRequest {
    var prepared = URLRequest(url: url)
    prepared.httpMethod = request.method.rawValue
    prepared.httpShouldHandleCookies = false
    for field in request.headers.fields { prepared.addValue(field.value, forHTTPHeaderField: field.name) }
    if let body = request.body { prepared.httpBody = Data(body) }
    return prepared
  }

  private static func outcome(
    _ request: HTTPRequest, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, limit: Int, printed: String
  ) -> Result<HTTPResponse, TransportError> {
    if let error { return .failure(transportError(error, printed)) }
    guard let response = response as? HTTPURLResponse else {
      return .failure(TransportError(.malformed, "the response is not HTTP", url: printed, mayHaveArrived: true))
    }
    let body = data.map { [UInt8]($0) } ?? []
    guard body.count <= limit else {
      return .failure(
        TransportError(.tooLarge, "the response is larger than \(limit) bytes", url: printed, mayHaveArrived: true))
    }
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.append(name, value) }
    }
    if headers["Content-Encoding"] == nil, request.method != .head, HTTPStatus(response.statusCode).hasContent,
      let length = headers["Content-Length"].flatMap({ Int($0) }), length != body.count
    {
      return .failure(
        TransportError(
          body.count < length ? .truncated : .malformed, "the response has \(body.count) bytes but announces \(length)",
          url: printed, mayHaveArrived: true))
    }
    return .success(HTTPResponse(status: response.statusCode, headers: headers, body: body, url: request.url))
  }

  private static func transportError(_ error: any Error, _ printed: String) -> TransportError {
    let code = (error as? URLError)?.code ?? .unknown
    switch code {
    case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
      return TransportError(.cannotConnect, "no connection to the server", url: printed)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
      return TransportError(.untrusted, "the server's certificate or its TLS was refused", url: printed)
    case .timedOut:
      return TransportError(.timeout, "the connection was silent for too long", url: printed, mayHaveArrived: true)
    case .badURL, .unsupportedURL:
      return TransportError(
        .invalidRequest, "the address is not an absolute http or https URL", url: printed, requests: 0)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
      return TransportError(.malformed, "the response is not HTTP", url: printed, mayHaveArrived: true)
    case _ where error.localizedDescription.contains("SSL") || error.localizedDescription.contains("certificate"):
      // On Linux, curl's certificate errors have no code of their own.
      return TransportError(.untrusted, "the server's certificate or its TLS was refused", url: printed)
    default: return TransportError(.connectionLost, "the connection broke", url: printed, mayHaveArrived: true)
    }
  }
}

/// Returns redirects as responses instead of following them.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
