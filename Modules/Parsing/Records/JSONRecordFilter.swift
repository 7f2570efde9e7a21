import CLibrary
import Models
public import Ports

/// Evaluates conditions on stored records: valid JSON objects without repeated names, as `RecordCoder` writes them.
///
/// The fast path relies on properties of valid JSON. A quote that is not escaped begins or ends a string and is never
/// inside one. So `"name"` followed by a colon is always the name of a member. Where exactly one bracket is open before it,
/// it is a member of the record itself. Records that need more (escaped names, nested fields, arrays, escaped values) are
/// scanned in full.
struct JSONRecordFilter: RecordFilter {
  let conditions: [FieldCondition]
  /// Conditions that one of the texts must contain a word, one for each word.
  let words: [FieldCondition]

  func matches(_ record: RawSpan) -> Bool {
    record.withUnsafeBytes { bytes in
      let text = bytes.assumingMemoryBound(to: UInt8.self)
      return matches(text) && (words.isEmpty || containsWords(text))
    }
  }

  private func containsWords(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without escapes, a word that is not among the bytes is not in a text either.
    guard let base = record.baseAddress else { return false }
    if memchr(base, 0x5C, record.count) == nil, !words.allSatisfy({ $0.isMet(byText: record) }) { return false }
    do throws(ParsingError) {
      return try JSONDocument.read(record) { node in words.allSatisfy { Self.isIn(node, $0) } }
    } catch {
      return false
    }
  }

  /// Whether the value is a text that contains the word, or holds one.
  private static func isIn(_ node: JSONNode, _ word: FieldCondition) -> Bool {
    var isFound = false
    switch node.kind {
    case .string: isFound = word.isMet(byValue: node)
    case .array: node.forEachElement { _, element in isFound = isFound || isIn(element, word) }
    case .object: node.forEachMember { _, value in isFound = isFound || isIn(value, word) }
    case .null, .boolean, .number: break
    }
    return isFound
  }

  private func matches(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = record.baseAddress, record.count >= 2, base[0] == 0x7B, base[record.count - 1] == 0x7D else {
      return scanned(record)
    }
    for condition in conditions {
      if condition.needsScan {
        // Most records do not have the first name of a path.
        guard condition.needsName, condition.quotedName.find(in: base, from: 1, to: record.count) < 0,
          !mayHideNames(base, record.count)
        else { return scanned(record) }
        return false
      }
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

  /// The offset of the value of a member of the record itself.
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

  /// Whether the value at `offset` meets the condition; `nil` for an array or an object.
  private func isMet(_ condition: FieldCondition, _ base: UnsafePointer<UInt8>, _ offset: Int, _ count: Int) -> Bool? {
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
    // In a string with a backslash, the quote may be escaped.
    if memchr(base + start, 0x5C, end - start) != nil { return nil }
    return condition.isMet(byText: UnsafeBufferPointer(start: base + start, count: end - start))
  }
}

/// Compiles conditions into filters that search a stored record for the bytes of a field without reading the rest.
///
/// - Numbers, and strings in the form of numbers (amounts, ids), compare as numbers where the condition's value is a number
///   too, exactly and with any number of digits. Everything else compares by UTF-8 bytes.
/// - A field that is absent or null meets `!=` and `absent` only, an object `!=` and `present` only.
/// - An array meets a condition where one of its elements does, and `!=` where no element is equal. Without elements it
///   counts as absent. An object in it is compared by each of its members: `emails ~ example.org`. A path may lead through
///   the elements: `emails.type = work`.
public struct JSONRecordFilterCompiler: RecordFilterCompiler {
  public init() {}

  public func filter(_ conditions: [RecordCondition], words: [String]) -> any RecordFilter {
    JSONRecordFilter(
      conditions: conditions.map { FieldCondition($0, ignoresAccents: true) },
      words: words.map { FieldCondition(RecordCondition(field: "", comparison: .contains, value: $0)) })
  }
}

final class FieldCondition: Sendable {
  let names: [String]
  let quotedName: ByteSearch
  /// Whether only a full scan finds the field: it is nested, or its name needs escapes.
  let needsScan: Bool
  /// Whether only records with the first name of the path, written without escapes, meet the condition.
  let needsName: Bool
  let comparison: RecordCondition.Comparison
  private let value: [UInt8]
  private let folded: [UInt8]
  /// The value in lowercase, if it has letters beyond ASCII, whose case and composition are compared as Unicode does.
  private let foldedText: String?
  /// Whether letters are compared without their accents.
  private let ignoresAccents: Bool
  private let number: DecimalText?

  init(_ condition: RecordCondition, ignoresAccents: Bool = false) {
    self.ignoresAccents = ignoresAccents && condition.comparison == .contains
    let text = self.ignoresAccents ? FoldedText.folded(condition.value) : condition.value
    names = condition.field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    quotedName = ByteSearch(Array("\"\(names[0])\"".utf8))
    let needsEscapes = names[0].utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    needsScan = names.count > 1 || needsEscapes
    comparison = condition.comparison
    needsName = !needsEscapes && comparison != .notEqual && comparison != .absent
    value = Array(text.utf8)
    folded = value.map(FieldCondition.lowered)
    foldedText = value.contains { $0 >= 0x80 } ? text.lowercased() : nil
    number = comparison == .contains ? nil : DecimalText(condition.value)
  }

  /// Whether an absent or null field meets the condition.
  var isMetByAbsence: Bool { comparison == .notEqual || comparison == .absent }

  /// Whether an object meets the condition. An object cannot be compared, but it is a value.
  private var isMetByObject: Bool { comparison == .notEqual || comparison == .present }

  func isMet(by record: JSONNode) -> Bool { isMet(by: record, names[...]) }

  private func isMet(by node: JSONNode, _ path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return isMet(byValue: node) }
    if node.kind == .array { return isMet(byPartsOf: node) { isMet(by: $0, path) } }
    return node.member(name).map { isMet(by: $0, path.dropFirst()) } ?? isMetByAbsence
  }

  /// Whether one of the elements of an array, or of the members of an object, meets the condition; where the condition
  /// denies, whether all do.
  private func isMet(byPartsOf node: JSONNode, _ isMet: (JSONNode) -> Bool) -> Bool {
    var (isAnyMet, areAllMet) = (false, true)
    func take(_ part: JSONNode) {
      let isMet = isMet(part)
      isAnyMet = isAnyMet || isMet
      areAllMet = areAllMet && isMet
    }
    if node.kind == .array { node.forEachElement { take($1) } } else { node.forEachMember { take($1) } }
    return isMetByAbsence ? areAllMet : isAnyMet
  }

  /// Whether an object in an array meets the condition: a member does.
  private func isMet(byMembersOf node: JSONNode) -> Bool {
    let asksForValue = comparison == .present || comparison == .absent
    return asksForValue || !node.isObject ? isMet(byValue: node) : isMet(byPartsOf: node, isMet(byValue:))
  }

  /// Whether a value meets the condition. An array does where one of its elements does; it meets `!=` where no element is
  /// equal, and counts as absent where it has no elements.
  func isMet(byValue node: JSONNode) -> Bool {
    switch node.kind {
    case .null: return isMetByAbsence
    case .object: return isMetByObject
    case .array:
      return isMet(byPartsOf: node, isMet(byMembersOf:))
    case .string:
      guard node.word & JSONWord.escaped != 0 else {
        return isMet(byText: UnsafeBufferPointer(rebasing: node.raw.dropFirst().dropLast()))
      }
      return JSONString.unescaped(node.word, node.base).withUnsafeBufferPointer { isMet(byText: $0) }
    case .number, .boolean: return isMet(byText: node.raw)
    }
  }

  /// Whether the content of a string, or a number or Boolean as written, meets the condition.
  func isMet(byText text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch comparison {
    case .contains: return contains(text)
    case .present: return true
    case .absent: return false
    default: break
    }
    let order: Int
    if let number, let other = DecimalText(text) {
      order = DecimalText.compare(other, number)
    } else {
      order = FieldCondition.order(text, value)
    }
    return switch comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains, .present, .absent: false
    }
  }

