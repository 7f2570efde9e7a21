import Models

/// The operations on what the services make of the records, and on edits.
extension OpenAPI {
  static var servicePaths: [JSONObject.Member] {
    [
      path(
        "/api/v1/outbox",
        get: operation(
          "The edits that wait, oldest first", "listWaitingEdits", answers: [("200", ref("OutboxEntries"))],
          refusals: ["400"])),
      path(
        "/api/v1/outbox/{id}",
        get: operation(
          "An edit that waits", "getWaitingEdit", parameters: [entry], answers: [("200", ref("OutboxEntry"))],
          refusals: ["400", "404"])),
      path(
        "/api/v1/outbox/retry",
        post: operation(
          "Lets every refused edit wait again", "retryWaitingEdits", body: ref("Nothing"),
          answers: [("200", ref("OutboxEntries"))], refusals: post)),
      path(
        "/api/v1/outbox/{id}/retry",
        post: operation(
          "Lets a refused edit wait again", "retryWaitingEdit", parameters: [entry], body: ref("Nothing"),
          answers: [("200", ref("OutboxEntries"))], refusals: post + ["404"])),
      path(
        "/api/v1/outbox/{id}/discard",
        post: operation(
          "Drops an edit, and sets the record back to what the server last had", "discardWaitingEdit",
          parameters: [entry], body: ref("Nothing"), answers: [("200", ref("OutboxEntry"))],
          refusals: post + ["404"])),
      path(
        "/api/v1/outbox/{id}/resolve",
        post: operation(
          "Decides a conflict", "resolveConflict", parameters: [entry], body: ref("Resolution"), bodyIsRequired: true,
          answers: [("200", ref("OutboxEntry"))], refusals: post + ["404"])),
      path(
        "/api/v1/people/send",
        post: operation(
          "Queues people for sending", "sendPeople", body: ref("PeopleToSend"),
          answers: [("202", ref("QueuedPeople"))], refusals: post + ["404"])),
      path(
        "/api/v1/people/{id}",
        patch: operation(
          "Changes a person here", "editPerson", parameters: [id("the person's id")], body: ref("PersonChange"),
          answers: [("200", ref("Person"))], refusals: post + ["404", "412"]),
        delete: operation(
          "Removes a person here", "removePerson", parameters: [id("the person's id"), ifMatch], empty: "204",
          refusals: ["400", "404", "412"])),
      path(
        "/api/v1/charts/top",
        get: operation(
          "The newest ranks of a chart", "topOfChart", parameters: [chart(true), number("limit", 1...200)],
          answers: [("200", ref("ChartEntries"))], refusals: ["400", "404"])),
      path(
        "/api/v1/charts/movers",
        get: operation(
          "Who rose, fell, entered and left", "moversOfChart",
          parameters: [
            chart(true), number("limit", 1...1000),
            parameter(
              "since", "compared with which state: 12h, 7d or 4w ago",
              ["type": "string", "default": "7d", "pattern": "^[1-9][0-9]{0,3}[hdw]$"]),
          ], answers: [("200", ref("ChartMovers"))], refusals: ["400", "404"])),
      path(
        "/api/v1/charts/history",
        get: operation(
          "An app's ranks over time", "historyOfApp",
          parameters: [
            needed(parameter("app", "the App Store's id of the app, or its record's, fr/123", words)), chart(false),
          ], answers: [("200", ref("RankHistory"))], refusals: ["400", "404"])),
      path(
        "/api/v1/search",
        get: operation(
          "Records of every collection that contain all words", "search",
          parameters: [
            needed(parameter("words", "the words, separated by spaces", words)),
            parameter("in", "only this collection; repeatable", words), number("limit", 1...API.largestPage),
          ], answers: [("200", ref("FoundRecords"))], refusals: ["400", "404"])),
      path(
        "/api/v1/birthdays",
        get: operation(
          "The next birthdays, in order", "nextBirthdays",
          parameters: [
            number("days", 0...3660),
            parameter("on", "another day in place of today", ["type": "string", "format": "date"]),
            leapDay,
          ], answers: [("200", ref("Birthdays"))], refusals: ["400"])),
      path(
        "/api/v1/photos",
        get: operation(
          "Photos with their owners, the newest first", "listPhotosWithOwners",
          parameters: [
            parameter("owner", "the name or the id of an owner", words),
            parameter("follow", "the path of a follow that lists photos: flickr/search/cats", words),
            parameter("after", "'next' of the answer before", words), number("limit", 1...API.largestPage),
          ], answers: [("200", ref("PhotoListings"))], refusals: ["400", "404"])),
      path(
        "/api/v1/media",
        get: operation(
          "The kept picture of an address that a record names", "picture",
          parameters: [needed(parameter("url", "the address", words))], media: "image/*", refusals: ["400", "404"])),
      path(
        "/api/v1/media/fetch",
        get: operation(
          "What the last fetch of pictures brought, or that one is under way", "lastPictureFetch",
          answers: [("200", ref("PictureFetch"))], refusals: ["400"]),
        post: operation(
          "Begins to fetch the pictures that are missing", "fetchPictures", body: ref("Nothing"),
          answers: [("202", ref("PictureFetch"))], refusals: post)),
      calendarPath,
      path(
        "/api/v1/notifications",
        get: operation(
          "The receivers of notifications, and what waits for them", "listWaitingNotifications",
          answers: [("200", ref("WaitingNotifications"))], refusals: ["400"])),
      path(
        "/api/v1/notifications/test",
        post: operation(
          "Sends a test message to a receiver, once", "testNotifications", body: ref("NotificationTest"),
          bodyIsRequired: true, answers: [("200", ref("NotificationTest"))], refusals: post + ["404", "502"])),
      path(
        "/api/v1/changes",
        get: operation(
          "The changes after a cursor, oldest first; without one, every record comes first", "listChanges",
          parameters: [parameter("since", "'next' of the answer before", text), number("limit", 1...API.largestPage)],
          answers: [("200", ref("Changes"))], refusals: ["400", "410"])),
    ]
  }

