/// Creates gzip files (RFC 1952) for compressed bodies and decompression bombs.
public enum Gzip {
  /// The ten bytes before the compressed data: no name, no time, unknown system.
  public static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    header + Deflate.compress(bytes) + trailer(CRC32.of(bytes), bytes.count)
  }

  /// A gzip member that decompresses to at least `count` zero bytes from about a thousandth of that.
  public static func zeros(count: Int) -> [UInt8] {
    // A block contains 1 + 258n bytes; the empty last block ends the stream.
    let inflated = 1 + (max(0, count - 1) + 257) / 258 * 258
    let last: [UInt8] = [0x03, 0x00]
    return header + Deflate.zeroBlock(count: count) + last + trailer(CRC32.ofZeros(inflated), inflated)
  }

  private static func trailer(_ sum: UInt32, _ count: Int) -> [UInt8] {
    let size = UInt32(truncatingIfNeeded: count)
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
      + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) }
  }
}

/// The checksum of gzip: CRC-32 with the reflected polynomial 0xEDB88320 (RFC 1952, section 8).
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var state = UInt32.max
        for byte in bytes { state = state >> 8 ^ table[Int((state ^ UInt32(byte)) & 0xFF)] }
        return ~state
      }
    }
  }

  /// The checksum of `count` zero bytes in O(log count): a zero byte is a linear map of the 32 bits of the state, so
  /// many of them are a power of its matrix.
  static func ofZeros(_ count: Int) -> UInt32 {
    var power = (0..<32).map { bit -> UInt32 in
      let state = UInt32(1) << UInt32(bit)
      return state >> 8 ^ table[Int(state & 0xFF)]
    }
    func apply(_ matrix: [UInt32], _ state: UInt32) -> UInt32 {
      (0..<32).reduce(0) { sum, bit in state >> UInt32(bit) & 1 == 1 ? sum ^ matrix[bit] : sum }
    }
    var state = UInt32.max
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { state = apply(power, state) }
      power = power.map { apply(power, $0) }
      rest >>= 1
    }
    return ~state
  }
}
