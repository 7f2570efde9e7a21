import Models
import Ports

/// Draws ranks over time, rank 1 at the top: of one app, or of several in the same chart. Also draws the prices of an app.
struct RankPlot {
  struct Series {
    let name: String
    /// The points, oldest first.
    let points: [RankPoint]
  }

  let series: [Series]
  /// What the values at the left are.
  private let unit: String
  private let label: @Sendable (Int) -> String
  /// Whether a value lasts until the next one, so that a line is a stair.
  private let isStepped: Bool

  init(_ histories: [RankHistory]) {
    series = histories.map { Series(name: $0.name, points: $0.points) }
    unit = "rank"
    label = { String($0) }
    isStepped = false
  }

  /// The prices of an app in one storefront until a time, the highest at the top; `nil` if its first price has no time.
  init?(_ history: PriceHistory, until end: Timestamp) {
    guard let last = history.points.last, history.points.allSatisfy({ $0.observedAt != nil }) else { return nil }
    // A plot has whole numbers, the least at the top: prices are hundredths below zero.
    func value(_ point: PricePoint) -> Int {
      -max(-Self.highest, min(Self.highest, Int(nearest: ((Double(point.price.amount) ?? 0) * 100).rounded())))
    }
    var points = history.points.map { RankPoint(observedAt: $0.observedAt ?? end, rank: value($0)) }
    points.append(RankPoint(observedAt: max(end, points.last?.observedAt ?? end), rank: value(last)))
    series = [Series(name: history.name, points: points)]
    unit = last.price.currency
    label = { value in
      let cents = String(-value % 100)
      return "\(-value / 100).\(cents.count == 1 ? "0" : "")\(cents)"
    }
    isStepped = true
  }

  /// The highest price that is drawn as it is, in hundredths.
  private static let highest = 1_000_000_000_000

  /// What marks the points of the series in text, in their order; with more, the marks repeat.
  private static let marks: [Character] = ["●", "▲", "■", "◆", "○", "△", "□", "◇"]
  /// The same as colours of an image, which are told apart also without red and green (Okabe and Ito, 2008).
  private static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00", "#555555"]

  private var ranks: [Int] { series.flatMap { $0.points.compactMap(\.rank) } }
  private var best: Int { ranks.min() ?? 1 }
  private var worst: Int { ranks.max() ?? 1 }
  private var times: [Timestamp] { series.flatMap { $0.points.map(\.observedAt) } }
  private var start: Timestamp { times.min() ?? Timestamp(secondsSinceEpoch: 0) }
  private var end: Timestamp { times.max() ?? start }
  private var span: Int { end - start }

