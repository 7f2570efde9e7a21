/// The text as it may stand in a path segment or in a query's value (RFC 3986 section 2.1): everything but the
/// unreserved characters, `@` and `,` is escaped.
package func percentEncoded(_ text: some StringProtocol) -> String {
  var encoded: [UInt8] = []
  encoded.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x40, 0x2C: encoded.append(byte)
    default:
      encoded.append(0x25)
      for half in [byte >> 4, byte & 15] { encoded.append(half < 10 ? 0x30 + half : 0x37 + half) }
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// The text with its `%XX` escapes undone; as it came where one of them is broken or they make no UTF-8.
package func percentDecoded(_ text: some StringProtocol) -> String {
  var decoded: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    guard byte == 0x25 else {
      decoded.append(byte)
      continue
    }
    guard rest.count >= 2, let high = hexadecimal(rest.removeFirst()), let low = hexadecimal(rest.removeFirst())
    else { return String(text) }
    decoded.append(high << 4 | low)
  }
  return String(validating: decoded, as: UTF8.self) ?? String(text)
}

private func hexadecimal(_ digit: UInt8) -> UInt8? {
  switch digit {
  case 0x30...0x39: digit - 0x30
  case 0x41...0x46: digit - 0x37
  case 0x61...0x66: digit - 0x57
  default: nil
  }
}
