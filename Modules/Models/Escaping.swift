/// The text as it may stand in a path segment or in a query's value (RFC 3986 section 2.1): everything but the
/// unreserved characters is escaped, and but `@` and `,`, which Flickr's ids and lists are full of.
///
/// - Parameter strictly: whether those two are escaped as well.
package func percentEncoded(_ text: some StringProtocol, strictly: Bool = false) -> String {
  var encoded: [UInt8] = []
  encoded.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
    case 0x40 where !strictly, 0x2C where !strictly: encoded.append(byte)
    default:
      encoded.append(0x25)
      for half in [byte >> 4, byte & 15] { encoded.append(half < 10 ? 0x30 + half : 0x37 + half) }
    }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// The text with its `%XX` escapes undone; as it came where they make no UTF-8.
package func percentDecoded(_ text: some StringProtocol) -> String {
  String(validating: percentDecodedBytes(text), as: UTF8.self) ?? String(text)
}

/// The bytes that the text stands for; a `%` that begins no escape stands for itself.
///
/// - Parameter plusIsSpace: whether `+` is a space, as in the queries that forms make.
package func percentDecodedBytes(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8] {
  var decoded: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.popFirst() {
    if byte == 0x25, rest.count >= 2, let high = hexadecimal(rest[rest.startIndex]),
      let low = hexadecimal(rest[rest.startIndex + 1])
    {
      decoded.append(high << 4 | low)
      rest = rest.dropFirst(2)
    } else {
      decoded.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
    }
  }
  return decoded
}

private func hexadecimal(_ digit: UInt8) -> UInt8? {
  switch digit {
  case 0x30...0x39: digit - 0x30
  case 0x41...0x46: digit - 0x37
  case 0x61...0x66: digit - 0x57
  default: nil
  }
}

/// Text for HTML and SVG.
public enum Markup {
  /// The text with the characters replaced that mean something in HTML and XML, in content as in attributes; control
  /// characters that XML does not have become U+FFFD.
  public static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
