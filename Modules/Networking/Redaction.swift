public import Ports

/// Takes secrets out of what is printed, recorded or kept.
///
/// Masked are values under names that are known to hold secrets, user info in URLs, and the given secrets wherever
/// they stand, also percent-encoded or with `/` escaped.
public struct Redaction: Sendable {
  /// What stands in place of a secret in URLs and headers.
  public static let mask = "REDACTED"

  private let secrets: [[UInt8]]

  /// Makes a redaction.
  ///
  /// - Parameter secrets: keys and tokens that are in use; those shorter than four bytes are passed over, because they
  ///   stand in too many places.
  public init(secrets: some Sequence<String> = []) {
    var forms: Set<String> = []
    for secret in secrets where secret.utf8.count >= 4 {
      forms.insert(secret)
      forms.insert(PercentCoding.encoded(secret))
      forms.insert(secret.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/"))
    }
    // Longest first, so that a secret that holds another one is masked whole.
    self.secrets = forms.map { Array($0.utf8) }.sorted { $0.count > $1.count }
  }

  private static let parameterNames: Set<String> = [
    "api_key", "apikey", "api-key", "key", "token", "access_token", "accesstoken", "refresh_token", "id_token", "auth",
    "auth_token", "authorization", "oauth_token", "oauth_signature", "api_sig", "sig", "signature", "secret",
    "client_secret", "password", "passwd", "pwd", "session", "sessionid", "session_id", "sid", "jwt",
    "x-amz-signature", "x-amz-security-token",
  ]

  private static let headerNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2", "authentication-info",
    "x-api-key", "x-apikey", "api-key", "apikey", "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token",
    "x-amz-security-token", "x-goog-api-key", "private-token", "x-session-id",
  ]

  // Names like `key` and `secret` stand in answers for things that are no secrets (Flickr's photo secret is part of
  // every image's address), so bodies have a shorter list.
  private static let memberNames: Set<String> = [
    "api_key", "apikey", "apiKey", "access_token", "accessToken", "refresh_token", "refreshToken", "id_token",
    "auth_token", "oauth_token", "oauth_token_secret", "client_secret", "password", "api_sig",
  ]

  /// Whether a query parameter of that name holds a secret.
  public static func isSecretParameter(_ name: String) -> Bool { parameterNames.contains(name.lowercased()) }

  /// Whether a header field of that name holds a secret.
  public static func isSecretHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return headerNames.contains(name) || name.hasSuffix("-token") || name.hasSuffix("-secret")
  }

  /// The URL without secrets and user info.
  public func url(_ url: String) -> String {
    // Most addresses have nothing to hide; this runs for every request.
    guard url.utf8.contains(where: { $0 == 0x3F || $0 == 0x40 }) else { return text(url) }
    var result = url
    if let slashes = result.range(of: "://") {
      let end = result[slashes.upperBound...].utf8.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
      if let at = result[slashes.upperBound..<(end ?? result.endIndex)].utf8.lastIndex(of: 0x40) {
        result.replaceSubrange(slashes.upperBound..<at, with: Redaction.mask)
      }
    }
    if let mark = result.utf8.firstIndex(of: 0x3F) {
      let after = result.utf8.index(after: mark)
      let hash = result[after...].utf8.firstIndex(of: 0x23) ?? result.endIndex
      let query = pairs(result[after..<hash])
      result.replaceSubrange(after..<hash, with: query)
    }
    return text(result)
  }

  private func pairs(_ query: Substring) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.utf8.firstIndex(of: 0x3D) else { return String(pair) }
      let name = String(decoding: PercentCoding.decoded(pair[..<equals], plusIsSpace: true), as: UTF8.self)
      return Redaction.isSecretParameter(name) ? pair[...equals] + Redaction.mask : String(pair)
    }.joined(separator: "&")
  }

  /// The headers with their secrets masked; `Location` and the like are cleaned as URLs.
  public func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        if Redaction.isSecretHeader(field.name) { return HTTPHeaders.Field(field.name, Redaction.mask) }
        return HTTPHeaders.Field(field.name, field.value.contains("?") ? url(field.value) : text(field.value))
      })
  }

  /// The text with the given secrets masked.
  public func text(_ text: String) -> String {
    guard !secrets.isEmpty else { return text }
    return String(decoding: masked(Array(text.utf8), with: Array(Redaction.mask.utf8)), as: UTF8.self)
  }

  /// The body with the given secrets, and with the values of members such as `access_token`, masked by as many `x`, so
  /// that its length stays what it was.
  public func body(_ body: [UInt8]) -> [UInt8] {
    var result = masked(body, with: nil)
    for name in Redaction.memberNames {
      maskMember(Array("\"\(name)\"".utf8), in: &result)
    }
    return result
  }

  private func masked(_ bytes: [UInt8], with mask: [UInt8]?) -> [UInt8] {
    var bytes = bytes
    for secret in secrets {
      var start = 0
      while let found = bytes.firstPlace(of: secret, from: start) {
        let mask = mask ?? [UInt8](repeating: 0x78, count: secret.count)
        bytes.replaceSubrange(found..<found + secret.count, with: mask)
        start = found + mask.count
      }
    }
    return bytes
  }

  private func maskMember(_ name: [UInt8], in bytes: inout [UInt8]) {
    var start = 0
    while let found = bytes.firstPlace(of: name, from: start) {
      start = found + name.count
      var index = start
      while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D, 0x3A].contains(bytes[index]) { index += 1 }
      guard index < bytes.count, bytes[index] == 0x22 else { continue }
      index += 1
      while index < bytes.count, bytes[index] != 0x22 {
        // An escape is two bytes at least; both become `x`, so that no quote is uncovered.
        if bytes[index] == 0x5C, index + 1 < bytes.count {
          bytes[index] = 0x78
          index += 1
        }
        bytes[index] = 0x78
        index += 1
      }
      start = index
    }
  }
}

extension String {
  /// The first place of the text, byte for byte.
  fileprivate func range(of part: String) -> Range<String.Index>? {
    guard let place = Array(utf8).firstPlace(of: Array(part.utf8), from: 0) else { return nil }
    let start = utf8.index(startIndex, offsetBy: place)
    return start..<utf8.index(start, offsetBy: part.utf8.count)
  }
}

extension [UInt8] {
  /// Where `part` begins at or after `from`. O(count).
  func firstPlace(of part: [UInt8], from: Int) -> Int? {
    guard let first = part.first, count - from >= part.count else { return nil }
    return withUnsafeBufferPointer { bytes in
      var index = from
      let last = count - part.count
      while index <= last {
        if bytes[index] == first, part.indices.allSatisfy({ bytes[index + $0] == part[$0] }) { return index }
        index += 1
      }
      return nil
    }
  }
}
