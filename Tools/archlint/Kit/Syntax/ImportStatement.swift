/// One `import` as it stands in a file, active or not.
package struct ImportStatement: Sendable, Hashable {
  /// The module: the first part of the path, without backticks.
  package var module: String
  /// The whole path, as in `Foundation.URL`.
  package var path: String
  /// The kind of a scoped import (`struct`, `func`, …).
  package var kind: String?
  /// Attributes without the at sign, arguments included, in source order.
  package var attributes: [String]
  /// The access level that is written before it.
  package var access: String?
  /// The conditions that it stands under, outermost first, as written: `#if os(Linux)`, `#else`.
  package var conditions: [String]
  /// From 1; the column counts UTF-8 bytes, as the compiler does. Both point at the module's name.
  package var line: Int
  package var column: Int

  package func hasAttribute(_ name: String) -> Bool { attributes.contains(name) }
}
