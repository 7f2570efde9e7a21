/// Encodes text in UTF-8 for a path segment or the value of a query parameter (RFC 3986 section 2.1): `a b/é` becomes
/// `a%20b%2F%C3%A9`. Unreserved characters are not escaped, nor are `@` and `,`, which are frequent in Flickr's ids and
/// lists. O(n) for n bytes.
///
/// - Parameter strictly: whether `@` and `,` are escaped too.
public func percentEncoded(_ text: some StringProtocol, strictly: Bool = false) -> String {
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

/// Decodes the `%XX` escapes; returns the text unchanged if the result is not valid UTF-8. O(n) for n bytes.
public func percentDecoded(_ text: some StringProtocol) -> String {
  String(validating: percentDecodedBytes(text), as: UTF8.self) ?? String(text)
}

/// Decodes the `%XX` escapes into bytes; a `%` that does not begin an escape is kept.
///
/// - Parameter plusIsSpace: whether `+` means a space, as in submitted forms.
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

extension Unicode.Scalar {
  /// Whether it turns the direction of the text around it (Unicode Standard Annex 9, section 2).
  package var isDirectionMark: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

  /// Hebrew, Arabic and the other scripts of these blocks (Unicode Standard Annex 9, classes R and AL).
  package var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}

public enum Markup {
  /// Returns the text with the special characters of HTML and XML escaped, for use in content and in attributes.
  /// Control characters that XML does not allow become U+FFFD.
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
