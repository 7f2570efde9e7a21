import Models

/// Splits pieces of a file into lines, and holds no more than a piece and the line that is begun in it.
struct LineReader {
  /// Of the line, from 1.
  private(set) var number = 0
  private var bytes: [UInt8] = []
  /// The line, without its end.
  private var line = 0..<0
  /// Where the next one begins, and up to where no end of it was found.
  private var next = 0
  private var searched = 0
  private var isAtEnd = false

  /// Goes on to the next line; false at the end.
  ///
  /// - Parameter read: gives the next piece, `nil` at the end.
  mutating func advance(_ read: () throws(Failure) -> [UInt8]?) throws(Failure) -> Bool {
    while true {
      if let end = Self.lineEnd(in: bytes, from: searched) {
        take(next..<end, next: end + 1)
        return true
      }
      searched = bytes.count
      if isAtEnd {
        guard next < bytes.count else { return false }
        take(next..<bytes.count, next: bytes.count)
        return true
      }
      guard let piece = try read() else {
        isAtEnd = true
        continue
      }
      if next == bytes.count { bytes = piece } else { bytes.replaceSubrange(..<next, with: []); bytes += piece }
      searched -= next
      next = 0
    }
  }

  /// The place of the next newline, found eight bytes at a time.
  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var place = start
      while place + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ 0x0A0A_0A0A_0A0A_0A0A
        // The lowest set bit marks the first zero byte (Hacker's Delight, 6-1).
        let found = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
        if found != 0 { return place + found.trailingZeroBitCount >> 3 }
        place += 8
      }
      return bytes[place...].firstIndex(of: 0x0A)
    }
  }

  /// A byte order mark says nothing in UTF-8 (RFC 8259 section 8.1 lets readers pass over it).
  private mutating func take(_ found: Range<Int>, next: Int) {
    number += 1
    let isMarked = number == 1 && bytes[found].starts(with: [0xEF, 0xBB, 0xBF])
    line = (isMarked ? found.lowerBound + 3 : found.lowerBound)..<found.upperBound
    (self.next, searched) = (next, next)
  }

  /// Looks at the line.
  func withLine<Result>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = bytes[...]
    return try body(slice.span.bytes.extracting(line))
  }
}
