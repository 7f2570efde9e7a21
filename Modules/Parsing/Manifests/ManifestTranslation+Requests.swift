import Models

// The request of a stream.

extension ManifestTranslation {
  mutating func request(
    _ stream: ManifestPart, _ retriever: ManifestPart, _ incremental: ManifestPart,
    _ partitions: ManifestContext.Partitions, _ sent: [(option: ManifestPart, value: ManifestValue)]
  ) throws(Refusal) -> Level {
    let requester = try retriever["requester"].withoutProgram()
    var level = Level()
    var context = ManifestContext(settings, partitions)
    (level.point, context.point) = try point(incremental, context)
    let paginator = try retriever["paginator"].withoutProgram()
    var pages = Pages()
    if paginator.map != nil, paginator.type != "NoPagination" { pages = try self.pages(paginator, context) }
    context.cursor = pages.cursor
    var auth = try auth(requester["authenticator"])
    let base = try value(requester[first: "url_base", "url"], context, "the address", named: "url")
    let path = try value(requester["path"], context, "the address", named: "path")
    for name in secrets(base) + secrets(path) {
      if !keys.contains(name) { keys.append(name) }
      let names = auth["address"]?.array ?? []
      if !names.contains(.string(name)) { auth.replace("address", .array(names + [.string(name)])) }
    }
    for value in [base, path] { require(value) }
    if case .variable(let name, _, _) = path, name.hasPrefix("cursor") { throw Refusal("a page in the path") }
    let whole = try joined(try template(base, "the address"), try template(path, "the address"))
    let place: String
    (level.base, place) = Self.split(whole)
    if (secrets(base) + secrets(path)).contains(where: { level.base.contains("{\($0)") }) {
      throw Refusal("a key in the name of the server")
    }

    var parameters = try members(requester["request_parameters"], context, "a parameter", .parameter)
    var headers = try members(requester["request_headers"], context, "a header field", .header)
    let method = (try text(requester["http_method"], context, "the method")).uppercased()
    guard ["", "GET", "POST"].contains(method) else { throw Refusal("the method \(method)") }
    var (body, form) = try content(of: requester, context)
    var options = pages.sent + sent
    if level.point != nil {
      let form = level.point?.form
      for (name, variable) in [("start_time_option", "since"), ("end_time_option", "until")]
      where incremental[name].map != nil {
        options.append((incremental[name], .variable(variable, form: form)))
      }
    }
    for (option, value) in options where option.map != nil {
      let name = option["field_name"].isNull ? "" : try text(option["field_name"], context, "a name")
      switch option["inject_into"].text {
      case "request_parameter": Self.set(name, value, in: &parameters)
      case "header": Self.set(name, value, in: &headers)
      case "body_json":
        let path = option["field_path"].list?.compactMap(\.written) ?? [name]
        body = Self.setting(path[...], value, in: body)
      case "body_data": form = Self.setting([name], value, in: form)
      case let other where option.type != "RequestPath": throw Refusal("a value in \(other ?? "an unnamed place")")
      default: break
      }
    }
    func isSecret(_ member: ManifestValue.Member) -> Bool { !secrets(member.value).isEmpty }
    func isSecretHeader(_ member: ManifestValue.Member) -> Bool {
      isSecret(member) || ["authorization", "proxy-authorization", "cookie"].contains(member.name.lowercased())
    }
    for member in parameters where isSecret(member) { try add(member, to: "query", of: &auth) }
    for member in headers where isSecretHeader(member) { try add(member, to: "headers", of: &auth) }
    parameters.removeAll(where: isSecret)
    headers.removeAll(where: isSecretHeader)
    for content in [body, form] {
      guard case .object(let members)? = content else { continue }
      for member in members where !secrets(member.value).isEmpty { try add(member, to: "body", of: &auth) }
    }
    (body, form, level.auth) = (withoutSecrets(body), withoutSecrets(form), auth)
    parameters = try ofEveryPage(parameters, pages)
    let address = try self.address(place, parameters)
    let hasBody = [body, form].contains {
      if let value = $0 { value != .object([]) && !value.isEmptyText } else { false }
    }
    let sendsBody = method == "POST" || hasBody
    level.request.append(method == "POST" ? "post" : "get", address)
    var fields = JSONObject()
    for member in headers where !member.value.isEmptyText {
      fields.append(member.name, try template(member.value, "a header field"))
    }
    if !fields.isEmpty { level.request.append("headers", .object(fields)) }
    if let body, sendsBody { level.request.append("body", try self.body(body)) }
    if let form, body == nil, sendsBody {
      guard case .object = form else { throw Refusal("a form that is a text") }
      level.request.append("form", try self.body(form))
    }
    try answer(stream, retriever, context, pages.object, &level)
    point(of: &level)
    let rules = try errors(requester["error_handler"], context)
    if !rules.isEmpty { level.request.append("errors", .array(rules)) }
    for name in Set(context.unknown.names).sorted() {
      note("the manifest names \(name), which nothing gives: it is empty")
    }
    return level
  }

