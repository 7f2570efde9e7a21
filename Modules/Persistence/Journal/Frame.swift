import Models

/// One transaction in the journal: a line of fixed length with its number and checksums, then one line per change, and,
/// where a history is kept, one that says why.
///
/// ```
/// {"commit":"…16 digits…","at":"…","changes":"…","bytes":"…","sum":"…","head":"…"}
/// {"add":"people","record":{"id":"a",…}}
/// {"set":"people","record":{"id":"b",…}}
/// {"cut":"people","id":"c"}
/// {"by":"sync","follow":"people"}
/// ```
/// All of it is text without control characters but the newlines. So a run of zero bytes is a write that never
/// reached the disk, and nothing within a change can look like the beginning of a transaction.
struct Frame: Hashable, Sendable {
  var sequence: UInt64
  /// When it was made, in seconds since 1970.
  var at: Int
  var changes: Int
  /// How many bytes its changes take.
  var bytes: Int
  var sum: UInt64

  static let headCount = template.utf8CodeUnitCount

  private static let template: StaticString = """
    {"commit":"0000000000000000","at":"0000000000000000","changes":"0000000000000000",\
    "bytes":"0000000000000000","sum":"0000000000000000","head":"0000000000000000"}

    """
  // The offsets of the numbers in the line.
  private static let offsets = [11, 35, 64, 91, 116, 142]
  /// How every transaction begins; in no other place of the journal does a line begin so.
  static let opening: StaticString = "{\"commit\":\""

  func writeHead(to line: UnsafeMutablePointer<UInt8>) {
    line.update(from: Self.template.utf8Start, count: Self.headCount)
    let numbers = [sequence, UInt64(bitPattern: Int64(at)), UInt64(changes), UInt64(bytes), sum]
    for (number, offset) in zip(numbers, Self.offsets) { writeHexadecimal(number, to: line + offset) }
    let check = XXHash64.sum(UnsafeRawBufferPointer(start: line, count: Self.offsets[5]))
    writeHexadecimal(check, to: line + Self.offsets[5])
  }

  /// What tells the commit from another one with its number: a part of the first line's checksum.
  var mark: UInt64 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.headCount) { buffer in
      writeHead(to: buffer.baseAddress!)
      return XXHash64.sum(UnsafeRawBufferPointer(start: buffer.baseAddress, count: Self.offsets[5])) & 0xFFFF_FFFF
    }
  }

}

extension Frame {
  /// Reads a first line; `nil` unless every bit is intact.
  init?(head: ByteSlice) {
    guard head.count >= Self.headCount else { return nil }
    var numbers: [UInt64] = []
    for offset in Self.offsets {
      guard let number = hexadecimal(head[offset..<offset + 16]) else { return nil }
      numbers.append(number)
    }
    guard numbers[5] == XXHash64.sum(UnsafeRawBufferPointer(start: head.base, count: Self.offsets[5])),
      numbers[2] < 1 << 40, numbers[3] < 1 << 60
    else { return nil }
    self.init(
      sequence: numbers[0], at: Int(Int64(bitPattern: numbers[1])), changes: Int(numbers[2]),
      bytes: Int(numbers[3]), sum: numbers[4])
    // Case of digits and the last bytes are not in the checksum of the head, so the line is made again and compared.
    let isSame = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.headCount) { buffer in
      writeHead(to: buffer.baseAddress!)
      return ByteSlice(buffer.baseAddress!, count: Self.headCount) == head[0..<Self.headCount]
    }
    guard isSame else { return nil }
  }
}

struct FrameChange {
  enum Kind: UInt8 {
    // The words `add`, `set` and `cut` by their first letters.
    case add = 0x61
    case set = 0x73
    case delete = 0x63
  }

  var kind: Kind
  var collection: ByteSlice
  /// The whole record; empty for `cut`.
  var record: ByteSlice
  /// The id, maybe with escapes.
  var key: RecordKey

  init?(line: ByteSlice) {
    guard line.count > 10, line.base[0] == 0x7B, line.base[1] == 0x22, let kind = Kind(rawValue: line.base[2]),
      let quote = line.first(0x22, from: 8)
    else { return nil }
    self.kind = kind
    collection = line[8..<quote]
    if kind == .delete {
      // …","id":"c"}
      let start = quote + 8
      guard line.count >= start + 2, line[quote..<line.count].starts(with: ByteSlice("\",\"id\":\"")) else {
        return nil
      }
      record = line[line.count..<line.count]
      let text = line[start..<line.count - 2]
      key = RecordKey(text: text, isEscaped: text.first(0x5C) != nil)
    } else {
      // …","record":{…}}
      let start = quote + 11
      guard line.count > start + 1, line[quote..<line.count].starts(with: ByteSlice("\",\"record\":")) else {
        return nil
      }
      record = line[start..<line.count - 1]
      guard let key = RecordKey(of: record) else { return nil }
      self.key = key
    }
  }
}
