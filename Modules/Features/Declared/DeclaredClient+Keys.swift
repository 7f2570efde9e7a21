public import Models
public import Ports

// How requests prove who asks.

extension SourceDefinition.Authentication {
  /// A request with a key, for an API that has no definition yet.
  ///
  /// - Throws: `SourceError.configuration` where the key would not be encrypted.
  public func request(_ url: String, key: String) throws(SourceError) -> HTTPRequest {
    guard ServerAddress.isEncrypted(url) else {
      throw .configuration(
        message: "the key is not sent to \(ServerAddress.origin(url)): it would not be encrypted",
        hint: "use an address that begins with https://")
    }
    var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
    try Self.add(placements, ["key": key], to: &request)
    return request
  }

  /// Adds the parts of a key, or a token, to a request. What goes into the body is not added.
  fileprivate static func add(
    _ placements: [Placement], _ values: [ExactString: String], to request: inout HTTPRequest
  ) throws(SourceError) {
    for placement in placements {
      let text = try placed(placement, values)
      switch placement.place {
      case .header(let name): request.headers[name] = text
      case .basic: request.headers["Authorization"] = "Basic \(Base64.encoded(Array(text.utf8)))"
      case .query(let name):
        let mark = request.url.contains("?") ? "&" : "?"
        request.url += "\(mark)\(percentEncoded(name, strictly: true))=\(percentEncoded(text, strictly: true))"
      case .address:
        request.url = request.url.replacing(placement.placeholder, with: percentEncoded(text, strictly: true))
      case .body: break
      }
    }
  }

  fileprivate static func placed(_ placement: Placement, _ values: [ExactString: String]) throws(SourceError) -> String
  {
    do throws(URLTemplate.MissingValue) {
      return try placement.value.expanded(isURL: false) { values[$0.description.exact] }
    } catch {
      throw .refused(message: "{\(error.name)} of \"auth\" has no value")
    }
  }
}

extension SourceDefinition.Authentication.Placement {
  /// What stands for the key in an address until it is sent: no place that keeps addresses has the key.
  var placeholder: String { percentEncoded(value.description, strictly: true) }
}

extension DeclaredClient {
  /// Adds the key to a request. Returns the token in it, if it is one that may end.
  ///
  /// - Parameter auth: how, where that is not as the definition says.
  func authorize(
    _ request: inout HTTPRequest, _ auth: SourceDefinition.Authentication?
  ) async throws(SourceError) -> String? {
    guard let auth = auth ?? definition.auth, let values = try await credentials(auth) else { return nil }
    try checkEncryption(of: request.url)
    try SourceDefinition.Authentication.add(auth.placements, values, to: &request)
    return auth.oauth2 == nil && auth.login == nil ? nil : values["token"]
  }

  /// The members of a body that hold the key.
  func keyMembers(of request: SourceDefinition.Request) async throws(SourceError) -> [JSONObject.Member] {
    let auth = request.auth ?? definition.auth
    let placements = auth?.placements ?? []
    guard let auth, placements.contains(where: { if case .body = $0.place { true } else { false } }),
      let values = try await credentials(auth)
    else { return [] }
    var members: [JSONObject.Member] = []
    for placement in placements {
      guard case .body(let name) = placement.place else { continue }
      members.append(
        .init(key: name, value: .string(try SourceDefinition.Authentication.placed(placement, values))))
    }
    return members
  }

  /// The parts of the key, or the token, as the variables of `auth`; `nil` where the API answers without a key as well.
  private func credentials(
    _ auth: SourceDefinition.Authentication
  ) async throws(SourceError) -> [ExactString: String]? {
    guard case .given(let secret, _) = key else {
      if key == .absent, auth.isOptional { return nil }
      throw .noKey(key, of: source)
    }
    if let oauth = auth.oauth2 {
      let token = try await token(oauth, secret)
      return ["key": token, "token": token]
    }
    guard let parts = auth.values(of: secret) else {
      throw .missingKey(
        source: source.name, problem: "the key is not \(auth.parts.joined(separator: ":"))",
        hint: "write the parts with a : between them")
    }
    guard let login = auth.login else { return parts }
    let token = try await token(login, parts)
    return parts.merging(["token": token]) { $1 }
  }

  /// A key is not sent where others can read it.
  private func checkEncryption(of url: String) throws(SourceError) {
    guard !ServerAddress.isEncrypted(url) else { return }
    throw .configuration(
      message: "the key of \(source.name) is not sent to \(ServerAddress.origin(url)): it would not be encrypted",
      hint: "use https in servers.\(source.name).url")
  }

  // MARK: Access tokens

  /// The token of a login that is still used, or a new one.
  private func token(
    _ login: SourceDefinition.Authentication.Login, _ parts: [ExactString: String]
  ) async throws(SourceError) -> String {
    if let token = tokens.token(at: now) { return token }
    let variables = Variables(parts)
    let text = (try? login.address.expanded { parts[$0.description.exact] }) ?? ""
    let address = rewritten(text.contains("://") ? text : server.base + text)
    try checkEncryption(of: address)
    var request = HTTPRequest(
      login.body == nil ? .get : .post, address, headers: ["Accept": "application/json"], bodyLimit: 1 << 20)
    request.isPreparation = true
    if let body = login.body { try add(body, isForm: login.isForm, variables, to: &request) }
    try SourceDefinition.Authentication.add(login.placements, parts, to: &request)
    let response = try await server.send(request)
    guard response.isSuccess else { throw error(of: response, address) }
    let token =
      switch login.token {
      case .header(let name): response.headers[name]
      case .path(let path): compiler.values([path], in: response.body)?[0]?.shown
      }
    guard let token, !token.isEmpty else {
      throw .parsing(
        ParsingError(.shape, path: "$", expected: "a token", found: "something else"), url: address)
    }
    guard tokens.keep(token, until: now + (login.lasts?.seconds ?? 3600)) else {
      throw .missingKey(
        source: source.name, problem: "the server gives a token that it refuses", hint: "check the key")
    }
    return token
  }

