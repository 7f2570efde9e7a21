import Models
import Ports

/// Walks through a definition and collects every mistake on the way.
struct DefinitionReader: StrictReader {
  var problems: [SettingsProblem] = []
  var warnings: [SettingsProblem] = []
  /// The name that the source must have.
  let name: SourceName?
  let takenSources: [SourceName]
  let takenCollections: [CollectionName]

  var source = SourceName(rawValue: "source")
  var collections: [SourceDefinition.Collection] = []
  var collectionsNode: JSONNode?
  var isProgram = false
  /// What the user chooses for the whole source.
  var settings: [SourceDefinition.Setting] = []
  /// Whether the edits that are read say where the version of a record is.
  var hasVersion = false
  var keysInAddress: [String] = []
  /// How lists go on where a follow does not say.
  var paging: SourceDefinition.Paging?
  /// What answers are where a request does not say.
  var format: SourceDefinition.Format?
  var blank: [String] = []

  init(name: SourceName?, takenSources: [SourceName], takenCollections: [CollectionName]) {
    self.name = name
    self.takenSources = takenSources
    self.takenCollections = takenCollections
  }

  /// Reads the whole text; `nil` where it is of no use. What has a mistake is left out.
  mutating func read(_ root: JSONNode) -> SourceDefinition? {
    isProgram = root["command"] != nil
    let keys = [
      "$schema", "almanac", "source", "title", "docs", "url", "file", "command", "headers", "auth", "with", "budget",
      "errors", "pages", "format", "blank", "collections", "follows", "edits",
    ]
    let programKeys = ["$schema", "almanac", "source", "title", "docs", "command", "timeout", "collections", "follows"]
    guard isObject(root, of: isProgram ? programKeys : keys) else { return nil }
    if let version = member("almanac", of: root, "the version of the language, 1"), version.int != 1 {
      add(version, "expected 1, the version of the language, found \(version.summary)")
    }
    if let node = member("source", of: root, "the name of the source") { readName(node) }
    settings = root["with"].map { settings($0) } ?? []
    let folder = root["file"].flatMap { self.folder($0) }
    var url: String?
    if let folder {
      url = "file://\(folder)"
      for key in ["url", "auth", "budget", "edits"] {
        if let value = root.member(key) { add(value, "\"\(key)\" has no meaning beside \"file\"") }
      }
    } else if !isProgram, root["file"] == nil {
      let place = member("url", of: root, "the address of the API; a program has \"command\", and files \"file\"")
      url = place.flatMap { address($0) }
    }
    paging = root["pages"].flatMap { pages($0) }
    format = root["format"].flatMap { format($0) }
    blank = root["blank"].map { each($0) { reader, text in reader.nonEmpty(text) } } ?? []
    collectionsNode = member("collections", of: root, "what the source fills")
    if let node = collectionsNode { readCollections(node) }
    var definition = SourceDefinition(
      name: source, title: root["title"].flatMap { nonEmpty($0) }, docs: root["docs"].flatMap { nonEmpty($0) },
      url: url ?? "", headers: headers(root["headers"]), auth: root["auth"].flatMap { authentication($0) },
      budget: root["budget"].flatMap { budget($0) }, errors: root["errors"].map { errors($0) } ?? [],
      collections: collections, follows: [])
    definition.settings = settings
    definition.folder = folder
    definition.command = root["command"].map { command($0) } ?? []
    definition.timeout = root["timeout"].flatMap { interval($0) }
    if let node = member("follows", of: root, "what can be followed") { definition.follows = follows(node) }
    definition.edits = root["edits"].map { edits($0) } ?? []
    return definition
  }

  /// A folder of files, which is absolute or in the folder of the definitions.
  private mutating func folder(_ node: JSONNode) -> String? {
    guard var text = nonEmpty(node) else { return nil }
    while text.hasSuffix("/"), text.utf8.count > 1 { text.removeLast() }
    if text.contains("{") || text.utf8.contains(0) || text.split(separator: "/").contains("..") {
      add(node, "a folder of files has no {, and no part ..; it is absolute, or in the folder of the definitions")
    }
    return text
  }

