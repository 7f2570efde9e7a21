import Hummingbird
import Models
import Ports

/// A chart: its places today beside yesterday, and the ranks of its first apps over time.
struct ChartPage {
  private let path: String
  private let title: String
  private let entries: [ChartEntry]
  /// How many places come before those that are shown.
  private let start: Int
  /// The range as the address names it: a month by default.
  private let range: String
  /// The apps whose lines are drawn, as the address names them; `nil` for the first ones.
  private let drawn: [String]?
  private let comparison: ChartComparison
  private let past: ChartPast
  private let prices: [ExactString: Price]

  private static let month = "30d"
  private static let ranges = ["1d", "7d", month, "365d"]
  /// The most lines of the drawing.
  private static let mostLines = 8
  private static let pageSize = 50

  /// The page of an address: `since` is an interval.
  ///
  /// - Throws: `Failure`, `notFound` where the chart has no snapshot; `Problem` with 404 where the path is not that of a
  ///   chart, with 400 for a range that is not an interval.
  init(_ call: APIRequest) throws {
    let (path, services) = (call.rest(after: 1), call.services)
    (self.path, title) = (path, FollowName(path, services).title)
    do throws(Failure) { entries = try services.charts.top(path, limit: nil) } catch {
      guard error.reason == .usage else { throw error }
      throw Problem(.notFound, error.message, hint: error.hint, code: error.code?.text)
    }
    start = max(0, min(entries.count, call.query("from").flatMap { Int($0) } ?? 0)) / Self.pageSize * Self.pageSize
    range = call.query("since") ?? Self.month
    drawn = call.query("draw")?.split(separator: ",").prefix(Self.mostLines).map(String.init)
    let span = try call.span(range)
    comparison = try services.charts.movers(path, since: span)
    past = try ChartPast(path, services, since: span)
    prices = ChartList.prices(of: Array(entries.dropFirst(start).prefix(Self.pageSize)), services)
  }

  var page: Page {
    let shown = drawn.map { ids in entries.filter { ids.contains($0.id) } } ?? Array(entries.prefix(5))
    let lines = shown.map { RankPlot.Line(name: Shown.short($0.name, 40), points: past.points(of: $0.id)) }
    let places = Array(entries.dropFirst(start).prefix(Self.pageSize))
    return Page(
      title: title, section: .charts,
      content: """
        <section class="card" id="chart" data-live><div class="head"><div><p class="small"><a href="/charts">Charts</a></p><h1>\(title)</h1></div>\(ranges)</div></section>
        <div class="beside" id="beside" data-live>\(Card(id: "plot", title: "Ranks over time", isLive: false, content: RankPlot.html(lines, title: "Ranks of \(lines.count.counted("app")) of \(path)")).html)
        \(movers)</div>
        <section class="card" id="places" data-live aria-labelledby="places-title"><div class="head"><h2 id="places-title">Places</h2>\
        \(comparison.earlier.map { "<span class=\"soft small\">compared with \(Shown.ago($0))</span>" as HTML })</div>\
        \(ChartList(entries: places, past: past, comparison: comparison, prices: prices, line: { line(of: $0, shown.map(\.id)) }).html)\(pager)</section>
        """)
  }

  private func address(from start: Int, since range: String? = nil, drawing ids: [String]? = nil) -> String {
    let range = range ?? self.range
    let values = [
      start > 0 ? "from=\(start)" : nil, range == Self.month ? nil : "since=\(percentEncoded(range))",
      (ids ?? drawn).map { "draw=\($0.map { percentEncoded($0) }.joined(separator: ","))" },
    ].compactMap(\.self)
    return Shown.place("charts", path) + (values.isEmpty ? "" : "?\(values.joined(separator: "&"))")
  }

  /// The link that adds the line of an app to the drawing, or takes it away.
  private func line(of entry: ChartEntry, _ shown: [String]) -> HTML? {
    if past.isEmpty { return nil }
    let isShown = shown.contains(entry.id)
    let ids = isShown ? shown.filter { $0 != entry.id } : shown + [entry.id]
    if !isShown, shown.count >= Self.mostLines { return nil }
    return """
      <a class="draw" href="\(address(from: start, drawing: ids))#plot" aria-label="\(isShown ? "Do not compare" : "Compare") \(entry.name)"\(isShown ? " aria-current=\"true\"" as HTML : nil)>\(Icon.activity.html)<span>\(isShown ? "Drawn" : "Compare")</span></a>
      """
  }

