import Hummingbird
import Models

/// The parts of the dashboard, as the navigation names them.
enum Section: String, CaseIterable {
  case home, people, photos, charts, birthdays, follows, outbox, records, activity, more

  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  var address: String {
    switch self {
    case .home: "/"
    case .people: "/collections/people"
    case .records: "/collections"
    default: "/\(rawValue)"
    }
  }

  /// The letter that leads to it after `g`.
  var key: String { self == .photos ? "i" : String(rawValue.prefix(1)) }

  var icon: Icon { self == .birthdays ? .calendar : Icon(rawValue: rawValue) ?? .globe }

  /// Whether a phone's bar has it: the outbox only while something waits there. The others are on the page `more`, which only a
  /// phone's bar has.
  fileprivate func isOnPhones(_ counts: [Section: Int]) -> Bool {
    [.home, .people, .photos, .charts, .more].contains(self) || self == .outbox && counts[self] != nil
  }

  /// The link to the section.
  ///
  /// - Parameters:
  ///   - current: the section that is shown.
  ///   - counts: how many things of a section need somebody.
  func link(_ current: Section?, _ counts: [Section: Int]) -> HTML {
    let isCurrent = self == current || (self == .more && current.map { !$0.isOnPhones(counts) } ?? false)
    return """
      <a href="\(address)" data-key="\(key)"\(isOnPhones(counts) ? self == .more ? " class=\"phone\"" as HTML : nil : " class=\"desk\"")\(isCurrent ? " aria-current=\"page\"" as HTML : nil)>\
      \(icon.html)<span>\(title)</span>\(count(counts))</a>
      """
  }
}

extension Section {
  /// The number beside the name; that of a phone's `more` is for all that is behind it.
  private func count(_ counts: [Section: Int]) -> HTML? {
    let own = self == .more ? counts.filter { !$0.key.isOnPhones(counts) } : counts.filter { $0.key == self }
    let count = own.values.reduce(0, +)
    return count > 0 ? "<span class=\"count\">\(grouped(count))<span class=\"hidden\"> need you</span></span>" : nil
  }
}

/// A whole page of the dashboard.
struct Page: Sendable {
  /// The title, without the program's name.
  let title: String
  var section: Section?
  let content: HTML
  /// The id of the last event before the page's data was read.
  var position: String?
  /// What became of the form that led here.
  var note: FormNotes.Note?
  /// The path of the page itself, where it answers a form that was refused.
  var address: String?
  var status: Status = .ok
  /// A cookie that the browser keeps.
  var cookie: String?
  /// How many things of a section need somebody; 0 of an outbox in which something waits for its server.
  var counts: [Section: Int] = [:]
  /// What is searched for everywhere.
  var words = ""

  /// Only the page's own files, nothing inline, no frames.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// The page as an answer.
  ///
  /// - Parameter base: the prefix of every path that the browser sees, such as `/almanac`. Values are escaped, so
  ///   that a quotation mark before a slash always begins an address of this server.
  func response(_ status: Status? = nil, base: String) -> Response {
    let text = base.isEmpty ? html.text : html.text.replacing("=\"/", with: "=\"\(base)/")
    var headers: HTTPFields = [.contentSecurityPolicy: Self.policy]
    headers[.setCookie] = cookie
    return Response(status ?? self.status, type: "text/html; charset=utf-8", Array(text.utf8), headers: headers)
  }

