import Hummingbird
import Models
import Ports

extension API {
  /// How a browser comes in: the CLI asks for a code, and its link is opened once.
  var login: [Route] {
    [
      Route(.post, "/api/v1/login-codes") { [parts] call in
        _ = try call.object()
        let code = parts.access.logins.makeCode()
        var headers: HTTPFields = [.init("X-Login-Code")!: code]
        // Where a proxy shows the daemon, the link leads there.
        if let address = parts.door.publicURL { headers[.init("X-Public-URL")!] = address.origin + address.path }
        return Response(.created, json: ["code": .string(code)], call.services.coder, headers: headers)
      },
      Route(.get, "/login", .open) { [parts] call in
        // A HEAD of a link's preview must not use the code up.
        guard call.request.method == .get, let code = call.query("code"), parts.access.logins.use(code) else {
          if call.request.headers[.accept]?.contains("text/html") ?? false {
            return ClosedPage.spent.response(.forbidden)
          }
          throw Problem(
            .forbidden, "this link was used already, or is too old", hint: "run 'almanac dashboard' for a new one",
            code: "bad-code")
        }
        let session = try parts.access.list.enter(browser: call.request.headers[.userAgent] ?? "")
        let life = AccessList.sessionLife
        let (base, isSecure) = (parts.door.basePath, parts.door.publicURL?.isSecure ?? false)
        let cookie =
          "\(Access.cookie)=\(session); Path=\(base.isEmpty ? "/" : base); Max-Age=\(life); HttpOnly; SameSite=Strict"
          + (isSecure ? "; Secure" : "")
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie])
      },
    ]
  }
}
