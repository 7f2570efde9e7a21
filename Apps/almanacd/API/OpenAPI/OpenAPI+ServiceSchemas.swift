import Models

/// The schemas of what the services make of the records, and of edits.
extension OpenAPI {
  /// The details of a person in an edit; null removes one.
  static var personDetails: [JSONObject.Member] {
    ContactDetails.schema.filter { ContactDetails.editableFields.contains($0.name) }.map { field in
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
      .init(key: member.name, value: required == [member] ? words : member.kind == .flag ? flag : text)
    }
    // One of several is not said: an address with all parts empty is refused by the reader alone.
    return object(properties, required: required.count == 1 ? required.map(\.name) : [], isClosed: true)
  }

  /// What a commit changed, with what is known of the commit.
  private static func changed(_ members: JSONObject, required: [String]) -> JSONValue {
    let commit: JSONObject = [
      "commit": number, "at": time, "by": text, "follow": text, "run": text, "command": text, "of": text,
      "moved": list(list(text)),
    ]
    return object(commit.members + members.members, required: required)
  }

  static var serviceSchemas: [JSONObject.Member] {
    let anything: JSONValue = ["type": "object"]
    return [
      schema(
        "OutboxEntries",
        [
          "items": list([
            "allOf": [ref("OutboxEntry"), ["type": "object", "properties": ["waitsFor": ref("EditHold")]]]
          ])
        ]),
      schema("Proposals", ["items": list(ref("Proposal"))]),
      schema(
        "Proposal",
        [
          "id": text, "target": text, "kind": choice(["put", "post", "delete"]),
          "state": choice(["proposed", "conflict"]), "fields": anything, "base": anything, "theirs?": anything,
          "proposedBy": text, "createdAt": time, "expiresAt": time,
        ]),
      schema(
        "Approval",
        [
          "theirs?": [
            "type": "object",
            "description": "for a proposal in conflict: its 'theirs' of which the decision is; another one is refused",
          ],
          "mine?": [
            "type": "array", "items": text,
            "description": "with 'theirs': the fields in which the proposal wins; the others of 'theirs' stay",
          ],
        ], isClosed: true),
      schema("EditHold", ["process": text, "until": time]),
      schema(
        "Resolution",
        [
          "take?": [
            "type": "string", "enum": ["mine", "theirs"], "description": "who wins in every field in conflict",
          ],
          "mine?": [
            "type": "array", "items": words,
            "description":
              "in place of 'take': the fields in which the edit wins; in the others in conflict, the server",
          ],
        ], isClosed: true),
      schema(
        "PeopleToSend", ["ids?": ["type": "array", "items": text, "minItems": 1], "to?": book], isClosed: true),
      schema(
        "QueuedPeople",
        ["entries": list(text), "leftOut": list(object(["id": text, "fullName": text, "reason": text]))]),
      personSchema(
        "PersonChange",
        [
          "firstName": ["type": ["string", "null"]], "lastName": ["type": ["string", "null"]],
          "fullName": ["type": ["string", "null"]], "birthday": ["anyOf": [birthday, ["type": "null"]]],
        ]),
      schema(
        "PictureFetch",
        [
          "state": choice(["idle", "waiting", "running", "done"]), "fetched": number, "failed": number,
          "left": number, "problem?": text, "at?": time,
        ]),
      schema(
        "WaitingNotifications",
        ["receivers": list(text), "states": list(ref("ReceiverState")), "items": list(ref("WaitingNotification"))]),
      schema(
        "WaitingNotification",
        ["target": text, "id": text, "title": text, "attempts": number, "next?": time, "error?": text]),
      schema(
        "ReceiverState",
        ["receiver": text, "waiting": number, "lastDelivery?": time, "error?": text, "failedAt?": time]),
      schema("NotificationTest", ["receiver": words], isClosed: true),
      schema("ChartEntries", ["items": list(ref("ChartEntry"))]),
      schema("ChartEntry", ["rank": number, "id": text, "name": text, "artist": text, "movement?": number]),
      schema(
        "ChartMovers", ["chart": text, "earlier?": time, "later": time, "items": list(ref("ChartMover"))]),
      schema(
        "ChartMover",
        ["id": text, "name": text, "from?": number, "to?": number, "change": choice(["up", "down", "new", "out"])]),
      schema(
        "RankHistory",
        ["name": text, "artist": text, "chart": text, "items": list(object(["observedAt": time, "rank?": number]))]),
      schema(
        "RecordChanges",
        [
          "items": list(
            changed(
              ["collection": text, "id": text, "name": text, "kind": text, "was": anything, "now": anything],
              required: ["commit", "collection", "id", "kind"])), "more": flag,
        ]),
      schema("Blame", ["items": list(changed(["field": text, "value": [:]], required: ["field", "value"]))]),
      schema(
        "FoundRecords",
        [
          "items": list(object(["collection": text, "id": text, "name": text, "field?": text, "text?": text])),
          "more": flag,
        ]),
      schema("PhotoListings", ["items": list(ref("PhotoListing")), "total": number, "next?": text]),
      schema(
        "PhotoListing",
        [
          "id": text, "title": text, "owner": text, "ownerID": text, "takenAt?": time, "pageURL": text,
          "thumbnailURL": text, "imageURL": text,
        ]),
      schema("Birthdays", ["items": list(ref("UpcomingBirthday"))]),
      schema(
        "UpcomingBirthday",
        [
          "id": text, "fullName": text, "birthday?": birthday, "date": ["type": "string", "format": "date"],
          "age?": number,
        ]),
      schema("Changes", ["items": list(ref("Change")), "more": flag, "next?": text]),
      schema(
        "Change",
        [
          "cursor": text, "at": time, "op": choice(["put", "delete"]), "collection": text, "id": text,
          "record?": ["type": "object", "additionalProperties": true],
        ]),
    ]
  }
}
