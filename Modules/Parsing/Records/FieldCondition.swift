import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One condition, prepared for many evaluations.
final class FieldCondition: Sendable {
  let names: [String]
  /// Searches for the first name with its quotes.
  let quotedName: ByteSearch
  /// Whether only a full scan finds the field: it is nested, or its name needs escapes.
  let needsScan: Bool
  let comparison: RecordCondition.Comparison
  private let value: [UInt8]
  private let folded: [UInt8]
  private let number: DecimalText?

  init(_ condition: RecordCondition) {
    names = condition.field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    quotedName = ByteSearch(Array("\"\(names[0])\"".utf8))
    needsScan = names.count > 1 || names[0].utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    comparison = condition.comparison
    value = Array(condition.value.utf8)
    folded = value.map(FieldCondition.lowered)
    number = comparison == .contains ? nil : DecimalText(condition.value)
  }

  /// Whether an absent or null field meets the condition.
  var isMetByAbsence: Bool { comparison == .notEqual }

  /// Whether the field of a scanned record meets the condition.
  func isMet(by record: JSONNode) -> Bool {
    var node = record
    for name in names {
      guard let next = node.member(name) else { return isMetByAbsence }
      node = next
    }
    return isMet(byValue: node)
  }

  /// Whether a value meets the condition. An array does where one of its elements does; it meets `!=` where no element is
  /// equal.
  func isMet(byValue node: JSONNode) -> Bool {
    switch node.kind {
    case .null, .object: return isMetByAbsence
    case .array:
      var isAnyMet = false
      var areAllMet = true
      node.forEachElement { _, element in
        let isMet = isMet(byValue: element)
        isAnyMet = isAnyMet || isMet
        areAllMet = areAllMet && isMet
      }
      return comparison == .notEqual ? areAllMet : isAnyMet
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
    if comparison == .contains { return contains(text) }
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
    case .contains: false
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
    guard let first = folded.first else { return true }
    guard text.count >= folded.count else { return false }
    var i = 0
    let last = text.count - folded.count
    while i <= last {
      if FieldCondition.lowered(text[i]) == first {
        var k = 1
        while k < folded.count, FieldCondition.lowered(text[i + k]) == folded[k] { k += 1 }
        if k == folded.count { return true }
      }
      i += 1
    }
    return false
  }

  @inline(__always)
  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
