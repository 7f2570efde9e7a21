import Hummingbird

/// What a browser sees that did not come in through the link. The daemon's files are closed to it as well, so it brings
/// its few rules along, under a nonce.
struct ClosedPage: Sendable {
  /// Why it is closed.
  let reason: HTML

  /// Nobody came in yet.
  static let locked = ClosedPage(reason: "This page is closed")
  /// The link does not open it any more.
  static let spent = ClosedPage(reason: "This link was used already, or is too old")

  /// The page as an answer.
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
    browser in for 30 days.</p>
    </main>
    </body>
    </html>
    """
  }
}
