import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import NIOSSL
public import Ports
import Synchronization

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
    /// A PEM file of the only authorities that are trusted; the system's where absent. For servers of one's own, and
    /// tests.
    public var authorities: String?

    /// The defaults.
    public init(userAgent: String) { self.userAgent = userAgent }
  }

  private let configuration: Configuration
  private let clients: Mutex<[ProxySettings.Server?: HTTPClient]>
  private let deadline: CallDeadline

  /// Makes a transport; nothing is connected before the first request.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    clients = Mutex([:])
    deadline = CallDeadline(configuration.callTimeout)
  }

  // Last resort: AsyncHTTPClient stops the program in debug builds when a client goes away that was not shut down.
  deinit {
    let rest = clients.withLock { Array($0.values) }
    if !rest.isEmpty { Task { for client in rest { try? await client.shutdown() } } }
  }

  /// Ends all connections and waits for that. No request may follow.
  public func shutdown() async {
    let clients = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in clients { try? await client.shutdown() }
  }

  /// Sends the request once.
  ///
  /// - Throws: `TransportError`: `invalidRequest`, `cannotConnect`, `untrusted`, `timeout`, `connectionLost`,
  ///   `truncated`, `tooLarge`, `malformed`, `cancelled`.
  public func send(_ request: Ports.HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let call = try Call(request, configuration)
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", url: call.printedURL, requests: 0) }
    let client = client(for: call)
    do {
      return try await deadline.response(of: call.start(on: client))
    } catch is CallDeadline.Passed {
      throw TransportError(
        .timeout, "no whole answer within \(deadline.limit.components.seconds) s", url: call.printedURL,
        mayHaveArrived: true)
    } catch {
      throw call.transportError(error, isCancelled: Task.isCancelled)
    }
  }

  private func client(for call: Call) -> HTTPClient {
    let proxy = configuration.proxies.server(scheme: call.scheme, host: call.host, port: call.port)
    return clients.withLock { clients in
      if let client = clients[proxy] { return client }
      let client = HTTPClient(
        eventLoopGroupProvider: .shared(HTTPClient.defaultEventLoopGroup),
        configuration: configuration.clientConfiguration(proxy: proxy))
      clients[proxy] = client
      return client
    }
  }
}

extension AsyncHTTPTransport.Configuration {
  fileprivate func clientConfiguration(proxy: ProxySettings.Server?) -> HTTPClient.Configuration {
    var result = HTTPClient.Configuration()
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996: TLS 1.0 and 1.1 must not be used.
    tls.minimumTLSVersion = .tlsv12
    if let authorities { tls.trustRoots = .file(authorities) }
    result.tlsConfiguration = tls
    result.redirectConfiguration = .disallow
    result.decompression = .enabled(limit: .size(bodyLimit))
    result.timeout = HTTPClient.Configuration.Timeout(
      connect: connectTimeout.timeAmount, read: idleTimeout.timeAmount, write: idleTimeout.timeAmount)
    result.connectionPool.idleTimeout = .seconds(15)
    result.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
    result.connectionPool.retryConnectionEstablishment = false
    // What is read at once is unpacked at once, a thousandfold in the worst case, before anybody can refuse it. With
    // AsyncHTTPClient's own measures, four times 64 KiB, that is as much as a whole body may be.
    result.http1_1ConnectionDebugInitializer = { channel in
      channel.setOption(.maxMessagesPerRead, value: 1).flatMap {
        channel.setOption(
          .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 8192, maximum: 16_384))
      }
    }
    if let proxy {
      let credentials = proxy.credentials.map { text in
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return HTTPClient.Authorization.basic(username: parts[0], password: parts.count == 2 ? parts[1] : "")
      }
      result.proxy =
        credentials.map { .server(host: proxy.host, port: proxy.port, authorization: $0) }
        ?? .server(host: proxy.host, port: proxy.port)
    }
    return result
  }
}

extension Duration {
  fileprivate var timeAmount: TimeAmount {
    .nanoseconds(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
