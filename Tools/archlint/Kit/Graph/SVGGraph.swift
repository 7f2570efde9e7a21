/// The graph as an SVG without external resources.
package enum SVGGraph {
  private static let nodeWidth = 150
  private static let nodeHeight = 40
  private static let columnGap = 24
  private static let rowGap = 70

  package static func svg(_ drawing: GraphDrawing) -> String {
    let rows = (drawing.nodes.map(\.row).max() ?? 0) + 1
    let widest = Dictionary(grouping: drawing.nodes, by: \.row).values.map(\.count).max() ?? 1
    let width = widest * (nodeWidth + columnGap) + columnGap
    let height = rows * (nodeHeight + rowGap) - rowGap + 2 * columnGap
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      font-family="Helvetica, Arial, sans-serif" role="img" aria-label="Targets and dependencies">
      <defs>
      <marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
      <path d="M0 0L8 4L0 8z" fill="#8c959f"/></marker>
      <marker id="red-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" orient="auto">\
      <path d="M0 0L8 4L0 8z" fill="#d1242f"/></marker>
      </defs>
      <rect width="100%" height="100%" fill="#ffffff"/>

      """
    let colors = colors(of: drawing)
    let centers = drawing.nodes.map { center(of: $0, in: drawing, width: width, rows: rows) }
    // Red edges are drawn last, so that they are on top.
    for edge in drawing.edges.filter({ !$0.isOffending }) + drawing.edges.filter(\.isOffending) {
      text += path(edge, from: centers[edge.from], to: centers[edge.to], in: drawing)
    }
    for (node, center) in zip(drawing.nodes, centers) {
      text += box(node, at: center, fill: colors[node.role] ?? "#ffffff")
    }
    return text + "</svg>\n"
  }

  private static func center(
    of node: GraphDrawing.Node, in drawing: GraphDrawing, width: Int, rows: Int
  ) -> (x: Int, y: Int) {
    let inRow = drawing.nodes.count { $0.row == node.row }
    let used = inRow * (nodeWidth + columnGap) - columnGap
    return (
      (width - used) / 2 + node.column * (nodeWidth + columnGap) + nodeWidth / 2,
      (rows - 1 - node.row) * (nodeHeight + rowGap) + columnGap + nodeHeight / 2
    )
  }

  private static func path(
    _ edge: GraphDrawing.Edge, from start: (x: Int, y: Int), to end: (x: Int, y: Int), in drawing: GraphDrawing
  ) -> String {
    let from = drawing.nodes[edge.from].name
    let to = drawing.nodes[edge.to].name
    let isDown = end.y > start.y
    let y1 = start.y + (isDown ? nodeHeight / 2 : -nodeHeight / 2)
    let y2 = end.y + (isDown ? -nodeHeight / 2 : nodeHeight / 2)
    let bend = (y2 - y1) / 2
    let checks = edge.checks.joined(separator: ", ")
    let style = edge.isOffending ? "stroke=\"#d1242f\" stroke-width=\"3\"" : "stroke=\"#8c959f\""
    let curve = "M\(start.x) \(y1)C\(start.x) \(y1 + bend) \(end.x) \(y2 - bend) \(end.x) \(y2)"
    return "<path class=\"edge\" d=\"\(curve)\" fill=\"none\" \(style) "
      + "marker-end=\"url(#\(edge.isOffending ? "red-tip" : "tip"))\">"
      + "<title>\(escaped(from)) uses \(escaped(to))\(edge.isOffending ? ": " + checks : "")</title></path>\n"
  }

  private static func box(_ node: GraphDrawing.Node, at center: (x: Int, y: Int), fill: String) -> String {
    let size = node.name.count > 19 ? 11 : 13
    return "<g class=\"node\">"
      + "<rect x=\"\(center.x - nodeWidth / 2)\" y=\"\(center.y - nodeHeight / 2)\" width=\"\(nodeWidth)\" "
      + "height=\"\(nodeHeight)\" rx=\"6\" fill=\"\(fill)\" stroke=\"#57606a\"/>"
      + "<text x=\"\(center.x)\" y=\"\(center.y - 2)\" text-anchor=\"middle\" font-size=\"\(size)\">\(escaped(node.name))</text>"
      + "<text x=\"\(center.x)\" y=\"\(center.y + 13)\" text-anchor=\"middle\" font-size=\"10\" fill=\"#57606a\">"
      + "\(escaped(node.role))</text></g>\n"
  }

  /// Assigns colours to roles in the order of their names. Modules of other packages have no colour.
  private static func colors(of drawing: GraphDrawing) -> [String: String] {
    let colors = [
      "#ddf4ff", "#dafbe1", "#fff8c5", "#ffd8b5", "#fbefff", "#ffd6e7", "#d8dee4", "#c3f0e4", "#e8e0ff", "#f3ead7",
    ]
    let roles = Set(drawing.nodes.map(\.role)).subtracting(["package"]).sorted()
    return Dictionary(uniqueKeysWithValues: roles.enumerated().map { ($1, colors[$0 % colors.count]) })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