  /// What an authorization server answers (RFC 6749 section 5.1).
  private struct Grant {
    var access: String
    var refresh: String?
    var end: Timestamp
  }

  /// A token that is still valid, or a new one.
  private func token(
    _ oauth: SourceDefinition.Authentication.OAuth2, _ secret: String
  ) async throws(SourceError) -> String {
    if let token = tokens.token(at: now) { return token }
    let expected = oauth.grant == .client ? "ID:SECRET" : "ID:SECRET:REFRESHTOKEN"
    let parts = secret.split(
      separator: ":", maxSplits: oauth.grant == .client ? 1 : 2, omittingEmptySubsequences: false
    )
    .map(String.init)
    guard parts.count == expected.split(separator: ":").count, parts.last?.isEmpty == false else {
      throw .missingKey(
        source: source.name, problem: "the key is not \(expected)", hint: "write the parts with a : between them")
    }
    parts.dropFirst().forEach(tokens.hide)
    guard oauth.grant == .refresh else {
      let grant = try await ask(oauth, parts, refresh: nil)
      _ = tokens.keep(grant.access, until: grant.end)
      return grant.access
    }
    guard let keeper else {
      let grant = try await ask(oauth, parts, refresh: parts[2])
      _ = tokens.keep(grant.access, until: grant.end)
      return grant.access
    }
    let claim: any ClaimedTokens
    do throws(Failure) { claim = try await keeper.claim(source.name) } catch { throw Self.error(error) }
    defer { claim.release() }
    return try await renewed(oauth, parts, keyHash: String(SHA256.digest(secret.utf8).prefix(32)), claim)
  }

  /// The stored access token while it is valid; otherwise a new one, whose refresh token is stored before anything uses
  /// it: a refresh token may be valid only once.
  private func renewed(
    _ oauth: SourceDefinition.Authentication.OAuth2, _ parts: [String], keyHash: String, _ claim: any ClaimedTokens
  ) async throws(SourceError) -> String {
    // Another task may have asked for one while this one waited.
    if let token = tokens.token(at: now) { return token }
    let stored = claim.tokens.flatMap { $0.key.exact == keyHash.exact ? $0 : nil }
    stored.map { tokens.hide($0.refresh) }
    if let stored, now < stored.end, tokens.keep(stored.access, until: stored.end) { return stored.access }
    let refresh = stored?.refresh ?? parts[2]
    let grant = try await ask(oauth, parts, refresh: refresh)
    grant.refresh.map(tokens.hide)
    do throws(Failure) {
      try claim.replace(
        StoredTokens(key: keyHash, refresh: grant.refresh ?? refresh, access: grant.access, end: grant.end))
    } catch {
      throw Self.error(error)
    }
    _ = tokens.keep(grant.access, until: grant.end)
    return grant.access
  }

  private static func error(_ failure: Failure) -> SourceError {
    .configuration(message: failure.message, hint: failure.hint ?? "try again")
  }

  private func ask(
    _ oauth: SourceDefinition.Authentication.OAuth2, _ parts: [String], refresh: String?
  ) async throws(SourceError) -> Grant {
    let address = rewritten(oauth.token)
    try checkEncryption(of: address)
    var form: [(String, String)] =
      refresh.map { [("grant_type", "refresh_token"), ("refresh_token", $0)] } ?? [("grant_type", "client_credentials")]
    if let scope = oauth.scope { form.append(("scope", scope)) }
    form += oauth.send.map { ($0.name, $0.value) }
    // A client without a secret names itself in the body (RFC 6749 section 3.2.1).
    let isInBody = oauth.isInBody || parts[1].isEmpty
    if isInBody { form.append(("client_id", parts[0])) }
    if isInBody, !parts[1].isEmpty { form.append(("client_secret", parts[1])) }
    // A refresh token that was used must not be sent again.
    var request = HTTPRequest(
      .post, address,
      headers: ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"],
      body: Self.form(form), isRepeatable: refresh == nil, bodyLimit: 1 << 20)
    request.isPreparation = true
    if !isInBody {
      request.headers["Authorization"] = "Basic \(Base64.encoded(Array("\(parts[0]):\(parts[1])".utf8)))"
    }
    for header in definition.headers where header.name.lowercased() == "user-agent" {
      request.headers[header.name] = header.value
    }
    let response = try await server.send(request)
    if refresh != nil, [.invalid, .unauthorized].contains(response.status.meaning) {
      throw .missingKey(
        source: source.name,
        problem: "the server does not accept the refresh token: \(message(of: response) ?? "\(response.status)")",
        hint: "authorize again, and give the new refresh token in servers.\(source.name).apiKey")
    }
    guard response.isSuccess else { throw error(of: response, address) }
    return try read(response, address)
  }

  private func read(_ response: HTTPResponse, _ address: String) throws(SourceError) -> Grant {
    let names = ["access_token", "expires_in", "refresh_token"].map { name in
      var path = ValuePath(.answer)
      path.steps = [.name(name)]
      return path
    }
    guard let values = compiler.values(names, in: response.body), let token = values[0]?.string, !token.isEmpty else {
      throw .parsing(
        ParsingError(
          .shape, path: "$.access_token", expected: "a token (RFC 6749 section 5.1)", found: "something else"),
        url: address)
    }
    let refresh = values[2]?.string.flatMap { $0.isEmpty ? nil : $0 }
    return Grant(access: token, refresh: refresh, end: now + max(0, (values[1]?.int ?? 3600) - 30))
  }
}
