import Models

/// The schemas of what the services make of the records, and of edits.
extension OpenAPI {
  /// The details of a person in an edit; null removes one.
  static var personDetails: [JSONObject.Member] {
    return ContactDetails.schema.filter { ContactDetails.editableFields.contains($0.name) }.map { field in
      let type: JSONValue =
        switch field.kind {
        case .text: text
        case .texts: list(text)
        case .object: ["type": "object", "properties": ["data": text, "url": text]]
        default: list(item(field.members))
        }
      return JSONObject.Member(key: field.name, value: ["anyOf": [type, ["type": "null"]]])
    }
  }

  /// An object of a list, which has texts.
  private static func item(_ members: [RecordField]) -> JSONValue {
    let required = members.filter { !$0.isOptional }
    let properties = members.map { member -> JSONObject.Member in
      let type: JSONValue = required == [member] ? ["type": "string", "minLength": 1] : text
      return .init(key: member.name, value: member.kind == .flag ? ["type": "boolean"] : type)
    }
    var item: JSONObject = ["type": "object", "properties": .object(JSONObject(members: properties))]
    // One of several is not said: an address with all parts empty is refused by the reader alone.
    if required.count == 1 { item.append("required", .array(required.map { .string($0.name) })) }
    item.append("additionalProperties", false)
    return .object(item)
  }

  /// What a commit changed, with what is known of the commit.
  private static func changed(_ members: JSONObject, required: [JSONValue]) -> JSONValue {
    let commit: JSONObject = [
      "commit": number, "at": time, "by": text, "follow": text, "run": text, "command": text, "of": text,
      "moved": list(list(text)),
    ]
    return [
      "type": "object", "required": .array(required),
      "properties": .object(JSONObject(members: commit.members + members.members)),
    ]
  }

  static var serviceSchemas: [JSONObject.Member] {
    [
      schema(
        "OutboxEntries",
        [
          "items": list([
            "allOf": [ref("OutboxEntry"), ["type": "object", "properties": ["waitsFor": ref("EditHold")]]]
          ])
        ], required: ["items"]),
      schema("Proposals", ["items": list(ref("Proposal"))], required: ["items"]),
      schema(
        "Proposal",
        [
          "id": text, "target": text, "kind": ["type": "string", "enum": ["put", "post", "delete"]],
          "state": ["type": "string", "enum": ["proposed", "conflict"]], "fields": ["type": "object"],
          "base": ["type": "object"], "theirs": ["type": "object"], "proposedBy": text, "createdAt": time,
          "expiresAt": time,
        ], required: ["id", "target", "kind", "state", "fields", "base", "proposedBy", "createdAt", "expiresAt"]),
      schema(
        "Approval",
        [
          "theirs": [
            "type": "object",
            "description": "for a proposal in conflict: its 'theirs' of which the decision is; another one is refused",
          ],
          "mine": [
            "type": "array", "items": text,
            "description": "with 'theirs': the fields in which the proposal wins; the others of 'theirs' stay",
          ],
        ], isClosed: true),
      schema("EditHold", ["process": text, "until": time], required: ["process", "until"]),
      schema(
        "Resolution",
        [
          "take": [
            "type": "string", "enum": ["mine", "theirs"], "description": "who wins in every field in conflict",
          ],
          "mine": [
            "type": "array", "items": words,
            "description":
              "in place of 'take': the fields in which the edit wins; in the others in conflict, the server",
          ],
        ], isClosed: true),
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
        "WaitingNotifications",
        ["receivers": list(text), "states": list(ref("ReceiverState")), "items": list(ref("WaitingNotification"))],
        required: ["receivers", "states", "items"]),
      schema(
        "WaitingNotification",
        ["target": text, "id": text, "title": text, "attempts": number, "next": time, "error": text],
        required: ["target", "id", "title", "attempts"]),
      schema(
        "ReceiverState",
        ["receiver": text, "waiting": number, "lastDelivery": time, "error": text, "failedAt": time],
        required: ["receiver", "waiting"]),
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
        "RecordChanges",
        [
          "items": list(
            changed(
              ["collection": text, "id": text, "kind": text, "was": ["type": "object"], "now": ["type": "object"]],
              required: ["commit", "collection", "id", "kind"])), "more": flag,
        ], required: ["items", "more"]),
      schema(
        "Blame", ["items": list(changed(["field": text, "value": [:]], required: ["field", "value"]))],
        required: ["items"]),
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
}
