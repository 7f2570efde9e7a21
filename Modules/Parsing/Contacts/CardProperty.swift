import Models

/// One property of a card, unfolded: `[group.]NAME[;parameter…]:value` (RFC 6350 section 3.3).
struct CardProperty {
  /// The name in upper case, without its group.
  let name: String
  /// The raw value: escapes, quoted-printable and character set are not decoded.
  let value: ArraySlice<UInt8>
  /// The first line, from 1.
  let line: Int
  /// Its lines in the file, with the last line break.
  let span: Range<Int>
  /// The group before the name; empty without one.
  let group: String
  /// The group, the name and the parameters as written.
  private let header: ArraySlice<UInt8>
  /// The parameters. The name is empty where the file has a value only (`TEL;CELL`).
  private let parameters: [Parameter]

  private struct Parameter {
    let name: String
    let value: String
  }

  /// Reads an unfolded line; `nil` where it has no value.
  init?(_ bytes: [UInt8], line: Int, span: Range<Int>) {
    guard let colon = Self.endOfHeader(bytes[...]) else { return nil }
    var pieces = Self.pieces(bytes[..<colon])
    var name = pieces.removeFirst()
    var group = name[..<name.startIndex]
    if let dot = name.lastIndex(of: 0x2E) { (group, name) = (name[..<dot], name[(dot + 1)...]) }
    self.group = String(decoding: Self.trimmed(group), as: UTF8.self)
    self.name = Self.upperCase(Self.trimmed(name))
    self.line = line
    self.span = span
    header = bytes[..<colon]
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

  /// The first value of a parameter, by its upper-case name.
  func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// All values of the parameters with these upper-case names, in order.
  func parameters(_ names: [String]) -> [String] { parameters.filter { names.contains($0.name) }.map(\.value) }

  /// Whether the value is not plain text in UTF-8.
  var isEncoded: Bool { isQuotedPrintable || isBase64 || characterSet != nil }

  /// The group, the name and the parameters for a value that is plain text in UTF-8.
  var plainHeader: String {
    let header = String(decoding: header, as: UTF8.self)
    guard isEncoded else { return header }
    return Self.pieces(self.header).filter { piece in
      let text = Self.upperCase(Self.trimmed(piece))
      let word = text.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
      return !text.hasPrefix("CHARSET=") && !text.hasPrefix("ENCODING=")
        && !["QUOTED-PRINTABLE", "BASE64", "8BIT"].contains(word)
    }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ";")
  }

  /// The plain header with other types, another preference, or both. Types that say nothing about what the value is for are
  /// kept.
  ///
  /// - Parameters:
  ///   - types: `nil` for those that it has.
  ///   - preference: the parameter of a preferred value, empty for another one; `nil` for what it has.
  func plainHeader(types: [String]?, preference: String?) -> String {
    var pieces = Self.pieces(Array(plainHeader.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    let first = pieces.removeFirst()
    var kept: [String] = []
    for piece in pieces {
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0].trimmed.uppercased()
      guard parts.count == 1 || name == "TYPE" else {
        if name == "PREF" && preference != nil || name == "SERVICE-TYPE" && types != nil { continue }
        kept.append(piece)
        continue
      }
      let words = parts[parts.count - 1].split { $0 == "," || $0 == "\"" }.map { String($0).trimmed }
      let common = words.filter { word in
        let word = word.lowercased()
        return (types == nil || Self.commonTypes.contains(word)) && (preference == nil || word != "pref")
      }
      if common == words { kept.append(piece) }
      if !common.isEmpty, common != words {
        kept.append((parts.count == 1 ? "" : "TYPE=") + common.joined(separator: ","))
      }
    }
    let isBare = pieces.contains { !$0.contains("=") }
    let new = (types ?? []).map { isBare ? $0.uppercased() : "TYPE=\($0)" }
    return ([first] + kept + new + (preference.flatMap { $0.isEmpty ? nil : [$0] } ?? [])).joined(separator: ";")
  }

  /// Whether the value is quoted-printable. `ENCODING=` may be missing.
  var isQuotedPrintable: Bool {
    parameters.contains {
      ($0.name.isEmpty || $0.name == "ENCODING") && $0.value.uppercased() == "QUOTED-PRINTABLE"
    }
  }

  /// Whether the value is Base64, which some phones use for names that are not ASCII.
  var isBase64: Bool {
    parameters.contains { parameter in
      let word = parameter.value.uppercased()
      return word == "BASE64" && parameter.name.isEmpty
        || ["B", "BASE64"].contains(word) && parameter.name == "ENCODING"
    }
  }

  /// Whether a line that is not parsed yet has a quoted-printable value.
  static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = endOfHeader(line) else { return false }
    return pieces(line[..<colon]).dropFirst().contains { piece in
      let word = upperCase(trimmed(piece.firstIndex(of: 0x3D).map { piece[($0 + 1)...] } ?? piece))
      return word == "QUOTED-PRINTABLE"
    }
  }

