import Models
import Ports

/// The first page: what needs a person, what changed since the last visit, and what comes next.
struct HomePage {
  let data: HomeData

  var page: Page {
    Page(
      title: "Home", section: .home,
      content: """
        <h1 class="hidden">Home</h1>
        <div class="home"><div id="problems" class="tiles" data-live>\(needs)\(data.waiting)</div>\(changes)\(next)\(sources)</div>
        """, cookie: data.visit.cookie)
  }

  // MARK: What needs a person

  /// The lines that are shown; a link leads to the others.
  private static let mostLines = 6

  private var needs: HTML {
    let items = (try? data.outbox.get()) ?? []
    let own = items.filter { $0.client == nil }
    let (lines, offers) = (problems, Self.some(items.filter { $0.client != nil }, 2))
    let edits = Self.some(
      own.filter { $0.entry.state == .conflict } + own.filter { $0.entry.state != .conflict },
      max(2, Self.mostLines - 1 - lines.count - offers.count))
    let rest = failures(most: max(1, Self.mostLines - lines.count - edits.count - offers.count))
    return needs(lines + rest + edits + offers)
  }

  /// The lines of the first edits; the last line leads to the rest of them.
  private static func some(_ items: [OutboxItem], _ most: Int) -> [HTML] {
    if items.count <= most { return items.map(\.line) }
    return items.prefix(most - 1).map(\.line) + [more((items.count - most + 1).counted("more edit"), "/outbox")]
  }

