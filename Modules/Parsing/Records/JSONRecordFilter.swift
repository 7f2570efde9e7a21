import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Conditions over records as the store keeps them: whole JSON objects in which no name comes twice, as `RecordCoder`
/// reads and writes them.
///
/// The quick way rests on three facts about valid JSON. A quote without a backslash before it begins or ends a string,
/// never stands within one. So where `"name"` with its quotes is followed by a colon, it is a member's name, and no
/// text can imitate it. And where one bracket is open before it, the member is the record's own. Whatever does not
/// fit (names that may hide behind escapes, nested fields, lists, values with escapes) is scanned in full.
struct JSONRecordFilter: RecordFilter {
  let conditions: [FieldCondition]

  func matches(_ record: RawSpan) -> Bool {
    record.withUnsafeBytes { matches($0.assumingMemoryBound(to: UInt8.self)) }
  }

  private func matches(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = record.baseAddress, record.count >= 2, base[0] == 0x7B, base[record.count - 1] == 0x7D else {
      return scanned(record)
    }
    for condition in conditions {
      if condition.needsScan { return scanned(record) }
      switch value(condition.quotedName, base, record.count) {
      case .absent:
        if mayHideNames(base, record.count) { return scanned(record) }
        if !condition.isMetByAbsence { return false }
      case .at(let offset):
        guard let isMet = isMet(condition, base, offset, record.count) else { return scanned(record) }
        if !isMet { return false }
      }
    }
    return true
  }

  /// The whole record, token by token.
  private func scanned(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
    do throws(ParsingError) {
      return try JSONDocument.read(record) { node in
        node.isObject && conditions.allSatisfy { $0.isMet(by: node) }
      }
    } catch {
      return false
    }
  }

  /// Whether a name could be written with escapes that it does not need: `\u0069d`, `a\/b`.
  private func mayHideNames(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var i = 0
    while let found = memchr(base + i, 0x5C, count - i) {
      let offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      guard offset + 1 < count else { return true }
      if base[offset + 1] == 0x75 || base[offset + 1] == 0x2F { return true }
      i = offset + 2
    }
    return false
  }

  private enum Place {
    case absent
    case at(Int)
  }

  /// Where the value of the record's own member stands.
  @inline(__always)
  private func value(_ quotedName: ByteSearch, _ base: UnsafePointer<UInt8>, _ count: Int) -> Place {
    var from = 1
    while true {
      let start = quotedName.find(in: base, from: from, to: count)
      guard start >= 0 else { return .absent }
      from = start &+ quotedName.count
      guard base[start &- 1] != 0x5C else { continue }
      let colon = JSONLexer.skipSpace(base, from, count)
      guard colon < count, base[colon] == 0x3A else { continue }
      let isNested =
        (memchr(base + 1, 0x7B, start - 1) != nil || memchr(base + 1, 0x5B, start - 1) != nil)
        && BracketDepth.open(in: base, at: start, of: count) != 1
      if !isNested { return .at(JSONLexer.skipSpace(base, colon &+ 1, count)) }
    }
  }

  /// Whether the value at `offset` meets the condition; `nil` where it is a list or an object.
  private func isMet(
    _ condition: FieldCondition, _ base: UnsafePointer<UInt8>, _ offset: Int, _ count: Int
  ) -> Bool? {
    switch base[offset] {
    case 0x22: return isMet(condition, base, stringAt: offset, count)
    case 0x7B, 0x5B: return nil
    case 0x6E: return condition.isMetByAbsence
    default:
      var end = offset
      while end < count, base[end] != 0x2C, base[end] != 0x7D, base[end] > 0x20 { end += 1 }
      return condition.isMet(byText: UnsafeBufferPointer(start: base + offset, count: end - offset))
    }
  }

  private func isMet(
    _ condition: FieldCondition, _ base: UnsafePointer<UInt8>, stringAt offset: Int, _ count: Int
  ) -> Bool? {
    let start = offset + 1
    guard let quote = memchr(base + start, 0x22, count - start) else { return nil }
    let end = UnsafeRawPointer(quote) - UnsafeRawPointer(base)
    // With a backslash in it, the quote may be part of the text.
    if memchr(base + start, 0x5C, end - start) != nil { return nil }
    return condition.isMet(byText: UnsafeBufferPointer(start: base + start, count: end - start))
  }
}
