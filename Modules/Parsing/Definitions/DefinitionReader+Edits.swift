import Models

// How changes of records are sent.

extension DefinitionReader {
  mutating func edits(_ node: JSONNode) -> [SourceDefinition.Edits] {
    var edits: [SourceDefinition.Edits] = []
    members(node) { reader, name, value in
      let text = name.text
      guard let collection = reader.collections.first(where: { $0.name.rawValue == text }) else {
        let names = reader.collections.map(\.name.rawValue)
        return reader.add(
          name, of: value,
          "there is no collection \(SpellingSuggestion.quoted(text)) here; \(SpellingSuggestion.hint(text, names))")
      }
      reader.edits(of: collection, value).map { edits.append($0) }
    }
    return edits
  }

  private mutating func edits(
    of collection: SourceDefinition.Collection, _ node: JSONNode
  ) -> SourceDefinition.Edits? {
    guard isObject(node, of: ["read", "record", "update", "create", "delete"]) else { return nil }
    let variables = ["id"] + collection.mapping.idVariables.filter { !$0.isEmpty }
    for name in collection.mapping.variables where !variables.contains(name) {
      add(
        node,
        "\(SpellingSuggestion.quoted(collection.name.rawValue)) needs the variable {\(name)}, which a record does not have"
      )
    }
    let read = member("read", of: node, "the address of one record").flatMap { recordAddress($0, variables) }
    let record = node["record"].flatMap { path($0) }
    if let record, let place = node["record"], record.root != .record || record.isMany {
      add(place, "expected the place of one record in the answer, such as $.data")
    }
    if node["update"] == nil, node["create"] == nil, node["delete"] == nil {
      add(node, "expected at least one of \"update\", \"create\" and \"delete\"")
    }
    let update = node["update"].flatMap { change($0, of: collection, variables) }
    let create = node["create"].flatMap { creation($0, of: collection) }
    let delete = node["delete"].flatMap { recordAddress($0, variables) }
    guard let read else { return nil }
    return .init(
      collection.name, read: read, record: record ?? ValuePath(.record), update: update, create: create, delete: delete)
  }

  private mutating func recordAddress(_ node: JSONNode, _ variables: [String]) -> URLTemplate? {
    requestAddress(node, Scope(always: variables))
  }

  private mutating func change(
    _ node: JSONNode, of collection: SourceDefinition.Collection, _ variables: [String]
  ) -> SourceDefinition.Change? {
    typealias Method = SourceDefinition.Change.Method
    let methods: [String] = Method.allCases.map(\.rawValue)
    guard isObject(node, of: methods + ["send", "whole"]) else { return nil }
    let used = Method.allCases.filter { node.member($0.rawValue) != nil }
    let sent = member("send", of: node, "the members of the body, with their fields").map { self.sent($0, collection) }
    guard used.count == 1, let place = node.member(used[0].rawValue) else {
      add(node, "expected one of \"put\", \"patch\" and \"post\"")
      return nil
    }
    let isWhole = node["whole"].map { flag($0) ?? false } ?? (used[0] == .put)
    if let whole = node["whole"], used[0] == .put, !isWhole {
      add(whole, "a PUT replaces the record: \"patch\" and \"post\" send the edited fields alone")
    }
    guard let address = recordAddress(place, variables), let sent else { return nil }
    return .init(used[0], address, sent, isWhole: isWhole)
  }

  private mutating func creation(
    _ node: JSONNode, of collection: SourceDefinition.Collection
  ) -> SourceDefinition.Creation? {
    guard isObject(node, of: ["post", "send", "key", "find"]) else { return nil }
    let variables = Self.newVariables(of: collection.mapping)
    let address = member("post", of: node, "the address that takes new records").flatMap {
      recordAddress($0, variables)
    }
    let sent = member("send", of: node, "the members of the body, with their fields").map {
      self.sent($0, collection, isNew: true)
    }
    let header = node["key"].flatMap { fieldName($0) }
    var find: URLTemplate?
    var found = ValuePath(.record)
    if let list = node["find"], isObject(list, of: ["get", "records"]) {
      find = member("get", of: list, "the address of the list, with {key}").flatMap {
        recordAddress($0, ["key"] + variables)
      }
      found = list["records"].flatMap { path($0) } ?? found
      if let find, !find.variables.contains("key") { add(list, "the address needs {key}, the key of the new record") }
      if sent?.contains(where: \.holdsKey) == false {
        add(list, "\"find\" needs a member of \"send\" with the value \"{key}\", which the list is searched by")
      }
    }
    if node["key"] == nil, node["find"] == nil {
      add(node, "expected \"key\", \"find\" or both: without them, a lost reply could create the record twice")
    }
    guard let address, let sent else { return nil }
    return .init(address, sent, keyHeader: header, find: find, found: found)
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
    var sent: [SourceDefinition.SentMember] = []
    members(node) { reader, name, value in
      if value.isObject {
        sent.append(.init(name.text, .object(reader.sent(value, collection, isNew: isNew))))
      } else if isNew, value.string == "{key}" {
        sent.append(.init(name.text, .key))
      } else if let (field, form) = reader.sentField(value, collection) {
        sent.append(.init(name.text, .field(field, form)))
      }
    }
    if node.isObject, node.elementCount == 0 { add(node, "expected at least one member") }
    return sent
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
      add(node, "expected FIELD, \"text FIELD\", \"int FIELD\" or \"decimal FIELD\", found \(node.summary)")
      return nil
    }
    if name == "id" { return (name, form ?? .stored) }
    let fields = collection.mapping.fields.flatMap(\.sendable)
    guard let field = fields.first(where: { $0.name == name }) else {
      let names = ["id"] + fields.map(\.name)
      add(
        node,
        "\(collection.name) has no field \(SpellingSuggestion.quoted(name)); \(SpellingSuggestion.hint(name, names))")
      return nil
    }
    guard let standard = field.form else {
      let node = field.isConstant ? place(of: name, in: collection) ?? node : node
      if field.isConstant {
        add(
          node,
          "the field \(SpellingSuggestion.quoted(name)) is the same text in every record, so that \"edits\" cannot send it: a path begins with $"
        )
        return nil
      }
      add(
        node,
        "the field \(SpellingSuggestion.quoted(name)) cannot be sent: its stored value is not the one that the API has")
      return nil
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