  private var pager: HTML? {
    let end = min(start + Self.pageSize, entries.count)
    return Card.pager(
      "\(start + 1) to \(end) of \(entries.count)", before: start > 0 ? address(from: start - Self.pageSize) : nil,
      after: end < entries.count ? address(from: end) : nil)
  }

  private var ranges: HTML {
    Card.choices(
      "Range", Self.ranges.map { (Shown.range($0), address(from: start, since: $0), $0 == range) })
  }

  /// The movers of a kind that are shown at once.
  private static let mostMovers = 4

  /// What rose, fell, entered and left, the largest moves first.
  private var movers: HTML {
    guard let earlier = comparison.earlier else { return "" }
    let storefront = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    let kinds: [(change: ChartMover.Change, title: String, tone: String)] = [
      (.up, "Rose", "up"), (.down, "Fell", "down"), (.new, "New", "up"), (.out, "Out", "down"),
    ]
    let lists = kinds.compactMap { kind -> HTML? in
      let all = comparison.movers.filter { $0.change == kind.change }.sorted { $0.places > $1.places }
      guard !all.isEmpty else { return nil }
      let items = all.map { mover -> HTML in
        let move: String =
          switch kind.change {
          case .up: "▲ \(mover.places)"
          case .down: "▼ \(mover.places)"
          case .new: "\(mover.to ?? 0)"
          case .out: "was \(mover.from ?? 0)"
          }
        return """
          <li><a class="cut" href="\(Shown.place("apps", "\(storefront)/\(mover.id)"))">\(mover.name)</a><span class="\(kind.tone)">\(move)</span></li>
          """
      }
      let rest = Array(items.dropFirst(Self.mostMovers))
      let more: HTML =
        "<details><summary class=\"small\">\(grouped(rest.count)) more</summary><ul class=\"plain\">\(rest)</ul></details>"
      return """
        <div><h3>\(kind.title)</h3><ul class="plain">\(Array(items.prefix(Self.mostMovers)))</ul>\(rest.isEmpty ? nil : more)</div>
        """
    }
    return Card(
      id: "moves", title: "Movements", aside: "<span class=\"soft small\">since \(Shown.since(earlier))</span>",
      isLive: false, content: lists.isEmpty ? Shown.nothing("Nothing moved.") : "<div class=\"movers\">\(lists)</div>"
    ).html
  }

  /// The charts that the store has and nobody follows any more, by their paths. O(1) for each chart.
  private static func unfollowed(_ services: DaemonServices, besides follows: [String]) -> [String] {
    let known = Set(follows.map(\.exact))
    var (paths, place): ([String], String?) = ([], "")
    while let last = place, paths.count < mostUnfollowed {
      place = nil
      try? services.library.list(.charts, LibraryQuery(limit: 1, after: last)) {
        (bytes: RawSpan) throws(Failure) -> ScanStep in
        let snapshot = try Failure.from { () throws(StoreError) in try ChartSnapshot(stored: bytes, services.coder) }
        let path = "\(SourceName.appStore)/\(snapshot.seriesID)"
        if !known.contains(path.exact) { paths.append(path) }
        // Times begin with a 2; the charts of genres come after them.
        place = "\(snapshot.seriesID)/3"
        return .stop
      }
    }
    return paths
  }

  private static let mostUnfollowed = 200

