import Models

/// The description of the API (OpenAPI 3.1), as it is served at `/openapi.json`.
enum OpenAPI {
  /// The whole document.
  ///
  /// - Parameters:
  ///   - base: the path of the public address.
  ///   - catalog: the collections that can be asked for.
  static func document(base: String, _ catalog: CollectionCatalog) -> JSONObject {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "Almanac's daemon", "version": .string(DaemonVersion.current),
        "summary": "The local copy of what you follow, how fresh it is, and edits to it.",
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": .string(base + "/")]],
      "security": [["token": []], ["session": []]],
      "paths": .object(JSONObject(members: paths + recordPaths(catalog) + servicePaths)),
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "The content of the file `token` in the store's folder.",
          ],
          "session": ["type": "apiKey", "in": "cookie", "name": .string(Access.cookie)],
        ],
        "schemas": .object(JSONObject(members: schemas + recordSchemas(catalog) + serviceSchemas)),
        "responses": .object(JSONObject(members: refusals)),
      ],
    ]
  }

  private static var paths: [JSONObject.Member] {
    [
      path("/healthz", get: operation("Alive", "health", open: true, answers: [("200", ref("Health"))])),
      path(
        "/readyz",
        get: operation(
          "At work", "readiness", open: true, alsoText: true, answers: [("200", ref("Health"))], refusals: ["503"])),
      path("/metrics", get: operation("Metrics as Prometheus reads them", "metrics", media: "text/plain")),
      path("/openapi.json", get: operation("This document", "description", answers: [("200", ["type": "object"])])),
      path(
        "/api/v1/status",
        get: operation(
          "The status of follows, store and outbox", "status", answers: [("200", ref("Status"))], refusals: ["400"])),
      path(
        "/api/v1/collections",
        get: operation(
          "The collections", "listCollections", answers: [("200", ref("Collections"))], refusals: ["400"])),
      path(
        "/api/v1/sources",
        get: operation(
          "The sources, and the forms that paths of follows can have", "listSources",
          answers: [("200", ref("Sources"))], refusals: ["400"])),
      path(
        "/api/v1/follows",
        get: operation("What is followed", "listFollows", answers: [("200", ref("Follows"))], refusals: ["400"]),
        post: operation(
          "Follows a path; of one that is followed, changes what is named", "follow", body: ref("NewFollow"),
          bodyIsRequired: true, answers: [("200", ref("Follow")), ("201", ref("Follow"))],
          refusals: ["400", "409", "413", "415", "422"])),
      path(
        "/api/v1/follows/{id}",
        delete: operation(
          "Ends a follow; its records stay", "unfollow",
          parameters: [id("the follow's path; slashes may be escaped or not")], empty: "204",
          refusals: ["400", "404", "409"])),
      path(
        "/api/v1/sync",
        post: operation(
          "Starts a sync", "sync", body: ref("SyncRequest"), answers: [("202", ref("StartedRun"))],
          refusals: ["400", "409", "413", "415", "422", "503"])),
      path(
        "/api/v1/runs/{id}",
        get: operation(
          "The state of a run", "run", parameters: [id("the run's id")], answers: [("200", ref("Run"))],
          refusals: ["400", "404"])),
      path(
        "/api/v1/events",
        get: operation(
          "Server-sent events named `progress`, `commit`, and `reset` where some are missing",
          "events", parameters: [lastEventID, lastEvent], media: "text/event-stream", refusals: ["400", "503"])),
      path(
        "/api/v1/people",
        post: operation(
          "Adds a person here", "addPerson", body: ref("NewPerson"), bodyIsRequired: true,
          answers: [("201", ref("Person"))], refusals: ["400", "409", "413", "415", "422"])),
      path(
        "/api/v1/profiles/{id}",
        patch: operation(
          "Edits a profile here and queues the edit", "editProfile", parameters: [id("the profile's id")],
          body: ref("ProfileChange"), answers: [("200", ref("Profile"))],
          refusals: ["400", "404", "412", "413", "415", "422"])),
      path(
        "/api/v1/login-codes",
        post: operation(
          "A code that opens the dashboard once: /login?code=…", "loginCode", body: ref("Nothing"),
          answers: [("201", ref("LoginCode"))], refusals: ["400", "413", "415", "422"])),
      path(
        "/api/v1/tokens",
        get: operation("The named tokens", "listTokens", answers: [("200", ref("Tokens"))], refusals: ["400"]),
        post: operation(
          "Makes a named token; its secret is shown only once", "makeToken", body: ref("NewToken"),
          bodyIsRequired: true,
          answers: [("201", ref("MadeToken"))], refusals: ["400", "409", "413", "415", "422"])),
      path(
        "/api/v1/tokens/{id}",
        delete: operation(
          "Revokes a named token", "revokeToken", parameters: [id("the token's name")], empty: "204",
          refusals: ["400", "404"])),
      path(
        "/api/v1/token-rotations",
        post: operation(
          "Replaces the daemon's token; the old one is refused from then on", "rotateToken", body: ref("Nothing"),
          answers: [("201", ref("RotatedToken"))], refusals: ["400", "413", "415", "422"])),
      path(
        "/api/v1/sessions",
        get: operation(
          "The sessions of browsers", "listSessions", answers: [("200", ref("Sessions"))], refusals: ["400"]),
        delete: operation("Revokes every session", "revokeSessions", empty: "204", refusals: ["400"])),
      path(
        "/api/v1/sessions/{id}",
        delete: operation(
          "Revokes a session", "revokeSession", parameters: [id("the session's id")], empty: "204",
          refusals: ["400", "404"])),
    ]
  }

  static func path(
    _ path: String, get: JSONValue? = nil, post: JSONValue? = nil, patch: JSONValue? = nil, delete: JSONValue? = nil
  ) -> JSONObject.Member {
    var item = JSONObject()
    item.append("get", validated.contains(where: path.hasPrefix) ? get.map(withValidators) : get)
    item.append(
      "post", IdempotencyKeys.secretPaths.contains(path) ? post : post.map { adding($0, parameters: [idempotencyKey]) })
    item.append("patch", patch.map { adding(withPatch($0), parameters: [ifMatch]) })
    item.append("delete", delete)
    return JSONObject.Member(key: path, value: .object(item))
  }

  /// The beginnings of the paths whose answers have an entity tag.
  private static let validated = [
    "/api/v1/collections/", "/api/v1/outbox", "/api/v1/charts/", "/api/v1/birthdays", "/api/v1/media",
    "/api/v1/photos",
    "/calendars/",
  ]

  private static func withValidators(_ operation: JSONValue) -> JSONValue {
    guard var object = adding(operation, parameters: [ifNoneMatch]).object,
      var responses = object["responses"]?.object
    else { return operation }
    responses.append("304", ["description": "What the client has is still true."])
    object["responses"] = .object(responses)
    return .object(object)
  }

  private static func withPatch(_ operation: JSONValue) -> JSONValue {
    guard var object = operation.object, var body = object["requestBody"]?.object,
      var content = body["content"]?.object, let schema = content["application/json"]
    else { return operation }
    content.append("application/merge-patch+json", schema)
    body["content"] = .object(content)
    object["requestBody"] = .object(body)
    return .object(object)
  }

  private static func adding(_ operation: JSONValue, parameters: [JSONValue]) -> JSONValue {
    guard var object = operation.object else { return operation }
    object["parameters"] = .array((object["parameters"]?.array ?? []) + parameters)
    return .object(object)
  }

  static func operation(
    _ summary: String, _ id: String, open: Bool = false, alsoText: Bool = false, parameters: [JSONValue] = [],
    body: JSONValue? = nil,
    bodyIsRequired: Bool = false, media: String? = nil, answers: [(String, JSONValue)] = [],
    empty: String? = nil, refusals: [String] = []
  ) -> JSONValue {
    var responses = JSONObject()
    for (status, schema) in answers {
      responses.append(
        status,
        ["description": .string(summary), "content": content("application/json", schema, alsoText: alsoText)])
    }
    if let empty { responses.append(empty, ["description": .string(summary)]) }
    if let media {
      responses.append(
        "200",
        [
          "description": .string(summary),
          "content": .object([media: ["schema": ["type": "string"]]]),
        ])
    }
    // What changes something may find the disk of the store full; a DELETE may come with a body.
    let writes = (body != nil || empty != nil ? ["507"] : []) + (empty != nil ? ["413", "415"] : [])
    // A 400 says that the request is read. What can be read wrong has something to do, for which the store is needed.
    let store = refusals.isEmpty ? [] : ["503"]
    for status in Set(refusals + writes + store + (open ? [] : ["401"]) + ["403", "421"]).sorted() {
      let isText = alsoText && status == "503"
      responses.append(
        status,
        isText
          ? [
            "description": "Not ready, with the reason.",
            "content": content("application/problem+json", ref("Problem"), alsoText: true),
          ] : ["$ref": .string("#/components/responses/\(status)")])
    }
    var operation: JSONObject = ["summary": .string(summary), "operationId": .string(id)]
    if open { operation.append("security", .array([])) }
    if !parameters.isEmpty { operation.append("parameters", .array(parameters)) }
    if let body {
      operation.append(
        "requestBody", ["required": .bool(bodyIsRequired), "content": ["application/json": ["schema": body]]])
    }
    operation.append("responses", .object(responses))
    return .object(operation)
  }

  private static func content(_ type: String, _ schema: JSONValue, alsoText: Bool) -> JSONValue {
    var content: JSONObject = [type: ["schema": schema]]
    if alsoText { content.append("text/plain", ["schema": ["type": "string"]]) }
    return .object(content)
  }

  static func ref(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }

  static func id(_ text: String) -> JSONValue {
    [
      "name": "id", "in": "path", "required": true, "description": .string(text),
      "schema": ["type": "string", "minLength": 1],
    ]
  }

  /// A parameter of the query.
  static func parameter(_ name: String, _ description: String, _ schema: JSONValue) -> JSONValue {
    ["name": .string(name), "in": "query", "description": .string(description), "schema": schema]
  }

  private static let lastEventID: JSONValue = [
    "name": "Last-Event-ID", "in": "header", "description": "the id of the last event that was seen",
    "schema": ["type": "string"],
  ]

  private static let lastEvent = parameter(
    "lastEventID", "the same, for clients that cannot set headers", ["type": "string"])

  private static var refusals: [JSONObject.Member] {
    [
      ("400", "The request cannot be read."), ("401", "The token is missing or wrong."),
      ("403", "A page from elsewhere asked, or a token that may only read."), ("404", "There is no such thing."),
      ("409", "It is there already, or a request with the same Idempotency-Key is being answered."),
      ("410", "The changes after this cursor are not kept any more."),
      ("412", "Another state of the record is stored."), ("413", "The body is too large."),
      ("415", "The body is not application/json."), ("421", "The Host is not this daemon's."),
      ("422", "The body says something that is not allowed."),
      ("502", "Another server did not answer, or refused the request."), ("503", "Try again later."),
      ("507", "The disk of the store is full."),
    ].map { status, text in
      JSONObject.Member(
        key: status,
        value: [
          "description": .string(text), "content": ["application/problem+json": ["schema": ref("Problem")]],
        ])
    }
  }
}
