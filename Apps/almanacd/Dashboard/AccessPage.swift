import Hummingbird
import Logging
import Models

/// Who has access: the browsers that are signed in, and the named tokens.
struct AccessPage {
  /// The sessions, the newest first.
  let sessions: [AccessList.Session]
  /// The id of the session that asks; `nil` for a token.
  let own: String?
  let tokens: [AccessList.NamedToken]
  /// A secret that was just made: it is shown this once.
  var secret: Secret?
  var refused: RefusedForm?

  /// What was made, and the text to copy.
  struct Secret {
    let title, about, text: String

    var html: HTML {
      Card(
        id: "secret", title: "\(title)", isLive: false,
        content: """
          <p>\(about)</p><p class="secret"><code>\(text)</code>\(Control.copy(text))</p>
          """
      ).html
    }
  }

  static let path = "/access"

  private static let rights: [(Rights, String)] = [
    (.read, "Read everything"), (.full, "Read and change everything"), (.calendar, "Fetch the birthdays"),
    (.assistant, "Ask and propose, as an assistant"),
  ]

  /// The form that makes a token.
  private var form: HTML {
    let options = Self.rights.map { rights, name -> HTML in
      "<option value=\"\(rights.rawValue)\"\(refused.value("rights") == rights.rawValue ? " selected" as HTML : nil)>\(name)</option>"
    }
    return """
      <form method="post" action="/do/access/tokens" class="fields">\(refused?.message)\(refused.input("name", "Name", tone: "", " required placeholder=\"backup\""))\
      <label>May <select name="rights">\(options)</select></label><button>New token</button></form>
      """
  }

  static let style = """
    .secret { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s); } .secret code { user-select: all; padding: 6px 10px; }

    """

  var page: Page {
    let browsers = sessions.isEmpty ? Shown.nothing("None.") : "<ul class=\"entries\">\(sessions.map(item))</ul>"
    let programs = tokens.isEmpty ? Shown.nothing("None.") : "<ul class=\"entries\">\(tokens.map(item))</ul>"
    let others =
      sessions.contains { $0.id != own } && sessions.count > 1
      ? "<div class=\"buttons\">\(Control.button("Sign out all others", "/do/access/sessions/others"))</div>" as HTML
      : nil
    return Page(
      title: "Access",
      content: """
        <h1>Access</h1><p class="soft">Everything on these pages comes from this machine.</p>\(secret?.html)
        \(Card(id: "sessions", title: "Browsers that are signed in", aside: Control.button("Sign in another device", "/do/access/link"), content: "<p class=\"soft\">Each stays in for 30 days.</p>\(browsers)\(others)").html)
        \(Card(id: "tokens", title: "Named tokens", content: "<p class=\"soft\">Programs use them.</p>\(programs)").html)
        \(Card(id: "newtoken", title: "New token", isLive: false, content: form).html)
        """, address: secret == nil && refused == nil ? nil : Self.path, status: refused?.problem.status ?? .ok)
  }

  private func item(_ session: AccessList.Session) -> HTML {
    let (isOwn, name) = (session.id == own, Self.name(of: session.browser))
    return """
      <li><div class="head"><strong>\(Shown.short(name))</strong>\(isOwn ? "<span class=\"badge\">this browser</span>" : nil)</div>
      <span class="soft">in since \(Shown.moment(session.since)), last seen \(Shown.ago(session.lastSeen))</span>
      <div class="buttons">\(Control.button("Sign out", "/do/access/sessions/\(session.id)", says: "Sign out \(isOwn ? "this browser" : "\(name), in since \(session.since)")"))</div></li>
      """
  }

  /// `Firefox on Linux`, for a `User-Agent`. Browsers also name those that they are like, after their own name or before.
  static func name(of agent: String) -> String {
    func first(_ names: [(part: String, name: String)]) -> String? {
      names.first { agent.contains($0.part) }?.name
    }
    let browser = first([
      ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"),
      ("CriOS/", "Chrome"), ("Safari/", "Safari"),
    ])
    let system = first([
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
      ("Linux", "Linux"),
    ])
    guard let browser else { return agent.isEmpty ? "A browser without a name" : Shown.short(agent, 60) }
    return browser + (system.map { " on \($0)" } ?? "")
  }

  private func item(_ token: AccessList.NamedToken) -> HTML {
    """
    <li><div class="head"><strong>\(token.name)</strong><span class="badge">\(token.rights.rawValue)</span></div>
    <span class="soft">since \(Shown.moment(token.since)), last used \(Shown.ago(token.lastUsed))</span>
    <div class="buttons">\(Control.button("Revoke", "/do/access/tokens/\(percentEncoded(token.name))", says: "Revoke \(token.name)"))</div></li>
    """
  }
}

