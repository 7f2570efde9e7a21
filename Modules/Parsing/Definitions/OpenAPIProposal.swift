import Models
import Ports

/// Proposes a definition from an OpenAPI document: the lists that GET requests answer with, their fields, and how they
/// continue.
///
/// Versions 2.0, 3.0 and 3.1 in JSON are read. Only what a definition needs is looked at.
struct OpenAPIProposal {
  private let document: JSONObject
  private let name: SourceName
  private let taken: [CollectionName]
  private(set) var notes: [ProposedDefinition.Note] = []
  private var collections = JSONObject()
  private var follows = JSONObject()

  private static let mostFollows = 12
  private static let mostFields = 24

  init(_ document: JSONObject, name: SourceName, taken: [CollectionName]) {
    self.document = document
    self.name = name
    self.taken = taken
  }

  static func isDocument(_ object: JSONObject) -> Bool {
    (object["openapi"] ?? object["swagger"]) != nil && object["paths"]?.object != nil
  }

  /// The definition; `nil` if no GET request answers with a list of objects.
  mutating func propose() -> JSONObject? {
    let server = server()
    var left = 0
    for path in document["paths"]?.object?.members ?? [] {
      guard let item = resolved(path.value)?.object, let get = item["get"]?.object else { continue }
      let shared = item["parameters"]?.array ?? []
      guard let list = list(of: get) else { continue }
      guard follows.members.count < Self.mostFollows else {
        left += 1
        continue
      }
      add(path.key, get, shared + (get["parameters"]?.array ?? []), list)
    }
    guard !follows.isEmpty else { return nil }
    if left > 0 { note("follows", "\(Self.mostFollows) of \(Self.mostFollows + left)", false, "the first ones") }
    return [
      "almanac": 1, "source": .string(name.rawValue), "title": .of(document["info"]?.object?["title"]?.string),
      "docs": .of(document["externalDocs"]?.object?["url"]?.string), "url": .of(server),
      "auth": .of(authentication().map { .object($0) }), "collections": .object(collections),
      "follows": .object(follows),
    ]
  }

  private mutating func note(_ part: String, _ choice: String, _ isSure: Bool, _ reason: String) {
    notes.append(.init(part: part, choice: choice, isSure: isSure, reason: reason))
  }

  // MARK: The API

  private mutating func server() -> String {
    var url = document["servers"]?.array?.first?.object?["url"]?.string ?? ""
    if url.isEmpty, let host = document["host"]?.string {
      let schemes = (document["schemes"]?.array ?? []).compactMap(\.string)
      url = "\(schemes.contains("https") || schemes.isEmpty ? "https" : schemes[0])://\(host)"
      url += document["basePath"]?.string ?? ""
    }
    while url.hasSuffix("/") { url.removeLast() }
    if url.hasPrefix("https://"), !url.contains("{") {
      note("url", url, true, "the first server of the document")
      return url
    }
    note("url", "https://api.example", false, "the document names no server with https: write its address")
    return "https://api.example"
  }

  private mutating func authentication() -> JSONObject? {
    let placed = { (place: String, name: String) -> JSONObject in
      [.init(stringLiteral: place): .object([.init(stringLiteral: name): "{key}"])]
    }
    let schemes = (document["components"]?.object?["securitySchemes"] ?? document["securityDefinitions"])?.object
    let isRequired = !(document["security"]?.array ?? []).isEmpty
    for scheme in schemes?.members ?? [] {
      guard let scheme = resolved(scheme.value)?.object else { continue }
      var auth: JSONObject?
      switch (scheme["type"]?.string, scheme["scheme"]?.string?.lowercased() ?? scheme["in"]?.string) {
      case ("http", "bearer"): auth = ["bearer": "{key}"]
      case ("http", "basic"), ("basic", _): auth = ["basic": "{key}"]
      case ("apiKey", "header"): auth = placed("headers", scheme["name"]?.string ?? "X-API-Key")
      case ("apiKey", "query"): auth = placed("query", scheme["name"]?.string ?? "key")
      case ("oauth2", _):
        if let flow = scheme["flows"]?.object?["clientCredentials"]?.object, let token = flow["tokenUrl"],
          token.string?.hasPrefix("https://") == true
        {
          auth = ["oauth2": ["token": token]]
        }
      default: break
      }
      guard var auth else { continue }
      if !isRequired { auth.append("optional", true) }
      note("auth", auth.members[0].key, schemes?.members.count == 1, "the first scheme that can be described")
      return auth
    }
    return nil
  }

  // MARK: Lists

  private struct List {
    var path: String
    var schema: JSONObject
    var name: String?
    var answer: JSONObject
  }

