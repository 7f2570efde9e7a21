/// A card of a page: a heading, what can be done, and what it shows.
struct Card {
  let id: String
  let title: HTML
  var level = 2
  /// What the heading has beside it.
  var aside: HTML?
  /// Whether it is renewed while the page is open.
  var isLive = true
  /// Further classes: `half`, `alarm`.
  var tone = ""
  let content: HTML

  var html: HTML {
    let tag = "h\(level)"
    return """
      <section class="card\(tone.isEmpty ? "" : " \(tone)")" id="\(id)"\(isLive ? " data-live" as HTML : nil) \
      aria-labelledby="\(id)-title"><div class="head"><\(tag) id="\(id)-title">\(title)</\(tag)>\(aside)</div>
      \(content)</section>
      """
  }

  /// A card with nothing in it yet: what it is for, and what to do.
  static func nothing(_ icon: Icon, _ text: HTML, _ action: HTML? = nil) -> HTML {
    "<div class=\"empty\">\(icon.html)<p>\(text)</p>\(action)</div>"
  }

  /// The part of a list that a page shows, with links to the parts before and after it.
  static func pager(_ shown: String, before: String? = nil, after: String? = nil) -> HTML? {
    if before == nil, after == nil { return nil }
    return """
      <p class="pager">\(before.map { "<a class=\"button\" href=\"\($0)\" rel=\"prev\">\(Icon.back.html) Previous</a>" as HTML })\
      <span class="soft small">\(shown)</span>\
      \(after.map { "<a class=\"button\" href=\"\($0)\" rel=\"next\">Next \(Icon.next.html)</a>" as HTML })</p>
      """
  }

  /// Links of which one is shown at present.
  ///
  /// - Parameter tone: a further class of links that are renewed while the page is open: `letters`, `groups`.
  static func choices(
    _ label: String, _ links: [(text: String, address: String, isShown: Bool)], tone: String = ""
  ) -> HTML {
    let items = links.map { link -> HTML in
      "<a href=\"\(link.address)\"\(link.isShown ? " aria-current=\"true\"" as HTML : nil)>\(link.text)</a>"
    }
    let live: HTML? = tone.isEmpty ? nil : " id=\"choices-\(tone)\" data-live"
    return "<div class=\"choices \(tone)\"\(live) role=\"group\" aria-label=\"\(label)\">\(items)</div>"
  }

  static let style = """
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: var(--m) var(--l) var(--l); min-width: 0; }
    .head { display: flex; flex-wrap: wrap; gap: var(--xs) var(--s); align-items: center;
      margin-bottom: var(--s); } .head > * { min-width: 0; } .head > :first-child, .head > :is(h1, :has(h1)) + .soft { margin-right: auto; }
    .head > :is(h1, :has(h1)):has(+ .soft) { margin-right: 0; } .head > :has(h1) + .soft { align-self: end; padding-bottom: 5px; } .head p { margin: 0; } .head:last-child { margin-bottom: 0; }
    @media (max-width: 640px) { .head { row-gap: var(--s); } }
    .alarm { border-color: var(--bad); } .alarm h2 { color: var(--bad); }
    .narrow { max-width: 560px; margin: 8vh auto; width: 100%; }
    .empty { display: grid; justify-items: center; gap: var(--s); padding: var(--l) 0; color: var(--soft); text-align: center; }
    .empty .icon { width: 36px; height: 36px; stroke-width: 1.25; } .empty p { margin: 0; max-width: 42em; } .empty .buttons { justify-content: center; margin: 0; } main > [data-live]:empty { display: none; }
    .pager { display: flex; flex-wrap: wrap; gap: var(--s) var(--m); align-items: center; margin: var(--m) 0 0; }
    .choices { display: flex; flex-wrap: wrap; gap: 6px; }
    .choices a { padding: 6px 12px; border-radius: 99px; text-decoration: none; color: var(--soft); border: 1px solid var(--line); }
    .choices a:hover { background: var(--fill); } .choices a[aria-current] { background: var(--accentbg); color: var(--accent);
      border-color: var(--accent); } .seek + p.choices a { background: var(--accent); color: var(--onaccent); }
    .error .plain a { display: inline; min-height: 0; } .letters { gap: 0; } .letters a { border-color: transparent; padding: 6px 0; width: 32px; text-align: center; justify-content: center; }
    .badge { display: inline-block; padding: 1px 10px; border-radius: 99px; font-size: var(--t-s); font-weight: 550;
      white-space: nowrap; background: var(--fill); color: var(--soft); }
    .good { background: var(--goodbg); color: var(--good); } .warn { background: var(--warnbg); color: var(--warn); }
    .bad { background: var(--badbg); color: var(--bad); }
    .entries { list-style: none; margin: 0; padding: 0; } .entries > li { padding: var(--s) 0; border-bottom: 1px solid var(--line); }
    .entries > li:first-child { padding-top: 0; } .entries > li:last-child { border-bottom: 0; padding-bottom: 0; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr)); gap: var(--s); }
    .tile { display: flex; gap: var(--s); align-items: center; min-height: 56px; padding: var(--s) var(--m); border: 1px solid var(--line);
      border-radius: 12px; color: var(--ink); text-decoration: none; background: var(--card); }
    a.tile:hover { border-color: var(--accent); } .tile > .icon { color: var(--accent); }
    .tile > span:not(.badge, .avatar) { min-width: 0; flex: 1; } .tile .soft { display: block; font-size: var(--t-s); } .tile .soft::first-letter, .badge::first-letter { text-transform: uppercase; }
    details.card:not([open]) { padding: var(--s) var(--l); } section.card > details:last-child:not([open]) { margin-bottom: calc(-1 * var(--s)); } .card > form > :last-child { margin-bottom: 0; } .card > summary { padding: 0; display: flex; align-items: center; gap: var(--s); }

    """
}
