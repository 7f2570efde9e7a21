import Hummingbird
import Models
import Ports

/// What is followed: folded by source, or one list of what a search finds, with what can be done to several at once.
struct FollowsPage {
  struct Query: Sendable {
    var search = ""
    var source = ""
    var state: FollowStatus.State?
    /// How many come before.
    var start = 0

    /// The query of an address, or of the form that was sent from it.
    init(_ value: (String) -> String?) {
      search = value("search")?.trimmed ?? value("follow")?.trimmed ?? ""
      source = value("source") ?? ""
      state = value("state").flatMap(FollowStatus.State.init)
      start = max(0, min(1_000_000, value("from").flatMap { Int($0) } ?? 0))
    }

    var isFolded: Bool { search.isEmpty && source.isEmpty && state == nil }

    func address(from start: Int = 0, source: String? = nil, state: FollowStatus.State?? = nil) -> String {
      let values = [
        ("search", search), ("source", source ?? self.source), ("state", (state ?? self.state)?.rawValue ?? ""),
        ("from", start == 0 ? "" : String(start)),
      ]
      let query = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
      return query.isEmpty ? "/follows" : "/follows?\(query)"
    }

    /// The follows that are meant, those that need attention first.
    func matches(in follows: [FollowStatus]) -> [FollowStatus] {
      let words = search.lowercased()
      let found = follows.filter { follow in
        (words.isEmpty || follow.follow.lowercased().contains(words))
          && (source.isEmpty || follow.follow.firstPart.exact == source.exact)
          && (state == nil || follow.state == state)
      }
      return found.filter(\.needsAttention) + found.filter { !$0.needsAttention }
    }
  }

  struct Group {
    let source: SourceName
    let follows: [FollowStatus]

    private static let states: [(FollowStatus.State, String)] = [
      (.fresh, "good"), (.stale, "warn"), (.waiting, "warn"), (.failing, "bad"), (.paused, "rest"),
    ]

    var bar: ShareBar {
      ShareBar(parts: Self.states.map { state, tone in (follows.count { $0.state == state }, tone, state.rawValue) })
    }
    var next: Timestamp? { follows.compactMap(\.next).min() }
  }

  static let pageSize = 50
  /// How many follows of a source are shown where all are folded.
  private static let shownFolded = 10

  let query: Query
  let status: Result<SyncStatus, Failure>
  let name: @Sendable (String) -> FollowName
  /// The form about those that are ticked, if it was refused.
  let refused: RefusedForm?
  /// The follows that are being synced, or are about to be.
  let busy: Set<ExactString>

  init(_ services: DaemonServices, _ parts: API.Parts, _ query: Query, _ refused: RefusedForm? = nil) async {
    busy = await parts.scheduler.awaited
    (self.query, self.refused) = (query, refused)
    name = { FollowName($0, services) }
    status = HomeData.read { () throws(Failure) in
      API.explained(try services.statusCache.read(services).status, services, parts)
    }
  }

  /// The follows by source: those of which one fails, then the others, each in the order in which the sources are followed.
  static func groups(_ follows: [FollowStatus]) -> [Group] {
    var order: [SourceName] = []
    var groups: [SourceName: [FollowStatus]] = [:]
    for follow in follows {
      let source = SourceName(rawValue: follow.follow.firstPart)
      if groups[source] == nil { order.append(source) }
      groups[source, default: []].append(follow)
    }
    let all = order.map { Group(source: $0, follows: groups[$0] ?? []) }
    let failing = all.filter { $0.follows.contains { $0.error != nil } }
    return failing + all.filter { group in !failing.contains { $0.source == group.source } }
  }

  var page: Page {
    let hasFollows = (try? status.get().follows.isEmpty) == false
    let search = Control.search(
      "/follows", "Find a follow", query.search,
      query.source.isEmpty ? nil : Control.hidden("source", query.source))
    return Page(
      title: "Follows", section: .follows,
      content: """
        <div class="head"><h1>Follows</h1>\(hasFollows ? "\(Ticks.button)\(Control.button("Sync all now", "/do/sync"))" : nil)</div>
        \(hasFollows ? search : nil)\(Shown.content(status, content))
        """)
  }

  private func content(_ status: SyncStatus) -> HTML {
    guard !status.follows.isEmpty else {
      return """
        <section class="card" id="follows" data-live aria-label="Follows">\(Card.nothing(.follows, "Nothing is followed yet.", "<a class=\"button primary\" href=\"/add\">Follow something</a>"))</section>
        """
    }
    // What needs somebody is first.
    let states = [FollowStatus.State.failing, .stale, .waiting, .paused, .fresh].filter { state in
      status.follows.contains { $0.state == state }
    }
    let filters =
      [("All \(grouped(status.follows.count))", query.address(state: .some(nil)), query.state == nil)]
      + states.map { state -> (String, String, Bool) in
        let count = grouped(status.follows.count { $0.state == state })
        return (
          "\(Shown.capitalized(state.rawValue)) \(count)", query.address(state: .some(state)), query.state == state
        )
      }
    let lists = query.isFolded ? Self.groups(status.follows).map(folded) : [list(status)]
    let hidden = [("search", query.search), ("source", query.source), ("state", query.state?.rawValue ?? "")]
    let form = ticks.form(
      "/do/follows", "\(hidden.map { Control.hidden($0.0, $0.1) })", "<div id=\"follows\" data-live>\(lists)</div>",
      total: nil, actions)
    return "\(Card.choices("State", filters))\(form)"
  }

