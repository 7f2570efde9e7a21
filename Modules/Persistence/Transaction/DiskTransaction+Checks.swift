import Models
import Ports

extension DiskTransaction {
  /// Refuses what is no collection's name.
  static func check(_ collection: CollectionName) throws(StoreError) {
    let isName = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    guard (1...64).contains(collection.rawValue.utf8.count), collection.rawValue.utf8.allSatisfy(isName) else {
      throw StoreError(
        .invalidRecord, "'\(collection)' is not a collection's name: 1 to 64 lower-case letters, digits and '-'")
    }
  }

  /// Refuses what is no id.
  static func check(_ id: Slice) throws(StoreError) {
    guard (1...1024).contains(id.count), !hasControls(id, andDelete: true) else {
      throw StoreError(.invalidRecord, "an id has 1 to 1024 bytes and no control characters")
    }
  }

  /// Refuses what is no record of this id: an object on one line that begins with it.
  static func check(_ record: Slice, id: Slice) throws(StoreError) -> RecordKey {
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
  private static func hasControls(_ slice: Slice, andDelete: Bool) -> Bool {
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
