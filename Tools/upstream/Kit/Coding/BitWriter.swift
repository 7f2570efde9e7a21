/// Writes bits in the order of DEFLATE: least significant bit of each byte first (RFC 1951, section 3.1.1).
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  /// Adds the low `width` bits of a number, least significant first; at most 32.
  mutating func add(_ value: Int, _ width: Int) {
    pending |= UInt64(value) << UInt64(count)
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  /// Adds a Huffman code, whose bits go most significant first.
  mutating func addCode(_ code: Int, _ width: Int) {
    var reversed = 0
    for bit in 0..<width where code >> bit & 1 == 1 { reversed |= 1 << (width - 1 - bit) }
    add(reversed, width)
  }

  /// Fills the last byte with zero bits.
  mutating func align() {
    if count > 0 { add(0, 8 - count) }
  }
}