  /// The list of objects that an operation answers with.
  private func list(of operation: JSONObject) -> List? {
    let responses = operation["responses"]?.object
    guard let response = resolved(responses?["200"] ?? responses?["default"])?.object else { return nil }
    let content = response["content"]?.object
    let media = content?.members.first { $0.key.hasPrefix("application/") && $0.key.contains("json") }
    guard let answer = object(media?.value.object?["schema"] ?? response["schema"]) else { return nil }
    if let items = items(answer) { return List(path: "$", schema: items.0, name: items.1, answer: answer) }
    let usual = ["data", "items", "results", "records", "entries", "list", "values"]
    let found = properties(answer).members.compactMap { member -> List? in
      guard let schema = object(member.value), let items = items(schema) else { return nil }
      return List(
        path: "$" + DefinitionProposal.step(member.key), schema: items.0, name: items.1 ?? member.key, answer: answer)
    }
    return found.first { list in usual.contains { list.path == "$.\($0)" } } ?? found.first
  }

  /// The objects of a list, and the name of their schema.
  private func items(_ schema: JSONObject) -> (JSONObject, String?)? {
    guard schema["type"]?.string == "array" || schema["items"] != nil, let items = schema["items"],
      let object = object(items), !properties(object).isEmpty
    else { return nil }
    let reference = items.object?["$ref"]?.string?.split(separator: "/").last.map(String.init)
    return (object, reference)
  }

  private func properties(_ schema: JSONObject) -> JSONObject { schema["properties"]?.object ?? [:] }

  /// A schema with its references and `allOf` resolved.
  private func object(_ value: JSONValue?, depth: Int = 0) -> JSONObject? {
    guard depth < 8, var schema = resolved(value)?.object else { return nil }
    for part in schema["allOf"]?.array ?? [] {
      guard let part = object(part, depth: depth + 1) else { continue }
      var properties = self.properties(schema)
      for member in self.properties(part).members { properties[member.key] = member.value }
      schema["properties"] = .object(properties)
      schema["required"] = .array((schema["required"]?.array ?? []) + (part["required"]?.array ?? []))
    }
    return schema
  }

  /// The value that a reference within the document leads to.
  private func resolved(_ value: JSONValue?, depth: Int = 0) -> JSONValue? {
    guard let reference = value?.object?["$ref"]?.string else { return value }
    guard depth < 8, reference.hasPrefix("#/") else { return nil }
    var place: JSONValue? = .object(document)
    for part in reference.dropFirst(2).split(separator: "/") {
      place = place?.object?[String(part.replacing("~1", with: "/").replacing("~0", with: "~"))]
    }
    return resolved(place, depth: depth + 1)
  }

  // MARK: Follows

  private mutating func add(_ path: String, _ operation: JSONObject, _ parameters: [JSONValue], _ list: List) {
    let described = parameters.compactMap { resolved($0)?.object }
    var form: [String] = []
    var address = ""
    for part in path.split(separator: "/").map(String.init) {
      let isParameter = part.hasPrefix("{") && part.hasSuffix("}")
      let variable = Self.variable(String(part.dropFirst().dropLast()))
      form.append(isParameter ? "{\(variable)}" : Self.plain(part))
      address += isParameter ? "/{\(variable)}" : "/\(Self.plain(part))"
    }
    let (query, pages) = query(described, list, operation, &form)
    let key = form.joined(separator: "/")
    guard follows[key] == nil else { return }
    let collection = collection(list, path)
    let take: JSONObject = ["records": list.path != "$" ? .of(list.path) : nil, "into": .of(collection)]
    var follow: JSONObject = ["get": .string((address.isEmpty ? "/" : address) + query)]
    follow.append("about", operation["summary"]?.string.flatMap { $0.isEmpty ? nil : $0 })
    follow.append("pages", pages.map { .object($0) })
    follow.append("take", .object(take))
    follows.append(key, .object(follow))
  }

  private mutating func query(
    _ parameters: [JSONObject], _ list: List, _ operation: JSONObject, _ form: inout [String]
  ) -> (String, JSONObject?) {
    let names = parameters.compactMap { $0["in"]?.string == "query" ? $0["name"]?.string : nil }
    func first(_ usual: [String]) -> String? { names.first { usual.contains($0.lowercased()) } }
    var fixed: [String] = []
    var later = ""
    var pages = JSONObject()
    let places = ["next_cursor", "nextCursor", "next_page_token", "nextPageToken", "cursor", "next"]
    let next = properties(list.answer).members.first { member in places.contains { $0 == member.key } }?.key
    if let cursor = first(["cursor", "page_token", "pagetoken", "after", "starting_after", "next_token"]), let next {
      let variable = Self.variable(cursor)
      pages.append("cursor", .object(JSONObject(members: [.init(key: variable, value: .string("$.\(next)"))])))
      later = variable == cursor ? cursor : ""
      if later.isEmpty { pages = JSONObject() }
    } else if let page = first(["page", "page_number", "pagenumber"]) {
      pages.append("page", 1)
      fixed.append("\(page)={page}")
    } else if let offset = first(["offset", "skip", "start"]) {
      pages.append("offset", 0)
      fixed.append("\(offset)={offset}")
    }
    if !pages.isEmpty, let size = first(["per_page", "limit", "page_size", "pagesize", "size", "perpage"]) {
      let schema = parameters.first { $0["name"]?.string == size }.flatMap { object($0["schema"]) ?? $0 }
      pages.append("size", min(100, schema?["maximum"]?.int ?? 100))
      fixed.append("\(size)={size}")
    }
    for parameter in parameters where parameter["required"]?.bool == true && parameter["in"]?.string == "query" {
      guard let name = parameter["name"]?.string, !fixed.contains(where: { $0.hasPrefix("\(name)=") }) else { continue }
      form.append("{\(Self.variable(name))}")
      fixed.append("\(Self.plain(name))={\(Self.variable(name))}")
    }
    let path = form.joined(separator: "/")
    note(
      "pages", "\(path): \(pages.members.first?.key ?? "none")", false,
      pages.isEmpty ? "no parameter looks like paging: one answer is taken for all" : "from the names of the parameters"
    )
    var text = fixed.isEmpty ? "" : "?" + fixed.joined(separator: "&")
    if !later.isEmpty { text += fixed.isEmpty ? "{?\(later)}" : "{&\(later)}" }
    return (text, pages.isEmpty ? nil : pages)
  }

