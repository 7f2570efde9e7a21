import CLibrary

/// Determines the nesting depth of an offset in a JSON text without reading tokens.
enum BracketDepth {
  /// The number of open brackets at an offset outside of strings, in a valid JSON object of `count` bytes.
  ///
  /// Brackets that are open at the offset are closed after it, so reading the shorter side is enough.
  static func open(in base: UnsafePointer<UInt8>, at place: Int, of count: Int) -> Int {
    place < count &- place
      ? balance(base, from: 0, to: place) : 0 &- balance(base, from: place, to: count)
  }

  /// The number of opened minus closed brackets in a range that starts outside of strings. Brackets in strings do not count.
  ///
  /// Processes eight bytes at a time: a bracket counts after an even number of quotes that are not escaped.
  private static func balance(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    let raw = UnsafeRawPointer(base)
    var depth = 0
    // All bits are set where the word starts inside a string.
    var inString: UInt64 = 0
    // The high bit of the first byte is set where the previous word ends with an active backslash.
    var escaped: UInt64 = 0
    var i = start
    while i < end {
      let word: UInt64
      if i &+ 8 <= end {
        word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt64.self))
      } else {
        word = rest(base, i, end)
      }
      var quotes = zeros(word ^ 0x2222_2222_2222_2222)
      var backslashes = zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
      if backslashes | escaped != 0 {
        var taken = escaped
        escaped = 0
        backslashes &= ~taken
        while backslashes != 0 {
          let bit = backslashes & (0 &- backslashes)
          backslashes &= ~(bit | bit &<< 8)
          taken |= bit &<< 8
          if bit == 1 &<< 63 { escaped = 0x80 }
        }
        quotes &= ~taken
      }
      // With bit 0x20 set, only '[' and '{' become 0x7B, and only ']' and '}' become 0x7D.
      let folded = word | 0x2020_2020_2020_2020
      let opening = zeros(folded ^ 0x7B7B_7B7B_7B7B_7B7B)
      let closing = zeros(folded ^ 0x7D7D_7D7D_7D7D_7D7D)
      // A prefix XOR of the quotes marks the bytes inside strings.
      var within = quotes
      within ^= within &<< 8
      within ^= within &<< 16
      within ^= within &<< 32
      within ^= inString
      depth &+= (opening & ~within).nonzeroBitCount &- (closing & ~within).nonzeroBitCount
      inString = UInt64(bitPattern: Int64(bitPattern: within) &>> 63)
      i &+= 8
    }
    return depth
  }

  /// The last bytes, padded with zeros.
  private static func rest(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
    var word: UInt64 = 0
    var i = end
    while i > start {
      i &-= 1
      word = word &<< 8 | UInt64(base[i])
    }
    return word
  }

  /// The high bit of every byte that is zero, exactly.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    ~(((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word | 0x7F7F_7F7F_7F7F_7F7F)
  }
}

/// Searches bytes for a short text: checks eight offsets at a time for the two rarest bytes of the text.
///
/// A class with its own memory, so that searching a million records needs no reference counting.
final class ByteSearch: @unchecked Sendable {
  let count: Int
  private let text: UnsafeMutablePointer<UInt8>
  /// The offsets of the two rarest bytes in the text, and each byte repeated eight times.
  private let places: (Int, Int)
  private let bytes: (UInt64, UInt64)

  init(_ text: [UInt8]) {
    count = text.count
    self.text = .allocate(capacity: max(1, text.count))
    self.text.initialize(repeating: 0, count: max(1, text.count))
    for (place, byte) in text.enumerated() { self.text[place] = byte }
    let rarest = text.indices.sorted { (Self.rank(text[$0]), $0) < (Self.rank(text[$1]), $1) }
    let (one, other) = (rarest.first ?? 0, rarest.dropFirst().first ?? 0)
    places = (one, other)
    bytes = (0x0101_0101_0101_0101 &* UInt64(self.text[one]), 0x0101_0101_0101_0101 &* UInt64(self.text[other]))
  }

  deinit { text.deallocate() }

  /// A rough rank of how common a byte is in records: letters by their frequency in English, JSON punctuation highest.
  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case 0x22, 0x2C, 0x3A: 100
    case 0x30...0x39, 0x20, 0x2D: 50
    case 0x61...0x7A: Array("zqxjkvbywgpfmucdlhrsnioate".utf8).firstIndex(of: byte) ?? 0
    default: 0
    }
  }

  /// The offset of the first match in `start..<end`; -1 without a match.
  @inline(__always)
  func find(in base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    let raw = UnsafeRawPointer(base)
    let (places, bytes, text, count) = (places, bytes, text, count)
    // The most frequent search is for the first member of a record, its id.
    if start &+ count <= end, memcmp(base + start, text, count) == 0 { return start }
    var i = start
    let last = end &- count &- 7
    while i <= last {
      let one = raw.loadUnaligned(fromByteOffset: i &+ places.0, as: UInt64.self) ^ bytes.0
      let other = raw.loadUnaligned(fromByteOffset: i &+ places.1, as: UInt64.self) ^ bytes.1
      // A borrow can flag a byte too many, which the comparison then rejects.
      var flagged = UInt64(
        littleEndian: (one &- 0x0101_0101_0101_0101) & ~one & (other &- 0x0101_0101_0101_0101) & ~other
          & 0x8080_8080_8080_8080)
      while flagged != 0 {
        let place = i &+ flagged.trailingZeroBitCount &>> 3
        if memcmp(base + place, text, count) == 0 { return place }
        flagged &= flagged &- 1
      }
      i &+= 8
    }
    while i &+ count <= end {
      if memcmp(base + i, text, count) == 0 { return i }
      i &+= 1
    }
    return -1
  }
}
