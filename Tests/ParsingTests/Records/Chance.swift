import Foundation
import Models
import Ports

/// Made-up records and conditions that come close to one another; the same seed makes the same ones.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A count from the environment, for runs longer than everyday ones.
  static func count(_ variable: String, otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? otherwise
  }

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

  private static let names = ["id", "a", "name", "na", "price", "price amount", "tags", "n/a", "q\"", "é", "b\\"]
  private static let texts = [
    "", "a", "name", "\"name\":", "{", "}[", "\\", "\\\"", "1", "1.0", "10", "2e0", "-3", "007", "é", "😀", "\n\u{1}",
    "tags\":[",
    "0.5", "true", "null", "A", "{\"a\":1}", "12345678901234567890", "longer than sixteen bytes",
  ]

  mutating func value(_ depth: Int) -> JSONValue {
    switch next(depth > 2 ? 6 : 9) {
    case 0: .null
    case 1: .bool(next(2) == 0)
    case 2: .number(pick(["0", "-1", "1", "1.0", "10", "1e1", "0.50", "12345678901234567890", "-0"]))
    case 3...5: .string(pick(Chance.texts))
    case 6: .array((0..<next(4)).map { _ in value(depth + 1) })
    default: .object(object(depth + 1))
    }
  }

  mutating func object(_ depth: Int) -> JSONObject {
    var object = JSONObject()
    for _ in 0..<next(6) { object[pick(Chance.names)] = value(depth) }
    return object
  }

  mutating func record() -> JSONObject {
    var record = JSONObject()
    record["id"] = .string(pick(Chance.texts))
    for _ in 0..<next(7) { record[pick(Chance.names)] = value(0) }
    return record
  }

  mutating func condition() -> RecordCondition {
    let field = next(4) == 0 ? "\(pick(Chance.names)).\(pick(Chance.names))" : pick(Chance.names)
    return RecordCondition(
      field: field, comparison: pick(RecordCondition.Comparison.allCases), value: pick(Chance.texts))
  }
}
