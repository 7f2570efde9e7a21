import Models

// Follows and their requests.

extension DefinitionReader {
  struct Scope {
    /// Those that always have a value.
    var always: [String] = []
    /// Those that may be without one.
    var sometimes: [String] = []
    var all: [String] { always + sometimes }
  }

  mutating func follows(_ node: JSONNode) -> [SourceDefinition.FollowDefinition] {
    var known: [FollowForm] = []
    let follows = members(node) { reader, name, value -> SourceDefinition.FollowDefinition? in
      let read = reader.isProgram ? reader.programFollow(name, value) : reader.follow(name, value)
      guard let follow = read else { return nil }
      if known.contains(where: { Self.isSame($0, follow.form) }) {
        reader.add(name, of: value, "the paths of another follow have the same form")
      }
      known.append(follow.form)
      return follow
    }
    if follows.isEmpty, node.isObject, node.elementCount == 0 { add(node, "expected at least one follow") }
    return follows
  }

  /// Whether two forms differ at most in the names of their parameters.
  private static func isSame(_ one: FollowForm, _ other: FollowForm) -> Bool {
    func shape(_ form: FollowForm) -> [String] {
      form.template.split(separator: "/", omittingEmptySubsequences: false).map {
        $0.hasPrefix("{+") ? "{+" : $0.hasPrefix("{") ? "{" : String($0)
      }
    }
    return shape(one) == shape(other)
  }

  private mutating func follow(_ name: JSONNode.Name, _ node: JSONNode) -> SourceDefinition.FollowDefinition? {
    let keys = Self.requestKeys + ["for", "about", "example", "with", "limit", "every"]
    guard isObject(node, of: keys), let parameters = parameters(name, node) else { return nil }
    var scope = settingScope
    scope.always += parameters
    let options = node["with"].map { self.options($0, parameters, &scope) } ?? []
    let limit = node["limit"].flatMap { self.limit($0) }
    if limit != nil { scope.always.append("limit") }
    let variables = node["for"].map { self.variables($0, scope, isOfRecord: false) } ?? []
    if let limit = node["limit"], !variables.isEmpty { add(limit, "\"limit\" has no meaning beside \"for\"") }
    scope.always += variables.map(\.name)
    guard var request = request(node, scope) else { return nil }
    let form = form(name, node, request.selections, limit)
    warn(of: request, parameters, at: node)
    if !variables.isEmpty {
      var list = SourceDefinition.Request(
        request.address, selections: [], children: [.init(variables, .always, request)],
        complete: request.complete.map { _ in .always })
      list.isSent = false
      request = list
    }
    return .init(form, parameters: parameters, options: options, request, every: node["every"].flatMap { interval($0) })
  }

  private mutating func form(
    _ name: JSONNode.Name, _ node: JSONNode, _ selections: [SourceDefinition.Selection],
    _ limit: FollowForm.Limit? = nil
  ) -> FollowForm {
    let path = name.text
    let filled = selections.compactMap(\.collection?.rawValue).joined(separator: ", ")
    var form = FollowForm(
      path.isEmpty ? source.rawValue : "\(source)/\(path)", node["about"].flatMap { nonEmpty($0) } ?? filled,
      limit: limit)
    if let example = node["example"], let text = nonEmpty(example) {
      form.example = "\(source)/\(text)"
      if !form.takes("\(source)/\(text)") { add(example, "the example is not a path of this form") }
    }
    return form
  }

  /// A follow whose records a program prints.
  private mutating func programFollow(_ name: JSONNode.Name, _ node: JSONNode) -> SourceDefinition.FollowDefinition? {
    guard isObject(node, of: ["take", "about", "complete", "every"]), let parameters = parameters(name, node) else {
      return nil
    }
    if !parameters.isEmpty { add(name, of: node, "the path of a program's follow has no parameters") }
    let selections = member("take", of: node, "the streams, with their collections").map {
      self.selections($0, variables: [])
    }
    let form = form(name, node, selections ?? [])
    let complete = node["complete"].flatMap { self.complete($0, nil) }
    guard let address = try? URLTemplate("/") else { return nil }
    return .init(
      form, parameters: parameters, .init(address, selections: selections ?? [], complete: complete),
      every: node["every"].flatMap { interval($0) })
  }

