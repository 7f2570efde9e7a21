// `_nfd` is the standard library's decomposition, which has no other name yet.
@_spi(_Unicode) import Swift

/// Letters without their accents, as people type them: `garcia` for García, `strasse` for Straße.
///
/// Latin, Greek and Cyrillic letters are decomposed and lose their combining marks (Unicode Standard, section 3.7). Other
/// scripts stay as they are: there a mark often makes another letter.
public enum FoldedText {
  public static func folded(_ text: String) -> String {
    var text = text.lowercased()
    return text.withUTF8 { folded(UnsafeRawBufferPointer($0)).map { String(decoding: $0, as: UTF8.self) } } ?? text
  }

  /// A text without accents; what has none keeps its case. `nil` if there are none.
  public static func folded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var folded: [UInt8] = []
    var copied = 0
    eachScalar(of: text) { range, index in
      guard let replacement = replacements[index] else { return true }
      if folded.isEmpty { folded.reserveCapacity(text.count) }
      folded.append(contentsOf: text[copied..<range.lowerBound])
      folded.append(contentsOf: replacement)
      copied = range.upperBound
      return true
    }
    if copied == 0 { return nil }
    folded.append(contentsOf: text[copied...])
    return folded
  }

  /// The words with `ae`, `oe` and `ue` as umlauts, and with umlauts as these letters, where that is another spelling.
  public static func respelled(_ words: [String]) -> [[String]] {
    let pairs = [("ae", "ä"), ("oe", "ö"), ("ue", "ü")]
    let lowered = words.map { $0.lowercased() }
    let spellings = [pairs, pairs.map { ($0.1, $0.0) }].map { pairs in
      lowered.map { word in pairs.reduce(word) { $0.replacing($1.0, with: $1.1) } }
    }
    return spellings.filter { $0.map(\.exact) != lowered.map(\.exact) }
  }

  /// Passes on where each scalar of the two ranges is, and its index in `replacements`, until `body` returns false.
  @inline(__always)
  fileprivate static func eachScalar(of text: UnsafeRawBufferPointer, _ body: (Range<Int>, Int) -> Bool) {
    var start = 0
    while start < text.count {
      guard let offset = text[start] >= 0x80 ? start : firstBeyondASCII(in: text, from: start) else { return }
      let (scalar, count) = scalar(in: text, at: offset)
      start = offset + count
      guard firstRange.contains(scalar) || secondRange.contains(scalar) else { continue }
      let index =
        scalar < firstRange.upperBound
        ? scalar - firstRange.lowerBound : firstRange.count + scalar - secondRange.lowerBound
      if !body(offset..<start, index) { return }
    }
  }

  /// The offset of the next byte that is not ASCII, looked for eight bytes at a time.
  @inline(__always)
  private static func firstBeyondASCII(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var offset = start
    while offset + 8 <= text.count {
      let bits =
        UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & 0x8080_8080_8080_8080
      if bits != 0 { return offset + bits.trailingZeroBitCount >> 3 }
      offset += 8
    }
    return offset < text.count ? text[offset...].firstIndex { $0 >= 0x80 } : nil
  }

  /// The number of a scalar of two or three bytes; of others, one that is never folded.
  @inline(__always)
  private static func scalar(in text: UnsafeRawBufferPointer, at offset: Int) -> (number: Int, count: Int) {
    let first = Int(text[offset])
    if first >= 0xF0 || first < 0xC2 { return (Int.max, first < 0xC2 ? 1 : 4) }
    let count = first < 0xE0 ? 2 : 3
    guard offset + count <= text.count else { return (Int.max, count) }
    let second = Int(text[offset + 1]) & 0x3F
    return count == 2
      ? ((first & 0x1F) << 6 | second, 2) : ((first & 0x0F) << 12 | second << 6 | Int(text[offset + 2]) & 0x3F, 3)
  }

  // Latin-1 to Cyrillic, combining marks among them, and Latin and Greek letters with several accents.
  private static var firstRange: Range<Int> { 0x80..<0x530 }
  private static var secondRange: Range<Int> { 0x1E00..<0x2000 }

  /// What stands for each scalar of the two ranges, without accents and in lower case; `nil` for those that stay.
  fileprivate static let replacements: [[UInt8]?] = (Array(firstRange) + Array(secondRange)).map { number in
    guard let scalar = Unicode.Scalar(number) else { return nil }
    let lowered = scalar.properties.lowercaseMapping
    let letters = String(
      String.UnicodeScalarView(lowered._nfd.filter { $0.properties.canonicalCombiningClass == .notReordered }))
    let plain = letters.map { withoutAccents[$0] ?? String($0) }.joined()
    return plain == lowered && lowered.unicodeScalars.elementsEqual([scalar]) ? nil : Array(plain.utf8)
  }

  /// Letters that do not decompose.
  private static let withoutAccents: [Character: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "ı": "i", "ſ": "s", "ĳ": "ij", "ς": "σ",
  ]
}

/// Spares most texts being folded: one that does not hold words as they are may hold them once it is folded only where a
/// letter that changes stands between letters that it has in a word.
public struct FoldingSieve: Sendable {
  private let words: [[UInt8]]
  private let isInWords: [Bool]

  /// - Parameter words: without accents, in lower case.
  public init(_ words: [String]) {
    let words = words.map { Array($0.utf8) }
    self.words = words
    isInWords = FoldedText.replacements.map { replacement in
      replacement.map { replacement in words.contains { replacement.isEmpty || $0.firstRange(of: replacement) != nil } }
        ?? false
    }
  }

  public func mayHold(_ text: UnsafeRawBufferPointer) -> Bool {
    var mayHold = false
    FoldedText.eachScalar(of: text) { range, index in
      if isInWords[index], isBetweenLetters(range, FoldedText.replacements[index]!, text) { mayHold = true }
      return !mayHold
    }
    return mayHold
  }

  private func isBetweenLetters(_ range: Range<Int>, _ letters: [UInt8], _ text: UnsafeRawBufferPointer) -> Bool {
    func isAt(_ offset: Int, _ letter: UInt8) -> Bool {
      text.indices.contains(offset) && (text[offset] >= 0x80 || text[offset] | 0x20 == letter | 0x20)
    }
    for word in words where letters.count <= word.count {
      for start in 0...word.count - letters.count where word[start...].starts(with: letters) {
        let end = start + letters.count
        if start == 0 || isAt(range.lowerBound - 1, word[start - 1]),
          end == word.count || isAt(range.upperBound, word[end])
        {
          return true
        }
      }
    }
    return false
  }
}
