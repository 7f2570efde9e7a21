import Models
import Ports

/// How much of a whole each part has, as a bar.
struct ShareBar {
  let parts: [(count: Int, tone: String, name: String)]

  /// The bar; `nil` where everything is in its first part, as it should be.
  var html: HTML? {
    guard parts.dropFirst().contains(where: { $0.count > 0 }) else { return nil }
    let total = max(1, parts.reduce(0) { $0 + $1.count })
    var start = 0
    var pieces: [HTML] = []
    for part in parts where part.count > 0 {
      // A part that is there is seen, however small.
      let width = max(12, part.count * 1000 / total)
      pieces.append("<rect class=\"fill-\(part.tone)\" x=\"\(start)\" width=\"\(width)\" height=\"10\"/>")
      start += width
    }
    return """
      <svg class="meter" viewBox="0 0 \(max(1000, start)) 10" preserveAspectRatio="none" role="img" aria-label="\(words)">\(pieces)</svg>
      """
  }

  /// `12 fresh, 1 failing`.
  var words: String {
    parts.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.name)" }.joined(separator: ", ")
  }
}

/// The last runs of a follow by time, each as a block that leads to it.
struct RunBlocks {
  /// The most runs that are shown, and the fewest that are worth it.
  static let (most, fewest) = (20, 5)

  /// The newest first.
  let runs: [RunLine]

  var html: HTML? {
    guard runs.count >= Self.fewest else { return nil }
    let blocks = runs.prefix(Self.most).reversed().map { run -> HTML in
      let isBad = run.error != nil
      let words =
        "\(Shown.day(run.startedAt.date)), \(Shown.clock(run.startedAt)) UTC · \(isBad ? "failed" : "succeeded") · \(run.seconds) s"
      return """
        <li><a href="\(Shown.record("runs", run.run))" title="\(words)" class="\(isBad ? "bad" : "good")"><span class="hidden">\(words)</span></a></li>
        """
    }
    return "<ol class=\"blocks\" aria-label=\"The last \(blocks.count) runs\">\(Array(blocks))</ol>"
  }
}

/// The ranks of one app, as a line without words: the best at the top.
struct Sparkline {
  private let ranks: [Int?]
  private static let mostPoints = 16

  init(_ ranks: [Int?]) {
    let step = max(1, (ranks.count + Self.mostPoints - 1) / Self.mostPoints)
    // The newest one is always there.
    self.ranks = ranks.enumerated().filter { (ranks.count - 1 - $0.offset) % step == 0 }.map(\.element)
  }

  var html: HTML? {
    let known = ranks.compactMap(\.self)
    guard known.count > 2, let best = known.min(), let worst = known.max() else { return nil }
    let step = 80 / max(1, ranks.count - 1)
    let points = ranks.enumerated().compactMap { index, rank in
      rank.map { "\(index * step) \(best == worst ? 10 : 2 + 16 * ($0 - best) / (worst - best))" }
    }
    return
      "<svg class=\"spark\" viewBox=\"0 0 80 20\" aria-hidden=\"true\"><polyline points=\"\(points.joined(separator: ","))\"/></svg>"
  }
}

/// Ranks over time as a drawing, rank 1 at the top: one line for each app.
struct RankPlot {
  struct Line: Sendable {
    let name: String
    let points: [RankPoint]
  }

  private let lines: [Line]
  private let best: Int
  private let worst: Int
  private let first: Timestamp
  private let last: Timestamp

  /// The plot, or the sentence in place of one.
  static func html(_ lines: [Line], title: String) -> HTML {
    RankPlot(lines)?.svg(title: title) ?? Shown.nothing("No rank was seen in this time.")
  }

