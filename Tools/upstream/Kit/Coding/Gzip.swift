/// Gzip files (RFC 1952) for coded bodies and for decompression bombs.
public enum Gzip {
  /// The ten bytes before the compressed data: no name, no time, unknown system.
  public static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// The bytes as one gzip member.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    header + Deflate.compress(bytes) + trailer(CRC32.of(bytes), bytes.count)
  }

  /// One gzip member that inflates to at least `count` zero bytes, about a thousandth as long.
  public static func zeros(count: Int) -> [UInt8] {
    // A block holds 1 + 258n bytes; the empty last block closes the stream.
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