  private mutating func parameters(_ name: JSONNode.Name, _ node: JSONNode) -> [String]? {
    let text = name.text
    let parts = text.isEmpty ? [] : text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var parameters: [String] = []
    for (index, part) in parts.enumerated() {
      let isParameter = part.hasPrefix("{") && part.hasSuffix("}")
      let isRest = part.hasPrefix("{+")
      let inside = isParameter ? String(part.dropFirst(isRest ? 2 : 1).dropLast()) : ""
      let isName = !inside.isEmpty && inside.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }
      if isParameter, isName, !isRest || index == parts.count - 1, !parameters.contains(inside) {
        parameters.append(inside)
      } else if part.isEmpty || part.contains(where: { "{}?#".contains($0) }) {
        let expected = "a path has parts such as name, {parameter} and, at its end, {+rest}"
        return fail(name, of: node, "\(expected); \(SpellingSuggestion.quoted(part)) is none of these")
      }
    }
    return parameters
  }

  private mutating func options(
    _ node: JSONNode, _ parameters: [String], _ scope: inout Scope
  ) -> [SourceDefinition.Option] {
    let options = members(node) { reader, name, value -> SourceDefinition.Option? in
      let text = name.text
      guard reader.isObject(value, of: ["values", "kind", "default", "about"]) else { return nil }
      if ["follow", "limit", "every", "size", "page", "offset"].contains(text) {
        return reader.fail(name, of: value, "\"\(text)\" has another meaning: choose another name")
      }
      var option = FollowOption(text, .label, help: value["about"].flatMap { reader.nonEmpty($0) } ?? "")
      if let list = value["values"] {
        (option.allowed, option.kind) = (reader.each(list) { reader, entry in reader.nonEmpty(entry) }, .text)
      }
      if let kind = value["kind"], let word = reader.string(kind) {
        switch word {
        case "text": option.kind = .label
        case "int": option.kind = .whole(0...Int(Int32.max))
        case "bool": option.kind = .flag
        default:
          reader.add(kind, "\(SpellingSuggestion.quoted(word)) is not allowed; allowed are \"text\", \"int\", \"bool\"")
        }
      }
      let standard = value["default"].flatMap { reader.standard($0, option) }
      if option.help.isEmpty { option.help = "an option of the API" }
      return .init(option, standard: standard)
    }
    let own = options.filter { !parameters.contains($0.option.name) }
    scope.always += own.filter { $0.standard != nil }.map(\.option.name)
    scope.sometimes += own.filter { $0.standard == nil }.map(\.option.name)
    return options
  }

  private mutating func standard(_ node: JSONNode, _ option: FollowOption) -> String? {
    let value = node.value
    if option.accepts(value) { return value.string ?? value.int.map(String.init) ?? value.bool.map(String.init) }
    return fail(node, "expected \(option.expected), found \(node.summary)")
  }

  private mutating func limit(_ node: JSONNode) -> FollowForm.Limit? {
    guard node.isObject else { return whole(node).map { .init(standard: $0, largest: max($0, 1_000_000)) } }
    guard isObject(node, of: ["default", "most"]) else { return nil }
    let standard = member("default", of: node, "the limit where a follow names none").flatMap { whole($0) }
    let most = node["most"].flatMap { whole($0) }
    return standard.map { .init(standard: $0, largest: most ?? max($0, 1_000_000)) }
  }

  private mutating func since(_ node: JSONNode, _ scope: inout Scope) -> SourceDefinition.Since? {
    let keys = ["field", "token", "form", "first", "last", "step", "overlap", "newestFirst"]
    guard isObject(node, of: keys) else { return nil }
    let point: SourceDefinition.Since.Point
    switch (node["field"], node["token"]) {
    case (let field?, nil):
      guard let name = nonEmpty(field) else { return nil }
      point = .field(name)
    case (nil, let token?):
      guard let place = place(token) else { return nil }
      point = .token(place)
    case (nil, nil): point = .span
    default: return fail(node, "expected one of \"field\" and \"token\"")
    }
    var since = SourceDefinition.Since(point)
    if case .token = point { since.isText = true }
    if let form = node["form"] {
      guard form.string == "text" else { return fail(form, "expected \"text\", found \(form.summary)") }
      since.isText = true
    }
    since.first = node["first"].flatMap { nonEmpty($0) }
    since.last = node["last"].flatMap { nonEmpty($0) }
    since.step = node["step"].flatMap { interval($0) }
    if since.first == nil, point == .span || since.step != nil {
      add(
        node,
        "\(point == .span ? "a span without \"field\" or \"token\"" : "\"step\"") needs \"first\", where it begins")
    }
    scope.always.append("until")
    since.overlap = node["overlap"].flatMap { interval($0) }
    since.isNewestFirst = node["newestFirst"].flatMap { flag($0) } ?? false
    if since.first == nil { scope.sometimes.append("since") } else { scope.always.append("since") }
    for time in [since.isText ? nil : node["first"], node["last"]].compactMap(\.self) {
      if let template = time.string.flatMap({ try? URLTemplate($0) }), !template.names.isEmpty {
        check(template, at: time, Scope(always: settingScope.all))
        let standards = settings.compactMap { setting in setting.standard.map { (setting.name.exact, $0) } }
        let known = Dictionary(standards) { first, _ in first }
        let text = (try? template.expanded(isURL: false) { known[$0.description.exact] }) ?? "now"
        if SourceDefinition.Since.moment(text, now: Timestamp(secondsSinceEpoch: 0)) == nil {
          add(time, "expected \(SourceDefinition.Since.expected), found the default \(SpellingSuggestion.quoted(text))")
        }
        continue
      }
      guard let text = time.string, SourceDefinition.Since.moment(text, now: Timestamp(secondsSinceEpoch: 0)) == nil
      else { continue }
      add(time, "expected \(SourceDefinition.Since.expected), found \(time.summary)")
    }
    return since
  }

  private mutating func complete(_ node: JSONNode, _ since: SourceDefinition.Since?) -> SourceDefinition.Completeness? {
    if let isComplete = node.bool {
      if isComplete, since != nil {
        add(node, "a list that is read from where it was left is not complete; give an interval, such as \"7d\"")
      }
      return isComplete ? .always : nil
    }
    return interval(node).map { .every($0) }
  }

  private static let requestKeys = [
    "get", "post", "body", "form", "headers", "pages", "take", "each", "since", "complete", "errors", "format",
    "auth",
  ]

  /// A request; the follow's own, or that of a record.
  private mutating func request(_ node: JSONNode, _ given: Scope, isChild: Bool = false) -> SourceDefinition.Request? {
    var scope = given
    let auth = node["auth"].flatMap { authentication($0) }
    if let place = node["auth"], auth?.oauth2 != nil || auth?.login != nil {
      add(place, "a token is asked for by the \"auth\" of the whole definition")
    }
    let since = node["since"].flatMap { self.since($0, &scope) }
    let before = problems.count
    let paging = node["pages"].map { pages($0) } ?? (isChild ? nil : self.paging)
    scope.always += (paging?.variables ?? []) + ["now"]
    scope.sometimes += paging?.laterVariables ?? []
    if problems.count > before, let pages = node["pages"] {
      // Pages that cannot be read have their variables all the same.
      scope.always += ["page", "offset", "size"].filter { pages.member($0) != nil && !scope.always.contains($0) }
      for style in ["cursor", "last"] {
        pages.member(style)?.forEachMember { name, _ in scope.sometimes.append(name.text) }
      }
    }
    var address: URLTemplate?
    switch (node["get"], node["post"]) {
    case (let get?, nil):
      address = requestAddress(get, addressScope(scope))
      if let body = node["body"] ?? node["form"] {
        warn(body, "most servers do not read the body of a GET: \"post\" is usual")
      }
    case (nil, let post?): address = requestAddress(post, addressScope(scope))
    default: add(node, "expected one of \"get\" and \"post\"")
    }
    if let form = node["form"] {
      if node["body"] != nil { add(form, "a request has one of \"body\" and \"form\"") }
      members(form) { reader, name, value -> Void? in
        guard value.isObject || value.isArray else { return nil }
        return reader.fail(name, of: value, "a member of a form is a text, a number or a boolean")
      }
    }
    let content = node["body"] ?? node["form"]
    if let content { check(body: content, scope) }
    let body = content?.value ?? (node["post"] == nil ? nil : .object([:]))
    let selections = node["take"].map { self.selections($0, variables: given.all) } ?? []
    let children = node["each"].map { each($0) { reader, child in reader.child(child, given) } } ?? []
    if node["take"] == nil, node["each"] == nil { add(node, "\"take\" is missing: the records of the answer") }
    guard let address else { return nil }
    var request = SourceDefinition.Request(
      address, body: body, headers: headers(node["headers"], scope), paging: paging, selections: selections,
      children: children, since: since, complete: node["complete"].flatMap { self.complete($0, since) })
    request.errors = node["errors"].map { errors($0) } ?? []
    request.isForm = node["form"] != nil
    request.isGet = node["post"] == nil
    request.auth = auth
    request.format = node["format"].flatMap { format($0) } ?? format
    if case .field(let field)? = since?.point, let place = node["since"]?["field"] {
      let known = selections.flatMap(\.mapping.fields).map(\.name)
      let found = selections.flatMap(\.mapping.fields).first { $0.name == field }?.described
      if let found, !request.takesPoints(of: found.kind) {
        add(
          place,
          "the field \(SpellingSuggestion.quoted(field)) is no time, so that \"step\", \"overlap\" and another form of {since} have no meaning: give it the kind time, such as time(epoch)"
        )
      }
      if !known.isEmpty, !known.contains(field) { add(place, Self.missing("no record has the field", field, known)) }
    }
    warn(ofSinceIn: request, at: node)
    if let pages = node["pages"], let paging { warn(ofUnsent: paging, request, at: pages) }
    return request
  }

  /// The variables of an address, to which parts of the key may belong.
  private func addressScope(_ scope: Scope) -> Scope {
    Scope(always: scope.always + keysInAddress, sometimes: scope.sometimes)
  }

  /// Header fields whose values are templates. One that is a variable alone may be without a value, and is left out then.
  mutating func headers(_ node: JSONNode?, _ scope: Scope) -> [SourceDefinition.Header] {
    guard let node else { return [] }
    if node.isObject { check(body: node, scope) }
    return headers(node)
  }

  mutating func requestAddress(_ node: JSONNode, _ scope: Scope) -> URLTemplate? {
    guard let template = template(node) else { return nil }
    switch template.parts.first {
    case .literal(let text)? where text.hasPrefix("/") || text.hasPrefix("?"): break
    case .expression(.reserved, _)?, .expression(.query, _)?, nil: break
    default: add(node, "an address begins with /, with ? or with {+x}; the server is in \"url\"")
    }
    let literals = template.parts.flatMap { part -> [UInt8] in
      if case .literal(let text) = part { Array(text.utf8) } else { [] }
    }
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }
    if literals.contains(where: isBlank),
      let blank = node.string?.utf8.enumerated().first(where: { isBlank($0.element) })
    {
      add(node, DefinitionTextError("an address has no spaces: write %20, or + in a query", at: blank.offset))
    }
    if literals.contains(where: { $0 == 0x7B || $0 == 0x7D }) {
      add(node, "an address has no braces but those of {x}: write %7B and %7D")
    }
    check(template, at: node, scope)
    return template
  }

  mutating func check(_ template: URLTemplate, at node: JSONNode, _ scope: Scope) {
    for (name, kind) in template.names {
      guard case .variable(let text) = name else {
        add(node, "\(name) is a value of a record, which there is not before the answer")
        continue
      }
      if scope.sometimes.contains(text), !scope.always.contains(text) {
        if !kind.skipsUndefined {
          add(node, text, "{\(text)} does not always have a value: write {?\(text)} or {&\(text)}")
        }
      } else if !scope.always.contains(text) {
        let near = NearestName.of(text, among: scope.all).map { "did you mean {\($0)}?" }
        add(node, text, "there is no variable {\(text)}; \(near ?? Self.list(scope.all))")
      }
    }
  }

  /// Adds a mistake at a variable of a template.
  private mutating func add(_ node: JSONNode, _ variable: String, _ message: String) {
    let place = node.string.flatMap { URLTemplate.place(of: variable, in: $0) }
    place.map { add(node, DefinitionTextError(message, at: $0)) } ?? add(node, message)
  }

  /// Every text in a body is a template.
  mutating func check(body node: JSONNode, _ scope: Scope) {
    if node.isString, let template = template(node) {
      // A variable that is the only text of a member: without a value, the member is left out.
      let isOnly =
        if case .expression(.simple, let terms)? = template.parts.first {
          template.parts.count == 1 && terms.count == 1
        } else { false }
      check(template, at: node, isOnly ? Scope(always: scope.all) : scope)
    } else if node.isObject {
      members(node) { reader, _, value -> Void? in reader.check(body: value, scope) }
    } else if node.isArray, node.elementCount > 0 {
      each(node) { reader, value -> Void? in reader.check(body: value, scope) }
    }
  }

  private mutating func child(_ node: JSONNode, _ scope: Scope) -> SourceDefinition.Child? {
    guard isObject(node, of: Self.requestKeys + ["for", "when"]) else { return nil }
    let variables =
      member("for", of: node, "the variables, with their places in a record").map { self.variables($0, scope) } ?? []
    // A list is asked for again; what belongs to one record is known once it is here.
    let isList = ["since", "complete", "each"].contains { node.member($0) != nil }
    let occasion =
      node["when"].flatMap { word($0, SourceDefinition.Child.Occasion.self) } ?? (isList ? .always : .new)
    var scope = scope
    scope.always += variables.map(\.name)
    guard let request = request(node, scope, isChild: true), !variables.isEmpty else { return nil }
    if occasion == .new, !request.selections.contains(where: { $0.collection != nil }) {
      add(node, "\"when\": \"new\" needs a collection in \"take\": add \"into\", or write \"always\"")
    }
    return .init(variables, occasion, request)
  }
}