  /// A plot; `nil` where no line has a rank.
  private init?(_ lines: [Line]) {
    let points = lines.flatMap(\.points)
    let ranks = points.compactMap(\.rank)
    let times = points.map(\.observedAt)
    guard let best = ranks.min(), let worst = ranks.max(), let first = times.min(), let last = times.max() else {
      return nil
    }
    self.lines = lines.map { line in
      // More points than the drawing has places would only make the page longer.
      let step = max(1, line.points.count / Self.mostPoints)
      guard step > 1, let last = line.points.last else { return line }
      let some = line.points.enumerated().filter { $0.offset % step == 0 }.map(\.element)
      return Line(name: line.name, points: some + [last])
    }
    (self.best, self.worst, self.first, self.last) = (best, worst, first, last)
  }

  /// Whether points of one day are told apart by their times.
  private var isShort: Bool { last - first < 3 * 86_400 }

  private static let mostPoints = 380
  /// The distance between two names at the ends of lines, in thousandths of the height.
  private static let gap = 60

  /// The place of a point, in thousandths of the width: the page decides how wide the drawing is.
  private func x(_ point: RankPoint) -> Int {
    first == last ? 500 : 1000 * (point.observedAt - first) / (last - first)
  }

  /// The place of a rank, in thousandths of the height.
  private func y(_ rank: Int) -> Int { best == worst ? 500 : 1000 * (rank - best) / (worst - best) }

  private static func share(_ thousandths: Int) -> String { "\(thousandths / 10).\(thousandths % 10)%" }

  /// The names at the ends of the lines, apart from one another.
  private var ends: [HTML] {
    var names = lines.compactMap { line in line.points.last?.rank.map { (text: line.name, y: y($0)) } }
    names.sort { $0.y < $1.y }
    for place in names.indices.dropFirst() { names[place].y = max(names[place].y, names[place - 1].y + Self.gap) }
    // What does not fit below moves the others up.
    var lowest = 1000
    for place in names.indices.reversed() {
      names[place].y = min(names[place].y, lowest)
      lowest = names[place].y - Self.gap
    }
    return names.map { name in
      "<text class=\"end\" x=\"100%\" dx=\"10\" y=\"\(Self.share(name.y))\" dy=\"4\">\(Shown.short(name.text, 20))</text>"
    }
  }

  /// The drawing, with its meaning in words, and with a legend where there are several lines.
  private func svg(title: String) -> HTML {
    let grid = Set([best, (best + worst) / 2, worst]).sorted().map { rank -> HTML in
      """
      <line class="grid" x1="0" x2="100%" y1="\(Self.share(y(rank)))" y2="\(Self.share(y(rank)))"/>\
      <text x="-8" y="\(Self.share(y(rank)))" dy="4" text-anchor="end">\(rank)</text>
      """
    }
    let curves = lines.enumerated().map { number, line in curve(line, number) }
    let isOneDay = first.date == last.date && last > first
    let from = isOneDay ? Shown.clock(first) : Shown.date(first.date)
    let to = isOneDay ? "\(Shown.clock(last)) UTC" : Shown.date(last.date)
    let legend = lines.enumerated().map { number, line -> HTML in
      "<li><svg class=\"line\(number)\" viewBox=\"0 0 20 10\" aria-hidden=\"true\"><path d=\"M0 5h20\"/></svg>\(line.name)</li>"
    }
    let names = lines.count > 1 ? ends : []
    return """
      <div class="plotted"><svg class="plot\(names.isEmpty ? "" : " named")" role="img" tabindex="0" aria-label="\(title): ranks \(best) to \
      \(worst) \(first == last ? "on \(from)" : "from \(from) to \(to)"). The arrow keys lead through the points.">\(grid)\(curves)\(names)\
      \(first == last ? "<text x=\"50%\" y=\"100%\" dy=\"28\" text-anchor=\"middle\">\(from)</text>" : "<text x=\"0\" y=\"100%\" dy=\"28\">\(from)</text><text x=\"100%\" y=\"100%\" dy=\"28\" text-anchor=\"end\">\(to)</text>" as HTML)</svg>\
      <p class="point small" aria-live="polite"></p></div>
      \(lines.count > 1 ? "<ul class=\"legend\(names.count == lines.count ? " narrow" : "")\">\(legend)</ul>" as HTML : nil)
      """
  }

