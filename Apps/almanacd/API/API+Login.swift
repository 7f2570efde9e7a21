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
        return Response(
          .created, json: ["code": .string(code)], call.services.coder, headers: [.init("X-Login-Code")!: code])
      },
      Route(.get, "/login", .open) { [parts] call in
        // A HEAD of a link's preview must not use the code up.
        guard call.request.method == .get, let code = call.query("code"), let session = parts.access.logins.enter(code)
        else {
          if call.request.headers[.accept]?.contains("text/html") ?? false {
            return ClosedPage.spent.response(.forbidden)
          }
          throw Problem(
            .forbidden, "this link was used already, or is too old", hint: "run 'almanac dashboard' for a new one")
        }
        let life = Logins.sessionLife.components.seconds
        let cookie = "\(Access.cookie)=\(session); Path=/; Max-Age=\(life); HttpOnly; SameSite=Strict"
        return Response(status: .seeOther, headers: [.location: "/", .setCookie: cookie])
      },
    ]
  }
}