  /// The calendar, at an address with a token of its own.
  static var calendarPath: JSONObject.Member {
    path(
      "/calendars/birthdays.ics",
      get: operation(
        "Everybody's birthday as iCalendar, for programs that subscribe to it", "calendar", open: true,
        parameters: [
          needed(parameter("token", "the secret of a token with the rights 'calendar'", words)),
          parameter("alarm", "an alarm so long before the day: 9h, 1d", text), leapDay,
        ], media: "text/calendar", refusals: ["400", "401"]))
  }

  private static let leapDay = parameter(
    "feb29", "where February 29 falls in other years", ["type": "string", "enum": ["feb28", "mar1"]])

  /// The details of a person in an edit; null removes one.
  static var personDetails: [JSONObject.Member] {
    let filled: JSONValue = ["type": "string", "minLength": 1]
    let value: JSONValue = [
      "type": "object", "required": ["value"], "properties": ["value": filled, "type": text],
    ]
    return ContactDetails.schema.filter { ContactDetails.editableFields.contains($0.name) }.map { field in
      let type: JSONValue =
        switch field.kind {
        case .text: text
        case .texts: list(text)
        default: list(field.name == "addresses" ? ["type": "object"] : value)
        }
      return JSONObject.Member(key: field.name, value: ["anyOf": [type, ["type": "null"]]])
    }
  }

