import Models

// Collections, their fields, and the selections of records.

extension DefinitionReader {
  mutating func readCollections(_ node: JSONNode) {
    collections = members(node) { reader, name, value in
      if let problem = CollectionNames(taken: reader.takenCollections).problem(name.text) {
        reader.add(name, of: value, problem)
      }
      return reader.collection(CollectionName(rawValue: name.text), value)
    }
  }

  private mutating func collection(_ name: CollectionName, _ node: JSONNode) -> SourceDefinition.Collection? {
    guard isObject(node, of: ["id", "fields", "table", "media", "name", "history"]) else { return nil }
    let id = member("id", of: node, "the place of the id; \"$\" where records have none").map { self.id($0) } ?? []
    let fields = member("fields", of: node, "the fields of a record").map { self.fields($0) } ?? []
    let described = [RecordField("id")] + fields.map(\.described)
    let names = described.map(\.name) + described.flatMap(\.leaves).map(\.name).filter { $0.contains(".") }
    var mapping = SourceDefinition.Mapping(id: id, fields: fields)
    mapping.blank = blank
    var collection = SourceDefinition.Collection(
      name, mapping, table: fieldNames(node["table"], among: names),
      media: fieldNames(node["media"], among: described.map(\.name)))
    if let field = node["name"] {
      let texts = fields.map(\.described).filter { $0.kind == .text }.map(\.name)
      collection.nameField = string(field).flatMap { texts.contains($0) ? $0 : nil }
      if let text = field.string, collection.nameField == nil {
        add(field, Self.missing("there is no text field", text, texts))
      }
    }
    collection.history = node["history"].flatMap { history($0, among: described.map(\.name)) }
    return collection
  }

  private mutating func history(_ node: JSONNode, among names: [String]) -> HistoryPolicy? {
    guard isObject(node, of: ["keep", "daily", "quiet"]) else { return nil }
    var policy = HistoryPolicy(
      daily: fieldNames(node["daily"], among: names), quiet: fieldNames(node["quiet"], among: names))
    if let keep = node["keep"], let text = string(keep) {
      policy.keep =
        HistoryPolicy.Keep(text)
        ?? fail(keep, "a history is kept for days (90d), a year (1y), forever, or none") ?? policy.keep
    }
    return policy
  }

  private mutating func fieldNames(_ node: JSONNode?, among names: [String]) -> [String] {
    guard let node else { return [] }
    return someElements(node, "a list of fields").compactMap { entry in
      guard let name = string(entry) else { return nil }
      return names.contains(name) ? name : fail(entry, Self.missing("there is no field", name, names))
    }
  }

  /// The parts of the id; none for `$`, where a record is what it holds.
  private mutating func id(_ node: JSONNode) -> [SourceDefinition.IDPart] {
    if node.string == "$" { return [] }
    return each(node) { reader, part in
      guard let text = reader.nonEmpty(part) else { return nil }
      if ValuePath.isPath(text) {
        guard let path = reader.path(part) else { return nil }
        return path.isMany ? reader.fail(part, "an id is one value: [*] and .* give many") : .path(path)
      }
      guard let template = reader.template(part) else { return nil }
      let isSimple = template.names.allSatisfy { $0.kind == .simple }
      return isSimple ? .template(template) : reader.fail(part, "an id takes variables as {x}")
    }
  }

  private mutating func fields(_ node: JSONNode, isNested: Bool = false) -> [SourceDefinition.Field] {
    members(node) { reader, name, value in
      let text = name.text
      let isField =
        text.utf8.first.map { (0x61...0x7A).contains($0) } == true
        && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
      if !isField || (text == "id" && !isNested) {
        return reader.fail(
          name, of: value,
          text == "id" ? "the id is in \"id\" of the collection" : "a field has a name in camelCase: letters and digits"
        )
      }
      if value.isObject { return .init(text, .object(reader.fields(value, isNested: true))) }
      // One that cannot be read is there all the same for those who name it.
      let isTime = ["time", "date"].contains { value.string?.hasPrefix($0) ?? false }
      let content =
        reader.fieldValue(value, of: text) ?? (try? SourceDefinition.FieldValue("\(isTime ? "time" : "text")? $"))
      return content.map { .init(text, .value($0)) }
    }
  }

  private mutating func fieldValue(_ node: JSONNode, of field: String) -> SourceDefinition.FieldValue? {
    let value = parsed(node, SourceDefinition.FieldValue.init)
    if let constant = value?.constant, Self.isLikePath(constant, of: field) {
      let text = SpellingSuggestion.quoted(constant)
      warn(node, "every record gets the text \(text): for the value at this path, write $.\(constant)")
    }
    return value
  }

