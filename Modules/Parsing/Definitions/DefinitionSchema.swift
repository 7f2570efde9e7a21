public import Models
import Ports

/// The JSON Schema (draft 2020-12) of definitions of sources, for editors.
///
/// It says which members there are and of which kinds they are. What joins several places, names of collections and
/// variables for instance, only the reader knows.
public enum DefinitionSchema {
  public static var document: JSONObject {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A source of Almanac",
      "if": ["required": ["command"]], "then": ["$ref": "#/$defs/program"], "else": ["$ref": "#/$defs/source"],
      "$defs": .object(JSONObject(members: definitions)),
    ]
  }

  private static var definitions: [JSONObject.Member] {
    [
      ("source", source), ("program", program), ("auth", auth), ("budget", budget), ("error", error), ("pages", pages),
      ("collection", collection), ("fields", fields), ("take", take), ("since", since), ("option", option),
      ("edits", edits), ("change", change), ("create", create), ("sent", sent),
      ("follow", request(follow, required: [])),
      ("child", request(child, required: ["for"])),
      ("path", text(#"^(\$\$?|\^|#)"#)), ("place", text(#"^(\$\$?|header )"#)),
      ("interval", text(#"^([0-9]+[smhdw])+$"#)),
      (
        "field",
        text(
          #"^(text(\([^)]*\))?|plain|url|int|decimal|bool|json|(date|time)(\([^)]+\))?|list\((text|url|json)\))\?? .*[^ ]"#
        )
      ),
      ("whole", ["type": "integer", "minimum": 1]),
      ("conditions", ["type": "object", "propertyNames": reference("path")]),
    ].map { JSONObject.Member(key: $0.0, value: $0.1) }
  }

  private static var source: JSONValue {
    object(
      head + [
        ("url", text(#"^(https?://|\{)"#)), ("file", text()), ("command", list(text())), ("headers", texts),
        ("auth", reference("auth")),
        ("with", map(setting)),
        ("budget", reference("budget")), ("errors", errors), ("format", format),
        ("blank", oneOrMany(text())), ("pages", reference("pages")), ("collections", map(reference("collection"))),
        ("follows", map(reference("follow"), least: 1)), ("edits", map(reference("edits"))),
      ], required: ["almanac", "source", "collections", "follows"], oneOf: ["url", "file"])
  }

  private static var program: JSONValue {
    let take = object([("stream", text())] + selection, required: ["stream", "into"])
    let follow = object(
      [("take", oneOrMany(take)), ("about", text()), ("complete", complete), ("every", reference("interval"))],
      required: ["take"])
    return object(
      head + [
        ("command", list(["type": "string"])), ("timeout", reference("interval")),
        ("collections", map(reference("collection"))), ("follows", map(follow, least: 1)),
      ], required: ["almanac", "source", "command", "collections", "follows"])
  }

  private static var head: [(String, JSONValue)] {
    [
      ("$schema", text()), ("almanac", ["const": 1]), ("source", text("^[a-z][a-z0-9-]{0,47}$")), ("title", text()),
      ("docs", text()),
    ]
  }

  private static var complete: JSONValue { ["anyOf": [flag, reference("interval")]] }

  private static var auth: JSONValue {
    let oauth: [(String, JSONValue)] = [
      ("grant", ["enum": ["client", "refresh"]]), ("token", text()), ("scope", text()),
      ("client", ["enum": ["basic", "body"]]),
    ]
    let placed: [(String, JSONValue)] = [
      ("bearer", text()), ("basic", text()), ("headers", texts), ("query", texts), ("body", texts),
    ]
    let login = object(
      [
        ("get", text()), ("post", text()), ("form", ["type": "object"]), ("take", reference("place")),
        ("lasts", reference("interval")),
      ] + placed.dropLast() + [("body", [:])], required: ["take"], oneOf: ["get", "post"])
    let current = object(
      [
        ("key", list(text())), ("optional", flag),
        (
          "oauth2",
          object(oauth + [("send", texts), ("authorize", text()), ("device", text())], required: ["token"])
        ), ("login", login), ("address", list(text())),
      ] + placed, required: [],
      anyOf: ["oauth2", "login", "bearer", "basic", "headers", "query", "body", "address"])
    return ["anyOf": [["const": "bearer"], current]]
  }

  private static var budget: JSONValue {
    object(
      [
        ("calls", reference("whole")), ("per", reference("interval")), ("spacing", reference("interval")),
        ("withoutKey", reference("whole")),
      ], required: ["calls", "per"])
  }

  private static var error: JSONValue {
    let status: JSONValue = [
      "type": "integer", "minimum": .int(HTTPStatus.final.lowerBound), "maximum": .int(HTTPStatus.final.upperBound),
    ]
    return object(
      [
        ("status", oneOrMany(status)), ("header", texts), ("if", reference("conditions")),
        ("means", ["enum": .array(SourceDefinition.ErrorRule.Meaning.allCases.map { .string($0.rawValue) })]),
        ("code", reference("path")), ("message", reference("path")), ("text", text()),
        ("after", ["anyOf": [reference("interval"), text("^(epoch )?header [^ ]+$")]]),
      ], required: ["means"])
  }

  private static var pages: JSONValue {
    let count: JSONValue = ["type": "integer", "minimum": 0]
    return object(
      [
        ("link", text()), ("next", ["anyOf": [reference("place"), text(#"^[/?].*\{"#)]]),
        ("cursor", map(reference("place"), least: 1)), ("page", count),
        ("offset", count), ("last", map(reference("path"), least: 1)), ("size", reference("whole")),
        ("count", reference("place")), ("pages", reference("place")),
        ("more", ["anyOf": [reference("place"), reference("conditions")]]),
        ("most", reference("whole")),
      ], required: [])
  }

  private static var collection: JSONValue {
    object(
      [
        ("id", oneOrMany(text())), ("fields", reference("fields")), ("name", text()), ("table", list(text())),
        ("media", list(text())),
        ("history", object([("keep", text()), ("daily", list(text())), ("quiet", list(text()))], required: [])),
      ],
      required: ["id", "fields"])
  }

  private static var fields: JSONValue {
    [
      "type": "object", "propertyNames": ["pattern": "^[a-z][A-Za-z0-9]*$"],
      "additionalProperties": ["anyOf": [reference("field"), reference("fields")]],
    ]
  }

  private static var take: JSONValue { object([("columns", reference("path"))] + selection, required: []) }

  private static var selection: [(String, JSONValue)] {
    [
      ("records", reference("path")), ("only", reference("conditions")), ("gone", reference("conditions")),
      ("into", text()), ("id", oneOrMany(text())), ("fields", reference("fields")),
    ]
  }

  private static var format: JSONValue { ["enum": ["lines", "csv", "csv;", "xml"]] }

  private static var since: JSONValue {
    object(
      [
        ("field", text()), ("token", reference("place")), ("form", ["const": "text"]),
        ("first", text()), ("last", text()), ("step", reference("interval")), ("overlap", reference("interval")),
        ("newestFirst", flag),
      ], required: [])
  }

  private static var edits: JSONValue {
    object(
      [
        ("read", ["anyOf": [text(), read]]), ("record", text(#"^\$([.\[]|$)"#)), ("version", reference("place")),
        ("headers", texts), ("update", reference("change")), ("create", reference("create")),
        ("delete", ["anyOf": [text(), removal]]),
      ],
      required: ["read"], anyOf: ["update", "create", "delete"])
  }

  private static var read: JSONValue {
    object([("post", text()), ("body", [:]), ("form", ["type": "object"])], required: ["post"])
  }

  private static var removal: JSONValue {
    object(
      [("post", text()), ("delete", text()), ("send", reference("sent")), ("form", reference("sent"))], required: [],
      oneOf: ["post", "delete"], anyOf: ["send", "form"])
  }

  private static var create: JSONValue {
    let find = object([("get", text()), ("records", reference("path"))], required: ["get"])
    return object(
      [
        ("post", text()), ("send", oneOrMany(reference("sent"))), ("form", reference("sent")),
        ("record", reference("path")), ("key", text()), ("find", find),
      ], required: ["post"], oneOf: ["send", "form"])
  }

  private static var change: JSONValue {
    object(
      [
        ("put", text()), ("patch", text()), ("post", text()), ("send", reference("sent")), ("form", reference("sent")),
        ("whole", flag),
      ], required: [], oneOf: ["put", "patch", "post"], anyOf: ["send", "form"])
  }

  private static var sent: JSONValue {
    map(
      [
        "anyOf": [
          text("^((text|int|decimal) +)?[^ ]+$"), text("^'.*'$"), reference("sent"),
          ["type": ["number", "boolean", "null", "array"]],
        ]
      ], least: 1)
  }

  private static var setting: JSONValue {
    let text: JSONValue = ["type": ["string", "number"]]
    return object(
      [
        ("values", ["anyOf": [map(["type": ["string", "number"]]), oneOrMany(text)]]),
        ("default", ["type": ["string", "number", "boolean"]]), ("about", Self.text()), ("of", Self.text()),
        ("optional", flag),
      ],
      required: [])
  }

  private static var option: JSONValue {
    object(
      [
        ("values", oneOrMany(text())), ("kind", ["enum": ["text", "int", "bool"]]),
        ("default", ["type": ["string", "integer", "boolean"]]), ("about", text()),
      ], required: [])
  }

  private static var follow: [(String, JSONValue)] {
    [
      ("for", values), ("about", text()), ("example", text()), ("with", map(reference("option"))),
      (
        "limit",
        [
          "anyOf": [
            reference("whole"),
            object([("default", reference("whole")), ("most", reference("whole"))], required: ["default"]),
          ]
        ]
      ), ("every", reference("interval")),
    ]
  }

  private static var child: [(String, JSONValue)] {
    [
      ("for", values),
      ("when", ["enum": .array(SourceDefinition.Child.Occasion.allCases.map { .string($0.rawValue) })]),
    ]
  }

  /// The values of variables: a place in the record, texts, or another variable.
  private static var values: JSONValue {
    map(["anyOf": [text(#"^(\$|\^|#|\{)"#), list(["type": ["string", "number"]])]], least: 1)
  }

  private static var errors: JSONValue { ["type": "array", "minItems": 1, "items": reference("error")] }

  private static func request(_ members: [(String, JSONValue)], required: [String]) -> JSONValue {
    let common: [(String, JSONValue)] = [
      ("get", ["type": "string"]), ("post", ["type": "string"]), ("body", [:]), ("form", ["type": "object"]),
      ("headers", texts),
      ("pages", reference("pages")), ("take", oneOrMany(reference("take"))),
      ("each", oneOrMany(reference("child"))), ("since", reference("since")), ("complete", complete),
      ("errors", errors), ("format", format), ("auth", reference("auth")),
    ]
    return object(common + members, required: required, oneOf: ["get", "post"])
  }

  private static var texts: JSONValue { map(text()) }
  private static var flag: JSONValue { ["type": "boolean"] }

  private static func text(_ pattern: String? = nil) -> JSONValue {
    guard let pattern else { return ["type": "string", "minLength": 1] }
    return ["type": "string", "pattern": .string(pattern)]
  }

  private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

  private static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "minItems": 1, "items": items] }

  private static func oneOrMany(_ value: JSONValue) -> JSONValue { ["anyOf": [value, list(value)]] }

  private static func map(_ values: JSONValue, least: Int = 0) -> JSONValue {
    ["type": "object", "minProperties": .int(least), "additionalProperties": values]
  }

  /// An object with these members.
  ///
  /// - Parameters:
  ///   - required: members that it must have.
  ///   - oneOf: members of which it must have exactly one.
  ///   - anyOf: members of which it must have at least one.
  private static func object(
    _ members: [(String, JSONValue)], required: [String], oneOf: [String] = [], anyOf: [String] = []
  ) -> JSONValue {
    var schema: JSONObject = [
      "type": "object",
      "properties": .object(JSONObject(members: members.map { JSONObject.Member(key: $0.0, value: $0.1) })),
      "required": .array(required.map { .string($0) }), "additionalProperties": false,
    ]
    for (key, names) in [("oneOf", oneOf), ("anyOf", anyOf)] where !names.isEmpty {
      schema.append(key, .array(names.map { ["required": [.string($0)]] }))
    }
    return .object(schema)
  }
}