  private mutating func command(_ node: JSONNode) -> [String] {
    var words: [String] = []
    for word in someElements(node, "a list of the program and its arguments") {
      guard let text = words.isEmpty ? nonEmpty(word) : string(word) else { continue }
      if text.utf8.contains(0) { add(word, "an argument has no character 0") }
      words.append(text)
    }
    return words
  }

  private mutating func readName(_ node: JSONNode) {
    guard let text = nonEmpty(node) else { return }
    guard SourceName.isDefinable(text) else {
      return add(node, "a source has a name of a-z, 0-9 and -, which begins with a letter, found \(node.summary)")
    }
    source = SourceName(rawValue: text)
    if let name, name != source {
      add(node, "expected \(SpellingSuggestion.quoted(name.rawValue)), the name of the file, found \(node.summary)")
    } else if takenSources.contains(source) {
      add(node, "there is a source \(SpellingSuggestion.quoted(text)) already")
    }
  }
}

// MARK: Values that occur in several places

extension DefinitionReader {
  mutating func warn(_ node: JSONNode, _ message: String) {
    warnings.append(SettingsProblem(node.place, node.path, message))
  }

  mutating func member(_ name: String, of node: JSONNode, _ meaning: String) -> JSONNode? {
    node.member(name) ?? fail(node, "\"\(name)\" is missing: \(meaning)")
  }

  mutating func add(_ node: JSONNode, _ error: DefinitionTextError) {
    add(node, error.message)
    // In a text without escapes, the byte of the text is a byte of the file, after the quote.
    if node.isString, node.string?.utf8.count == node.endOffset - node.offset - 2 {
      problems[problems.count - 1].column += 1 + error.offset
    }
  }

  mutating func interval(_ node: JSONNode) -> Interval? {
    node.string.flatMap { Interval($0) }
      ?? fail(node, "expected a time such as \"1h\", \"15m\" or \"7d\", found \(node.summary)")
  }

  mutating func word<Value: RawRepresentable & CaseIterable>(
    _ node: JSONNode, _ type: Value.Type
  ) -> Value? where Value.RawValue == String {
    guard let text = string(node) else { return nil }
    return Value(rawValue: text) ?? fail(node, notAllowed: text, Value.allCases.map(\.rawValue))
  }

  mutating func fail<Value>(_ node: JSONNode, notAllowed text: String, _ allowed: [String]) -> Value? {
    fail(node, "\(SpellingSuggestion.quoted(text)) is not allowed; \(SpellingSuggestion.hint(text, allowed))")
  }

  /// `there is no field "nam"; did you mean "name"?`
  static func missing(_ what: String, _ name: String, _ known: [String], _ rest: String = "") -> String {
    "\(what) \(SpellingSuggestion.quoted(name))\(rest); \(SpellingSuggestion.hint(name, known))"
  }

  /// What a text says, or the mistake in it.
  mutating func parsed<Value>(_ node: JSONNode, _ parse: (String) throws(DefinitionTextError) -> Value) -> Value? {
    guard let text = string(node) else { return nil }
    do throws(DefinitionTextError) { return try parse(text) } catch {
      add(node, error)
      return nil
    }
  }

  mutating func path(_ node: JSONNode) -> ValuePath? { parsed(node, ValuePath.init) }
  mutating func template(_ node: JSONNode) -> URLTemplate? { parsed(node, URLTemplate.init) }

  /// What `body` makes of each element of an array, or of the value itself.
  @discardableResult
  mutating func each<Value>(_ node: JSONNode, _ body: (inout DefinitionReader, JSONNode) -> Value?) -> [Value] {
    (node.isArray ? someElements(node) : [node]).compactMap { body(&self, $0) }
  }

  /// The elements of an array, which has at least one.
  mutating func someElements(_ node: JSONNode, _ expected: String = "an array") -> [JSONNode] {
    let elements = elements(node, expected)
    if node.isArray, elements.isEmpty { add(node, "expected at least one element") }
    return elements
  }

  /// What `body` makes of each member of an object, whose names may be any.
  @discardableResult
  mutating func members<Value>(
    _ node: JSONNode, _ body: (inout DefinitionReader, JSONNode.Name, JSONNode) -> Value?
  ) -> [Value] {
    guard isObject(node, of: nil) else { return [] }
    var values: [Value] = []
    node.forEachMember { name, value in if let value = body(&self, name, value) { values.append(value) } }
    return values
  }

