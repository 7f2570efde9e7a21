// What the user chooses once for a whole source, such as a region or the name of an organization.

extension SourceDefinition {
  /// A value that `servers.NAME.with` gives, in the place of a variable in addresses, headers, bodies, keys and fields.
  public struct Setting: Hashable, Sendable {
    /// A text that may be given, and what is sent for it.
    public struct Choice: Hashable, Sendable {
      /// `*` stands for every other text.
      public var given: String
      public var sent: String

      public init(_ given: String, sent: String) { (self.given, self.sent) = (given, sent) }
    }

    public var name: String
    public var help: String
    /// Empty where any text may be given.
    public var choices: [Choice]
    /// What is given where the user gives nothing.
    public var standard: String?
    public var isOptional: Bool
    /// The setting whose text decides, where that is another one.
    public var origin: String?

    /// What is sent for a text; `nil` where it is not allowed.
    public func sent(for text: String) -> String? {
      if choices.isEmpty { return text }
      return (choices.first { $0.given == text } ?? choices.first { $0.given == "*" })?.sent
    }

    public func hint(insteadOf text: String) -> String {
      let allowed = choices.map(\.given)
      let more = allowed.count > 8 ? ", and \(allowed.count - 8) more" : ""
      return
        "\(NearestName.question(text, among: allowed))allowed are \(allowed.prefix(8).joined(separator: ", "))\(more)"
    }

    public init(
      _ name: String, help: String = "", choices: [Choice] = [], standard: String? = nil, isOptional: Bool = false,
      origin: String? = nil
    ) {
      (self.name, self.help, self.choices) = (name, help, choices)
      (self.standard, self.isOptional, self.origin) = (standard, isOptional, origin)
    }
  }

  public struct SettingProblem: Error, Hashable, Sendable {
    public var name: String
    public var message: String
    public var help: String
  }

  /// The definition with the user's settings in place of their variables. O(size of the definition).
  ///
  /// - Parameter given: the texts of `servers.NAME.with`.
  /// - Throws: `SettingProblem` for the first setting that is missing or of no use.
  private func bound(to given: [ExactString: String]) throws(SettingProblem) -> SourceDefinition {
    guard !settings.isEmpty else { return self }
    var values: [ExactString: String] = [:]
    for setting in settings { values[setting.name.exact] = try value(of: setting, given) }
    let binding = SettingBinding(values: values)
    for since in follows.flatMap(\.request.all).compactMap(\.since) where !since.isText {
      for text in [since.first, since.last].compactMap(\.self) {
        guard let name = (try? URLTemplate(text))?.variables.first, let given = binding.moment(text),
          Since.moment(given, now: Timestamp(secondsSinceEpoch: 0)) == nil
        else { continue }
        throw problem(name, given, "expected \(Since.expected)")
      }
    }
    var bound = self
    bound.settings = []
    bound.url = try address(binding)
    bound.headers = headers.map { binding.bound($0) }
    bound.auth = auth.map { binding.bound($0) }
    bound.collections = collections.map { collection in
      var collection = collection
      collection.mapping = binding.bound(collection.mapping)
      return collection
    }
    bound.follows = follows.map { follow in
      var follow = follow
      follow.request = binding.bound(follow.request)
      return follow
    }
    bound.edits = edits.map { binding.bound($0) }
    var hash = StableHash()
    hash.combine(fingerprint)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { hash.combine("\(name)=\(value)") }
    bound.fingerprint = hash.hex
    return bound
  }

  /// The definition with what the config file says of its server.
  public func bound(by server: Settings.Server?) throws(SettingProblem) -> SourceDefinition {
    try bound(to: server?.with ?? [:])
  }

  private func value(of setting: Setting, _ given: [ExactString: String]) throws(SettingProblem) -> String? {
    let name = setting.origin ?? setting.name
    let standard = settings.first { $0.name == name }?.standard
    let other = setting.choices.first { $0.given == "*" }?.given
    guard let text = given[name.exact] ?? standard ?? setting.standard ?? other else {
      if setting.isOptional { return nil }
      throw missing(name, setting.help)
    }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x7B || $0 == 0x7D }) {
      throw problem(name, text, "braces and control characters are not allowed")
    }
    if let sent = setting.sent(for: text) { return sent }
    throw problem(name, text, setting.hint(insteadOf: text))
  }

  private func problem(_ name: String, _ text: String, _ reason: String) -> SettingProblem {
    SettingProblem(
      name: name, message: "the setting \(name) of \(self.name) cannot be '\(text)': \(reason)", help: help(of: name))
  }

  private func missing(_ name: String, _ help: String) -> SettingProblem {
    SettingProblem(name: name, message: "the setting \(name) of \(self.name) is missing", help: help)
  }

  private func help(of name: String) -> String { settings.first { $0.name == name }?.help ?? "" }

  /// The address of the API. A setting that is a part of a host cannot name another one.
  private func address(_ binding: SettingBinding) throws(SettingProblem) -> String {
    guard let template = try? URLTemplate(url) else { return url }
    var text = ""
    for part in template.parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(_, let terms):
        for term in terms {
          let name = term.name.description
          guard let value = binding.values[name.exact] else { throw missing(name, help(of: name)) }
          let isHost = text.firstRange(of: "://").map { !text[$0.upperBound...].contains("/") } ?? false
          if isHost, !value.utf8.allSatisfy({ Self.isHostByte($0) }) {
            throw SettingProblem(
              name: name, message: "the setting \(name) of \(self.name) cannot be '\(value)': it is a part of a host",
              help: "letters, digits, - and .")
          }
          text += text.isEmpty ? Self.beginning(value) : value
        }
      }
    }
    return text.withoutSlashes
  }

  /// The beginning of an address that a setting names: with a scheme, and without a slash at its end.
  fileprivate static func beginning(_ value: String) -> String {
    (value.contains("://") ? value : "https://\(value)").withoutSlashes
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
  }
}

