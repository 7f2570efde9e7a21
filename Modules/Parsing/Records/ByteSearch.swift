/// Finds a short text in bytes by Horspool's algorithm: it looks at one byte in as many as the text is long.
///
/// A class with memory of its own, so that a search over a million records counts no references.
final class ByteSearch: @unchecked Sendable {
  /// The text's length.
  let count: Int
  private let text: UnsafeMutablePointer<UInt8>
  /// How far to go on when a byte stands where the text's last byte should: 256 entries.
  private let shifts: UnsafeMutablePointer<UInt8>

  /// A search for a text of at least one byte; beyond 255 bytes it goes on by less than it could.
  init(_ bytes: [UInt8]) {
    count = bytes.count
    text = .allocate(capacity: max(1, bytes.count))
    shifts = .allocate(capacity: 256)
    text.initialize(repeating: 0, count: max(1, bytes.count))
    for (place, byte) in bytes.enumerated() { text[place] = byte }
    shifts.initialize(repeating: UInt8(min(max(1, bytes.count), 255)), count: 256)
    for (place, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = UInt8(min(bytes.count - 1 - place, 255)) }
  }

  deinit {
    text.deallocate()
    shifts.deallocate()
  }

  /// The first place in `start..<end`; -1 where there is none.
  @inline(__always)
  func find(in base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    let last = count &- 1
    let final = text[last]
    let (text, shifts) = (text, shifts)
    var i = start &+ last
    while i < end {
      let byte = base[i]
      if byte == final {
        var k = 0
        while k < last, base[i &- last &+ k] == text[k] { k &+= 1 }
        if k == last { return i &- last }
      }
      i &+= Int(truncatingIfNeeded: shifts[Int(truncatingIfNeeded: byte)])
    }
    return -1
  }
}
