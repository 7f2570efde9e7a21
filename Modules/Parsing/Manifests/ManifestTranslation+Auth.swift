import Models

// How requests prove who asks.

extension ManifestTranslation {
  /// The member `auth` of a definition; empty where no key is sent.
  mutating func auth(_ part: ManifestPart) throws(Refusal) -> JSONObject {
    guard case .map = part else { return [:] }
    let part = try part.withoutProgram()
    let context = ManifestContext(settings)
    switch part.type {
    case "NoAuth": return [:]
    case "" where part["api_token"].isNull: return [:]
    case "BearerAuthenticator": return ["bearer": .string(try key(part["api_token"], context))]
    case "BasicHttpAuthenticator":
      let (user, password) = (try key(part["username"], context), try key(part["password"], context))
      return ["basic": .string("\(user):\(password)")]
    case "ApiKeyAuthenticator":
      let option = part["inject_into"]
      let name = [option["field_name"], part["header"]].first { !$0.isNull }
      guard let name else { throw Refusal("a key without a name") }
      let value = try self.value(part["api_token"], context, "a key")
      if case .joined(let parts) = value, parts.count == 2, parts[0] == .constant("Basic "),
        case .base64(let inner) = parts[1]
      {
        return ["basic": .string(try key(inner))]
      }
      return Self.placed(
        option["inject_into"].text ?? option.text ?? "header", try text(name, context, "the name of a key"),
        try key(value))
    case "OAuthAuthenticator": return ["oauth2": .object(try oauth(part, context))]
    case "SelectiveAuthenticator":
      var problems: [String] = []
      for member in part["authenticators"].map?.members ?? [] {
        do throws(Refusal) {
          let auth = try auth(member.value)
          let others = (part["authenticators"].map?.members ?? []).map(\.name).filter { $0 != member.name }
          if !others.isEmpty {
            note("of several ways to send the key, \(member.name) is taken; \(others.joined(separator: ", ")) is not")
          }
          return auth
        } catch {
          problems.append("\(member.name): \(error.reason)")
        }
      }
      throw Refusal(problems.isEmpty ? "no way to send the key" : problems.joined(separator: "; "))
    case "SessionTokenAuthenticator", "LegacySessionTokenAuthenticator": return try login(part, context)
    default: throw Refusal("the authentication \(part.type)")
    }
  }

  private mutating func key(_ part: ManifestPart, _ context: ManifestContext) throws(Refusal) -> String {
    try key(try value(part, context, "a key"))
  }

  static func placed(_ place: String, _ name: String, _ value: String) -> JSONObject {
    let member: JSONValue = .object(JSONObject(members: [.init(key: name, value: .string(value))]))
    return switch place {
    case "request_parameter": ["query": member]
    case "body_json", "body_data": ["body": member]
    default: ["headers": member]
    }
  }

  private mutating func oauth(_ part: ManifestPart, _ context: ManifestContext) throws(Refusal) -> JSONObject {
    let grant = part["grant_type"].isNull ? "refresh_token" : try text(part["grant_type"], context, "the grant")
    let isRefresh = grant.contains("refresh")
    guard isRefresh || grant == "client_credentials" else { throw Refusal("the grant \(grant)") }
    var oauth: JSONObject = ["grant": .string(isRefresh ? "refresh" : "client")]
    let token = try value(part["token_refresh_endpoint"], context, "the address for tokens", named: "token_address")
    oauth.append("token", try template(token, "the address for tokens"))
    for name in ["client_id", "client_secret", "refresh_token"] where !part[name].isNull {
      _ = try key(part[name], context)
    }
    for (name, usual) in [
      ("client_id_name", "client_id"), ("client_secret_name", "client_secret"),
      ("refresh_token_name", "refresh_token"), ("grant_type_name", "grant_type"), ("access_token_name", "access_token"),
    ] {
      if let text = part[name].text, text != usual { throw Refusal("a request for tokens with other names (\(text))") }
    }
    let scopes = part["scopes"].elements.compactMap(\.text)
    if !scopes.isEmpty { oauth.append("scope", scopes.joined(separator: " ")) }
    var send = JSONObject()
    for member in part["refresh_request_body"].map?.members ?? [] {
      if ["grant_type", "client_id", "client_secret", "refresh_token"].contains(member.name) { continue }
      let value = try value(member.value, context, "a member of the request for tokens")
      if !secrets(value).isEmpty { throw Refusal("a further secret in the request for tokens") }
      if !value.isEmptyText { send.append(member.name, try template(value, "a member of the request for tokens")) }
    }
    if !send.isEmpty { oauth.append("send", .object(send)) }
    let header = part["refresh_request_headers"]["Authorization"].text ?? ""
    if header.contains("base64encode") {
      oauth.append("client", "basic")
    } else if header.isEmpty {
      oauth.append("client", "body")
    } else {
      throw Refusal("a header field of the request for tokens")
    }
    return oauth
  }