  // MARK: Collections

  private mutating func collection(_ list: List, _ path: String) -> String {
    let segment = path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init)
    var text = CollectionNames(taken: taken).name(for: Self.kebab(segment ?? list.name ?? "records"), of: name)
    let fields = fields(list.schema)
    let described: JSONObject = ["id": .string(fields.id), "fields": .object(fields.object)]
    let base = text
    var number = 2
    while let known = collections[text], known != .object(described) {
      text = "\(base)-\(number)"
      number += 1
    }
    if collections[text] == nil {
      collections.append(text, .object(described))
      note(
        "id", "\(text): \(fields.id)", fields.id == "$.id",
        fields.isNamed ? "it has a name of ids" : "no property has a name of ids: choose another if this one can change"
      )
    }
    return text
  }

  private func fields(_ schema: JSONObject) -> (id: String, isNamed: Bool, object: JSONObject) {
    var fields = JSONObject()
    let members = properties(schema).members
    let plain = members.compactMap { member -> (path: String, isDirect: Bool)? in
      guard let kind = object(member.value).flatMap({ kind($0) }), ["text", "url", "int"].contains(kind) else {
        return nil
      }
      return ("$" + DefinitionProposal.step(member.key), true)
    }
    let named = IDNames.best(of: plain)
    let id = named ?? plain.first?.path ?? "$" + DefinitionProposal.step(members.first?.key ?? "id")
    func add(_ schema: JSONObject, _ path: String, _ words: [String], _ isRequired: Bool, depth: Int) {
      let required = (schema["required"]?.array ?? []).compactMap(\.string)
      for member in properties(schema).members where fields.members.count < Self.mostFields {
        let place = path + DefinitionProposal.step(member.key)
        guard place != id, let type = object(member.value) else { continue }
        let isCertain = isRequired && required.contains(member.key) && !isNullable(type)
        if let kind = kind(type) {
          var name = DefinitionProposal.camelCase(words + [member.key])
          if name == "id" { name = "ownID" }
          if fields[name] == nil { fields.append(name, "\(kind)\(isCertain ? "" : "?") \(place)") }
        } else if depth > 0, !properties(type).isEmpty {
          add(type, place, words + [member.key], isCertain, depth: depth - 1)
        }
      }
    }
    add(schema, "$", [], true, depth: 1)
    return (id, named != nil, fields)
  }

  private func isNullable(_ schema: JSONObject) -> Bool {
    schema["nullable"]?.bool == true || schema["type"]?.array?.contains("null") == true
      || schema["x-nullable"]?.bool == true
  }

  private func kind(_ schema: JSONObject) -> String? {
    let type = schema["type"]?.string ?? schema["type"]?.array?.compactMap(\.string).first { $0 != "null" }
    switch (type, schema["format"]?.string) {
    case ("string", "date-time"): return "time"
    case ("string", "date"): return "date"
    case ("string", "uri"), ("string", "url"): return "url"
    case ("string", _): return "text"
    case ("integer", _): return "int"
    case ("number", _): return "decimal"
    case ("boolean", _): return "bool"
    case ("array", _):
      let items = object(schema["items"])?["type"]?.string
      return items == "string" || items == "integer" ? "list(text)" : nil
    default: return nil
    }
  }

  // MARK: Names

  /// The name of a variable: letters and `_`.
  private static func variable(_ name: String) -> String {
    let text = name.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
    return text.isEmpty ? "x" : String(String.UnicodeScalarView(text))
  }

  /// A part of an address without braces.
  private static func plain(_ text: String) -> String {
    text.replacing("{", with: "").replacing("}", with: "").replacing("?", with: "").replacing("#", with: "")
  }

  /// `line-items` for `LineItems`.
  private static func kebab(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.isUppercase, !result.isEmpty, !result.hasSuffix("-") { result += "-" }
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      result += isKept ? String(scalar).lowercased() : "-"
    }
    return result
  }
}
