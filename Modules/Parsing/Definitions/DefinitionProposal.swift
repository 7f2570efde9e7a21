import Models
import Ports

/// Proposes a definition of a source from one answer: where the records are, what their fields are, which of them is the
/// id, and how the list continues.
struct DefinitionProposal {
  private let url: String
  /// The header fields of the answer.
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

  /// Records that are looked at.
  private static let sample = 100

  /// The definition with what it rests on.
  mutating func propose(_ root: JSONNode) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note]) {
    let (path, records, count) = try list(root)
    let fields = FieldGuesses(records)
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
    var take = JSONObject()
    if path != "$" { take.append("records", path) }
    take.append("into", collection)
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
    if !fields.images.isEmpty { described.append("media", .array(fields.images.map { .string($0) })) }
    var definition: JSONObject = ["almanac": 1, "source": .string(name.rawValue), "url": .string(server)]
    definition.append("auth", auth.map { .object($0) })
    definition.append(
      "collections", .object(JSONObject(members: [.init(key: collection, value: .object(described))])))
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
      node.forEachElement { _, element in size += element.isObject ? 1 + element.elementCount : 0 }
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
    if root.isObject, best.size < root.elementCount {
      note("records", "$", isSure: false, "the answer is taken for one record; its largest list is \(best.path)")
      return ("$", [root], 1)
    }
    let others = found.map(\.path).filter { $0 != best.path }
    note(
      "records", best.path, isSure: others.isEmpty,
      others.isEmpty ? "the only list of objects" : "the largest list; there are also \(others.joined(separator: ", "))"
    )
    var records: [JSONNode] = []
    best.node.forEachElement { _, element in
      if element.isObject, records.count < Self.sample { records.append(element) }
    }
    return (best.path, records, best.node.elementCount)
  }

  private static func lists(_ node: JSONNode, _ path: String, depth: Int, _ body: (String, JSONNode) -> Void) {
    if node.isArray { return body(path, node) }
    guard depth > 0 else { return }
    node.forEachMember { name, value in lists(value, path + step(name.text), depth: depth - 1, body) }
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
    let fromPath = path == "$" ? nil : path.split(whereSeparator: { ".[]'".contains($0) }).last.map(String.init)
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
    if !DefinitionReader.isName(text) { text = "records" }
    return takenCollections.contains { $0.rawValue == text } ? "\(name)-\(text)" : text
  }

  /// The server, and what comes after it.
  private static func split(_ url: String) -> (server: String, target: String) {
    let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    let target = String(url[end...].prefix { $0 != "#" })
    return (String(url[..<end]), target.isEmpty ? "/" : target)
  }
}

/// What the fields of some records are.
private struct FieldGuesses {
  private struct Field {
    var name: String
    var path: String
    /// Whether no object, except for a wrapper, is around it in the record.
    var isDirect: Bool
    var values: [JSONNode] = []
  }

  private var fields: [Field] = []
  private let count: Int

  init(_ records: [JSONNode]) {
    count = records.count
    for record in records { add(record, path: "$", name: [], depth: 2) }
  }

  /// Objects around the fields of a record, whose names say nothing.
  private static let wrappers = ["attributes", "metadata", "properties", "data", "node", "fields"]

