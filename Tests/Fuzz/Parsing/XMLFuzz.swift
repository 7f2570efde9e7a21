import Models
import Parsing
import Ports

/// The XML reader and the writer: what is read can be written, and is read again as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(ParsingError) {
    let root = try tree(of: bytes)
    precondition(!String(decoding: bytes, as: UTF8.self).hasPrefix("<!DOCTYPE"), "a document type")
    let written = root.document
    let again = try tree(of: written)
    precondition(again.document == written, "the document came back as another one")
  } catch {
    precondition(
      error.offset <= count && error.line >= 1 && error.column >= 1 && error.path.utf8.first == UInt8(ascii: "/"))
  }
  return 0
}

/// The document without attributes, and with the text only of elements that have no children.
private func tree(of bytes: [UInt8]) throws(ParsingError) -> XMLNode {
  var reader = try XMLReader(bytes)
  let root = try reader.root()
  let node = try tree(of: root, &reader)
  try reader.end()
  return node
}

private func tree(of element: XMLElement, _ reader: inout XMLReader) throws(ParsingError) -> XMLNode {
  var copy = reader
  let text = try copy.text()
  var children: [XMLNode] = []
  while let child = try reader.child() { children.append(try tree(of: child, &reader)) }
  let name = element.name
  return children.isEmpty && !text.bytes.isEmpty
    ? XMLNode(name.namespace, name.local, text: text.string) : XMLNode(name.namespace, name.local, children)
}