  static var serviceSchemas: [JSONObject.Member] {
    [
      schema("OutboxEntries", ["items": list(ref("OutboxEntry"))], required: ["items"]),
      schema(
        "Resolution", ["take": ["type": "string", "enum": ["mine", "theirs"]]], required: ["take"], isClosed: true),
      schema("PeopleToSend", ["ids": ["type": "array", "items": text, "minItems": 1], "to": book], isClosed: true),
      schema(
        "QueuedPeople",
        [
          "entries": list(text),
          "leftOut": list([
            "type": "object", "required": ["id", "fullName", "reason"],
            "properties": ["id": text, "fullName": text, "reason": text],
          ]),
        ], required: ["entries", "leftOut"]),
      schema(
        "PersonChange",
        JSONObject(
          members: [
            ("firstName", ["type": ["string", "null"]]), ("lastName", ["type": ["string", "null"]]),
            ("fullName", ["type": ["string", "null"]]), ("birthday", ["anyOf": [birthday, ["type": "null"]]]),
          ].map { JSONObject.Member(key: $0, value: $1) } + personDetails), isClosed: true),
      schema(
        "PictureFetch",
        [
          "state": ["type": "string", "enum": ["idle", "waiting", "running", "done"]], "fetched": number,
          "failed": number,
          "left": number, "problem": text, "at": time,
        ], required: ["state", "fetched", "failed", "left"]),
      schema(
        "WaitingNotifications", ["receivers": list(text), "items": list(ref("WaitingNotification"))],
        required: ["receivers", "items"]),
      schema(
        "WaitingNotification",
        ["target": text, "id": text, "title": text, "attempts": number, "next": time, "error": text],
        required: ["target", "id", "title", "attempts"]),
      schema("NotificationTest", ["receiver": words], required: ["receiver"], isClosed: true),
      schema("ChartEntries", ["items": list(ref("ChartEntry"))], required: ["items"]),
      schema(
        "ChartEntry", ["rank": number, "id": text, "name": text, "artist": text, "movement": number],
        required: ["rank", "id", "name", "artist"]),
      schema(
        "ChartMovers",
        ["chart": text, "earlier": time, "later": time, "items": list(ref("ChartMover"))],
        required: ["chart", "later", "items"]),
      schema(
        "ChartMover",
        [
          "id": text, "name": text, "from": number, "to": number,
          "change": ["type": "string", "enum": ["up", "down", "new", "out"]],
        ], required: ["id", "name", "change"]),
      schema(
        "RankHistory",
        [
          "name": text, "artist": text, "chart": text,
          "items": list([
            "type": "object", "required": ["observedAt"], "properties": ["observedAt": time, "rank": number],
          ]),
        ], required: ["name", "artist", "chart", "items"]),
      schema(
        "FoundRecords",
        [
          "items": list([
            "type": "object", "required": ["collection", "id", "name"],
            "properties": ["collection": text, "id": text, "name": text, "field": text, "text": text],
          ]), "more": flag,
        ], required: ["items", "more"]),
      schema(
        "PhotoListings", ["items": list(ref("PhotoListing")), "total": number, "next": text],
        required: ["items", "total"]),
      schema(
        "PhotoListing",
        [
          "id": text, "title": text, "owner": text, "ownerID": text, "takenAt": time, "pageURL": text,
          "thumbnailURL": text, "imageURL": text,
        ], required: ["id", "title", "owner", "ownerID", "pageURL", "thumbnailURL", "imageURL"]),
      schema("Birthdays", ["items": list(ref("UpcomingBirthday"))], required: ["items"]),
      schema(
        "UpcomingBirthday",
        [
          "id": text, "fullName": text, "birthday": birthday, "date": ["type": "string", "format": "date"],
          "age": number,
        ], required: ["id", "fullName", "date"]),
      schema(
        "Changes", ["items": list(ref("Change")), "more": flag, "next": text], required: ["items", "more"]),
      schema(
        "Change",
        [
          "cursor": text, "at": time, "op": ["type": "string", "enum": ["put", "delete"]], "collection": text,
          "id": text, "record": ["type": "object", "additionalProperties": true],
        ], required: ["cursor", "at", "op", "collection", "id"]),
    ]
  }

  /// The header of edits that names the state of the record for which they were made.
  static let ifMatch: JSONValue = [
    "name": "If-Match", "in": "header",
    "description": "the ETag of the record; the edit is refused with 412 where another state is stored", "schema": text,
  ]

  /// The header of reads that names what the client has.
  static let ifNoneMatch: JSONValue = [
    "name": "If-None-Match", "in": "header",
    "description": "the ETag of the answer that the client has; 304 where it is still true", "schema": text,
  ]

  /// The header of requests that are not to be done twice.
  static let idempotencyKey: JSONValue = [
    "name": "Idempotency-Key", "in": "header",
    "description":
      "a key of the client's own: the same request with the same key is done once, and gets the same answer for a day",
    "schema": ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"],
  ]

  /// The refusals of a request with a body.
  private static let post = ["400", "409", "413", "415", "422"]
  private static let entry = id("the edit's id")
  private static let words: JSONValue = ["type": "string", "minLength": 1]

  private static func needed(_ parameter: JSONValue) -> JSONValue {
    guard var object = parameter.object else { return parameter }
    object.append("required", true)
    return .object(object)
  }

  private static func chart(_ isNeeded: Bool) -> JSONValue {
    let chart = parameter("chart", "the chart's path: app-store/fr/top-paid, with /GENRE for one genre", words)
    return isNeeded ? needed(chart) : chart
  }

  private static func number(_ name: String, _ range: ClosedRange<Int>) -> JSONValue {
    parameter(
      name, name == "days" ? "today and the following days" : "the maximum number",
      ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)])
  }
}
