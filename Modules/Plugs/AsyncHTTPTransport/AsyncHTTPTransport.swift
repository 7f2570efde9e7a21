import AsyncHTTPClient
import Models
import NIOCore
public import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sends requests by AsyncHTTPClient.
///
/// It follows no redirect, sends everything once, checks certificates always, and takes an answer only when it is whole
/// and within its limits. Call `shutdown()` before the program ends, so that connections are closed properly.
public final class AsyncHTTPTransport: HTTPTransport {
  /// Bounds and identity.
  public struct Configuration: Sendable {
    /// Until the connection stands, TLS included, in seconds.
    public var connectTimeout: Duration = .seconds(10)
    /// Between two pieces of an answer.
    public var idleTimeout: Duration = .seconds(30)
    /// For a whole call, its body included.
    public var callTimeout: Duration = .seconds(120)
    /// The largest decoded body, in bytes; a request's own `bodyLimit` counts where it is smaller.
    public var bodyLimit = 64 << 20
    /// The largest sum of all header names and values of an answer, in bytes.
    public var headerLimit = 64 << 10
    /// Connections to one host at the same time.
    public var connectionsPerHost = 8
    /// The `User-Agent` of requests that bring none.
    public var userAgent: String
    /// Proxies.
    public var proxies: ProxySettings = .none
    /// Whom to trust, and which client certificates to show.
    public var trust = TrustSettings.system

    /// The defaults.
    public init(userAgent: String) { self.userAgent = userAgent }
  }

  private let configuration: Configuration
  private let clients: Clients
  private let watch: CallWatch

  /// Makes a transport; nothing is connected before the first request.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    clients = Clients(configuration)
    watch = CallWatch(limit: configuration.callTimeout, silence: configuration.idleTimeout)
  }

  /// Replaces what the settings say about trust; calls that are under way go on as they are.
  public func use(_ trust: TrustSettings) { clients.use(trust) }

  /// Ends all connections and waits for that. No request may follow.
  public func shutdown() async {
    watch.close()
    await clients.shutdown()
  }

  /// Sends the request once.
  ///
  /// - Throws: `TransportError`: `invalidRequest`, `cannotConnect`, `untrusted`, `misconfigured`, `timeout`,
  ///   `connectionLost`, `truncated`, `tooLarge`, `malformed`, `cancelled`.
  public func send(_ request: Ports.HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let call = try call(for: request)
    let place = try clients.enter(call)
    defer { clients.leave(place) }
    do {
      return try await watch.response(of: call.start(on: place.client))
    } catch {
      let failure = failure(of: call, error)
      throw failure.code == .untrusted ? await explained(failure, call, error) : failure
    }
  }

  /// The error with the reason why the server is not trusted.
  private func explained(_ failure: TransportError, _ call: Call, _ error: any Error) async -> TransportError {
    let trust = clients.trust
    let server = trust.server(call.origin)
    let distrust = Call.Distrust(error, server: server, call: call)
    var chain: [CertificateFacts] = []
    // Behind a proxy, only the client itself can reach the server.
    if configuration.proxies.server(scheme: call.scheme, host: call.host, port: call.port) == nil,
      call.scheme == "https", distrust.needsCertificates,
      let tls = try? trust.configuration(for: server)
    {
      chain = await CertificateInspection.certificates(
        host: call.host, port: call.port ?? 443, tls: tls, on: HTTPClient.defaultEventLoopGroup.next(),
        timeout: configuration.connectTimeout.timeAmount)
    }
    return call.untrusted(distrust, chain: chain, trust: trust, now: Self.now)
  }

  /// The machine's clock, by which certificates are judged.
  private static var now: Timestamp { Timestamp(secondsSinceEpoch: time(nil)) }

  // What does not wait stands apart: what an asynchronous function uses, it asks memory for, as long as the call lasts.
  @inline(never)
  private func call(for request: Ports.HTTPRequest) throws(TransportError) -> Call {
    let call = try Call(request, configuration)
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: call.printedURL, requests: 0) }
    return call
  }

  @inline(never)
  private func failure(of call: Call, _ error: any Error) -> TransportError {
    guard let late = error as? CallWatch.Late else { return call.transportError(error, isCancelled: Task.isCancelled) }
    return TransportError(
      .timeout,
      late == .silent
        ? "the connection was silent for too long" : "no whole answer within \(watch.limit.components.seconds) s",
      url: call.printedURL, mayHaveArrived: true)
  }
}