  /// The index of the `:` before the value: the first one outside quotes, or the first one if quotes are not balanced.
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

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.endIndex
    let end = bytes[start...].lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? start
    return bytes[start..<end]
  }
}

extension CardProperty {
  /// The value as text; `nil` where its character set is not supported.
  var text: String? { string(Self.unescaped(decoded(value)[...])) }

  /// The value as an identifier, which versions before 4.0 write without `urn:uuid:`; `nil` if it is empty.
  var identifier: String? {
    guard let text = text?.trimmed, !text.isEmpty else { return nil }
    let scheme = "urn:uuid:"
    return text.lowercased().hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
  }

  /// The components of a structured value, such as `family;given;…`; `nil` where its character set is not supported.
  ///
  /// - Parameter lists: whether `,` separates several values of one component, as in 3.0 and 4.0. These are joined by
  ///   spaces. In 2.1, `,` is part of the text.
  func components(lists: Bool) -> [String]? {
    // Components are split before decoding, so that an encoded `;` is text. A value without a separator is split after
    // decoding: some exporters encode the separators as well.
    var raw = Self.split(value, at: 0x3B).map { decoded($0) }
    if raw.count == 1, isQuotedPrintable || isBase64 { raw = Self.split(raw[0][...], at: 0x3B).map(Array.init) }
    var components: [String] = []
    for component in raw {
      var words: [String] = []
      for piece in lists ? Self.split(component[...], at: 0x2C) : [component[...]] {
        guard let word = string(Self.unescaped(piece)) else { return nil }
        words.append(word.trimmed)
      }
      components.append(words.filter { !$0.isEmpty }.joined(separator: " "))
    }
    return components
  }

  /// The value as text of one or more lines; `nil` where its character set is not supported.
  var lines: String? { string(Self.unescaped(decoded(value)[...]), keepsLines: true) }

  /// The values of a list such as `CATEGORIES`, without empty ones.
  var list: [String] {
    Self.split(decoded(value)[...], at: 0x2C).compactMap { string(Self.unescaped($0))?.trimmed }.filter { !$0.isEmpty }
  }

  var rawComponents: [String] { Self.split(value, at: 0x3B).map { String(decoding: $0, as: UTF8.self) } }

  var characterSet: String? { parameter("CHARSET") }

  /// The text on one line. Tabs and line breaks become spaces; other control characters, which a terminal might interpret,
  /// are removed.
  ///
  /// - Parameter keepsLines: whether line feeds and tabs are kept, and carriage returns removed.
  private func string(_ bytes: [UInt8], keepsLines: Bool = false) -> String? {
    var plain = bytes
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      plain = bytes.compactMap { byte in
        switch byte {
        case 0x09 where keepsLines, 0x0A where keepsLines: byte
        case 0x0D where keepsLines: nil
        case 0x09, 0x0A, 0x0D: 0x20
        case 0x00..<0x20, 0x7F: nil
        default: byte
        }
      }
    }
    return CardText.decode(plain, characterSet: characterSet)
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if isQuotedPrintable { return Self.quotedPrintable(bytes) }
    // Some programs call a plain name so.
    let binary = isBase64 ? Base64.decoded(String(decoding: Self.trimmed(bytes), as: UTF8.self)) : nil
    return binary ?? Array(bytes)
  }

  /// Decodes `=XX` (RFC 2045 section 6.7). A `=` without two digits is kept.
  private static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == 0x3D, index + 2 < bytes.endIndex,
        case let (high, low) = (JSONLexer.hexDigit(bytes[index + 1]), JSONLexer.hexDigit(bytes[index + 2])),
        high < 16, low < 16
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  /// Splits at separators that are not escaped by `\`.
  private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var escaped = false
    for index in bytes.indices {
      if escaped {
        escaped = false
      } else if bytes[index] == 0x5C {
        escaped = true
      } else if bytes[index] == separator {
        pieces.append(bytes[start..<index])
        start = index + 1
      }
    }
    return pieces + [bytes[start...]]
  }

  /// Replaces `\n`, `\N`, `\,`, `\;`, `\:` and `\\` (RFC 6350 section 3.4). Any other `\` is kept.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var escaped = false
    for byte in bytes {
      guard escaped else {
        if byte == 0x5C { escaped = true } else { text.append(byte) }
        continue
      }
      escaped = false
      switch byte {
      case 0x6E, 0x4E: text.append(0x0A)
      case 0x2C, 0x3B, 0x3A, 0x5C: text.append(byte)
      default: text += [0x5C, byte]
      }
    }
    if escaped { text.append(0x5C) }
    return text
  }
}
