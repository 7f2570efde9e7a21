import Models
import Ports

struct FieldGuesses {
  private struct Field {
    var name: String
    var path: String
    /// Whether no object, except for a wrapper, is around it in the record.
    var isDirect: Bool
    var values: [JSONNode] = []
  }

  private var fields: [Field] = []
  private let count: Int
  private let isMap: Bool

  /// - Parameter isMap: whether the records are the members of an object.
  init(_ records: [JSONNode], isMap: Bool = false) {
    (count, self.isMap) = (records.count, isMap)
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

  struct ID {
    var path: String
    var isNamed = false
    var isSure: Bool
    var reason: String
  }

  /// The id: a field whose values differ, preferably one with a usual name. A text with spaces or HTML is the last choice.
  var id: ID {
    if isMap { return ID(path: "#", isNamed: true, isSure: true, reason: "the record's name in the object") }
    func ids(_ field: Field) -> [ExactString] {
      let texts = field.values.compactMap { $0.string ?? $0.digits }.filter { !$0.isEmpty && $0.utf8.count < 512 }
      return Set(texts.map(\.exact)).count == texts.count ? texts.map(\.exact) : []
    }
    let unique = fields.filter { ids($0).count == count }
    let short = unique.filter { !$0.values.contains { Self.isProse($0.string ?? "") } }
    if let named = IDNames.best(of: short.map { ($0.path, $0.isDirect) }) {
      return ID(
        path: named, isNamed: !["code", "number"].contains(IDNames.words(named).last ?? ""), isSure: true,
        reason: "the same in no two of \(count) records")
    }
    // Some records lack it, which is a mistake of theirs: what else differs in all of them can change.
    if let most = fields.first(where: { $0.path == "$.id" }), case let some = ids(most).count, some * 2 > count {
      return ID(
        path: most.path, isNamed: true, isSure: false,
        reason: "\(count - some) of \(count) records have none, and are rejected: choose another if they are wanted")
    }
    if let other = short.first(where: \.isDirect) ?? short.first {
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

  private static let mostFields = 24

  /// The paths of the fields with values that the definition leaves out: those of several kinds, and those beyond the first 24.
  var leftOut: [String] {
    let (object, id) = (object, id.path)
    return fields.filter { field in
      field.path != id && field.values.contains { !$0.isNull && $0.string != "" }
        && !object.members.contains { $0.value.string?.hasSuffix(" \(field.path)") == true }
    }.map(\.path)
  }

  /// The fields of the definition; those without a value are left out.
  var object: JSONObject {
    var object = JSONObject()
    let id = id.path
    for field in fields where field.path != id && object.members.count < Self.mostFields {
      guard let kind = kind(field), object[field.name] == nil else { continue }
      let isOptional = count < 5 || field.values.filter { !$0.isNull && $0.string != "" }.count < count
      object.append(field.name == "id" ? "ownID" : field.name, "\(kind)\(isOptional ? "?" : "") \(field.path)")
    }
    return object
  }

  var markup: [String] {
    fields.filter { field in
      object[field.name] != nil && kind(field) == "text"
        && field.values.contains { PlainText.isMarkup($0.string ?? "") }
    }.map(\.name)
  }

  private var short: [String] {
    fields.filter { field in
      object[field.name] != nil && !(count > 4 && Set(field.values.map { $0.rawText().exact }).count == 1)
        && kind(field).map { ["text", "int", "decimal", "time", "date"].contains($0) } == true
        && field.values.allSatisfy { ($0.string ?? "").utf8.count < 80 && !PlainText.isMarkup($0.string ?? "") }
    }.map(\.name)
  }

  /// The field that names the record; `nil` if none seems to. A long title is cut in a table.
  var nameField: String? {
    let short = short
    let ends = ["title", "name", "label", "subject", "headline"]
    let (object, markup) = (object, markup)
    let texts = fields.filter { field in
      object[field.name] != nil && kind(field) == "text" && !markup.contains { $0.exact == field.name.exact }
    }.map(\.name)
    return ["name", "title"].first(where: short.contains) ?? ["name", "title"].first(where: texts.contains)
      ?? short.first { name in ends.contains { name.lowercased().hasSuffix($0) } }
  }

  /// The field that names the record, then the first short ones.
  var table: [String] {
    let name = nameField
    return Array(([name].compactMap(\.self) + short.filter { $0 != name }).prefix(4))
  }

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
    let words = [
      "time", "date", "created", "updated", "modified", "published", "played", "stamp", "at", "ts", "when", "since",
      "seen",
      "expires", "expiry", "due", "start", "end",
    ]
    let isTime = words.contains { name.hasSuffix($0) }
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
      func holds(_ isSo: (JSONNode) -> Bool) -> Bool {
        all { list in
          var isEach = list.isArray
          list.forEachElement { _, element in isEach = isEach && isSo(element) }
          return isEach
        }
      }
      return holds { $0.isString || $0.isNumber } ? "list(text)" : holds(\.isObject) ? "list(json)" : nil
    default: return nil
    }
  }
}

/// Which field is the id, by the names of the fields: one rule for answers and for documents.
enum IDNames {
  /// The best path that has a name of ids; `nil` if none has.
  ///
  /// - Parameter fields: the paths of fields that may be ids, and whether no object, except for a wrapper, is around them.
  static func best(of fields: [(path: String, isDirect: Bool)]) -> String? {
    let paths = fields.map(\.path)
    let direct = fields.filter(\.isDirect).map(\.path)
    func field(_ name: String) -> String? { paths.first { $0.lowercased() == "$.\(name)" } }
    func ending(_ paths: [String], _ words: [String]) -> String? {
      paths.first { words.contains(Self.words($0).last ?? "") }
    }
    let ids = ["id", "uuid", "guid"]
    let usual = ids + ["key", "slug", "sku", "code", "isbn", "doi", "login", "number"]
    return usual.lazy.compactMap(field).first ?? ending(direct, ids)
      ?? direct.first { $0.lowercased().hasSuffix("id") } ?? field("url")
      ?? ending(direct, ["key", "slug", "code", "number"]) ?? field("name") ?? ending(paths, ids)
  }

  /// `track`, `id` for `$.trackId` and `$.track_id`, in lower case.
  static func words(_ path: String) -> [String] {
    var words: [String] = [""]
    var isAfterSmall = false
    for letter in path {
      if !letter.isLetter && !letter.isNumber || letter.isUppercase && isAfterSmall { words.append("") }
      if letter.isLetter || letter.isNumber { words[words.count - 1] += letter.lowercased() }
      isAfterSmall = letter.isLowercase || letter.isNumber
    }
    return words.filter { !$0.isEmpty }
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
