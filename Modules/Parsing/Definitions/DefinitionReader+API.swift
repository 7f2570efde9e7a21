import Models
import Ports

// What holds for every request: who asks, how often, and what errors mean.

extension DefinitionReader {
  mutating func authentication(_ node: JSONNode) -> SourceDefinition.Authentication? {
    let keys = ["kind", "optional", "name", "prefix", "grant", "token", "scope", "client"]
    guard isObject(node, of: keys), let kindNode = member("kind", of: node, "how the key is sent") else { return nil }
    let isOptional = node["optional"].flatMap { flag($0) } ?? false
    let kinds = ["bearer", "header", "query", "basic", "oauth2"]
    guard let kind = string(kindNode) else { return nil }
    let used =
      switch kind {
      case "header": ["name", "prefix"]
      case "query": ["name"]
      case "oauth2": ["grant", "token", "scope", "client"]
      default: [String]()
      }
    for key in keys.dropFirst(2) where !used.contains(key) {
      if let value = node.member(key), kinds.contains(kind) {
        add(value, "\(SpellingSuggestion.quoted(key)) has no meaning for the kind \(SpellingSuggestion.quoted(kind))")
      }
    }
    switch kind {
    case "bearer": return .init(.bearer, isOptional: isOptional)
    case "basic": return .init(.basic, isOptional: isOptional)
    case "header":
      guard let name = member("name", of: node, "the header field").flatMap({ fieldName($0) }) else { return nil }
      let prefix = node["prefix"].flatMap { string($0) } ?? ""
      return .init(.header(name: name, prefix: prefix), isOptional: isOptional)
    case "query":
      guard let name = member("name", of: node, "the parameter").flatMap({ nonEmpty($0) }) else { return nil }
      return .init(.query(name: name), isOptional: isOptional)
    case "oauth2": return oauth(node).map { .init(.oauth2($0), isOptional: isOptional) }
    default:
      add(kindNode, "\(SpellingSuggestion.quoted(kind)) is not allowed; \(SpellingSuggestion.hint(kind, kinds))")
      return nil
    }
  }

  private mutating func oauth(_ node: JSONNode) -> SourceDefinition.Authentication.OAuth2? {
    guard let token = member("token", of: node, "the address that gives tokens").flatMap({ address($0) }) else {
      return nil
    }
    var isInBody = false
    if let client = node["client"], let place = string(client) {
      if place != "basic", place != "body" { add(client, "expected \"basic\" or \"body\", found \(client.summary)") }
      isInBody = place == "body"
    }
    let grant = node["grant"].flatMap { word($0, SourceDefinition.Authentication.OAuth2.Grant.self) } ?? .client
    return .init(grant, token: token, scope: node["scope"].flatMap { nonEmpty($0) }, isInBody: isInBody)
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
    guard isObject(node, of: ["status", "header", "if", "means", "code", "message", "after"]) else { return nil }
    var statuses: [Int] = []
    if let list = node["status"] {
      each(list) { reader, status in
        if let number = status.int, HTTPStatus(number).isFinal {
          statuses.append(number)
        } else {
          reader.add(
            status,
            "expected a status from \(HTTPStatus.final.lowerBound) to \(HTTPStatus.final.upperBound), found \(status.summary)"
          )
        }
      }
    }
    let headers = headers(node["header"])
    let body = node["if"].map { conditions($0) } ?? []
    for condition in body where condition.path.root != .record && condition.path.root != .answer {
      add(node["if"] ?? node, "\(condition.path) has no meaning here: $ is the whole answer")
    }
    if node["status"] == nil, node["header"] == nil, node["if"] == nil {
      add(node, "expected one of \"status\", \"header\" and \"if\"")
    }
    let meaning = member("means", of: node, "what the answer means").flatMap {
      word($0, SourceDefinition.ErrorRule.Meaning.self)
    }
    guard let meaning else { return nil }
    return .init(
      statuses: statuses, headers: headers, body: body, meaning: meaning, code: node["code"].flatMap { path($0) },
      message: node["message"].flatMap { path($0) }, after: node["after"].flatMap { retryTime($0) })
  }

  private mutating func retryTime(_ node: JSONNode) -> SourceDefinition.ErrorRule.RetryTime? {
    guard let text = string(node) else { return nil }
    var words = text.split(separator: " ").map(String.init)
    let isEpoch = words.first == "epoch"
    if isEpoch { words.removeFirst() }
    guard words.count == 2, words[0] == "header", Self.isToken(words[1]) else {
      add(node, "expected \"header NAME\" or \"epoch header NAME\", found \(node.summary)")
      return nil
    }
    return .init(header: words[1], isEpoch: isEpoch)
  }
}
