import Models
import Ports

/// The first page: an overview of everything.
struct OverviewPage {
  let data: DashboardData
  let sources: [SourceDescriptor]
  /// The form that added a follow, if it was refused.
  var refused: RefusedForm?
  /// The form that changed a follow, if it was refused.
  var refusedChange: RefusedForm?

  var page: Page {
    Page(
      title: "Overview",
      content: """
        <h1 class="hidden">Almanac</h1>
        <div id="problems" data-live>\(problems)\(decisions)</div>
        <div id="tiles" data-live>\(tiles)\(data.role.map { "<p class=\"soft\">\($0)</p>" as HTML })</div>
        \(followSearch)\(follows)\(addition)\(charts)\(photos)\(birthdays)\(outbox)\(receivers)\(rejects)
        """)
  }

  private var problems: HTML {
    let items = data.problems.map { problem -> HTML in
      """
      <li><strong>\(Self.name(problem.part))</strong> \(problem.failure.message)\
      \((problem.failure.hint?.description ?? "").split(separator: "\n").map { "<br><span class=\"soft\">\(String($0))</span>" as HTML })</li>
      """
    }
    if items.isEmpty { return "" }
    return """
      <section class="card alarm" role="alert" aria-labelledby="problems-title"><h2 id="problems-title">Needs you</h2>
      <ul class="entries">\(items)</ul></section>
      """
  }

  /// The edits that a person has to decide about, with their buttons.
  private var decisions: HTML? {
    let items = edits { $0.state != .pending }
    guard !items.isEmpty else { return nil }
    return """
      <section class="card alarm" aria-labelledby="decisions-title"><h2 id="decisions-title">Edits that need you</h2>
      <ul class="entries">\(items)</ul></section>
      """
  }

  /// The first edits of a kind.
  private func edits(where isMeant: (OutboxEntry) -> Bool) -> [HTML] {
    ((try? data.outbox.get()) ?? []).filter(isMeant).prefix(DashboardData.editsShown).map { entry in
      OutboxItem(
        entry: entry, tag: OutboxItem.tag(of: entry, data.coder), following: data.following[entry.$id] ?? [:],
        hold: data.holds[entry.$target]
      ).html
    }
  }

  private static func name(_ part: Health.Part) -> String {
    switch part {
    case .store: "The store cannot be used."
    case .config: "The new config is refused."
    case .restart: "A restart is needed."
    case .notifications: "Notifications wait."
    case .edits: "Edits need a decision."
    }
  }

  private var tiles: HTML {
    Self.content(data.summary) { summary in
      let active = summary.status.follows.filter { !$0.isPaused }
      let stale = active.filter(\.isStale).count
      let outbox = summary.status.outbox
      let waiting = outbox.pending + outbox.conflict + outbox.refused
      return """
        <ul class="tiles" aria-label="Summary"><li><strong>\(active.count - stale) of \(active.count)</strong>\
        <span>follows are fresh\(active.count < summary.status.follows.count ? ", \(summary.status.follows.count - active.count) paused" : "")</span></li>
        <li><strong>\(grouped(summary.statistics.records))</strong><span>records</span></li>
        <li><strong>\(Self.size(summary.statistics.bytes))</strong><span>on the disk</span></li>
        <li><strong>\(waiting)</strong><span>\(waiting == 1 ? "edit waits" : "edits wait")</span></li></ul>
        """
    }
  }

  private var allFollows: [FollowStatus] { (try? data.summary.get().status.follows) ?? [] }

  /// The search is not renewed with the list, so that nothing is lost while somebody types.
  private var followSearch: HTML? {
    guard allFollows.count > DashboardData.followsShown || !data.query.search.isEmpty else { return nil }
    return """
      <section class="card" aria-label="Find a follow"><form method="get" action="/#follows" class="fields" role="search">
      <label class="long">Find a follow <input type="search" name="follow" value="\(data.query.search)"></label>
      <button>Find</button></form></section>
      """
  }