  private func needs(_ items: [HTML]) -> HTML {
    guard !items.isEmpty else {
      return
        "<p class=\"tile calm\">\(Icon.check.html)<span>Nothing needs you.\(data.role.map { " <span class=\"soft\">\($0)</span>" as HTML })</span></p>"
    }
    return """
      <section class="card alarm" aria-labelledby="needs-title"><div class="head"><h2 id="needs-title">Needs you</h2></div>
      <ul class="needs">\(items)</ul>\(data.role.map { "<p class=\"soft\">\($0)</p>" as HTML })</section>
      """
  }

  /// The line that leads to what has no line of its own.
  private static func more(_ text: String, _ address: String) -> HTML {
    """
    <li><a class="need" href="\(address)">\(Icon.more.html)<span class="cut"><strong>\(text)</strong></span>\(Icon.next.html)</a></li>
    """
  }

  private var problems: [HTML] {
    let hasEdits = ((try? data.outbox.get()) ?? []).contains { $0.client == nil }
    // The edits themselves are below.
    return data.problems.filter { $0.part != .edits || !hasEdits }.map { problem in
      let hints = (problem.failure.hint?.description ?? "").split(separator: "\n").map {
        "<br><span class=\"soft\">\(String($0))</span>" as HTML
      }
      return """
        <li role="alert"><details class="need"><summary>\(Icon.alert.html)<span class="cut"><strong>\(Self.name(problem))</strong></span>\
        <span class="button">Details</span></summary><div>\(Shown.sentence(problem.failure.message))\(hints)</div></details></li>
        """
    }
  }

  private static func name(_ problem: Health.Problem) -> String {
    switch problem.part {
    case .store: "The store cannot be used."
    case .config: problem.isInUse ? "The definition of a source has mistakes." : "The new config is refused."
    case .keys: "A program is asked for a key."
    case .restart: "A restart is needed."
    case .notifications: "Notifications wait."
    case .edits: "Edits need a decision."
    }
  }

  /// The follows that fail, one line for each source and reason; the last line has the rest of them.
  private func failures(most: Int) -> [HTML] {
    let failing = ((try? data.status.get().follows) ?? []).filter { $0.state == .failing }
    var groups: [(follows: [FollowStatus], error: Failure)] = []
    for follow in failing {
      guard let error = follow.error else { continue }
      let isSame = { (one: (follows: [FollowStatus], error: Failure)) in
        one.error.reason == error.reason && one.error.code == error.code
          && one.follows[0].follow.firstPart.exact == follow.follow.firstPart.exact
      }
      if let place = groups.firstIndex(where: isSame) {
        groups[place].follows.append(follow)
      } else {
        groups.append(([follow], error))
      }
    }
    if groups.count <= most { return groups.map(line) }
    let rest = groups.dropFirst(most - 1).reduce(0) { $0 + $1.follows.count }
    let text =
      most > 1 ? "\(rest.counted("more follow")) \(rest == 1 ? "fails" : "fail")" : "\(rest.counted("follow")) fail"
    return groups.prefix(most - 1).map(line) + [Self.more(text, "/follows?state=failing")]
  }

  private func line(_ group: (follows: [FollowStatus], error: Failure)) -> HTML {
    let (source, path) = (group.follows[0].follow.firstPart, group.follows[0].follow)
    let remedy = Trouble(failure: group.error).remedyWords
    let since = group.follows.compactMap(\.failingSince).min()
    if group.follows.count > 1, remedy == nil {
      return """
        <li><a class="need" href="/follows?source=\(percentEncoded(source))&amp;state=failing">\(Icon.alert.html)<span class="cut">\
        <strong>\(group.follows.count.counted("follow")) of \(Shown.heading(source)) fail</strong> <span class="soft">\(Trouble(failure: group.error).title)\(since.map { " · since \(Shown.since($0))" as HTML })</span></span>\(Icon.next.html)</a></li>
        """
    }
    let name = group.follows.count > 1 || remedy != nil ? Shown.heading(source) : data.name(path).title
    let button: HTML =
      data.busy.contains(path.exact)
      ? "<span class=\"badge\">Syncing…</span>"
      : remedy.map { "<a class=\"button\" href=\"/add/\(percentEncoded(source))#setup\">\($0)</a>" }
        ?? (group.error.reason == .notFound || group.error.reason == .denied
          ? "<a class=\"button\" href=\"\(Shown.place("follows", path))\" aria-label=\"Details: \(path)\">Details</a>"
          : Control.button("Sync now", "/do/sync", says: "Sync now: \(path)", ["follow": path, "from": "home"]))
    return """
      <li class="need">\(remedy != nil ? Icon.key.html : Icon.alert.html)<a class="cut two" href="\(Shown.place("follows", path))"><strong>\(Shown.name(name))</strong> \
      <span class="soft">\(Trouble(failure: group.error, follow: path).title)\(remedy == nil ? FollowsPage.times(of: group.follows[0]) : nil)</span></a>\(button)</li>
      """
  }

  static let style = """
    .needs { list-style: none; margin: 0; padding: 0; } .needs > li { border-top: 1px solid var(--line); } .needs > li:first-child { border-top: 0; }
    .needs .need { margin: 0; } .need > summary, a.need, li.need { display: flex; align-items: center; gap: var(--s); min-height: 48px; width: 100%; padding: 2px 0;
      color: inherit; text-decoration: none; list-style: none; } .need > summary::-webkit-details-marker { display: none; }
    .need .cut { flex: 1; line-height: 44px; color: inherit; text-decoration: none; } .need > .icon, .need > summary > .icon { color: var(--bad); }
    .need .two { line-height: 1.35; padding: 6px 0; } .two .soft { display: block; font-size: var(--t-s); overflow: hidden; text-overflow: ellipsis; }
    .need a.cut:hover strong, a.need:hover strong { text-decoration: underline; } .need > div { padding: 0 0 var(--m) 30px; }
    #problems.tiles { grid-template-columns: minmax(0, 1fr); } .home { display: grid; gap: var(--m); align-items: start; } .home > * { min-width: 0; }
    @media (min-width: 1000px) { .home { grid-template: auto auto 1fr / minmax(0, 3fr) minmax(0, 2fr); } .home > #changes { grid-area: 1 / 2 / 4 / 3; } }
    @media (max-width: 640px) { .need > div { padding-left: 0; } .need .cut { line-height: 1.3; padding: 6px 0; } .need .cut .soft { display: block; font-size: var(--t-s); overflow: hidden; text-overflow: ellipsis; } .need .two .soft { white-space: normal; } }

    """

  // MARK: What changed, and what comes next

  private var changes: HTML {
    let since: HTML = data.visit.isKnown ? "since \(Shown.since(data.visit.since))" : "in the last 24 hours"
    let content = Shown.content(data.news) { news in
      news.isEmpty
        ? Card.nothing(
          .activity, "Nothing has changed.",
          data.statistics?.records ?? 0 > 0 ? "<a href=\"/activity\">Earlier activity</a>" : nil)
        : "<ul class=\"entries\">\(news.map(item))</ul>"
    }
    return Card(
      id: "changes", title: "What changed", aside: "<span class=\"soft small\">\(since)</span>", content: content
    ).html
  }

  private func item(_ news: HomeData.News) -> HTML {
    let lines = news.lines.prefix(6).map { line -> HTML in
      "<li><a href=\"\(line.address)\">\(line.text)\(line.rest.isEmpty ? nil : " <span class=\"soft\">\(line.rest)</span>" as HTML)</a></li>"
    }
    let pictures = news.pictures.map { photo -> HTML in
      "<a href=\"\(Shown.place("photos", photo.id))\">\(PhotoPages.tile(photo, name: Shown.short(photo.title, 60), size: 72))</a>"
    }
    return """
      <li class="news">\(news.icon.html)<div><strong>\(news.title)</strong><ul class="plain">\(Array(lines))</ul>\
      \(pictures.isEmpty ? nil : "<div class=\"strip\">\(pictures)</div>" as HTML)</div></li>
      """
  }

  private var next: HTML {
    let birthdays = Shown.content(data.birthdays) { days in
      let items = days.prefix(5).map { birthday -> HTML in
        """
        <li><a href="\(Shown.record("people", birthday.person.id))">\(Avatar(person: birthday.person).html)<span class="who">\
        <strong class="cut">\(birthday.person.fullName)</strong><span class="soft">\(Shown.day(birthday.date))\(birthday.age.map { " · turns \($0)" } ?? "")</span></span>\
        <span class="when">\(Shown.distance(birthday.date, from: data.today))</span></a></li>
        """
      }
      return items.isEmpty
        ? Shown.nothing("No birthday in the next 60 days.") : "<ul class=\"addresses\">\(Array(items))</ul>"
    }
    return Card(
      id: "birthdays", title: "Next birthdays", aside: "<a class=\"small\" href=\"/birthdays\">Calendar</a>",
      content: birthdays
    ).html
  }

  private var sources: HTML {
    let content = Shown.content(data.status) { status in
      guard !status.follows.isEmpty else {
        return Card.nothing(
          .follows, "Nothing is followed yet.",
          """
          <span class="buttons"><a class="button primary" href="/add">Follow something</a>\
          <a class="button" href="/add/carddav">Follow an address book</a>\
          <a class="button" href="/collections/people?import">Import contacts</a></span>
          """)
      }
      let items = FollowsPage.groups(status.follows).map { group -> HTML in
        """
        <a class="tile" href="/follows?source=\(percentEncoded(group.source.rawValue))">\(Icon(of: group.source).html)<span><strong>\
        \(Shown.heading(group.source.rawValue))</strong>\(group.bar.html)<span class="soft">\(group.bar.words)\
        \(group.next.map { " · next \(Shown.due($0))" as HTML })</span></span></a>
        """
      }
      return "<div class=\"tiles\">\(items)</div>"
    }
    let totals = data.statistics.map { "\(grouped($0.records)) records, \(Shown.size($0.bytes))" } ?? ""
    return Card(
      id: "follows", title: "Follows",
      aside: "<span class=\"soft small\">\(totals)</span> <a class=\"small\" href=\"/follows\">All follows</a>",
      content: content
    ).html
  }
}
