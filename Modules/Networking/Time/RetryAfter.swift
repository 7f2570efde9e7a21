package import Models
package import Ports

/// How long a server asks to wait (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The longest wait that is believed, in seconds: a day.
  package static let maximum = 86_400

  /// Seconds to wait, 0 to a day; `nil` for anything that is neither a whole number nor a date.
  ///
  /// A date in the past is 0. A number too large for an integer is a day.
  package static func seconds(_ value: String, now: Timestamp) -> Int? {
    let text = value.trimmingHTTPSpace()
    guard !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      return min(Int(text) ?? maximum, maximum)
    }
    guard let date = HTTPDate.parse(text, reference: now) else { return nil }
    return min(max(0, date - now), maximum)
  }

  /// What the response asks for.
  package static func seconds(in response: HTTPResponse, now: Timestamp) -> Int? {
    response.headers["Retry-After"].flatMap { seconds($0, now: now) }
  }
}

extension String {
  /// Without the spaces and tabs around it (RFC 9110 section 5.6.3, OWS).
  package func trimmingHTTPSpace() -> String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
      let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
    else { return "" }
    return String(self[first...last])
  }
}