  /// Links to the pages before and after.
  private func pages(of count: Int) -> HTML? {
    let (start, size) = (data.query.start, DashboardData.followsShown)
    guard start > 0 || start + size < count else { return nil }
    let before: HTML? =
      start > 0 ? "<a href=\"\(data.query.address(from: max(0, start - size)))\" rel=\"prev\">Previous</a> " : nil
    let after: HTML? =
      start + size < count ? " <a href=\"\(data.query.address(from: start + size))\" rel=\"next\">Next</a>" : nil
    let shown = "\(grouped(min(start + 1, count))) to \(grouped(min(start + size, count))) of \(grouped(count))"
    return "<p>\(before)<span class=\"soft small\">\(shown)</span>\(after)</p>"
  }

  private var follows: HTML {
    let matches = data.query.matches(in: allFollows)
    let rows = matches.dropFirst(data.query.start).prefix(DashboardData.followsShown).map { follow -> HTML in
      let (name, tone) = Self.state(follow)
      return """
        <tr><th scope="row">\(follow.follow)\(Self.origin(of: follow))\(Self.problem(of: follow))\(Self.puller(of: follow))</th>
        <td class="state"><span class="badge \(tone)">\(name)</span></td>
        <td data-name="Last success">\(Self.ago(follow.lastSuccess, orElse: follow.isSuccessUndated ? "not known" : "never"))</td>
        <td data-name="Next">\(follow.isPaused ? "<span class=\"soft\">paused</span>" : Self.ago(follow.next))</td>
        <td class="end"><form method="post" action="/do/sync"><input type="hidden" name="follow" \
        value="\(follow.follow)"><button aria-label="Sync \(follow.follow) now">Sync now</button></form>
        <form method="post" action="/do/pause"><input type="hidden" name="follow" value="\(follow.follow)">\
        <input type="hidden" name="paused" value="\(follow.isPaused ? "false" : "true")">\
        <button class="quiet" aria-label="\(follow.isPaused ? "Resume" : "Pause") \(follow.follow)">\(follow.isPaused ? "Resume" : "Pause")</button></form>
        \(change(of: follow))<details class="asks"><summary class="quiet" aria-label="Remove \(follow.follow)">Remove</summary>
        <p class="small">It will not be synced any more. Its records stay.</p>
        <form method="post" action="/do/unfollow"><input type="hidden" name="follow" value="\(follow.follow)">\
        <button aria-label="Remove it: \(follow.follow)">Remove it</button></form></details></td></tr>
        """
    }
    let empty = Self.content(data.summary) { _ in
      Self.nothing(allFollows.isEmpty ? "Nothing is followed yet. Begin below." : "No follow matches.")
    }
    return """
      <section class="card" id="follows" data-live aria-labelledby="follows-title">
      <div class="head"><h2 id="follows-title">Follows</h2>
      \(rows.isEmpty ? nil : "<form method=\"post\" action=\"/do/sync\"><button>Sync all now</button></form>")</div>
      \(rows.isEmpty ? empty : """
        <table class="stack follows" aria-labelledby="follows-title"><thead><tr><th scope="col">Follow</th><th scope="col">State</th>\
        <th scope="col">Last success</th><th scope="col">Next</th><th><span class="hidden">Action</span></th></tr>\
        </thead><tbody>\(rows)</tbody></table>
        """)
      \(pages(of: matches.count))</section>
      """
  }

  /// Where the follow is kept, if not with the others of the store.
  private static func origin(of follow: FollowStatus) -> HTML? {
    follow.origin == .config ? "<br><span class=\"soft small\">in the config of this machine</span>" : nil
  }

