import Models
import Parsing
import Ports

/// The quick look at a record's bytes agrees with a look at its tree. The first byte chooses the condition.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let names = ["id", "a", "name", "n/a", "tags", "é", "a.id", "q\""]
  let field = names[Int(start[0] & 7)]
  let comparisons = RecordCondition.Comparison.allCases
  let comparison = comparisons[Int(start[0] >> 3) % comparisons.count]
  let condition = RecordCondition(field: field, comparison: comparison, value: start[0] & 0x80 == 0 ? "1" : "a")
  let filter = JSONRecordFilterCompiler().filter([condition])
  guard let record = try? JSONRecordCoder().decode(bytes.span.bytes) else {
    _ = filter.matches(bytes.span.bytes)
    return 0
  }
  // Stored records are as the coder writes them; and a tree has the field or not.
  let stored = JSONRecordCoder().encode(record)
  var value: JSONValue? = .object(record)
  for name in field.split(separator: ".") { value = value?.object?[String(name)] }
  switch value {
  case nil, .null?:
    precondition(filter.matches(stored.span.bytes) == [.notEqual, .absent].contains(comparison))
  case .object?:
    precondition(filter.matches(stored.span.bytes) == [.notEqual, .present].contains(comparison))
  case .string(let text)? where comparison == .equal && start[0] & 0x80 != 0:
    precondition(filter.matches(stored.span.bytes) == (text == "a"))
  default: _ = filter.matches(stored.span.bytes)
  }
  return 0
}
