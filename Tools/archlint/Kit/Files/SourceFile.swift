/// A Swift file of the package.
package struct SourceFile: Sendable {
  /// Relative to the package.
  package var path: String
  /// The target that it is compiled into; nil when there is none.
  package var target: String?
  package var imports: [ImportStatement] = []
  package var isReadable = true

  package var name: Substring { path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...] }
}