  /// Settings that are a part of the address have to be set.
  func require(_ value: ManifestValue) {
    switch value {
    case .variable(let name, _, _), .either(.variable(let name, _, _), _): settings.require(name)
    case .joined(let parts): for part in parts { require(part) }
    default: break
    }
  }

  private mutating func add(_ member: ManifestValue.Member, to place: String, of auth: inout JSONObject) throws(Refusal)
  {
    var members = auth[place]?.object ?? [:]
    members.replace(member.name, .string(try key(member.value)))
    auth.replace(place, .object(members))
  }

  private func withoutSecrets(_ value: ManifestValue?) -> ManifestValue? {
    guard case .object(let members)? = value else { return value }
    return .object(members.filter { secrets($0.value).isEmpty })
  }

  /// The server's address, and the path at it.
  private static func split(_ address: String) -> (base: String, path: String) {
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    var end = start
    while end < address.endIndex, address[end] != "/", address[end] != "?" {
      // A setting has the whole beginning of the address.
      end =
        address[end] == "{"
        ? address[end...].firstIndex(of: "}").map { address.index(after: $0) } ?? address.endIndex
        : address.index(after: end)
    }
    let path = String(address[end...])
    return (String(address[..<end]), path.isEmpty ? "/" : path)
  }

  private static func set(_ name: String, _ value: ManifestValue, in members: inout [ManifestValue.Member]) {
    members.removeAll { $0.name == name }
    members.append(.init(name: name, value: value))
  }

  private static func setting(
    _ path: ArraySlice<String>, _ value: ManifestValue, in object: ManifestValue?
  ) -> ManifestValue {
    guard let name = path.first else { return value }
    var members: [ManifestValue.Member] = if case .object(let members)? = object { members } else { [] }
    let inner = setting(path.dropFirst(), value, in: members.first { $0.name == name }?.value)
    set(name, inner, in: &members)
    return .object(members)
  }

  private mutating func members(
    _ part: ManifestPart, _ context: ManifestContext, _ place: String, _ reader: ManifestLiteral.Reader
  ) throws(Refusal) -> [ManifestValue.Member] {
    if part.isEmpty { return [] }
    guard let map = part.map else {
      switch try value(part, context, place) {
      case .object(let members): return members
      case let value where value.isEmptyText: return []
      default: throw Refusal("\(place): a text in place of an object")
      }
    }
    var members: [ManifestValue.Member] = []
    for member in map.members where !member.value.isNull {
      let name =
        member.name.contains("{{") ? try text(.text(member.name, parameters: nil), context, place) : member.name
      let value = ManifestLiteral.read(try value(member.value, context, place, named: name), by: reader)
      if value != .nothing { members.append(.init(name: name, value: value)) }
    }
    return members
  }

  private mutating func content(
    of requester: ManifestPart, _ context: ManifestContext
  ) throws(Refusal) -> (body: ManifestValue?, form: ManifestValue?) {
    var (json, data) = (requester["request_body_json"], requester["request_body_data"])
    let body = requester["request_body"]
    if !body.type.isEmpty {
      if body.type.contains("Json") || body.type.contains("GraphQL") {
        json = body["value"]
      } else {
        data = body["value"]
      }
    }
    var found: (body: ManifestValue?, form: ManifestValue?)
    if !json.isEmpty { found.body = try bodyValue(json, context, .value) }
    if !data.isEmpty {
      let value = try bodyValue(data, context, .parameter)
      switch value {
      case .object where data.text != nil, .list: found.body = value
      default: found.form = value
      }
    }
    return found
  }

  /// A body, which may be a text of JSON with expressions in it.
  private mutating func bodyValue(
    _ part: ManifestPart, _ context: ManifestContext, _ reader: ManifestLiteral.Reader
  ) throws(Refusal) -> ManifestValue {
    if part.text != nil, let text = try? context.value(of: part) {
      for reader in [ManifestLiteral.Reader.value, .server] {
        switch ManifestLiteral.read(text, by: reader) {
        case .object(let members): return .object(members)
        case .list(let values): return .list(values)
        default: continue
        }
      }
    }
    return ManifestLiteral.read(try value(part, context, "the body"), by: reader)
  }

