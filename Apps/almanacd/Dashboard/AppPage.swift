import Hummingbird
import Models
import Ports

/// An app's ranks over time: in one of its charts, in a range of time.
struct AppPage {
  /// The app's ranks in each of its charts.
  private let histories: [RankHistory]
  private let app: String
  private let name: @Sendable (String) -> FollowName
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
    let services = call.services
    (app, name) = (call.rest(after: 1), { FollowName($0, services) })
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
    let rows = points.suffix(100).reversed().map { point -> [HTML] in
      [Shown.ago(point.observedAt), "\(point.rank.map { "\($0)" } ?? "not in the chart")"]
    }
    let plot = RankPlot.html(
      [.init(name: history.name, points: points)], title: "\(history.name) in \(history.chart)")
    return Page(
      title: history.name, section: .charts,
      content: """
        <section class="card" id="history" data-live>\(head)<div class="head">\(charts)\(ranges)</div>
        \(plot)\(buttons)</section>
        \(priceCard)
        \(Card(id: "points", title: "All ranks", tone: "half", content: observations(Array(rows))).html)
        """)
  }

  /// The observations that are shown at once.
  private static let mostShown = 10

  private func observations(_ rows: [[HTML]]) -> HTML {
    func table(_ rows: [[HTML]], _ label: String) -> HTML {
      let columns: [DataTable.Column] = [.init("Seen"), .init("Rank", isNumber: true)]
      return DataTable(label: label, columns: columns, rows: rows, tone: "short").html
    }
    let rest = Array(rows.dropFirst(Self.mostShown))
    let more: HTML? =
      rest.isEmpty
      ? nil : "<details><summary>\(rest.count) earlier</summary>\(table(rest, "Earlier ranks"))</details>"
    return "\(table(Array(rows.prefix(Self.mostShown)), "All ranks"))\(more)"
  }

  /// The picture, the name, the price and the rank.
  private var head: HTML {
    let picture: HTML? = record.map {
      "<img src=\"\(Shown.media($0.thumbnailURL))\" alt=\"\" width=\"88\" height=\"88\">"
    }
    let rank = points.last?.rank.map { "Number \($0) of \(name(history.chart).title)" }
    let about = [record?.price.map(Shown.price), record?.category].compactMap(\.self).joined(separator: " · ")
    return """
      <div class="app">\(picture)<div><p class="small"><a href="\(Shown.place("charts", history.chart))">\(name(history.chart).title)</a></p><h1>\(history.name)</h1>\
      <p class="soft">\(history.artist)</p><p>\([about, rank ?? ""].filter { !$0.isEmpty }.joined(separator: " · "))</p></div></div>
      """
  }

  /// Links to the app's page in the shop and its record.
  private var buttons: HTML? {
    record.map { record in
      """
      <p class="buttons">\(record.url.map { "<a class=\"button\" href=\"\(Shown.safe($0))\" rel=\"noreferrer\">App Store</a>" as HTML })\
      <a class="button" href="\(Shown.record("apps", record.id))">All details</a></p>
      """
    }
  }

  /// The prices, newest first, with what fell marked.
  private var priceCard: HTML? {
    guard let prices else { return nil }
    let points = prices.points.suffix(100)
    let rows = zip(points, [nil] + points.map(\.price)).reversed().map { point, before -> [HTML] in
      let isLower = before.flatMap { point.price.isLower(than: $0) } ?? false
      return [
        "\(point.observedAt.map { Shown.ago($0) } ?? "first seen")",
        "\(Shown.price(point.price))\(isLower ? " <span class=\"badge good\">fell</span>" as HTML : nil)",
      ]
    }
    let table = DataTable(
      label: "Price", columns: [.init("From"), .init("Price", isNumber: true)], rows: Array(rows), tone: "short")
    return Card(id: "prices", title: "Price", tone: "half", content: table.html).html
  }

  /// Links to the other charts of the app.
  private var charts: HTML? {
    guard histories.count > 1 else { return nil }
    return Card.choices(
      "Charts",
      histories.map { one in
        (name(one.chart).title, address(one.chart, range), one.chart.exact == history.chart.exact)
      })
  }

  private var ranges: HTML {
    Card.choices(
      "Range",
      (Self.ranges.map(Optional.some) + [nil]).map { (Shown.range($0), address(history.chart, $0), $0 == range) })
  }

  private func address(_ chart: String, _ range: String?) -> String {
    "\(Shown.place("apps", app))?chart=\(percentEncoded(chart))" + (range.map { "&since=\(percentEncoded($0))" } ?? "")
  }
}
