import Models
import Ports

/// Draws ranks over time, rank 1 at the top.
struct RankPlot {
  /// The points, oldest first.
  let points: [RankPoint]

  private var best: Int { points.compactMap(\.rank).min() ?? 1 }
  private var worst: Int { points.compactMap(\.rank).max() ?? 1 }

  /// The plot as lines of text. Each line shows the rank that is written at its left, and those nearest to it.
  func lines(width: Int, height: Int) -> [String] {
    guard points.contains(where: { $0.rank != nil }) else { return ["never in the chart"] }
    let label = String(worst).count
    let columns = max(10, width - label - 3)
    let rows = min(height, worst - best + 1)
    var canvas = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    for point in points {
      guard let rank = point.rank else { continue }
      let row = Self.scaled(rank - best, from: worst - best, to: rows - 1)
      canvas[row][Self.scaled(point.observedAt - start, from: span, to: columns - 1)] = "●"
    }
    var lines: [String] = []
    for (index, line) in canvas.enumerated() {
      let text = String(best + Self.scaled(index, from: rows - 1, to: worst - best))
      lines.append(String(repeating: " ", count: label - text.count) + text + " ┤" + trimmed(line))
    }
    lines.append(String(repeating: " ", count: label) + " └" + String(repeating: "─", count: columns))
    let (from, to) = ends
    let gap = String(repeating: " ", count: max(2, columns - from.count - to.count))
    lines.append(String(repeating: " ", count: label + 2) + (points.count == 1 ? from : from + gap + to))
    return lines
  }

  private var start: Timestamp { points.first?.observedAt ?? Timestamp(secondsSinceEpoch: 0) }
  private var end: Timestamp { points.last?.observedAt ?? start }
  private var span: Int { end - start }

  /// What is written at the ends of the time axis: days, or times where both are of one day.
  private var ends: (from: String, to: String) {
    start.date == end.date && span > 0
      ? (start.description, end.description) : (start.date.description, end.date.description)
  }

  /// The place on a scale of `to` steps that is nearest to `value` on one of `from` steps.
  private static func scaled(_ value: Int, from: Int, to: Int) -> Int {
    from == 0 ? 0 : (2 * value * to + from) / (2 * from)
  }

  /// The plot as an SVG 1.1 image; it is self-contained and has its values as text.
  func svg(title: String) -> String {
    let width = 720, height = 320, left = 48, top = 40, right = 16, bottom = 36
    let plotWidth = width - left - right, plotHeight = height - top - bottom
    func x(_ point: RankPoint) -> Int { left + Self.scaled(point.observedAt - start, from: span, to: plotWidth) }
    func y(_ rank: Int) -> Int {
      best == worst ? top + plotHeight / 2 : top + Self.scaled(rank - best, from: worst - best, to: plotHeight)
    }
    var body = ""
    for rank in Set([best, (best + worst) / 2, worst]).sorted() {
      body += """
        <line x1="\(left)" y1="\(y(rank))" x2="\(width - right)" y2="\(y(rank))" stroke="#8884"/>
        <text x="\(left - 8)" y="\(y(rank) + 4)" text-anchor="end">\(rank)</text>

        """
    }
    for segment in segments {
      let path = segment.map { "\(x($0)),\(y($0.rank ?? worst))" }.joined(separator: " ")
      body += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"#0a66c2\" stroke-width=\"2\"/>\n"
    }
    for point in points {
      guard let rank = point.rank else { continue }
      body += """
        <circle cx="\(x(point))" cy="\(y(rank))" r="3.5" fill="#0a66c2"><title>\(point.observedAt): \
        rank \(rank)</title></circle>

        """
    }
    let (first, last) = ends
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" font-family="system-ui, sans-serif" font-size="12" fill="#555">
      <title>\(Markup.escaped(title)): rank from \(first) to \(last)</title>
      <text x="\(left)" y="22" font-size="15" font-weight="600">\(Markup.escaped(title))</text>
      \(body)<text x="\(left)" y="\(height - 12)">\(first)</text>
      <text x="\(width - right)" y="\(height - 12)" text-anchor="end">\(last)</text>
      </svg>

      """
  }

  /// Stretches without a gap.
  private var segments: [[RankPoint]] {
    points.split { $0.rank == nil }.map(Array.init).filter { $0.count > 1 }
  }

  private func trimmed(_ line: [Character]) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
