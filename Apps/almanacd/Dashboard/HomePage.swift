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
        <div id="problems" data-live>\(needs)</div>
        \(changes)\(next)\(sources)
        """, cookie: data.visit.cookie)
  }

  // MARK: What needs a person

  private var needs: HTML {
    let items = problems + failures + edits
    guard !items.isEmpty else {
      return
        "<p class=\"tile calm\">\(Icon.check.html)<span>Nothing needs you.\(data.role.map { " <span class=\"soft\">\($0)</span>" as HTML })</span></p>"
    }
    return """
      <section class="card alarm" aria-labelledby="needs-title"><div class="head"><h2 id="needs-title">Needs you</h2></div>
      <ul class="entries">\(items)</ul>\(data.role.map { "<p class=\"soft\">\($0)</p>" as HTML })</section>
      """
  }

  private var problems: [HTML] {
    let hasEdits = ((try? data.outbox.get()) ?? []).contains { $0.client == nil }
    // The edits themselves are below.
    return data.problems.filter { $0.part != .edits || !hasEdits }.map { problem in
      let hints = (problem.failure.hint?.description ?? "").split(separator: "\n").map {
        "<br><span class=\"soft\">\(String($0))</span>" as HTML
      }
      return "<li role=\"alert\"><strong>\(Self.name(problem.part))</strong> \(problem.failure.message)\(hints)</li>"
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

  /// The follows that fail, one item for each source and message.
  private var failures: [HTML] {
    let failing = ((try? data.status.get().follows) ?? []).filter { $0.state == .failing }
    var groups: [(follows: [FollowStatus], error: Failure)] = []
    for follow in failing {
      guard let error = follow.problem else { continue }
      let isSame = { (one: (follows: [FollowStatus], error: Failure)) in
        one.error.message.exact == error.message.exact
          && one.follows[0].follow.firstPart.exact == follow.follow.firstPart.exact
      }
      if let place = groups.firstIndex(where: isSame) {
        groups[place].follows.append(follow)
      } else {
        groups.append(([follow], error))
      }
    }
    let items = groups.prefix(HomeData.editsShown).map { group -> HTML in
      let (source, count) = (group.follows[0].follow.firstPart, group.follows.count)
      let only = count == 1 ? group.follows[0].follow : nil
      let isKey = group.error.code == .own(.missingKey) || group.error.code == .own(.missingSecret)
      let title: HTML =
        only.map { "<a href=\"\(Shown.place("follows", $0))\">\(Shown.name($0))</a>" as HTML }
        ?? "<a href=\"/follows?source=\(percentEncoded(source))&amp;state=failing\">\(count.counted("follow")) of \(source)</a>"
      return """
        <li><div class="head"><strong>\(isKey ? Icon.key.html : Icon.alert.html) \(title)</strong>\
        <span class="badge bad">\(isKey ? "needs a key" : "fails")</span></div>
        <span>\(Shown.short(group.error.message))</span>\(group.error.hint.map { "<span class=\"soft small\"> \(Shown.short($0.description))</span>" as HTML })
        <div class="buttons">\(only.map { Control.button("Sync now", "/do/sync", says: "Sync now: \($0)", ["follow": $0]) })\
        \(isKey ? "<a class=\"button\" href=\"/add/\(percentEncoded(source))\">How to get a key</a>" as HTML : nil)</div></li>
        """
    }
    let more = groups.count - items.count
    return items
      + (more > 0 ? ["<li><a href=\"/follows?state=failing\">\(more) more problems of follows</a></li>"] : [])
  }

  /// The edits that a person has to decide about, with their buttons.
  private var edits: [HTML] {
    let items = (try? data.outbox.get()) ?? []
    let more = items.count - HomeData.editsShown
    return items.prefix(HomeData.editsShown).map(\.html)
      + (more > 0 ? ["<li><a href=\"/outbox\">\(more.counted("more edit")) in the outbox</a></li>"] : [])
  }

  // MARK: What changed, and what comes next

  private var changes: HTML {
    let since: HTML = data.visit.isKnown ? "since \(Shown.ago(data.visit.since))" : "in the last 24 hours"
    let content = Shown.content(data.news) { news in
      news.isEmpty
        ? Card.nothing(.activity, "Nothing has changed.", "<a href=\"/activity\">Earlier activity</a>")
        : "<ul class=\"entries\">\(news.map(item))</ul>"
    }
    return Card(
      id: "changes", title: "What changed", aside: "<span class=\"soft small\">\(since)</span>", tone: "half",
      content: content
    ).html
  }

  private func item(_ news: HomeData.News) -> HTML {
    let lines = news.lines.prefix(6).map { "<li><a href=\"\($0.address)\">\($0.text)</a></li>" as HTML }
    let pictures = news.pictures.map { picture -> HTML in
      "<a href=\"\(picture.address)\"><img src=\"\(Shown.media(picture.url))\" alt=\"\(picture.name)\" loading=\"lazy\" width=\"72\" height=\"72\"></a>"
    }
    return """
      <li class="news">\(Icon(of: news.source).html)<div><strong>\(Shown.heading(news.source.rawValue))</strong><ul class="plain">\(Array(lines))</ul>\
      \(pictures.isEmpty ? nil : "<div class=\"strip\">\(pictures)</div>" as HTML)</div></li>
      """
  }

  private var next: HTML {
    let birthdays = Shown.content(data.birthdays) { days in
      let items = days.prefix(7).map { birthday -> HTML in
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
      tone: "half",
      content: birthdays
    ).html
  }

  private var sources: HTML {
    let content = Shown.content(data.status) { status in
      guard !status.follows.isEmpty else {
        return Card.nothing(
          .follows, "Nothing is followed yet.", "<a class=\"button primary\" href=\"/add\">Follow something</a>")
      }
      let items = FollowsPage.groups(status.follows).map { group -> HTML in
        """
        <a class="tile" href="/follows?source=\(percentEncoded(group.source.rawValue))">\(Icon(of: group.source).html)<span><strong>\
        \(group.source.rawValue)</strong>\(group.bar.html)<span class="soft">\(group.bar.words)\
        \(group.next.map { " · next \(Shown.ago($0))" as HTML })</span></span></a>
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
