import Models
import Parsing
import Ports

/// The reader and the writer: whatever is read can be written, and is read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // A copy of exactly that size lets the address sanitizer see a read too far.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(ParsingError) {
    let value = try JSONText.value(of: bytes)
    let written = JSONText.bytes(value)
    let again = try JSONText.value(of: written)
    precondition(again == value, "the text came back as another one")
    precondition(JSONText.bytes(again) == written, "the writer is not stable")
    _ = try JSONText.value(of: JSONText.pretty(value))
    try JSONDocument.read(bytes) { root in walk(root) }
  } catch {
    precondition(error.offset <= count && error.line >= 1 && error.column >= 1 && error.path.hasPrefix("$"))
  }
  return 0
}

/// Every node's place lies within the text, and its bytes are its value.
private func walk(_ node: JSONNode) {
  precondition(node.offset < node.endOffset)
  precondition((try? JSONText.value(of: node.rawText())) == node.value, "the bytes are not the value's")
  node.forEachElement { index, element in
    precondition(node[index]?.offset == element.offset)
    walk(element)
  }
  node.forEachMember { name, value in
    precondition(node.member(name.text)?.offset == value.offset)
    walk(value)
  }
}
