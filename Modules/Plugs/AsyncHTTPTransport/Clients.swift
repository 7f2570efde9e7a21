import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression
import Ports
import Synchronization

/// The clients of AsyncHTTPClient behind a transport: for each proxy one on each of two threads.
///
/// A client with several threads begins every other call on one and carries it out on another, and each of its pieces
/// wakes both. A client with one thread wakes nobody, but its thread is all that it has. So calls to a host go to the
/// first client while they are few, and from then on to the one with fewer.
final class Clients: Sendable {
  /// Where a call goes.
  struct Place {
    let client: HTTPClient
    fileprivate let host: String
    fileprivate let lane: Int
  }

  private struct Route: Hashable {
    var proxy: ProxySettings.Server?
    var lane: Int
    /// A server with authorities or a client certificate of its own.
    var server: TrustSettings.Server?
  }

  private struct State {
    var trust: TrustSettings
    var clients: [Route: HTTPClient] = [:]
    var running: [String: Running] = [:]
  }

  /// Calls to a host that are under way, in the first lane and in the second.
  private struct Running {
    var first = 0
    var second = 0
  }

  private let configuration: AsyncHTTPTransport.Configuration
  private let threads: [any EventLoop]
  private let state: Mutex<State>

  /// Calls to one host that one thread carries out beside each other before the second one is used.
  private static let few = 4

  init(_ configuration: AsyncHTTPTransport.Configuration) {
    self.configuration = configuration
    state = Mutex(State(trust: configuration.trust))
    threads = Array(HTTPClient.defaultEventLoopGroup.makeIterator().prefix(2))
  }

  // Last resort: AsyncHTTPClient stops the program in debug builds when a client goes away that was not shut down.
  deinit {
    let rest = state.withLock { Array($0.clients.values) }
    if !rest.isEmpty { Task { for client in rest { try? await client.shutdown() } } }
  }

  /// Ends all connections and waits for that.
  func shutdown() async {
    let clients = state.withLock { state in
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
    for client in clients { try? await client.shutdown() }
  }

  /// Whom to trust from now on.
  func use(_ trust: TrustSettings) {
    state.withLock { state in
      // The variables are those of the process.
      if state.trust != trust { state.trust = trust }
    }
  }

  /// Whom calls trust now.
  var trust: TrustSettings { state.withLock { $0.trust } }

  /// A client for the call; `leave` must follow.
  ///
  /// - Throws: `TransportError.misconfigured` where a certificate file cannot be used.
  func enter(_ call: Call) throws(TransportError) -> Place {
    let proxy = configuration.proxies.server(scheme: call.scheme, host: call.host, port: call.port)
    return try state.withLock { state throws(TransportError) in
      let running = state.running[call.host] ?? Running()
      let isFirst =
        running.first < min(Self.few, connections(0)) || running.first <= running.second || connections(1) == 0
      let lane = isFirst ? 0 : 1
      let server = call.scheme == "https" ? state.trust.server(call.origin).flatMap { $0.isSpecial ? $0 : nil } : nil
      let route = Route(proxy: proxy, lane: lane, server: server)
      let client: HTTPClient
      if let known = state.clients[route] {
        client = known
      } else {
        client = try makeClient(route, state.trust)
        state.clients[route] = client
      }
      state.running[call.host] = Running(
        first: running.first + 1 - lane, second: running.second + lane)
      return Place(client: client, host: call.host, lane: lane)
    }
  }

  /// The call is over.
  func leave(_ place: Place) {
    state.withLock { state in
      guard var running = state.running[place.host] else { return }
      if place.lane == 0 { running.first -= 1 } else { running.second -= 1 }
      state.running[place.host] = running.first + running.second == 0 ? nil : running
    }
  }

  /// The connections to one host that a lane may have; together those that the configuration allows.
  private func connections(_ lane: Int) -> Int { (configuration.connectionsPerHost + 1 - lane) / 2 }

  private func makeClient(_ route: Route, _ trust: TrustSettings) throws(TransportError) -> HTTPClient {
    var settings = configuration.clientConfiguration(proxy: route.proxy, connections: connections(route.lane))
    settings.tlsConfiguration = try trust.configuration(for: route.server)
    return HTTPClient(
      eventLoopGroupProvider: .shared(threads[route.lane % threads.count]), configuration: settings)
  }
}

extension AsyncHTTPTransport.Configuration {
  fileprivate func clientConfiguration(proxy: ProxySettings.Server?, connections: Int) -> HTTPClient.Configuration {
    var result = HTTPClient.Configuration()
    result.redirectConfiguration = .disallow
    result.decompression = .enabled(limit: .size(bodyLimit))
    // Silence is watched by `CallWatch`.
    result.timeout = HTTPClient.Configuration.Timeout(connect: connectTimeout.timeAmount)
    // Nobody looks at its spans, and an empty one costs as much as a small answer's head.
    result.tracing.tracer = nil
    result.connectionPool.idleTimeout = .seconds(15)
    result.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    result.connectionPool.retryConnectionEstablishment = false
    result.http1_1ConnectionDebugInitializer = { channel in
      channel.eventLoop.makeCompletedFuture { try ReadSize.keep(for: channel) }
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
  var timeAmount: TimeAmount {
    .nanoseconds(components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
