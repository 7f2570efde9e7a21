import Hummingbird
import Models

/// Who has access: the browsers that are signed in, and the named tokens.
struct AccessPage {
  /// The sessions, the newest first.
  let sessions: [AccessList.Session]
  /// The id of the session that asks; `nil` for a token.
  let own: String?
  let tokens: [AccessList.NamedToken]

  static let path = "/access"

  private static let signingIn: Advice = "\(command: "dashboard") prints a link that lets another one in."

  var page: Page {
    Page(
      title: "Access",
      content: """
        <section class="card" id="sessions" data-live aria-labelledby="sessions-title">
        <div class="head"><h1 id="sessions-title">Browsers that are signed in</h1></div>
        <p class="soft">Each stays in for 30 days. \(Self.signingIn.description)</p>
        \(sessions.isEmpty ? OverviewPage.nothing("None.") : "<ul class=\"entries\">\(sessions.map(item))</ul>")
        </section>
        <section class="card" id="tokens" data-live aria-labelledby="tokens-title">
        <div class="head"><h2 id="tokens-title">Named tokens</h2></div>
        <p class="soft">Programs use them. POST /api/v1/tokens makes one.</p>
        \(tokens.isEmpty ? OverviewPage.nothing("None.") : "<ul class=\"entries\">\(tokens.map(item))</ul>")
        </section>
        """)
  }

  private func item(_ session: AccessList.Session) -> HTML {
    let (isOwn, name) = (session.id == own, session.browser.isEmpty ? "A browser without a name" : session.browser)
    return """
      <li><div class="head"><strong>\(OverviewPage.short(name))</strong>\(isOwn ? "<span class=\"badge\">this browser</span>" : nil)</div>
      <span class="soft">in since \(OverviewPage.moment(session.since)), last seen \(OverviewPage.ago(session.lastSeen))</span>
      <div class="buttons"><form method="post" action="/do/access/sessions/\(session.id)"><button \
      aria-label="Sign out \(isOwn ? "this browser" : "\(name), in since \(session.since)")">Sign out</button></form></div></li>
      """
  }

  private func item(_ token: AccessList.NamedToken) -> HTML {
    """
    <li><div class="head"><strong>\(token.name)</strong><span class="badge">\(token.rights.rawValue)</span></div>
    <span class="soft">since \(OverviewPage.moment(token.since)), last used \(OverviewPage.ago(token.lastUsed))</span>
    <div class="buttons"><form method="post" action="/do/access/tokens/\(percentEncoded(token.name))"><button \
    aria-label="Revoke \(token.name)">Revoke</button></form></div></li>
    """
  }
}

extension API {
  /// The page of who has access, and what its buttons do.
  var accessPage: [Route] {
    [
      page(AccessPage.path, .owner) { [parts] call in
        let own = call.request.session.flatMap { parts.access.list.session($0) }?.id
        return AccessPage(sessions: parts.access.list.sessions, own: own, tokens: parts.access.list.tokens).page
      },
      Route(.post, "/do/access/sessions/{id}", .owner, content: .form) { [parts] call in
        let (id, list) = (call.part("id"), parts.access.list)
        let isOwn = call.request.session.flatMap { list.session($0) }?.id == id
        guard try list.revokeSessions(id) else { throw Problem(.notFound, "this browser is signed out already") }
        guard isOwn else {
          return parts.notes.answer(
            "\(AccessPage.path)#sessions", saying: "The browser is signed out.", call.services.random)
        }
        var response = ClosedPage.signedOut.response(.ok)
        response.headers[.setCookie] = Self.cookie("", seconds: 0, parts.endpoint)
        return response
      },
      Route(.post, "/do/access/tokens/{name}", .owner, content: .form) { [parts] call in
        let name = call.part("name")
        guard try parts.access.list.revokeToken(name) else { throw Problem(.notFound, "there is no token '\(name)'") }
        return parts.notes.answer(
          "\(AccessPage.path)#tokens", saying: "The token \(name) is revoked.", call.services.random)
      },
    ]
  }
}