  /// Adds a mistake at the name of a member.
  mutating func add(_ name: JSONNode.Name, of value: JSONNode, _ message: String) {
    problems.append(SettingsProblem(name.place(in: value), value.path, message))
  }

  mutating func fail<Value>(_ name: JSONNode.Name, of value: JSONNode, _ message: String) -> Value? {
    add(name, of: value, message)
    return nil
  }

  mutating func headers(_ node: JSONNode?) -> [SourceDefinition.Header] {
    guard let node else { return [] }
    return members(node) { reader, name, value in
      let text = name.text
      guard let content = reader.nonEmpty(value) else { return nil }
      if !Self.isToken(text) || content.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        return reader.fail(name, of: value, Self.noHeader(text))
      }
      guard ["authorization", "proxy-authorization", "cookie"].contains(text.lowercased()) else {
        return SourceDefinition.Header(text, content)
      }
      return reader.fail(
        name, of: value,
        "\(text) holds a secret: describe it in \"auth\", and give it in servers.\(reader.source).apiKey")
    }
  }

  static func noHeader(_ name: String) -> String {
    "\(SpellingSuggestion.quoted(name)) is not a header field (RFC 9110 section 5)"
  }

  /// Whether a text can be the name of a setting or of a part of a key.
  static func isVariable(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }

  mutating func fieldName(_ node: JSONNode) -> String? {
    guard let name = nonEmpty(node) else { return nil }
    let problem = "\(SpellingSuggestion.quoted(name)) is not the name of a header field (RFC 9110 section 5)"
    return Self.isToken(name) ? name : fail(node, problem)
  }

  static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
      }
  }

  /// The address of a server: https, or http of this machine. A setting may be a part of it, or all of its beginning.
  mutating func address(_ node: JSONNode) -> String? {
    if let text = node.string, text.contains("{"), let template = template(node) {
      let names = settings.map(\.name)
      for name in template.names.map(\.name.description) where !names.contains(name) {
        add(node, "there is no setting {\(name)} in \"with\"; \(Self.list(names))")
      }
      let isWhole = if case .expression? = template.parts.first { true } else { false }
      let known = (try? template.expanded(isURL: false) { _ in "x" }) ?? ""
      if let problem = ServerURL.problem(isWhole ? "https://\(known)" : known) { add(node, problem) }
      return text
    }
    guard nonEmpty(node) != nil, let url = baseURL(node).map(ServerURL.normal) else { return nil }
    if !url.hasPrefix("http://") || ServerURL.isLoopback(url) { return url }
    return fail(node, "expected https: without encryption, only this machine is asked (localhost, 127.0.0.1, [::1])")
  }

  /// What a condition allows: a value, a list of values, or `{"not": …}`, everything but these.
  private mutating func allowed(_ node: JSONNode) -> (values: [JSONValue], isNot: Bool)? {
    let inner = node.elementCount == 1 ? node["not"] : nil
    let value = (inner ?? node).value
    let values = value.array ?? [value]
    if values.isEmpty || values.contains(where: { $0.array != nil || $0.object != nil }) {
      return fail(
        node, "expected a text, a number, true, false, null, a list of these, or {\"not\": …} of one of these")
    }
    for text in values.compactMap(\.string) where text.hasPrefix("{") && text.hasSuffix("}") {
      let name = String(text.dropFirst().dropLast())
      if !settings.contains(where: { $0.name == name }) {
        add(node, "there is no setting {\(name)} in \"with\"; \(Self.list(settings.map(\.name)))")
      }
    }
    return (values, inner != nil)
  }

  /// `{PATH: VALUE}`, where a list of values allows each of them.
  mutating func conditions(_ node: JSONNode, isOfAnswer: Bool = false) -> [SourceDefinition.Condition] {
    members(node) { reader, name, value in
      let path: ValuePath
      do throws(DefinitionTextError) { path = try ValuePath(name.text) } catch {
        return reader.fail(name, of: value, error.message)
      }
      if isOfAnswer, path.root != .record, path.root != .answer {
        reader.add(name, of: value, "\(path) has no meaning here: $ is the whole answer")
      }
      return reader.allowed(value).map { .init(path, $0.values, isNot: $0.isNot) }
    }
  }
}
