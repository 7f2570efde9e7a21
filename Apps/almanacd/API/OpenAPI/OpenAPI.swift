import Hummingbird
import Models

/// The description of the API (OpenAPI 3.1), as it is served at `/openapi.json`. It follows from the operations.
enum OpenAPI {
  static func document(_ operations: [Operation], base: String, _ catalog: CollectionCatalog) -> JSONObject {
    var paths = JSONObject()
    for operation in operations.flatMap({ $0.described(catalog) }) {
      let path = operation.path.replacing("…}", with: "}")
      var item = paths[path]?.object ?? [:]
      item[operation.method.rawValue.lowercased()] = .object(description(operation))
      paths[path] = .object(item)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Almanac's daemon", "version": .string(DaemonVersion.current),
        "summary": "The local copy of what you follow, how fresh it is, and edits to it.",
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": .string(base + "/")]],
      "security": [["token": []], ["session": []]],
      "paths": .object(paths),
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "The content of the file `token` in the store's folder.",
          ],
          "session": ["type": "apiKey", "in": "cookie", "name": .string(Access.cookie)],
        ],
        "schemas": .object(JSONObject(members: schemas + recordSchemas(catalog) + serviceSchemas)),
        "responses": .object(
          JSONObject(members: refusals.map { .init(key: "\($0)", value: problem($1)) })),
      ],
    ]
  }

  private static func description(_ operation: Operation) -> JSONObject {
    var fields: JSONObject = ["summary": .string(operation.summary), "operationId": .string(operation.id)]
    if operation.access == .open { fields.append("security", .array([])) }
    let parameters = parameters(of: operation)
    if !parameters.isEmpty { fields.append("parameters", .array(parameters)) }
    if let body = operation.body {
      var content: JSONObject = ["application/json": ["schema": body.schema]]
      if operation.method == .patch { content.append("application/merge-patch+json", ["schema": body.schema]) }
      fields.append("requestBody", ["required": .bool(body.isNeeded), "content": .object(content)])
    }
    var responses = JSONObject()
    let description = JSONValue.string(operation.summary)
    for answer in operation.answers {
      switch answer {
      case .schema(let status, let schema):
        responses.append(
          "\(status.code)", ["description": description, "content": ["application/json": ["schema": schema]]])
      case .jsonOrText(let schema):
        responses.append("200", ["description": description, "content": orText("application/json", schema)])
      case .media(let type):
        responses.append("200", ["description": description, "content": .object([type: ["schema": text]])])
      case .empty: responses.append("204", ["description": description])
      }
    }
    if case .readsTagged = operation.effect {
      responses.append("304", ["description": "What the client has is still true."])
    }
    for status in operation.statuses.sorted() {
      if status == 503, case .jsonOrText? = operation.answers.first {
        let content = orText("application/problem+json", ref("Problem"))
        responses.append("503", ["description": "Not ready, with the reason.", "content": content])
      } else {
        responses.append("\(status)", ["$ref": .string("#/components/responses/\(status)")])
      }
    }
    fields.append("responses", .object(responses))
    return fields
  }

  /// The id in the path, the query, and the headers: its own, and those that follow from the effect.
  private static func parameters(of operation: Operation) -> [JSONValue] {
    var headers = operation.headers
    if case .readsTagged = operation.effect { headers.append(ifNoneMatch) }
    if case .edits = operation.effect { headers.append(ifMatch) }
    if operation.takesKey { headers.append(idempotencyKey) }
    let id = Parameter("id", operation.idText, ["type": "string", "minLength": 1], isNeeded: true)
    return (operation.hasID ? [parameter(id, in: "path")] : []) + operation.query.map { parameter($0, in: "query") }
      + headers.map { parameter($0, in: "header") }
  }

  private static func parameter(_ parameter: Parameter, in place: String) -> JSONValue {
    [
      "name": .of(parameter.name), "in": .of(place), "description": .of(parameter.text), "schema": parameter.schema,
      "required": parameter.isNeeded ? true : nil,
    ]
  }

  private static func orText(_ type: String, _ schema: JSONValue) -> JSONValue {
    .object([type: ["schema": schema], "text/plain": ["schema": text]])
  }

  private static func problem(_ text: String) -> JSONValue {
    ["description": .string(text), "content": ["application/problem+json": ["schema": ref("Problem")]]]
  }

  static func ref(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }

  private static let ifMatch = Parameter(
    "If-Match", "the ETag of the record; the edit is refused with 412 where another state is stored")

  private static let ifNoneMatch = Parameter(
    "If-None-Match", "the ETag of the answer that the client has; 304 where it is still true")

  private static let idempotencyKey = Parameter(
    "Idempotency-Key",
    "a key of the client's own: the same request with the same key is done once, and gets the same answer for a day",
    ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"])

  private static let refusals = [
    (400, "The request cannot be read."), (401, "The token is missing or wrong."),
    (403, "A page from elsewhere asked, or a token that may only read."), (404, "There is no such thing."),
    (409, "It is there already, or a request with the same Idempotency-Key is being answered."),
    (410, "The changes after this cursor are not kept any more."),
    (412, "Another state of the record is stored."), (413, "The body is too large."),
    (415, "The body is not application/json."), (421, "The Host is not this daemon's."),
    (422, "The body says something that is not allowed."),
    (502, "Another server did not answer, or refused the request."), (503, "Try again later."),
    (507, "The disk of the store is full."),
  ]
}
