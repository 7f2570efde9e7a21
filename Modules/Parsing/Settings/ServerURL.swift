import Models

/// Checks the addresses of the config file, without a library for URLs.
public enum ServerURL {
  /// What is wrong with a base URL; `nil` where nothing is. The text is not repeated where it may hold a password.
  public static func problem(_ text: String) -> String? {
    let lower = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else {
      let found = text.contains("@") ? "something else" : SpellingSuggestion.quoted(text)
      return "expected a URL that begins with http:// or https://, found \(found)"
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if authority.contains("@") {
      return "a URL with a user name or password is not taken; name them in settings of their own"
    }
    guard text.unicodeScalars.allSatisfy({ $0 > " " && $0 < "\u{7F}" && !"\"<>\\^`{|}".unicodeScalars.contains($0) })
    else { return "expected a URL without spaces and other characters that have to be percent-encoded" }
    if rest.contains(where: { $0 == "?" || $0 == "#" }) { return "expected a base URL, without ? and #" }
    guard isHost(authority), isPort(authority) else {
      return "expected a URL with a host, found \(SpellingSuggestion.quoted(text))"
    }
    return nil
  }

  /// The URL with its scheme in lower case (RFC 3986 section 3.1), and without slashes at its end.
  public static func normal(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }
    var rest = url[scheme.endIndex...]
    while rest.hasSuffix("/") { rest.removeLast() }
    return scheme.lowercased() + rest
  }

  static func isLoopback(_ url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    let authority = url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return host(authority).map { InternetAddress.isThisMachine($0) } ?? false
  }

  /// Whether the text is `host:port`; the host may be an IPv6 address in brackets.
  static func isHostAndPort(_ text: String) -> Bool {
    guard let host = host(text[...]), host.endIndex < text.endIndex else { return false }
    return isHost(text[...]) && isPort(text[...])
      && text.unicodeScalars.allSatisfy { $0 > " " && $0 < "\u{7F}" && !"/@?#\"\\".unicodeScalars.contains($0) }
  }

  /// Whether the text is `host` or `host:port`, without wildcards.
  static func isHostWithOrWithoutPort(_ text: String) -> Bool {
    !text.contains("*") && (isHostAndPort(text) || isHostAndPort("\(text):0"))
  }

  /// The part before the port; `nil` where brackets do not close.
  private static func host(_ authority: Substring) -> Substring? {
    guard authority.hasPrefix("[") else { return authority.prefix { $0 != ":" } }
    return authority.firstIndex(of: "]").map { authority[...$0] }
  }

  private static func isHost(_ authority: Substring) -> Bool {
    guard let host = host(authority), !host.isEmpty else { return false }
    guard host.hasPrefix("[") else { return !host.contains("]") }
    let address = host.dropFirst().dropLast()
    return address.count >= 2 && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      && address.contains(":")
  }

  /// Whether there is a good port after the host, or none.
  private static func isPort(_ authority: Substring) -> Bool {
    guard let host = host(authority) else { return false }
    let rest = authority[host.endIndex...]
    if rest.isEmpty { return true }
    guard rest.first == ":", rest.count <= 6, let port = decimal(Array(rest.dropFirst().utf8)) else { return false }
    return port <= 65_535
  }
}
