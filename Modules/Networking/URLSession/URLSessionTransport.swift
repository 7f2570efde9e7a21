import Foundation
import Models
import Networking
public import Ports
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport over URLSession, for Apple's platforms, examples and small programs.
///
/// A body is read up to the limit. What is larger, cancelled or takes too long ends with its connection. A request that
/// must not be repeated, or that has a body, has a connection of its own: on one that was used before, the system sends
/// it again by itself if the server closes the connection without a response.
///
/// On Linux it has the limitations in `limitations`: a truncated body without a length or with invalid framing passes as
/// complete; Unix sockets and HTTP/2 are not supported.
public final class URLSessionTransport: HTTPTransport {
  /// The session of the requests that may be repeated, which shares its connections among them.
  private let session: URLSession
  private let configuration: URLSessionConfiguration
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
    URLSession(configuration: configuration, delegate: Exchanges(), delegateQueue: nil)
  }

  public var limitations: Set<TransportLimitation> {
    #if canImport(FoundationNetworking)
      [.acceptsBrokenFraming, .noUnixSockets, .noHTTP2]
    #else
      [.noUnixSockets]
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
    let isAlone = !request.mayBeRepeated || request.body != nil
    let session = isAlone ? URLSessionTransport.session(configuration) : session
    defer { if isAlone { session.finishTasksAndInvalidate() } }
    let exchange = Exchange(
      URLSessionTransport.prepared(request, url), in: session, limit: min(request.bodyLimit ?? bodyLimit, bodyLimit))
    exchange.begin()
    let timeout = callTimeout
    let alarm = Task {
      do { try await Task.sleep(for: timeout) } catch { return }
      exchange.end(.timeout)
    }
    defer { alarm.cancel() }
    let ending = await withTaskCancellationHandler {
      await exchange.ending.value()
    } onCancel: {
      exchange.end(.cancelled)
    }
    switch ending {
    case .completed(let body, let response, let error):
      return try URLSessionTransport.outcome(request, body, response, error, printed: printed).get()
    case .tooLarge(let limit):
      throw TransportError(.tooLarge, "the response is larger than \(limit) bytes", url: printed, mayHaveArrived: true)
    case .timeout:
      throw TransportError(
        .timeout, "no complete response within \(timeout.secondsRoundedUp) s", url: printed, mayHaveArrived: true)
    case .cancelled: throw TransportError(.cancelled, "cancelled", url: printed, mayHaveArrived: true)
    }
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
    _ request: HTTPRequest, _ body: [UInt8], _ response: URLResponse?, _ error: (any Error)?, printed: String
  ) -> Result<HTTPResponse, TransportError> {
    if let error { return .failure(transportError(error, printed)) }
    guard let response = response as? HTTPURLResponse else {
      return .failure(TransportError(.malformed, "the response is not HTTP", url: printed, mayHaveArrived: true))
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

/// One exchange, whose body is collected up to the limit.
private final class Exchange: Sendable {
  enum Ending: Sendable {
    /// The system ended it, with a response or an error.
    case completed([UInt8], URLResponse?, (any Error)?)
    case tooLarge(limit: Int)
    case timeout
    case cancelled
  }

  private struct State {
    var body: [UInt8] = []
    var isEnding = false
    var isCompleted = false
  }

  let ending = FirstResult<Ending>()
  private let state = Mutex(State())
  #if canImport(FoundationNetworking)
    private let suspended = DispatchSemaphore(value: 0)
  #endif
  private let task: URLSessionDataTask
  private let session: URLSession
  private let limit: Int

  init(_ request: URLRequest, in session: URLSession, limit: Int) {
    (task, self.session, self.limit) = (session.dataTask(with: request), session, limit)
  }

  func begin() {
    (session.delegate as? Exchanges)?.add(self, of: task)
    task.resume()
  }

  /// Ends the exchange and closes its connection, unless it is complete.
  func end(_ reason: Ending) {
    ending.resolve(reason)
    stop()
  }

  private func stop() {
    let isFirst = state.withLock { state in
      defer { (state.isEnding, state.body) = (true, []) }
      return !state.isEnding && !state.isCompleted
    }
    guard isFirst else { return }
    #if canImport(FoundationNetworking)
      // Cancelling a task whose transfer has just completed ends the process. Suspending it takes the transfer off its
      // connection, or does nothing if it has completed; the second call returns when the first has had its effect. A
      // completion before that is on the queue of the delegate by then, and `complete` keeps it waiting.
      DispatchQueue.global().async { [self] in
        task.suspend()
        task.suspend()
        suspended.signal()
        session.delegateQueue.addOperation { [self] in
          if !state.withLock({ $0.isCompleted }) { task.cancel() }
        }
      }
    #else
      task.cancel()
    #endif
  }

  func receive(_ data: Data) {
    let isTooLarge = state.withLock { state in
      if state.isEnding { return false }
      guard data.count <= limit - state.body.count else { return true }
      state.body += data
      return false
    }
    guard isTooLarge else { return }
    ending.resolve(.tooLarge(limit: limit))
    stop()
  }

  func complete(_ error: (any Error)?) {
    let (body, isEnding) = state.withLock { state in
      state.isCompleted = true
      return (state.body, state.isEnding)
    }
    #if canImport(FoundationNetworking)
      if isEnding { suspended.wait() }
    #endif
    ending.resolve(.completed(body, task.response, error))
  }
}

/// The exchanges of a session. Redirects are returned as responses and not followed.
private final class Exchanges: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, of task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchanges.withLock { $0[dataTask.taskIdentifier] }?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