extension DefinitionReader {
  /// The variables of `for`: each with a place in the record, a list of texts, or a variable whose text has commas.
  private mutating func variables(
    _ node: JSONNode, _ scope: Scope, isOfRecord: Bool = true
  ) -> [SourceDefinition.Child.Variable] {
    let variables = members(node) { reader, name, value -> SourceDefinition.Child.Variable? in
      let isOther = Self.isVariable(name.text) && !Self.reserved.contains(name.text)
      if !isOther {
        reader.add(
          name, of: value,
          "a variable has a name of letters, digits and _, and none of \(Self.reserved.joined(separator: ", "))")
      }
      if value.isArray {
        return .init(name.text, .texts(reader.someElements(value).compactMap { $0.digits ?? reader.nonEmpty($0) }))
      }
      guard let text = reader.nonEmpty(value) else { return nil }
      if text.hasPrefix("{"), text.hasSuffix("}") {
        let list = String(text.dropFirst().dropLast())
        if scope.all.contains(list) { return .init(name.text, .list(list)) }
        return reader.fail(value, "there is no variable {\(list)}; \(Self.list(scope.all))")
      }
      guard isOfRecord else {
        return reader.fail(value, "expected a list of texts, or \"{OPTION}\": there is no record before the answer")
      }
      guard let path = reader.path(value) else { return nil }
      if path.root == .answer { reader.add(value, "$$ is the same for each record: begin with $, ^ or #") }
      return .init(name.text, .path(path))
    }
    if node.isObject, node.elementCount == 0 { add(node, "expected at least one variable") }
    return variables
  }
}

