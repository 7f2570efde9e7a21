import Models
import Ports

/// One follow: its state, its runs, and its settings.
struct FollowPage {
  let status: FollowStatus
  /// What is set; `nil` where the store alone knows the follow.
  let follow: Follow
  let runs: Result<[RunLine], Failure>
  let collections: [CollectionName]
  /// Whether the store knows which records only this follow brought.
  let isPurgeable: Bool
  let name: FollowName
  var refused: RefusedForm?
  /// Whether it is being synced, or is about to be.
  let isBusy: Bool

  /// - Throws: `Problem` with 404 where it is not followed; `Failure` where the store cannot be read.
  init(_ path: String, _ call: APIRequest, _ parts: API.Parts, _ refused: RefusedForm? = nil) async throws {
    isBusy = await parts.scheduler.awaited.contains(path.exact)
    let services = call.services
    let follow = try API.followed(path, call)
    (self.follow, self.refused, name) = (follow, refused, FollowName(path, services))
    let statuses = API.explained(try services.statusCache.read(services).status, services, parts).follows
    status =
      statuses.first { $0.follow.exact == path.exact }
      ?? FollowStatus(follow: path, isStale: false, isPaused: follow.isPaused)
    runs = HomeData.read { () throws(Failure) in
      var lines: [RunLine] = []
      try RunLine.each(services) { line in
        if line.follow.exact == path.exact { lines.append(line) }
        return .next
      }
      return lines
    }
    isPurgeable = (try? services.purge.check(follow, besides: services.settings.follows)) ?? false
    let all = parts.editor.sources.first { $0.name == follow.source }?.collections.map(\.name) ?? []
    // The form of a definition names what it brings.
    let named = all.filter { follow.match?.form.collections.contains($0) ?? false }
    collections = named.isEmpty ? all : named
  }

  var page: Page {
    let path = follow.path
    return Page(
      title: name.title, section: .follows,
      content: """
        <section class="card" id="follow" data-live aria-labelledby="follow-title"><div class="head"><div><p class="small"><a href="/follows?source=\(percentEncoded(path.firstPart))">\(Shown.heading(path.firstPart))</a></p>\
        <h1 id="follow-title">\(name.title)</h1><p class="soft small">\(name.about.map { "\($0) · " as HTML })\(path)</p></div>\(FollowsPage.badge(status, isBusy: isBusy))</div>
        \(trouble)\(facts)
        <div class="buttons">\(Control.button("Sync now", "/do/sync", says: "Sync now: \(path)", tone: "primary", isOff: isBusy, ["follow": path]))\
        \(Control.button(status.isPaused ? "Resume" : "Pause", "/do/pause", says: "\(status.isPaused ? "Resume" : "Pause") \(path)", ["follow": path, "paused": status.isPaused ? "false" : "true"]))\
        \(records)\(removal)</div></section>
        \(settings)\(history)
        """)
  }

  /// The end of the follow, also of its records where the store knows them.
  private var removal: HTML {
    let path = follow.path
    let records: HTML? =
      isPurgeable
      ? """
      <label class="side"><input type="checkbox" name="purge" value="true">Also remove the records that only this follow brought</label>\
      <p>Those that were changed here, or have edits that wait, stay.</p>
      """ : nil
    return Control.asking(
      "Remove", says: "Remove \(path)", "It will not be synced any more. Its records stay.",
      """
      <form method="post" action="/do/unfollow">\(Control.hidden("follow", path))\(records)<button class="danger" aria-label="Remove it: \(path)">Remove it</button></form>
      """)
  }

  private var trouble: HTML? {
    status.isPaused ? nil : status.error.map { Trouble(failure: $0, follow: follow.path).html }
  }

  private var facts: HTML {
    var rows: [(name: String, value: HTML)] = [
      ("Last sync", Shown.ago(status.lastSuccess, orElse: status.isSuccessUndated ? "not known" : "never")),
      (
        status.state == .failing ? "Next try" : "Next sync",
        status.isPaused ? "paused" : status.next.map(Shown.due) ?? Shown.ago(nil, orElse: "not planned")
      ),
    ]
    if status.state == .failing, let since = status.failingSince {
      let tries: HTML? = status.failures > 1 ? ", \(status.failures.counted("try", "tries"))" : nil
      rows.insert(("Failing since", "\(Shown.since(since))\(tries)"), at: 1)
    }
    if status.rejected > 0 {
      rows.append(("Rejected", "<a href=\"/collections/rejects\">\(status.rejected.counted("record"))</a>"))
    }
    if let program = status.pulledBy { rows.append(("Pulled by", "\(program)")) }
    if follow.origin == .config { rows.append(("Kept", "in the config of this machine")) }
    return DataTable.values(rows, label: "State")
  }

  private var records: [HTML] {
    let links: [(String, String)] =
      switch follow.source {
      case .appStore: [("The chart", Shown.place("charts", follow.path))]
      case .flickr where !follow.path.hasPrefix("flickr/person/"):
        [("Its photos", "/photos?follow=\(percentEncoded(follow.path))")]
      default: collections.map { (Shown.heading($0.rawValue), "/collections/\(percentEncoded($0.rawValue))") }
      }
    return links.map { "<a class=\"button\" href=\"\($0.1)\">\($0.0)</a>" }
  }

  private var settings: HTML {
    Card(
      id: "settings", title: "Settings",
      content: """
        <form method="post" action="/do/change" class="fields" autocomplete="off">\(refused?.message)\(Control.hidden("follow", follow.path))
        \(refused.followSettings(follow))<button aria-label="Save \(follow.path)">Save</button></form>
        """
    ).html
  }

  private var history: HTML {
    let content = Shown.content(runs) { runs in
      guard !runs.isEmpty else { return Card.nothing(.activity, nothing) }
      let items = Self.groups(runs).prefix(20).map { group -> HTML in
        let run = group[0]
        let since: HTML? =
          group.last.flatMap { first in
            group.count > 1
              ? " <span class=\"soft\">and \((group.count - 1).counted("time")) before, since \(Shown.since(first.startedAt))</span>"
              : nil
          }
        return
          "<li><div class=\"head\"><span><a href=\"\(Shown.record("runs", run.run))\">\(Shown.ago(run.startedAt))</a>\(since)</span>\(ActivityPage.badge(run))</div>\(ActivityPage.error(run))</li>"
      }
      return "\(RunBlocks(runs: runs).html)<ul class=\"entries\">\(Array(items))</ul>"
    }
    return Card(id: "runs", title: "Runs", content: content).html
  }

  /// What there is in place of runs: when the first one comes.
  private var nothing: HTML {
    if isBusy { return "The first sync is under way." }
    guard status.lastSuccess == nil, !status.isSuccessUndated else { return "Its last syncs are not kept any more." }
    if status.isPaused { return "It is paused, and was not synced yet." }
    return status.next.map { "It was not synced yet. The first sync comes: \(Shown.due($0))." }
      ?? "It was not synced yet."
  }

  /// The runs; those that failed one after another for the same reason are together.
  private static func groups(_ runs: [RunLine]) -> [[RunLine]] {
    var groups: [[RunLine]] = []
    for run in runs {
      if let error = run.error, let last = groups.last?.first?.error, error.reason == last.reason,
        error.code == last.code
      {
        groups[groups.count - 1].append(run)
      } else {
        groups.append([run])
      }
    }
    return groups
  }
}
