import Models

/// Matches a secret, or its Base64 encoding, in all spellings.
///
/// Each byte may be plain, percent-encoded (RFC 3986 section 2.1, also twice) or escaped as in a JSON string (RFC 8259
/// section 7, also JSON within JSON), in any mixture. ASCII case is ignored, except in Base64.
struct SecretPattern: Sendable {
  /// The bytes to match, in lower case if case is ignored; never empty.
  private let bytes: [UInt8]
  /// The length of a prefix that is a match in a text that may be truncated.
  private let least: Int
  /// Whether the Base64 digits before and after contain bits of the secret.
  private let margins: (before: Bool, after: Bool)
  private let ignoresCase: Bool

  private init(_ bytes: [UInt8], least: Int, margins: (Bool, Bool) = (false, false), ignoresCase: Bool = false) {
    self.bytes = ignoresCase ? bytes.map(Self.lower) : bytes
    self.ignoresCase = ignoresCase
    self.least = min(bytes.count, max(least, (bytes.count + 1) / 2))
    self.margins = margins
  }

  /// The patterns of a secret: itself, and its Base64 encoding (RFC 4648 sections 4 and 5) at each of the three
  /// alignments that it can have in a longer text.
  static func patterns(of secret: [UInt8]) -> [SecretPattern] {
    var patterns = [SecretPattern(secret, least: 8, ignoresCase: true)]
    for shift in 0..<3 {
      let text = Array(Base64.encoded([UInt8](repeating: 0, count: shift) + secret).utf8)
      let bits = 8 * (shift + secret.count)
      // The digits that contain bits of the secret only.
      let core = Array(text[(8 * shift + 5) / 6..<bits / 6])
      let margins = (shift > 0, bits % 6 != 0)
      patterns.append(SecretPattern(core, least: 11, margins: margins))
      let web = core.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
      if web != core { patterns.append(SecretPattern(web, least: 11, margins: margins)) }
    }
    return patterns
  }

  /// The bytes with which a match can begin.
  var starts: [UInt8] {
    let plain = (0...255).filter { isSame($0, 0) }
    return plain + [0x25, 0x5C] + (bytes[0] == 0x20 ? [0x2B] : [])
  }

  private func isSame(_ byte: UInt8, _ place: Int) -> Bool {
    byte == bytes[place] || ignoresCase && Self.lower(byte) == bytes[place]
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// The range of a match that begins at `start`.
  ///
  /// - Parameter whole: whether the whole secret must match; otherwise a long prefix is enough.
  func range(in text: UnsafeBufferPointer<UInt8>, at start: Int, whole: Bool) -> Range<Int>? {
    let (end, count) = reach(text, start, 0)
    guard count == bytes.count || !whole && count >= least(before: text[end...]) else { return nil }
    func isDigit(_ index: Int) -> Bool {
      guard text.indices.contains(index) else { return false }
      switch text[index] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x5F: return true
      default: return false
      }
    }
    let lower = margins.before && isDigit(start - 1) ? start - 1 : start
    let upper = margins.after && isDigit(end) ? end + 1 : end
    return lower..<upper
  }

  /// The length of a prefix that is a match before this rest. It is short if the text was visibly truncated.
  private func least(before rest: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    if rest.starts(with: "…".utf8) { return min(least, 4) }
    return rest.isEmpty ? min(least, 8) : least
  }

  /// Matches the pattern from `place` on; returns the end of the match, and how many bytes of the pattern matched.
  private func reach(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ place: Int) -> (end: Int, count: Int) {
    var (index, place) = (start, place)
    while place < bytes.count, index < text.count {
      let isPlain = isSame(text[index], place)
      guard let escape = escape(in: text, at: index, for: place) else {
        guard isPlain else { break }
        index += 1
        place += 1
        continue
      }
      // `%` and `\` may be part of the secret or begin an escape.
      if isPlain {
        let plain = reach(text, index + 1, place + 1)
        if plain.count == bytes.count { return plain }
      }
      index = escape.end
      place += escape.count
    }
    return (index, place)
  }

  /// Matches an escape with the pattern from `place` on; returns its end and the number of bytes.
  private func escape(in text: UnsafeBufferPointer<UInt8>, at index: Int, for place: Int) -> (end: Int, count: Int)? {
    switch text[index] {
    case 0x2B where bytes[place] == 0x20: return (index + 1, 1)
    case 0x25:
      var mark = index
      while let value = Self.hexadecimal(text, mark + 1, digits: 2) {
        if isSame(UInt8(value), place) { return (mark + 3, 1) }
        // `%2541` is `%41` encoded twice.
        guard value == 0x25 else { return nil }
        mark += 2
      }
      return nil
    case 0x5C:
      var mark = index
      while mark < text.count, text[mark] == 0x5C { mark += 1 }
      if bytes[place] == 0x5C, mark - index >= 2 { return (mark, 1) }
      guard mark < text.count else { return nil }
      guard text[mark] == 0x75 else { return isSame(Self.short(text[mark]), place) ? (mark + 1, 1) : nil }
      return scalar(in: text, at: mark + 1, for: place)
    default: return nil
    }
  }

  /// Matches the scalar of `\uXXXX`, or of a surrogate pair, with its UTF-8 in the pattern.
  private func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int, for place: Int) -> (end: Int, count: Int)? {
    guard var value = Self.hexadecimal(text, index, digits: 4) else { return nil }
    var end = index + 4
    if 0xD800..<0xDC00 ~= value {
      while end < text.count, text[end] == 0x5C { end += 1 }
      guard let low = Self.hexadecimal(text, end + 1, digits: 4), 0xDC00..<0xE000 ~= low else { return nil }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      end += 5
    }
    guard let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
    let encoded = Array(String(Character(scalar)).utf8)
    guard bytes.count - place >= encoded.count, encoded.indices.allSatisfy({ isSame(encoded[$0], place + $0) }) else {
      return nil
    }
    return (end, encoded.count)
  }

  private static func short(_ letter: UInt8) -> UInt8 {
    switch letter {
    case 0x62: 0x08
    case 0x66: 0x0C
    case 0x6E: 0x0A
    case 0x72: 0x0D
    case 0x74: 0x09
    default: letter
    }
  }

  private static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int) -> Int? {
    guard start + digits <= text.count else { return nil }
    var value = 0
    for digit in text[start..<start + digits] {
      switch digit {
      case 0x30...0x39: value = value << 4 | Int(digit - 0x30)
      case 0x41...0x46: value = value << 4 | Int(digit - 0x37)
      case 0x61...0x66: value = value << 4 | Int(digit - 0x57)
      default: return nil
      }
    }
    return value
  }
}
