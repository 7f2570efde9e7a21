/// XXH64, the checksum of what the store writes and of answers that are known (github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
///
/// CRC32C needs an instruction that Swift does not offer to be as fast; XXH64 reads several bytes a cycle without.
package struct XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private var lane1 = prime1 &+ prime2
  private var lane2 = prime2
  private var lane3: UInt64 = 0
  private var lane4 = 0 &- prime1
  private var total = 0
  // What is left over of the last piece: fewer than 32 bytes.
  private var rest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var restCount = 0

  package init() {}

  /// The checksum of bytes that lie together.
  package static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = XXHash64()
    hash.update(bytes)
    return hash.value
  }

  package static func sum(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(sum) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard var pointer = bytes.baseAddress, bytes.count > 0 else { return }
    var count = bytes.count
    total &+= count
    if restCount > 0 {
      let taken = min(32 - restCount, count)
      withUnsafeMutableBytes(of: &rest) { buffer in
        (buffer.baseAddress! + restCount).copyMemory(from: pointer, byteCount: taken)
      }
      restCount += taken
      pointer += taken
      count -= taken
      guard restCount == 32 else { return }
      lane1 = Self.round(lane1, rest.0)
      lane2 = Self.round(lane2, rest.1)
      lane3 = Self.round(lane3, rest.2)
      lane4 = Self.round(lane4, rest.3)
      restCount = 0
    }
    var (a, b, c, d) = (lane1, lane2, lane3, lane4)
    while count >= 32 {
      a = Self.round(a, pointer.loadUnaligned(as: UInt64.self))
      b = Self.round(b, pointer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      c = Self.round(c, pointer.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      d = Self.round(d, pointer.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      pointer += 32
      count -= 32
    }
    (lane1, lane2, lane3, lane4) = (a, b, c, d)
    if count > 0 {
      withUnsafeMutableBytes(of: &rest) { $0.baseAddress!.copyMemory(from: pointer, byteCount: count) }
      restCount = count
    }
  }

  /// The checksum of all pieces so far.
  package var value: UInt64 {
    var hash: UInt64
    if total >= 32 {
      hash = Self.rotate(lane1, 1) &+ Self.rotate(lane2, 7) &+ Self.rotate(lane3, 12) &+ Self.rotate(lane4, 18)
      for lane in [lane1, lane2, lane3, lane4] { hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4 }
    } else {
      hash = Self.prime5
    }
    hash &+= UInt64(truncatingIfNeeded: total)
    withUnsafeBytes(of: rest) { bytes in
      var offset = 0
      while offset + 8 <= restCount {
        hash ^= Self.round(0, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        hash = Self.rotate(hash, 27) &* Self.prime1 &+ Self.prime4
        offset += 8
      }
      if offset + 4 <= restCount {
        hash ^= UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &* Self.prime1
        hash = Self.rotate(hash, 23) &* Self.prime2 &+ Self.prime3
        offset += 4
      }
      while offset < restCount {
        hash ^= UInt64(bytes[offset]) &* Self.prime5
        hash = Self.rotate(hash, 11) &* Self.prime1
        offset += 1
      }
    }
    hash = (hash ^ (hash >> 33)) &* Self.prime2
    hash = (hash ^ (hash >> 29)) &* Self.prime3
    return hash ^ (hash >> 32)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 { rotate(lane &+ input &* prime2, 31) &* prime1 }

  @inline(__always)
  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
