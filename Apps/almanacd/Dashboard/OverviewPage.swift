import Models
import Ports

/// The first page: an overview of everything.
struct OverviewPage {
  /// What it shows.
  let data: DashboardData
  /// What can be followed.
  let sources: [SourceDescriptor]

  /// The page.
  var page: Page {
    Page(
      title: "Overview",
      content: """
        <h1 class="hidden">Almanac</h1>
        <div id="problems" data-live>\(problems)</div>
        <div id="tiles" data-live>\(tiles)</div>
        \(follows)\(addition)\(charts)\(photos)\(birthdays)\(outbox)\(rejects)
        """)
  }

  private var problems: HTML {
    let items = data.problems.map { problem -> HTML in
      """
      <li><strong>\(Self.name(problem.part))</strong> \(problem.failure.message)\
      \(problem.failure.hint.map { "<br><span class=\"soft\">\($0)</span>" })</li>
      """
    }
    if items.isEmpty { return "" }
    return """
      <section class="card alarm" role="alert" aria-labelledby="problems-title"><h2 id="problems-title">Needs you</h2>
      <ul class="entries">\(items)</ul></section>
      """
  }

  private static func name(_ part: Health.Part) -> String {
    switch part {
    case .store: "The store cannot be used."
    case .config: "The new config is refused."
    case .restart: "A restart is needed."
    case .notifications: "Notifications wait."
    }
  }

  private var tiles: HTML {
    Self.content(data.summary) { summary in
      let stale = summary.status.follows.filter(\.isStale).count
      let outbox = summary.status.outbox
      let waiting = outbox.pending + outbox.conflict + outbox.refused
      return """
        <ul class="tiles" aria-label="Summary"><li><strong>\(summary.status.follows.count - stale) of \
        \(summary.status.follows.count)</strong><span>follows are fresh</span></li>
        <li><strong>\(grouped(summary.statistics.records))</strong><span>records</span></li>
        <li><strong>\(Self.size(summary.statistics.bytes))</strong><span>on the disk</span></li>
        <li><strong>\(waiting)</strong><span>\(waiting == 1 ? "edit waits" : "edits wait")</span></li></ul>
        """
    }
  }

