#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Applies the change of a value to its record, and keeps what the value's type does not have.
enum RecordUpdate {
  private struct Member {
    /// The name without quotes and escapes.
    var key: [UInt8]
    var name: ByteSlice
    var value: ByteSlice
  }

  /// The record after the change.
  ///
  /// A member that is equal before and after the change stays as it is in the record. So does one that only the record
  /// has, at the end of its object.
  /// - Parameters:
  ///   - old: the value before the change, encoded.
  ///   - new: the value after the change, encoded.
  static func applied(to record: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    if old == new { return record }
    return record.withByteSlice { record in
      old.withByteSlice { old in new.withByteSlice { new in applied(to: record, from: old, to: new) } }
    }
  }

  private static func applied(to record: ByteSlice, from old: ByteSlice, to new: ByteSlice) -> [UInt8] {
    if old == new { return record.array }
    guard let stored = members(of: record), let before = members(of: old), let after = members(of: new) else {
      return new.array
    }
    var result: [UInt8] = [0x7B]
    func append(_ name: ByteSlice, _ value: [UInt8]) {
      if result.count > 1 { result.append(0x2C) }
      result += name.array + [0x3A] + value
    }
    for member in after {
      guard let kept = stored.first(where: { $0.key == member.key }),
        let known = before.first(where: { $0.key == member.key })
      else {
        append(member.name, member.value.array)
        continue
      }
      append(member.name, applied(to: kept.value, from: known.value, to: member.value))
    }
    for member in stored
    where !before.contains(where: { $0.key == member.key }) && !after.contains(where: { $0.key == member.key }) {
      append(member.name, member.value.array)
    }
    return result + [0x7D]
  }

  /// The members of an object in well-formed JSON; `nil` for any other value.
  private static func members(of json: ByteSlice) -> [Member]? {
    guard json.count >= 2, json.base[0] == 0x7B else { return nil }
    var members: [Member] = []
    var offset = 1
    func skipSpaces() { while offset < json.count, [0x20, 0x09].contains(json.base[offset]) { offset += 1 } }
    skipSpaces()
    while offset < json.count, json.base[offset] == 0x22 {
      let start = offset
      guard let nameEnd = ValueCoder.end(ofValueAt: start, in: json) else { return nil }
      offset = nameEnd
      skipSpaces()
      guard offset < json.count, json.base[offset] == 0x3A else { return nil }
      offset += 1
      skipSpaces()
      let value = offset
      guard let valueEnd = ValueCoder.end(ofValueAt: value, in: json), let key = unescaped(json[start..<nameEnd]) else {
        return nil
      }
      members.append(Member(key: key, name: json[start..<nameEnd], value: json[value..<valueEnd]))
      offset = valueEnd
      skipSpaces()
      if offset < json.count, json.base[offset] == 0x2C { offset += 1 }
      skipSpaces()
    }
    return members
  }

  private static func unescaped(_ name: ByteSlice) -> [UInt8]? {
    guard name.first(0x5C) != nil else { return name[1..<name.count - 1].array }
    let texts = try? JSONDecoder().decode([String].self, from: Data([0x5B] + name.array + [0x5D]))
    return texts.flatMap(\.first).map { Array($0.utf8) }
  }
}