extension API {
  /// The page with what was just made.
  private func page(
    _ call: APIRequest, _ secret: AccessPage.Secret?, _ refused: RefusedForm? = nil
  ) -> Response {
    let list = parts.access.list
    var page = AccessPage(
      sessions: list.sessions, own: list.session(of: call.request)?.id, tokens: list.tokens, secret: secret,
      refused: refused
    ).page
    page.counts = Self.counts(call.services)
    var response = page.response(base: parts.endpoint.basePath)
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// The address of the daemon, as the browser that asks knows it.
  /// What keeps other devices from an address of this machine alone; empty for others.
  private static func reach(of address: String) -> String {
    let authority = String(address.dropFirst("http://".count).prefix { $0 != "/" })
    let listen = (try? ListenAddress(authority)) ?? (try? ListenAddress(authority + ":80"))
    let isOwn = address.hasPrefix("http://") && listen?.isLoopback == true
    return isOwn
      ? " It leads to this machine alone: daemon.listen and daemon.publicURL of the config let other devices reach it."
      : ""
  }

  private func base(_ call: APIRequest) -> String {
    parts.endpoint.publicURL.map { $0.origin + $0.path }
      ?? call.request.head.authority.map { "http://\($0)" } ?? parts.endpoint.address.url
  }

  var accessPage: [Route] {
    [
      page(AccessPage.path, .owner) { [parts] call in
        let own = parts.access.list.session(of: call.request)?.id
        return AccessPage(sessions: parts.access.list.sessions, own: own, tokens: parts.access.list.tokens).page
      },
      Route(.post, "/do/access/tokens", .owner, content: .form) { call in
        do {
          let (name, rights) = (call.form["name"]?.trimmed ?? "", call.form["rights"] ?? "")
          let made = try makeToken(name, rights, call)
          let secret =
            made.url.map {
              AccessPage.Secret(
                title: "The address of the birthdays",
                about: "Give it to the calendar program. It is shown only now.\(Self.reach(of: $0))", text: $0)
            }
            ?? AccessPage.Secret(
              title: "The token \(name)", about: "It is shown only now: copy it to the program that uses it.",
              text: made.secret)
          return page(call, secret)
        } catch { return page(call, nil, try RefusedForm(call, error)) }
      },
      Route(.post, "/do/access/link", .owner, content: .form) { [parts] call in
        let code = parts.access.logins.makeCode()
        call.log("login code made", [:])
        let minutes = Logins.codeLife.components.seconds / 60
        return page(
          call,
          AccessPage.Secret(
            title: "Sign in another device",
            about:
              "Open this address on the other device, within \(minutes) minutes. It works once.\(Self.reach(of: base(call)))",
            text: "\(base(call))\(Self.loginPath)?code=\(code)"))
      },
      Route(.post, "/do/access/sessions/others", .owner, content: .form) { [parts] call in
        let own = parts.access.list.session(of: call.request)?.id
        _ = try revokeSessions(nil, except: own, call)
        return parts.notes.answer(
          "\(AccessPage.path)#sessions", saying: "All other browsers are signed out.", call.services.random)
      },
      Route(.post, "/do/access/sessions/{id}", .owner, content: .form) { [parts] call in
        let (id, list) = (call.part("id"), parts.access.list)
        let isOwn = list.session(of: call.request)?.id == id
        guard try revokeSessions(id, call) else { throw Problem(.notFound, "this browser is signed out already") }
        guard isOwn else {
          return parts.notes.answer(
            "\(AccessPage.path)#sessions", saying: "The browser is signed out.", call.services.random)
        }
        var response = ClosedPage.signedOut.response(.ok)
        response.headers[.setCookie] = Self.cookie(
          "", named: call.request.sessionName, seconds: 0, parts.endpoint)
        // With the pages that the browser kept (Clear-Site-Data, section 3.1).
        response.headers[.init("Clear-Site-Data")!] = #""cache", "storage""#
        return response
      },
      Route(.post, "/do/access/tokens/{name}", .owner, content: .form) { [parts] call in
        let name = call.part("name")
        guard try revokeToken(name, call) else { throw Problem(.notFound, "there is no token '\(name)'") }
        return parts.notes.answer(
          "\(AccessPage.path)#tokens", saying: "The token \(name) is revoked.", call.services.random)
      },
    ]
  }
}
