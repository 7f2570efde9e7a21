/// SHA-256 (FIPS 180-4). It names media by their content, and identifies keys without revealing them.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]

  /// Returns the digest in lower-case hexadecimal digits.
  package static func digest(_ bytes: some Collection<UInt8>) -> String {
    words(bytes).map { padded($0, 8, radix: 16) }.joined()
  }

  package static func bytes(_ bytes: some Collection<UInt8>) -> [UInt8] {
    words(bytes).flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// Returns the message authentication code under a key (HMAC, RFC 2104).
  package static func authenticationCode(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? bytes(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return bytes(block.map { $0 ^ 0x5C } + bytes(block.map { $0 ^ 0x36 } + message))
  }

  /// The message in blocks of 64 bytes, with its number of bits at the end.
  ///
  /// - Parameter length: puts the number into the order of its bytes.
  static func blocks(_ bytes: some Collection<UInt8>, length: (UInt64) -> UInt64) -> [UInt8] {
    var padded = Array(bytes)
    let bits = UInt64(padded.count) * 8
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    withUnsafeBytes(of: length(bits)) { padded.append(contentsOf: $0) }
    return padded
  }

  private static func words(_ bytes: some Collection<UInt8>) -> [UInt32] {
    var hash = SHA256()
    blocks(bytes, length: \.bigEndian).withUnsafeBytes { buffer in
      for start in stride(from: 0, to: buffer.count, by: 64) { hash.block(buffer.baseAddress! + start) }
    }
    return hash.state
  }

  private mutating func block(_ bytes: UnsafeRawPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        words[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      }
      for index in 16..<64 {
        let (near, far) = (words[index - 2], words[index - 15])
        words[index] =
          words[index - 16] &+ (Self.turn(far, 7) ^ Self.turn(far, 18) ^ far >> 3) &+ words[index - 7]
          &+ (Self.turn(near, 17) ^ Self.turn(near, 19) ^ near >> 10)
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      Self.constants.withUnsafeBufferPointer { constants in
        for index in 0..<64 {
          let first =
            h &+ (Self.turn(e, 6) ^ Self.turn(e, 11) ^ Self.turn(e, 25)) &+ ((e & f) ^ (~e & g))
            &+ constants[index] &+ words[index]
          let second = (Self.turn(a, 2) ^ Self.turn(a, 13) ^ Self.turn(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
          (h, g, f, e) = (g, f, e, d &+ first)
          (d, c, b, a) = (c, b, a, first &+ second)
        }
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
  }

  @inline(__always)
  private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }
}

/// A 64-bit FNV-1a hash (draft-eastlake-fnv). Unlike `Hasher`, it is the same in every process and on every machine.
///
/// The hash is not collision resistant: do not use it on input that an attacker may choose.
package struct StableHash {
  package private(set) var value: UInt64

  /// - Parameter offset: the offset basis; another value than the standard one gives an independent hash.
  package init(offset: UInt64 = 0xCBF2_9CE4_8422_2325) { value = offset }

  /// Adds a text and a terminator, so that `("a", "b")` and `("ab")` have different hashes. O(length).
  package mutating func combine(_ text: String) { combine(text.utf8) }

  /// Adds bytes and a terminator. O(length).
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    add(bytes)
    mix(0xFF)
  }

  /// Adds bytes without a terminator. O(length).
  package mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { mix(byte) } }

  /// 128 bits of several texts as 32 hexadecimal digits.
  package static func digest(_ texts: [String]) -> String {
    var halves = [StableHash(), StableHash(offset: 0x6C62_272E_07BB_0142)]
    for text in texts { for index in halves.indices { halves[index].combine(text) } }
    return halves.map(\.hex).joined()
  }

  private mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  package var hex: String { padded(value, 16, radix: 16) }
}