  private func curve(_ line: Line, _ number: Int) -> HTML {
    // Stretches without a gap.
    let stretches = line.points.split { $0.rank == nil }.filter { $0.count > 1 }.map { stretch -> HTML in
      let path = stretch.map { "\(x($0)),\(y($0.rank ?? worst))" }.joined(separator: " ")
      return "<polyline points=\"\(path)\"/>"
    }
    let ranks = line.points.map(\.rank)
    let dots = line.points.enumerated().filter { $0.element.rank != nil }.map { place, point -> HTML in
      // What no line leads to is seen by its dot, and so is the last one; the others are seen where somebody points.
      let isAlone = (place == 0 || ranks[place - 1] == nil) && (place + 1 == ranks.count || ranks[place + 1] == nil)
      return """
        <circle\(isAlone || place + 1 == ranks.count ? " class=\"dot\"" as HTML : nil) cx="\(Self.share(x(point)))" cy="\(Self.share(y(point.rank ?? worst)))" r="4"><title>\(lines.count > 1 ? "\(line.name), " : "")\
        \(Shown.date(point.observedAt.date)): rank \(point.rank ?? 0)</title></circle>
        """
    }
    return """
      <g class="line\(number)"><svg viewBox="0 0 1000 1000" preserveAspectRatio="none">\(stretches)</svg>\(dots)</g>
      """
  }

  static let style = """
    .fill-good { fill: var(--good); } .fill-warn { fill: var(--warn); } .fill-bad { fill: var(--bad); } .fill-rest { fill: var(--edge); }
    .fill-accent { fill: var(--accent); } .meter { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--fill); }
    .blocks { list-style: none; display: flex; gap: 4px; margin: 0 0 var(--m); padding: 0; max-width: 560px; } .blocks li { flex: 1 1 0; max-width: 26px; }
    .blocks a { display: block; height: 28px; border-radius: 5px; background: var(--good); border: 1px solid transparent; position: relative; } .blocks a.bad { background: var(--bad); height: 16px; margin-top: 12px; }
    .spark { width: 80px; height: 20px; fill: none; stroke: var(--accent); stroke-width: 1.75; stroke-linejoin: round; }
    .plotted { position: relative; margin-top: var(--m); } .plot { width: 100%; height: 320px; padding: 14px 16px 38px 36px; display: block; overflow: visible; } .plot text { fill: var(--soft); font-size: 12px; } .plot .end { fill: var(--ink); }
    .plot.named { padding-right: 160px; } .plot svg { overflow: visible; } .plot polyline { vector-effect: non-scaling-stroke; }
    .plot .grid { stroke: var(--line); } .plot g, .legend svg { --tint: var(--accent); } .plot polyline, .legend path { fill: none;
      stroke: var(--tint); stroke-width: 2.5; stroke-linejoin: round; } .plot circle { fill: var(--tint); stroke: var(--card); stroke-width: 2; } .plot circle:not(.dot, .on) { opacity: 0; }
    .plot .line1, .legend .line1 { --tint: var(--good); } .plot .line2, .legend .line2 { --tint: var(--bad); }
    .plot .on { r: 8px; } .point { position: absolute; margin: 0; padding: 4px 10px; border: 1px solid var(--rim); border-radius: 8px; background: var(--card); pointer-events: none; } .point:empty { display: none; } .plot .line5, .legend .line5 { --tint: #c2447e; } .plot .line6, .legend .line6 { --tint: #1f8a99; }
    .plot .line7, .legend .line7 { --tint: #8a8f99; } .plot .line3, .legend .line3 { --tint: var(--warn); } .plot .line4, .legend .line4 { --tint: #8a5cd6; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: var(--xs) var(--m); margin: var(--s) 0 0; padding: 0; font-size: var(--t-s); }
    .legend svg { width: 20px; height: 10px; margin-right: 6px; }
    @media (min-width: 641px) { .legend.narrow { display: none; } }
    @media (max-width: 640px) { .plot { height: 220px; } .plot.named { padding-right: 16px; } .plot .end { display: none; } }

    """
}
