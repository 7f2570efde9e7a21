import Models

// How a list continues.

extension ManifestTranslation {
  struct Pages {
    /// The member `pages`; empty where one answer is the whole list.
    var object = JSONObject()
    /// What names the next page in the request.
    var cursor: ManifestValue?
    /// What the request sends for it.
    var sent: [(option: ManifestPart, value: ManifestValue)] = []
  }

  mutating func pages(_ paginator: ManifestPart, _ context: ManifestContext) throws(Refusal) -> Pages {
    let strategy = try paginator["pagination_strategy"].withoutProgram()
    let (token, sizeOption) = (paginator["page_token_option"], paginator["page_size_option"])
    var pages = Pages()
    let size = strategy["page_size"].isNull ? sizeOption["page_size"] : strategy["page_size"]
    if !size.isNull {
      let value = try value(size, context, "the size of pages", named: "page_size")
      let number: Int? =
        switch value {
        case .constant: value.text.flatMap { Int($0) }
        case .either(_, let other): other.text.flatMap { Int($0) } ?? 100
        case .variable(let name, _, _): settings.schema(name)?.fields["default"].int ?? 100
        default: nil
        }
      if let number, number > 0 {
        pages.object.append("size", .int(number))
        if sizeOption["inject_into"].text != nil { pages.sent.append((sizeOption, .variable("size"))) }
      }
    }
    let isPath = token.type == "RequestPath" || token.text == "path" || token["inject_into"].text == "path"
    let place = token["inject_into"].text != nil && !isPath ? token : nil
    switch strategy.type {
    case "PageIncrement", "OffsetIncrement":
      let word = strategy.type == "PageIncrement" ? "page" : "offset"
      let start = word == "page" ? strategy["start_from_page"].int ?? 0 : 0
      guard let place else {
        note("pages without a place for their number: the first page alone is read")
        if pages.sent.isEmpty {
          pages.object = [:]
        } else {
          pages.object.members.insert(.init(key: word, value: .int(start)), at: 0)
          pages.object.append("most", .int(1))
        }
        return pages
      }
      pages.object.members.insert(.init(key: word, value: .int(start)), at: 0)
      pages.cursor = .variable(word)
      pages.sent.append((place, .variable(word)))
    case "CursorPagination": try cursor(strategy, place, isPath: isPath, context, &pages)
    case "": throw Refusal("a paginator without a strategy")
    default: throw Refusal("pages of the kind \(strategy.type)")
    }
    return pages
  }

  private mutating func cursor(
    _ strategy: ManifestPart, _ place: ManifestPart?, isPath: Bool, _ context: ManifestContext, _ pages: inout Pages
  ) throws(Refusal) {
    var value = try context.value(of: strategy["cursor_value"])
    while case .either(let one, _) = value { value = one }
    if case .path(let path) = value, path.lowercased() == "header link" { value = .link("next", isWhole: true) }
    if value.isLinkField { value = .link("next", isWhole: true) }
    if case .joined = value { value = ManifestLiteral.read(value, by: .value) }
    pages.cursor = .variable("cursor")
    func begin(_ word: String, _ value: JSONValue) {
      pages.object.members.insert(.init(key: word, value: value), at: 0)
    }
    switch value {
    case .link(let relation, let isWhole):
      begin("link", .string(relation))
      if !isWhole { note("the address of the link is followed as a whole") }
    case .found(let path):
      guard ["next", "link", "url"].contains(where: { path.lowercased().contains($0) }) else {
        throw Refusal("a part of a text names the next page")
      }
      begin("next", .string(path))
      note("the address of the next page is followed as a whole")
    case .sum(.path, .constant(.number)), .sum(.path, .path):
      guard let place else { throw Refusal("a number of the next page without a place") }
      let word = if case .sum(.path, .path) = value { "offset" } else { "page" }
      var first = 0
      if case .sum(_, .constant(let step)) = value { first = step.int ?? 1 }
      begin(word, .int(first))
      pages.cursor = .variable(word)
      pages.sent.append((place, .variable(word)))
    case .path(let path) where isPath: begin("next", .string(path))
    case .path(let path):
      begin("cursor", ["cursor": .string(path)])
      if let place { pages.sent.append((place, .variable("cursor"))) }
    case .last where isPath: throw Refusal("the address of the next page is in the last record")
    case .last(let path):
      begin("last", ["cursor": .string(path)])
      if let place { pages.sent.append((place, .variable("cursor"))) }
    case .object(let members):
      var variables = JSONObject()
      for member in members {
        guard case .path(let path) = member.value else { throw Refusal("a computed token of the next page") }
        variables.append("cursor_\(ManifestText.word(member.name))", path)
      }
      begin("cursor", .object(variables))
      pages.cursor = .object(
        members.map { .init(name: $0.name, value: .variable("cursor_\(ManifestText.word($0.name))")) })
      if let place, let cursor = pages.cursor { pages.sent.append((place, cursor)) }
    default: throw Refusal("a computed token of the next page")
    }
    stop(strategy["stop_condition"], context, &pages.object)
  }

