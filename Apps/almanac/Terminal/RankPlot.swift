import Models
import Ports

/// Draws ranks over time, rank 1 at the top.
struct RankPlot {
  /// The points, oldest first.
  let points: [RankPoint]

  private var best: Int { points.compactMap(\.rank).min() ?? 1 }
  private var worst: Int { max(best + 1, points.compactMap(\.rank).max() ?? 2) }

  /// The plot as lines of text.
  func lines(width: Int, height: Int) -> [String] {
    guard points.contains(where: { $0.rank != nil }) else { return ["never in the chart"] }
    let label = String(worst).count
    let columns = max(10, width - label - 3)
    let rows = min(height, worst - best + 1)
    var canvas = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    for (index, point) in points.enumerated() {
      guard let rank = point.rank else { continue }
      canvas[row(rank, rows)][column(index, columns)] = "●"
    }
    var lines: [String] = []
    for (index, line) in canvas.enumerated() {
      let rank = rows == 1 ? best : best + (worst - best) * index / (rows - 1)
      let text = String(rank)
      lines.append(String(repeating: " ", count: label - text.count) + text + " ┤" + trimmed(line))
    }
    lines.append(String(repeating: " ", count: label) + " └" + String(repeating: "─", count: columns))
    if let first = points.first?.observedAt, let last = points.last?.observedAt {
      let from = first.date.description
      let to = last.date.description
      let gap = String(repeating: " ", count: max(2, columns - from.count - to.count))
      lines.append(String(repeating: " ", count: label + 2) + (points.count == 1 ? from : from + gap + to))
    }
    return lines
  }

  /// The plot as an SVG 1.1 image; it refers to nothing else and has its values as text.
  func svg(title: String) -> String {
    let width = 720, height = 320, left = 48, top = 40, right = 16, bottom = 36
    let plotWidth = width - left - right, plotHeight = height - top - bottom
    func x(_ index: Int) -> Int { left + (points.count < 2 ? 0 : plotWidth * index / (points.count - 1)) }
    func y(_ rank: Int) -> Int { top + plotHeight * (rank - best) / (worst - best) }
    var body = ""
    for rank in Set([best, (best + worst) / 2, worst]).sorted() {
      body += """
        <line x1="\(left)" y1="\(y(rank))" x2="\(width - right)" y2="\(y(rank))" stroke="#8884"/>
        <text x="\(left - 8)" y="\(y(rank) + 4)" text-anchor="end">\(rank)</text>

        """
    }
    for segment in segments {
      let path = segment.map { "\(x($0.index)),\(y($0.rank))" }.joined(separator: " ")
      body += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"#0a66c2\" stroke-width=\"2\"/>\n"
    }
    for (index, point) in points.enumerated() {
      guard let rank = point.rank else { continue }
      body += """
        <circle cx="\(x(index))" cy="\(y(rank))" r="3.5" fill="#0a66c2"><title>\(point.observedAt): \
        rank \(rank)</title></circle>

        """
    }
    let first = points.first?.observedAt.date.description ?? ""
    let last = points.last?.observedAt.date.description ?? ""
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

  private var segments: [[(index: Int, rank: Int)]] {
    var segments: [[(index: Int, rank: Int)]] = [[]]
    for (index, point) in points.enumerated() {
      if let rank = point.rank {
        segments[segments.count - 1].append((index, rank))
      } else {
        segments.append([])
      }
    }
    return segments.filter { $0.count > 1 }
  }

  private func row(_ rank: Int, _ rows: Int) -> Int { rows == 1 ? 0 : (rank - best) * (rows - 1) / (worst - best) }

  private func column(_ index: Int, _ columns: Int) -> Int {
    points.count < 2 ? 0 : index * (columns - 1) / (points.count - 1)
  }

  private func trimmed(_ line: [Character]) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
