import Models
import Ports

/// What syncs changed, what could not be read, and who is told about it.
struct ActivityPage {
  private let runs: [RunLine]
  private let receivers: Result<[ReceiverState], Failure>
  private let rejects: Result<(records: [Reject], count: Int), Failure>
  private let follows: [FollowStatus]
  private let today: CivilDate
  private let pictures: PictureFetch

  init(_ services: DaemonServices, _ parts: API.Parts) async throws(Failure) {
    var lines: [RunLine] = []
    try RunLine.each(services, newest: 500) { line in
      if line.error != nil || line.added + line.updated + line.removed + line.rejected > 0 { lines.append(line) }
      return lines.count < Self.mostLines ? .next : .stop
    }
    runs = lines
    receivers = HomeData.read { () throws(Failure) in try services.notifications.states() }
    rejects = HomeData.read { () throws(Failure) in
      var records: [Reject] = []
      try services.library.list(.rejects, LibraryQuery(limit: 20)) { bytes in
        if let value = try? Reject(stored: bytes, services.coder) { records.append(value) }
        return .next
      }
      return (records, try services.library.count(.rejects))
    }
    follows = (try? services.statusCache.read(services).status.follows) ?? []
    today = services.time.now.date
    pictures = await API.pictures(services, parts)
  }

  private static let mostLines = 200

  var page: Page {
    Page(title: "Activity", section: .activity, content: "<h1>Activity</h1>\(activity)\(told)\(rejected)\(fetched)")
  }

  /// What runs did, by day.
  private var activity: HTML {
    var days: [(date: CivilDate, items: [HTML])] = []
    for run in runs {
      let date = run.startedAt.date
      if days.last?.date != date { days.append((date, [])) }
      days[days.count - 1].items.append(
        """
        <li><div class="head"><span>\(Icon(of: run.source).html) <a href="\(Shown.record("runs", run.run))">\(run.follow)</a></span>\
        <span><span class="soft small">\(Shown.ago(run.startedAt))</span> \(Self.badge(run))</span></div>\(Self.error(run))</li>
        """)
    }
    let content = days.map { day -> HTML in
      let title = day.date == today ? "Today" : Shown.date(day.date)
      return "<h3>\(title)</h3><ul class=\"entries\">\(day.items)</ul>"
    }
    return Card(
      id: "activity", title: "Syncs",
      content: content.isEmpty ? Card.nothing(.activity, "No sync has changed anything yet.") : "\(content)"
    ).html
  }

  static func badge(_ run: RunLine) -> HTML {
    if run.error != nil { return "<span class=\"badge bad\">failed</span>" }
    let counts = [(run.added, "added"), (run.updated, "updated"), (run.removed, "removed"), (run.rejected, "rejected")]
      .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let tone = counts.isEmpty ? "" : run.rejected > 0 ? "warn" : "good"
    return "<span class=\"badge \(tone)\">\(counts.isEmpty ? "unchanged" : counts.joined(separator: ", "))</span>"
  }

  static func error(_ run: RunLine) -> HTML? {
    run.error.map { error in
      let text = [error.message, error.hint?.description, error.url].compactMap(\.self).joined(separator: "; ")
      return "<span class=\"error\">\(Shown.short(text))</span>"
    }
  }

  /// The receivers of notifications, with what became of the last message to each.
  private var told: HTML? {
    let states = (try? receivers.get()) ?? []
    if states.isEmpty { return nil }
    let items = states.map { state -> HTML in
      """
      <li><div class="head"><strong>\(state.receiver)</strong>\(state.error == nil ? nil : "<span class=\"badge bad\">fails</span>" as HTML)</div>
      <span class="soft">last delivery \(Shown.ago(state.lastDelivery)), \(state.waiting) waiting</span>
      \(state.error.map { "<span class=\"error\">\(Shown.short($0)) (\(Shown.ago(state.failedAt)))</span>" as HTML })
      <div class="buttons">\(Control.button("Send a test", "/do/receivers/\(percentEncoded(state.receiver))/test", says: "Send a test message to \(state.receiver)"))</div></li>
      """
    }
    return Card(id: "receivers", title: "Notifications", content: "<ul class=\"entries\">\(items)</ul>").html
  }

  private var rejected: HTML {
    let partly = follows.filter { $0.rejected > RejectedRecords.limit }.map { follow -> HTML in
      """
      <p class="soft small">\(follow.follow): \(grouped(follow.rejected)) records were rejected; the first \
      \(grouped(RejectedRecords.limit)) are kept.</p>
      """
    }
    let count = (try? rejects.get().count) ?? 0
    let content = Shown.content(rejects) { rejects in
      let items = rejects.records.map { reject -> HTML in
        """
        <li><strong>\(reject.follow)</strong> <code>\(reject.path)</code>
        <span class="soft">expected \(Shown.short(reject.expected)), found \(Shown.short(reject.found)) · \(Shown.ago(reject.at))</span></li>
        """
      }
      return items.isEmpty ? Shown.nothing("Every record could be read.") : "<ul class=\"entries\">\(items)</ul>"
    }
    return Card(
      id: "rejects", title: "Rejects",
      aside: count > 0 ? "<a class=\"small\" href=\"/collections/rejects\">\(grouped(count)) in all</a>" : nil,
      content: "\(partly)\(content)"
    ).html
  }

  private var fetched: HTML {
    let summary = pictures.summary.map { summary -> HTML in
      "<p class=\"soft small\" id=\"summary\">\(Shown.short(summary))\(pictures.at.map { " · \(Shown.ago($0))" as HTML })</p>"
    }
    return Card(
      id: "pictures", title: "Pictures", aside: Control.button("Fetch pictures", "/do/media"),
      content: summary ?? Shown.nothing("None was fetched since the daemon began.")
    ).html
  }
}
