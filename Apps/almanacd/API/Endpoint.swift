import Hummingbird
import Models
import Synchronization

/// Where the daemon can be reached; the port of `:0` is known only when it listens.
final class Endpoint: Sendable {
  private struct State {
    var address: ListenAddress
    var publicURL: PublicURL?
    var trustedHosts: [String] = []
  }

  private let state: Mutex<State>

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

  var address: ListenAddress { state.withLock { $0.address } }

  /// The address under which a reverse proxy shows it.
  var publicURL: PublicURL? { state.withLock { $0.publicURL } }

  /// The prefix of every path that browsers see, such as `/almanac`; empty by default.
  var basePath: String { publicURL?.path ?? "" }

  func open(port: Int) { state.withLock { $0.address.port = port } }

  /// Whether a request's Host names this server. On a Unix socket clients name the loopback without a port.
  func isOurs(_ authority: String) -> Bool {
    let state = state.withLock { $0 }
    return ListenAddress.loopback.contains(authority.lowercased()) || state.address.isOurs(authority)
      || state.publicURL?.isNamed(authority) ?? false || Self.isTrusted(authority, state)
  }

  /// The path of our page that a browser names as the origin of a request, without the path of the public address; `nil`
  /// where there is none.
  func origin(of request: Request) -> String? {
    guard let address = request.headers[.referer], let start = address.firstRange(of: "://")?.upperBound,
      let slash = address[start...].firstIndex(of: "/"),
      isOurs(origin: String(address[..<slash]), of: request.head.authority ?? "")
    else { return nil }
    let path = String(address[slash...])
    guard path.hasPrefix(basePath + "/"), !path.hasPrefix("//") else { return nil }
    return String(path.dropFirst(basePath.utf8.count))
  }

  /// Whether an Origin is that of our own page: the public address, or the host that the request is for. A trusted host
  /// may have a proxy with TLS before it; a page that came to the host of an https public address without TLS is another
  /// origin (RFC 6454 section 4), which anybody on the way may have written.
  func isOurs(origin: String, of authority: String) -> Bool {
    let (origin, state) = (origin.lowercased(), state.withLock { $0 })
    let isTLSOnly = state.publicURL.map { $0.isSecure && $0.isNamed(authority) } ?? false
    return origin == state.publicURL?.origin || (origin == "http://\(authority.lowercased())" && !isTLSOnly)
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

/// The address under which a reverse proxy shows the daemon, in the parts that the checks compare.
struct PublicURL: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// `host` or `host:port`; without the port that belongs to the scheme.
  let authority: String
  /// The path without a slash at its end: `/almanac`; empty where the daemon has the host for itself.
  let path: String

  /// Reads `daemon.publicURL` of the config, which was checked when the config was read.
  init?(_ text: String?) {
    guard let text, let colon = text.firstIndex(of: ":") else { return nil }
    scheme = text[..<colon].lowercased()
    let rest = text[colon...].dropFirst(3)
    authority = Self.withoutDefaultPort(rest.prefix { $0 != "/" }.lowercased(), scheme)
    path = String(rest.drop { $0 != "/" })
  }

  /// The origin of its pages (RFC 6454 section 6.2).
  var origin: String { "\(scheme)://\(authority)" }

  /// Whether it is reached through TLS.
  var isSecure: Bool { scheme == "https" }

  /// Whether a request's Host means this address.
  func isNamed(_ authority: String) -> Bool {
    Self.withoutDefaultPort(authority.lowercased(), scheme) == self.authority
  }

  private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
    let port = scheme == "https" ? ":443" : ":80"
    return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }
}

/// Where the daemon listens: a host and a port.
struct ListenAddress: Sendable, Hashable {
  /// A name or an address, without brackets.
  var host: String
  /// The port; 0 takes a free one.
  var port: Int

  /// The names of this machine for itself.
  static let loopback = ["localhost", "127.0.0.1", "[::1]"]

  static let standard = ListenAddress(host: "127.0.0.1", port: 7423)

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads `host:port`, `[::1]:port` or `:port`.
  ///
  /// - Throws: `Failure`, `usage` if the text is not an address.
  init(_ text: String) throws(Failure) {
    guard let colon = text.lastIndex(of: ":"), let port = decimal(Array(text[text.index(after: colon)...].utf8)),
      port <= 65_535
    else { throw Self.refused(text) }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      throw Self.refused(text)
    }
    self.init(host: host.isEmpty ? Self.standard.host : host.lowercased(), port: port)
  }

  private static func refused(_ text: String) -> Failure {
    Failure(.config, .usage, "'\(text)' is not an address to listen on", hint: "write 127.0.0.1:7423, or [::1]:7423")
  }

  /// Whether it takes connections for every address of the machine.
  var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  /// Whether only programs of this machine reach it.
  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// `host:port` as in a URL.
  var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Its URL; where it takes everything, the one that works on this machine.
  var url: String {
    isEverywhere ? "http://127.0.0.1:\(port)" : "http://\(description)"
  }

  /// Whether a request's Host names this server (RFC 9110 section 7.4): a loopback name or the configured host, with the
  /// port. A listener for every address also takes addresses, because no foreign name can pass for an address.
  func isOurs(_ authority: String) -> Bool {
    let (authority, suffix) = (authority.lowercased(), ":\(port)")
    guard authority.hasSuffix(suffix) || port == 80 else { return false }
    let name = authority.hasSuffix(suffix) ? String(authority.dropLast(suffix.utf8.count)) : authority
    return Self.loopback.contains(name) || name == (host.contains(":") ? "[\(host)]" : host)
      || (isEverywhere && Self.isLiteral(name))
  }

  /// Whether a name is an IPv4 or IPv6 address.
  private static func isLiteral(_ name: String) -> Bool {
    if name.hasPrefix("[") { return name.firstIndex(of: "]") == name.index(before: name.endIndex) }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
