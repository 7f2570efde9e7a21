/// One page, without anything from elsewhere: the picture, the figures and the findings.
package enum HTMLGraph {
  package static func render(_ drawing: GraphDrawing, _ result: LintResult, metrics: [TargetMetrics], title: String)
    -> String
  {
    let name = SVGGraph.escaped(title)
    var text = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(name): who knows whom</title>
      <style>
      body { font: 14px/1.5 Helvetica, Arial, sans-serif; margin: 2em; color: #1f2328 }
      table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .2em .8em; border-bottom: 1px solid #d0d7de; text-align: left }
      td.figure { text-align: right; font-variant-numeric: tabular-nums } .picture { border: 1px solid #d0d7de }
      .picture svg { display: block; max-width: 100%; height: auto; margin: auto }
      .dim { opacity: .12 } code { background: #f6f8fa } .red { color: #d1242f } td.red { white-space: nowrap }
      </style></head><body>
      <h1>\(name)</h1>
      <p>\(result.graph.targets.count) targets, \(result.files) files, \
      <span class="\(result.violations.isEmpty ? "" : "red")">\(result.violations.count) violation\(result.violations.count == 1 ? "" : "s")</span>. \
      An arrow points at what is known. Point at a target to see its own arrows.</p>
      <div class="picture">

      """
    text += SVGGraph.svg(drawing)
    text += "</div>\n<h2>Findings</h2>\n"
    text += result.violations.isEmpty ? "<p>None.</p>\n" : findings(result)
    text += "<h2>Figures</h2>\n" + figures(metrics)
    return text + script + "</body></html>\n"
  }

  private static func findings(_ result: LintResult) -> String {
    var text = "<table><tr><th>place</th><th>check</th><th>what</th><th>mend</th></tr>\n"
    for violation in result.violations {
      text +=
        "<tr><td><code>\(SVGGraph.escaped(violation.place.text))</code></td><td class=\"red\">\(violation.check.rawValue)</td>"
      text += "<td>\(SVGGraph.escaped(violation.message))</td><td>\(SVGGraph.escaped(violation.mend))</td></tr>\n"
    }
    return text + "</table>\n"
  }

  private static func figures(_ metrics: [TargetMetrics]) -> String {
    var text = "<table><tr><th>target</th><th>role</th><th>files</th><th>fan-in</th><th>fan-out</th><th>reach</th>"
    text += "<th>packages</th><th>instability</th></tr>\n"
    for line in metrics {
      text += "<tr><td>\(SVGGraph.escaped(line.name))</td><td>\(SVGGraph.escaped(line.role))</td>"
      for figure in [line.files, line.fanIn, line.fanOut, line.reach, line.packages] {
        text += "<td class=\"figure\">\(figure)</td>"
      }
      text += "<td class=\"figure\">\(line.instabilityText)</td></tr>\n"
    }
    return text + "</table>\n"
  }

  private static let script = """
    <script>
    for (const node of document.querySelectorAll('.node')) {
      const name = node.dataset.name
      node.addEventListener('mouseenter', () => {
        const near = new Set([name])
        for (const edge of document.querySelectorAll('.edge')) {
          const own = edge.dataset.from === name || edge.dataset.to === name
          edge.classList.toggle('dim', !own)
          if (own) { near.add(edge.dataset.from); near.add(edge.dataset.to) }
        }
        for (const other of document.querySelectorAll('.node')) other.classList.toggle('dim', !near.has(other.dataset.name))
      })
      node.addEventListener('mouseleave', () => {
        for (const any of document.querySelectorAll('.dim')) any.classList.remove('dim')
      })
    }
    </script>

    """
}
