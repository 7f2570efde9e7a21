import Models

// How changes of records are sent.

extension DefinitionReader {
  mutating func edits(_ node: JSONNode) -> [SourceDefinition.Edits] {
    members(node) { reader, name, value in
      let text = name.text
      guard let collection = reader.collections.first(where: { $0.name.rawValue == text }) else {
        let names = reader.collections.map(\.name.rawValue)
        return reader.fail(name, of: value, Self.missing("there is no collection", text, names, " here"))
      }
      return reader.edits(of: collection, value)
    }
  }

  private mutating func edits(of collection: SourceDefinition.Collection, _ node: JSONNode) -> SourceDefinition.Edits? {
    guard isObject(node, of: ["read", "record", "version", "headers", "update", "create", "delete"]) else { return nil }
    let variables = ["id"] + collection.mapping.idVariables.filter { !$0.isEmpty }
    for name in collection.mapping.variables where !variables.contains(name) {
      add(
        node,
        "\(SpellingSuggestion.quoted(collection.name.rawValue)) needs the variable {\(name)}, which a record does not have"
      )
    }
    let read = member("read", of: node, "the address of one record").flatMap { reading($0, variables) }
    let version = node["version"].flatMap { place($0) }
    hasVersion = version != nil
    let headers = headers(
      node["headers"], Scope(always: ["key"] + (hasVersion ? ["version"] : []) + variables + settingScope.all))
    let record = node["record"].flatMap { path($0) }
    if let record, let place = node["record"], record.root != .record || record.isMany {
      add(place, "expected the place of one record in the answer, such as $.data")
    }
    if node["update"] == nil, node["create"] == nil, node["delete"] == nil {
      add(node, "expected at least one of \"update\", \"create\" and \"delete\"")
    }
    let update = node["update"].flatMap { change($0, of: collection, variables) }
    func isSent(_ name: String) -> Bool {
      headers.contains { header in (try? URLTemplate(header.value))?.variables.contains(name) == true }
    }
    let create = node["create"].flatMap { creation($0, of: collection, hasKey: isSent("key")) }
    let delete = node["delete"].flatMap { removal($0, of: collection, variables) }
    if let place = node["version"], !isSent("version"),
      !((update?.members ?? []) + (delete?.members ?? [])).contains(where: { $0.holds(.version) })
    {
      add(place, "nothing sends the version: a header field or a member of \"send\" with {version} does")
    }
    guard let read else { return nil }
    var edits = SourceDefinition.Edits(
      collection.name, read: read, record: record ?? ValuePath(.record), update: update, create: create, delete: delete)
    (edits.version, edits.headers) = (version, headers)
    return edits
  }

  private mutating func recordAddress(_ node: JSONNode, _ variables: [String]) -> URLTemplate? {
    requestAddress(node, Scope(always: variables + settingScope.all))
  }

  /// The request for one record: an address, or a POST with a body.
  private mutating func reading(_ node: JSONNode, _ variables: [String]) -> SourceDefinition.Request? {
    guard node.isObject else { return recordAddress(node, variables).map { .init($0, selections: []) } }
    guard isObject(node, of: ["post", "body", "form"]) else { return nil }
    let content = node["body"] ?? node["form"]
    if let content { check(body: content, Scope(always: variables + settingScope.all)) }
    let address = member("post", of: node, "the address of one record").flatMap { recordAddress($0, variables) }
    guard let address else { return nil }
    var request = SourceDefinition.Request(address, body: content?.value ?? .object([:]), selections: [])
    request.isForm = node["form"] != nil
    return request
  }

  /// The address of a DELETE, or a request with a body.
  private mutating func removal(
    _ node: JSONNode, of collection: SourceDefinition.Collection, _ variables: [String]
  ) -> SourceDefinition.Change? {
    guard node.isObject else {
      return recordAddress(node, variables).map { .init(.delete, $0, [], isWhole: true) }
    }
    guard isObject(node, of: ["post", "delete", "send", "form"]), let (sent, isForm) = content(node, collection) else {
      return nil
    }
    guard let place = node["post"] ?? node["delete"], node["post"] == nil || node["delete"] == nil else {
      return fail(node, "expected one of \"post\" and \"delete\"")
    }
    let method: SourceDefinition.Change.Method = node["post"] == nil ? .delete : .post
    return recordAddress(place, variables).map { .init(method, $0, sent, isWhole: true, isForm: isForm) }
  }

