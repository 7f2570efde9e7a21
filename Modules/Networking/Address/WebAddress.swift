import Models

/// The parts of a URL that HTTP uses (RFC 3986). Foundation's `URL` would slow down the start of a program.
package struct WebAddress: Hashable, Sendable {
  /// `http`, `https`, `http+unix` or `https+unix`, in lower case.
  package var scheme: String
  /// The host in lower case; for Unix sockets the percent-encoded path of the socket as written.
  package var host: String
  package var port: Int
  /// The path as written; `/` for an empty path.
  package var path: String
  package var query: String?
  /// The part before `@`. It must never be printed.
  package var userInfo: String?

  /// Splits an absolute URL; `nil` for other schemes, for spaces and control characters, and without a host.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let colon = text.utf8.firstIndex(of: 0x3A) else {
      return nil
    }
    scheme = text[..<colon].lowercased()
    guard let defaultPort = WebAddress.ports[scheme] else { return nil }
    var rest = text[text.utf8.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    rest = rest.dropFirst(2)
    if let hash = rest.utf8.firstIndex(of: 0x23) { rest = rest[..<hash] }
    let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
    var authority = rest[..<end]
    let tail = rest[end...]
    // Browsers treat `\\` as `/`. A URL that programs interpret differently is rejected.
    guard !authority.utf8.contains(0x5C) else { return nil }
    if let at = authority.utf8.lastIndex(of: 0x40) {
      userInfo = String(authority[..<at])
      authority = authority[authority.utf8.index(after: at)...]
    }
    var written: Substring?
    if authority.hasPrefix("[") {
      guard let close = authority.utf8.firstIndex(of: 0x5D) else { return nil }
      let after = authority[authority.utf8.index(after: close)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      written = after.isEmpty ? nil : after.dropFirst()
      authority = authority[...close]
    } else if let colon = authority.utf8.lastIndex(of: 0x3A) {
      written = authority[authority.utf8.index(after: colon)...]
      authority = authority[..<colon]
    }
    guard !authority.isEmpty else { return nil }
    host = scheme.hasSuffix("+unix") ? String(authority) : authority.lowercased()
    port = defaultPort
    if let written, !written.isEmpty {
      guard written.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(written), (1...65_535) ~= number
      else { return nil }
      port = number
    }
    (path, query) = WebAddress.split(tail)
  }

  static let ports = ["http": 80, "https": 443, "http+unix": 0, "https+unix": 0]

  private static func split(_ tail: Substring) -> (String, String?) {
    guard let mark = tail.utf8.firstIndex(of: 0x3F) else { return (tail.isEmpty ? "/" : String(tail), nil) }
    let path = tail[..<mark]
    return (path.isEmpty ? "/" : String(path), String(tail[tail.utf8.index(after: mark)...]))
  }

  /// Scheme, host and port (RFC 6454 section 4).
  package var origin: String {
    port == WebAddress.ports[scheme] ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  /// Whether the URL is `http` or `https` with a simple host name. Other URLs may still be valid.
  ///
  /// Does not allocate memory, because it runs for every request.
  static func isPlain(_ url: String) -> Bool {
    url.utf8.withContiguousStorageIfAvailable { bytes in
      let prefix: StaticString = bytes.count > 4 && bytes[4] == 0x73 ? "https://" : "http://"
      let start = prefix.utf8CodeUnitCount
      guard bytes.count > start, (0..<start).allSatisfy({ bytes[$0] == prefix.utf8Start[$0] }) else { return false }
      var index = start
      host: while index < bytes.count {
        switch bytes[index] {
        case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E: index += 1
        default: break host
        }
      }
      guard index > start else { return false }
      if index < bytes.count, bytes[index] == 0x3A {
        var port = 0
        index += 1
        while index < bytes.count, 0x30...0x39 ~= bytes[index], port <= 65_535 {
          port = port * 10 + Int(bytes[index] - 0x30)
          index += 1
        }
        guard 1...65_535 ~= port else { return false }
      }
      guard index == bytes.count || bytes[index] == 0x2F || bytes[index] == 0x3F || bytes[index] == 0x23 else {
        return false
      }
      return bytes[index...].allSatisfy { $0 > 0x20 && $0 != 0x7F }
    } ?? false
  }

  /// The origin of a URL; `nil` for an invalid URL.
  ///
  /// Several middlewares need it for every request, so the usual form has a fast path.
  static func origin(of url: String) -> String? {
    let bytes = url.utf8
    let (start, port) = url.hasPrefix("http://") ? (7, "80") : url.hasPrefix("https://") ? (8, "443") : (0, "")
    guard start > 0 else { return WebAddress(url)?.origin }
    var end = bytes.index(bytes.startIndex, offsetBy: start)
    let host = end
    var colon: String.Index?
    scan: while end < bytes.endIndex {
      switch bytes[end] {
      case 0x61...0x7A, 0x2D, 0x2E: if colon != nil { return WebAddress(url)?.origin }
      case 0x30...0x39: break
      case 0x3A:
        if colon != nil { return WebAddress(url)?.origin }
        colon = end
      case 0x2F, 0x3F, 0x23: break scan
      default: return WebAddress(url)?.origin
      }
      end = bytes.index(after: end)
    }
    let written = colon.map { url[bytes.index(after: $0)..<end] }
    guard host < colon ?? end, written != Substring(port), written?.isEmpty != true, written?.utf8.first != 0x30 else {
      return WebAddress(url)?.origin
    }
    return String(url[..<end])
  }

  /// The URL without user info and fragment.
  package var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

  package var isSecure: Bool { scheme.hasPrefix("https") }

  /// Resolves a reference, such as the value of `Location` (RFC 3986 section 5.2); `nil` for an invalid one.
  package func resolving(_ reference: String) -> WebAddress? {
    let reference = reference.trimmingHTTPSpace()
    guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    let schemeEnd = reference.utf8.firstIndex { $0 == 0x3A || $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
    if let schemeEnd, reference.utf8[schemeEnd] == 0x3A { return WebAddress(reference) }
    if reference.hasPrefix("//") { return WebAddress(scheme + ":" + reference) }
    var target = self
    target.userInfo = nil
    let bare = reference.utf8.firstIndex(of: 0x23).map { reference[..<$0] } ?? reference[...]
    if bare.isEmpty { return target }
    if bare.hasPrefix("?") {
      target.query = String(bare.dropFirst())
      return target
    }
    let (path, query) = WebAddress.split(bare)
    let folder = self.path.utf8.lastIndex(of: 0x2F).map { self.path[...$0] } ?? "/"
    target.path = WebAddress.withoutDots(path.hasPrefix("/") ? path : folder + path)
    target.query = query
    return target
  }

  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      switch segment {
      case ".": if index == segments.count - 1 { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if index == segments.count - 1 { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
extension WebAddress {
  struct Parameter {
    var name: String
    var value: String
  }

  var parameters: [Parameter] {
    (query ?? "").utf8.split(separator: 0x26).map { pair in
      let equals = pair.firstIndex(of: 0x3D)
      let name = equals.map { pair[..<$0] } ?? pair
      let value = equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...]
      return Parameter(name: WebAddress.decoded(name), value: WebAddress.decoded(value))
    }
  }

  static func decoded(_ part: Substring.UTF8View) -> String {
    let text = Substring(part)
    guard part.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(text) }
    return String(decoding: percentDecodedBytes(text, plusIsSpace: true), as: UTF8.self)
  }
}