  /// The plot as lines of text. Each line shows the rank that is written at its left, and those nearest to it; below are the
  /// days, and with several apps what marks each of them.
  func lines(width: Int, height: Int) -> [String] {
    guard !ranks.isEmpty else { return ["never in the chart"] }
    let margin = max(label(worst).count, label(best).count, 4)
    let columns = max(10, width - margin - 3)
    let rows = min(height, worst - best + 1)
    let (start, span) = (start, span)
    var canvas = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows)
    for (index, line) in series.enumerated().reversed() {
      var next = columns
      for point in line.points.reversed() {
        guard let rank = point.rank else { continue }
        let row = Self.scaled(rank - best, from: worst - best, to: rows - 1)
        let column = Self.scaled(point.observedAt - start, from: span, to: columns - 1)
        for column in column..<(isStepped ? max(next, column + 1) : column + 1) {
          canvas[row][column] = Self.marks[index % Self.marks.count]
        }
        next = column
      }
    }
    func padded(_ text: String) -> String { String(repeating: " ", count: max(0, margin - text.count)) + text }
    var lines = [padded(unit)]
    for (index, line) in canvas.enumerated() {
      let rank = best + Self.scaled(index, from: rows - 1, to: worst - best)
      lines.append(padded(label(rank)) + " ┤" + trimmed(line))
    }
    lines.append(padded("") + " └" + String(repeating: "─", count: columns))
    lines.append(padded("") + "  " + axis(columns))
    if series.count > 1 {
      for (index, line) in series.enumerated() {
        let name = Printable.fitted("\(Self.marks[index % Self.marks.count]) \(Printable.text(line.name))", columns)
        lines.append(padded("") + "  " + name)
      }
    }
    return lines
  }

  /// The days below the axis: at its ends, and in the middle where there is room.
  private func axis(_ columns: Int) -> String {
    let (from, to) = ends
    guard span > 0 else { return from }
    let middle = (start + span / 2).date.description
    guard start.date != end.date, columns >= 50, middle != from, middle != to else {
      return from + String(repeating: " ", count: max(2, columns - from.count - to.count)) + to
    }
    let left = (columns - middle.count) / 2 - from.count
    let right = columns - from.count - left - middle.count - to.count
    return from + String(repeating: " ", count: left) + middle + String(repeating: " ", count: right) + to
  }

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
    let width = 720, left = 56, top = 44, right = 16
    let legend = series.count > 1 ? series.count * 18 + 8 : 0
    let bottom = 52 + legend
    let height = 340 + legend
    let plotWidth = width - left - right, plotHeight = height - top - bottom
    let (start, span, best, worst) = (start, span, best, worst)
    func x(_ time: Timestamp) -> Int { left + Self.scaled(time - start, from: span, to: plotWidth) }
    func y(_ rank: Int) -> Int {
      best == worst ? top + plotHeight / 2 : top + Self.scaled(rank - best, from: worst - best, to: plotHeight)
    }
    var body = "<text x=\"\(left - 8)\" y=\"\(top - 12)\" text-anchor=\"end\">\(unit)</text>\n"
    for rank in Set([best, (best + worst) / 2, worst]).sorted() {
      body += """
        <line x1="\(left)" y1="\(y(rank))" x2="\(width - right)" y2="\(y(rank))" stroke="#8884"/>
        <text x="\(left - 8)" y="\(y(rank) + 4)" text-anchor="end">\(label(rank))</text>

        """
    }
    for (index, line) in series.enumerated() {
      let color = Self.colors[index % Self.colors.count]
      for segment in line.segments {
        let corners = isStepped ? Self.stair(segment) : segment
        let path = corners.map { "\(x($0.observedAt)),\(y($0.rank ?? worst))" }.joined(separator: " ")
        body += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>\n"
      }
      let name = line.name.isEmpty ? "" : Markup.escaped(line.name) + ", "
      for point in line.points {
        guard let rank = point.rank else { continue }
        body += """
          <circle cx="\(x(point.observedAt))" cy="\(y(rank))" r="3.5" fill="\(color)"><title>\(name)\
          \(point.observedAt): \(unit) \(label(rank))</title></circle>

          """
      }
      guard series.count > 1 else { continue }
      let row = top + plotHeight + 52 + index * 18
      body += """
        <circle cx="\(left + 4)" cy="\(row - 4)" r="4" fill="\(color)"/>
        <text x="\(left + 16)" y="\(row)">\(Markup.escaped(line.name))</text>

        """
    }
    let (first, last) = ends
    let days = top + plotHeight + 24
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" font-family="system-ui, sans-serif" font-size="12" fill="#666">
      <title>\(Markup.escaped(title)): \(unit) from \(first) to \(last)</title>
      <text x="\(left)" y="20" font-size="15" font-weight="600">\(Markup.escaped(title))</text>
      \(body)<text x="\(left)" y="\(days)">\(first)</text>
      <text x="\(width - right)" y="\(days)" text-anchor="end">\(last)</text>
      </svg>

      """
  }

  private static func stair(_ points: [RankPoint]) -> [RankPoint] {
    zip(points, points.dropFirst()).flatMap { [$0, RankPoint(observedAt: $1.observedAt, rank: $0.rank)] }
      + points.suffix(1)
  }

  private func trimmed(_ line: [Character]) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

extension RankPlot.Series {
  /// Stretches without a gap.
  fileprivate var segments: [[RankPoint]] {
    points.split { $0.rank == nil }.map(Array.init).filter { $0.count > 1 }
  }
}