  /// A source with its first follows; those that need attention come first.
  private func folded(_ group: Group) -> HTML {
    let sorted = group.follows.filter(\.needsAttention) + group.follows.filter { !$0.needsAttention }
    let shown = sorted.prefix(Self.shownFolded)
    let source = group.source.rawValue
    let rest: HTML? =
      sorted.count > shown.count
      ? "<p><a href=\"\(query.address(source: source))\">All \(grouped(sorted.count)) of \(Shown.heading(source))</a></p>"
      : nil
    let isOpen = group.follows.count <= Self.shownFolded || group.follows.contains(where: \.needsAttention)
    return """
      <details class="card source" id="source-\(source)"\(isOpen ? " open" as HTML : nil)><summary>\(Icon(of: group.source).html)<strong>\(Shown.heading(source))</strong>\(group.bar.html)<span class="soft small">\(group.bar.words)</span></summary>
      <ul class="follows">\(shown.map(row))</ul>\(rest)</details>
      """
  }

  private func list(_ status: SyncStatus) -> HTML {
    let matches = query.matches(in: status.follows)
    let (start, size) = (min(query.start, matches.count), Self.pageSize)
    let rows = matches.dropFirst(start).prefix(size).map(row)
    let shown =
      "\(grouped(min(start + 1, matches.count))) to \(grouped(min(start + size, matches.count))) of \(grouped(matches.count))"
    let all: HTML? =
      matches.count > size
      ? "<label class=\"side\"><input type=\"checkbox\" name=\"all\" value=\"\(matches.count)\">All \(grouped(matches.count)) that match</label>"
      : nil
    return """
      <section class="card" aria-label="Follows">\(rows.isEmpty ? Card.nothing(.search, "No follow matches.", "<a href=\"/follows\">All follows</a>") : "\(all)<ul class=\"follows\">\(rows)</ul>")
      \(Card.pager(shown, before: start > 0 ? query.address(from: max(0, start - size)) : nil, after: start + size < matches.count ? query.address(from: start + size) : nil))</section>
      """
  }

  private var ticks: Ticks {
    Ticks(ids: refused?.values.all("follow") ?? [], isAll: refused?.values["all"] != nil, refused: refused)
  }

  private func row(_ follow: FollowStatus) -> HTML {
    let name = self.name(follow.follow)
    let isBusy = busy.contains(follow.follow.exact)
    let about: HTML? = Self.problem(of: follow) ?? name.about.map { "<span class=\"soft small cut\">\($0)</span>" }
    let sync: HTML = """
      <button name="only" value="\(follow.follow)" formaction="/do/sync" class="again" aria-label="Sync \(follow.follow)"\(isBusy ? " disabled" as HTML : nil)>\(Icon.follows.html)<span>Sync</span></button>
      """
    return """
      <li>\(ticks.box("follow", follow.follow, says: "Select \(name.title)"))<a href="\(Shown.place("follows", follow.follow))" title="\(follow.follow)">\
      <strong class="cut">\(name.title)</strong>\(about)</a>\(Self.badge(follow, isBusy: isBusy))<span class="soft small when">\(Shown.ago(follow.lastSuccess, orElse: follow.isSuccessUndated ? "not known" : "never"))</span>\
      \(follow.error.flatMap { Trouble(failure: $0, follow: follow.follow).remedy } ?? sync)</li>
      """
  }

  /// What is done to the follows that are ticked: it is shown when one is.
  private var actions: HTML {
    """
    <button name="do" value="sync">Sync</button><button name="do" value="pause">Pause</button>
    <details class="asks"><summary aria-label="More for the follows">More</summary><div><button name="do" value="resume">Resume</button>
    <span class="interval"><input name="every" placeholder="1h" size="5" aria-label="Interval" autocomplete="off" value="\(refused.value("every") ?? "")"\(refused.attributes("every"))>\(refused.message("every"))\
    <button name="do" value="every">Set interval</button></span></div></details>
    \(Control.asking("Remove", says: "Remove the follows", "They will not be synced any more. Their records stay.", "<button class=\"danger\" name=\"do\" value=\"remove\">Remove them</button>"))
    """
  }

  static func badge(_ follow: FollowStatus, isBusy: Bool) -> HTML {
    if isBusy { return "<span class=\"badge\">Syncing…</span>" }
    let tone =
      switch follow.state {
      case .paused: ""
      case .waiting, .stale: "warn"
      case .failing: "bad"
      case .fresh: "good"
      }
    return "<span class=\"badge \(tone)\">\(follow.state.rawValue)</span>"
  }

