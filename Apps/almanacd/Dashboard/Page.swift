import Hummingbird

/// A whole page of the dashboard.
struct Page: Sendable {
  /// The title, without the program's name.
  let title: String
  /// What stands in `main`.
  let content: HTML

  /// Only the page's own files, nothing inline, no frames.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// The page as an answer.
  ///
  /// - Parameter base: what stands before every path that the browser sees, such as `/almanac`. Values are escaped, so
  ///   that a quotation mark before a slash begins an address of ours and nothing else.
  func response(_ status: Status = .ok, base: String) -> Response {
    let text = base.isEmpty ? html.text : html.text.replacing("=\"/", with: "=\"\(base)/")
    return Response(
      status, type: "text/html; charset=utf-8", Array(text.utf8),
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
    <script src="/assets/almanac.js" defer></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
    <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> Almanac</a>
    \(Self.navigation)
    <p id="line" class="line" role="status"></p>
    </header>
    <main id="main" tabindex="-1">
    \(content)
    </main>
    <footer class="foot">almanacd \(DaemonVersion.current). Everything here comes from this machine.</footer>
    </body>
    </html>

    """
  }

  private static let navigation: HTML = """
    <nav aria-label="Sections"><a href="/#follows">Follows</a> <a href="/#charts">Charts</a> \
    <a href="/#photos">Photos</a> <a href="/#birthdays">Birthdays</a> <a href="/#outbox">Outbox</a> \
    <a href="/#rejects">Rejects</a></nav>
    """
}
