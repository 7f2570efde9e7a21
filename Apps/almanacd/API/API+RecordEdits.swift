import Hummingbird
import Models
import Ports

extension API {
  /// Edits of records: made here at once, and queued for the remote.
  var recordEdits: [Operation] {
    [
      Operation(
        .post, "/api/v1/collections/{name}", "", "", effect: .adds,
        variant: { collection in
          collection.editing.new.map { new in
            Operation.Variant(
              id: "add\(collection.recordType)",
              summary: "Adds a record to \(collection.name) here, and queues it if its source takes it",
              answer: .json(.created, collection.recordType), body: .needed(new))
          }
        }
      ) { call in
        let name = try Self.collection(call)
        let record = try await call.services.editor(of: name).add(try call.anyObject(), alongside: call.note)
        var headers = Self.note(record, name, call)
        headers[.location] = Self.location(name, record["id"]?.string ?? "")
        return Response(.created, json: record, call.services.coder, headers: headers)
      },
      Operation(
        .patch, Self.recordPath, "", "", effect: .edits, idText: Self.recordID, refusals: [409],
        variant: { collection in
          collection.editing.change.map { change in
            Operation.Variant(
              id: "edit\(collection.recordType)",
              summary: "Edits a record of \(collection.name) here, and queues the edit if its source takes it",
              answer: .json(collection.recordType), body: .optional(change))
          }
        }
      ) { call in
        let (name, id) = (try Self.collection(call), call.rest(after: 4))
        let patch = call.body.isEmpty ? [:] : try call.anyObject()
        try await call.services.editor(of: name).edit(id, patch, ifStored: try call.expected(name, id))
        let bytes = try call.services.library.record(name, id)
        return call.answer(bytes, headers: Self.note(try call.services.coder.decode(bytes), name, call))
      },
      Operation(
        .delete, Self.recordPath, "", "", effect: .edits, idText: Self.recordID, refusals: [422],
        variant: { collection in
          collection.editing.isRemovable
            ? Operation.Variant(
              id: "remove\(collection.recordType)",
              summary: "Removes a record of \(collection.name) here, and queues the removal if its source takes it",
              answer: .empty) : nil
        }
      ) { call in
        let (name, id) = (try Self.collection(call), call.rest(after: 4))
        try await call.services.editor(of: name).remove(id, ifStored: try call.expected(name, id))
        return Response(status: .noContent)
      },
      Operation(
        .post, "/api/v1/people/send", "sendPeople", "Queues people for sending", body: .optional("PeopleToSend"),
        answers: [.json(.accepted, "QueuedPeople")], refusals: [404]
      ) { call in
        let fields = try call.object("ids", "to")
        let book = try FollowedBook(member: fields["to"], call.services.books)
        let ids = try Self.ids(fields)
        guard book != nil || call.services.settings.servers[.people]?.url != nil else {
          throw Problem(
            .unprocessableContent, "no server is set for people",
            hint: "servers.people.url in the config file is its address; 'to' names an address book")
        }
        let queued = try await call.services.people.queue(ids, to: book)
        return Response(
          .accepted,
          json: [
            "entries": .array(queued.entries.map { .string($0) }),
            "leftOut": .array(
              queued.leftOut.map { one in
                [
                  "id": .string(one.person.id), "fullName": .string(one.person.fullName),
                  "reason": .string(one.reason.description),
                ]
              }),
          ], call.services.coder)
      },
    ]
  }

  /// What to know of a record that was stored, in `Almanac-Note`.
  private static func note(_ record: JSONObject, _ collection: CollectionName, _ call: APIRequest) -> HTTPFields {
    guard collection == .people, let person = try? Person(fields: record),
      let note = person.futureNote(today: call.services.time.now.date)
    else { return [:] }
    return [.init("Almanac-Note")!: note]
  }

  static func location(_ collection: CollectionName, _ id: String) -> String {
    "/api/v1/collections/\(collection)/\(percentEncoded(id))"
  }

  /// The people whom the body names; none for everybody who can be sent.
  private static func ids(_ fields: JSONObject) throws(Problem) -> [String] {
    guard let value = fields["ids"] else { return [] }
    let ids = value.array?.compactMap(\.string) ?? []
    guard !ids.isEmpty, ids.count == value.array?.count else {
      throw Problem(
        .unprocessableContent, "ids is a list of ids that is not empty", hint: "leave it out to send everybody")
    }
    return ids
  }
}

extension Person {
  /// What to know of a birthday in the future; `nil` for another one.
  func futureNote(today: CivilDate) -> String? {
    birthday?.futureNote(today: today, isOfBook: origin.map { $0 != Person.imported } ?? false)
  }
}
