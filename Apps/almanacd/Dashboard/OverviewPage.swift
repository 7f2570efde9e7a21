import Models
import Ports

/// The first page: how everything stands.
struct OverviewPage {
  /// What it shows.
  let data: DashboardData

  /// The page.
  var page: Page {
    Page(
      title: "Overview",
      content: """
        <h1 class="hidden">Almanac</h1>
        <ul class="tiles" id="tiles" data-live aria-label="Summary">\(tiles)</ul>
        \(follows)\(charts)\(photos)\(birthdays)\(outbox)\(rejects)
        """)
  }

  private var tiles: HTML {
    let stale = data.status.follows.filter(\.isStale).count
    let outbox = data.status.outbox
    let waiting = outbox.pending + outbox.conflict + outbox.refused
    return """
      <li><strong>\(data.status.follows.count - stale) of \(data.status.follows.count)</strong><span>follows are \
      fresh</span></li>
      <li><strong>\(grouped(data.statistics.records))</strong><span>records</span></li>
      <li><strong>\(Self.size(data.statistics.bytes))</strong><span>on the disk</span></li>
      <li><strong>\(waiting)</strong><span>\(waiting == 1 ? "edit waits" : "edits wait")</span></li>
      """
  }

  private var follows: HTML {
    let rows = data.status.follows.map { follow -> HTML in
      let (name, tone) = Self.state(follow)
      return """
        <tr><th scope="row">\(follow.follow)\(follow.error.map { "<span class=\"error\">\([$0.message, $0.hint].compactMap { $0 }.joined(separator: "; "))</span>" })</th>
        <td class="state"><span class="badge \(tone)">\(name)</span></td>
        <td data-name="Last success">\(Self.ago(follow.lastSuccess))</td>
        <td data-name="Next">\(Self.ago(follow.next))</td>
        <td class="end"><form method="post" action="/do/sync"><input type="hidden" name="follow" \
        value="\(follow.follow)"><button aria-label="Sync \(follow.follow) now">Sync now</button></form></td></tr>
        """
    }
    return """
      <section class="card" id="follows" data-live aria-labelledby="follows-title">
      <div class="head"><h2 id="follows-title">Follows</h2>
      \(rows.isEmpty ? nil : "<form method=\"post\" action=\"/do/sync\"><button>Sync all now</button></form>")</div>
      \(rows.isEmpty ? Self.nothing("Nothing is followed yet. Try <code>almanac follow app-store/us/top-free</code>.") : """
        <table class="stack follows" aria-labelledby="follows-title"><thead><tr><th scope="col">Follow</th><th scope="col">State</th>\
        <th scope="col">Last success</th><th scope="col">Next</th><th><span class="hidden">Action</span></th></tr>\
        </thead><tbody>\(rows)</tbody></table>
        """)
      </section>
      """
  }

  private var charts: HTML {
    let charts = data.charts.map { chart -> HTML in
      let address = "/charts/" + chart.path.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/")
      return """
        <div><h3><a href="\(address)">\(chart.path.split(separator: "/").dropFirst().joined(separator: " · "))</a></h3>
        \(chart.entries.isEmpty ? Self.nothing("Not synced yet.") : ChartList(entries: chart.entries).html)</div>
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
    let items = data.photos.map { listing -> HTML in
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
      <div class="head"><h2 id="photos-title">Photos</h2>\(Self.inAll(data.photoCount))</div>
      \(items.isEmpty ? Self.nothing("No photos yet. Try <code>almanac follow flickr/interestingness</code>.") : "<ul class=\"photos\">\(items)</ul>")
      </section>
      """
  }

  private var birthdays: HTML {
    let items = data.birthdays.prefix(10).map { birthday -> HTML in
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
      \(items.isEmpty ? Self.nothing("None in the next 60 days.") : "<ul class=\"days\">\(Array(items))</ul>")
      </section>
      """
  }

  private var outbox: HTML {
    let items = data.outbox.prefix(50).map { OutboxItem(entry: $0).html }
    return """
      <section class="card half" id="outbox" data-live aria-labelledby="outbox-title">
      <div class="head"><h2 id="outbox-title">Outbox</h2></div>
      \(items.isEmpty ? Self.nothing("Every edit has arrived.") : "<ul class=\"entries\">\(Array(items))</ul>")
      </section>
      """
  }

  private var rejects: HTML {
    let items = data.rejects.map { reject -> HTML in
      """
      <li><strong>\(reject.follow)</strong> <code>\(reject.path)</code>
      <span class="soft">expected \(reject.expected), found \(reject.found) · \(Self.ago(reject.at))</span></li>
      """
    }
    let partly = data.status.follows.filter { $0.rejected > RejectedRecords.limit }.map { follow -> HTML in
      """
      <p class="soft small">\(follow.follow): \(grouped(follow.rejected)) records were rejected; the first \
      \(grouped(RejectedRecords.limit)) are kept.</p>
      """
    }
    return """
      <section class="card" id="rejects" data-live aria-labelledby="rejects-title">
      <div class="head"><h2 id="rejects-title">Rejects</h2>\(Self.inAll(data.rejectCount))</div>\(partly)
      \(items.isEmpty ? Self.nothing("Every record could be read.") : "<ul class=\"entries\">\(items)</ul>")
      </section>
      """
  }

  /// How many there are beside those that are shown; where there are none, the card says so itself.
  private static func inAll(_ count: Int) -> HTML? {
    count == 0 ? nil : "<span class=\"soft small\">\(grouped(count)) in all</span>"
  }

  private static let pictureButton: HTML = """
    <form method="post" action="/do/media"><button>Fetch pictures</button></form>
    """
}
