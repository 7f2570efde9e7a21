import Hummingbird
import Logging
import Models
import Ports

extension API {
  /// Named tokens, sessions, rotation of the main token, and codes for browsers.
  var accessList: [Operation] {
    [
      Operation(
        .get, "/api/v1/tokens", "listTokens", "The named tokens", access: .owner, answers: [.json("Tokens")]
      ) { [parts] call in
        let items = parts.access.list.tokens.map { token -> JSONValue in
          let fields: JSONObject = [
            "name": .string(token.name), "rights": .string(token.rights.rawValue),
            "since": .string(token.since.description), "lastUsed": .of(token.lastUsed?.description),
          ]
          return .object(fields)
        }
        return Response(json: ["items": .array(items)], call.services.coder)
      },
      Operation(
        .post, "/api/v1/tokens", "makeToken", "Makes a named token; its secret is shown only once", access: .owner,
        effect: .makesSecret, body: .needed("NewToken"), answers: [.json(.created, "MadeToken")], refusals: [409]
      ) { call in
        let fields = try call.object("name", "rights")
        let (name, rights) = (fields["name"]?.string ?? "", fields["rights"]?.string ?? "")
        let made = try makeToken(name, rights, call)
        var answer: JSONObject = ["name": .string(name), "rights": .string(rights), "token": .string(made.secret)]
        answer.append("url", made.url)
        return Response(
          .created, json: answer, call.services.coder, headers: [.location: "/api/v1/tokens/\(percentEncoded(name))"])
      },
      Operation(
        .delete, "/api/v1/tokens/{id}", "revokeToken", "Revokes a named token", access: .owner,
        idText: "the token's name", answers: [.empty]
      ) { call in
        guard try revokeToken(call.part("id"), call) else {
          throw Problem(.notFound, "there is no token of that name")
        }
        return Response(status: .noContent)
      },
      Operation(
        .post, "/api/v1/token-rotations", "rotateToken",
        "Replaces the daemon's token; the old one is refused from then on", access: .owner, effect: .makesSecret,
        body: .nothing, answers: [.json(.created, "RotatedToken")]
      ) { [parts] call in
        _ = try call.object()
        let token = try parts.access.token.rotate()
        call.log("the daemon's token replaced", [:])
        return Response(.created, json: ["token": .string(token)], call.services.coder)
      },
      Operation(
        .get, "/api/v1/sessions", "listSessions", "The sessions of browsers", access: .owner,
        answers: [.json("Sessions")]
      ) { [parts] call in
        let own = parts.access.list.session(of: call.request)?.id
        let items = parts.access.list.sessions.map { session -> JSONValue in
          [
            "id": .string(session.id), "since": .string(session.since.description),
            "lastSeen": .string(session.lastSeen.description), "browser": .string(session.browser),
            "current": .bool(session.id == own),
          ]
        }
        return Response(json: ["items": .array(items)], call.services.coder)
      },
      Operation(
        .delete, "/api/v1/sessions", "revokeSessions", "Revokes every session", access: .owner, answers: [.empty]
      ) { call in
        _ = try revokeSessions(nil, call)
        return Response(status: .noContent)
      },
      Operation(
        .delete, "/api/v1/sessions/{id}", "revokeSession", "Revokes a session", access: .owner,
        idText: "the session's id", answers: [.empty]
      ) { call in
        guard try revokeSessions(call.part("id"), call) else {
          throw Problem(.notFound, "there is no such session")
        }
        return Response(status: .noContent)
      },
      Operation(
        .post, "/api/v1/login-codes", "loginCode", "A code that opens the dashboard once: /login?code=…",
        effect: .makesSecret, body: .nothing, answers: [.json(.created, "LoginCode")]
      ) { [parts] call in
        _ = try call.object()
        let code = parts.access.logins.makeCode()
        call.log("login code made", [:])
        var headers: HTTPFields = [.init("X-Login-Code")!: code]
        // Where a proxy shows the daemon, the link leads there.
        if let address = parts.endpoint.publicURL { headers[.init("X-Public-URL")!] = address.origin + address.path }
        return Response(.created, json: ["code": .string(code)], call.services.coder, headers: headers)
      },
    ]
  }

