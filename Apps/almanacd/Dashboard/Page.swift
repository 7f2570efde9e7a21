import Hummingbird
import Models

/// A whole page of the dashboard.
struct Page: Sendable {
  /// The title, without the program's name.
  let title: String
  let content: HTML
  /// The id of the last event before the page's data was read.
  var position: String?
  /// What became of the form that led here.
  var note: String?
  /// The path of the page itself, where it answers a form that was refused.
  var address: String?
  var status: Status = .ok

  /// Only the page's own files, nothing inline, no frames.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// The page as an answer.
  ///
  /// - Parameter base: the prefix of every path that the browser sees, such as `/almanac`. Values are escaped, so
  ///   that a quotation mark before a slash always begins an address of this server.
  func response(_ status: Status? = nil, base: String) -> Response {
    let text = base.isEmpty ? html.text : html.text.replacing("=\"/", with: "=\"\(base)/")
    return Response(
      status ?? self.status, type: "text/html; charset=utf-8", Array(text.utf8),
      headers: [.contentSecurityPolicy: Self.policy])
  }

  private var html: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title) · Almanac</title>
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/assets/almanac.css">
    <script src="/assets/almanac.js"\(position.map { " data-since=\"\($0)\"" })\(address.map { " data-page=\"\($0)\"" }) defer></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
    <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> Almanac</a>
    \(Self.navigation)
    <p id="line" class="line" role="status"></p>
    </header>
    <main id="main" tabindex="-1">
    \(note.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })\(content)
    </main>
    <footer class="foot">almanacd \(DaemonVersion.current). Everything here comes from this machine. \
    <a href="\(AccessPage.path)">Access and sign out</a></footer>
    </body>
    </html>

    """
  }

  /// The page for something that went wrong.
  ///
  /// - Parameter origin: the path of the page where it was asked for; `nil` where it is not known.
  static func error(_ problem: Problem, from origin: String? = nil) -> Page {
    let title = "\(problem.status.code) \(problem.status.reasonPhrase)"
    return Page(
      title: title,
      content: """
        <section class="card narrow"><h1>\(title)</h1><p>\(OverviewPage.short(problem.detail))</p>
        \((problem.hint?.description).map { "<p class=\"soft\">\($0)</p>" })
        <p>\(origin.map { "<a href=\"\($0)\">Back to the page before</a> · " })<a href="/">Overview</a></p></section>
        """)
  }

  private static let navigation: HTML = """
    <nav aria-label="Sections"><a href="/#follows">Follows</a> <a href="/#charts">Charts</a> \
    <a href="/#photos">Photos</a> <a href="/#birthdays">Birthdays</a> <a href="/#outbox">Outbox</a> \
    <a href="/#rejects">Rejects</a> <a href="/collections">Records</a> \
    <a href="/search">Search</a> <a href="/activity">Activity</a></nav>
    """
}

/// A piece of HTML. What is interpolated is text and gets escaped, unless it is HTML already.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Takes values apart from markup.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    /// Markup, or nothing.
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    /// Pieces of markup in a row.
    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
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
    browser in for 30 days.\(isForm ? " Nothing was changed: send the form again after that." : nil as HTML?)</p>
    </main>
    </body>
    </html>
    """
  }
}