  /// The members of a body, as JSON (`send`) or as a form.
  private mutating func content(
    _ node: JSONNode, _ collection: SourceDefinition.Collection, isNew: Bool = false
  ) -> (members: [SourceDefinition.SentMember], isForm: Bool)? {
    guard let place = node["send"] ?? node["form"], node["send"] == nil || node["form"] == nil else {
      return fail(node, "expected one of \"send\" and \"form\", the members of the body with their fields")
    }
    return (sent(place, collection, isNew: isNew), node["form"] != nil)
  }

  private mutating func change(
    _ node: JSONNode, of collection: SourceDefinition.Collection, _ variables: [String]
  ) -> SourceDefinition.Change? {
    typealias Method = SourceDefinition.Change.Method
    let methods: [Method] = [.put, .patch, .post]
    guard isObject(node, of: methods.map(\.rawValue) + ["send", "form", "whole"]) else { return nil }
    let used = methods.filter { node.member($0.rawValue) != nil }
    let content = content(node, collection)
    guard used.count == 1, let place = node.member(used[0].rawValue) else {
      return fail(node, "expected one of \"put\", \"patch\" and \"post\"")
    }
    let isWhole = node["whole"].map { flag($0) ?? false } ?? (used[0] == .put)
    if let whole = node["whole"], used[0] == .put, !isWhole {
      add(whole, "a PUT replaces the record: \"patch\" and \"post\" send the edited fields alone")
    }
    guard let address = recordAddress(place, variables), let (sent, isForm) = content else { return nil }
    return .init(used[0], address, sent, isWhole: isWhole, isForm: isForm)
  }

  private mutating func creation(
    _ node: JSONNode, of collection: SourceDefinition.Collection, hasKey: Bool
  ) -> SourceDefinition.Creation? {
    guard isObject(node, of: ["post", "send", "form", "record", "key", "find"]) else { return nil }
    let variables = Self.newVariables(of: collection.mapping)
    let address = member("post", of: node, "the address that takes new records").flatMap {
      recordAddress($0, variables)
    }
    let content = content(node, collection, isNew: true)
    let header = node["key"].flatMap { fieldName($0) }
    var find: URLTemplate?
    var found = ValuePath(.record)
    if let list = node["find"], isObject(list, of: ["get", "records"]) {
      find = member("get", of: list, "the address of the list, with {key}").flatMap {
        recordAddress($0, ["key"] + variables)
      }
      found = list["records"].flatMap { path($0) } ?? found
      if let find, !find.variables.contains("key") { add(list, "the address needs {key}, the key of the new record") }
      if content?.members.contains(where: { $0.holds(.key) }) == false {
        add(list, "\"find\" needs a member of \"send\" with the value \"{key}\", which the list is searched by")
      }
    }
    if node["key"] == nil, node["find"] == nil, !hasKey {
      add(node, "expected \"key\", \"find\" or both: without them, a lost reply could create the record twice")
    }
    guard let address, let (sent, isForm) = content else { return nil }
    var creation = SourceDefinition.Creation(address, sent, keyHeader: header, find: find, found: found)
    (creation.isForm, creation.isList) = (isForm, node["send"]?.isArray == true)
    creation.record = node["record"].flatMap { path($0) }
    return creation
  }

  /// What a new record can have before the server knows it: single values, and the variables of its id.
  private static func newVariables(of mapping: SourceDefinition.Mapping) -> [String] {
    let parts = mapping.id.flatMap { if case .template(let template) = $0 { template.variables } else { [String]() } }
    let fields = mapping.fields.filter { field in
      guard case .value(let value) = field.content, case .paths = value.origin else { return false }
      switch value.kind {
      case .text, .int, .decimal, .bool, .date: return true
      case .plain, .url, .time, .json, .list: return false
      }
    }
    return parts + fields.map(\.name).filter { name in !parts.contains { $0.exact == name.exact } }
  }