  private var follows: HTML {
    let status = try? data.summary.get().status
    let rows = (status?.follows ?? []).map { follow -> HTML in
      let (name, tone) = Self.state(follow)
      return """
        <tr><th scope="row">\(follow.follow)\(follow.error.map { "<span class=\"error\">\([$0.message, $0.hint].compactMap { $0 }.joined(separator: "; "))</span>" })</th>
        <td class="state"><span class="badge \(tone)">\(name)</span></td>
        <td data-name="Last success">\(Self.ago(follow.lastSuccess))</td>
        <td data-name="Next">\(Self.ago(follow.next))</td>
        <td class="end"><form method="post" action="/do/sync"><input type="hidden" name="follow" \
        value="\(follow.follow)"><button aria-label="Sync \(follow.follow) now">Sync now</button></form>
        <form method="post" action="/do/unfollow"><input type="hidden" name="follow" \
        value="\(follow.follow)"><button class="quiet" aria-label="Remove \(follow.follow)">Remove</button></form></td></tr>
        """
    }
    let empty = Self.content(data.summary) { _ in
      Self.nothing("Nothing is followed yet. Begin below.")
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
      </section>
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
      <form method="post" action="/do/follow" class="fields">
      <label class="long">Path <input name="follow" required list="forms" autocomplete="off" \
      placeholder="app-store/us/top-free"></label><datalist id="forms">\(options)</datalist>
      <label>Limit <input name="limit" inputmode="numeric" pattern="[0-9]{1,9}" size="6"></label>
      <label>Every <input name="every" placeholder="1h" size="6"></label>
      <button>Follow</button></form>
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
      <div class="head"><h2 id="charts-title">Charts</h2>\(Self.pictureButton)</div>
      \(charts.isEmpty ? Self.nothing("No chart is followed. Try <code>almanac follow app-store/us/top-paid</code>.") : "<div class=\"charts\">\(charts)</div>")
      </section>
      """
  }

  private var photos: HTML {
    let items = ((try? data.photos.get().listings) ?? []).map { listing -> HTML in
      let photo = listing.photo
      return """
        <li><a href="\(Self.safe(photo.pageURL))" rel="noreferrer"><img class="picture" \
        src="\(Self.media(photo.thumbnailURL))" alt="" loading="lazy" width="150" height="112"><span class="cut">\
        \(photo.title.isEmpty ? "Untitled" : photo.title)</span></a>
        <span class="owner">\(listing.iconURL.map { "<img src=\"\(Self.media($0))\" alt=\"\" width=\"20\" height=\"20\">" })\
        <span class="cut">\(listing.owner)</span></span></li>
        """
    }
    return """
      <section class="card" id="photos" data-live aria-labelledby="photos-title">
      <div class="head"><h2 id="photos-title">Photos</h2>\(Self.inAll(try? data.photos.get().count, "photos"))</div>
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
        <span><strong>\(birthday.person.fullName)</strong>\(birthday.age.map { " turns \($0)" })</span>\
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
    let items = ((try? data.outbox.get()) ?? []).prefix(50).map { OutboxItem(entry: $0).html }
    return """
      <section class="card half" id="outbox" data-live aria-labelledby="outbox-title">
      <div class="head"><h2 id="outbox-title">Outbox</h2></div>
      \(Self.content(data.outbox) { _ in items.isEmpty ? Self.nothing("Every edit has arrived.") : "<ul class=\"entries\">\(Array(items))</ul>" })
      </section>
      """
  }

  private var rejects: HTML {
    let items = ((try? data.rejects.get().records) ?? []).map { reject -> HTML in
      """
      <li><strong>\(reject.follow)</strong> <code>\(reject.path)</code>
      <span class="soft">expected \(reject.expected), found \(reject.found) · \(Self.ago(reject.at))</span></li>
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
      <div class="head"><h2 id="rejects-title">Rejects</h2>\(Self.inAll(try? data.rejects.get().count, "rejects"))</div>\(partly)
      \(Self.content(data.rejects) { _ in items.isEmpty ? Self.nothing("Every record could be read.") : "<ul class=\"entries\">\(items)</ul>" })
      </section>
      """
  }

  /// How many there are beside those that are shown; where there are none, the card says so itself.
  private static func inAll(_ count: Int?, _ collection: String) -> HTML? {
    guard let count, count > 0 else { return nil }
    return "<a class=\"small\" href=\"/collections/\(collection)\">\(grouped(count)) in all</a>"
  }

  private static let pictureButton: HTML = """
    <form method="post" action="/do/media"><button>Fetch pictures</button></form>
    """
}

extension OverviewPage {
  /// The state of a follow, as a word and a tone.
  static func state(_ follow: FollowStatus) -> (name: String, tone: String) {
    if follow.error != nil { return ("failing", "bad") }
    if follow.lastSuccess == nil { return ("waiting", "warn") }
    return follow.isStale ? ("stale", "warn") : ("fresh", "good")
  }

  /// A time, which the script turns into `3 minutes ago`.
  static func ago(_ time: Timestamp?) -> HTML {
    guard let time else { return "<span class=\"soft\">never</span>" }
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
      "<p class=\"error\">\([failure.message, failure.hint].compactMap { $0 }.joined(separator: "; "))</p>"
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

/// An edit that waits, and what can be done about it.
struct OutboxItem {
  /// The edit.
  let entry: OutboxEntry

  /// The item of the list.
  var html: HTML {
    """
    <li><div class="head"><strong>\(entry.target)</strong>\(badge)</div>
    \(values)\(entry.lastError.map { "<span class=\"error\">\($0)</span>" })\(buttons)</li>
    """
  }

  private var badge: HTML {
    switch entry.state {
    case .pending: "<span class=\"badge\">waits</span>"
    case .conflict: "<span class=\"badge warn\">conflict</span>"
    case .refused: "<span class=\"badge bad\">refused</span>"
    }
  }

  /// The edited fields; of a removal, every field as one that is cleared.
  private var edited: JSONObject {
    guard entry.kind == .delete else { return entry.edit }
    return JSONObject(members: entry.base.keys.filter { $0 != "id" }.map { .init(key: $0, value: .null) })
  }

  private var values: HTML {
    let rows = edited.members.map { member -> HTML in
      """
      <tr><th scope="row">\(member.key)</th><td data-name="Was">\(Self.text(entry.base[member.key]))</td>\
      <td data-name="Mine">\(Self.text(member.value))</td>\
      \(entry.theirs.map { "<td data-name=\"Theirs\">\(Self.text($0[member.key]))</td>" })</tr>
      """
    }
    return """
      <table class="values stack" aria-label="The edit of \(entry.target)"><thead><tr><th scope="col">Field</th><th scope="col">Was</th><th scope="col">Mine</th>\
      \(entry.theirs == nil ? nil : "<th scope=\"col\">Theirs</th>")</tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  private var buttons: HTML {
    let actions: [(name: String, label: String)] =
      switch entry.state {
      case .conflict: [("mine", "Take mine"), ("theirs", "Take theirs"), ("discard", "Discard")]
      case .refused: [("retry", "Try again"), ("discard", "Discard")]
      case .pending: [("discard", "Discard")]
      }
    let forms = actions.map { action -> HTML in
      """
      <form method="post" action="/do/outbox/\(percentEncoded(entry.id))/\(action.name)"><button \
      aria-label="\(action.label): \(entry.target)">\(action.label)</button></form>
      """
    }
    return "<div class=\"buttons\">\(forms)</div>"
  }

  private static func text(_ value: JSONValue?) -> HTML {
    switch value {
    case .string(let text)?: Self.broken(text)
    case .number(let digits)?: "\(digits)"
    case .bool(let flag)?: "\(flag ? "yes" : "no")"
    case nil, .null?: "<span class=\"soft\">nothing</span>"
    case .array?, .object?: "…"
    }
  }

  /// The text, which breaks after an `@` sooner than within a word: an address has no spaces.
  private static func broken(_ text: String) -> HTML {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    return "\(parts[0])\(parts.dropFirst().map { "@<wbr>\($0)" as HTML })"
  }
}
