import Models
import Ports

/// Selects the proxy of a request from the environment variables that curl uses.
///
/// `http_proxy` (lower case only: a client of a CGI server can set the upper-case variable), `https_proxy`, `all_proxy`
/// and `no_proxy`, the last three also in upper case. AsyncHTTPClient opens a tunnel (CONNECT) for `http` URLs too; a
/// proxy that allows tunnels to port 443 only refuses those.
public struct ProxySettings: Hashable, Sendable {
  public struct Server: Hashable, Sendable {
    public var host: String
    public var port: Int
    /// `user:password`, decoded. Never print it.
    var credentials: String?
    /// The variable that names it.
    var variable = ""
  }

  public var http: Server?
  public var https: Server?
  private var exceptions: [String]

  public static let none = ProxySettings(environment: [:])

  /// Reads the variables. Values that are not proxy addresses are ignored.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> (name: String, text: String)? {
      names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
    }
    func server(_ value: (name: String, text: String)?) -> Server? {
      var server = value.flatMap { Server($0.text) }
      server?.variable = value?.name ?? ""
      return server
    }
    http = server(value("http_proxy", "all_proxy", "ALL_PROXY"))
    https = server(value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"))
    exceptions = (value("no_proxy", "NO_PROXY")?.text ?? "").split { $0 == "," || $0 == " " }.map {
      var name = $0.lowercased()
      if name.hasPrefix("*.") { name.removeFirst() }
      return name
    }
  }

  /// The proxy for a URL, if any. A name in `no_proxy` matches the host and its subdomains; `*` matches all hosts.
  func server(scheme: String, host: String, port: Int?) -> Server? {
    guard let server = scheme == "https" ? https : scheme == "http" ? http : nil else { return nil }
    let host = host.lowercased()
    for exception in exceptions {
      let (name, exceptionPort) = ProxySettings.split(exception)
      if let exceptionPort, exceptionPort != port { continue }
      let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
      if name == "*" || host == bare || host.hasSuffix("." + bare) { return nil }
    }
    return server
  }

  private static func split(_ exception: String) -> (String, Int?) {
    if exception.hasPrefix("[") || exception.filter({ $0 == ":" }).count != 1 { return (exception, nil) }
    let parts = exception.split(separator: ":", omittingEmptySubsequences: false)
    return (String(parts[0]), Int(parts[1]))
  }
}

extension TransportError {
  /// The error of a request that went through a proxy, which it names: the server may be well.
  func through(_ proxy: ProxySettings.Server?) -> TransportError {
    guard let proxy, [.cannotConnect, .timeout, .connectionLost, .untrusted].contains(code) else { return self }
    var error = self
    let host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
    error.message += " (through the proxy \(host):\(proxy.port) of the variable \(proxy.variable))"
    error.hint =
      hint ?? "check that the proxy is running, and its address; no_proxy names hosts that are reached without it"
    return error
  }
}

extension ProxySettings.Server {
  /// Reads `http://user:password@host:port`, in which only the host is required; `nil` for other schemes.
  init?(_ text: String) {
    var rest = text[...]
    if let slashes = rest.firstRange(of: "://") {
      guard rest[..<slashes.lowerBound].lowercased() == "http" else { return nil }
      rest = rest[slashes.upperBound...]
    }
    if let slash = rest.firstIndex(of: "/") { rest = rest[..<slash] }
    if let at = rest.lastIndex(of: "@") {
      credentials = String(decoding: percentDecodedBytes(rest[..<at]), as: UTF8.self)
      rest = rest[rest.index(after: at)...]
    }
    port = 1080
    if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
      guard let number = Int(rest[rest.index(after: colon)...]), (1...65_535) ~= number else { return nil }
      port = number
      rest = rest[..<colon]
    }
    guard !rest.isEmpty else { return nil }
    host = rest.hasPrefix("[") ? String(rest.dropFirst().dropLast()) : String(rest)
  }
}