  /// The charts that are followed or stored, with their first places.
  static func all(_ services: DaemonServices, start: Int) -> Page {
    let followed = services.settings.follows.filter { $0.source == .appStore }.map(\.path)
    let follows = followed + unfollowed(services, besides: followed)
    let (start, size) = (max(0, min(start, follows.count)), 12)
    let cards = follows.dropFirst(start).prefix(size).map { path -> HTML in
      let content = HomeData.read { () throws(Failure) -> HTML in
        let entries: [ChartEntry]
        do throws(Failure) { entries = try services.charts.top(path, limit: 5) } catch
          where
          error.reason == .notFound || error.reason == .usage
        { return Shown.nothing("Not synced yet.") }
        let past = try ChartPast(path, services, since: Interval(seconds: 30 * 86_400))
        return ChartList(entries: entries, past: past, prices: ChartList.prices(of: entries, services)).html
      }
      return """
        <section class="card half" aria-label="\(path)"><div class="head"><h2><a href="\(Shown.place("charts", path))">\(FollowName(path, services).title)</a></h2></div>
        \(Shown.content(content) { $0 })</section>
        """
    }
    let shown = "\(start + 1) to \(min(start + size, follows.count)) of \(grouped(follows.count))"
    return Page(
      title: "Charts", section: .charts,
      content: """
        <div class="head"><h1>Charts</h1><span class="soft">\(grouped(follows.count)) in all</span></div>
        \(cards.isEmpty ? Card.nothing(.charts, "No chart is followed.", "<a class=\"button primary\" href=\"/add/app-store\">Follow a chart</a>") : nil)
        <div id="charts" class="halves" data-live>\(cards)</div>
        \(start == 0 ? fallen(services) : nil)
        \(Card.pager(shown, before: start > 0 ? "/charts?from=\(max(0, start - size))" : nil, after: start + size < follows.count ? "/charts?from=\(start + size)" : nil))
        """)
  }

  /// The prices that fell in the last 30 days, the newest first.
  private static func fallen(_ services: DaemonServices) -> HTML? {
    let since = services.time.now + -30 * 86_400
    let changes = (try? services.charts.priceChanges(since: since, drops: true, limit: 20)) ?? []
    if changes.isEmpty { return nil }
    let rows = changes.map { change -> [HTML] in
      [
        "<a href=\"\(Shown.place("apps", "\(change.storefront)/\(change.appID)"))\">\(change.name)</a>",
        "\(Shown.price(change.previous))", "<span class=\"badge good\">\(Shown.price(change.price))</span>",
        Shown.ago(change.observedAt),
      ]
    }
    let columns: [DataTable.Column] = [
      .init("App"), .init("Was", isNumber: true), .init("Is", isNumber: true), .init("Since"),
    ]
    return Card(
      id: "fallen", title: "Prices that fell",
      content: DataTable(label: "Prices that fell", columns: columns, rows: Array(rows)).html
    ).html
  }
}

