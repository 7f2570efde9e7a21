import Models

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
