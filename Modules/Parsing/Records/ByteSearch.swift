#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Searches bytes for a short text: checks eight offsets at a time for the two rarest bytes of the text.
///
/// A class with its own memory, so that searching a million records needs no reference counting.
final class ByteSearch: @unchecked Sendable {
  /// The length of the text.
  let count: Int
  private let text: UnsafeMutablePointer<UInt8>
  /// The offsets of the two rarest bytes in the text, and each byte repeated eight times.
  private let places: (Int, Int)
  private let bytes: (UInt64, UInt64)

  /// Creates a search for a text of at least one byte.
  init(_ text: [UInt8]) {
    count = text.count
    self.text = .allocate(capacity: max(1, text.count))
    self.text.initialize(repeating: 0, count: max(1, text.count))
    for (place, byte) in text.enumerated() { self.text[place] = byte }
    let rarest = text.indices.sorted { (Self.rank(text[$0]), $0) < (Self.rank(text[$1]), $1) }
    let (one, other) = (rarest.first ?? 0, rarest.dropFirst().first ?? 0)
    places = (one, other)
    bytes = (
      0x0101_0101_0101_0101 &* UInt64(self.text[one]), 0x0101_0101_0101_0101 &* UInt64(self.text[other])
    )
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