  /// The form that changes a follow: it shows what is set; a field that is emptied takes it away.
  private func change(of follow: FollowStatus) -> HTML {
    let set = data.follows[follow.follow.exact]
    let refused = refusedChange.value("follow")?.exact == follow.follow.exact ? refusedChange : nil
    let limit = refused.field("limit", stored: set?.text("limit") ?? "")
    let every = refused.field("every", stored: set?.text("every") ?? "")
    return """
      <details class="asks"\(refused == nil ? nil : " open" as HTML)><summary class="quiet" aria-label="Change \(follow.follow)">Change</summary>
      <form method="post" action="/do/change" class="fields" autocomplete="off">\(refused?.message)\
      <input type="hidden" name="follow" value="\(follow.follow)">
      <label>Limit <input name="limit" inputmode="numeric" pattern="\\s*[0-9]{0,9}\\s*" size="6" \
      value="\(limit.value)"\(limit.attributes)>\(limit.notes)</label>
      <label>Every <input name="every" placeholder="1h" size="6" \
      value="\(every.value)"\(every.attributes)>\(every.notes)</label>
      <button aria-label="Save \(follow.follow)">Save</button></form></details>
      """
  }

  /// The form that adds a follow. It is not renewed, so that nothing is lost while somebody types.
  private var addition: HTML {
    let forms = sources.flatMap(\.forms)
    let options = forms.map { form -> HTML in
      "<option value=\"\(form.template.contains("{") ? form.prefix : form.template)\">\(form.summary)</option>"
    }
    let rows = sources.map { source -> HTML in
      let forms = source.forms.map { form -> HTML in
        """
        <li><code>\(form.text)</code> \(form.summary)\
        \(form.limit.map { "<span class=\"soft\">, up to \($0.largest), \($0.standard) by default</span>" })</li>
        """
      }
      return """
        <li><strong>\(source.name.rawValue)</strong> \(source.summary)\(source.pathNote.map { "<span class=\"soft\">; \($0)</span>" })
        <ul>\(forms)</ul></li>
        """
    }
    return """
      <section class="card" id="add" aria-labelledby="add-title">
      <div class="head"><h2 id="add-title">Follow something</h2></div>
      <form method="post" action="/do/follow" class="fields">\(refused?.message)
      <label class="long">Path <input name="follow" required list="forms" autocomplete="off" \
      placeholder="app-store/us/top-free" value="\(refused.value("follow") ?? "")"\(refused.attributes("follow"))>\
      \(refused.message("follow"))</label><datalist id="forms">\(options)</datalist>
      <label>Limit <input name="limit" inputmode="numeric" pattern="\\s*[0-9]{0,9}\\s*" size="6" \
      value="\(refused.value("limit") ?? "")"\(refused.attributes("limit"))>\(refused.message("limit"))</label>
      <label>Every <input name="every" placeholder="1h" size="6" \
      value="\(refused.value("every") ?? "")"\(refused.attributes("every"))>\(refused.message("every"))</label>
      <button>Follow</button></form>
      <p class="soft small">\(data.keepsFollows ? "New follows are kept in the store, for all its daemons." : "Follows are kept in the config.")
      The config of this machine was read \(Self.ago(data.configReadAt)).</p>
      <details><summary>What can be followed</summary><ul class="entries">\(rows)</ul></details>
      </section>
      """
  }

  private var charts: HTML {
    let charts = data.charts.map { chart -> HTML in
      let address = "/charts/" + chart.path.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/")
      return """
        <div><h3><a href="\(address)">\(chart.path.split(separator: "/").dropFirst().joined(separator: " · "))</a></h3>
        \(Self.content(chart.entries) { $0.isEmpty ? Self.nothing("Not synced yet.") : ChartList(entries: $0).html })</div>
        """
    }
    return """
      <section class="card" id="charts" data-live aria-labelledby="charts-title">
      <div class="head"><h2 id="charts-title">Charts</h2>\(allCharts)\(Self.pictureButton)</div>
      \(data.pictures.summary.map { "<p class=\"soft small\" id=\"pictures\">\(Self.short($0))\(data.pictures.at.map { " · \(Self.ago($0))" })</p>" })
      \(charts.isEmpty ? Self.nothing("No chart is followed. Try <code>almanac follow app-store/us/top-paid</code>.") : "<div class=\"charts\">\(charts)</div>")
      </section>
      """
  }

  private var allCharts: HTML? {
    guard data.chartCount > data.charts.count else { return nil }
    return "<a class=\"small\" href=\"/charts\">\(grouped(data.chartCount)) in all</a>"
  }

  private var photos: HTML {
    let items = ((try? data.photos.get().listings) ?? []).map(PhotoPages.item)
    return """
      <section class="card" id="photos" data-live aria-labelledby="photos-title">
      <div class="head"><h2 id="photos-title">Photos</h2>\(Self.inAll(try? data.photos.get().count, "/photos"))</div>
      \(Self.content(data.photos) { _ in items.isEmpty ? Self.nothing("No photos yet. Try <code>almanac follow flickr/interestingness</code>.") : "<ul class=\"photos\">\(items)</ul>" })
      </section>
      """
  }

  private var birthdays: HTML {
    let items = ((try? data.birthdays.get()) ?? []).prefix(10).map { birthday -> HTML in
      let days = birthday.date.daysSinceEpoch - data.today.daysSinceEpoch
      let when = days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days"
      return """
        <li><time datetime="\(birthday.date.description)">\(Self.day(birthday.date))</time>\
        <span><a href="/collections/people/\(percentEncoded(birthday.person.id))">\(birthday.person.fullName)</a>\(birthday.age.map { " turns \($0)" })</span>\
        <span class="soft">\(when)</span></li>
        """
    }
    return """
      <section class="card half" id="birthdays" data-live aria-labelledby="birthdays-title">
      <div class="head"><h2 id="birthdays-title">Next birthdays</h2></div>
      \(Self.content(data.birthdays) { _ in items.isEmpty ? Self.nothing("None in the next 60 days.") : "<ul class=\"days\">\(Array(items))</ul>" })
      </section>
      """
  }

  private var outbox: HTML {
    let items = edits { $0.state == .pending }
    let nothing: HTML = decisions == nil ? "Every edit has arrived." : "The edits that need you are above."
    return """
      <section class="card half" id="outbox" data-live aria-labelledby="outbox-title">
      <div class="head"><h2 id="outbox-title">Outbox</h2>\(Self.inAll((try? data.outbox.get().count).flatMap { $0 > DashboardData.editsShown ? $0 : nil }, "outbox"))</div>
      \(Self.content(data.outbox) { _ in items.isEmpty ? Self.nothing(nothing) : "<ul class=\"entries\">\(items)</ul>" })
      </section>
      """
  }

  /// The receivers of notifications, with what became of the last message to each.
  private var receivers: HTML? {
    let states = (try? data.receivers.get()) ?? []
    if states.isEmpty { return nil }
    let items = states.map { state -> HTML in
      """
      <li><div class="head"><strong>\(state.receiver)</strong>\(state.error == nil ? nil : "<span class=\"badge bad\">fails</span>")</div>
      <span class="soft">last delivery \(Self.ago(state.lastDelivery)), \(state.waiting) waiting</span>
      \(state.error.map { "<span class=\"error\">\(Self.short($0)) (\(Self.ago(state.failedAt)))</span>" })
      <div class="buttons"><form method="post" action="/do/receivers/\(percentEncoded(state.receiver))/test"><button \
      aria-label="Send a test message to \(state.receiver)">Send a test</button></form></div></li>
      """
    }
    return """
      <section class="card half" id="receivers" data-live aria-labelledby="receivers-title">
      <div class="head"><h2 id="receivers-title">Notifications</h2></div>
      <ul class="entries">\(items)</ul>
      </section>
      """
  }

  private var rejects: HTML {
    let items = ((try? data.rejects.get().records) ?? []).map { reject -> HTML in
      """
      <li><strong>\(reject.follow)</strong> <code>\(reject.path)</code>
      <span class="soft">expected \(Self.short(reject.expected)), found \(Self.short(reject.found)) · \(Self.ago(reject.at))</span></li>
      """
    }
    let partly = ((try? data.summary.get().status.follows) ?? []).filter { $0.rejected > RejectedRecords.limit }.map {
      follow -> HTML in
      """
      <p class="soft small">\(follow.follow): \(grouped(follow.rejected)) records were rejected; the first \
      \(grouped(RejectedRecords.limit)) are kept.</p>
      """
    }
    return """
      <section class="card" id="rejects" data-live aria-labelledby="rejects-title">
      <div class="head"><h2 id="rejects-title">Rejects</h2>\(Self.inAll(try? data.rejects.get().count, "/collections/rejects"))</div>\(partly)
      \(Self.content(data.rejects) { _ in items.isEmpty ? Self.nothing("Every record could be read.") : "<ul class=\"entries\">\(items)</ul>" })
      </section>
      """
  }

  /// How many there are beside those that are shown; where there are none, the card says so itself.
  private static func inAll(_ count: Int?, _ address: String) -> HTML? {
    guard let count, count > 0 else { return nil }
    return "<a class=\"small\" href=\"\(address)\">\(grouped(count)) in all</a>"
  }

  private static let pictureButton: HTML = """
    <form method="post" action="/do/media"><button>Fetch pictures</button></form>
    """
}

extension OverviewPage {
  /// The state of a follow, as a word and a tone.
  static func state(_ follow: FollowStatus) -> (name: String, tone: String) {
    let tone =
      switch follow.state {
      case .paused: ""
      case .waiting, .stale: "warn"
      case .failing: "bad"
      case .fresh: "good"
      }
    return (follow.state.rawValue, tone)
  }