  private mutating func login(_ part: ManifestPart, _ context: ManifestContext) throws(Refusal) -> JSONObject {
    let requester = try part["login_requester"].withoutProgram()
    var login = JSONObject()
    guard case .map = requester else {
      let base = try value(part["api_url"], context, "the login", named: "login_address")
      let path = part["login_url"].text ?? ""
      login.append("post", try joined(try template(base, "the login"), path))
      var body: JSONObject = ["username": .string(try key(part["username"], context))]
      body.append("password", try key(part["password"], context))
      login.append("body", .object(body))
      login.append("take", ManifestText.step("$", part["session_token_response_key"].text ?? "token"))
      let header: JSONValue = .object(
        JSONObject(members: [.init(key: part["header"].text ?? "Authorization", value: "{token}")]))
      return ["login": .object(login), "headers": header]
    }
    let base = try value(requester[first: "url_base", "url"], context, "the login", named: "login_address")
    let address = try joined(
      try template(base, "the login"), try template(try value(requester["path"], context, "the login"), "the login"))
    login.append((requester["http_method"].text ?? "GET").uppercased() == "POST" ? "post" : "get", address)
    for member in try auth(requester["authenticator"]).members { login.append(member.key, member.value) }
    var contents: [(name: String, part: ManifestPart)] = []
    for (name, word) in [
      ("request_headers", "headers"), ("request_parameters", "query"), ("request_body_json", "body"),
      ("request_body_data", "form"),
    ] where requester[name].map != nil { contents.append((word, requester[name])) }
    let body = requester["request_body"]
    if body.map != nil { contents.append((body.type.contains("Json") ? "body" : "form", body["value"])) }
    for (word, part) in contents {
      guard case .object(let members) = try context.value(of: part) else {
        throw Refusal("the login: a body that is a text")
      }
      var object = login[word]?.object ?? [:]
      for member in members { object.append(member.name, try loginValue(member.value)) }
      login.replace(word, .object(object))
    }
    let path = part["session_token_path"].elements.compactMap(\.written)
    login.append("take", path.reduce("$") { ManifestText.step($0, $1) })
    if let time = part["expiration_duration"].text { login.append("lasts", try ManifestText.duration(time)) }
    var auth: JSONObject = ["login": .object(login)]
    let use = part["request_authentication"]
    if use.type == "ApiKey" {
      let option = use["inject_into"]
      var context = context
      context.locals["session_token"] = .success(.variable("token"))
      let token =
        use["api_token"].isNull ? "{token}" : try template(try context.value(of: use["api_token"]), "the token")
      let placed = Self.placed(
        option["inject_into"].text ?? "header", option["field_name"].text ?? "Authorization", token)
      for member in placed.members { auth.append(member.key, member.value) }
    } else {
      auth.append("bearer", "{token}")
    }
    return auth
  }

  private mutating func loginValue(_ value: ManifestValue) throws(Refusal) -> JSONValue {
    guard case .object(let members) = value else { return .string(try key(value)) }
    var object = JSONObject()
    for member in members { object.append(member.name, try loginValue(member.value)) }
    return .object(object)
  }

  /// An address and a path of it.
  func joined(_ base: String, _ path: String) throws(Refusal) -> String {
    if path.hasPrefix("http://") || path.hasPrefix("https://") { return path }
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    return path.isEmpty ? base : "\(base)/\(path.drop { $0 == "/" })"
  }
}
