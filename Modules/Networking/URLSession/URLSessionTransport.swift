import Foundation
import Networking
public import Ports

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests by URLSession: for Apple's platforms, examples and small programs.
///
/// On Linux it has limits, which `limitations` names: cancelling abandons the exchange instead of ending it, because
/// ending one that is about to finish crashes or deadlocks; a compressed body can grow far past the limit before it is
/// refused; a cut body without a length, or with a broken frame, passes as whole; no Unix sockets; no HTTP/2.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let callTimeout: Duration
  private let bodyLimit: Int
  private let redirects = RedirectRefusal()

  /// Makes a transport.
  ///
  /// - Parameters:
  ///   - callTimeout: for a whole call; whole seconds count for the connection's silence too.
  ///   - bodyLimit: the largest decoded body, in bytes.
  public init(callTimeout: Duration = .seconds(120), bodyLimit: Int = 64 << 20) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 30
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    self.callTimeout = callTimeout
    self.bodyLimit = bodyLimit
    session = URLSession(configuration: configuration, delegate: redirects, delegateQueue: nil)
  }

  /// What it cannot do here.
  public var limitations: Set<TransportLimitation> {
    #if canImport(FoundationNetworking)
      [.abandonsOnCancel, .unboundedDecompression, .acceptsBrokenFraming, .noUnixSockets, .noHTTP2]
    #else
      [.unboundedDecompression, .noUnixSockets]
    #endif
  }

  /// Lets the session go once its last exchange is over.
  public func shutdown() { session.finishTasksAndInvalidate() }

  /// Sends the request once.
  ///
  /// - Throws: `TransportError`: `invalidRequest`, `cannotConnect`, `untrusted`, `timeout`, `connectionLost`,
  ///   `truncated`, `tooLarge`, `malformed`, `cancelled`.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let printed = Redaction().url(request.url)
    guard let address = WebAddress(request.url), address.scheme == "http" || address.scheme == "https",
      let url = URL(string: request.url)
    else {
      throw TransportError(.invalidRequest, "this is no address that can be asked", url: printed, requests: 0)
    }
    if let refusal = RequestChecks.refusal(of: request, printed: printed) { throw refusal }
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: printed, requests: 0) }
    let limit = min(request.bodyLimit ?? bodyLimit, bodyLimit)
    let race = Race<Result<HTTPResponse, TransportError>>()
    let task = session.dataTask(with: URLSessionTransport.prepared(request, url)) { data, response, error in
      race.finish(URLSessionTransport.outcome(request, data, response, error, limit: limit, printed: printed))
    }
    let timeout = callTimeout
    // Where time is up or the caller has gone, the exchange is abandoned: `task.cancel()` is what crashes.
    let alarm = Task {
      guard (try? await Task.sleep(for: timeout)) != nil else { return }
      race.finish(
        .failure(
          TransportError(
            .timeout, "no whole answer within \(timeout.secondsRoundedUp) s", url: printed, mayHaveArrived: true)))
    }
    defer { alarm.cancel() }
    task.resume()
    return try await withTaskCancellationHandler {
      await race.result()
    } onCancel: {
      race.finish(.failure(TransportError(.cancelled, "cancelled", url: printed, mayHaveArrived: true)))
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
      return .failure(TransportError(.malformed, "the answer is no HTTP", url: printed, mayHaveArrived: true))
    }
    let body = data.map { [UInt8]($0) } ?? []
    guard body.count <= limit else {
      return .failure(
        TransportError(.tooLarge, "the answer is larger than \(limit) bytes", url: printed, mayHaveArrived: true))
    }
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers.append(name, value) }
    }
    if headers["Content-Encoding"] == nil, request.method != .head, response.statusCode != 304,
      let length = headers["Content-Length"].flatMap({ Int($0) }), length != body.count
    {
      return .failure(
        TransportError(
          body.count < length ? .truncated : .malformed, "the answer has \(body.count) bytes and announces \(length)",
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
      return TransportError(.invalidRequest, "this is no address that can be asked", url: printed, requests: 0)
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
      return TransportError(.malformed, "the answer is no HTTP", url: printed, mayHaveArrived: true)
    case _ where error.localizedDescription.contains("SSL") || error.localizedDescription.contains("certificate"):
      // On Linux curl's refusals of certificates have no code of their own.
      return TransportError(.untrusted, "the server's certificate or its TLS was refused", url: printed)
    default:
      return TransportError(.connectionLost, "the connection broke", url: printed, mayHaveArrived: true)
    }
  }
}

/// Hands redirects back as answers, so that the caller's rules decide.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
