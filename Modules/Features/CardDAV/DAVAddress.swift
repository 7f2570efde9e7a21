import Models

/// An absolute `http` or `https` address (RFC 3986), as its origin and its path.
struct DAVAddress: Hashable, Sendable {
  /// Scheme, host and port in lower case; the port of the scheme is left out: `https://dav.example`.
  @ExactString var origin: String
  /// The path as it was written, at least `/`, without a query.
  @ExactString var path: String

  /// Reads an address; `nil` if it is not one, or has a user part.
  init?(_ url: String) {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let scheme = url[..<start].lowercased()
    guard ["http://", "https://"].contains(scheme), !authority.isEmpty,
      authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C && $0 != 0x40 })
    else { return nil }
    var origin = scheme + authority.lowercased()
    for (name, port) in [("http://", ":80"), ("https://", ":443")] where scheme == name && origin.hasSuffix(port) {
      origin.removeLast(port.count)
    }
    let path = url[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    self.origin = origin
    self.path = path.isEmpty ? "/" : String(path)
  }

  func at(_ path: String) -> DAVAddress {
    var address = self
    address.path = path
    return address
  }

  /// The address that a reference of a response means (RFC 3986 section 5.2); `nil` if it is none, or goes up with `..`.
  func resolving(_ reference: String) -> DAVAddress? {
    let address: DAVAddress?
    if reference.contains("://"), !reference.hasPrefix("/") {
      address = DAVAddress(reference)
    } else if reference.hasPrefix("//") || reference.isEmpty {
      address = nil
    } else if reference.hasPrefix("/") {
      address = at(String(reference.prefix { $0 != "?" && $0 != "#" }))
    } else {
      address = at(String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) + reference)
    }
    guard let address, !address.path.split(separator: "/").contains("..") else { return nil }
    return address
  }

  var url: String { origin + path }

  /// The path without escapes. Servers write one path in several ways: `a%40b` and `a@b`.
  static func decoded(_ path: String) -> String { percentDecoded(path) }

  /// The last component of a path, without escapes.
  static func name(_ path: String) -> String { decoded(path.split(separator: "/").last.map(String.init) ?? "") }
}
