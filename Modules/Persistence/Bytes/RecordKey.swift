import Models

/// The id of a record, as it is written in its line.
struct RecordKey {
  /// The id between its quotes, escapes and all.
  var text: ByteSlice
  /// Whether it holds escapes, so that its bytes are not yet the id's.
  var isEscaped: Bool

  static let openingCount = 7
  /// `{"id":"`, as a number.
  private static let openingWord: UInt64 = 0x0022_3A22_6469_227B
}

extension RecordKey {
  /// The id of a record; `nil` where it does not begin with one.
  @inline(__always)
  init?(of record: ByteSlice) {
    guard record.count > Self.openingCount,
      // The first eight bytes but the last, compared at once.
      UnsafeRawPointer(record.base).loadUnaligned(as: UInt64.self) & 0x00FF_FFFF_FFFF_FFFF == Self.openingWord
    else { return nil }
    var offset = Self.openingCount
    var isEscaped = false
    while offset < record.count {
      let byte = record.base[offset]
      if byte == 0x22 {
        self.init(text: record[Self.openingCount..<offset], isEscaped: isEscaped)
        return
      }
      if byte == 0x5C {
        isEscaped = true
        offset += 1
      }
      offset += 1
    }
    return nil
  }

  /// The id's own bytes; `nil` where an escape is not valid.
  func unescaped() -> [UInt8]? { RecordRule.unescaped(text.raw) }

  /// Calls `body` with the id's own bytes; `nil` where an escape is not valid.
  func withBytes<Result, Failure: Error>(_ body: (ByteSlice) throws(Failure) -> Result) throws(Failure) -> Result? {
    isEscaped ? try unescaped()?.withByteSlice(body) : try body(text)
  }

  /// The id's own bytes, and what they lie in where that is not the record.
  func owned() -> (bytes: ByteSlice, arena: Arena?) {
    let arena = isEscaped ? Arena(unescaped() ?? []) : nil
    return (arena?.slice ?? text, arena)
  }

  /// An id as it is written into a line: quotes, backslashes and control characters escaped.
  static func escape(_ id: ByteSlice, into line: inout [UInt8]) {
    for offset in 0..<id.count {
      let byte = id.base[offset]
      if byte == 0x22 || byte == 0x5C { line.append(0x5C) }
      line.append(byte)
    }
  }
}

/// Reads hexadecimal digits of either case.
func hexadecimal(_ digits: ByteSlice) -> UInt64? {
  var value: UInt64 = 0
  for offset in 0..<digits.count {
    let byte = digits.base[offset]
    switch byte {
    case 0x30...0x39: value = value << 4 | UInt64(byte - 0x30)
    case 0x41...0x46: value = value << 4 | UInt64(byte - 0x37)
    case 0x61...0x66: value = value << 4 | UInt64(byte - 0x57)
    default: return nil
    }
  }
  return value
}

/// Sixteen lower-case hexadecimal digits.
func writeHexadecimal(_ value: UInt64, to offset: UnsafeMutablePointer<UInt8>) {
  for digit in 0..<16 {
    let bits = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * digit)) & 15
    offset[digit] = bits < 10 ? 0x30 + bits : 0x57 + bits
  }
}

func hexadecimalText(_ value: UInt64) -> String {
  let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
    writeHexadecimal(value, to: buffer.baseAddress!)
    count = 16
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Two digits a byte.
func hexadecimalText(of bytes: [UInt8]) -> String {
  bytes.map { String(hexadecimalText(UInt64($0)).suffix(2)) }.joined()
}

/// The bytes of pairs of digits; `nil` for another text.
func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count % 2 == 0 else { return nil }
  var bytes: [UInt8] = []
  for place in stride(from: 0, to: digits.count, by: 2) {
    guard let byte = digits[place..<place + 2].withUnsafeBufferPointer({ hexadecimal(ByteSlice($0)) }) else {
      return nil
    }
    bytes.append(UInt8(byte))
  }
  return bytes
}