  /// Orders by UTF-8 bytes, which is the order of Unicode scalars.
  private static func order(_ text: UnsafeBufferPointer<UInt8>, _ value: [UInt8]) -> Int {
    let common = min(text.count, value.count)
    if common > 0, let base = text.baseAddress {
      let order = memcmp(base, value, common)
      if order != 0 { return Int(order) }
    }
    return text.count - value.count
  }

  private func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if ignoresAccents, let plain = FoldedText.folded(UnsafeRawBufferPointer(text)) {
      return plain.withUnsafeBufferPointer(containsAsWritten)
    }
    return containsAsWritten(text)
  }

  private func containsAsWritten(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if let foldedText {
      // Most records are ASCII, and cannot contain it.
      return text.contains { $0 >= 0x80 } && String(decoding: text, as: UTF8.self).lowercased().contains(foldedText)
    }
    guard let first = folded.first, let base = UnsafeRawPointer(text.baseAddress) else { return folded.isEmpty }
    let length = folded.count - 1
    let last = text.count - folded.count
    let eachFirst = 0x0101_0101_0101_0101 &* UInt64(first | 0x20)
    let eachLast = 0x0101_0101_0101_0101 &* UInt64(folded[length] | 0x20)
    var i = 0
    while i <= last {
      if i + length + 8 <= text.count {
        // Eight places at a time, up to one where the first and the last byte may be, each in either case (Mycroft's test for
        // a zero byte).
        let firsts = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: i, as: UInt64.self))
        let lasts = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: i + length, as: UInt64.self))
        let difference =
          ((firsts | 0x2020_2020_2020_2020) ^ eachFirst) | ((lasts | 0x2020_2020_2020_2020) ^ eachLast)
        let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
        guard zeros != 0 else {
          i += 8
          continue
        }
        i += zeros.trailingZeroBitCount >> 3
        guard i <= last else { return false }
      }
      var k = 0
      while k < folded.count, FieldCondition.lowered(text[i + k]) == folded[k] { k += 1 }
      if k == folded.count { return true }
      i += 1
    }
    return false
  }

  @inline(__always)
  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
