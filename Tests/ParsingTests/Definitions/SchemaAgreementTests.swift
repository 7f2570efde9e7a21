import Models
import Parsing
import Ports
import Testing

/// The schema for editors and the reader agree: what the schema refuses, the reader refuses, and a document whose structure
/// is wrong is refused by both.
@Suite("Definitions: agreement of schema and reader")
struct SchemaAgreementTests {
  private static let full = """
    {
      "almanac": 1, "source": "full", "title": "All members", "docs": "https://docs.example", "url": "https://full.example",
      "headers": {"X-A": "b"}, "auth": {"oauth2": {"grant": "client", "token": "https://full.example/t", "scope": "s"}},
      "budget": {"calls": 5, "per": "1m", "spacing": "1s", "withoutKey": 2},
      "errors": [{"status": [404], "header": {"X": "y"}, "if": {"$.a": [1, "b", null]}, "means": "tryLater", "code": "$.c",
        "message": "$.m", "after": "epoch header R"}],
      "pages": {"cursor": {"c": "$.next"}, "size": 10, "more": "header More", "most": 9},
      "collections": {
        "things": {
          "id": ["{owner}", "$.id"],
          "fields": {"name": "text $.n", "seen": "time(DD.MM.YYYY hh:mm)? $.seen", "at": "time(epoch)? $.at", "page": "url? https://x.example{+$.p}", "o": {"i": "int? $.i"}},
          "table": ["name", "o.i"], "media": ["page"]
        }
      },
      "follows": {
        "{owner}/{+rest}": {
          "get": "/{owner}/{+rest}?size={size}{&c,since:epoch,state}", "about": "things", "headers": {"X-B": "c"},
          "with": {"state": {"values": ["a", "b"], "default": "a", "about": "which"}},
          "take": [{"records": "$.list", "only": {"$.k": true}, "gone": {"$.g": true}, "into": "things"}],
          "each": {"for": {"v": "$.v"}, "when": "always", "post": "/d", "body": {"v": "{v}"}, "take": {"into": "things"}},
          "since": {"field": "at", "overlap": "1h", "newestFirst": false},
          "complete": "7d", "limit": {"default": 5, "most": 10}, "every": "1h"
        }
      },
      "edits": {
        "things": {
          "read": "/{owner}/{id}", "record": "$.data", "delete": "/{id}",
          "update": {"patch": "/{id}", "send": {"n": "name", "o": {"i": "text o.i"}}}
        }
      }
    }
    """

  private static let program = """
    {
      "almanac": 1, "source": "tap", "title": "A tap", "docs": "https://docs.example", "command": ["tap", "--config", "a b"],
      "timeout": "5m",
      "collections": {"things": {"id": "$.id", "fields": {"name": "text $.n"}, "table": ["name"]}},
      "follows": {
        "all": {
          "about": "things", "complete": "7d", "every": "1h",
          "take": [{"stream": "t", "records": "$.list[*]", "only": {"$.k": true}, "gone": {"$.g": true}, "into": "things"}]
        }
      }
    }
    """

  /// A change of a document, and whether it is one of the structure alone.
  private struct Change {
    var document: JSONValue
    var isStructural: Bool
    var what: String
  }

  /// Members whose names are free, so that any member is allowed there.
  private static let open: Set<String> = [
    "headers", "header", "if", "only", "gone", "cursor", "last", "collections", "fields", "follows", "for", "with",
    "body",
    "edits", "send", "o",
  ]
  /// Members without which an object is not what it is.
  private static let required: Set<String> = [
    "almanac", "source", "url", "command", "stream", "collections", "follows", "id", "fields", "calls", "per", "means",
    "oauth2", "token", "get", "for",
    "read", "send", "default",
  ]

  /// The document with each value replaced by another kind, each required member removed, and each object extended.
  private static func changes(_ value: JSONValue, _ place: [String], _ rebuild: (JSONValue) -> JSONValue) -> [Change] {
    var all: [Change] = []
    let name = place.last ?? ""
    let isFree =
      // A value in `send` may be a constant.
      place.contains("body") || place.dropLast().contains("send")
      || place.dropLast().suffix(2).contains { ["if", "only", "gone"].contains($0) }
    if !place.isEmpty, !isFree, name != "default" || place.contains("limit") {
      let wrong: JSONValue = if case .bool = value { "x" } else { false }
      all.append(Change(document: rebuild(wrong), isStructural: name != "complete", what: "\(place) = \(wrong)"))
    }
    switch value {
    case .object(let object):
      if !open.contains(name), place.suffix(2).first != "fields", !isFree {
        var more = object
        more["xyzzy"] = 1
        all.append(Change(document: rebuild(.object(more)), isStructural: true, what: "\(place) + xyzzy"))
      }
      for member in object.members {
        if !isFree, !open.contains(name) {
          var less = object
          less[member.key] = nil
          let isRequired =
            required.contains(member.key) && !(member.key == "fields" && name != "things")
            && !(member.key == "default" && name == "state")
          all.append(
            Change(document: rebuild(.object(less)), isStructural: isRequired, what: "\(place) - \(member.key)"))
        }
        all += changes(member.value, place + [member.key]) { new in
          var changed = object
          changed[member.key] = new
          return rebuild(.object(changed))
        }
      }
    case .array(let array):
      for (index, element) in array.enumerated() {
        all += changes(element, place + ["\(index)"]) { new in
          var changed = array
          changed[index] = new
          return rebuild(.array(changed))
        }
      }
    default: break
    }
    return all
  }

