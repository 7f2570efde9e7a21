import Models

// What is allowed, and does in all likelihood not do what is meant.

extension DefinitionReader {
  /// Warns of what no request of a follow sends.
  mutating func warn(of request: SourceDefinition.Request, _ parameters: [String], at node: JSONNode) {
    let sent = request.all.flatMap(\.sentVariables)
    let read = request.all.flatMap(\.selections).flatMap(\.mapping.variables)
    for name in parameters where !sent.contains(name) && !read.contains(name) {
      warn(node, "no request has {\(name)}: paths that differ in it alone read the same records")
    }
  }

  /// Warns of a point that is not sent, or that a filter needs.
  mutating func warn(ofSinceIn request: SourceDefinition.Request, at node: JSONNode) {
    guard let since = request.since, let place = node["since"] else { return }
    if !since.isNewestFirst, !request.sentVariables.contains("since") {
      warn(place, "no request has {since}: each sync reads the whole list")
    }
    if since.first == nil, let body = node["body"], let empty = emptied(body, without: "since") {
      warn(empty, "without a value of {since}, the first sync sends this as {}: \"since\" takes \"first\"")
    }
  }

  /// Warns of places of the next page that no request sends.
  mutating func warn(ofUnsent paging: SourceDefinition.Paging, _ request: SourceDefinition.Request, at node: JSONNode) {
    var names = paging.laterVariables
    switch paging.style {
    case .page: names.append("page")
    case .offset: names.append("offset")
    case .link, .next, .address, .cursor, .last, .single: break
    }
    for name in names where !request.sentVariables.contains(name) {
      warn(node, "the request has no {\(name)}: each page would be the first one")
    }
  }

  /// An object in a body that has no members where a variable has no value.
  private func emptied(_ node: JSONNode, without name: String) -> JSONNode? {
    var found: JSONNode?
    node.forEachMember { _, value in
      guard value.isObject, found == nil else { return }
      var (count, left) = (0, 0)
      value.forEachMember { _, inner in
        count += 1
        if inner.string != "{\(name)}" { left += 1 }
      }
      found = count > 0 && left == 0 ? value : emptied(value, without: name)
    }
    return found
  }
}

extension SourceDefinition.Request {
  fileprivate var sentVariables: [String] { templates.flatMap(\.variables) }
}
