import Models
import Ports

extension XMLReader {
  /// A document as a JSON value: an object with the root element as its member.
  ///
  /// An element is an object of its attributes, with `@` before their names, of its children, and of its text, `#text`.
  /// Children of the same name are a list. An element that has only text is a text. Names are as written, with their
  /// prefix. O(bytes).
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated`, `limit` or `foreign`.
  static func value(of bytes: [UInt8]) throws(ParsingError) -> JSONValue {
    var reader = try XMLReader(bytes)
    let root = try reader.root()
    let name = reader.tag
    let value = try reader.value(of: root)
    try reader.end()
    return .object(JSONObject(members: [.init(key: name, value: value)]))
  }

  /// The name of the open element as written.
  private var tag: String { open.last.map { String(decoding: bytes[$0.tag], as: UTF8.self) } ?? "" }

  private mutating func value(of element: XMLElement) throws(ParsingError) -> JSONValue {
    var text: XMLText? = XMLText()
    var names: [String] = []
    var children: [ExactString: [JSONValue]] = [:]
    while case .child(let child) = try step(into: &text) {
      let name = tag
      if children[name.exact] == nil { names.append(name) }
      children[name.exact, default: []].append(try value(of: child))
    }
    let content = text?.trimmed ?? ""
    if names.isEmpty, element.attributes.isEmpty { return .string(content) }
    var members = element.attributes.map { JSONObject.Member(key: "@\($0.name.local)", value: .string($0.value)) }
    for name in names {
      let values = children[name.exact] ?? []
      members.append(.init(key: name, value: values.count == 1 ? values[0] : .array(values)))
    }
    if !content.isEmpty { members.append(.init(key: "#text", value: .string(content))) }
    return .object(JSONObject(members: members))
  }
}
