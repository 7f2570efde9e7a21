import Hummingbird
import Logging
import Models
import Ports

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
  /// A name that is free, where the one of the refused form is taken.
  var free: String?

  /// What was made, and the text to copy.
  struct Secret {
    let title, about, text: String
    /// When it ends; `nil` for what is valid until it is revoked.
    var until: Timestamp?

    var html: HTML {
      Card(
        id: "secret", title: "\(title)", isLive: false,
        content: """
          <p>\(about)\(until.map { " \(Shown.end($0, after: "It expires", then: "It has expired: make another one"))." as HTML })</p><p class="secret"><code>\(text)</code>\(Control.copy(text))</p>
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
    let options = Control.options(
      Self.rights.map { ($0.0.rawValue, $0.1) }, chosen: refused.value("rights"))
    return """
      <form method="post" action="/do/access/tokens" class="fields">\(refused?.message)\(refused.input("name", "Name", " required maxlength=\"64\" placeholder=\"My phone\""))\
      <label>What it may do <select name="rights">\(options)</select></label><button>Make token</button>\
      \(free.map { "<button class=\"primary\" name=\"as\" value=\"\($0)\">Use ‘\($0)’</button>" as HTML })</form>
      """
  }

  static let style = """
    .granted { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s); } .granted > :first-child { flex: 1 1 200px; min-width: 0; } .granted > .asks[open] { flex: 1 1 100%; }
    #newtoken .fields { max-width: 760px; } .secret { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s); } .secret code { user-select: all; padding: 6px 10px; }

    """

  var page: Page {
    let browsers = sessions.isEmpty ? Shown.nothing("None.") : "<ul class=\"entries\">\(sessions.map(item))</ul>"
    let programs =
      tokens.isEmpty ? Shown.nothing("There is none yet.") : "<ul class=\"entries\">\(tokens.map(item))</ul>"
    let others =
      sessions.contains { $0.id != own } && sessions.count > 1
      ? "<div class=\"buttons\">\(Control.button("Sign out all others", "/do/access/sessions/others"))</div>" as HTML
      : nil
    return Page(
      title: "Access",
      content: """
        <h1>Access</h1><p class="soft">Who may read and change what is here.</p>\(secret?.html)
        \(Card(id: "sessions", title: "Browsers that are signed in", aside: Control.button("Sign in elsewhere", "/do/access/link"), content: "<p class=\"soft\">Each stays signed in for 30 days.</p>\(browsers)\(others)").html)
        \(Card(id: "tokens", title: "Tokens of programs", content: "<p class=\"soft\">A program with a token may do what the token allows, without a browser.</p>\(programs)").html)
        \(Card(id: "newtoken", title: "New token", isLive: false, content: form).html)
        """, address: secret == nil && refused == nil ? nil : Self.path, status: refused?.problem.status ?? .ok)
  }

  private func item(_ session: AccessList.Session) -> HTML {
    let (isOwn, name) = (session.id == own, Self.name(of: session.browser))
    return """
      <li class="granted"><div><strong>\(Shown.short(name))</strong> \(isOwn ? "<span class=\"badge\">this browser</span>" : nil)
      <div class="soft small">Signed in \(Shown.ago(session.since)) · last seen \(Shown.ago(session.lastSeen))</div></div>
      \(Control.button("Sign out", "/do/access/sessions/\(session.id)", says: "Sign out \(isOwn ? "this browser" : "\(name), signed in \(Shown.text(session.since))")"))</li>
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
    let rights = Self.rights.first { $0.0 == token.rights }?.1 ?? token.rights.rawValue
    let end: HTML =
      switch token.rights {
      case .calendar: "The calendar programs that read its address get no birthdays any more."
      case .assistant: "The assistant that uses it can neither ask nor propose any more."
      case .read, .full: "The programs that use it are refused from then on."
      }
    return """
      <li class="granted"><div><strong>\(token.name)</strong> <span class="badge">\(rights)</span>
      <div class="soft small">Made \(Shown.ago(token.since)) · \(token.lastUsed.map { "last used \(Shown.ago($0))" as HTML } ?? "never used")</div></div>
      \(Control.asking("Revoke", says: "Revoke \(token.name)", "\(end) That cannot be taken back.", Control.button("Revoke it", "/do/access/tokens/\(percentEncoded(token.name))", says: "Revoke it: \(token.name)", tone: "danger")))</li>
      """
  }
}

