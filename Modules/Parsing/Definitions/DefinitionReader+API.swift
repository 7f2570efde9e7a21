import Models
import Ports

// What holds for every request: who asks, how often, and what errors mean.

extension DefinitionReader {
  mutating func authentication(_ node: JSONNode) -> SourceDefinition.Authentication? {
    if node.string == "bearer" { return .bearer() }
    guard isObject(node, of: ["key", "optional", "oauth2", "login", "address"] + Self.placementKeys) else { return nil }
    let parts = node["key"].map { each($0) { reader, name in reader.variableName(name) } } ?? ["key"]
    let oauth2 = node["oauth2"].flatMap { oauth($0, parts) }
    let login = node["login"].flatMap { self.login($0, parts) }
    let hasToken = node["oauth2"] != nil || node["login"] != nil
    var placements = self.placements(node, hasToken ? ["token"] + parts : parts)
    if let list = node["address"] {
      placements += each(list) { reader, name in
        guard let text = reader.nonEmpty(name) else { return nil }
        guard parts.contains(text), !hasToken else {
          return reader.fail(
            name, "expected a part of the key, \(parts.joined(separator: ", ")), found \(name.summary)")
        }
        reader.keysInAddress.append(text)
        return .init(.address, URLTemplate([.variable(text)]))
      }
    }
    if placements.isEmpty {
      guard hasToken, let bearer = try? URLTemplate("Bearer {token}") else {
        let names = Self.placementKeys.map(SpellingSuggestion.quoted).joined(separator: ", ")
        return fail(node, "expected \"bearer\", or at least one of \(names), where the key goes")
      }
      placements = [.init(.header("Authorization"), bearer)]
    }
    return .init(
      parts: parts, placements, oauth2: oauth2, login: login,
      isOptional: node["optional"].flatMap { flag($0) } ?? false)
  }

  private static let placementKeys = ["bearer", "basic", "headers", "query", "body"]

  /// Where the parts of a key, or a token, go.
  ///
  /// - Parameter isLogin: whether header fields and parameters may be without the key, and the body is one of its own.
  private mutating func placements(
    _ node: JSONNode, _ names: [String], isLogin: Bool = false
  ) -> [SourceDefinition.Authentication.Placement] {
    var placements: [SourceDefinition.Authentication.Placement] = []
    if let bearer = node["bearer"], let value = keyTemplate(bearer, names) {
      placements.append(.init(.header("Authorization"), URLTemplate([.literal("Bearer ")] + value.parts)))
    }
    if let basic = node["basic"], let value = keyTemplate(basic, names) { placements.append(.init(.basic, value)) }
    for key in isLogin ? ["headers", "query"] : ["headers", "query", "body"] {
      guard let list = node.member(key) else { continue }
      placements += members(list) { reader, member, value in
        guard let template = reader.keyTemplate(value, names, needsKey: !isLogin) else { return nil }
        let name = member.text
        if key == "headers", !Self.isToken(name) { return reader.fail(member, of: value, Self.noHeader(name)) }
        return .init(key == "headers" ? .header(name) : key == "query" ? .query(name) : .body(name), template)
      }
    }
    return placements
  }

  private mutating func keyTemplate(_ node: JSONNode, _ names: [String], needsKey: Bool = true) -> URLTemplate? {
    guard let template = template(node) else { return nil }
    check(template, at: node, Scope(always: names + settingScope.all))
    if needsKey, !template.variables.contains(where: names.contains) {
      add(node, "expected a text with \(names.map { "{\($0)}" }.joined(separator: " or ")), found \(node.summary)")
    }
    return template
  }

  private mutating func variableName(_ node: JSONNode) -> String? {
    guard let text = nonEmpty(node) else { return nil }
    return Self.isVariable(text) ? text : fail(node, "a name has letters, digits and _, found \(node.summary)")
  }

  /// A request that gives a token.
  private mutating func login(_ node: JSONNode, _ parts: [String]) -> SourceDefinition.Authentication.Login? {
    guard isObject(node, of: ["get", "post", "form", "take", "lasts", "headers"] + Self.placementKeys) else {
      return nil
    }
    let scope = Scope(always: parts + settingScope.all)
    guard let place = node["get"] ?? node["post"], node["get"] == nil || node["post"] == nil else {
      return fail(node, "expected one of \"get\" and \"post\"")
    }
    guard let address = template(place) else { return nil }
    check(address, at: place, scope)
    let content = node["body"] ?? node["form"]
    if let content { check(body: content, scope) }
    let placements = placements(node, parts, isLogin: true)
    guard let token = member("take", of: node, "where the answer has the token").flatMap({ self.place($0) }) else {
      return nil
    }
    return .init(
      address, body: node["post"] == nil ? nil : content?.value ?? .object([:]), isForm: node["form"] != nil,
      placements: placements, token: token, lasts: node["lasts"].flatMap { interval($0) })
  }

