import Hummingbird
import Models
import Ports

/// An app's ranks over time: in one of its charts, in a range of time.
struct HistoryPage {
  /// The app's ranks in each of its charts.
  private let histories: [RankHistory]
  /// The app as the address names it.
  private let app: String
  private let history: RankHistory
  /// The range as the address names it; `nil` for all of it.
  private let range: String?
  private let points: [RankPoint]
  /// The app's record; `nil` where it is not kept.
  private let record: App?
  /// The app's prices in the storefront of the chart; `nil` if none is known.
  private let prices: PriceHistory?

  private static let ranges = ["7d", "30d", "365d"]

  /// The page of an address: `chart` is the path of one of the app's charts, by default the one with most of its ranks;
  /// `since` is an interval.
  ///
  /// - Throws: `Failure`, `notFound` where the app was never in a chart; `Problem` with 404 where it was never in the chart
  ///   that is asked for, with 400 for a range that is not an interval.
  init(_ call: APIRequest) throws {
    app = call.rest(after: 1)
    record = (try? call.services.library.record(.apps, app)).flatMap { bytes in
      (try? call.services.coder.decode(bytes)).flatMap { try? App(fields: $0) }
    }
    histories = try call.services.charts.histories(app: app)
    let chart = call.query("chart")
    let known = histories.filter { history in chart.map { $0.exact == history.chart.exact } ?? true }
    let count = { (history: RankHistory) in history.points.count { $0.rank != nil } }
    guard let most = known.max(by: { count($0) < count($1) }) else {
      throw Problem(.notFound, "\(app) was never in the chart \(chart ?? "")")
    }
    history = most
    let storefront = most.chart.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    // A marketing feed has no prices.
    prices = (try? call.services.charts.prices(app: app))?.first { $0.storefront.exact == storefront.exact }
    range = call.query("since")
    guard let range else {
      points = history.points
      return
    }
    let start = call.services.time.now + -(try call.span(range).seconds)
    points = history.points.filter { $0.observedAt >= start }
  }

  var page: Page {
    let rows = points.suffix(100).reversed().map { point -> HTML in
      """
      <tr><td>\(OverviewPage.ago(point.observedAt))</td><td>\(point.rank.map { "\($0)" } ?? "not in the chart")</td></tr>
      """
    }
    let plot = RankPlot(points: points)?.svg(title: "\(history.name) in \(history.chart)")
    return Page(
      title: history.name,
      content: """
        <section class="card" id="history" data-live><h1>\(history.name)</h1>
        <p class="soft">\([history.artist, history.chart].filter { !$0.isEmpty }.joined(separator: " · "))</p>
        \(details)\(charts)\(ranges)
        \(plot ?? "<p>It was not in the chart in this time.</p>")
        </section>
        \(priceCard)
        <section class="card" id="points" data-live><h2 id="points-title">Every observation</h2>
        <table class="short" aria-labelledby="points-title"><thead><tr><th scope="col">Observed</th><th scope="col">Rank</th></tr></thead>\
        <tbody>\(rows)</tbody></table></section>
        """)
  }

  /// The icon, the price, and links to the app's page and its record.
  private var details: HTML? {
    guard let record else { return nil }
    let price = record.price.map { "\(Self.text($0)) · " as HTML }
    let link = record.url.map { url -> HTML in
      "<a href=\"\(OverviewPage.safe(url))\" rel=\"noreferrer\">App Store</a> · "
    }
    return """
      <p class="fields"><img src="\(OverviewPage.media(record.thumbnailURL))" alt="" width="64" height="64">
      <span>\(price)\(link)<a href="/collections/apps/\(percentEncoded(record.id))">All fields</a></span></p>
      """
  }

  /// `0.99 EUR`, or `free`.
  private static func text(_ price: Price) -> String {
    guard price.amount.contains(where: { ("1"..."9").contains($0) }) else { return "free" }
    return "\(Price.shortened(price.amount)) \(price.currency)"
  }

  /// The prices, newest first.
  private var priceCard: HTML? {
    guard let prices else { return nil }
    let rows = prices.points.suffix(100).reversed().map { point -> HTML in
      """
      <tr><td>\(point.observedAt.map { OverviewPage.ago($0) } ?? "first seen")</td><td>\(Self.text(point.price))</td></tr>
      """
    }
    return """
      <section class="card" id="prices" data-live><h2 id="prices-title">Price</h2>
      <table class="short" aria-labelledby="prices-title"><thead><tr><th scope="col">From</th><th scope="col">Price</th></tr></thead>\
      <tbody>\(rows)</tbody></table></section>
      """
  }

  /// Links to the other charts of the app.
  private var charts: HTML? {
    guard histories.count > 1 else { return nil }
    let links = histories.map { one in
      link(one.chart, to: one.chart, range, isShown: one.chart.exact == history.chart.exact)
    }
    return "<p class=\"small\">Charts: \(links)</p>"
  }

  private var ranges: HTML {
    let links = Self.ranges.map { link($0, to: history.chart, $0, isShown: $0 == range) }
    return "<p class=\"small\">Range: \(links)\(link("all", to: history.chart, nil, isShown: range == nil))</p>"
  }

  private func link(_ text: String, to chart: String, _ range: String?, isShown: Bool) -> HTML {
    let path = app.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/")
    let since = range.map { "&since=\(percentEncoded($0))" } ?? ""
    return """
      <a href="/apps/\(path)?chart=\(percentEncoded(chart))\(since)"\(isShown ? " aria-current=\"true\"" as HTML : nil)>\(text)</a>\u{20}
      """
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
