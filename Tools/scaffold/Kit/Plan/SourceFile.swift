import Foundation

/// What a file says about a new source: a definition (`Apps/Sources.md`), or an answer of its API.
struct SourceFile {
  /// The base URL of the API; `nil` for an answer.
  var url: String?
  /// What a follow requests.
  var path: String?
  /// The place of the records.
  var under: String?
  var collection: String?
  /// The fields, as on the command line.
  var fields = ""
  /// What has to be added by hand.
  var notes: [String] = []

  /// Reads a file.
  ///
  /// - Parameter follow: the name of the follow of a definition; `nil` for the first one.
  /// - Throws: `ScaffoldError.Kind.file` if it cannot be read, `ScaffoldError.Kind.refused` if no source can be made of it.
  init(_ file: String, follow: String?) throws(ScaffoldError) {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw ScaffoldError(.file, "the file cannot be read", place: file)
    }
    guard let value = try? JSONDecoder().decode(SampleValue.self, from: data) else {
      throw ScaffoldError(.refused, "it is not JSON", place: file)
    }
    let order = MemberOrder(String(decoding: data, as: UTF8.self))
    do throws(ScaffoldError) {
      if let object = value.object, object["almanac"] != nil {
        try read(definition: object, follow: follow, order)
      } else {
        if follow != nil { throw ScaffoldError(.usage, "--follow needs a definition") }
        try read(answer: value, order)
      }
    } catch {
      throw ScaffoldError(error.kind, error.message, place: error.place ?? file)
    }
  }

  // MARK: Definitions

  private mutating func read(
    definition: [String: SampleValue], follow: String?, _ order: MemberOrder
  ) throws(ScaffoldError) {
    guard let url = definition["url"]?.text else {
      throw ScaffoldError(.refused, "it has no \"url\": a program that prints records is no source in Swift")
    }
    self.url = url
    let follows = definition["follows"]?.object ?? [:]
    let names = order.sorted(Array(follows.keys))
    guard let name = follow ?? names.first, let chosen = follows[name]?.object else {
      throw ScaffoldError(.refused, "it has no follow '\(follow ?? "")'; there are \(names.joined(separator: ", "))")
    }
    let others = names.filter { $0 != name }
    if !others.isEmpty { notes.append("only the follow '\(name)', without \(others.joined(separator: ", "))") }
    guard let address = chosen["get"]?.text else {
      throw ScaffoldError(.refused, "the follow '\(name)' sends a POST, which is written by hand")
    }
    let parameters = name.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.filter(\.isLetterOrUnderscore) }
    path = plainPath(address, parameters)
    let takes = chosen["take"]?.array ?? chosen["take"].map { [$0] } ?? []
    guard let take = takes.first?.object, let into = take["into"]?.text,
      let described = definition["collections"]?.object?[into]?.object
    else { throw ScaffoldError(.refused, "the follow '\(name)' takes no collection") }
    if takes.count > 1 { notes.append("only the records of \(into)") }
    collection = into
    if let records = take["records"]?.text, records != "$" {
      guard let place = Self.member(records) else {
        throw ScaffoldError(.refused, "the records at \(records) cannot be read; name their place with --under")
      }
      under = place
    }
    for key in ["pages", "since", "each", "complete", "with", "limit"] where chosen[key] != nil {
      notes.append("\"\(key)\" of the follow")
    }
    for key in ["auth", "budget", "errors", "edits", "headers", "pages"] where definition[key] != nil {
      notes.append("\"\(key)\" of the definition")
    }
    for key in ["columns", "only", "gone"] where take[key] != nil { notes.append("\"\(key)\" of \"take\"") }
    try readFields((take["fields"] ?? described["fields"])?.object ?? [:], take["id"] ?? described["id"], order)
  }

  private mutating func readFields(
    _ given: [String: SampleValue], _ id: SampleValue?, _ order: MemberOrder
  ) throws(ScaffoldError) {
    var list: [String] = []
    if let path = id?.text ?? id?.array?.last?.text, let member = Self.member(path) {
      list.append("id=\(member)")
      if let parts = id?.array, parts.count > 1 {
        notes.append("the id of \(parts.count) parts, of which only \(path)")
      }
    } else {
      notes.append("the id, which is no single member")
    }
    for name in order.sorted(Array(given.keys)) {
      guard let text = given[name]?.text, let field = Self.field(name, text) else {
        notes.append("the field \(name)")
        continue
      }
      list.append(field.text)
      if let note = field.note { notes.append("the field \(name): \(note)") }
    }
    fields = list.joined(separator: ",")
  }

  /// `name=member:kind?` for `KIND[?] PATH`; `nil` if the scaffold has no such kind.
  private static func field(_ name: String, _ text: String) -> (text: String, note: String?)? {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    let isOptional = words[0].hasSuffix("?")
    let kind = isOptional ? String(words[0].dropLast()) : words[0]
    let kinds = [
      "text": "text", "url": "text", "plain": "text", "decimal": "text", "date": "text", "int": "int", "bool": "bool",
      "time": "time",
    ]
    let paths = words[1].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let known = kinds[kind], let first = paths.first, let member = member(first) else { return nil }
    var note: String?
    if paths.count > 1 { note = "only \(first)" }
    if ["url", "decimal", "date"].contains(kind) { note = "a text that is not checked to be a \(kind)" }
    if kind == "plain" { note = "a text with its HTML" }
    return ("\(name)=\(member)\(known == "text" ? "" : ":\(known)")\(isOptional ? "?" : "")", note)
  }

  /// `a.b.0` for `$.a['b'][0]`; `nil` if the path has other parts.
  private static func member(_ path: String) -> String? {
    guard path.hasPrefix("$"), !path.hasPrefix("$$"), !path.contains("*"), !path.contains("[-") else { return nil }
    let plain = path.dropFirst().replacing("['", with: ".").replacing("']", with: "").replacing("[", with: ".")
      .replacing("]", with: "")
    return MemberPath(plain.hasPrefix(".") ? plain.dropFirst() : plain[...]).map(\.text)
  }

  /// The path of a request, without what needs paging or an option.
  private mutating func plainPath(_ address: String, _ parameters: [String]) -> String {
    var text = ""
    var rest = address[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      let inside = rest[rest.index(after: open)..<close]
      let name = inside.filter(\.isLetterOrUnderscore)
      if parameters.contains(name) {
        text += "{\(SwiftName.camel(kebab: name))}"
      } else if name == "size" || name == "limit" {
        text += "100"
      } else if name == "page" || name == "offset" {
        text += name == "page" ? "1" : "0"
      } else {
        notes.append("{\(inside)} of the address")
      }
      rest = rest[rest.index(after: close)...]
    }
    text += rest
    return text.hasPrefix("?") ? "/\(text)" : text
  }

  // MARK: Answers

  private mutating func read(answer: SampleValue, _ order: MemberOrder) throws(ScaffoldError) {
    var lists: [(path: [String], records: [[String: SampleValue]])] = []
    func look(_ value: SampleValue, _ path: [String]) {
      if let array = value.array {
        let records = array.compactMap(\.object)
        if !records.isEmpty { lists.append((path, records)) }
      } else if path.count < 3 {
        for (name, member) in value.object ?? [:] { look(member, path + [name]) }
      }
    }
    look(answer, [])
    let size = { (list: (path: [String], records: [[String: SampleValue]])) in list.records.reduce(0) { $0 + $1.count }
    }
    var records = answer.object.map { [$0] } ?? []
    if let best = lists.max(by: { size($0) < size($1) }), size(best) >= answer.object?.count ?? 0 {
      records = best.records
      under = best.path.isEmpty ? nil : best.path.joined(separator: ".")
    }
    var members: [String: [SampleValue]] = [:]
    func collect(_ object: [String: SampleValue], _ path: [String]) {
      for (name, value) in object {
        if let inner = value.object, path.count < 2 {
          collect(inner, path + [name])
        } else {
          members[(path + [name]).joined(separator: "."), default: []].append(value)
        }
      }
    }
    for record in records.prefix(50) { collect(record, []) }
    let count = min(records.count, 50)
    let id = ["id", "uuid", "key", "code", "slug", "number", "name"].first { name in
      let values = (members[name] ?? []).compactMap(\.idText)
      return count > 0 && values.count == count && Set(values).count == count
    }
    guard let id else {
      throw ScaffoldError(.refused, "no member of the records is an id; name one with --fields 'id=MEMBER, …'")
    }
    var list = ["id=\(id)"]
    for name in order.sorted(Array(members.keys)) where name != id {
      guard let kind = SampleValue.kind(of: members[name] ?? []) else {
        notes.append("the member \(name)")
        continue
      }
      let isOptional = (members[name] ?? []).filter { !$0.isNull }.count < count
      let property = SwiftName.camel(kebab: name.replacing(".", with: "_"))
      guard (try? Field.parse("\(property)=\(name)")) != nil else {
        notes.append("the member \(name), which needs another name")
        continue
      }
      list.append("\(property)=\(name)\(kind == "text" ? "" : ":\(kind)")\(isOptional ? "?" : "")")
    }
    fields = list.joined(separator: ",")
  }
}