  /// What ends a list: nothing where the token says it by its absence.
  private mutating func stop(_ part: ManifestPart, _ context: ManifestContext, _ pages: inout JSONObject) {
    guard !part.isEmpty, let text = part.text else { return }
    let template = text.contains("{{") ? text : "{{ \(text) }}"
    guard let nodes = try? ManifestTemplate.read(template),
      let test = nodes.lazy.compactMap({ node -> ManifestExpression? in
        if case .output(let expression) = node { expression } else { nil }
      }).first
    else { return note("the condition that ends the list is left out") }
    let places = pages.members.map { JSONText.compact($0.value) }

    /// The place that says whether there are more, and what it says then; `nil` where the token says it.
    func more(_ expression: ManifestExpression, isStop: Bool) throws(Refusal) -> (path: String, says: Bool)? {
      switch expression {
      case .not(let inner): return try more(inner, isStop: !isStop)
      case .test(let inner, "false"): return try more(inner, isStop: !isStop)
      case .test: return nil
      case .binary(let sign, let one, let other) where ["and", "or"].contains(sign):
        if let found = try more(one, isStop: isStop) { return found }
        return try more(other, isStop: isStop)
      case .comparison(let sign, let left, let right, _):
        if ["in", "not in"].contains(sign) { return nil }
        let (one, other) = (try context.value(left), try context.value(right))
        switch (sign, one, other) {
        case (_, .length, _), (_, .pageSize, _): return nil
        case ("==", _, .constant(false)): return try more(left, isStop: !isStop)
        case ("==", _, .constant(true)): return try more(left, isStop: isStop)
        case ("==", _, .nothing), ("==", _, .constant("")): return nil
        case ("==", .path(let path), .constant(0)), ("<=", .path(let path), .constant(.number)): return (path, true)
        case ("==", .path(let path), .path(let total)), (">=", .path(let path), .path(let total)):
          guard pages["page"] != nil else { throw Refusal("two numbers are compared") }
          let isTotal = ["count", "total", "pages"].contains { path.lowercased().contains($0) }
          pages.append("pages", isTotal ? path : total)
          return nil
        case (">=", .sum, .path(let total)) where pages["offset"] != nil:
          pages.append("count", total)
          return nil
        case ("==", .link, _): return nil
        default: throw Refusal("a comparison")
        }
      default: break
      }
      var value = try context.value(expression)
      while case .either(let one, _) = value { value = one }
      guard case .path(let path) = value, path != "$", path != "header", path.lowercased() != "header link",
        !places.contains(where: { $0.contains(path) || path.contains($0.filter { $0 != "\"" }) })
      else { return nil }
      return (path, !isStop)
    }
    do throws(Refusal) {
      guard let (path, says) = try more(test, isStop: true) else { return }
      if path.hasPrefix("header ") { return }
      pages.append("more", says ? .string(path) : .object(JSONObject(members: [.init(key: path, value: false)])))
    } catch {
      note("the condition that ends the list is left out (\(error.reason)); the list ends without it")
    }
  }
}
