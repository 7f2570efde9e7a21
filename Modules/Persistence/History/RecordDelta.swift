import Models

/// Writes what a record was before a change, as the difference from what it became, and undoes it.
///
/// ```
/// {"commit":7004,"added":true}
/// {"commit":8120,"was":{"lastName":"Sandoval"},"new":["note"],"after":{"phones":"emails"}}
/// {"commit":8121,"record":{"id":"a",…}}
/// ```
/// `was` has top-level members as they were, `new` those that did not exist, `after` the members that removed ones
/// followed. What these cannot reproduce byte by byte is a whole `record`, or `text` where it is no JSON. `day` tells that
/// only daily fields changed, on that day since 1970.
struct RecordDelta {
  struct Member {
    /// The name with its quotes.
    var name: ByteSlice
    var value: ByteSlice
    var whole: ByteSlice { ByteSlice(base: name.base, count: value.base + value.count - name.base) }
  }

  private var old: [Member] = []
  private var new: [Member] = []

  /// Appends a change. `before` is `nil` for a record that was added, `after` for one that was removed.
  mutating func append(
    _ commit: UInt64, day: Int? = nil, _ before: ByteSlice?, _ after: ByteSlice?, to out: inout ByteBuffer
  ) {
    out.append("{\"commit\":")
    out.append(utf8: String(commit))
    if let day {
      out.append(",\"day\":")
      out.append(utf8: String(day))
    }
    guard let before else { return out.append(",\"added\":true}") }
    if let after, appendDifference(before, after, to: &out) { return }
    if Self.isBalanced(before) {
      out.append(",\"record\":")
      out.append(before)
      out.append(0x7D)
    } else {
      out.append(",\"text\":\"")
      out.append(escaped: before)
      out.append("\"}")
    }
  }

  /// Appends the members that differ; false, and nothing, where they do not tell all.
  private mutating func appendDifference(_ before: ByteSlice, _ after: ByteSlice, to out: inout ByteBuffer) -> Bool {
    guard Self.members(of: before, &old), Self.members(of: after, &new) else { return false }
    let start = out.count
    func appendList(_ opening: StaticString, _ isFirst: inout Bool) {
      if isFirst { out.append(opening) } else { out.append(0x2C) }
      isFirst = false
    }
    var isFirst = true
    if old.count == new.count, zip(old, new).allSatisfy({ $0.name == $1.name }) {
      for (index, member) in old.enumerated() where !(member.value == new[index].value) {
        // Of members with one name, the first would be restored.
        if old.count(where: { $0.name == member.name }) > 1 {
          out.truncate(to: start)
          return false
        }
        appendList(",\"was\":{", &isFirst)
        out.append(member.whole)
      }
      out.append("}}")
      return true
    }
    for member in old where !new.contains(where: { $0.name == member.name && $0.value == member.value }) {
      appendList(",\"was\":{", &isFirst)
      out.append(member.whole)
    }
    if !isFirst { out.append(0x7D) }
    isFirst = true
    for member in new where !old.contains(where: { $0.name == member.name }) {
      appendList(",\"new\":[", &isFirst)
      out.append(member.name)
    }
    if !isFirst { out.append(0x5D) }
    isFirst = true
    for index in old.indices.dropFirst().dropLast() where !new.contains(where: { $0.name == old[index].name }) {
      appendList(",\"after\":{", &isFirst)
      out.append(old[index].name)
      out.append(0x3A)
      out.append(old[index - 1].name)
    }
    if !isFirst { out.append(0x7D) }
    out.append(0x7D)
    // Closed as a change of its own, it must give the record again.
    var change = ByteBuffer(capacity: out.count - start + 16)
    change.append("{\"commit\":0")
    change.append(out.slice[start..<out.count])
    var made: [UInt8]? = after.array
    if Self.undo(change.slice, on: &made), let made, made.withByteSlice({ $0 == before }) { return true }
    out.truncate(to: start)
    return false
  }

  /// Replaces a record with what it was before a change; false where the change is not understood.
  static func undo(_ change: ByteSlice, on record: inout [UInt8]?) -> Bool {
    var parts: [Member] = []
    guard members(of: change, &parts) else { return false }
    var (was, places): ([Member], [Member]) = ([], [])
    var fresh: ByteSlice?
    for part in parts.dropFirst() {
      switch part.name.text {
      case "\"added\"":
        record = nil
        return true
      case "\"record\"":
        record = part.value.array
        return true
      case "\"text\"":
        record = RecordRule.unescaped(part.value[1..<part.value.count - 1].raw)
        return true
      case "\"was\"": guard members(of: part.value, &was) else { return false }
      case "\"new\"": fresh = part.value
      case "\"after\"": guard members(of: part.value, &places) else { return false }
      default: break
      }
    }
    guard let present = record else { return false }
    var result: [UInt8] = [0x7B]
    result.reserveCapacity(present.count + change.count)
    var isUsed = was.map { _ in false }
    func append(_ member: ByteSlice) {
      if result.count > 1 { result.append(0x2C) }
      result.append(contentsOf: member.raw)
    }
    func follow(_ name: ByteSlice) {
      for place in places where place.value == name {
        guard let index = was.firstIndex(where: { $0.name == place.name }), !isUsed[index] else { continue }
        isUsed[index] = true
        append(was[index].whole)
        follow(place.name)
      }
    }
    let isWhole = present.withByteSlice { present in
      var kept: [Member] = []
      guard members(of: present, &kept) else { return false }
      for member in kept where !(fresh.map { isListed(member.name, in: $0) } ?? false) {
        if let index = was.firstIndex(where: { $0.name == member.name }) {
          isUsed[index] = true
          append(was[index].whole)
        } else {
          append(member.whole)
        }
        if !places.isEmpty { follow(member.name) }
      }
      return true
    }
    for (index, member) in was.enumerated() where !isUsed[index] { append(member.whole) }
    record = result + [0x7D]
    return isWhole
  }

