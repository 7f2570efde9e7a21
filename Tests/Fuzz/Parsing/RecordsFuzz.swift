import Models
import Parsing
import Ports

/// Stored records and the shapes of answers. A record that is read is written as one line that is read as the same; a
/// shape that is remembered is the same shape, and drifts in nothing from itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  #if RECORDS
    let coder = JSONRecordCoder()
    guard let record = try? coder.decode(bytes.span.bytes) else { return 0 }
    let line = coder.encode(record)
    precondition(!line.contains(0x0A) && !line.contains(0x0D), "a record of two lines")
    guard let again = try? coder.decode(line.span.bytes) else { preconditionFailure("a record that is none") }
    precondition(again == record && coder.encode(again) == line, "the record came back as another one")
  #else
    let reader = JSONShapeReader()
    let shape = reader.shape(of: [bytes])
    precondition(shape.fields.count <= 500)
    precondition(reader.drift(from: shape, to: shape).isEmpty, "a shape that differs from itself")
    // What is remembered says nothing else; a number of objects above ten is not told.
    let remembered = AnswerShape(remembered: shape.remembered)
    precondition(reader.drift(from: remembered, to: shape).isEmpty, "what is remembered differs")
    // Half of the text as a later answer, where it is one.
    let later = reader.shape(of: [bytes, Array(bytes.dropLast(count / 2))])
    for drift in reader.drift(from: shape, to: later) {
      precondition(drift.path.hasPrefix("$") && drift.before != drift.now)
    }
  #endif
  return 0
}
