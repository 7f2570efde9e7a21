import Models
import Ports

extension DiskTransaction {
  /// Throws unless this is a valid name of a collection.
  static func check(_ collection: CollectionName) throws(StoreError) {
    let isName = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    guard (1...64).contains(collection.rawValue.utf8.count), collection.rawValue.utf8.allSatisfy(isName) else {
      throw StoreError(
        .invalidRecord, "'\(collection)' is not a valid name of a collection: use 1 to 64 of a-z, 0-9 and '-'")
    }
  }

  /// Throws unless this is a valid id.
  static func check(_ id: ByteSlice) throws(StoreError) {
    guard (1...1024).contains(id.count), !hasControls(id, andDelete: true) else {
      let found =
        switch id.count {
        case 0: "this one is empty"
        case 1025...: "this one has \(id.count): '\(String(decoding: id[0..<32].raw, as: UTF8.self))…'"
        default: "this one has some: \(String(reflecting: String(decoding: id.raw, as: UTF8.self)))"
        }
      throw StoreError(.invalidRecord, "an id has 1 to 1024 bytes and no control characters; \(found)")
    }
  }

  /// Throws unless this is a record of this id: a JSON object on one line that begins with the id.
  static func check(_ record: ByteSlice, id: ByteSlice) throws(StoreError) -> RecordKey {
    guard record.count <= 1 << 28 else { throw StoreError(.invalidRecord, "a record is longer than 256 MiB") }
    guard let key = RecordKey(of: record), record.base[record.count - 1] == 0x7D,
      !hasControls(record, andDelete: false)
    else { throw StoreError(.invalidRecord, "a record is a JSON object on one line that begins with its id") }
    let isSame = key.isEscaped ? key.unescaped().map { $0.elementsEqual(id.raw) } ?? false : key.text == id
    guard isSame else {
      throw StoreError(.invalidRecord, "the record's id is not '\(String(decoding: id.raw, as: UTF8.self))'")
    }
    return key
  }

  /// Whether there is a byte below 0x20; eight at a time.
  private static func hasControls(_ slice: ByteSlice, andDelete: Bool) -> Bool {
    let raw = UnsafeRawPointer(slice.base)
    var place = 0
    var found: UInt64 = 0
    while place + 8 <= slice.count {
      let word = (raw + place).loadUnaligned(as: UInt64.self)
      // The top bit of each byte that is below 0x20 (Hacker's Delight, 6-1): exact as a test for any.
      found |= (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
      place += 8
    }
    if found != 0 { return true }
    while place < slice.count {
      if slice.base[place] < 0x20 { return true }
      place += 1
    }
    return andDelete && slice.first(0x7F) != nil
  }
}
