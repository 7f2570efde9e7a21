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
        let parameter = "\(percentEncoded(name, strictly: true))=\(percentEncoded(text, strictly: true))"
        // The address of a next page may have it already.
        let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        guard !query.split(separator: "&").contains(parameter[...]) else { continue }
        request.url += (request.url.contains("?") ? "&" : "?") + parameter
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

  func keyMembers(of request: SourceDefinition.Request) async throws(SourceError) -> [JSONObject.Member] {
    let auth = request.auth ?? definition.auth
    let placements = auth?.placements ?? []
    guard let auth, placements.contains(where: { if case .body = $0.place { true } else { false } }),
      let values = try await credentials(auth)
    else { return [] }
    var members: [JSONObject.Member] = []
    for placement in placements {
      guard case .body(let name) = placement.place else { continue }
      members.append(.init(key: name, value: .string(try SourceDefinition.Authentication.placed(placement, values))))
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
      let token = try await token(oauth, try OAuthClient(oauth, secret, of: source.name, hiding: tokens), secret)
      return ["key": token, "token": token]
    }
    guard let parts = auth.values(of: secret) else {
      throw .missingKey(
        source: source.name, problem: "the key is not \(auth.parts.joined(separator: ":"))",
        hint: "write the parts with a : between them")
    }
    guard let login = auth.login else { return parts }
    let kept = try await kept(secret) { _ throws(SourceError) in try await token(login, parts) }
    return parts.merging(["token": kept]) { $1 }
  }

  /// A key is not sent where others can read it.
  private func checkEncryption(of url: String) throws(SourceError) {
    guard !ServerAddress.isEncrypted(url) else { return }
    throw .configuration(
      message: "the key of \(source.name) is not sent to \(ServerAddress.origin(url)): it would not be encrypted",
      hint: "use https in servers.\(source.name).url")
  }

  // MARK: Access tokens

  /// The token that is used, the stored one while it is valid, or a new one. It is stored before anything uses it: a
  /// refresh token may be valid only once.
  ///
  /// - Parameters:
  ///   - isRequired: whether a token that cannot be stored is of no use.
  ///   - ask: asks for one, with the stored refresh token if there is one.
  private func kept(
    _ secret: String, isRequired: Bool = false, _ ask: (StoredTokens?) async throws(SourceError) -> OAuthGrant
  ) async throws(SourceError) -> String {
    if let token = tokens.token(at: now) { return token }
    var claim: (any ClaimedTokens)?
    do throws(Failure) { claim = try await keeper?.claim(source.name) } catch {
      if isRequired { throw Self.error(error) }
    }
    defer { claim?.release() }
    // Another task may have asked for one while this one waited.
    if let token = tokens.token(at: now) { return token }
    let key = OAuthGrant.hash(secret)
    let stored = claim?.tokens.flatMap { $0.key.exact == key.exact ? $0 : nil }
    stored.map { tokens.hide($0.refresh) }
    if let stored, now < stored.end, tokens.keep(stored.access, until: stored.end) { return stored.access }
    let grant = try await ask(stored)
    do throws(Failure) { try claim?.replace(grant.stored(for: secret)) } catch {
      if isRequired { throw Self.error(error) }
    }
    grant.refresh.map(tokens.hide)
    guard tokens.keep(grant.access, until: grant.end) else {
      throw .missingKey(source: source.name, problem: "the server gives a token that it refuses", hint: "check the key")
    }
    return grant.access
  }

  private func token(
    _ login: SourceDefinition.Authentication.Login, _ parts: [ExactString: String]
  ) async throws(SourceError) -> OAuthGrant {
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
      throw .parsing(ParsingError(.shape, path: "$", expected: "a token", found: "something else"), url: address)
    }
    return OAuthGrant(access: token, end: now + (login.lasts?.seconds ?? 3600))
  }

  private func token(
    _ oauth: SourceDefinition.Authentication.OAuth2, _ client: OAuthClient, _ secret: String
  ) async throws(SourceError) -> String {
    guard oauth.grant == .refresh else {
      return try await kept(secret) { _ throws(SourceError) in
        let form = [("grant_type", "client_credentials")] + (oauth.scope.map { [("scope", $0)] } ?? [])
        return try await grant(form, oauth, client)
      }
    }
    return try await kept(secret, isRequired: true) { stored throws(SourceError) in
      guard let refresh = stored.map(\.refresh) ?? client.refresh, !refresh.isEmpty else {
        throw .missingKey(
          source: source.name,
          problem: stored == nil ? "nobody has logged in" : "the server does not accept the access token any more",
          hint: suggestions(.logIn(source: source.name.rawValue)))
      }
      var form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
      // After a login, the scope is the one that was granted (RFC 6749 section 6).
      if let scope = oauth.scope, !oauth.hasLogin { form.append(("scope", scope)) }
      var given = try await grant(form, oauth, client)
      // The server need not replace it.
      given.refresh = given.refresh ?? refresh
      return given
    }
  }

  private static func error(_ failure: Failure) -> SourceError {
    .configuration(message: failure.message, hint: failure.hint ?? "try again")
  }

  /// What the authorization server gives for a form.
  ///
  /// - Throws: `SourceError.missingKey` if it refuses the form.
  func grant(
    _ form: [(String, String)], _ oauth: SourceDefinition.Authentication.OAuth2, _ client: OAuthClient
  ) async throws(SourceError) -> OAuthGrant {
    let response = try await post(form, to: oauth.token, oauth, client)
    if form[0].1 == "refresh_token", [.invalid, .unauthorized].contains(response.status.meaning) {
      throw .missingKey(
        source: source.name,
        problem: "the server does not accept the refresh token: \(message(of: response) ?? "\(response.status)")",
        hint: oauth.hasLogin
          ? suggestions(.logIn(source: source.name.rawValue))
          : "authorize again, and give the new refresh token in servers.\(source.name).apiKey")
    }
    guard response.isSuccess else { throw error(of: response, rewritten(oauth.token)) }
    return try grant(in: response, oauth)
  }

  /// Sends a form to the authorization server, in the name of the client (RFC 6749 section 2.3.1).
  func post(
    _ form: [(String, String)], to url: String, _ oauth: SourceDefinition.Authentication.OAuth2, _ client: OAuthClient,
    namesClient: Bool = false
  ) async throws(SourceError) -> HTTPResponse {
    let address = rewritten(url)
    try checkEncryption(of: address)
    var form = form + oauth.send.map { ($0.name, $0.value) }
    // A client without a secret names itself in the body (RFC 6749 section 3.2.1).
    let isInBody = oauth.isInBody || client.secret.isEmpty
    if isInBody || namesClient { form.append(("client_id", client.id)) }
    if isInBody, !client.secret.isEmpty { form.append(("client_secret", client.secret)) }
    var request = HTTPRequest(
      .post, address,
      headers: ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"],
      body: Self.form(form), bodyLimit: 1 << 20)
    // What is valid once must not be sent again.
    request.isRepeatable = form[0].1 == "client_credentials"
    request.isPreparation = true
    if !isInBody {
      let pair = [client.id, client.secret].map { percentEncoded($0, strictly: true) }.joined(separator: ":")
      request.headers["Authorization"] = "Basic \(Base64.encoded(Array(pair.utf8)))"
    }
    for header in definition.headers where header.name.lowercased() == "user-agent" {
      request.headers[header.name] = header.value
    }
    return try await server.send(request)
  }

  /// The members of an answer of the authorization server, each `nil` if it is not there.
  func members(_ names: [String], of response: HTTPResponse) -> [JSONValue?] {
    let paths = names.map { name in
      var path = ValuePath(.answer)
      path.steps = [.name(name)]
      return path
    }
    return compiler.values(paths, in: response.body) ?? names.map { _ in nil }
  }

  func grant(
    in response: HTTPResponse, _ oauth: SourceDefinition.Authentication.OAuth2
  ) throws(SourceError) -> OAuthGrant {
    let values = members(["access_token", "expires_in", "refresh_token"], of: response)
    guard let token = values[0]?.string, !token.isEmpty else {
      throw .parsing(
        ParsingError(
          .shape, path: "$.access_token", expected: "a token (RFC 6749 section 5.1)", found: "something else"),
        url: rewritten(oauth.token))
    }
    let refresh = values[2]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let lasts = values[1]?.int ?? values[1]?.string.flatMap { Int($0) }
    // Without a time and without a means to get another one, it is used until the server refuses it.
    let isEndless = oauth.hasLogin && lasts == nil && refresh == nil
    return OAuthGrant(
      access: token, refresh: refresh, end: isEndless ? .last : now + max(0, (lasts ?? 3600).minus(30)))
  }
}

