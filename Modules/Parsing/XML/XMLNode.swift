/// An element to write, for the bodies of WebDAV requests.
///
/// ```swift
/// let dav = "DAV:"
/// XMLNode(dav, "propfind", [XMLNode(dav, "prop", [XMLNode(dav, "getetag")])]).document
/// ```
public struct XMLNode: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case text(String)
    case elements([XMLNode])
  }

  public struct Attribute: Hashable, Sendable {
    /// The name. It is written as it is, so it must be a name of XML.
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name. It is written as it is, so it must be a name of XML.
  public var name: XMLName
  public var content: Content
  /// The attribute; `nil` for none.
  public var attribute: Attribute?

  public init(_ namespace: String, _ local: String, _ elements: [XMLNode] = [], _ attribute: Attribute? = nil) {
    name = XMLName(namespace, local)
    content = .elements(elements)
    self.attribute = attribute
  }

  public init(_ namespace: String, _ local: String, text: String, _ attribute: Attribute? = nil) {
    name = XMLName(namespace, local)
    content = .text(text)
    self.attribute = attribute
  }

  /// The document with this root, in UTF-8. The root declares the prefixes `a`, `b` and so on for all namespaces. No white
  /// space is added. Characters that XML 1.0 does not allow are written as U+FFFD. O(bytes).
  public var document: [UInt8] {
    var namespaces: [XMLName] = []
    collect(&namespaces)
    var bytes = Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8)
    bytes.append(0x0A)
    write(to: &bytes, namespaces, isRoot: true)
    return bytes
  }

  /// Adds the namespaces in use, each as a name without a local part.
  private func collect(_ namespaces: inout [XMLName]) {
    let namespace = XMLName(name.namespace, "")
    if !name.namespace.isEmpty, !namespaces.contains(namespace) { namespaces.append(namespace) }
    if case .elements(let elements) = content {
      for element in elements { element.collect(&namespaces) }
    }
  }

  private func write(to bytes: inout [UInt8], _ namespaces: [XMLName], isRoot: Bool = false) {
    let prefix = namespaces.firstIndex(of: XMLName(name.namespace, "")).map { Self.prefix($0) + ":" } ?? ""
    let tag = prefix + name.local
    bytes += "<\(tag)".utf8
    if isRoot {
      for (index, namespace) in namespaces.enumerated() {
        bytes += " xmlns:\(Self.prefix(index))=\"".utf8
        Self.escape(namespace.namespace, to: &bytes)
        bytes.append(0x22)
      }
    }
    if let attribute {
      bytes += " \(attribute.name)=\"".utf8
      Self.escape(attribute.value, to: &bytes)
      bytes.append(0x22)
    }
    switch content {
    case .elements(let elements) where elements.isEmpty:
      bytes += "/>".utf8
      return
    case .elements(let elements):
      bytes.append(0x3E)
      for element in elements { element.write(to: &bytes, namespaces) }
    case .text(let text):
      bytes.append(0x3E)
      Self.escape(text, to: &bytes)
    }
    bytes += "</\(tag)>".utf8
  }

  /// `a` to `z`, then `a1` and so on.
  private static func prefix(_ index: Int) -> String {
    let letter = String(Unicode.Scalar(UInt8(0x61 + index % 26)))
    return index < 26 ? letter : letter + String(index / 26)
  }

  /// Escapes markup, and white space that a reader would change.
  private static func escape(_ text: String, to bytes: inout [UInt8]) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": bytes += "&amp;".utf8
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "\"": bytes += "&quot;".utf8
      case "\t", "\n", "\r": bytes += "&#\(scalar.value);".utf8
      default:
        bytes += XMLReader.isAllowed(scalar) ? Array(String(scalar).utf8) : UTF8.encodedReplacementCharacter.map { $0 }
      }
    }
  }
}