  private mutating func add(_ object: JSONNode, path: String, name: [String], depth: Int) {
    var members: [(String, JSONNode)] = []
    object.forEachMember { member, value in members.append((member.text, value)) }
    for (member, value) in members {
      let place = path + DefinitionProposal.step(member)
      if value.isObject {
        let isWrapper = name.isEmpty && Self.wrappers.contains(member.lowercased())
        if depth > 0 { add(value, path: place, name: isWrapper ? [] : name + [member], depth: depth - 1) }
      } else if let index = fields.firstIndex(where: { $0.path == place }) {
        fields[index].values.append(value)
      } else {
        var chosen = DefinitionProposal.camelCase(name + [member])
        // Beside a wrapper, a name may be taken already.
        if fields.contains(where: { $0.name == chosen }) {
          chosen = DefinitionProposal.camelCase(place.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        }
        fields.append(Field(name: chosen, path: place, isDirect: name.isEmpty, values: [value]))
      }
    }
  }

  /// A field that is proposed as the id.
  struct ID {
    var path: String
    /// Whether its name is one that ids have.
    var isNamed = false
    var isSure: Bool
    var reason: String
  }

  /// The id: a field whose values differ, preferably one with a usual name. A text with spaces or HTML is the last choice.
  var id: ID {
    let unique = fields.filter { field in
      let texts = field.values.compactMap { $0.string ?? $0.digits }.filter { !$0.isEmpty && $0.utf8.count < 512 }
      return texts.count == count && Set(texts.map(\.exact)).count == count
    }
    let short = unique.filter { !$0.values.contains { Self.isProse($0.string ?? "") } }
    let direct = short.filter(\.isDirect)
    func field(_ name: String) -> Field? { short.first { $0.path.lowercased() == "$.\(name)" } }
    func ending(_ fields: [Field], _ words: [String]) -> Field? {
      fields.first { words.contains(Self.words($0.path).last ?? "") }
    }
    let ids = ["id", "uuid", "guid"]
    let usual = ids + ["key", "slug", "sku", "code", "isbn", "login", "number"]
    let named =
      usual.lazy.compactMap(field).first ?? ending(direct, ids)
      ?? direct.first { $0.path.lowercased().hasSuffix("id") } ?? field("url")
      ?? ending(direct, ["key", "slug", "code", "number"]) ?? field("name") ?? ending(short, ids)
    if let named {
      return ID(
        path: named.path, isNamed: !["code", "number"].contains(Self.words(named.path).last ?? ""), isSure: true,
        reason: "the same in no two of \(count) records")
    }
    if let other = direct.first ?? short.first {
      return ID(
        path: other.path, isSure: false,
        reason:
          "it differs in all of \(count) records, but its name is not that of an id: choose another if it can change")
    }
    if let prose = unique.first {
      return ID(
        path: prose.path, isSure: false,
        reason:
          "only texts with spaces or HTML differ in all of \(count) records: choose another if this one can change")
    }
    return ID(path: "#", isSure: false, reason: "no field differs in all records: choose another")
  }

  /// Whether a text has spaces or HTML, as titles have.
  private static func isProse(_ text: String) -> Bool {
    text.contains { $0.isWhitespace || $0 == "<" } || text.contains("&") && text.contains(";")
  }

  /// `track`, `id` for `$.trackId` and `$.track_id`, in lower case.
  private static func words(_ path: String) -> [String] {
    var words: [String] = [""]
    var isAfterSmall = false
    for letter in path {
      if !letter.isLetter && !letter.isNumber || letter.isUppercase && isAfterSmall { words.append("") }
      if letter.isLetter || letter.isNumber { words[words.count - 1] += letter.lowercased() }
      isAfterSmall = letter.isLowercase || letter.isNumber
    }
    return words.filter { !$0.isEmpty }
  }

  /// The fields of the definition; those without a value, and lists of objects, are left out.
  var object: JSONObject {
    var object = JSONObject()
    let id = id.path
    for field in fields where field.path != id && object.members.count < 24 {
      guard let kind = kind(field), object[field.name] == nil else { continue }
      let isOptional = count < 5 || field.values.filter { !$0.isNull && $0.string != "" }.count < count
      object.append(field.name == "id" ? "ownID" : field.name, "\(kind)\(isOptional ? "?" : "") \(field.path)")
    }
    return object
  }

  /// The fields whose texts have tags of HTML.
  var markup: [String] {
    fields.filter { field in
      object[field.name] != nil && kind(field) == "text"
        && field.values.contains { $0.string?.contains("</") == true }
    }.map(\.name)
  }

  /// Short fields: the one that names the record, then the first ones that differ.
  var table: [String] {
    let short =
      fields.filter { field in
        object[field.name] != nil && !(count > 4 && Set(field.values.map { $0.rawText().exact }).count == 1)
          && kind(field).map { ["text", "int", "decimal", "time", "date"].contains($0) } == true
          && field.values.allSatisfy { ($0.string ?? "").utf8.count < 80 && $0.string?.contains("</") != true }
      }.map(\.name)
    let title = short.first { name in
      ["title", "name", "label", "subject", "headline"].contains { name.lowercased().hasSuffix($0) }
    }
    return Array(((title.map { [$0] } ?? []) + short.filter { $0 != title }).prefix(4))
  }

  /// The fields that hold addresses of images.
  var images: [String] {
    fields.filter { field in
      object[field.name] != nil
        && field.values.contains { value in
          let text = (value.string ?? "").lowercased().prefix { $0 != "?" }
          return text.hasPrefix("http") && [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains { text.hasSuffix($0) }
        }
    }.map(\.name)
  }

  private func kind(_ field: Field) -> String? {
    let values = field.values.filter { !$0.isNull && $0.string != "" }
    guard let first = values.first else { return nil }
    func all(_ isSo: (JSONNode) -> Bool) -> Bool { values.allSatisfy(isSo) }
    let name = field.name.lowercased()
    let isTime = ["time", "date", "created", "updated", "modified", "published", "at"].contains { name.hasSuffix($0) }
    switch first.kind {
    case .boolean: return all { $0.bool != nil } ? "bool" : nil
    case .number:
      guard all(\.isNumber) else { return all { $0.isNumber || $0.isString } ? "text" : nil }
      if isTime, all({ ($0.double ?? 0) > 1e9 && ($0.double ?? 0) < 2e10 }) { return "time(epoch)" }
      if isTime, all({ ($0.double ?? 0) > 1e12 && ($0.double ?? 0) < 2e13 }) { return "time(epochms)" }
      return all { $0.int != nil } ? "int" : "decimal"
    case .string:
      guard all(\.isString) else { return all { $0.isNumber || $0.isString } ? "text" : nil }
      if all({ $0.string?.hasPrefix("https://") == true || $0.string?.hasPrefix("http://") == true }) { return "url" }
      if all({ $0.string.flatMap { Timestamp(rfc3339: $0) } != nil }) { return "time" }
      if all({ $0.string.map { $0.utf8.count == 10 && CivilDate($0) != nil } == true }) { return "date" }
      return "text"
    case .array:
      let isTexts = all { list in
        var isTexts = list.isArray
        list.forEachElement { _, element in isTexts = isTexts && (element.isString || element.isNumber) }
        return isTexts
      }
      return isTexts ? "list(text)" : nil
    default: return nil
    }
  }
}

extension DefinitionProposal {
  /// A name of a field: `makerURL` for `maker` and `url`.
  static func camelCase(_ names: [String]) -> String {
    var words: [String] = []
    for name in names {
      let parts = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
      words += parts
    }
    guard let first = words.first else { return "field" }
    let rest = words.dropFirst().map {
      $0 == "url" ? "URL" : $0 == "id" ? "ID" : $0.prefix(1).uppercased() + $0.dropFirst()
    }
    let start = first.allSatisfy(\.isUppercase) ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    let text = start + rest.joined()
    return text.first?.isNumber == true ? "n\(text)" : text
  }
}