private struct SettingBinding {
  let values: [ExactString: String]

  func bound(_ template: URLTemplate, isURL: Bool = true) -> URLTemplate {
    template.variables.contains { values[$0.exact] != nil }
      ? template.binding(isURL: isURL) { values[$0.exact] } : template
  }

  /// An address that a setting may begin: with its scheme, or as a host.
  private func bound(address template: URLTemplate) -> URLTemplate {
    guard case .expression(_, let terms)? = template.parts.first, terms.count == 1,
      let value = values[terms[0].name.description.exact]
    else { return bound(template) }
    let text = template.description
    let start = "{\(terms[0].name.description)}"
    guard text.hasPrefix(start),
      let whole = try? URLTemplate(SourceDefinition.beginning(value) + text.dropFirst(start.count))
    else { return bound(template) }
    return bound(whole)
  }

  private func bound(_ text: String) -> String {
    guard let template = try? URLTemplate(text) else { return text }
    return bound(template, isURL: false).description
  }

  func bound(_ header: SourceDefinition.Header) -> SourceDefinition.Header { .init(header.name, bound(header.value)) }

  private func bound(
    _ placement: SourceDefinition.Authentication.Placement
  ) -> SourceDefinition.Authentication.Placement {
    .init(placement.place, bound(placement.value, isURL: false))
  }

  func bound(_ auth: SourceDefinition.Authentication) -> SourceDefinition.Authentication {
    var auth = auth
    auth.placements = auth.placements.map { bound($0) }
    if var oauth = auth.oauth2 {
      (oauth.token, oauth.send) = (bound(oauth.token), oauth.send.map { bound($0) })
      (oauth.authorize, oauth.device) = (oauth.authorize.map { bound($0) }, oauth.device.map { bound($0) })
      auth.oauth2 = oauth
    }
    if var login = auth.login {
      (login.address, login.body) = (bound(address: login.address), login.body.map { bound($0) })
      login.placements = login.placements.map { bound($0) }
      auth.login = login
    }
    return auth
  }

  private func bound(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(bound(text))
    case .array(let list): .array(list.map { bound($0) })
    case .object(let object):
      .object(JSONObject(members: object.members.map { .init(key: $0.key, value: bound($0.value)) }))
    case .null, .bool, .number: value
    }
  }

  func bound(_ request: SourceDefinition.Request) -> SourceDefinition.Request {
    var request = request
    request.address = bound(request.address)
    request.body = request.body.map { bound($0) }
    request.headers = request.headers.map { bound($0) }
    request.auth = request.auth.map { bound($0) }
    if var since = request.since {
      (since.first, since.last) = (since.first.flatMap { moment($0) }, since.last.flatMap { moment($0) })
      request.since = since
    }
    request.selections = request.selections.map { selection in
      var selection = selection
      selection.only = selection.only.compactMap { bound($0) }
      selection.gone = selection.gone.compactMap { bound($0) }
      selection.mapping = bound(selection.mapping)
      return selection
    }
    request.children = request.children.map { child in
      var child = child
      child.variables = child.variables.map { variable in
        guard case .list(let name) = variable.values, let text = values[name.exact] else { return variable }
        return .init(variable.name, .texts(Self.list(text)))
      }
      child.request = bound(child.request)
      return child
    }
    return request
  }

  func bound(_ edits: SourceDefinition.Edits) -> SourceDefinition.Edits {
    var edits = edits
    (edits.read, edits.headers) = (bound(edits.read), edits.headers.map { bound($0) })
    if let update = edits.update { edits.update?.address = bound(update.address) }
    if let delete = edits.delete { edits.delete?.address = bound(delete.address) }
    if var create = edits.create {
      (create.address, create.find) = (bound(create.address), create.find.map { bound($0) })
      edits.create = create
    }
    return edits
  }

  /// `{start}`, where `start` may be a time before now; `nil` where it has no value.
  func moment(_ text: String) -> String? {
    let text = bound(text)
    return text.contains("{") ? nil : text
  }

  /// A condition on a setting that has no value holds.
  private func bound(_ condition: SourceDefinition.Condition) -> SourceDefinition.Condition? {
    var condition = condition
    condition.values = condition.values.flatMap { value -> [JSONValue] in
      guard let text = value.string, let template = try? URLTemplate(text), let name = template.variables.first else {
        return [value]
      }
      return values[name.exact].map { Self.list($0).map { .string($0) } } ?? []
    }
    return condition.values.isEmpty ? nil : condition
  }

  func bound(_ mapping: SourceDefinition.Mapping) -> SourceDefinition.Mapping {
    var mapping = mapping
    mapping.id = mapping.id.map { part in
      if case .template(let template) = part { .template(bound(template, isURL: false)) } else { part }
    }
    mapping.fields = mapping.fields.map { bound($0) }
    return mapping
  }

  private func bound(_ field: SourceDefinition.Field) -> SourceDefinition.Field {
    var field = field
    switch field.content {
    case .object(let fields): field.content = .object(fields.map { bound($0) })
    case .value(var value):
      guard case .template(let template) = value.origin else { return field }
      value.origin = .template(bound(template, isURL: value.kind == .url))
      field.content = .value(value)
    }
    return field
  }

  private static func list(_ text: String) -> [String] { text.split(separator: ",").map { String($0).trimmed } }
}