  /// Why a follow failed, or what it waits for, and when it is tried again.
  private static func problem(of follow: FollowStatus) -> HTML? {
    guard let error = follow.error, !follow.isPaused else { return nil }
    let trouble = Trouble(failure: error, follow: follow.follow)
    return """
      <span class="small cut why\(follow.state == .failing ? " failed" : "")">\(trouble.title)\(trouble.remedyWords == nil ? "<span class=\"soft\">\(times(of: follow))</span>" as HTML : nil)</span>
      """
  }

  /// Since when a follow fails, and when it is tried again, after what is wrong.
  static func times(of follow: FollowStatus) -> HTML {
    let since: HTML? =
      follow.state == .failing ? follow.failingSince.map { " · failing since \(Shown.since($0))" } : nil
    return "\(since)\(follow.next.map { " · next try \(Shown.due($0))" as HTML })"
  }

  static let style = """
    .source > summary { display: flex; flex-wrap: wrap; align-items: center; gap: var(--xs) var(--s); width: 100%; padding: 0; }
    .source { margin: 0 0 12px; } .source .meter { flex: 1 1 120px; max-width: 280px; } .source > .follows { margin-top: var(--s); }
    .follows { list-style: none; margin: 0; padding: 0; } .follows > li { display: grid; align-items: center; gap: 0 var(--s);
      grid-template-columns: 32px minmax(0, 1fr) 96px 130px minmax(var(--last, 72px), auto); border-top: 1px solid var(--line); min-height: 48px; }
    .follows .badge { justify-self: start; } .follows > li > :last-child { justify-self: end; } .why { line-height: 1.35; color: var(--soft); } .why.failed { color: var(--bad); }
    .follows > li > a { padding: 4px 0; min-width: 0; color: inherit; text-decoration: none; line-height: 1.35; } .follows > li > a:hover strong { text-decoration: underline; } .follows strong { font-weight: 550; } .follows :is(button, .button) { overflow-wrap: normal; } @media (min-width: 641px) { .bulk:has(.follows > li > .button) .follows > li { --last: 156px; } }
    .again .icon { display: none; } @media (scripting: enabled) { .bulk:not(.choosing) .follows > li { grid-template-columns: minmax(0, 1fr) 96px 130px minmax(var(--last, 72px), auto); } }
    @media (max-width: 640px) and (scripting: enabled) { .bulk.bulk.bulk:not(.choosing) .follows > li { grid-template-columns: minmax(0, 1fr) auto auto; } }
    .tick { display: grid; place-items: center; min-height: 44px; }
    .actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s); position: sticky; bottom: calc(var(--bar) + var(--s)); margin-top: 12px; padding: var(--s) var(--m);
      box-shadow: 0 4px 24px #0003; } .ticked::before { content: counter(ticked) " selected"; } .bulk:has([name=all]:checked) .ticked::before { content: "All selected"; }
    .bulk { counter-reset: ticked; } @supports selector(:has(*)) { .bulk:not(:has(:checked)) .actions { display: none; } } .interval { display: inline-flex; gap: var(--xs); }
    .actions .asks > div { display: flex; flex-wrap: wrap; gap: var(--s); padding-bottom: 0; }
    .calm { margin: 0; } .calm .icon { color: var(--good); } .news { display: flex; gap: var(--m); } .news > .icon { color: var(--accent); margin-top: 2px; }
    .news > div { min-width: 0; flex: 1; } @media (max-width: 640px) { .news .plain a { display: block; padding: 12px 0; line-height: 1.35; } .news .plain li { padding: 0; } } .strip { display: grid; grid-template-columns: repeat(6, minmax(0, 96px)); gap: 6px; margin-top: var(--s); }
    .strip img { width: 100%; height: auto; aspect-ratio: 1; object-fit: cover; border-radius: 8px; display: block; background: var(--fill); }
    .catalogue { display: grid; gap: var(--m); } .catalogue h2 { margin: var(--s) 0 0; } .catalogue strong + .badge { margin-left: 6px; font-size: 12px; }
    @media (max-width: 640px) { .bulk.bulk .follows > li { grid-template-columns: 32px minmax(0, 1fr) auto auto; } .follows > li > :last-child { grid-column: -2; } .again { border: 0; min-width: 44px; padding: 0; margin-right: -10px; } .again .icon { display: block; color: var(--accent); } .again span { display: none; } .actions { position: fixed; inset: auto var(--s) calc(66px + env(safe-area-inset-bottom)) var(--s); z-index: 3; gap: 6px; padding: 8px 10px; } .actions button, .actions summary { padding: 6px 9px !important; } .bulk:has(:checked) { padding-bottom: 96px; } .follows > li:has(.failed) > .badge, .follows > li > .good { display: none; }
      .why { white-space: normal; } .follows > li > .when { display: none; } .follows > li > a { display: grid; align-content: center; min-height: 44px; } }

    """
}

extension FollowStatus {
  /// Whether it is listed before others.
  fileprivate var needsAttention: Bool { error != nil || isStale }
}
