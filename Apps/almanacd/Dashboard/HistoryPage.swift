import Models
import Ports

/// An app's ranks over time.
struct HistoryPage {
  /// What it shows.
  let history: RankHistory

  /// The page.
  var page: Page {
    let rows = history.points.suffix(100).reversed().map { point -> HTML in
      """
      <tr><td>\(OverviewPage.ago(point.observedAt))</td><td>\(point.rank.map { "\($0)" } ?? "not in the chart")</td></tr>
      """
    }
    return Page(
      title: history.name,
      content: """
        <section class="card" id="history" data-live><h1>\(history.name)</h1>
        <p class="soft">\([history.artist, history.chart].filter { !$0.isEmpty }.joined(separator: " · "))</p>
        \(RankPlot(points: history.points)?.svg(title: "\(history.name) in \(history.chart)") ?? "<p>It was never in the chart.</p>")
        </section>
        <section class="card" id="points" data-live><h2 id="points-title">Every observation</h2>
        <table class="short" aria-labelledby="points-title"><thead><tr><th scope="col">Observed</th><th scope="col">Rank</th></tr></thead>\
        <tbody>\(rows)</tbody></table></section>
        """)
  }
}

/// Ranks over time as a drawing, rank 1 at the top.
struct RankPlot {
  private let points: [RankPoint]
  private let best: Int
  private let worst: Int
  private let first: Timestamp
  private let span: Int

  /// A plot; `nil` where no point has a rank.
  init?(points: [RankPoint]) {
    let ranks = points.compactMap(\.rank)
    guard let best = ranks.min(), let worst = ranks.max(), let first = points.first, let last = points.last else {
      return nil
    }
    // More points than the drawing has places would only make the page longer.
    let step = max(1, points.count / Self.mostPoints)
    self.points = step == 1 ? points : points.enumerated().filter { $0.offset % step == 0 }.map(\.element) + [last]
    self.best = best
    self.worst = worst
    self.first = first.observedAt
    span = max(1, last.observedAt - first.observedAt)
  }

  private static let mostPoints = 380
  private static let width = 760, height = 300, left = 44, right = 20, top = 16, bottom = 34

  private func x(_ point: RankPoint) -> Int {
    Self.left + (Self.width - Self.left - Self.right) * (point.observedAt - first) / span
  }

  private func y(_ rank: Int) -> Int {
    let height = Self.height - Self.top - Self.bottom
    return Self.top + (best == worst ? height / 2 : height * (rank - best) / (worst - best))
  }

  /// The drawing, with its meaning in words.
  func svg(title: String) -> HTML {
    let ranks = Set([best, (best + worst) / 2, worst]).sorted()
    let lines = ranks.map { rank -> HTML in
      """
      <line class="grid" x1="\(Self.left)" x2="\(Self.width - Self.right)" y1="\(y(rank))" y2="\(y(rank))"/>\
      <text x="\(Self.left - 8)" y="\(y(rank) + 4)" text-anchor="end">\(rank)</text>
      """
    }
    let curves = segments.map { segment -> HTML in
      let path = segment.map { "\(x($0)),\(y($0.rank ?? worst))" }.joined(separator: " ")
      return "<polyline class=\"curve\" points=\"\(path)\"/>"
    }
    let dots = points.filter { $0.rank != nil }.map { point -> HTML in
      """
      <circle cx="\(x(point))" cy="\(y(point.rank ?? worst))" r="4"><title>\(point.observedAt.description): rank \
      \(point.rank ?? 0)</title></circle>
      """
    }
    let end = points.last?.observedAt ?? first
    let isOneDay = first.date == end.date && end > first
    let from = isOneDay ? first.description : first.date.description
    let to = isOneDay ? end.description : end.date.description
    return """
      <svg class="plot" viewBox="0 0 \(Self.width) \(Self.height)" role="img" aria-label="\(title): ranks \(best) to \
      \(worst) from \(from) to \(to)">\(lines)\(curves)\(dots)\
      <text x="\(Self.left)" y="\(Self.height - 10)">\(from)</text>\
      <text x="\(Self.width - Self.right)" y="\(Self.height - 10)" text-anchor="end">\(to)</text></svg>
      """
  }

  /// Stretches without a gap.
  private var segments: [[RankPoint]] {
    points.split { $0.rank == nil }.map(Array.init).filter { $0.count > 1 }
  }
}

/// The places of a chart, with thumbnails and movement.
struct ChartList {
  /// The places.
  let entries: [ChartEntry]

  /// The list.
  var html: HTML {
    let items = entries.map { entry -> HTML in
      """
      <li><span class="rank">\(entry.rank)</span>\(picture(entry))<span class="cut"><a \
      href="/apps/\(entry.storefront)/\(percentEncoded(entry.id))">\(entry.name)</a><span class="cut soft small">\(entry.artist)</span>\
      </span>\(Self.movement(entry))</li>
      """
    }
    return "<ol class=\"ranks\">\(items)</ol>"
  }

  private func picture(_ entry: ChartEntry) -> HTML {
    let address = entry.thumbnailURL.map { OverviewPage.media($0) } ?? "/assets/placeholder.svg"
    return "<img src=\"\(address)\" alt=\"\" width=\"40\" height=\"40\" loading=\"lazy\">"
  }

  /// Places gained or lost, also in words.
  static func movement(_ entry: ChartEntry) -> HTML {
    if entry.isNew { return "<span class=\"badge good\">new</span>" }
    guard let movement = entry.movement else { return "<span></span>" }
    if movement > 0 {
      return """
        <span class="up"><span aria-hidden="true">▲ \(movement)</span><span class="hidden">up \(movement)</span></span>
        """
    }
    if movement < 0 {
      return """
        <span class="down"><span aria-hidden="true">▼ \(-movement)</span><span class="hidden">down \(-movement)</span>\
        </span>
        """
    }
    return "<span class=\"same soft\"><span aria-hidden=\"true\">–</span><span class=\"hidden\">unmoved</span></span>"
  }
}
