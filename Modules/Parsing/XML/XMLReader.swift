public import Models
public import Ports

/// A strict pull reader of XML 1.0 with namespaces, for the responses of WebDAV servers.
///
/// It reads UTF-8 and the five predefined entities. Document type declarations are refused, so that a response can neither
/// define entities nor refer to other files (RFC 4918 section 20.6). The limits bound memory and time: both are linear in
/// the size of the document.
///
/// ```swift
/// var reader = try XMLReader(bytes)
/// let root = try reader.root()
/// while let child = try reader.child() {
///   if child.name == XMLName("DAV:", "href") { print(try reader.text().string) } else { try reader.skip() }
/// }
/// try reader.end()
/// ```
///
/// A reader is at one open element. `child()` opens its next child, or closes it and returns `nil`. After `child()` has
/// returned an element, read it with `child()`, `text()` or `skip()` until it is closed.
public struct XMLReader: Sendable {
  public struct Limits: Hashable, Sendable {
    /// The size of a document in bytes.
    public var bytes = 64 << 20
    /// The number of elements that are inside one another.
    public var depth = 64
    /// The number of attributes of an element, including declarations of namespaces.
    public var attributes = 64
    /// The size of a name in bytes.
    public var name = 256
    /// The size of an attribute's value in bytes.
    public var value = 16 << 10

    /// The limits for responses of servers.
    public init() {}
  }

  enum Step {
    case child(XMLElement)
    case end
  }

  /// An open element, with what ends with it.
  struct Open {
    /// The name as written in the start tag.
    var tag: Range<Int>
    var name: XMLName
    /// The number of declared prefixes outside it.
    var prefixes: Int
  }

  let bytes: [UInt8]
  let limits: Limits
  var position = 0
  var open: [Open] = []
  /// The declared prefixes with their namespaces, the innermost last. The prefix of the default namespace is empty.
  var prefixes: [(prefix: ExactString, namespace: String)] = [("xml", XMLName.xml)]
  /// Whether the last start tag is that of an empty element, `<a/>`, which is still to be closed.
  var isEmptyElement = false

  /// Starts reading a document.
  ///
  /// - Throws: `ParsingError`: `limit` if the document is too large; `syntax` if it is not UTF-8; `foreign` if it is empty
  ///   or not XML.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(ParsingError) {
    self.bytes = bytes
    self.limits = limits
    guard bytes.count <= limits.bytes else {
      throw ParsingError(.limit, path: "/", expected: "at most \(limits.bytes) bytes", found: "\(bytes.count) bytes")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let start = bytes[position...].firstIndex { !Self.isSpace($0) }
    guard let start, bytes[start] == 0x3C else {
      let name = ForeignBody(bytes)?.name ?? "text that begins with another character"
      throw ParsingError(.foreign, path: "/", expected: "an XML document", found: name)
    }
    if let offset = Self.invalidUTF8(bytes) { throw fault(at: offset, "UTF-8") }
    try declaration()
  }

  /// Opens the root element.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public mutating func root() throws(ParsingError) -> XMLElement {
    try blank()
    guard position < bytes.count, bytes[position] == 0x3C, !starts("</") else {
      throw fault(at: position, "the root element")
    }
    return try startTag()
  }

  /// Opens the next child of the open element, and skips text before it; closes the element and returns `nil` if it has no
  /// further child.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public mutating func child() throws(ParsingError) -> XMLElement? {
    var unused: XMLText?
    switch try step(into: &unused) {
    case .child(let element): return element
    case .end: return nil
    }
  }

  /// The text of the open element, with references and CDATA sections resolved, without that of its children; closes the
  /// element.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public mutating func text() throws(ParsingError) -> XMLText {
    var text: XMLText? = XMLText()
    while case .child = try step(into: &text) { try skip() }
    return text ?? XMLText()
  }

  /// Skips the rest of the open element and closes it.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit`.
  public mutating func skip() throws(ParsingError) {
    let depth = open.count
    var unused: XMLText?
    while open.count >= depth, !open.isEmpty { _ = try step(into: &unused) }
  }

  /// Checks that nothing but comments follows the root element.
  ///
  /// - Throws: `ParsingError`: `syntax` or `truncated`.
  public mutating func end() throws(ParsingError) {
    while !open.isEmpty { try skip() }
    try blank()
    if position < bytes.count { throw fault(at: position, "the end of the document") }
  }

  /// Checks a whole document. O(bytes).
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated`, `limit` or `foreign`.
  public static func check(_ bytes: [UInt8], limits: Limits = Limits()) throws(ParsingError) {
    var reader = try XMLReader(bytes, limits: limits)
    _ = try reader.root()
    try reader.end()
  }

  /// The error of a value that is not as expected, at the current place.
  public func error(expected: String, found: String) -> ParsingError {
    error(.shape, at: position, expected, found)
  }
}

/// The expanded name of an element or an attribute (Namespaces in XML 1.0 section 2.1), compared by bytes.
public struct XMLName: Hashable, Sendable, CustomStringConvertible {
  /// The namespace; empty for a name without one.
  @ExactString public var namespace: String
  /// The name in its namespace.
  @ExactString public var local: String

  /// The namespace of `xml:lang` and `xml:space`.
  static let xml = "http://www.w3.org/XML/1998/namespace"

  public init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  public var description: String { namespace.isEmpty ? local : "{\(namespace)}\(local)" }
}

public struct XMLElement: Hashable, Sendable {
  public var name: XMLName
  /// The attributes without declarations of namespaces, in their order.
  public var attributes: [Attribute]

  public struct Attribute: Hashable, Sendable {
    /// The name. An attribute without a prefix has no namespace.
    public var name: XMLName
    public var value: String
  }

  /// The value of an attribute without a namespace.
  public func attribute(_ name: String) -> String? {
    attributes.first { $0.name == XMLName("", name) }?.value
  }
}

public struct XMLText: Hashable, Sendable {
  /// The text in UTF-8.
  public internal(set) var bytes: [UInt8] = []
  /// The offset in the document of the first character that XML 1.0 does not allow, such as a control character; `nil` if
  /// there is none. Some servers send them inside contact cards, so the reader reports them instead of refusing the whole
  /// response.
  public internal(set) var forbidden: Int?

  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The text without leading and trailing white space.
  public var trimmed: String { string.trimmed }
}
