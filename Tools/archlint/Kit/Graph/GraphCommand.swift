/// `archlint graph`: draws the dependency graph, with violations in red.
struct GraphCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(GraphFormat.self, else: .mermaid)
    let project = try options.loader().load()
    let result = Linter(project, today: options.today).run()
    let drawing = GraphDrawing(
      project, result, showsTests: options.showsTests, showsPackages: options.showsPackages)
    let text =
      switch format {
      case .mermaid: TextGraph.mermaid(drawing)
      case .dot: TextGraph.dot(drawing)
      case .svg: SVGGraph.svg(drawing)
      case .html:
        HTMLGraph.render(
          drawing, result, metrics: TargetMetrics.all(project, result.graph), title: project.manifest.name)
      }
    try options.deliver(text, to: console)
    return 0
  }
}

/// The output format of the graph.
package enum GraphFormat: String, Sendable, CaseIterable {
  case mermaid, dot, svg, html
}

/// The graph as text for other programs: Mermaid and DOT.
package enum TextGraph {
  package static func mermaid(_ drawing: GraphDrawing) -> String {
    var text = "flowchart TD\n"
    for (number, (role, nodes)) in grouped(drawing).enumerated() {
      text += "  subgraph r\(number)[\(quoted(role))]\n"
      for node in nodes { text += "    n\(node)[\(quoted(drawing.nodes[node].name))]\n" }
      text += "  end\n"
    }
    for edge in drawing.edges {
      let label = edge.isOffending ? "|\(quoted(edge.checks.joined(separator: ", ")))|" : ""
      text += "  n\(edge.from) -->\(label) n\(edge.to)\n"
    }
    let red = drawing.edges.indices.filter { drawing.edges[$0].isOffending }.map(String.init)
    if !red.isEmpty { text += "  linkStyle \(red.joined(separator: ",")) stroke:#d1242f,stroke-width:3px\n" }
    return text
  }

  package static func dot(_ drawing: GraphDrawing) -> String {
    var text = "digraph targets {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
    text += "  edge [color=\"#8c959f\"];\n"
    for (number, (role, nodes)) in grouped(drawing).enumerated() {
      text += "  subgraph cluster_\(number) {\n    label=\(quoted(role)); color=\"#d0d7de\";\n"
      for node in nodes { text += "    \(quoted(drawing.nodes[node].name));\n" }
      text += "  }\n"
    }
    for edge in drawing.edges {
      let style =
        edge.isOffending
        ? " [color=\"#d1242f\", penwidth=2, fontcolor=\"#d1242f\", label=\(quoted(edge.checks.joined(separator: ", ")))]"
        : ""
      text += "  \(quoted(drawing.nodes[edge.from].name)) -> \(quoted(drawing.nodes[edge.to].name))\(style);\n"
    }
    return text + "}\n"
  }

  private static func grouped(_ drawing: GraphDrawing) -> [(role: String, nodes: [Int])] {
    Dictionary(grouping: drawing.nodes.indices, by: { drawing.nodes[$0].role })
      .sorted { $0.key < $1.key }.map { (role: $0.key, nodes: $0.value.sorted()) }
  }

  /// Quotes a name. Names of targets and roles contain no quotes; any others are replaced.
  private static func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "'") + "\"" }
}