  /// The parameters that every page has. Where the next address is whole, it is only the first page that has others.
  private func ofEveryPage(
    _ parameters: [ManifestValue.Member], _ pages: Pages
  ) throws(Refusal) -> [ManifestValue.Member] {
    var all: [ManifestValue.Member] = []
    for parameter in parameters {
      guard case .first(let value) = parameter.value else {
        all.append(parameter)
        continue
      }
      guard pages.object["next"] != nil || pages.object["link"] != nil else {
        throw Refusal("a parameter of the first page alone")
      }
      if value != .nothing { all.append(.init(name: parameter.name, value: value)) }
    }
    return all
  }

  // MARK: Points

  private mutating func point(
    _ part: ManifestPart, _ context: ManifestContext
  ) throws(Refusal) -> (point: Point?, context: ManifestContext.Point) {
    guard case .map = part else { return (nil, .none) }
    if let program = part.program {
      note("the point of the sync is program code (\(program)): the list is read as a whole each time")
      return (nil, .unknown)
    }
    if part.type == "IncrementingCountCursor" {
      note("the point of the sync is a count: the list is read as a whole each time")
      return (nil, .unknown)
    }
    let form = try ManifestText.form(part["datetime_format"].text)
    var point = Point(forms: [], form: form)
    point.field = try text(part["cursor_field"], context, "the field of the point")
    point.first = try moment(part["start_datetime"], context, "first")
    if !part["end_datetime"].isNull {
      let last = try moment(part["end_datetime"], context, "last")
      if last != "now" { point.last = last }
    }
    if !part["step"].isNull {
      switch try value(part["step"], context, "the step", named: "step") {
      case .constant(.string(let text)): point.step = try ManifestText.duration(text)
      default: note("the length of a span is a setting: spans have 30 days"); point.step = "30d"
      }
    }
    if !part["lookback_window"].isNull {
      switch try value(part["lookback_window"], context, "lookback_window", named: "overlap") {
      case .constant(.string(let text)):
        let time = try ManifestText.duration(text)
        if time != "0d" { point.overlap = time }
      default: note("how far a sync looks back is a setting: it is a day"); point.overlap = "1d"
      }
    }
    let formats = part["cursor_datetime_formats"].elements.compactMap(\.text)
    for format in formats.isEmpty ? [part["datetime_format"].text ?? ""] : formats {
      point.forms.append((try? ManifestText.form(format.isEmpty ? nil : format)) ?? "time")
    }
    return (point, .form(form))
  }

  private mutating func moment(
    _ part: ManifestPart, _ context: ManifestContext, _ name: String
  ) throws(Refusal) -> String? {
    let value = try value(part.map == nil ? part : part["datetime"], context, "the \(name) time", named: name)
    func written(_ value: ManifestValue) throws(Refusal) -> String {
      switch value {
      case .variable("now", _, let shift): return "now\(shift ?? "")"
      case .variable(let setting, _, _):
        settings.setTime(setting)
        return "{\(setting)}"
      case .either(.variable(let setting, _, _), let other):
        settings.setTime(setting)
        settings.setDefault(setting, try written(other))
        return "{\(setting)}"
      case .either(let one, _): return try written(one)
      case .constant(let constant):
        let text = constant.string ?? JSONText.compact(constant)
        // Seconds since 1970.
        if let seconds = Int(text) {
          return Timestamp(secondsSinceEpoch: seconds > 99_999_999_999 ? seconds / 1000 : seconds).description
        }
        return text
      default: return try template(value, "the \(name) time")
      }
    }
    let text = try written(value)
    return text.isEmpty ? nil : text
  }

  /// Adds the point to a request that sends it; another one is read as a whole each time.
  private func point(of level: inout Level) {
    let used = ["get", "post", "body", "form", "headers"].compactMap { level.request[$0] }.map { JSONText.compact($0) }
    func sends(_ name: String) -> Bool { used.contains { URLTemplate.place(of: name, in: $0) != nil } }
    guard let point = level.point, sends("since") else {
      return
    }
    var since: JSONObject = ["field": "", "first": .of(point.first)]
    if sends("until") {
      since.append("last", point.last)
      if point.first != nil { since.append("step", point.step) }
    }
    since.append("overlap", point.overlap)
    level.request.append("since", .object(since))
  }
}
