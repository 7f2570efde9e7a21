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
  private let own: Result<OwnChanges, Failure>
  private let services: DaemonServices
  private let name: @Sendable (String) -> FollowName

  init(_ services: DaemonServices, _ parts: API.Parts) async throws(Failure) {
    var lines: [RunLine] = []
    try RunLine.each(services) { line in
      lines.append(line)
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
    name = { FollowName($0, services) }
    pictures = await API.pictures(services, parts)
    self.services = services
    own = HomeData.read { () throws(Failure) in
      try OwnChanges(services, since: services.time.now + -Self.days * 86_400)
    }
  }

  private static let mostLines = 5000
  private static let days = 14
  /// Runs of one group that are listed.
  private static let mostListed = 20

  var page: Page {
    Page(
      title: "Activity", section: .activity, content: "<h1>Activity</h1>\(here)\(activity)\(told)\(rejected)\(fetched)")
  }

  /// What the runs of a source did on a day, or why they failed.
  private struct Group {
    let source: SourceName
    let error: Failure?
    var runs: [RunLine] = []

    func takes(_ run: RunLine) -> Bool {
      run.source == source && run.error?.reason == error?.reason && run.error?.code == error?.code
        && (run.error == nil) == (error == nil)
    }

    var words: String {
      if let error { return "\(grouped(runs.count)) failed: \(Trouble(failure: error, follow: runs[0].follow).title)" }
      return ActivityPage.words(runs) ?? "\(grouped(runs.count)) unchanged"
    }
  }

  /// What runs did, by day, source and outcome: a group opens to its runs.
  private var activity: HTML {
    var days: [(date: CivilDate, groups: [Group])] = []
    for run in runs {
      let date = run.startedAt.date
      if days.last?.date != date { days.append((date, [])) }
      let last = days.count - 1
      if let place = days[last].groups.firstIndex(where: { $0.takes(run) }) {
        days[last].groups[place].runs.append(run)
      } else {
        days[last].groups.append(Group(source: run.source, error: run.error, runs: [run]))
      }
    }
    let content = days.prefix(Self.days).map { day -> HTML in
      let title = day.date == today ? "Today" : Shown.date(day.date)
      return "<h3>\(title)</h3><ul class=\"needs runs\">\(day.groups.map(item))</ul>"
    }
    return Card(
      id: "activity", title: "Syncs",
      content: content.isEmpty ? Card.nothing(.activity, "No sync has changed anything yet.") : "\(Array(content))"
    ).html
  }

  /// What was edited and imported, each thing that was done in one line.
  private var here: HTML? {
    if case .success(let own) = own, own.actions.isEmpty { return nil }
    let content = Shown.content(own) { own in
      let items = own.actions.prefix(Self.mostListed).map { action -> HTML in
        """
        <li class="done"><a href="\(own.address(action))">\(own.words(action))</a> <span class="soft small">\(Timeline.words(action.cause, services)) · \(Shown.ago(action.at))</span></li>
        """
      }
      return "<ul class=\"entries\">\(Array(items))</ul>"
    }
    let all = "<a class=\"small\" href=\"\(ChangesPage.address(by: ChangesPage.here))\">All changes</a>" as HTML
    return Card(id: "here", title: "Changed here", aside: all, content: content).html
  }

  private func item(_ group: Group) -> HTML {
    let items = group.runs.prefix(Self.mostListed).map { run -> HTML in
      """
      <li><a href="\(Shown.record("runs", run.run))">\(name(run.follow).title)</a> <span class="soft small">\(Shown.ago(run.startedAt))</span> \(group.error == nil ? Self.badge(run) : nil)</li>
      """
    }
    let more = group.runs.count - items.count
    return """
      <li><details class="need"><summary>\(Icon(of: group.source).html)<span class="cut"><strong>\(Shown.heading(group.source.rawValue))</strong> <span class="soft">\(group.words)</span></span>\
      \(group.error == nil ? nil : "<span class=\"badge bad\">failed</span>" as HTML)<span class="soft small">\(Shown.ago(group.runs[0].startedAt))</span></summary>
      <div>\(group.error.map { Trouble(failure: $0, follow: group.runs[0].follow).html })<ul class="plain">\(Array(items))</ul>\(more > 0 ? Shown.nothing("\(grouped(more)) more") : nil)</div></details></li>
      """
  }

  static let style = """
    .runs .need > summary > .icon { color: var(--accent); } .runs + h3 { margin-top: var(--m); }
    .done { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--m); } .done > a { margin-right: auto; }
    @media (max-width: 640px) { .plain li > .soft.small { display: block; } #here .done { display: block; padding: 0 0 var(--s); } .done > .soft { display: block; } }
    .changes .named > .cut { flex: 1; } .by { display: flex; gap: .3em; white-space: nowrap; }

    """

  static func badge(_ run: RunLine) -> HTML {
    if run.error != nil { return "<span class=\"badge bad\">failed</span>" }
    let words = words([run])
    let tone = words == nil ? "" : run.rejected > 0 ? "warn" : "good"
    return "<span class=\"badge \(tone)\">\(words ?? "unchanged")</span>"
  }

  /// What runs did; `nil` where they changed nothing. What a source added may have been there before.
  private static func words(_ runs: [RunLine]) -> String? {
    let counts = [(\RunLine.added, "added"), (\.updated, "updated"), (\.removed, "removed"), (\.rejected, "rejected")]
      .map { (path, word) in (runs.reduce(0) { $0 + $1[keyPath: path] }, word) }
    let words = counts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  static func error(_ run: RunLine) -> HTML? {
    run.error.map { Trouble(failure: $0, follow: run.follow).html }
  }

  /// The receivers of notifications, with what became of the last message to each.
  private var told: HTML? {
    let states = (try? receivers.get()) ?? []
    if states.isEmpty { return nil }
    let items = states.map { state -> HTML in
      """
      <li><div class="head"><strong>\(state.receiver)</strong>\(state.error == nil ? nil : "<span class=\"badge bad\">failing</span>" as HTML)</div>
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
      <p class="soft small">\(name(follow.follow).title): \(grouped(follow.rejected)) records were left out; the first \
      \(grouped(RejectedRecords.limit)) are kept.</p>
      """
    }
    let count = (try? rejects.get().count) ?? 0
    let content = Shown.content(rejects) { rejects in
      let items = rejects.records.map { reject -> HTML in
        """
        <li><strong>\(name(reject.follow).title)</strong>: found \(Shown.short(reject.found)), expected \(Shown.short(reject.expected))
        <div class="soft small"><code>\(reject.path)</code> · \(Shown.ago(reject.at))</div></li>
        """
      }
      return items.isEmpty ? Shown.nothing("Every record could be read.") : "<ul class=\"entries\">\(items)</ul>"
    }
    return Card(
      id: "rejects", title: "Left out",
      aside: count > 0 ? "<a class=\"small\" href=\"/collections/rejects\">\(grouped(count)) in all</a>" : nil,
      content:
        "\(count > 0 ? "<p class=\"soft small\">A server sent these records in a form that cannot be read. The place in its answer is named, and what was there.</p>" as HTML : nil)\(partly)\(content)"
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