  private mutating func sent(
    _ node: JSONNode, _ collection: SourceDefinition.Collection, isNew: Bool = false
  ) -> [SourceDefinition.SentMember] {
    if isNew, node.isArray, node.elementCount == 1 {
      return elements(node, "a list of one object").flatMap { self.sent($0, collection, isNew: true) }
    }
    let sent = members(node) { reader, name, value -> SourceDefinition.SentMember? in
      let content: SourceDefinition.SentMember.Content? =
        if value.isObject {
          .object(reader.sent(value, collection, isNew: isNew))
        } else if isNew, value.string == "{key}" {
          .key
        } else if reader.hasVersion, value.string == "{version}" {
          .version
        } else if let constant = Self.constant(value) {
          .constant(constant)
        } else {
          reader.sentField(value, collection).map { .field($0, $1) }
        }
      return content.map { .init(name.text, $0) }
    }
    if node.isObject, node.elementCount == 0 { add(node, "expected at least one member") }
    return sent
  }

  /// A text in `'…'`, or what is neither a text nor has texts or objects in it.
  private static func constant(_ node: JSONNode) -> JSONValue? {
    if let text = node.string {
      return text.count > 1 && text.hasPrefix("'") && text.hasSuffix("'")
        ? .string(String(text.dropFirst().dropLast())) : nil
    }
    return node.value.array?.contains { $0.string != nil || $0.array != nil || $0.object != nil } == true
      ? nil : node.value
  }

  /// `FIELD`, `text FIELD` or `int FIELD`.
  private mutating func sentField(
    _ node: JSONNode, _ collection: SourceDefinition.Collection
  ) -> (String, SourceDefinition.SentForm)? {
    guard let text = nonEmpty(node) else { return nil }
    let words = text.split(separator: " ").map(String.init)
    let name = words.last ?? ""
    var form: SourceDefinition.SentForm?
    if words.count == 2, ["text", "int", "decimal"].contains(words[0]) {
      form = words[0] == "text" ? .text : .number
    } else if words.count != 1 {
      let forms = #"FIELD, "text FIELD", "int FIELD", "decimal FIELD" or a constant, "'TEXT'""#
      return fail(node, "expected \(forms), found \(node.summary)")
    }
    if name == "id" { return (name, form ?? .stored) }
    let fields = collection.mapping.fields.flatMap(\.sendable)
    guard let field = fields.first(where: { $0.name == name }) else {
      return fail(node, Self.missing("\(collection.name) has no field", name, ["id"] + fields.map(\.name)))
    }
    guard let standard = field.form else {
      let text = "the field \(SpellingSuggestion.quoted(name))"
      return field.isConstant
        ? fail(
          place(of: name, in: collection) ?? node,
          "\(text) is the same text in every record, so that \"edits\" cannot send it: a path begins with $")
        : fail(node, "\(text) cannot be sent: its stored value is not the one that the API has")
    }
    return (name, form ?? standard)
  }

  private func place(of field: String, in collection: SourceDefinition.Collection) -> JSONNode? {
    let fields = collectionsNode?.member(collection.name.rawValue)?.member("fields")
    return field.split(separator: ".").reduce(fields) { node, name in node?.member(String(name)) }
  }
}

extension SourceDefinition.Field {
  /// The fields with values, by path, each with the form in which the API has it; `nil` where the stored value does not
  /// tell it.
  fileprivate var sendable: [(name: String, form: SourceDefinition.SentForm?, isConstant: Bool)] {
    switch content {
    case .object(let fields): fields.flatMap(\.sendable).map { ("\(name).\($0.name)", $0.form, $0.isConstant) }
    case .value(let value):
      if case .template = value.origin {
        [(name, nil, value.constant != nil)]
      } else {
        [(name, value.kind.sentForm, false)]
      }
    }
  }
}

extension SourceDefinition.Kind {
  fileprivate var sentForm: SourceDefinition.SentForm? {
    switch self {
    case .text, .url, .int, .bool, .json, .list: .stored
    case .decimal: .number
    case .time(.epoch), .date(.epoch): .epoch
    case .time(.epochMilliseconds), .date(.epochMilliseconds): .epochMilliseconds
    case .time(.standard), .time(.utc), .date(.standard), .date(.utc): .stored
    case .plain, .time, .date: nil
    }
  }
}
