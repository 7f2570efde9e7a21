@usableFromInline enum JSONString {
  /// The string. O(length).
  @usableFromInline
  static func text(_ word: UInt64, _ base: UnsafePointer<UInt8>) -> String {
    let (start, length) = (base + JSONWord.offset(word) + 1, JSONWord.extra(word))
    guard word & JSONWord.escaped != 0 else { return make(start, length) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
      buffer.baseAddress.map { make($0, unescape(start, length, into: $0)) } ?? ""
    }
  }

  /// Creates a string without validating its UTF-8: the scanner did, and doing it again would take as long as everything
  /// else.
  private static func make(_ start: UnsafePointer<UInt8>, _ length: Int) -> String {
    let bytes = UnsafeBufferPointer(start: start, count: length)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII(start, length)))
  }

  @inline(__always)
  private static func isASCII(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    var seen: UInt64 = 0
    var i = 0
    if length >= 8 {
      while i &+ 8 <= length {
        seen |= UnsafeRawPointer(start).loadUnaligned(fromByteOffset: i, as: UInt64.self)
        i &+= 8
      }
      // The last eight bytes, which may overlap the previous ones.
      seen |= UnsafeRawPointer(start).loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
    } else {
      while i < length {
        seen |= UInt64(start[i])
        i &+= 1
      }
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// Whether `count` bytes are equal. For short names, an inlined loop is faster than a call of `memcmp`.
  @inlinable @inline(__always)
  static func areEqual(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var i = 0
    while i &+ 8 <= count {
      let one = UnsafeRawPointer(a).loadUnaligned(fromByteOffset: i, as: UInt64.self)
      if one != UnsafeRawPointer(b).loadUnaligned(fromByteOffset: i, as: UInt64.self) { return false }
      i &+= 8
    }
    while i < count {
      if a[i] != b[i] { return false }
      i &+= 1
    }
    return true
  }

  /// The unescaped UTF-8. An unpaired surrogate becomes U+FFFD: Swift strings cannot contain it, and rejecting a whole
  /// document because a server truncated a title within an emoji would lose all other records.
  @usableFromInline
  static func unescaped(_ word: UInt64, _ base: UnsafePointer<UInt8>) -> [UInt8] {
    let length = JSONWord.extra(word)
    let text = base + JSONWord.offset(word) + 1
    // Unescaping never makes the text longer.
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = length == 0 ? 0 : unescape(text, length, into: buffer.baseAddress!)
    }
  }

  private static func unescape(
    _ text: UnsafePointer<UInt8>, _ length: Int, into out: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var i = 0
    var o = 0
    while i < length {
      // Copies eight bytes at a time. The rest of the buffer is never smaller than the rest of the text.
      if i &+ 8 <= length {
        let word = UnsafeRawPointer(text).loadUnaligned(fromByteOffset: i, as: UInt64.self)
        UnsafeMutableRawPointer(out).storeBytes(of: word, toByteOffset: o, as: UInt64.self)
        let other = UInt64(littleEndian: word) ^ 0x5C5C_5C5C_5C5C_5C5C
        let flagged = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
        let plain = flagged == 0 ? 8 : flagged.trailingZeroBitCount &>> 3
        i &+= plain
        o &+= plain
        if flagged == 0 { continue }
      } else if text[i] != 0x5C {
        out[o] = text[i]
        o &+= 1
        i &+= 1
        continue
      }
      let letter = text[i &+ 1]
      i &+= 2
      switch letter {
      case 0x62: out[o] = 0x08
      case 0x66: out[o] = 0x0C
      case 0x6E: out[o] = 0x0A
      case 0x72: out[o] = 0x0D
      case 0x74: out[o] = 0x09
      case 0x75:
        var unit = hex(text, i)
        i &+= 4
        if unit & 0xF800 == 0xD800 {
          let isPair = unit < 0xDC00 && i &+ 6 <= length && text[i] == 0x5C && text[i &+ 1] == 0x75
          let low = isPair ? hex(text, i &+ 2) : 0
          if low & 0xFC00 == 0xDC00 {
            unit = 0x10000 &+ (unit &- 0xD800) &<< 10 &+ (low &- 0xDC00)
            i &+= 6
          } else {
            unit = 0xFFFD
          }
        }
        o &+= encode(unit, out + o)
        continue
      default: out[o] = letter
      }
      o &+= 1
    }
    return o
  }

  /// Whether a text as it is written has an escape of one half of a pair of surrogates without the other. O(bytes).
  static func hasHalfPair(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let text = raw.baseAddress else { return false }
    var i = 0
    while i < raw.count {
      guard text[i] == 0x5C else {
        i &+= 1
        continue
      }
      i &+= 2
      guard text[i &- 1] == 0x75 else { continue }
      let unit = hex(text, i)
      i &+= 4
      guard unit & 0xF800 == 0xD800 else { continue }
      let isPair =
        unit < 0xDC00 && i &+ 6 <= raw.count && text[i] == 0x5C && text[i &+ 1] == 0x75
        && hex(text, i &+ 2) & 0xFC00 == 0xDC00
      guard isPair else { return true }
      i &+= 6
    }
    return false
  }

  private static func hex(_ text: UnsafePointer<UInt8>, _ i: Int) -> UInt32 {
    var value: UInt32 = 0
    var k = i
    while k < i &+ 4 {
      value = value &<< 4 | UInt32(JSONLexer.hexDigit(text[k]))
      k &+= 1
    }
    return value
  }

  private static func encode(_ scalar: UInt32, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    if scalar < 0x80 {
      out[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    }
    if scalar < 0x800 {
      out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
      out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 2
    }
    if scalar < 0x10000 {
      out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
      out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar &>> 6 & 0x3F)
      out[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 3
    }
    out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
    out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar &>> 12 & 0x3F)
    out[2] = UInt8(truncatingIfNeeded: 0x80 | scalar &>> 6 & 0x3F)
    out[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
    return 4
  }
}