// MARK: Pages

extension DefinitionReader {
  mutating func format(_ node: JSONNode) -> SourceDefinition.Format? {
    guard let text = string(node) else { return nil }
    return SourceDefinition.Format(text)
      ?? fail(
        node,
        "unknown format \(SpellingSuggestion.quoted(text)); there are lines, csv, csv; and xml, and JSON without one")
  }

  mutating func pages(_ node: JSONNode) -> SourceDefinition.Paging? {
    let styles = ["link", "next", "cursor", "page", "offset", "last"]
    guard isObject(node, of: styles + ["size", "count", "pages", "more", "most"]) else { return nil }
    let used = styles.filter { node.member($0) != nil }
    if used.isEmpty, node.elementCount == 1, let count = node["count"] {
      return place(count).map { .init(.single, count: $0) }
    }
    guard used.count == 1, let value = node.member(used[0]) else {
      return fail(node, "expected one of \(styles.map(SpellingSuggestion.quoted).joined(separator: ", "))")
    }
    let style: SourceDefinition.Paging.Style?
    switch used[0] {
    case "link": style = nonEmpty(value).map { .link($0) }
    case "next" where value.string?.contains("{") == true: style = nextAddress(value)
    case "next": style = place(value).map { .next($0) }
    case "cursor": style = .cursor(pageVariables(value))
    case "page": style = whole(value, atLeast: 0).map { .page($0) }
    case "offset": style = whole(value, atLeast: 0).map { .offset($0) }
    default: style = .last(pageVariables(value, isOfRecord: true))
    }
    if let value = node["pages"], used[0] != "page", used[0] != "offset" {
      add(value, "\"pages\" needs \"page\" or \"offset\"")
    }
    guard let style else { return nil }
    var paging = SourceDefinition.Paging(
      style, size: node["size"].flatMap { whole($0) }, count: node["count"].flatMap { place($0) },
      pages: node["pages"].flatMap { place($0) }, most: node["most"].flatMap { whole($0) })
    if let more = node["more"] { readMore(more, into: &paging) }
    return paging
  }

