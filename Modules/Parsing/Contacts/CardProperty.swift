/// One property of a card, unfolded: `[group.]NAME[;parameter…]:value` (RFC 6350 section 3.3).
struct CardProperty {
  /// The name in upper case, without its group.
  let name: String
  /// The value as it stands in the file: escapes, quoted-printable and character set are not decoded.
  let value: ArraySlice<UInt8>
  /// The line on which it begins, from 1.
  let line: Int
  /// Parameters; the name is empty where the file gives none (`TEL;CELL`).
  private let parameters: [Parameter]

  private struct Parameter {
    let name: String
    let value: String
  }

  /// Reads an unfolded line; `nil` where it has no value.
  init?(_ bytes: [UInt8], line: Int) {
    guard let colon = Self.endOfHeader(bytes[...]) else { return nil }
    var pieces = Self.pieces(bytes[..<colon])
    var name = pieces.removeFirst()
    if let dot = name.lastIndex(of: 0x2E) { name = name[(dot + 1)...] }
    self.name = Self.upperCase(Self.trimmed(name))
    self.line = line
    value = bytes[(colon + 1)...]
    parameters = pieces.map { piece in
      guard let equals = piece.firstIndex(of: 0x3D) else {
        return Parameter(name: "", value: Self.upperCase(Self.trimmed(piece)))
      }
      let value = Self.trimmed(piece[(equals + 1)...]).filter { $0 != 0x22 }
      return Parameter(
        name: Self.upperCase(Self.trimmed(piece[..<equals])), value: String(decoding: value, as: UTF8.self))
    }
  }

  /// The value of a parameter by its upper-case name; the first one where there are several.
  func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// Whether the value is quoted-printable, also where the word stands without `ENCODING=`.
  var isQuotedPrintable: Bool {
    parameters.contains {
      ($0.name.isEmpty || $0.name == "ENCODING") && $0.value.uppercased() == "QUOTED-PRINTABLE"
    }
  }

  /// Whether the value is base64, which some phones use for names that are not ASCII.
  var isBase64: Bool {
    parameters.contains { parameter in
      let word = parameter.value.uppercased()
      return word == "BASE64" && parameter.name.isEmpty
        || ["B", "BASE64"].contains(word) && parameter.name == "ENCODING"
    }
  }

  /// The same as `isQuotedPrintable` for a line that is not read yet.
  static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = endOfHeader(line) else { return false }
    return pieces(line[..<colon]).dropFirst().contains { piece in
      let word = upperCase(trimmed(piece.firstIndex(of: 0x3D).map { piece[($0 + 1)...] } ?? piece))
      return word == "QUOTED-PRINTABLE"
    }
  }

  /// The place of the `:` before the value: the first outside quotes, or the first of all where quotes do not close.
  private static func endOfHeader(_ line: ArraySlice<UInt8>) -> Int? {
    var quoted = false
    for index in line.indices {
      switch line[index] {
      case 0x22: quoted.toggle()
      case 0x3A where !quoted: return index
      default: break
      }
    }
    return line.firstIndex(of: 0x3A)
  }

  /// Splits a header at every `;` outside quotes; at least one piece.
  private static func pieces(_ header: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = header.startIndex
    var quoted = false
    for index in header.indices {
      switch header[index] {
      case 0x22: quoted.toggle()
      case 0x3B where !quoted:
        pieces.append(header[start..<index])
        start = index + 1
      default: break
      }
    }
    return pieces + [header[start...]]
  }

  /// ASCII letters in upper case; other bytes as they are.
  static func upperCase(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  /// Without spaces and tabs at both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.endIndex
    let end = bytes[start...].lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start
    return bytes[start..<end]
  }
}