extension API {
  /// The page with what was just made.
  private func page(
    _ call: APIRequest, _ secret: AccessPage.Secret?, _ refused: RefusedForm? = nil, free: String? = nil
  ) -> Response {
    let list = parts.access.list
    var page = AccessPage(
      sessions: list.sessions, own: list.session(of: call.request)?.id, tokens: list.tokens, secret: secret,
      refused: refused, free: free
    ).page
    page.counts = Self.counts(call.services)
    var response = page.response(base: parts.endpoint.basePath)
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// Whether an address leads to this machine alone.
  private static func isLocal(_ address: String) -> Bool {
    let authority = String(address.dropFirst("http://".count).prefix { $0 != "/" })
    let listen = (try? ListenAddress(authority)) ?? (try? ListenAddress(authority + ":80"))
    return address.hasPrefix("http://") && listen?.isLoopback == true
  }

  /// What keeps other devices from an address, and which one they have; empty where nothing does.
  private func reach(of address: String) -> String {
    guard Self.isLocal(address) else { return "" }
    return parts.endpoint.address.isEverywhere
      ? " It works on this machine. Other devices put the address of this machine in the place of its name."
      : " It works on this machine alone: no other device reaches the daemon, until the config names an address for it, "
        + "daemon.listen or daemon.publicURL."
  }

  /// The first free name of `phone 2`, `phone 3` and so on.
  private func freeName(like name: String) -> String {
    let known = Set(parts.access.list.tokens.map(\.name.exact))
    return (2...).lazy.map { "\(name.prefix(56)) \($0)" }.first { !known.contains($0.exact) } ?? name
  }

  /// The address of the daemon, as the browser that asks knows it.
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
        let words = (call.form["as"] ?? call.form["name"] ?? "").split(whereSeparator: \.isWhitespace)
        let (name, rights) = (words.joined(separator: " "), call.form["rights"] ?? "")
        do {
          let made = try makeToken(name, rights, call)
          let secret =
            made.url.map {
              AccessPage.Secret(
                title: "The address of the birthdays",
                about:
                  "Give it to the calendar program. Access lists it as ‘\(name)’. It is shown only now.\(reach(of: $0))",
                text: $0)
            }
            ?? AccessPage.Secret(
              title: "The token \(name)", about: "It is shown only now: copy it to the program that uses it.",
              text: made.secret)
          return page(call, secret)
        } catch {
          let refused = try RefusedForm(call, error)
          guard (error as? Failure)?.code == .own(.duplicate) else { return page(call, nil, refused) }
          let free = freeName(like: name)
          let problem = Problem(
            refused.problem.status, "there is ‘\(name)’ already",
            hint: "take another name, such as ‘\(free)’, or revoke that one first", field: "name")
          return page(call, nil, RefusedForm(values: call.form, problem: problem), free: free)
        }
      },
      Route(.post, "/do/access/link", .owner, content: .form) { [parts] call in
        let code = parts.access.logins.makeCode()
        call.log("login code made", [:])
        let isLocal = Self.isLocal(base(call)) && !parts.endpoint.address.isEverywhere
        return page(
          call,
          AccessPage.Secret(
            title: isLocal ? "Sign in another browser" : "Sign in another device",
            about:
              "Open this address \(isLocal ? "in the other browser" : "on the other device"). It works once.\(reach(of: base(call)))",
            text: "\(base(call))\(Self.loginPath)?code=\(code)",
            until: call.services.time.now + Int(Logins.codeLife.components.seconds)))
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
        guard try revokeToken(name, call) else { throw Problem(.notFound, "the token \(name) was revoked already") }
        return parts.notes.answer(
          "\(AccessPage.path)#tokens", saying: "The token \(name) is revoked.", call.services.random)
      },
    ]
  }
}