  /// Whether a constant looks as if `$.` was forgotten: `fields.name`, `tags[0]`, `first_name`, `createdAt`, or the name of its
  /// field.
  private static func isLikePath(_ text: String, of field: String) -> Bool {
    let isName = text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5F }
    let hasParts = zip(text.utf8, text.utf8.dropFirst()).contains {
      (0x61...0x7A).contains($0) && $1 < 0x60 && $1 > 0x39
    }
    if isName { return text.exact == field.exact || hasParts }
    guard text.contains(where: { ".[".contains($0) }), let path = try? ValuePath("$.\(text)") else { return false }
    return path.steps.allSatisfy { if case .name(let name) = $0 { !name.utf8.contains { $0 >= 0x80 } } else { true } }
  }

  /// What a request takes from its answers.
  mutating func selections(_ node: JSONNode, variables: [String]) -> [SourceDefinition.Selection] {
    each(node) { reader, take in reader.selection(take, variables) }
  }

  private mutating func selection(_ node: JSONNode, _ variables: [String]) -> SourceDefinition.Selection? {
    let keys = ["records", "columns", "only", "gone", "into", "id", "fields"]
    let programKeys = ["stream", "records", "only", "gone", "into", "id", "fields"]
    guard isObject(node, of: isProgram ? programKeys : keys) else { return nil }
    if let columns = node["columns"], node["records"] != nil {
      add(columns, "expected one of \"records\" and \"columns\"")
    }
    var selection = SourceDefinition.Selection(
      records: (node["records"] ?? node["columns"]).flatMap { path($0) } ?? ValuePath(.record),
      isColumns: node["columns"] != nil, only: node["only"].map { conditions($0) } ?? [],
      gone: node["gone"].map { conditions($0) } ?? [])
    if selection.records.root == .parent || selection.records.root == .key {
      add(node["records"] ?? node["columns"] ?? node, "\(selection.records) has no meaning here: $ is the whole answer")
    }
    if isProgram {
      selection.stream = member("stream", of: node, "the stream of the program").flatMap { nonEmpty($0) }
      // An answer is a list of messages, each with its record.
      selection.records.steps = [.all, .name("record")] + selection.records.steps
      if node["into"] == nil { add(node, "\"into\" is missing: the collection of the records") }
    }
    guard let into = node["into"] else {
      for key in ["gone", "id", "fields"] {
        if let value = node.member(key) { add(value, "\"\(key)\" needs a collection: add \"into\"") }
      }
      return selection
    }
    guard let text = string(into) else { return nil }
    guard let collection = collections.first(where: { $0.name.rawValue == text }) else {
      return fail(into, Self.missing("there is no collection", text, collections.map(\.name.rawValue), " here"))
    }
    selection.collection = collection.name
    selection.mapping = collection.mapping
    if let id = node["id"] { selection.mapping.id = self.id(id) }
    if let fields = node["fields"] {
      selection.mapping.fields = self.fields(fields)
      check(selection.mapping.fields, collection, at: fields)
    }
    let levels = selection.records.steps.count { step in
      switch step {
      case .all, .index: true
      case .name, .match: false
      }
    }
    if let path = selection.mapping.paths.first(where: { $0.root == .key && $0.level > levels }) {
      add(
        into,
        "\(path) has no meaning here: there are not so many maps and lists around a record of \(selection.records)")
    }
    for name in selection.mapping.variables where !variables.contains(name) {
      add(
        into,
        "\(SpellingSuggestion.quoted(text)) needs the variable {\(name)}, which is not defined here; \(Self.list(variables))"
      )
    }
    return selection
  }

  /// Fields of a selection are those of its collection, of the same kinds.
  private mutating func check(
    _ fields: [SourceDefinition.Field], _ collection: SourceDefinition.Collection, at node: JSONNode
  ) {
    for field in fields {
      let known = collection.mapping.fields.first { $0.name == field.name }
      if known == nil {
        let names = collection.mapping.fields.map(\.name)
        add(node.member(field.name) ?? node, Self.missing("\(collection.name) has no field", field.name, names))
      } else if known?.described.kind != field.described.kind {
        add(node.member(field.name) ?? node, "the field has another kind in the collection \(collection.name)")
      }
    }
    for field in collection.mapping.fields where !field.described.isOptional {
      if !fields.contains(where: { $0.name == field.name }) {
        add(node, "the field \(SpellingSuggestion.quoted(field.name)) of \(collection.name) is required")
      }
    }
  }

  static func list(_ variables: [String]) -> String {
    variables.isEmpty ? "there are no variables" : "there are \(variables.map { "{\($0)}" }.joined(separator: ", "))"
  }
}