  /// Makes a named token, and logs it.
  ///
  /// - Returns: its secret, and of a calendar the address of the birthdays.
  /// - Throws: `Problem` with 422 where a name or the rights are not as expected; `Failure` where the name is taken.
  func makeToken(_ name: String, _ text: String, _ call: APIRequest) throws -> (secret: String, url: String?) {
    guard Self.isName(name) else {
      throw Problem(
        .unprocessableContent, "a name has 1 to 64 characters, no '/', and single spaces between its words",
        field: "name")
    }
    guard let rights = Rights(rawValue: text) else {
      throw Problem(.unprocessableContent, "rights takes 'read', 'full', 'calendar' or 'assistant'")
    }
    let secret = try parts.access.list.makeToken(name, rights)
    call.log("token made", ["token": "\(name)", "rights": "\(rights.rawValue)"])
    let base = parts.endpoint.publicURL.map { $0.origin + $0.path } ?? parts.endpoint.address.url
    return (secret, rights == .calendar ? "\(base)/calendars/birthdays.ics?token=\(secret)" : nil)
  }

  /// Revokes a named token, and logs it; `false` if there is none.
  func revokeToken(_ name: String, _ call: APIRequest) throws(Failure) -> Bool {
    guard try parts.access.list.revokeToken(name) else { return false }
    call.log("token revoked", ["token": "\(name)"])
    return true
  }

  /// Revokes a session, or all but one, and logs it; `false` if there is none.
  func revokeSessions(_ id: String?, except kept: String? = nil, _ call: APIRequest) throws(Failure) -> Bool {
    guard try parts.access.list.revokeSessions(where: { $0.id == id || id == nil && $0.id != kept }) else {
      return false
    }
    call.log("session revoked", ["session": "\(id ?? (kept == nil ? "all" : "all others"))"])
    return true
  }

  /// Whether a text is what people call a program or a device, and a part of a path.
  private static func isName(_ text: String) -> Bool {
    text.unicodeScalars.count <= 64
      && text.split(separator: " ", omittingEmptySubsequences: false).allSatisfy { word in
        !word.isEmpty
          && word.unicodeScalars.allSatisfy { scalar in
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            return !isControl && !scalar.properties.isWhitespace && scalar != "/"
          }
      }
  }
}

extension API {
  /// Where the link leads that signs a browser in.
  static let loginPath = "/login"

  /// How a browser signs in: the CLI requests a code, and its link can be opened once.
  var login: [Route] {
    [
      Route(.get, Self.loginPath, .open) { [parts] call in
        // A HEAD of a link's preview must not use the code up.
        guard call.request.method == .get, let code = call.query("code"), parts.access.logins.use(code) else {
          if call.request.wantsPage {
            return ClosedPage.spent.response(.forbidden)
          }
          throw Problem(
            .forbidden, "this link was used already, or is too old", hint: "run \(command: "dashboard") for a new one",
            code: "bad-code")
        }
        let (session, problem) = parts.access.list.enter(browser: call.request.headers[.userAgent] ?? "")
        if let problem {
          call.services.events.report(
            .warning(message: "a session will end with the daemon, because it is not saved: \(problem.message)"))
        }
        let entered = parts.access.list.session(session)
        call.log("signed in", ["session": "\(entered?.id ?? "")", "browser": "\(entered?.browser ?? "")"])
        let cookie = Self.cookie(
          session, named: call.request.sessionName, seconds: AccessList.sessionLife, parts.endpoint)
        var response = Response(
          status: .seeOther, headers: [.location: Self.place(call.request) ?? "/", .setCookie: cookie])
        if call.request.cookie(Self.placeName) != nil {
          let gone = Self.cookie("", named: Self.placeName, seconds: 0, parts.endpoint)
          response.headers.append(HTTPField(name: .setCookie, value: gone))
        }
        return response
      }
    ]
  }

  /// The cookie with the page where a browser was that has to sign in.
  static let placeName = "almanac_place"

  /// The page where the browser was; `nil` where it is not known, or would be that of another server.
  private static func place(_ request: Request) -> String? {
    guard let place = request.cookie(placeName).map({ percentDecoded($0) }), place.hasPrefix("/"),
      !["/", "\\"].contains(place.dropFirst().prefix(1)), place.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return place
  }

  /// A cookie of the pages; with 0 seconds, the browser forgets it.
  static func cookie(
    _ value: String, named name: String, seconds: Int, _ endpoint: Endpoint
  ) -> String {
    let (base, isSecure) = (endpoint.basePath, endpoint.publicURL?.isSecure ?? false)
    return
      "\(name)=\(value); Path=\(base.isEmpty ? "/" : base); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }
}
