/// What every store accepts: the names of collections, ids, and records in their stored form.
public enum RecordRule {
  private static let opening: StaticString = "{\"id\":\""

  /// Why a text is not a name of a collection; `nil` if it is one.
  public static func problem(ofCollection name: CollectionName) -> String? {
    let isValid = { (byte: UInt8) in (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D }
    if (1...64).contains(name.rawValue.utf8.count), name.rawValue.utf8.allSatisfy(isValid) { return nil }
    return "'\(name)' is not a valid name of a collection: use 1 to 64 of a-z, 0-9 and '-'"
  }

  /// Why bytes are not an id; `nil` if they are one.
  public static func problem(ofID id: UnsafeRawBufferPointer) -> String? {
    if (1...1024).contains(id.count), !hasControls(id), !id.contains(0x7F) { return nil }
    let found =
      switch id.count {
      case 0: "this one is empty"
      case 1025...: "this one has \(id.count): '\(String(decoding: id[..<32], as: UTF8.self))…'"
      default: "this one has some: \(String(reflecting: String(decoding: id, as: UTF8.self)))"
      }
    return "an id has 1 to 1024 bytes and no control characters; \(found)"
  }

  /// Why bytes are not a record of an id; `nil` if they are one: a JSON object on one line that begins with the id.
  public static func problem(of record: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> String? {
    guard record.count <= 1 << 28 else { return "a record is longer than 256 MiB" }
    guard let text = idText(of: record), record[record.count - 1] == 0x7D, !hasControls(record) else {
      return "a record is a JSON object on one line that begins with its id"
    }
    let isSame = text.contains(0x5C) ? unescaped(text).map { $0.elementsEqual(id) } ?? false : text.elementsEqual(id)
    return isSame ? nil : "the record's id is not '\(String(decoding: id, as: UTF8.self))'"
  }

  /// The id of a record in its stored form, without reading the rest; `nil` if it does not begin with one. O(length of the id).
  public static func id(of record: RawSpan) -> String? {
    record.withUnsafeBytes { record in
      idText(of: record).flatMap { text in
        let bytes = text.contains(0x5C) ? unescaped(text) : Array(text)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
      }
    }
  }

  /// Where the id is in a record in its stored form; `nil` if there is none, or it has escapes.
  public static func idPlace(of record: RawSpan) -> Range<Int>? {
    record.withUnsafeBytes { record in
      guard let text = idText(of: record), !text.contains(0x5C) else { return nil }
      return opening.utf8CodeUnitCount..<opening.utf8CodeUnitCount + text.count
    }
  }

  /// The id as it is written in a record, escapes and all; `nil` if the record does not begin with one.
  private static func idText(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let start = opening.utf8CodeUnitCount
    guard record.count > start, opening.withUTF8Buffer({ record[..<start].elementsEqual($0) }) else { return nil }
    var place = start
    while place < record.count {
      if record[place] == 0x22 { return UnsafeRawBufferPointer(rebasing: record[start..<place]) }
      place += record[place] == 0x5C ? 2 : 1
    }
    return nil
  }

  /// Whether there is a byte below 0x20; eight at a time.
  private static func hasControls(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    var found: UInt64 = 0
    while place + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // The top bit of each byte that is below 0x20 (Hacker's Delight, 6-1): exact as a test for any.
      found |= (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      place += 8
    }
    return found != 0 || bytes[place...].contains { $0 < 0x20 }
  }

  /// The bytes of an id that is written with escapes (RFC 8259, section 7); `nil` if an escape is not valid.
  public static func unescaped(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C else {
        result.append(byte)
        continue
      }
      switch rest.popFirst() {
      case let same? where [0x22, 0x5C, 0x2F].contains(same): result.append(same)
      case 0x62: result.append(8)
      case 0x66: result.append(12)
      case 0x6E: result.append(10)
      case 0x72: result.append(13)
      case 0x74: result.append(9)
      case 0x75:
        guard let scalar = scalar(&rest) else { return nil }
        result.append(contentsOf: UTF8.encode(scalar)!)
      default: return nil
      }
    }
    return result
  }

  private static func scalar(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar? {
    guard let first = unit(&rest) else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard rest.popFirst() == 0x5C, rest.popFirst() == 0x75, let second = unit(&rest), (0xDC00..<0xE000).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private static func unit(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
