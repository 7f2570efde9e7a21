import AsyncHTTPClient
import Models
import NIOCore
import NIOHTTPCompression
import Ports
import Synchronization

/// The AsyncHTTPClient instances behind a transport: one on each of two event loops, per proxy and client certificate.
///
/// A client with several event loops often accepts a request on one and executes it on another, and then every piece
/// wakes both. A client with one event loop avoids this but uses one thread only. So requests to a host go to the first
/// client while there are few of them, and otherwise to the one with fewer requests.
final class ClientPool: Sendable {
  struct Lease {
    let client: HTTPClient
    fileprivate let host: String
    fileprivate let loop: Int
  }

  private struct Key: Hashable {
    var proxy: ProxySettings.Server?
    var loop: Int
    /// A server with authorities or a client certificate of its own.
    var server: TrustSettings.Server?
    /// Whether it connects to public addresses only.
    var isGuarded: Bool
  }

  private struct State {
    var trust: TrustSettings
    var clients: [Key: HTTPClient] = [:]
    var active: [String: ActiveCounts] = [:]
  }

  /// Exchanges with one host in progress on each event loop.
  private struct ActiveCounts {
    var first = 0
    var second = 0
  }

  private let configuration: AsyncHTTPTransport.Configuration
  private let loops: [any EventLoop]
  private let state: Mutex<State>

  /// Concurrent exchanges with one host on the first event loop before the second one is used.
  private static let preferred = 4

  init(_ configuration: AsyncHTTPTransport.Configuration) {
    self.configuration = configuration
    state = Mutex(State(trust: configuration.trust))
    loops = Array(HTTPClient.defaultEventLoopGroup.makeIterator().prefix(2))
  }

  // Last resort: in debug builds AsyncHTTPClient traps when a client that was not shut down is released.
  deinit {
    let rest = state.withLock { Array($0.clients.values) }
    if !rest.isEmpty { Task { await Self.shutDown(rest) } }
  }

  func shutdown() async {
    let clients = state.withLock { state in
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
    await Self.shutDown(clients)
  }

  private static func shutDown(_ clients: [HTTPClient]) async {
    for client in clients {
      // The only possible error means that the client was already shut down.
      do { try await client.shutdown() } catch {}
    }
  }

  func use(_ trust: TrustSettings) { state.withLock { $0.trust = trust } }

  var trust: TrustSettings { state.withLock { $0.trust } }

  /// A client for the request. Call `release` when the exchange ends.
  ///
  /// - Throws: `TransportError.misconfigured` if a certificate file cannot be used.
  func lease(for request: InFlightRequest) throws(TransportError) -> Lease {
    let proxy = configuration.proxies.server(scheme: request.scheme, host: request.host, port: request.port)
    return try state.withLock { state throws(TransportError) in
      let active = state.active[request.host] ?? ActiveCounts()
      let isFirst =
        active.first < min(Self.preferred, connections(0)) || active.first <= active.second || connections(1) == 0
      let loop = isFirst ? 0 : 1
      let server =
        request.scheme == "https" ? state.trust.server(request.origin).flatMap { $0.isSpecial ? $0 : nil } : nil
      // A proxy has an address of its own, and opens the connection to the server.
      let key = Key(proxy: proxy, loop: loop, server: server, isGuarded: request.isFromData && proxy == nil)
      let client: HTTPClient
      if let existing = state.clients[key] {
        client = existing
      } else {
        client = try makeClient(key, state.trust)
        state.clients[key] = client
      }
      state.active[request.host] = ActiveCounts(first: active.first + 1 - loop, second: active.second + loop)
      return Lease(client: client, host: request.host, loop: loop)
    }
  }

  func release(_ lease: Lease) {
    state.withLock { state in
      guard var active = state.active[lease.host] else { return }
      if lease.loop == 0 { active.first -= 1 } else { active.second -= 1 }
      state.active[lease.host] = active.first + active.second == 0 ? nil : active
    }
  }

  /// The share of the connections per host that belongs to one event loop.
  private func connections(_ loop: Int) -> Int { (configuration.connectionsPerHost + 1 - loop) / 2 }

  private func makeClient(_ key: Key, _ trust: TrustSettings) throws(TransportError) -> HTTPClient {
    var settings = configuration.clientConfiguration(proxy: key.proxy, connections: connections(key.loop))
    if key.isGuarded { settings.connectToPublicAddressesOnly() }
    settings.tlsConfiguration = try trust.configuration(for: key.server)
    return HTTPClient(eventLoopGroupProvider: .shared(loops[key.loop % loops.count]), configuration: settings)
  }
}

extension AsyncHTTPTransport.Configuration {
  fileprivate func clientConfiguration(proxy: ProxySettings.Server?, connections: Int) -> HTTPClient.Configuration {
    var result = HTTPClient.Configuration()
    result.redirectConfiguration = .disallow
    result.decompression = .enabled(limit: .size(bodyLimit))
    // `TimeoutMonitor` watches the idle time.
    result.timeout = HTTPClient.Configuration.Timeout(connect: connectTimeout.timeAmount)
    // The spans are not used, and an empty one costs as much as parsing a small response's head.
    result.tracing.tracer = nil
    result.connectionPool.idleTimeout = .seconds(15)
    result.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    result.connectionPool.retryConnectionEstablishment = false
    result.http1_1ConnectionDebugInitializer = { channel in
      channel.eventLoop.makeCompletedFuture { try ReadBufferSize.install(on: channel) }
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

extension HTTPClient.Configuration {
  /// Ends each connection to an address that is not public before a request is sent on it. The address that is connected
  /// counts, and not the name, which can lead elsewhere a moment later.
  fileprivate mutating func connectToPublicAddressesOnly() {
    let next = http1_1ConnectionDebugInitializer
    http1_1ConnectionDebugInitializer = { channel in
      channel.eventLoop.makeCompletedFuture { try Self.checkAddress(of: channel) }
        .flatMap { next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
    }
    http2ConnectionDebugInitializer = { channel in
      channel.eventLoop.makeCompletedFuture { try Self.checkAddress(of: channel) }
    }
  }

  private static func checkAddress(of channel: any Channel) throws {
    // The address is at byte 4 of a sockaddr_in, and at byte 8 of a sockaddr_in6.
    let place: Range<Int> =
      switch channel.remoteAddress {
      case .v4?: 4..<8
      case .v6?: 8..<24
      case .unixDomainSocket?, nil: 0..<0
      }
    let bytes =
      channel.remoteAddress?.withSockAddr { address, size in
        Array(UnsafeRawBufferPointer(start: address, count: size)[place])
      } ?? []
    let address = InternetAddress(bytes)
    guard address?.isPublic ?? false else { throw TransportError.forbiddenAddress(address) }
  }
}

extension Duration {
  var timeAmount: TimeAmount {
    .nanoseconds(
      Int64(Int(components.seconds).times(1_000_000_000).plus(Int(components.attoseconds / 1_000_000_000))))
  }
}
