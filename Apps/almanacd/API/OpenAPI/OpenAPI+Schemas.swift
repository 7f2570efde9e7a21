import Models
import Ports

extension OpenAPI {
  private static let rights: JSONValue = [
    "type": "string", "enum": .array(Rights.allCases.map { .string($0.rawValue) }),
  ]
  private static let tokenName: JSONValue = ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]

  static var schemas: [JSONObject.Member] {
    [
      schema("Health", ["status": text], required: ["status"]),
      schema("Tokens", ["items": list(ref("NamedToken"))], required: ["items"]),
      schema(
        "NamedToken", ["name": text, "rights": rights, "since": time, "lastUsed": time],
        required: ["name", "rights", "since"]),
      schema("NewToken", ["name": tokenName, "rights": rights], required: ["name", "rights"], isClosed: true),
      schema(
        "MadeToken", ["name": text, "rights": rights, "token": text, "url": text],
        required: ["name", "rights", "token"]),
      schema("RotatedToken", ["token": text], required: ["token"]),
      schema("Sessions", ["items": list(ref("Session"))], required: ["items"]),
      schema(
        "Session", ["id": text, "since": time, "lastSeen": time, "browser": text, "current": flag],
        required: ["id", "since", "lastSeen", "browser", "current"]),
      schema(
        "Problem",
        [
          "type": text, "title": text, "status": number, "detail": text, "hint": text, "code": text, "kind": text,
        ], required: ["type", "title", "status", "detail"]),
      schema(
        "Failure",
        [
          "kind": text, "message": text, "hint": text, "url": text, "code": text, "path": text, "retryable": flag,
          "retryAfter": number,
        ], required: ["kind", "message", "retryable"]),
      schema(
        "FollowStatus",
        [
          "follow": text, "origin": origin,
          "state": ["type": "string", "enum": .array(FollowStatus.State.allCases.map { .string($0.rawValue) })],
          "lastTry": time, "lastSuccess": time, "next": time, "stale": flag, "paused": flag, "changed": flag,
          "pausedUntil": time, "rejected": number, "failures": number, "failingSince": time, "error": ref("Failure"),
          "pause": ref("Failure"), "pulledBy": text,
        ],
        required: ["follow", "state", "stale"]),
      schema(
        "Outbox", ["sent": number, "pending": number, "conflict": number, "refused": number],
        required: ["sent", "pending", "conflict", "refused"]),
      schema(
        "Status",
        [
          "follows": list(ref("FollowStatus")),
          "store": [
            "type": "object", "required": ["records", "bytes", "behind"],
            "properties": ["records": number, "bytes": number, "behind": ["type": "array", "items": text]],
          ],
          "outbox": ref("Outbox"), "config": ref("ConfigState"), "problems": list(ref("HealthProblem")),
          "daemon": ref("DaemonRole"), "version": text,
        ], required: ["config", "version"]),
      schema(
        "DaemonRole",
        ["role": ["type": "string", "enum": ["leader", "member", "unknown"]], "holder": text, "since": time],
        required: ["role"]),
      schema(
        "ConfigState",
        ["readAt": time, "result": ["type": "string", "enum": ["ok", "refused"]], "refusedAt": time],
        required: ["readAt", "result"]),
      schema(
        "HealthProblem",
        [
          "part": ["type": "string", "enum": .array(Health.Part.allCases.map { .string($0.rawValue) })],
          "message": text, "hint": text, "code": text, "since": time,
        ], required: ["part", "message"]),
      schema(
        "Collections",
        [
          "items": list([
            "type": "object", "required": ["name", "records"], "properties": ["name": text, "records": number],
          ])
        ], required: ["items"]),
      schema("Sources", ["items": list(ref("Source"))], required: ["items"]),
      schema(
        "Source",
        [
          "name": text, "summary": text, "note": text,
          "forms": list([
            "type": "object", "required": ["template", "summary"],
            "properties": ["template": text, "summary": text, "standardLimit": number, "largestLimit": number],
          ]),
          "options": list([
            "type": "object", "required": ["name", "expected", "help"],
            "properties": ["name": text, "expected": text, "help": text],
          ]),
          // Of a source that a file describes, where the file has mistakes.
          "mistakes": list([
            "type": "object", "required": ["file", "line", "column", "path", "message"],
            "properties": ["file": text, "line": number, "column": number, "path": text, "message": text],
          ]),
        ], required: ["name", "summary", "forms", "options"]),
      schema("Follows", ["items": list(ref("Follow"))], required: ["items"]),
      schema(
        "Follow", ["follow": text, "limit": number, "every": text, "paused": flag, "origin": origin],
        required: ["follow"]),
      // Options of the sources are members as well.
      schema(
        "NewFollow",
        [
          "follow": followPath, "limit": ["type": ["integer", "null"], "minimum": 1],
          "every": ["type": ["string", "null"], "pattern": "^([1-9][0-9]{0,3}[smhdw])+$"], "paused": flag,
        ], required: ["follow"]),
      schema("SyncRequest", ["follows": list(followPath)], isClosed: true),
      schema("StartedRun", ["run": text], required: ["run"]),
      schema(
        "Counts",
        [
          "requests": number, "bytes": number, "added": number, "updated": number, "unchanged": number,
          "removed": number, "rejected": number,
        ], required: ["requests", "bytes", "added", "updated", "unchanged", "removed", "rejected"]),
      schema(
        "FollowReport",
        [
          "follow": text, "status": ["type": "string", "enum": ["ok", "unchanged", "partial", "failed"]],
          "requests": number, "bytes": number, "added": number, "updated": number, "unchanged": number,
          "removed": number, "rejected": number, "rejectsKept": number, "collections": map(ref("CollectionCounts")),
          "error": ref("Failure"),
        ], required: ["follow", "status"]),
      schema("CollectionCounts", ["added": number, "updated": number, "removed": number]),
      schema(
        "Run",
        [
          "id": text, "state": ["type": "string", "enum": ["queued", "running", "done", "failed", "interrupted"]],
          "startedAt": time, "finishedAt": time, "follows": list(ref("FollowReport")), "totals": ref("Counts"),
          "outbox": ref("Outbox"), "error": ref("Failure"),
        ], required: ["id", "state", "startedAt"]),
      // That one of the names must be there is not said: of `anyOf` generators make a type for each case.
      schema(
        "NewPerson",
        JSONObject(
          members: [
            ("firstName", text), ("lastName", text), ("fullName", text), ("birthday", birthday), ("to", book),
            (
              "new",
              ["type": "boolean", "description": "whether this is another person than a stored one of these names"]
            ),
          ].map { JSONObject.Member(key: $0, value: $1) } + personDetails), isClosed: true),
      schema(
        "ProfileChange",
        ["name": visible, "email": visible, "description": ["type": ["string", "null"]]], isClosed: true),
      schema("Nothing", [:], isClosed: true),
      schema("LoginCode", ["code": text], required: ["code"]),
    ]
  }

  static let text: JSONValue = ["type": "string"]
  /// A text that is not empty.
  static let words: JSONValue = ["type": "string", "minLength": 1]
  /// An address book that gets cards of people.
  static let book: JSONValue = [
    "type": ["string", "null"], "description": "the path of a followed address book that gets the card",
  ]
  /// Something beside white space (the property White_Space of Unicode, which `\s` means differently everywhere).
  private static let visible: JSONValue = [
    "type": "string",
    "pattern": #"[^\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]"#,
  ]
  static let number: JSONValue = ["type": "integer"]
  static let flag: JSONValue = ["type": "boolean"]
  static let time: JSONValue = ["type": "string", "format": "date-time"]
  static let birthday: JSONValue = [
    "type": "string", "description": "YYYY-MM-DD, or --MM-DD where the year is not known",
    "pattern": .string("^(\(year)-(\(everyYear))|\(leapYear)-02-29|--(\(everyYear))|--02-29)$"),
  ]
  private static let year = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
  /// Days of every year.
  private static let everyYear =
    "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
  private static let leapYear = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"

  private static let origin: JSONValue = [
    "type": "string", "enum": .array(Follow.Origin.allCases.map { .string($0.rawValue) }),
    "description": "with a store on a server: whether the store keeps the follow, or the config file of this machine",
  ]

  private static let followPath: JSONValue = [
    "type": "string", "minLength": 1,
    "description": "as the config writes it: app-store/us/top-free, users/ada, people; 422 says what a source takes",
  ]

  static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

  private static func map(_ element: JSONValue) -> JSONValue { ["type": "object", "additionalProperties": element] }

  static func schema(
    _ name: String, _ properties: JSONObject, required: [String] = [], isClosed: Bool = false
  ) -> JSONObject.Member {
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema.append("required", .array(required.map { .string($0) })) }
    if isClosed { schema.append("additionalProperties", false) }
    return JSONObject.Member(key: name, value: .object(schema))
  }
}
