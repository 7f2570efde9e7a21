import Models
import Ports

extension OpenAPI {
  private static let rights = choice(Rights.allCases.map(\.rawValue))
  private static let tokenName: JSONValue = [
    "type": "string", "maxLength": 64,
    "pattern": "^[^/\\s\\x00-\\x1f\\x7f-\\x9f]+( [^/\\s\\x00-\\x1f\\x7f-\\x9f]+)*$",
  ]

  static var schemas: [JSONObject.Member] {
    [
      schema("Health", ["status": text]), schema("Tokens", ["items": list(ref("NamedToken"))]),
      schema("NamedToken", ["name": text, "rights": rights, "since": time, "lastUsed?": time]),
      schema("NewToken", ["name": tokenName, "rights": rights], isClosed: true),
      schema("MadeToken", ["name": text, "rights": rights, "token": text, "url?": text]),
      schema("RotatedToken", ["token": text]), schema("Sessions", ["items": list(ref("Session"))]),
      schema("Session", ["id": text, "since": time, "lastSeen": time, "browser": text, "current": flag]),
      schema(
        "Problem",
        [
          "type": text, "title": text, "status": number, "detail": text, "hint?": text, "code?": text, "kind?": text,
        ]),
      schema(
        "Failure",
        [
          "kind": text, "message": text, "hint?": text, "url?": text, "code?": text, "path?": text, "retryable": flag,
          "retryAfter?": number,
        ]),
      schema(
        "FollowStatus",
        [
          "follow": text, "origin?": origin, "state": choice(FollowStatus.State.allCases.map(\.rawValue)),
          "lastTry?": time, "lastSuccess?": time, "next?": time, "stale": flag, "paused?": flag, "changed?": flag,
          "pausedUntil?": time, "rejected?": number, "failures?": number, "failingSince?": time,
          "error?": ref("Failure"), "pause?": ref("Failure"), "pulledBy?": text,
        ]),
      schema("Outbox", ["sent": number, "pending": number, "conflict": number, "refused": number]),
      schema(
        "Status",
        [
          "follows?": list(ref("FollowStatus")),
          "store?": object(["records": number, "bytes": number, "behind": list(text)]), "outbox?": ref("Outbox"),
          "config": ref("ConfigState"), "problems?": list(ref("HealthProblem")), "daemon?": ref("DaemonRole"),
          "version": text,
        ]),
      schema("DaemonRole", ["role": choice(["leader", "member", "unknown"]), "holder?": text, "since?": time]),
      schema("ConfigState", ["readAt": time, "result": choice(["ok", "refused"]), "refusedAt?": time]),
      schema(
        "HealthProblem",
        [
          "part": choice(Health.Part.allCases.map(\.rawValue)), "message": text, "hint?": text, "code?": text,
          "since?": time,
        ]),
      schema("Collections", ["items": list(object(["name": text, "records": number]))]),
      schema("Sources", ["items": list(ref("Source"))]),
      schema(
        "Source",
        [
          "name": text, "summary": text, "note?": text,
          "forms": list(
            object(["template": text, "summary": text, "standardLimit?": number, "largestLimit?": number])),
          "options": list(object(["name": text, "expected": text, "help": text])),
          // Of a source that a file describes, where the file has mistakes.
          "mistakes?": list(
            object(["file": text, "line": number, "column": number, "path": text, "message": text])),
        ]),
      schema("Follows", ["items": list(ref("Follow"))]),
      schema("Follow", ["follow": text, "limit?": number, "every?": text, "paused?": flag, "origin?": origin]),
      // Options of the sources are members as well.
      schema(
        "NewFollow",
        [
          "follow": followPath, "limit?": ["type": ["integer", "null"], "minimum": 1],
          "every?": ["type": ["string", "null"], "pattern": "^([1-9][0-9]{0,3}[smhdw])+$"], "paused?": flag,
        ]),
      schema("SyncRequest", ["follows?": list(followPath)], isClosed: true), schema("StartedRun", ["run": text]),
      schema(
        "Counts",
        [
          "requests": number, "bytes": number, "added": number, "updated": number, "unchanged": number,
          "removed": number, "rejected": number,
        ]),
      schema(
        "FollowReport",
        [
          "follow": text, "status": choice(["ok", "unchanged", "partial", "failed"]), "requests?": number,
          "bytes?": number, "added?": number, "updated?": number, "unchanged?": number, "removed?": number,
          "rejected?": number, "rejectsKept?": number,
          "collections?": ["type": "object", "additionalProperties": ref("CollectionCounts")],
          "error?": ref("Failure"),
        ]),
      schema("CollectionCounts", ["added?": number, "updated?": number, "removed?": number]),
      schema(
        "Run",
        [
          "id": text, "state": choice(RunState.allCases.map(\.rawValue)), "startedAt": time,
          "finishedAt?": time, "follows?": list(ref("FollowReport")), "totals?": ref("Counts"),
          "outbox?": ref("Outbox"), "error?": ref("Failure"),
        ]),
      // That one of the names must be there is not said: of `anyOf` generators make a type for each case.
      personSchema(
        "NewPerson",
        [
          "firstName": text, "lastName": text, "fullName": text, "birthday": birthday, "to": book,
          "new": ["type": "boolean", "description": "whether this is another person than a stored one of these names"],
        ]),
      schema(
        "ProfileChange",
        ["name?": visible, "email?": visible, "description?": ["type": ["string", "null"]]], isClosed: true),
      schema("Nothing", [:], isClosed: true), schema("LoginCode", ["code": text]),
    ]
  }

  static let text: JSONValue = ["type": "string"]
  /// A text that is not empty.
  static let words: JSONValue = ["type": "string", "minLength": 1]
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
    "type": "string", "enum": texts(Follow.Origin.allCases.map(\.rawValue)),
    "description": "with a store on a server: whether the store keeps the follow, or the config file of this machine",
  ]

  private static let followPath: JSONValue = [
    "type": "string", "minLength": 1,
    "description": "as the config writes it: app-store/us/top-free, users/ada, people; 422 says what a source takes",
  ]

  static func list(_ element: JSONValue) -> JSONValue { ["type": "array", "items": element] }

  static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }

  static func choice(_ values: [String]) -> JSONValue { ["type": "string", "enum": texts(values)] }

  static func object(
    _ members: [JSONObject.Member], required: [String] = [], isClosed: Bool = false
  ) -> JSONValue {
    [
      "type": "object", "properties": .object(JSONObject(members: members)),
      "required": required.isEmpty ? nil : texts(required), "additionalProperties": isClosed ? false : nil,
    ]
  }

  /// An object of a literal, in which the names of the members that may be absent end with `?`.
  static func object(_ members: JSONObject, isClosed: Bool = false) -> JSONValue {
    object(
      members.members.map { .init(key: $0.key.replacing("?", with: ""), value: $0.value) },
      required: members.keys.filter { !$0.hasSuffix("?") }, isClosed: isClosed)
  }

  static func schema(_ name: String, _ members: JSONObject, isClosed: Bool = false) -> JSONObject.Member {
    .init(key: name, value: object(members, isClosed: isClosed))
  }

  /// What is written of a person: any of the members, and details.
  static func personSchema(_ name: String, _ members: JSONObject) -> JSONObject.Member {
    .init(key: name, value: object(members.members + personDetails, isClosed: true))
  }
}
