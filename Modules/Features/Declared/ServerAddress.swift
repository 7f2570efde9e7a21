import Models

/// The parts of a URL that decide who is asked (RFC 3986), without a library for URLs.
enum ServerAddress {
  /// Scheme, host and port, the latter left out where it is the scheme's own: `https://api.example`; empty where the text
  /// is not such a URL.
  static func origin(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    // What is not a character of a URL means one host to some readers and another host to others.
    guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else { return "" }
    let scheme = url[..<start].lowercased()
    var origin = scheme + authority.lowercased()
    for (name, port) in [("http://", ":80"), ("https://", ":443")] where scheme == name && origin.hasSuffix(port) {
      origin.removeLast(port.count)
    }
    return origin
  }

  /// Whether nobody else reads what is sent there.
  static func isEncrypted(_ url: String) -> Bool { !url.hasPrefix("http://") || isLoopback(url) }

  static func isLoopback(_ url: String) -> Bool {
    let authority = origin(url).dropFirst("http://".count)
    let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
    let host = end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }
    return !authority.contains("@") && InternetAddress.isThisMachine(host)
  }

  /// The address that a reference means on a page (RFC 3986 section 5.2). `.` and `..` are left to the server.
  static func resolve(_ reference: String, against page: String) -> String {
    let reference = reference.trimmingSpaces
    let scheme = reference.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
    if reference[scheme.endIndex...].hasPrefix("://") { return reference }
    let pageScheme = String(page.prefix { $0 != ":" })
    if reference.hasPrefix("//") { return "\(pageScheme):\(reference)" }
    guard let start = page.firstRange(of: "://")?.upperBound else { return reference }
    let authorityEnd = page[start...].firstIndex { "/?#".contains($0) } ?? page.endIndex
    let server = page[..<authorityEnd]
    if reference.hasPrefix("/") { return server + reference }
    let path = page[authorityEnd...].prefix { $0 != "?" && $0 != "#" }
    if reference.isEmpty || reference.hasPrefix("?") { return server + path + reference }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return server + folder + reference
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// The header field `Link` (RFC 8288 section 3).
enum LinkHeader {
  /// The address of the first link with a relation; `nil` if there is none, or if the server says with `results="false"`
  /// that nothing is there.
  static func address(_ relation: String, in fields: [String]) -> String? {
    for field in fields {
      var rest = Array(field.utf8)[...]
      while let open = rest.firstIndex(of: 0x3C), let close = rest[open...].firstIndex(of: 0x3E) {
        let address = String(decoding: rest[(open + 1)..<close], as: UTF8.self)
        let parameters = self.parameters(&rest, from: close + 1)
        if parameters.contains(where: { name, value in
          name.lowercased() == "rel"
            && value.split(separator: " ").contains { $0.lowercased() == relation.lowercased() }
        }) {
          return parameters.contains { $0 == ("results", "false") } ? nil : address
        }
      }
    }
    return nil
  }

  /// The parameters of a link; `rest` begins with the next link then.
  private static func parameters(_ rest: inout ArraySlice<UInt8>, from start: Int) -> [(String, String)] {
    var parameters: [(String, String)] = []
    var text: [UInt8] = []
    var isQuoted = false
    var place = start
    func finish() {
      let parts = String(decoding: text, as: UTF8.self).split(separator: "=", maxSplits: 1)
      if parts.count == 2 {
        let name = parts[0].filter { !$0.isWhitespace }
        let value = parts[1].drop { $0.isWhitespace || $0 == "\"" }.reversed().drop { $0.isWhitespace || $0 == "\"" }
        parameters.append((name, String(value.reversed())))
      }
      text = []
    }
    while place < rest.endIndex {
      let byte = rest[place]
      if byte == 0x22 { isQuoted.toggle() }
      if !isQuoted, byte == 0x2C { break }
      if !isQuoted, byte == 0x3B { finish() } else { text.append(byte) }
      place += 1
    }
    finish()
    rest = rest[min(place + 1, rest.endIndex)...]
    return parameters
  }
}
