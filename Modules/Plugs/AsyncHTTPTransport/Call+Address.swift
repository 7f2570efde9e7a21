extension Call {
  /// Scheme, host, port and the address up to the path, as far as they can be told.
  struct Address {
    /// In lower case (RFC 3986 section 3.1).
    let scheme: String
    /// As written; an IPv6 address in its brackets.
    let host: String
    /// The one that is written, or the scheme's own.
    let port: Int?
    /// Without query and user info, which may hold secrets.
    let printed: String
    /// Whether the scheme was written in lower case.
    let isPlain: Bool

    /// Takes an address apart; `nil` where there is no scheme.
    init?(_ url: String) {
      // By bytes: by characters, this would be a good part of what a call costs.
      let bytes = url.utf8
      guard let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) else { return nil }
      isPlain = !bytes[..<colon].contains { 0x41...0x5A ~= $0 }
      let scheme = isPlain ? String(url[..<colon]) : url[..<colon].lowercased()
      let start = bytes.index(colon, offsetBy: 3)
      let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
      let pathEnd = bytes[end...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
      let at = bytes[start..<end].lastIndex(of: 0x40)
      let authority = url[(at.map { bytes.index(after: $0) } ?? start)..<end]
      printed = at == nil ? String(url[..<pathEnd]) : "\(scheme)://\(authority)\(url[end..<pathEnd])"
      var port: Int? = scheme == "https" ? 443 : 80
      var host = authority
      if authority.utf8.last != 0x5D, let colon = authority.utf8.lastIndex(of: 0x3A) {
        port = Int(authority[authority.utf8.index(after: colon)...])
        host = authority[..<colon]
      }
      self.scheme = scheme
      self.host = String(host)
      self.port = port
    }

    /// Host and port, in lower case.
    var origin: String { "\(host.lowercased()):\(port ?? 0)" }
  }
}