  private func problems(_ document: JSONValue) -> [String] {
    let text = JSONRecordCoder().encode(document.object ?? [:])
    do throws(SettingsProblems) {
      _ = try JSONDefinitionFormat().read(text, named: nil)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("right and wrong documents")
  func agreement() throws {
    let schema = try Schema(JSONDefinitionFormat().schema)
    var tried = 0
    var wrong = 0
    for text in [Self.full, Self.program, DefinitionTexts.shop] {
      let document = JSONValue.object(try JSONRecordCoder().decode(Array(text.utf8)))
      #expect(problems(document).isEmpty, "\(problems(document))")
      #expect(schema.mistake(in: document) == nil)
      tried += 1
      for change in Self.changes(document, [], { $0 }) {
        tried += 1
        let byReader = problems(change.document)
        let bySchema = schema.mistake(in: change.document)
        if !byReader.isEmpty { wrong += 1 }
        #expect(bySchema == nil || !byReader.isEmpty, "only the schema refuses \(change.what): \(bySchema ?? "")")
        if change.isStructural {
          #expect(!byReader.isEmpty, "the reader accepts \(change.what)")
          #expect(bySchema != nil, "the schema accepts \(change.what): \(byReader)")
        }
      }
    }
    print("schema and reader agree on \(tried) documents, \(wrong) of them wrong")
    #expect(tried >= 200)
  }
}

/// The part of JSON Schema (draft 2020-12) that the schema of definitions uses.
private struct Schema {
  let root: JSONObject
  private let patterns: [String: Regex<AnyRegexOutput>]

  init(_ text: String) throws {
    root = try JSONRecordCoder().decode(Array(text.utf8))
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    func collect(_ value: JSONValue) throws {
      for member in value.object?.members ?? [] {
        if member.key == "pattern", let text = member.value.string { patterns[text] = try Regex(text) }
        try collect(member.value)
      }
      for element in value.array ?? [] { try collect(element) }
    }
    try collect(.object(root))
    self.patterns = patterns
  }

  func mistake(in value: JSONValue) -> String? { mistake(value, .object(root), "$") }

  private func mistake(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> String? {
    guard let schema = schema.object else { return nil }
    for member in schema.members {
      if let mistake = mistake(value, member.key, member.value, schema, place) { return "\(place): \(mistake)" }
    }
    return nil
  }

  private func mistake(
    _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONObject, _ place: String
  ) -> String? {
    switch keyword {
    case "$ref":
      let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
      return mistake(value, root["$defs"]?.object?[name] ?? false, place)
    case "type":
      let names = rule.array?.compactMap(\.string) ?? [rule.string ?? ""]
      return names.contains { isOf(value, $0) } ? nil : "not \(names)"
    case "const": return value == rule ? nil : "not \(rule)"
    case "enum": return rule.array?.contains(value) == true ? nil : "not one of \(rule)"
    case "pattern":
      guard let text = value.string, let pattern = patterns[rule.string ?? ""] else { return nil }
      return (try? pattern.firstMatch(in: text)) ?? nil == nil ? "not as \(rule.string ?? "")" : nil
    case "minLength": return (value.string.map { $0.count >= rule.int ?? 0 } ?? true) ? nil : "too short"
    case "minimum": return (value.int.map { $0 >= rule.int ?? 0 } ?? true) ? nil : "too small"
    case "maximum": return (value.int.map { $0 <= rule.int ?? 0 } ?? true) ? nil : "too large"
    case "minItems": return (value.array.map { $0.count >= rule.int ?? 0 } ?? true) ? nil : "too few"
    case "minProperties": return (value.object.map { $0.members.count >= rule.int ?? 0 } ?? true) ? nil : "too few"
    case "required":
      guard let object = value.object else { return nil }
      return rule.array?.compactMap(\.string).first { object[$0] == nil }.map { "\($0) is missing" }
    case "properties":
      return value.object?.members.lazy.compactMap { member in
        rule.object?[member.key].flatMap { self.mistake(member.value, $0, "\(place).\(member.key)") }
      }.first
    case "additionalProperties":
      let known = schema["properties"]?.object ?? [:]
      return value.object?.members.lazy.filter { known[$0.key] == nil }.compactMap { member in
        rule == false ? "\(member.key) is unknown" : self.mistake(member.value, rule, "\(place).\(member.key)")
      }.first
    case "propertyNames":
      return value.object?.keys.lazy.compactMap { self.mistake(.string($0), rule, "\(place).\($0)") }.first
    case "items":
      return value.array?.lazy.compactMap { self.mistake($0, rule, "\(place)[]") }.first
    case "if":
      let isMet = mistake(value, rule, place) == nil
      return mistake(value, schema[isMet ? "then" : "else"] ?? true, place)
    case "anyOf":
      return rule.array?.contains { self.mistake(value, $0, place) == nil } == true ? nil : "none of \(keyword)"
    case "oneOf":
      return rule.array?.filter { self.mistake(value, $0, place) == nil }.count == 1 ? nil : "not one of \(keyword)"
    default: return nil
    }
  }

  private func isOf(_ value: JSONValue, _ type: String) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("number", .number): true
    case ("integer", .number): value.int != nil
    default: false
    }
  }
}
