/// Validates the tokens of RFC 8259, long ones eight bytes at a time.
///
/// The functions are inlined into the loop of the scanner. None reads at or beyond offset `n`.
enum JSONLexer {
  /// The offset of the first byte that is not white space (section 2).
  @inline(__always)
  static func skipSpace(_ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int) -> Int {
    var i = start
    // Compact texts have no white space, so the first byte usually decides.
    while i < n {
      let byte = p[i]
      if byte > 0x20 { return i }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return i }
      i &+= 1
    }
    return i
  }

  /// The offset of the closing quote, from the offset after the opening one (section 7); -1 and a fault for an invalid string.
  ///
  /// Most strings end within eight bytes without escapes. This case is inlined.
  @inline(__always)
  static func string(
    _ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int, _ flags: inout UInt64, _ fault: inout JSONFault
  ) -> Int {
    guard start &+ 8 <= n else { return longString(p, start, n, &flags, &fault) }
    let flagged = special(UnsafeRawPointer(p).loadUnaligned(fromByteOffset: start, as: UInt64.self))
    if flagged == 0 { return longString(p, start &+ 8, n, &flags, &fault) }
    let i = start &+ flagged.trailingZeroBitCount &>> 3
    return p[i] == 0x22 ? i : longString(p, i, n, &flags, &fault)
  }

  /// Sets the high bit of the first byte that is a quote, a backslash, a control character or not ASCII; 0 without such a
  /// byte. A borrow can only flag bytes above a correct flag, so the lowest flag is always correct.
  @inline(__always)
  static func special(_ bytes: UInt64) -> UInt64 {
    let word = UInt64(littleEndian: bytes)
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return
      ((quote &- 0x0101_0101_0101_0101) & ~quote
      | (backslash &- 0x0101_0101_0101_0101) & ~backslash
      | (word &- 0x2020_2020_2020_2020) | word) & 0x8080_8080_8080_8080
  }

  @inline(never)
  private static func longString(
    _ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int, _ flags: inout UInt64, _ fault: inout JSONFault
  ) -> Int {
    let raw = UnsafeRawPointer(p)
    var i = start
    while true {
      while i &+ 8 <= n {
        let flagged = special(raw.loadUnaligned(fromByteOffset: i, as: UInt64.self))
        if flagged == 0 {
          i &+= 8
        } else {
          i &+= flagged.trailingZeroBitCount &>> 3
          break
        }
      }
      guard i < n else {
        fault = JSONFault(.stringEnd, at: n)
        return -1
      }
      let byte = p[i]
      if byte == 0x22 { return i }
      if byte == 0x5C {
        flags |= JSONWord.escaped
        i = escape(p, i, n, &fault)
      } else if byte >= 0x80 {
        i = multibyte(p, i, n, &fault)
      } else if byte < 0x20 {
        fault = JSONFault(.noControl, at: i)
        return -1
      } else {
        i &+= 1
      }
      if i < 0 { return -1 }
    }
  }

  /// The offset after an escape; -1 and a fault for an invalid one. Unpaired surrogates are accepted (section 8.2).
  @inline(__always)
  static func escape(_ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int, _ fault: inout JSONFault) -> Int {
    guard start &+ 1 < n else {
      fault = JSONFault(.escape, at: n)
      return -1
    }
    switch p[start &+ 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return start &+ 2
    case 0x75:
      var i = start &+ 2
      while i < start &+ 6 {
        guard i < n, hexDigit(p[i]) < 16 else {
          fault = JSONFault(.hexDigit, at: i)
          return -1
        }
        i &+= 1
      }
      return i
    default:
      fault = JSONFault(.escape, at: start &+ 1)
      return -1
    }
  }

  /// The offset after a character of two to four bytes; -1 and a fault for invalid UTF-8 (RFC 3629 section 4).
  @inline(__always)
  static func multibyte(_ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int, _ fault: inout JSONFault) -> Int {
    let lead = p[start]
    let second = start &+ 1 < n ? p[start &+ 1] : 0
    let third = start &+ 2 < n ? p[start &+ 2] : 0
    if lead >= 0xC2, lead < 0xE0 {
      if second & 0xC0 == 0x80 { return start &+ 2 }
    } else if lead >= 0xE0, lead < 0xF0 {
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80, !(lead == 0xE0 && second < 0xA0),
        !(lead == 0xED && second > 0x9F)
      {
        return start &+ 3
      }
    } else if lead >= 0xF0, lead < 0xF5 {
      let fourth = start &+ 3 < n ? p[start &+ 3] : 0
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80, fourth & 0xC0 == 0x80, !(lead == 0xF0 && second < 0x90),
        !(lead == 0xF4 && second > 0x8F)
      {
        return start &+ 4
      }
    }
    fault = JSONFault(.utf8, at: start)
    return -1
  }

  /// The offset after a number (section 6); -1 and a fault for an invalid one.
  @inline(__always)
  static func number(
    _ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int, _ flags: inout UInt64, _ fault: inout JSONFault
  ) -> Int {
    var i = start
    if p[i] == 0x2D { i &+= 1 }
    guard i < n, isDigit(p[i]) else {
      fault = JSONFault(.digit, at: i)
      return -1
    }
    if p[i] == 0x30 { i &+= 1 } else { i = digits(p, i, n) }
    flags = JSONWord.whole
    if i < n, p[i] == 0x2E {
      flags = 0
      let first = i &+ 1
      i = digits(p, first, n)
      guard i > first else {
        fault = JSONFault(.digit, at: i)
        return -1
      }
    }
    if i < n, p[i] | 0x20 == 0x65 {
      flags = 0
      i &+= 1
      if i < n, p[i] == 0x2B || p[i] == 0x2D { i &+= 1 }
      let first = i
      i = digits(p, first, n)
      guard i > first else {
        fault = JSONFault(.digit, at: i)
        return -1
      }
    }
    return i
  }

  /// The kind of a literal; 0 and a fault for an invalid one.
  @inline(__always)
  static func literal(_ p: UnsafePointer<UInt8>, _ i: Int, _ n: Int, _ fault: inout JSONFault) -> UInt64 {
    let first = p[i]
    if i &+ 4 <= n {
      let word = UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: i, as: UInt32.self))
      if word == 0x6C6C_756E { return JSONWord.null }
      if word == 0x6575_7274 { return JSONWord.yes }
      if word == 0x736C_6166, i &+ 4 < n, p[i &+ 4] == 0x65 { return JSONWord.no }
    }
    guard first == 0x6E || first == 0x74 || first == 0x66 else {
      fault = JSONFault(.value, at: i)
      return 0
    }
    let word: StaticString = first == 0x6E ? "null" : first == 0x74 ? "true" : "false"
    var length = 1
    while length < word.utf8CodeUnitCount, i &+ length < n, p[i &+ length] == word.utf8Start[length] { length &+= 1 }
    fault = JSONFault(.literal, at: i &+ length)
    return 0
  }

  /// A mask with one of 64 bits, which is the same for equal names.
  ///
  /// It depends on the length and the first eight bytes. In most small objects all names have different masks, so that no
  /// comparison is needed. The mask of a name with escapes has all bits.
  @inline(__always)
  static func mark(_ p: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ n: Int, _ flags: UInt64) -> UInt64 {
    if flags & JSONWord.escaped != 0 { return ~0 }
    let length = end &- start
    var head: UInt64 = 0
    if start &+ 8 <= n {
      head = UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: start, as: UInt64.self))
      if length < 8 { head &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1 }
    } else {
      var i = min(length, 8)
      while i > 0 {
        i &-= 1
        head = head &<< 8 | UInt64(p[start &+ i])
      }
    }
    let mixed = (head ^ UInt64(truncatingIfNeeded: length) &<< 56) &* 0x9E37_79B9_7F4A_7C15
    return 1 &<< (mixed &>> 58)
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  private static func digits(_ p: UnsafePointer<UInt8>, _ start: Int, _ n: Int) -> Int {
    var i = start
    while i < n, p[i] &- 0x30 < 10 { i &+= 1 }
    return i
  }

  /// The value of a hexadecimal digit; 16 or more for other bytes.
  @inline(__always) static func hexDigit(_ byte: UInt8) -> UInt8 {
    let digit = byte &- 0x30
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : 16
  }
}