extension ChartMover {
  /// How many places it gained or lost; of one that entered or left, how high it is or was.
  fileprivate var places: Int {
    guard let from, let to else { return 1000 - (from ?? to ?? 0) }
    return abs(from - to)
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

/// The snapshots of a chart in a range of time, the newest first.
struct ChartPast: Sendable {
  private let snapshots: [ChartSnapshot]
  private let ranks: [[ExactString: Int]]

  var isEmpty: Bool { snapshots.isEmpty }

  /// About so many snapshots of the range are read: the newest of each stretch of time.
  private static let most = 90

  /// Times begin with a 2: the charts of genres, whose ids come after this one, mostly do not.
  private static func prefix(_ path: String) -> String {
    path.split(separator: "/").dropFirst().joined(separator: "/") + "/2"
  }

  /// When the chart was seen first; `nil` where it was not seen yet.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  static func first(_ path: String, _ services: DaemonServices) throws(Failure) -> Timestamp? {
    var first: Timestamp?
    try services.library.list(.charts, LibraryQuery(limit: 1, prefix: prefix(path))) {
      (bytes: RawSpan) throws(Failure) -> ScanStep in
      first = try Failure.from { () throws(StoreError) in try ChartSnapshot(stored: bytes, services.coder) }.observedAt
      return .stop
    }
    return first
  }

  /// - Throws: `Failure` where the store cannot be read, or a snapshot.
  init(_ path: String, _ services: DaemonServices, since span: Interval) throws(Failure) {
    let series = path.split(separator: "/").dropFirst().joined(separator: "/")
    let now = services.time.now
    let known = try Self.first(path, services).map { now - $0 } ?? 0
    let (start, step) = (now + -span.seconds, max(1, min(span.seconds, known) / Self.most))
    var found: [ChartSnapshot] = []
    var stretch = Int.max
    try services.library.list(.charts, LibraryQuery(descending: true, prefix: Self.prefix(path))) {
      (bytes: RawSpan) throws(Failure) -> ScanStep in
      // The id says when it was; only the newest of each stretch is read whole.
      let id = RecordRule.id(of: bytes) ?? ""
      if let at = id.split(separator: "/").last.flatMap({ Timestamp(rfc3339: String($0)) }), at >= start {
        let own = at.secondsSinceEpoch / step
        if own == stretch, found.count > 1 { return .next }
        stretch = own
      }
      let snapshot = try Failure.from { () throws(StoreError) in try ChartSnapshot(stored: bytes, services.coder) }
      guard snapshot.seriesID.exact == series.exact else { return .next }
      guard snapshot.lastObservedAt >= start else { return .stop }
      found.append(snapshot)
      return .next
    }
    snapshots = found
    ranks = found.map { snapshot in
      Dictionary(snapshot.ranks.enumerated().map { ($1.exact, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The newest snapshot that was not observed within the last 20 hours of the newest one.
  var yesterday: ChartSnapshot? { yesterdayPlace.map { snapshots[$0] } }

  private var yesterdayPlace: Int? {
    guard let newest = snapshots.first else { return nil }
    return snapshots.firstIndex { newest.lastObservedAt - $0.observedAt >= 20 * 3600 }
  }

  func yesterday(of app: String) -> Int? { yesterdayPlace.flatMap { ranks[$0][app.exact] } }

  /// The ranks of an app, the oldest first.
  func points(of app: String) -> [RankPoint] {
    zip(snapshots, ranks).reversed().map { RankPoint(observedAt: $0.observedAt, rank: $1[app.exact]) }
  }
}

/// The places of a chart, with pictures, movements, ranks over time and prices.
struct ChartList {
  let entries: [ChartEntry]
  var past: ChartPast?
  /// What the places are compared with, instead of yesterday.
  var comparison: ChartComparison?
  var prices: [ExactString: Price] = [:]
  /// The link of a row that adds its line to a drawing.
  var line: (ChartEntry) -> HTML? = { _ in nil }

  /// The prices of apps, where they are known.
  static func prices(of entries: [ChartEntry], _ services: DaemonServices) -> [ExactString: Price] {
    let prices = entries.compactMap { entry -> (ExactString, Price)? in
      guard let bytes = try? services.library.record(.apps, "\(entry.storefront)/\(entry.id)"),
        let app = (try? services.coder.decode(bytes)).flatMap({ try? App(fields: $0) }), let price = app.price
      else { return nil }
      return (entry.id.exact, price)
    }
    return Dictionary(prices) { first, _ in first }
  }

  var html: HTML {
    let items = entries.map { entry -> HTML in
      let address = Shown.place("apps", "\(entry.storefront)/\(entry.id)")
      return """
        <li><span class="rank">\(entry.rank)</span>\(picture(entry))<a href="\(address)"><span class="clamp">\(entry.name)</span>\
        <span class="cut soft small">\(entry.artist)</span></a>\
        \(past.flatMap { Sparkline($0.points(of: entry.id).map(\.rank)).html } ?? "<span class=\"spark\"></span>")\
        \(movement(entry))<span class="price">\(prices[entry.id.exact].map { Shown.price($0) } ?? "")</span>\(line(entry))</li>
        """
    }
    return "<ol class=\"ranks\">\(items)</ol>"
  }

  private func picture(_ entry: ChartEntry) -> HTML {
    let address = entry.thumbnailURL.map { Shown.media($0) } ?? "/assets/placeholder.svg"
    return "<img src=\"\(address)\" alt=\"\" width=\"44\" height=\"44\" loading=\"lazy\">"
  }

  /// Places gained or lost: by the comparison, since yesterday, or else since the snapshot before. Also in words.
  private func movement(_ entry: ChartEntry) -> HTML {
    var (isNew, old) = (entry.isNew, past?.yesterday(of: entry.id))
    if let comparison, comparison.earlier != nil {
      let mover = comparison.movers.first { $0.id.exact == entry.id.exact }
      (isNew, old) = (mover?.change == .new, mover == nil ? entry.rank : mover?.from)
    } else if past?.yesterday != nil {
      isNew = old == nil
    }
    if isNew {
      return "<span class=\"move\"><span class=\"badge good\">new</span></span>"
    }
    guard let movement = old.map({ $0 - entry.rank }) ?? entry.movement else { return "<span class=\"move\"></span>" }
    let (tone, sign, words) =
      movement > 0
      ? ("up", "▲ \(movement)", "up \(movement)")
      : movement < 0 ? ("down", "▼ \(-movement)", "down \(-movement)") : ("soft", "–", "unmoved")
    return """
      <span class="move \(tone)"\(old.map { " title=\"it was \($0)\"" as HTML })><span aria-hidden="true">\(sign)</span><span class="hidden">\(words)</span></span>
      """
  }

  static let style = """
    .halves { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--m); } @media (max-width: 1000px) { .halves { grid-template-columns: minmax(0, 1fr); } }
    .ranks { list-style: none; margin: 0; padding: 0; }
    .ranks li { display: grid; grid-template-columns: 28px 44px minmax(0, 1fr) 80px 52px 64px 104px; gap: 10px; align-items: center;
      padding: 6px 0; border-bottom: 1px solid var(--line); min-height: 58px; position: relative; } .ranks li:last-child { border-bottom: 0; }
    .ranks a { color: inherit; min-width: 0; text-decoration: none; } .ranks a:hover .clamp { text-decoration: underline; } .ranks .clamp { font-weight: 550; }
    .clamp { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; white-space: normal; line-height: 1.3; }
    .ranks a::after { content: ""; position: absolute; inset: 0; } .rank, .price { text-align: right; font-variant-numeric: tabular-nums; }
    .rank { font-weight: 600; } .price { font-size: var(--t-s); }
    .ranks img { width: 44px; height: 44px; border-radius: 10px; object-fit: cover; background: var(--fill); }
    .up { color: var(--good); } .down { color: var(--bad); } .move { font-variant-numeric: tabular-nums; font-size: var(--t-s); white-space: nowrap; }
    .app { display: flex; flex-wrap: wrap; gap: var(--m); align-items: center; margin-bottom: var(--m); } .app > img { border-radius: 16px; background: var(--fill); }
    .app > div:not(.buttons) { flex: 1 1 200px; min-width: 0; } .app p { margin: 2px 0; }
    .draw { display: flex; gap: 6px; align-items: center; justify-content: center; z-index: 1; min-height: 44px; border-radius: 10px; font-size: var(--t-s); } .ranks a.draw { color: var(--soft); }
    .ranks a.draw[aria-current] { color: var(--accent); background: var(--accentbg); } .ranks a.draw::after { content: none; }
    .movers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(140px, 100%), 1fr)); gap: var(--m) var(--l); }
    .movers h3 { margin: 0; } .movers a { white-space: normal; line-height: 1.3; } .movers a:not(:hover) { text-decoration: none; } .movers li { display: flex; gap: var(--s); justify-content: space-between; min-height: 32px; align-items: center; } .movers span { white-space: nowrap; }
    .beside { display: grid; gap: var(--m); } @media (min-width: 1200px) { main:has(> .beside) { grid: auto-flow dense / minmax(0, 3fr) minmax(0, 2fr); } main > #places { grid-column: 1; } main > .beside { grid-column: 2; position: sticky; top: 76px; } #places .spark, #plot .plot .end { display: none; }
      #places .ranks li { grid-template-columns: 28px 44px minmax(0, 1fr) 52px 64px 104px; } #plot .plot { padding-right: 16px; } #plot .legend { display: flex; } }
    @media (min-width: 1001px) { .halves > :last-child:nth-child(odd) { grid-column: 1 / -1; } }
    .halves .ranks li { grid-template-columns: 28px 44px minmax(0, 1fr) 80px 52px 64px; }
    @media (max-width: 640px) { .ranks li { grid-template-columns: 22px 44px minmax(0, 1fr) auto 44px; gap: 0 8px; } .halves .ranks li { grid-template-columns: 22px 44px minmax(0, 1fr) auto; }
      .ranks :is(.rank, img, a) { grid-row: 1 / 3; } .ranks .spark { display: none; }
      .ranks .move { grid-column: 4; grid-row: 2; text-align: right; align-self: start; }
      .ranks .price { grid-column: 4; grid-row: 1; align-self: end; } .ranks .draw { grid-column: 5; grid-row: 1 / 3; } .draw span { display: none; } .movers { grid-template-columns: minmax(0, 1fr); } .movers li { min-height: 44px; } .movers a { display: flex; align-items: center; min-height: 44px; } }

    """
}
