import Models
import Ports

/// One run of the past: what it did to each follow, and why it failed.
struct RunPage {
  private static let most = 200

  let run: JSONObject
  let services: DaemonServices

  var page: Page {
    let id = run["id"]?.string ?? ""
    let title = RecordPages.title(run, .runs, services) ?? id
    let lines = (run["follows"]?.array ?? []).compactMap(\.object).compactMap { RunLine(run, $0) }
    let changed = lines.reduce(0) { $0 + $1.added + $1.updated + $1.removed }
    let facts: [(name: String, value: HTML)] = [
      ("Began", Shown.ago(lines.first?.startedAt)), ("Took", "\(lines.first?.seconds ?? 0) s"),
      ("Requests", "\(grouped(lines.reduce(0) { $0 + $1.requests }))"),
      ("Received", "\(Shown.size(lines.reduce(0) { $0 + $1.bytes }))"),
    ]
    let items = lines.prefix(Self.most).map { line -> HTML in
      """
      <li><div class="head"><a href="\(Shown.place("follows", line.follow))">\(FollowName(line.follow, services).title)</a>\(ActivityPage.badge(line))</div>\
      \(ActivityPage.error(line))</li>
      """
    }
    let rest = lines.count - items.count
    return Page(
      title: title, section: .activity,
      content: """
        <section class="card" id="record" data-live aria-labelledby="record-title"><div class="head"><div><p class="small"><a href="/activity">Activity</a></p>\
        <h1 id="record-title">\(title)</h1></div>\(changed > 0 ? "<a class=\"button\" href=\"\(ChangesPage.address(by: id))\">What it changed</a>" as HTML : nil)</div>
        \(DataTable.values(facts, label: "The run"))</section>
        \(Card(id: "follows", title: "Follows", content: "<ul class=\"entries\">\(Array(items))</ul>\(rest > 0 ? Shown.nothing("\(grouped(rest)) more") : nil)").html)
        """)
  }
}
