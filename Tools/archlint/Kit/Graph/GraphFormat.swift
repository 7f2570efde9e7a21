/// How the graph is written.
package enum GraphFormat: String, Sendable, CaseIterable {
  case mermaid, dot, svg, html
}
