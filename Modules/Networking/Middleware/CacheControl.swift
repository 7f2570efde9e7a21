/// The directives of a response's `Cache-Control` that matter to a private cache (RFC 9111 section 5.2.2, RFC 5861).
struct CacheControl: Hashable {
  var maxAge: Int?
  var staleIfError: Int?
  var forbidsStoring = false
  var mustRevalidate = false

  init(_ values: [String]) {
    for directive in values.joined(separator: ",").split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { String($0).trimmingHTTPSpace() }
      guard let name = parts.first?.lowercased() else { continue }
      let seconds = parts.count == 2 ? CacheControl.seconds(parts[1]) : nil
      switch name {
      case "max-age": maxAge = seconds ?? 0
      case "stale-if-error": staleIfError = seconds
      case "no-store": forbidsStoring = true
      case "no-cache", "must-revalidate": mustRevalidate = true
      default: break
      }
    }
  }

  /// `delta-seconds`, also in quotes; a number too large is 2³¹ (RFC 9111 section 1.2.2).
  private static func seconds(_ text: String) -> Int? {
    let digits = text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return min(Int(digits) ?? 1 << 31, 1 << 31)
  }
}