/// A client of an authorization server, as the key names it.
struct OAuthClient {
  var id: String
  var secret: String
  var refresh: String?

  /// Reads the key. Its secrets are masked in messages from now on.
  init(
    _ oauth: SourceDefinition.Authentication.OAuth2, _ key: String, of source: SourceName, hiding tokens: AccessTokens
  ) throws(SourceError) {
    let isRefresh = oauth.grant == .refresh
    let expected = oauth.keyForm
    let parts = key.split(separator: ":", maxSplits: isRefresh ? 2 : 1, omittingEmptySubsequences: false)
      .map(String.init)
    let isComplete = oauth.hasLogin ? parts.first?.isEmpty == false : parts.last?.isEmpty == false
    guard isComplete, oauth.hasLogin || parts.count == (isRefresh ? 3 : 2) else {
      throw .missingKey(
        source: source, problem: "the key is not \(expected)", hint: "write the parts with a : between them")
    }
    parts.dropFirst().forEach(tokens.hide)
    (id, secret) = (parts[0], parts.count > 1 ? parts[1] : "")
    refresh = parts.count > 2 ? parts[2] : nil
  }
}

/// What an authorization server gives (RFC 6749 section 5.1).
struct OAuthGrant {
  var access: String
  var refresh: String?
  var end: Timestamp

  /// What is stored of a key, so that tokens of another one are not used.
  static func hash(_ key: String) -> String { String(SHA256.digest(key.utf8).prefix(32)) }

  func stored(for key: String) -> StoredTokens {
    StoredTokens(key: Self.hash(key), refresh: refresh ?? "", access: access, end: end)
  }
}
