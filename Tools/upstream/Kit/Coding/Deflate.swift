/// A small DEFLATE encoder (RFC 1951): greedy matches with a hash of three bytes, fixed Huffman codes.
///
/// It compresses the JSON of test bodies to about a third, and its output is simple enough to verify.
public enum Deflate {
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
  ]

  /// Compresses the bytes into one raw DEFLATE stream.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var out = BitWriter()
    out.add(1, 1)  // the last block
    out.add(1, 2)  // fixed codes
    var heads = [Int](repeating: -1, count: 1 << 15)
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        var length = 0
        var distance = 0
        if index + 2 < bytes.count {
          let key = hash(bytes, index)
          let candidate = heads[key]
          heads[key] = index
          if candidate >= 0, index - candidate <= 32_768 {
            let limit = min(258, bytes.count - index)
            while length < limit, bytes[candidate + length] == bytes[index + length] { length += 1 }
            distance = index - candidate
          }
        }
        if length >= 3 {
          addMatch(length, distance, to: &out)
          index += length
        } else {
          addSymbol(Int(bytes[index]), to: &out)
          index += 1
        }
      }
    }
    addSymbol(256, to: &out)
    out.align()
    return out.bytes
  }

  /// Compresses the bytes into zlib format (RFC 1950), which `Content-Encoding: deflate` refers to.
  public static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let sum = high << 16 | low
    return [0x78, 0x01] + compress(bytes) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  /// Blocks that encode `count` zero bytes (rounded up to 1 + a multiple of 258), end on a byte boundary, and are not
  /// the last of their stream, so that they can be repeated any number of times. Two bits encode 258 bytes.
  public static func zeroBlock(count: Int) -> [UInt8] {
    var out = BitWriter()
    addZeros(matches: max(0, count - 1 + 257) / 258, to: &out)
    // An empty stored block aligns the stream to a byte boundary.
    out.add(0, 3)
    out.align()
    return out.bytes + [0, 0, 0xFF, 0xFF]
  }

  /// One block with dynamic codes: literal 0 and end have two bits, a match of 258 has one, distance 1 has one.
  private static func addZeros(matches: Int, to out: inout BitWriter) {
    out.add(0, 1)
    out.add(2, 2)
    out.add(29, 5)  // 286 literal and length codes
    out.add(0, 5)  // one distance code
    out.add(14, 4)  // 18 code length codes, in the order of the RFC: 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1
    for width in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { out.add(width, 3) }
    func zeroLengths(_ count: Int) {
      out.addCode(0b0, 1)
      out.add(count - 11, 7)
    }
    let one = (code: 0b10, width: 2)
    let two = (code: 0b11, width: 2)
    out.addCode(two.code, two.width)  // literal 0
    zeroLengths(138)
    zeroLengths(117)
    out.addCode(two.code, two.width)  // 256, the end
    zeroLengths(28)
    out.addCode(one.code, one.width)  // 285, a match of 258
    out.addCode(one.code, one.width)  // distance 1
    out.addCode(0b10, 2)
    for _ in 0..<matches {
      out.addCode(0b0, 1)
      out.addCode(0b0, 1)
    }
    out.addCode(0b11, 2)
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let word = UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
    return Int((word &* 2_654_435_761) >> 17)
  }

  private static func addSymbol(_ symbol: Int, to out: inout BitWriter) {
    switch symbol {
    case 0..<144: out.addCode(0x30 + symbol, 8)
    case 144..<256: out.addCode(0x190 + symbol - 144, 9)
    case 256..<280: out.addCode(symbol - 256, 7)
    default: out.addCode(0xC0 + symbol - 280, 8)
    }
  }

  private static func addMatch(_ length: Int, _ distance: Int, to out: inout BitWriter) {
    let lengthCode = lengthBases.lastIndex { $0 <= length } ?? 0
    addSymbol(257 + lengthCode, to: &out)
    let lengthBits = lengthCode < 8 || lengthCode == 28 ? 0 : (lengthCode - 4) / 4
    out.add(length - lengthBases[lengthCode], lengthBits)
    let distanceCode = distanceBases.lastIndex { $0 <= distance } ?? 0
    out.addCode(distanceCode, 5)
    out.add(distance - distanceBases[distanceCode], distanceCode < 4 ? 0 : (distanceCode - 2) / 2)
  }
}

/// Writes bits in the order of DEFLATE: the least significant bit of each byte first (RFC 1951, section 3.1.1).
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  /// Adds the low `width` bits of a number, at most 32, least significant first.
  mutating func add(_ value: Int, _ width: Int) {
    pending |= UInt64(value) << UInt64(count)
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  /// Adds a Huffman code, most significant bit first.
  mutating func addCode(_ code: Int, _ width: Int) {
    var reversed = 0
    for bit in 0..<width where code >> bit & 1 == 1 { reversed |= 1 << (width - 1 - bit) }
    add(reversed, width)
  }

  /// Pads the last byte with zero bits.
  mutating func align() {
    if count > 0 { add(0, 8 - count) }
  }
}