  private mutating func tokenAddress(_ node: JSONNode) -> String? {
    guard let text = node.string, text.hasPrefix("https://"), let mark = text.firstIndex(of: "?"),
      !text[mark...].utf8.contains(where: { $0 <= 0x20 || $0 == 0x23 })
    else { return address(node) }
    return text
  }

  private mutating func oauth(_ node: JSONNode, _ parts: [String]) -> SourceDefinition.Authentication.OAuth2? {
    guard isObject(node, of: ["grant", "token", "scope", "client", "send", "authorize", "device"]),
      let token = member("token", of: node, "the address that gives tokens").flatMap({ tokenAddress($0) })
    else { return nil }
    var send: [SourceDefinition.Header] = []
    if let list = node["send"] {
      send = members(list) { reader, name, value in
        guard let text = reader.nonEmpty(value) else { return nil }
        reader.check(body: value, Scope(always: reader.settingScope.all))
        return .init(name.text, text)
      }
    }
    let client = node["client"].flatMap { string($0) }
    if let client, let place = node["client"], !["basic", "body"].contains(client) {
      add(place, "expected \"basic\" or \"body\", found \(place.summary)")
    }
    let authorize = node["authorize"].flatMap { tokenAddress($0) }
    let device = node["device"].flatMap { tokenAddress($0) }
    let hasLogin = authorize != nil || device != nil
    let grant = node["grant"].flatMap { word($0, SourceDefinition.Authentication.OAuth2.Grant.self) }
    if hasLogin, grant == .client, let place = node["grant"] {
      add(place, "a login gives a refresh token: expected \"refresh\", or no \"authorize\" and no \"device\"")
    }
    var oauth = SourceDefinition.Authentication.OAuth2(
      grant ?? (hasLogin ? .refresh : .client), token: token, scope: node["scope"].flatMap { nonEmpty($0) },
      isInBody: client == "body")
    (oauth.send, oauth.authorize, oauth.device) = (send, authorize, device)
    return oauth
  }

  mutating func budget(_ node: JSONNode) -> SourceDefinition.Budget? {
    guard isObject(node, of: ["calls", "per", "spacing", "withoutKey"]) else { return nil }
    let calls = member("calls", of: node, "how many calls are allowed").flatMap { whole($0) }
    let window = member("per", of: node, "in which time").flatMap { interval($0) }
    let spacing = node["spacing"].flatMap { interval($0) }
    let without = node["withoutKey"].flatMap { whole($0) }
    guard let calls, let window else { return nil }
    return .init(
      .init(calls: calls, window: window, spacingMilliseconds: (spacing?.seconds ?? 0) * 1000), callsWithoutKey: without
    )
  }

  mutating func errors(_ node: JSONNode) -> [SourceDefinition.ErrorRule] {
    someElements(node).compactMap { errorRule($0) }
  }

  private mutating func errorRule(_ node: JSONNode) -> SourceDefinition.ErrorRule? {
    guard isObject(node, of: ["status", "header", "if", "text", "means", "code", "message", "after"]) else {
      return nil
    }
    var statuses: [Int] = []
    if let list = node["status"] {
      statuses = each(list) { reader, status in
        if let number = status.int, HTTPStatus(number).isFinal { return number }
        let (first, last) = (HTTPStatus.final.lowerBound, HTTPStatus.final.upperBound)
        return reader.fail(status, "expected a status from \(first) to \(last), found \(status.summary)")
      }
    }
    let headers = headers(node["header"])
    let body = node["if"].map { conditions($0, isOfAnswer: true) } ?? []
    let text = node["text"].flatMap { nonEmpty($0) }
    if ["status", "header", "if", "text"].allSatisfy({ node.member($0) == nil }) {
      add(node, "expected one of \"status\", \"header\", \"if\" and \"text\"")
    }
    let meaning = member("means", of: node, "what the answer means").flatMap {
      word($0, SourceDefinition.ErrorRule.Meaning.self)
    }
    guard let meaning else { return nil }
    let after = node["after"]
    let delay = after?.string.flatMap { Interval($0) }?.seconds
    var rule = SourceDefinition.ErrorRule(
      statuses: statuses, headers: headers, body: body, meaning: meaning, code: node["code"].flatMap { path($0) },
      message: node["message"].flatMap { path($0) }, after: delay == nil ? after.flatMap { retryTime($0) } : nil)
    (rule.delay, rule.text) = (delay, text)
    return rule
  }

  private mutating func retryTime(_ node: JSONNode) -> SourceDefinition.ErrorRule.RetryTime? {
    guard let text = string(node) else { return nil }
    var words = text.split(separator: " ").map(String.init)
    let isEpoch = words.first == "epoch"
    if isEpoch { words.removeFirst() }
    guard words.count == 2, words[0] == "header", Self.isToken(words[1]) else {
      return fail(
        node, "expected a time such as \"30s\", \"header NAME\" or \"epoch header NAME\", found \(node.summary)")
    }
    return .init(header: words[1], isEpoch: isEpoch)
  }
}
