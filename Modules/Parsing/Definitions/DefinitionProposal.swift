import Models
import Ports

/// Proposes a definition of a source from one answer: where the records are, what their fields are, which of them is the
/// id, and how the list continues.
struct DefinitionProposal {
  private let url: String
  let headers: HTTPHeaders
  private let name: SourceName
  private let takenCollections: [CollectionName]
  /// Whether a parameter or a header field of a request holds a secret.
  let isSecret: JSONDefinitionFormat.SecretCheck
  private var notes: [ProposedDefinition.Note] = []

  init(
    url: String, headers: HTTPHeaders, name: SourceName, takenCollections: [CollectionName],
    isSecret: @escaping JSONDefinitionFormat.SecretCheck
  ) {
    self.takenCollections = takenCollections
    self.url = url
    self.headers = headers
    self.name = name
    self.isSecret = isSecret
  }

  private static let sample = 100

  mutating func propose(_ root: JSONNode) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note]) {
    let (path, records, count) = try list(root)
    let isMap = path.hasSuffix(".*")
    let fields = FieldGuesses(records, isMap: isMap)
    let id = fields.id
    note("id", id.path, isSure: id.isSure, id.reason)
    let (server, target) = Self.split(url)
    let collection = collectionName(path, target)
    var address = ProposedAddress(target)
    let auth = key(in: &address)
    var pages = paging(root, &address)
    let isWhole = (path != "$" || root.isArray) && isWhole(root, count, &pages)
    for field in fields.markup {
      note(
        "field", field, isSure: false,
        "it holds HTML, which is kept as it is; the kind plain in place of text stores it as a text without tags")
    }
    let leftOut = fields.leftOut
    if !leftOut.isEmpty {
      note(
        "left out", leftOut.joined(separator: ", "), isSure: false,
        "a value of several kinds, or one after the first 24 fields: add what you need, as Apps/Sources.md describes")
    }
    let take: JSONObject = ["records": path != "$" ? .of(path) : nil, "into": .of(collection)]
    var follow: JSONObject = ["get": .string(address.text)]
    follow.append("pages", pages.map { .object($0) })
    follow.append("take", .object(take))
    if isWhole { follow.append("complete", true) }
    if !address.first.isEmpty {
      let options = address.first.map { JSONObject.Member(key: $0.name, value: ["default": .string($0.value)]) }
      follow.append("with", .object(JSONObject(members: options)))
    }
    let table = fields.table
    var described: JSONObject = ["id": .string(id.path), "fields": .object(fields.object)]
    if !table.isEmpty { described.append("table", .array(table.map { .string($0) })) }
    // Records are found by `name` or `title` in any case.
    if let name = fields.nameField, !["name", "title"].contains(name) { described.append("name", .string(name)) }
    if !fields.images.isEmpty { described.append("media", .array(fields.images.map { .string($0) })) }
    var definition: JSONObject = ["almanac": 1, "source": .string(name.rawValue), "url": .string(server)]
    definition.append("auth", auth.map { .object($0) })
    definition.append("collections", .object(JSONObject(members: [.init(key: collection, value: .object(described))])))
    definition.append("follows", .object(JSONObject(members: [.init(key: collection, value: .object(follow))])))
    return (definition, notes)
  }

  mutating func note(_ part: String, _ choice: String, isSure: Bool, _ reason: String) {
    notes.append(.init(part: part, choice: choice, isSure: isSure, reason: reason))
  }

  // MARK: Records

  /// The list of records: of all arrays of objects that no other array contains, the one with the most members.
  ///
  /// - Returns: its path, the records that are looked at, and the number of all.
  private mutating func list(_ root: JSONNode) throws(ParsingError) -> (String, [JSONNode], Int) {
    var found: [(path: String, node: JSONNode, size: Int)] = []
    Self.lists(root, "$", depth: 3) { path, node in
      var size = 0
      func add(_ record: JSONNode) { size += record.isObject ? 1 + record.elementCount : 0 }
      node.forEachElement { _, element in add(element) }
      node.forEachMember { _, member in add(member) }
      if size > 0 { found.append((path, node, size)) }
    }
    guard let best = found.max(by: { $0.size < $1.size }) else {
      if let path = Self.emptyList(root) {
        throw ParsingError(
          .shape, path: path, expected: "a list with at least one record", found: "an empty list",
          hint: "a proposal needs an answer with at least one record: ask for one that has some")
      }
      guard root.isObject else { throw root.error(expected: "an object, or a list of objects") }
      note("records", "$", isSure: false, "the answer has no list of objects: it is taken for one record")
      return ("$", [root], 1)
    }
    // An order with its items has an id; a page of a list has none.
    let isNamed =
      best.path == "$.*" || root["id"] == nil && Self.generic.contains { best.path.exact == "$.\($0)".exact }
    if root.isObject, !isNamed, best.size < root.elementCount {
      note("records", "$", isSure: false, "the answer is taken for one record; its largest list is \(best.path)")
      return ("$", [root], 1)
    }
    let others = found.map(\.path).filter { $0 != best.path }
    let isMap = best.node.isObject
    let kind = isMap ? "the members of an object, each of which has the same members" : "the only list of objects"
    note(
      "records", best.path, isSure: others.isEmpty && !isMap,
      others.isEmpty
        ? kind : "\(isMap ? kind : "the largest list"); there are also \(others.joined(separator: ", "))")
    var records: [JSONNode] = []
    func add(_ record: JSONNode) {
      if record.isObject, records.count < Self.sample { records.append(record) }
    }
    best.node.forEachElement { _, element in add(element) }
    best.node.forEachMember { _, member in add(member) }
    return (best.path, records, best.node.elementCount)
  }

  private static func lists(_ node: JSONNode, _ path: String, depth: Int, _ body: (String, JSONNode) -> Void) {
    if node.isArray { return body(path, node) }
    if isMap(node) { return body(path + ".*", node) }
    guard depth > 0 else { return }
    node.forEachMember { name, value in lists(value, path + step(name.text), depth: depth - 1, body) }
  }

  /// Whether an object is a map of records: its members, two or more, are objects with half of their members in common. In an
  /// object, there are four or more of them, or their names have digits: `min` and `max` are parts of one record.
  static func isMap(_ node: JSONNode) -> Bool {
    guard node.isObject, node.elementCount > 1 else { return false }
    var (isSo, hasDigits) = (true, true)
    var first: Set<ExactString> = []
    node.forEachMember { name, member in
      guard isSo else { return }
      var names: Set<ExactString> = []
      member.forEachMember { name, _ in names.insert(name.text.exact) }
      if first.isEmpty { first = names }
      isSo = !names.isEmpty && names.intersection(first).count * 2 >= max(names.count, first.count)
      hasDigits = hasDigits && name.text.contains(where: \.isNumber)
    }
    return isSo && (hasDigits || node.elementCount > 3 || node.position == 0)
  }

  /// The path of an empty list that seems to be that of the records: the answer itself is none, as it has no id.
  private static func emptyList(_ root: JSONNode) -> String? {
    var found: [String] = []
    lists(root, "$", depth: 3) { path, node in if node.elementCount == 0 { found.append(path) } }
    if root.isObject, FieldGuesses([root]).id.isNamed {
      // An order without items is a record, too; what only the request has an id for is none.
      guard root["id"] == nil else { return nil }
      return found.first { path in generic.contains { path.exact == "$.\($0)".exact } }
    }
    return found.first
  }

  /// Names of lists that say nothing of what they hold.
  private static let generic = [
    "items", "data", "results", "records", "list", "entries", "docs", "hits", "rows", "value", "content",
  ]

  static func step(_ name: String) -> String { String(JSONPath([.name(name)]).description.dropFirst()) }

  private func collectionName(_ path: String, _ target: String) -> String {
    let fromPath = path.split(whereSeparator: { ".[]'*".contains($0) }).dropFirst().last.map(String.init)
    let segments = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    let fromAddress = segments.last { segment in
      segment.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } == true && !segment.contains("{")
    }
    let chosen = fromPath.flatMap { Self.generic.contains($0) ? nil : $0 } ?? fromAddress ?? fromPath ?? "records"
    var text = ""
    for scalar in chosen.lowercased().prefix(while: { $0 != "." }).unicodeScalars {
      text += scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? String(scalar) : "-"
    }
    while text.hasPrefix("-") { text.removeFirst() }
    return CollectionNames(taken: takenCollections).name(for: text, of: name)
  }

  private static func split(_ url: String) -> (server: String, target: String) {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    let target = String(url[end...].prefix { $0 != "#" })
    return (String(url[..<end]), target.isEmpty ? "/" : target)
  }
}
