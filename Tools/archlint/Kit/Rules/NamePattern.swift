/// A name or a path with `*` (anything but `/`), `**` (anything) and `?`.
package struct NamePattern: Sendable, Hashable {
  package let text: String
  private let bytes: [UInt8]

  package init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  package var isExact: Bool { !bytes.contains(UInt8(ascii: "*")) && !bytes.contains(UInt8(ascii: "?")) }
  package var isPath: Bool { bytes.contains(UInt8(ascii: "/")) }

  package func matches(_ name: String) -> Bool {
    if isExact { return name == text }
    return Self.matches(bytes[...], Array(name.utf8)[...])
  }

  /// A folder's pattern (`Templates/`) matches everything in it.
  package func matches(path: String) -> Bool {
    text.hasSuffix("/") ? NamePattern(text + "**").matches(path) : matches(path)
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if first == UInt8(ascii: "*") {
      let isDeep = rest.first == UInt8(ascii: "*")
      let tail = isDeep ? rest.dropFirst() : rest
      var name = name
      while true {
        if matches(tail, name) { return true }
        guard let byte = name.first, isDeep || byte != UInt8(ascii: "/") else { return false }
        name = name.dropFirst()
      }
    }
    guard let byte = name.first, first == byte || (first == UInt8(ascii: "?") && byte != UInt8(ascii: "/")) else {
      return false
    }
    return matches(rest, name.dropFirst())
  }
}