  private static func isListed(_ name: ByteSlice, in list: ByteSlice) -> Bool {
    var offset = 1
    while offset < list.count - 1 {
      let end = self.end(ofStringAt: offset, in: list)
      if list[offset..<end] == name { return true }
      offset = end + 1
    }
    return false
  }
}

extension RecordDelta {
  /// Finds the top-level members of a compact object; false for other bytes.
  static func members(of json: ByteSlice, _ members: inout [Member]) -> Bool {
    members.removeAll(keepingCapacity: true)
    guard json.count >= 2, json.base[0] == 0x7B, json.base[json.count - 1] == 0x7D else { return false }
    let last = json.count - 1
    var offset = 1
    while offset < last {
      guard json.base[offset] == 0x22 else { return false }
      let value = end(ofStringAt: offset, in: json) + 1
      guard value <= last, json.base[value - 1] == 0x3A,
        let end = end(ofValueAt: value, in: json[0..<last])
      else { return false }
      members.append(Member(name: json[offset..<value - 1], value: json[value..<end]))
      offset = end + 1
      // A comma with nothing after it would be lost.
      if offset == last { return false }
    }
    return true
  }

  /// Whether brackets and quotes are closed, so that the bytes can be a value in a line.
  private static func isBalanced(_ json: ByteSlice) -> Bool { end(ofValueAt: 0, in: json) == json.count }

  /// The comma or the end after a value; `nil` where brackets or quotes are not closed.
  @inline(__always)
  fileprivate static func end(ofValueAt start: Int, in json: ByteSlice) -> Int? {
    var (offset, depth) = (start, 0)
    while offset < json.count {
      switch json.base[offset] {
      case 0x22:
        offset = end(ofStringAt: offset, in: json)
        if offset > json.count { return nil }
        continue
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth < 0 { return nil }
      case 0x2C where depth == 0: return offset
      default: break
      }
      offset += 1
    }
    return depth == 0 ? offset : nil
  }

  /// Where a string ends, with its quote; beyond the bytes if it is not closed.
  @inline(__always)
  static func end(ofStringAt start: Int, in json: ByteSlice) -> Int {
    var offset = start + 1
    while offset < json.count {
      // Eight bytes without a quote and a backslash are passed at once.
      if offset + 8 <= json.count {
        let word = UnsafeRawPointer(json.base + offset).loadUnaligned(as: UInt64.self).littleEndian
        let found = zeros(in: word ^ 0x2222_2222_2222_2222) | zeros(in: word ^ 0x5C5C_5C5C_5C5C_5C5C)
        offset += found.trailingZeroBitCount / 8
        if found == 0 { continue }
      }
      if json.base[offset] == 0x22 { break }
      offset += json.base[offset] == 0x5C ? 2 : 1
    }
    return offset + 1
  }

  /// The highest bit of each byte that is zero, up to the first one.
  @inline(__always)
  private static func zeros(in word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The record without some top-level members; as it is where it is not a compact object.
  static func without(_ names: [[UInt8]], _ record: [UInt8]) -> [UInt8] {
    record.withByteSlice { record in
      var all: [Member] = []
      guard members(of: record, &all) else { return record.array }
      let kept = all.filter { member in !names.contains { $0.withByteSlice { $0 == member.name } } }
      return kept.count == all.count
        ? record.array : [0x7B] + kept.map { $0.whole.array }.joined(separator: [0x2C]) + [0x7D]
    }
  }
}

struct LineChange {
  var commit: UInt64
  /// The day since 1970 on which only daily fields changed.
  var day: Int?
  /// `{"commit":…}`
  var whole: ByteSlice

  static let opening: StaticString = "\",\"changes\":["
  static let openingCount = opening.utf8CodeUnitCount

  /// The changes of a line, oldest first; `nil` where it is not understood.
  static func all(in line: ByteSlice) -> [LineChange]? {
    guard let key = RecordKey(of: line) else { return nil }
    var offset = key.text.base - line.base + key.text.count
    guard line[offset..<line.count].starts(with: ByteSlice(opening)) else { return nil }
    offset += openingCount
    var changes: [LineChange] = []
    while offset < line.count - 2 {
      guard let end = RecordDelta.end(ofValueAt: offset, in: line[0..<line.count - 2]),
        let change = LineChange(line[offset..<end])
      else { return nil }
      changes.append(change)
      offset = end + 1
    }
    return line[offset - 1..<line.count] == ByteSlice("]}") ? changes : nil
  }

  private init?(_ change: ByteSlice) {
    guard change.starts(with: ByteSlice("{\"commit\":")) else { return nil }
    var offset = 10
    commit = UInt64(change.decimal(at: &offset))
    whole = change
    if change[offset..<change.count].starts(with: ByteSlice(",\"day\":")) {
      offset += 7
      day = change.decimal(at: &offset)
    }
  }
}

extension ByteSlice {
  func decimal(at offset: inout Int) -> Int {
    var number = 0
    while offset < count, case 0x30...0x39 = base[offset] {
      number = number &* 10 &+ Int(base[offset] - 0x30)
      offset += 1
    }
    return number
  }
}
