import Hummingbird
import Models
import Ports

/// A chart: its places, and what moved in a range of time.
struct ChartPage {
  private let path: String
  private let entries: [ChartEntry]
  /// The range as the address names it; `nil` for the places alone.
  private let range: String?
  private let comparison: ChartComparison?

  /// The page of an address: `since` is an interval.
  ///
  /// - Throws: `Failure`, `notFound` where the chart has no snapshot; `Problem` with 404 where the path is not that of a
  ///   chart, with 400 for a range that is not an interval.
  init(_ call: APIRequest) throws {
    let path = call.rest(after: 1)
    self.path = path
    do throws(Failure) { entries = try call.services.charts.top(path, limit: nil) } catch {
      guard error.reason == .usage else { throw error }
      throw Problem(.notFound, error.message, hint: error.hint, code: error.code?.text)
    }
    range = call.query("since")
    guard let range else {
      comparison = nil
      return
    }
    comparison = try call.services.charts.movers(path, since: try call.span(range))
  }

  var page: Page {
    Page(
      title: path,
      content: """
        <section class="card" id="chart" data-live><h1>\(path)</h1>\(ranges)\(movers)\(ChartList(entries: entries).html)</section>
        """)
  }

  private var ranges: HTML {
    let links = [nil, "1d", "7d", "30d", "365d"].map { since -> HTML in
      let address = path.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/")
      return """
        <a href="/charts/\(address)\(since.map { "?since=\($0)" } ?? "")"\(since == range ? " aria-current=\"true\"" as HTML : nil)>\(since ?? "none")</a>\u{20}
        """
    }
    return "<p class=\"small\">Movements of the last: \(links)</p>"
  }

  private var movers: HTML? {
    guard let comparison else { return nil }
    guard let earlier = comparison.earlier else {
      return OverviewPage.nothing("There is no earlier snapshot to compare with.")
    }
    let storefront = path.split(separator: "/").dropFirst().first ?? ""
    let rows = comparison.movers.map { mover -> HTML in
      let tone = [.up, .new].contains(mover.change) ? "good" : "bad"
      return """
        <tr><th scope="row"><a href="/apps/\(percentEncoded(storefront))/\(percentEncoded(mover.id))">\(mover.name)</a></th>\
        <td><span class="badge \(tone)">\(mover.change.rawValue)</span></td>\
        <td>\(mover.from.map { "\($0)" } ?? "–")</td><td>\(mover.to.map { "\($0)" } ?? "–")</td></tr>
        """
    }
    return """
      <h2 id="movers-title">Since \(OverviewPage.ago(earlier))</h2>
      \(rows.isEmpty ? OverviewPage.nothing("Nothing moved.") : """
        <table class="short" id="movers" aria-labelledby="movers-title"><thead><tr><th scope="col">App</th><th scope="col">Change</th>\
        <th scope="col">From</th><th scope="col">To</th></tr></thead><tbody>\(rows)</tbody></table>
        """)
      <h2>Places</h2>
      """
  }
}

extension APIRequest {
  /// The interval of a `since`.
  ///
  /// - Throws: `Problem` with 400 where it is none.
  func span(_ since: String) throws(Problem) -> Interval {
    guard let span = Interval(since) else {
      throw Problem(.badRequest, "since takes an interval, such as 12h, 7d or 4w, not '\(since)'")
    }
    return span
  }
}

/// The places of a chart, with thumbnails and movement.
struct ChartList {
  let entries: [ChartEntry]

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
