import Models
public import Ports

/// Masks secrets in everything that is printed, recorded or stored.
///
/// It masks the values of well-known secret names, the user info of URLs, and the given secrets wherever they occur,
/// also percent-encoded, escaped as in JSON, or in Base64.
public struct Redaction: Sendable {
  public static let mask = "REDACTED"

  public let names: SecretNames
  private let patterns: [SecretPattern]
  /// Whether any spelling of a secret can begin with the byte.
  private let starts: [Bool]

  /// - Parameters:
  ///   - secrets: the keys and tokens in use; those shorter than four bytes, which occur elsewhere, are ignored.
  public init(secrets: some Sequence<String> = [], names: SecretNames = SecretNames()) {
    self.names = names
    let bytes = Set(secrets.map { Array($0.utf8) }.filter { $0.count >= 4 })
    patterns = bytes.flatMap { SecretPattern.patterns(of: $0) }
    var starts = [Bool](repeating: false, count: 256)
    for start in patterns.flatMap(\.starts) { starts[Int(start)] = true }
    self.starts = starts
  }

  var isNeeded: Bool { !patterns.isEmpty }

  // In bodies, names like `key` and `secret` are often not confidential (Flickr's photo secret is part of every image's
  // address), so their list is shorter.
  private static let memberNames: Set<String> = [
    "api_key", "apikey", "apiKey", "access_token", "accessToken", "refresh_token", "refreshToken", "id_token",
    "auth_token", "oauth_token", "oauth_token_secret", "client_secret", "password", "api_sig",
  ]

  /// The URL with secrets and user info masked.
  public func url(_ url: String) -> String {
    // Fast path for the usual URL, because this runs for every request.
    guard url.utf8.contains(where: { $0 == 0x3F || $0 == 0x40 }) else { return text(url) }
    var result = url
    if let authority = Redaction.authority(of: result), let at = result[authority].utf8.lastIndex(of: 0x40) {
      result.replaceSubrange(authority.lowerBound..<at, with: Redaction.mask)
    }
    if let mark = result.utf8.firstIndex(of: 0x3F) {
      let after = result.utf8.index(after: mark)
      let hash = result.utf8[after...].firstIndex(of: 0x23) ?? result.endIndex
      if let query = masked(query: result[after..<hash]) { result.replaceSubrange(after..<hash, with: query) }
    }
    return text(result)
  }

  /// The part between `://` and the path.
  private static func authority(of url: String) -> Range<String.Index>? {
    let bytes = url.utf8
    var rest = bytes[...]
    while let colon = rest.firstIndex(of: 0x3A) {
      rest = bytes[colon...].dropFirst()
      guard rest.starts(with: "//".utf8) else { continue }
      let start = bytes.index(colon, offsetBy: 3)
      return start..<(bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex)
    }
    return nil
  }

  private func masked(query: Substring) -> String? {
    let pairs = query.utf8.split(separator: 0x26, omittingEmptySubsequences: false)
    guard pairs.contains(where: { secretStart($0) != nil }) else { return nil }
    return pairs.map { pair in
      secretStart(pair).map { String(Substring(pair[..<$0])) + Redaction.mask } ?? String(Substring(pair))
    }.joined(separator: "&")
  }

  private func secretStart(_ pair: Substring.UTF8View) -> String.Index? {
    guard let equals = pair.firstIndex(of: 0x3D) else { return nil }
    return names.isParameter(WebAddress.decoded(pair[..<equals])) ? pair.index(after: equals) : nil
  }

  /// The headers with secrets masked. Values that contain URLs, such as `Location`, are redacted as URLs.
  public func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.map { field in
        if names.isHeader(field.name) { return HTTPHeaders.Field(field.name, Redaction.mask) }
        return HTTPHeaders.Field(field.name, field.value.contains("?") ? url(field.value) : text(field.value))
      })
  }

  /// The text with secrets masked, including truncated secrets. O(text).
  public func text(_ text: String) -> String {
    guard !patterns.isEmpty else { return text }
    var text = text
    return text.withUTF8 { bytes in
      let places = places(in: bytes, whole: false)
      guard !places.isEmpty else { return nil }
      var result: [UInt8] = []
      var end = 0
      for place in places {
        result += bytes[end..<place.lowerBound] + Array(Redaction.mask.utf8)
        end = place.upperBound
      }
      return String(decoding: result + bytes[end...], as: UTF8.self)
    } ?? text
  }

  /// The body with secrets and the values of members such as `access_token`, and of `SecretNames(adding:)`, masked. Each byte becomes `x`, so the
  /// length does not change.
  public func body(_ body: [UInt8]) -> [UInt8] {
    var result = body
    if !patterns.isEmpty {
      for place in body.withUnsafeBufferPointer({ places(in: $0, whole: true) }) {
        result.replaceSubrange(place, with: repeatElement(0x78, count: place.count))
      }
    }
    for name in Redaction.memberNames.union(names.added) { maskMember(Array("\"\(name)\"".utf8), in: &result) }
    maskForm(in: &result)
    return result
  }

  /// The ranges of secrets, in order and without overlaps.
  private func places(in text: UnsafeBufferPointer<UInt8>, whole: Bool) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var index = 0
    while index < text.count {
      // Few bytes can begin a secret, and few texts contain one.
      guard starts[Int(text[index])] else {
        index += 1
        continue
      }
      // The longest match wins: a secret may contain another one.
      let found = patterns.lazy.compactMap { $0.range(in: text, at: index, whole: whole) }
        .max { $0.upperBound < $1.upperBound }
      guard let found else {
        index += 1
        continue
      }
      places.append(max(found.lowerBound, places.last?.upperBound ?? 0)..<found.upperBound)
      index = found.upperBound
    }
    return places
  }

  /// Masks the values of a form (`application/x-www-form-urlencoded`): `grant_type=refresh_token&refresh_token=xxxx`.
  private func maskForm(in bytes: inout [UInt8]) {
    guard let first = bytes.first, (0x61...0x7A).contains(first | 0x20), bytes.count < 1 << 16 else { return }
    for pair in bytes.split(separator: 0x26) {
      guard let equals = pair.firstIndex(of: 0x3D) else { return }
      let name = String(decoding: pair[..<equals], as: UTF8.self)
      guard names.isParameter(name) else { continue }
      for index in pair[equals...].indices.dropFirst() { bytes[index] = 0x78 }
    }
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
        // Both bytes of an escape become `x`, so that an escaped quote does not end the value.
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

extension [UInt8] {
  /// The offset of `part` at or after `from`. O(count).
  func firstPlace(of part: [UInt8], from: Int) -> Int? {
    withUnsafeBufferPointer { $0.firstPlace(of: part, from: from) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func firstPlace(of part: [UInt8], from: Int) -> Int? {
    guard let first = part.first, count - from >= part.count else { return nil }
    var index = from
    let last = count - part.count
    while index <= last {
      if self[index] == first, part.indices.allSatisfy({ self[index + $0] == part[$0] }) { return index }
      index += 1
    }
    return nil
  }
}
