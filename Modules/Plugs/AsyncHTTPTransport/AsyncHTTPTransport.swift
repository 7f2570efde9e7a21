import AsyncHTTPClient
import CLibrary
import Models
import NIOCore
public import Ports

/// A transport over AsyncHTTPClient.
///
/// It sends each request once, does not follow redirects, always verifies certificates, and returns a response only
/// when it is complete and within its limits. Call `shutdown()` before the program ends, so that connections are closed
/// properly.
public final class AsyncHTTPTransport: HTTPTransport {
  public struct Configuration: Sendable {
    /// The time to establish a connection, including TLS.
    public var connectTimeout: Duration = .seconds(10)
    /// The longest silence between two pieces of a response.
    public var idleTimeout: Duration = .seconds(30)
    /// The time for a whole exchange, including the body.
    public var callTimeout: Duration = .seconds(120)
    /// The largest decoded body, in bytes. A smaller `bodyLimit` of the request takes precedence.
    public var bodyLimit = 64 << 20
    /// The largest total size of header names and values, in bytes.
    public var headerLimit = 64 << 10
    public var connectionsPerHost = 8
    /// The `User-Agent` of requests that do not set one.
    public var userAgent: String
    public var proxies: ProxySettings = .none
    public var trust = TrustSettings.system
    /// Gets the bytes of a response that have arrived so far, and the announced size, for each piece, on the thread that
    /// reads it. The URL has no query.
    public var progress: (@Sendable (_ url: String, _ bytes: Int, _ expected: Int?) -> Void)?

    /// The default limits, no proxy, and the system's authorities.
    public init(userAgent: String) { self.userAgent = userAgent }
  }

  private let configuration: Configuration
  private let pool: ClientPool
  private let timeouts: TimeoutMonitor

  /// Creates a transport. It connects with the first request.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    pool = ClientPool(configuration)
    timeouts = TimeoutMonitor(limit: configuration.callTimeout, silence: configuration.idleTimeout)
  }

  /// Replaces the trust settings. Exchanges in progress keep the earlier ones.
  public func use(_ trust: TrustSettings) { pool.use(trust) }

  /// Closes all connections and waits until they are closed. Do not send requests afterwards.
  public func shutdown() async {
    timeouts.close()
    await pool.shutdown()
  }

  /// - Throws: `TransportError`: `invalidRequest`, `cannotConnect`, `untrusted`, `misconfigured`, `timeout`,
  ///   `connectionLost`, `truncated`, `tooLarge`, `malformed`, `cancelled`.
  public func send(_ request: Ports.HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let exchange = try inFlightRequest(request)
    let lease = try pool.lease(for: exchange)
    defer { pool.release(lease) }
    do {
      return try await timeouts.response(of: exchange.start(on: lease.client))
    } catch {
      var failure = failure(of: exchange, error)
      let proxy = configuration.proxies.server(scheme: exchange.scheme, host: exchange.host, port: exchange.port)
      if failure.code == .untrusted { failure = await explained(failure, exchange, error, isDirect: proxy == nil) }
      throw failure.through(proxy)
    }
  }

  /// The error with the reason why the server is not trusted.
  private func explained(
    _ failure: TransportError, _ exchange: InFlightRequest, _ error: any Error, isDirect: Bool
  ) async -> TransportError {
    let trust = pool.trust
    let server = trust.server(exchange.origin)
    let tlsFailure = TLSFailure(error, server: server)
    var chain: [CertificateFacts] = []
    // Behind a proxy, only the HTTP client can reach the server.
    if isDirect, exchange.scheme == "https", tlsFailure.needsCertificates,
      let tls = try? trust.configuration(for: server)
    {
      chain = await CertificateInspection.certificates(
        host: exchange.host, port: exchange.port ?? 443, tls: tls, on: HTTPClient.defaultEventLoopGroup.next(),
        timeout: configuration.connectTimeout.timeAmount)
    }
    return exchange.untrusted(tlsFailure, chain: chain, trust: trust, now: Self.now)
  }

  /// The system clock, which decides whether a certificate is valid.
  private static var now: Timestamp { Timestamp(secondsSinceEpoch: time(nil)) }

  // Synchronous work is in functions of its own: the locals of an asynchronous function occupy memory for the whole
  // exchange.
  @inline(never)
  private func inFlightRequest(_ request: Ports.HTTPRequest) throws(TransportError) -> InFlightRequest {
    let exchange = try InFlightRequest(request, configuration)
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: exchange.printedURL, requests: 0) }
    return exchange
  }

  @inline(never)
  private func failure(of exchange: InFlightRequest, _ error: any Error) -> TransportError {
    guard let timeout = error as? TimeoutMonitor.Timeout else {
      return exchange.transportError(error, isCancelled: Task.isCancelled)
    }
    return TransportError(
      .timeout,
      timeout == .idle
        ? "the connection was silent for too long"
        : "no complete response within \(timeouts.limit.components.seconds) s",
      url: exchange.printedURL, mayHaveArrived: true)
  }
}