  /// `/items?after={$.next}`
  private mutating func nextAddress(_ node: JSONNode) -> SourceDefinition.Paging.Style? {
    guard let template = template(node) else { return nil }
    let isAddress =
      if case .literal(let text)? = template.parts.first { text.hasPrefix("/") || text.hasPrefix("?") } else { false }
    if !isAddress || template.paths.isEmpty {
      add(
        node, "expected an address that begins with / or ? and has a value of the answer, such as /items?after={$.next}"
      )
    }
    let names = template.names.map(\.name.description)
    for path in template.paths where path.root == .parent || path.root == .key || path.isMany {
      add(node, "\(path) has no meaning here: $ is the whole answer")
    }
    if let variable = template.variables.first(where: { $0 != "size" }) {
      add(
        node,
        "{\(variable)} has no value here; there are {size} and paths, such as \(names.first { $0.hasPrefix("$") } ?? "{$.next}")"
      )
    }
    return .address(template)
  }

  /// The place that says whether there are more pages, or `{PLACE: VALUE}` where it says so with this value.
  private mutating func readMore(_ node: JSONNode, into paging: inout SourceDefinition.Paging) {
    guard node.isObject else { return paging.more = place(node) }
    let conditions = conditions(node)
    guard conditions.count == 1, !conditions[0].isNot else {
      return add(node, "expected one place with its value, such as {\"$.isLast\": false}")
    }
    (paging.more, paging.moreValues) = (.path(conditions[0].path), conditions[0].values)
  }

  private mutating func pageVariables(
    _ node: JSONNode, isOfRecord: Bool = false
  ) -> [SourceDefinition.Paging.Variable] {
    let variables = members(node) { reader, name, value -> SourceDefinition.Paging.Variable? in
      guard let place = reader.place(value) else { return nil }
      if isOfRecord, place.path == nil { return reader.fail(value, "expected a path in the last record") }
      return .init(name.text, place)
    }
    if node.isObject, node.elementCount == 0 { add(node, "expected at least one variable") }
    return variables
  }

  /// A path, or `header NAME`.
  mutating func place(_ node: JSONNode) -> SourceDefinition.Place? {
    guard let text = string(node) else { return nil }
    if text.hasPrefix("header "), Self.isToken(String(text.dropFirst(7))) { return .header(String(text.dropFirst(7))) }
    guard let path = path(node) else { return nil }
    if path.root != .parent, path.root != .key { return .path(path) }
    return fail(node, "\(path) has no meaning here: $ is the whole answer")
  }
}