  private var html: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#181d26" media="(prefers-color-scheme: dark)">
    <title>\(title) · Almanac</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <link rel="manifest" href="/assets/almanac.webmanifest" crossorigin="use-credentials">
    <link rel="stylesheet" href="/assets/almanac.css">
    <script src="/assets/almanac.js"\(position.map { " data-since=\"\($0)\"" })\(address.map { " data-page=\"\($0)\"" }) defer></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
    <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"><span>Almanac</span></a>
    <form class="find" method="get" action="/search" role="search"><input type="search" name="words" placeholder="Search" value="\(words)" autocomplete="off" \
    aria-label="Search everything"><button class="plainly" aria-label="Search">\(Icon.search.html)</button></form>
    <p id="line" class="line" role="status"></p>
    \(Self.menu)
    </header>
    <div class="frame">
    <nav id="sections" aria-label="Sections" data-live>\(Section.allCases.map { $0.link(section, counts) })</nav>
    <main id="main" tabindex="-1">
    \(note.map { "<div class=\"note\($0.isBad ? " bad" : "")\" role=\"status\"\($0.outcome.map { " data-outcome=\"\($0)\"" as HTML })><p>\($0.text)</p>\($0.undo)</div>" as HTML })\(content)
    </main>
    </div>
    <footer class="foot">almanacd \(DaemonVersion.current). <a href="\(AccessPage.path)">Access and sign out</a>\(Self.keys)</footer>\(Control.intervalList)
    </body>
    </html>

