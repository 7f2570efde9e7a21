import Foundation
import Models
import Ports

/// What a condition means, said over a tree and without haste.
enum FilterOracle {
  static func isMet(_ condition: RecordCondition, _ record: JSONObject) -> Bool {
    var value: JSONValue? = .object(record)
    for name in condition.field.split(separator: ".") { value = value?.object?[String(name)] }
    return isMet(condition, value ?? .null)
  }

  private static func isMet(_ condition: RecordCondition, _ value: JSONValue) -> Bool {
    switch value {
    case .null, .object: return condition.comparison == .notEqual
    case .array(let values):
      return condition.comparison == .notEqual
        ? values.allSatisfy { isMet(condition, $0) } : values.contains { isMet(condition, $0) }
    case .bool(let truth): return isMet(condition, text: truth ? "true" : "false")
    case .number(let digits): return isMet(condition, text: digits)
    case .string(let text): return isMet(condition, text: text)
    }
  }

  private static func isMet(_ condition: RecordCondition, text: String) -> Bool {
    if condition.comparison == .contains {
      return lowered(text).contains(lowered(condition.value)) || condition.value.isEmpty
    }
    let order: Int
    if let one = number(text), let other = number(condition.value) {
      order = one < other ? -1 : one > other ? 1 : 0
    } else {
      let (one, other) = (Array(text.utf8), Array(condition.value.utf8))
      order = one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }
    return switch condition.comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains: false
    }
  }

  private static func number(_ text: String) -> Decimal? {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
    return Decimal(string: text)
  }

  private static func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }
}
