import Models

/// Where the daemon listens: a host and a port.
struct ListenAddress: Sendable, Hashable {
  /// A name or an address, without brackets.
  var host: String
  /// The port; 0 takes a free one.
  var port: Int

  /// Where nothing else is said.
  static let standard = ListenAddress(host: "127.0.0.1", port: 7423)

  /// An address.
  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Reads `host:port`, `[::1]:port` or `:port`.
  ///
  /// - Throws: `Failure`, `usage` where the text is none.
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
    Failure(.config, .usage, "'\(text)' is no address to listen on", hint: "write 127.0.0.1:7423, or [::1]:7423")
  }

  /// Whether it takes connections for every address of the machine.
  var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

  /// Whether only programs of this machine reach it.
  var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

  /// `host:port` as it stands in a URL.
  var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Its URL; where it takes everything, the one that works on this machine.
  var url: String {
    isEverywhere ? "http://127.0.0.1:\(port)" : "http://\(description)"
  }

  /// Whether a request's Host is one of ours (RFC 9110 section 7.4): a loopback name or the configured host, with the
  /// port. A listener for every address also takes addresses, which no foreign name can be made to stand for.
  func isOurs(_ authority: String) -> Bool {
    let authority = authority.lowercased()
    var names = ["127.0.0.1", "localhost", "[::1]", host.contains(":") ? "[\(host)]" : host]
    if isEverywhere, let name = Self.literal(authority) { names.append(name) }
    return names.contains { authority == "\($0):\(port)" || (port == 80 && authority == $0) }
  }

  /// The address part of an authority, where it is an IPv4 or IPv6 address.
  private static func literal(_ authority: String) -> String? {
    if authority.hasPrefix("[") { return authority.firstIndex(of: "]").map { String(authority[...$0]) } }
    let name = String(authority.prefix { $0 != ":" })
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } ? name : nil
  }
}