    """
  }

  /// What can be added.
  private static var menu: HTML {
    """
    <details class="menu"><summary class="button primary">\(Icon.add.html)<span>Add</span></summary><div>\
    <a href="/add">\(Icon.follows.html)Follow something</a><a href="/collections/people?new">\(Icon.people.html)Add a person</a>\
    <a href="/collections/people?import">\(Icon.records.html)Import contacts</a></div></details>
    """
  }

  /// The keys that the script knows; `?` shows them.
  private static var keys: HTML {
    let keys: [(String, String)] =
      [
        ("/", "search, and go to a place"), ("j k", "next and previous item"), ("Enter", "open it"),
        ("n", "add something"), ("e", "edit"), ("s", "sync this follow"), ("x", "select in a list"),
        ("← →", "previous and next page"), ("Esc", "close this"),
      ] + Section.allCases.filter { $0 != .more }.map { ("g \($0.key)", $0.title) }
    let items = keys.map { "<dt><kbd>\($0.0)</kbd></dt><dd>\($0.1)</dd>" as HTML }
    return """
      <details class="keys" id="keys"><summary>Keyboard</summary><div><h2>Keyboard</h2><dl>\(items)</dl></div></details>
      """
  }

  /// The page for something that went wrong.
  ///
  /// - Parameters:
  ///   - path: what was asked for.
  ///   - origin: the path of the page where it was asked for; `nil` where it is not known.
  ///   - counts: what the navigation counts.
  static func error(
    _ problem: Problem, at path: String, from origin: String? = nil, counts: [Section: Int] = [:]
  ) -> Page {
    let list = list(above: path).map { "<a class=\"button primary\" href=\"\($0.address)\">\($0.title)</a>" as HTML }
    let title =
      switch problem.status {
      case .notFound: "Not found"
      case .preconditionFailed: "It was changed meanwhile"
      case .unprocessableContent, .badRequest, .conflict: "This cannot be done"
      case .internalServerError: "Something went wrong here"
      default: problem.status.reasonPhrase
      }
    return Page(
      title: title,
      content: """
        <section class="card narrow"><h1>\(title)</h1><p>\(Shown.short(Shown.sentence(problem.detail)))</p>
        \((problem.hint?.description).map { "<p class=\"soft\">\(Shown.sentence($0))</p>" })
        <p class="buttons">\(list)\(origin.map { "<a class=\"button\" href=\"\($0)\">Back to the page before</a>" })\
        <a class="button" href="/">Home</a></p><p class="soft small">\(Int(problem.status.code)) \(problem.status.reasonPhrase)</p></section>
        """, counts: counts)
  }

  /// The list in which something is that a path names; `nil` for other paths.
  static func list(above path: String) -> (address: String, title: String)? {
    let parts = path.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    switch parts.first {
    case "collections"? where parts.count > 2:
      return ("/collections/\(parts[1])", Shown.heading(percentDecoded(parts[1])))
    case "follows"? where parts.count > 1: return ("/follows", "All follows")
    case "photos"? where parts.count > 1: return ("/photos", "All photos")
    case "charts"? where parts.count > 1, "apps"? where parts.count > 1: return ("/charts", "All charts")
    case "add"? where parts.count > 1: return ("/add", "All sources")
    default: return nil
    }
  }

  /// What a phone's bar has no room for.
  static func more(_ counts: [Section: Int]) -> Page {
    let links: [(Icon, String, String)] =
      Section.allCases.filter { !$0.isOnPhones([:]) }.map {
        ($0.icon, $0.title, $0.address)
      }
      + [(.lock, "Access and sign out", AccessPage.path)]
    let tiles = links.map { link -> HTML in
      let count = counts.first { $0.key.title == link.1 && $0.value > 0 }?.value
      return """
        <a class="tile" href="\(link.2)">\(link.0.html)<span>\(link.1)</span>\(count.map { "<span class=\"badge bad\">\(grouped($0))</span>" as HTML })</a>
        """
    }
    return Page(
      title: "More", section: .more, content: "<h1>More</h1><div class=\"tiles\" id=\"more\" data-live>\(tiles)</div>")
  }

  static let style = """
    :root { color-scheme: light dark; --ground: #f5f6f9; --card: #fff; --ink: #171c26; --soft: #566072; --line: #e2e6ed; --rim: #aab3c2;
      --edge: #8b95a6; --fill: #eef1f6; --accent: #1459c7; --onaccent: #fff; --accentbg: #e5eefc; --good: #17703c; --goodbg: #e3f4e8;
      --warn: #8a5300; --warnbg: #fdf0d8; --bad: #b3261e; --badbg: #fce8e6; --badfill: #b3261e;
      --xs: 4px; --s: 10px; --m: 16px; --l: 22px; --xl: 32px; --t-s: 13px; --t-m: 15px; --t-l: 18px; --t-xl: 26px; --bar: 0px; }
    @media (prefers-color-scheme: dark) { :root { --ground: #0f1319; --card: #181d26; --ink: #e8ecf3; --soft: #a1abbb; --line: #2a323f; --rim: #4d596b;
      --edge: #6b7688; --fill: #232b37; --accent: #8ab4ff; --onaccent: #0b1a33; --accentbg: #1c2c49; --good: #7fd6a0; --goodbg: #16301f;
      --warn: #f0c069; --warnbg: #362a10; --bad: #ff9c92; --badbg: #3b1a17; } }
    * { box-sizing: border-box; } html { scroll-padding: 84px 0 24px; }
    body { margin: 0; background: var(--ground); color: var(--ink); font: var(--t-m)/1.5 system-ui, "Segoe UI", Roboto,
      "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word; }
    a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; } .entries > li > a, .entries strong a, th a, .head a:not(span a) { text-decoration: none; }
    .entries a:hover, th a:hover, .head a:hover { text-decoration: underline; } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
    main:focus { outline: none; } .skip { position: absolute; left: -999px; }
    .skip:focus { left: 12px; top: 12px; background: var(--card); padding: 8px 12px; z-index: 4; }
    .top { position: sticky; top: 0; z-index: 3; display: flex; align-items: center; gap: var(--m); height: 60px; padding: 0 max(var(--l), calc(50vw - 798px));
      background: var(--card); border-bottom: 1px solid var(--line); }
    .brand { display: flex; align-items: center; gap: var(--s); width: 178px; min-height: 44px; font-size: var(--t-l); font-weight: 650;
      color: var(--ink); text-decoration: none; }
    .find { display: flex; flex: 0 1 420px; position: relative; min-width: 0; } .find input { width: 100%; padding-right: 46px; border-radius: 99px; }
    .find button { position: absolute; right: 0; border-radius: 99px; padding: 6px 12px; color: var(--soft); }
    .menu { flex: none; margin: 0; position: relative; } .menu > summary { list-style: none; } .menu > summary::-webkit-details-marker { display: none; }
    .menu > div { position: absolute; z-index: 5; top: calc(100% + 6px); right: 0; width: 220px; padding: 6px; border: 1px solid var(--rim); border-radius: 12px; background: var(--card); box-shadow: 0 8px 32px #0004; }
    .menu a { display: flex; align-items: center; gap: var(--s); min-height: 44px; padding: 0 var(--s); border-radius: 8px; color: var(--ink); text-decoration: none; } .menu a:hover { background: var(--fill); } .menu a .icon { color: var(--accent); }
    .line { flex: 0 1 280px; margin: 0 0 0 auto; color: var(--soft); font-size: var(--t-s); text-align: right; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .line:not(:empty)::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-right: 6px; border-radius: 50%; background: currentColor; } .line.live::before { color: var(--good); }
    .away .line { flex-basis: 360px; color: var(--bad); font-weight: 600; }
    .frame { display: grid; grid-template-columns: 200px minmax(0, 1fr); max-width: 1640px; margin: 0 auto; }
    nav { position: sticky; top: 60px; align-self: start; max-height: calc(100vh - 60px); max-height: calc(100dvh - 60px); overflow-y: auto; display: grid; gap: 2px; padding: var(--m) var(--s); }
    nav a { display: flex; align-items: center; gap: 12px; min-height: 44px; padding: 0 12px; border-radius: 10px; color: var(--soft);
      text-decoration: none; font-weight: 550; } nav a:hover { background: var(--fill); color: var(--ink); }
    nav a[aria-current] { background: var(--accentbg); color: var(--accent); } nav .phone { display: none; }
    .count { margin-left: auto; padding: 0 8px; border-radius: 99px; background: var(--badbg); color: var(--bad); font-size: 12px; line-height: 20px; }
    .keys { display: inline-block; margin: 0 0 0 var(--s); } .keys summary { display: inline-flex; align-items: center; min-height: 28px; padding: 0; text-decoration: underline; } .keys > div { position: fixed; z-index: 5; inset: 0; width: min(400px, 92vw);
      height: fit-content; max-height: 92vh; overflow: auto; margin: auto; padding: var(--m) var(--l); border: 1px solid var(--rim); border-radius: 14px; background: var(--card); color: var(--ink);
      text-align: left; box-shadow: 0 12px 48px #0005; } .keys h2 { margin-bottom: var(--s); } .keys dl { display: grid; grid-template-columns: auto 1fr; gap: var(--xs) var(--m); margin: 0; } .keys dd { margin: 0; }
    main { padding: var(--l) var(--l) var(--xl); display: grid; gap: var(--m); grid-template-columns: repeat(2, minmax(0, 1fr));
      align-items: start; align-content: start; min-height: calc(100vh - 140px); }
    main > * { grid-column: 1 / -1; min-width: 0; } main > .half { grid-column: auto; }
    h1 { font-size: var(--t-xl); line-height: 1.25; margin: 0; letter-spacing: -.01em; } h1 .icon { width: 26px; height: 26px; color: var(--accent); } h2 { font-size: var(--t-l); margin: 0; } .tiles + h2, details + h2 { margin: var(--m) 0 var(--s); }
    p { margin: 0 0 var(--s); } section > :last-child { margin-bottom: 0; } .card > form + p { margin-top: var(--s); } h3 { font-size: var(--t-m); margin: 0 0 var(--s); } .soft { color: var(--soft); } .small { font-size: var(--t-s); } .light { font-weight: 400; } tbody th .small { font-weight: 400; }
    .note:focus { outline: none; } .note { position: fixed; inset: auto var(--l) calc(var(--bar) + 8px + env(safe-area-inset-bottom)) auto; z-index: 4; max-width: 620px; box-shadow: 0 4px 24px #0004; margin: 0; padding: 10px var(--m); border: 1px solid var(--good); border-radius: 10px;
      background: var(--goodbg); color: var(--good); font-weight: 550; outline-offset: -3px; overflow-wrap: anywhere; display: flex; flex-wrap: wrap; align-items: center; gap: var(--s) var(--m); } .note p { margin: 0; flex: 1; } .note .shut { color: inherit; } .note.bad { border-color: var(--bad); background: var(--badbg); color: var(--bad); } .fields > .note { position: sticky; inset: auto; bottom: calc(var(--bar) + 68px); flex: 1 1 100%; max-width: none; }
    .dropping main { outline: 3px dashed var(--accent); outline-offset: -6px; border-radius: 14px; }
    .cut { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
    .plain { list-style: none; margin: 0; padding: 0; } .plain li > a:only-child:not(:hover) { text-decoration: none; } .plain li { padding: 2px 0; }
    code { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, monospace; background: var(--fill); padding: 1px 5px;
      border-radius: 5px; overflow-wrap: anywhere; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .foot { color: var(--soft); font-size: var(--t-s); text-align: center; padding: 0 var(--l) var(--l); }
    @media (max-width: 1000px) { .frame { grid-template-columns: 92px minmax(0, 1fr); } .brand { width: auto; } main > .half { grid-column: 1 / -1; }
      nav { padding: var(--s) 6px; } nav a { position: relative; flex-direction: column; justify-content: center; gap: 2px; min-height: 58px; padding: 0; font-size: 12px; }
      .count { position: absolute; top: 2px; right: 12px; } }
    @media (max-width: 640px) {
      .top { padding: 0 var(--s); gap: var(--s); } .brand { min-width: 44px; justify-content: center; } .brand span, .top .primary span, .line { position: absolute; width: 1px; height: 1px;
        overflow: hidden; clip-path: inset(50%); } .find { flex: 1; } .top .primary { min-width: 44px; padding: 0; }
      .away .line { position: fixed; inset: auto 0 62px 0; width: auto; height: auto; clip-path: none; padding: 8px 12px; background: var(--badbg); white-space: normal; z-index: 3; } .away:has(.saving) .line { bottom: 124px; }
      .note { right: var(--s); left: var(--s); max-width: none; } .away:has(.unsent) .line { display: none; }
      .keys { display: none; } main { padding: var(--m) var(--s) var(--m); gap: 12px; min-height: 0; }
      .head p.small:first-child, div > p.small:first-child { margin: -12px 0 -8px; } .head a:not(.button, .menu a), .entries a, .plain a:not(.cut), .foot a, td a, p.small > a, .tile + a:not(.tile) { display: inline-flex; align-items: center; min-height: 44px; } .card { padding: var(--m); } .foot a { display: flex; justify-content: center; } .frame:has(#more) + .foot a { display: none; } h1 { font-size: 22px; } }
    /* A screen that is narrow or low has the sections at its lower edge. */
    @media (max-width: 640px), (max-height: 560px) { :root { --bar: 58px; }
      .frame { display: block; } nav { position: fixed; inset: auto 0 0 0; z-index: 3; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 0;
        padding: 2px 4px env(safe-area-inset-bottom); background: var(--card); border-top: 1px solid var(--line); }
      nav .desk { display: none; } nav .phone { display: flex; } nav a { position: relative; flex-direction: column; justify-content: center; gap: 2px; min-height: 56px; padding: 0; font-size: 12px; }
      nav .count { position: absolute; top: 2px; right: calc(50% - 30px); } html { scroll-padding-bottom: 76px; } .foot { padding-bottom: 84px; } }
    @media (forced-colors: active) { [aria-current] { forced-color-adjust: none; background: Highlight !important; color: HighlightText !important; } [aria-current] * { background: none !important; color: inherit !important; } .badge, .count { border: 1px solid; } }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    @media print { :root { color-scheme: light; --ground: #fff; --card: #fff; --fill: #fff; --ink: #000; --soft: #444; --line: #ccc; --accent: #1459c7; --good: #17703c; --warn: #8a5300; --bad: #b3261e; }
      .top, nav, .foot, .buttons, .button, button, form, summary, .choices, .pager, .note, .skip, .acts, .viewer, .draw, #timeline { display: none !important; }
      .frame, main { display: block !important; padding: 0 !important; } .card { border: 0 !important; padding: 0 0 var(--m) !important; } li, tr, .plot { break-inside: avoid; } a { color: inherit; text-decoration: none; } }

    """
}

/// A piece of HTML. What is interpolated is text and gets escaped, unless it is HTML already.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  /// Whether there is markup in it.
  var isMarkup: Bool { text.contains("<") || text.contains("&") }

  /// Text that is markup already.
  init(markup: String) { text = markup }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Takes values apart from markup.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    /// Markup, or nothing.
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    mutating func appendInterpolation(_ value: String) {
      let isPlain = value.utf8.count == value.unicodeScalars.count
      text += isPlain || !isContent ? Markup.escaped(value) : isolated(value)
    }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }

    /// Whether what comes next is content, and not the value of an attribute or of a field, which come back as they are.
    private var isContent: Bool {
      let tag = text.utf8.lastIndex(of: UInt8(ascii: "<")).map { text[$0...] } ?? ""
      if tag.hasPrefix("<textarea") { return false }
      let rest = text.utf8.lastIndex(of: UInt8(ascii: ">")).map { text[$0...] } ?? text[...]
      return rest.utf8.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
    }

    /// A text that does not turn the direction of what is around it.
    private func isolated(_ value: String) -> String {
      let scalars = value.unicodeScalars
      let text = Markup.escaped(
        scalars.contains(where: \.isDirectionMark)
          ? String(String.UnicodeScalarView(scalars.map { $0.isDirectionMark ? "\u{FFFD}" : $0 })) : value)
      guard scalars.contains(where: \.isRightToLeft) else { return text }
      let tag = self.text.utf8.lastIndex(of: UInt8(ascii: "<")).map { self.text[$0...] } ?? ""
      // These have no elements in them.
      let isText = ["<title", "<option", "<text"].contains { tag.hasPrefix($0) }
      return isText ? "\u{2068}\(text)\u{2069}" : "<bdi>\(text)</bdi>"
    }
  }
}

/// The page for browsers without a session. They cannot read the daemon's other files, so its style is inline, with a
/// nonce.
struct ClosedPage: Sendable {
  var reason: HTML = "This page is closed"
  var isForm = false

  /// The link does not open it any more.
  static let spent = ClosedPage(reason: "This link was used already, or is too old")

  static let signedOut = ClosedPage(reason: "This browser is signed out")

  func response(_ status: Status) -> Response {
    let nonce = DaemonToken.fresh()
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; form-action 'none'; base-uri 'none'; "
      + "frame-ancestors 'none'"
    return Response(
      status, type: "text/html; charset=utf-8", Array(html(nonce).text.utf8), headers: [.contentSecurityPolicy: policy])
  }

  private func html(_ nonce: String) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Closed · Almanac</title>
    <link rel="icon" href="data:,">
    <style nonce="\(nonce)">
    :root { color-scheme: light dark; }
    body { margin: 0; font: 16px/1.5 system-ui, "Segoe UI", Roboto, Arial, sans-serif; background: #f4f5f7; color: #1c2330; }
    main { max-width: 30em; margin: 12vh auto; padding: 24px 28px 28px; background: #fff; border-radius: 12px; }
    h1 { font-size: 22px; margin: 0 0 8px; } p { margin: 0; }
    code { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, monospace; background: #eceff4; padding: 2px 6px;
      border-radius: 5px; }
    @media (prefers-color-scheme: dark) { body { background: #10141b; color: #e7ebf2; } main { background: #1a202a; }
      code { background: #252d3a; } }
    @media (max-width: 560px) { main { margin: 16px; padding: 18px; } }
    </style>
    </head>
    <body>
    <main>
    <h1>\(reason)</h1>
    <p>Run <code>almanac dashboard</code> in a terminal and open the link that it prints. It works once, and lets this \
    browser in for 30 days. It leads back to where you were. Another browser that is signed in makes such a link, too: Access, Sign in elsewhere.\(isForm ? " Nothing was changed: send the form again after that." : nil as HTML?)</p>
    </main>
    </body>
    </html>
    """
  }
}