/// A value of a JSON file.
indirect enum SampleValue: Decodable {
  case null
  case bool(Bool)
  case whole(Int)
  case number(Double)
  case string(String)
  case list([SampleValue])
  case members([String: SampleValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let whole = try? value.decode(Int.self) {
      self = .whole(whole)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if let list = try? value.decode([SampleValue].self) {
      self = .list(list)
    } else {
      self = .members(try value.decode([String: SampleValue].self))
    }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var array: [SampleValue]? { if case .list(let list) = self { list } else { nil } }
  var object: [String: SampleValue]? { if case .members(let members) = self { members } else { nil } }
  var isNull: Bool { if case .null = self { true } else { false } }
  var idText: String? { if case .whole(let number) = self { String(number) } else { text } }

  /// The kind of the field that holds these values; `nil` if it would be a list, or if nothing is known.
  static func kind(of values: [SampleValue]) -> String? {
    let kinds = Set(
      values.filter { !$0.isNull }.map { value in
        switch value {
        case .bool: "bool"
        case .whole: "int"
        case .number: "text"
        case .string(let text): isTime(text) ? "time" : "text"
        case .null, .list, .members: "none"
        }
      })
    if kinds.contains("none") || kinds.isEmpty { return nil }
    return kinds.count == 1 ? kinds.first : kinds.contains("bool") ? nil : "text"
  }

  /// RFC 3339 with a zone.
  private static func isTime(_ text: String) -> Bool {
    text.wholeMatch(of: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
  }
}

/// The order of members in a file, which decoding loses: by where each name is first.
private struct MemberOrder {
  private let text: String

  init(_ text: String) { self.text = text }

  func sorted(_ names: [String]) -> [String] {
    let places = names.map { name in
      let last = name.split(separator: ".").last.map(String.init) ?? name
      return (name, text.firstRange(of: "\"\(last)\"")?.lowerBound ?? text.endIndex)
    }
    return places.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }
}

extension Character {
  fileprivate var isLetterOrUnderscore: Bool { isLetter || self == "_" }
}
