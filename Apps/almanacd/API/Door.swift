import Hummingbird
import Models
import Synchronization

/// Where the daemon can be reached; the port of `:0` is known only when it listens.
final class Door: Sendable {
  private struct State {
    var address: ListenAddress
    var publicURL: PublicURL?
    var trustedHosts: [String] = []
  }

  private let state: Mutex<State>

  /// A door at an address; not open yet.
  init(_ address: ListenAddress, _ settings: Settings.Daemon = Settings.Daemon()) {
    state = Mutex(State(address: address))
    configure(settings)
  }

  /// Takes what a new config says about the names of this daemon.
  func configure(_ settings: Settings.Daemon) {
    state.withLock { state in
      state.publicURL = PublicURL(settings.publicURL)
      state.trustedHosts = settings.trustedHosts
    }
  }

  /// The address.
  var address: ListenAddress { state.withLock { $0.address } }

  /// The address under which a reverse proxy shows it.
  var publicURL: PublicURL? { state.withLock { $0.publicURL } }

  /// What stands before every path that browsers see: `/almanac`; empty where there is nothing.
  var basePath: String { publicURL?.path ?? "" }

  /// It listens on this port.
  func open(port: Int) { state.withLock { $0.address.port = port } }

  /// Whether a request's Host is one of ours. On a Unix socket clients say `localhost`, or leave the port out.
  func isOurs(_ authority: String) -> Bool {
    let state = state.withLock { $0 }
    return authority.lowercased() == "localhost" || state.address.isOurs(authority)
      || state.publicURL?.isNamed(authority) ?? false || Self.isTrusted(authority, state)
  }

  /// Whether an Origin is that of our own page: the public address, or the host that the request is for. A trusted host
  /// may have a proxy with TLS before it.
  func isOurs(origin: String, of authority: String) -> Bool {
    let (origin, state) = (origin.lowercased(), state.withLock { $0 })
    return origin == state.publicURL?.origin || origin == "http://\(authority.lowercased())"
      || (origin == "https://\(authority.lowercased())" && Self.isTrusted(authority, state))
  }

  /// Whether the config names the host: with this port, or without any.
  private static func isTrusted(_ authority: String, _ state: State) -> Bool {
    let authority = authority.lowercased()
    let host =
      authority.hasSuffix("]") ? authority[...] : authority[..<(authority.lastIndex(of: ":") ?? authority.endIndex)]
    return state.trustedHosts.contains { $0 == authority || $0 == host }
  }

  /// The request as the routes know it: some proxies leave the path of the public address where it is.
  func local(_ request: Request) -> Request {
    let base = basePath
    guard !base.isEmpty, let path = request.head.path, path.hasPrefix(base) else { return request }
    let rest = path.dropFirst(base.count)
    guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return request }
    var head = request.head
    head.path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
    return Request(head: head, body: request.body)
  }
}