  /// Why a follow failed, or until when nothing is asked, and why.
  private static func problem(of follow: FollowStatus) -> HTML? {
    guard let error = follow.problem else { return nil }
    if let end = follow.pausedUntil {
      return "<span class=\"error\">paused until \(ago(end)): \(short(error.message))</span>"
    }
    let hint = error.isPause ? nil : error.hint?.description
    return "<span class=\"error\">\(short([error.message, hint].compactMap { $0 }.joined(separator: "; ")))</span>"
  }

  /// Which program pulls a follow, where several may.
  private static func puller(of follow: FollowStatus) -> HTML? {
    follow.pulledBy.map { "<span class=\"soft small\">pulled by \($0)</span>" }
  }

  static func moment(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.description)\">\(time.description.replacing("T", with: " "))</time>"
  }

  /// A time, which the script turns into `3 minutes ago`.
  static func ago(_ time: Timestamp?, orElse text: String = "never") -> HTML {
    guard let time else { return "<span class=\"soft\">\(text)</span>" }
    let text = time.description
    return "<time datetime=\"\(text)\" data-ago>\(text.replacing("T", with: " "))</time>"
  }

  /// `Nov 21`.
  static func day(_ date: CivilDate) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(months[date.month - 1]) \(date.day)"
  }

  /// Bytes for people.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["B", "KB", "MB", "GB"] {
      if value < 1000 || unit == "GB" {
        let tenths = Int((value * 10).rounded())
        return unit == "B" || tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      value /= 1000
    }
    return "\(bytes) B"
  }

  /// The text, cut where it is so long that it would hide everything else.
  static func short(_ text: String, _ most: Int = 300) -> String {
    text.utf8.count <= most ? text : text.count <= most ? text : text.prefix(most) + "…"
  }

  static func name(_ text: String) -> String { short(text, 100) }

  /// Where the daemon serves the picture of an address.
  static func media(_ url: String) -> String { "/media/\(percentEncoded(url))" }

  /// The address, if it is one that a link may lead to.
  static func safe(_ url: String) -> String {
    url.hasPrefix("https://") || url.hasPrefix("http://") ? url : "#"
  }

  /// A section's content, or why it cannot be shown.
  static func content<Value>(_ part: Result<Value, Failure>, _ make: (Value) -> HTML) -> HTML {
    switch part {
    case .success(let value): make(value)
    case .failure(let failure):
      "<p class=\"error\">\([failure.message, failure.hint?.description].compactMap { $0 }.joined(separator: "; "))</p>"
    }
  }

  /// The text of an empty section.
  static func nothing(_ text: HTML) -> HTML { "<p class=\"soft\">\(text)</p>" }
}

/// A number with a thin space between thousands.
func grouped(_ number: Int) -> String {
  var result = ""
  let digits = String(number)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result += "\u{202F}" }
    result.append(digit)
  }
  return result
}