extension SourceDefinition.FieldValue {
  /// Reads `KIND[?] PATH`, `KIND[?] PATH | PATH` or `KIND[?] TEMPLATE`.
  init(_ text: String) throws(DefinitionTextError) {
    // The form of a time may contain spaces: `time(DD.MM.YYYY hh:mm) $.at`.
    let bytes = text.utf8
    let word = bytes.prefix { $0 != 0x20 }
    let isOpen = word.contains(0x28) && !word.contains(0x29)
    let closed = isOpen ? bytes.firstIndex(of: 0x29).map { bytes[$0...].prefix { $0 != 0x20 }.endIndex } : nil
    let written = bytes[..<(closed ?? word.endIndex)]
    let rest = bytes[written.endIndex...].drop { $0 == 0x20 }
    let isOptional = written.last == 0x3F
    let name = String(Substring(isOptional ? written.dropLast() : written))
    let isJoined = name.hasPrefix("text(") && name.hasSuffix(")")
    let kind = try SourceDefinition.Kind(isJoined ? "text" : name)
    guard !rest.isEmpty else {
      throw DefinitionTextError("expected KIND PATH, such as \"text $.name\" or \"time? $.updated_at\"")
    }
    let start = bytes.distance(from: bytes.startIndex, to: rest.startIndex)
    let content = String(Substring(rest))
    guard ValuePath.isPath(content) else {
      do throws(DefinitionTextError) {
        self.init(kind, isOptional: isOptional, .template(try URLTemplate(content)))
      } catch {
        throw DefinitionTextError(error.message, at: start + error.offset)
      }
      if case .list = kind { throw DefinitionTextError("a list has a path, and not a text", at: start) }
      return
    }
    var paths: [ValuePath] = []
    var offset = start
    for part in content.split(separator: "|", omittingEmptySubsequences: false) {
      let leading = part.utf8.prefix { $0 == 0x20 }.count
      var path = part.utf8.dropFirst(leading)
      while path.last == 0x20 { path.removeLast() }
      do throws(DefinitionTextError) {
        paths.append(try ValuePath(String(Substring(path))))
      } catch {
        throw DefinitionTextError(error.message, at: offset + leading + error.offset)
      }
      offset += part.utf8.count + 1
    }
    self.init(kind, isOptional: isOptional, .paths(paths))
    if isJoined { separator = String(name.dropFirst(5).dropLast()) }
    if case .list = kind { return }
    if isJoined { return }
    if let many = paths.first(where: \.isMany) {
      throw DefinitionTextError(
        "\(many) gives many values: write list(text), list(url) or list(json), or text(, ) for one text", at: start)
    }
  }
}

extension SourceDefinition.Kind {
  private static let words = [
    "text", "plain", "url", "int", "decimal", "bool", "date", "time", "json", "list(text)", "list(url)", "list(json)",
  ]

  /// Reads a kind: `time(epoch)`.
  fileprivate init(_ text: String) throws(DefinitionTextError) {
    let name = text.prefix { $0 != "(" }
    var argument: Substring?
    if name.endIndex < text.endIndex {
      guard text.hasSuffix(")") else { throw DefinitionTextError("( without a ) in the kind", at: name.utf8.count) }
      argument = text[name.endIndex...].dropFirst().dropLast()
    }
    switch String(name) {
    case "text" where argument == nil: self = .text
    case "plain" where argument == nil: self = .plain
    case "url" where argument == nil: self = .url
    case "int" where argument == nil: self = .int
    case "decimal" where argument == nil: self = .decimal
    case "bool" where argument == nil: self = .bool
    case "json" where argument == nil: self = .json
    case "date": self = .date(try SourceDefinition.TimeForm(argument))
    case "time": self = .time(try SourceDefinition.TimeForm(argument))
    case "list" where argument != nil:
      let element = argument ?? ""
      guard let element = Element(rawValue: String(element)) else {
        throw DefinitionTextError("expected list(text), list(url) or list(json)")
      }
      self = .list(element)
    default:
      throw DefinitionTextError(
        "unknown kind \(SpellingSuggestion.quoted(text)); \(SpellingSuggestion.hint(text, Self.words))")
    }
  }
}

extension SourceDefinition.TimeForm {
  fileprivate init(_ text: Substring?) throws(DefinitionTextError) {
    switch text {
    case nil: self = .standard
    case "utc": self = .utc
    case "epoch": self = .epoch
    case "epochms": self = .epochMilliseconds
    case "rfc822": self = .rfc822
    case let text?:
      guard Self.isReadable(String(text)) else {
        throw DefinitionTextError(
          "unknown form \(SpellingSuggestion.quoted(String(text))); there are utc, epoch, epochms, rfc822, and patterns such as DD.MM.YYYY"
        )
      }
      self = .pattern(String(text))
    }
  }

  /// Whether a pattern has a day, and otherwise only what stands for itself.
  static func isReadable(_ pattern: String) -> Bool {
    let bare = pattern.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter {
      $0.offset % 2 == 0
    }
    .map(\.element).joined()
    return ["YYYY", "MM", "DD"].allSatisfy { bare.contains($0) }
      && bare.utf8.allSatisfy { "YMDhms:./-T, ".utf8.contains($0) }
  }
}
