import Hummingbird
import Models
import Ports

extension API {
  /// Where people are added.
  static let peoplePath = "/api/v1/people"

  /// The path of a record.
  static func location(_ collection: CollectionName, _ id: String) -> String {
    "/api/v1/collections/\(collection)/\(percentEncoded(id))"
  }

  /// Edits: made here at once, and queued for the remote.
  var edits: [Operation] {
    [
      Operation(
        .post, Self.peoplePath, "addPerson", "Adds a person here", body: .needed("NewPerson"),
        answers: [.json(.created, "Person")]
      ) { call in
        let fields = try call.object(Self.personFields + ["to"])
        let person = try await call.services.people.add(
          firstName: try Self.name(fields, "firstName"), lastName: try Self.name(fields, "lastName"),
          birthday: try Self.birthday(fields), fullName: try Self.name(fields, "fullName"),
          details: Self.details(fields), to: try Self.book(fields, call))
        return Response(
          .created, json: person.fields, call.services.coder,
          headers: [.location: Self.location(.people, person.id)])
      },
      Operation(
        .post, "/api/v1/people/send", "sendPeople", "Queues people for sending", body: .optional("PeopleToSend"),
        answers: [.json(.accepted, "QueuedPeople")], refusals: [404]
      ) { call in
        let fields = try call.object("ids", "to")
        let queued = try await call.services.people.queue(try Self.ids(fields), to: try Self.book(fields, call))
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
      Operation(
        .patch, "/api/v1/people/{id…}", "editPerson", "Changes a person here", effect: .edits,
        idText: "the person's id", body: .optional("PersonChange"), answers: [.json("Person")], refusals: [409]
      ) { call in
        let (id, change) = (call.rest(after: 3), try Self.personChange(call))
        _ = try await call.services.people.edit(id, change, ifStored: try call.expected(.people, id))
        return call.answer(try call.services.library.record(.people, id))
      },
      Operation(
        .delete, "/api/v1/people/{id…}", "removePerson", "Removes a person here", effect: .edits,
        idText: "the person's id", answers: [.empty]
      ) { call in
        let id = call.rest(after: 3)
        _ = try await call.services.people.remove(id, ifStored: try call.expected(.people, id))
        return Response(status: .noContent)
      },
      Operation(
        .patch, "/api/v1/profiles/{id…}", "editProfile", "Edits a profile here and queues the edit", effect: .edits,
        idText: "the profile's id", body: .optional("ProfileChange"), answers: [.json("Profile")]
      ) { call in
        let (id, change) = (call.rest(after: 3), try Self.profileChange(call))
        _ = try await call.services.profiles.edit(id, change, ifStored: try call.expected(.profiles, id))
        return call.answer(try call.services.library.record(.profiles, id))
      },
    ]
  }

  /// Edits that wait, and what becomes of them.
  var outbox: [Operation] {
    [
      Operation(
        .get, "/api/v1/outbox", "listWaitingEdits", "The edits that wait, oldest first", effect: .readsTagged,
        answers: [.json("OutboxEntries")]
      ) { call in
        call.answer(json: Self.list(try call.services.outbox.entries()))
      },
      Operation(
        .get, "/api/v1/outbox/{id}", "getWaitingEdit", "An edit that waits", effect: .readsTagged,
        idText: Self.editID, answers: [.json("OutboxEntry")]
      ) { call in
        call.answer(try call.services.library.record(.outbox, call.part("id")))
      },
      Operation(
        .post, "/api/v1/outbox/retry", "retryWaitingEdits", "Lets every refused edit wait again", body: .nothing,
        answers: [.json("OutboxEntries")]
      ) { call in
        _ = try call.object()
        return Response(json: Self.list(try await call.services.outbox.retry(nil)), call.services.coder)
      },
      Operation(
        .post, "/api/v1/outbox/{id}/retry", "retryWaitingEdit", "Lets a refused edit wait again",
        idText: Self.editID, body: .nothing, answers: [.json("OutboxEntries")]
      ) { call in
        _ = try call.object()
        return Response(
          json: Self.list(try await call.services.outbox.retry(call.part("id"))), call.services.coder)
      },
      Operation(
        .post, "/api/v1/outbox/{id}/discard", "discardWaitingEdit",
        "Drops an edit, and sets the record back to what the server last had", idText: Self.editID, body: .nothing,
        answers: [.json("OutboxEntry")]
      ) { call in
        _ = try call.object()
        return Response(json: try await call.services.outbox.discard(call.part("id")).fields, call.services.coder)
      },
      Operation(
        .post, "/api/v1/outbox/{id}/resolve", "resolveConflict", "Decides a conflict", idText: Self.editID,
        body: .needed("Resolution"), answers: [.json("OutboxEntry")]
      ) { call in
        guard let side = try call.object("take")["take"]?.string.flatMap(ConflictSide.init) else {
          throw Problem(.unprocessableContent, "take is 'mine' or 'theirs'")
        }
        let entry = try await call.services.outbox.resolve(call.part("id"), take: side)
        return Response(json: entry.fields, call.services.coder)
      },
    ]
  }

  private static let editID = "the edit's id"

  private static func list(_ entries: [OutboxEntry]) -> JSONObject {
    ["items": .array(entries.map { .object($0.fields) })]
  }

  private static func birthday(_ fields: JSONObject) throws(Problem) -> Birthday? {
    guard let value = fields["birthday"] else { return nil }
    guard let text = value.string, let birthday = Birthday(text) else {
      throw Problem(.unprocessableContent, "birthday takes YYYY-MM-DD or --MM-DD")
    }
    return birthday
  }

  private static func name(_ fields: JSONObject, _ key: String) throws(Problem) -> String {
    guard let value = fields[key] else { return "" }
    guard let text = value.string else { throw Problem(.unprocessableContent, "\(key) is a text") }
    return text
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

  /// The members as a merge patch (RFC 7396): null takes away.
  private static func personChange(_ call: APIRequest) throws(Problem) -> PersonChange {
    let fields = try call.object(personFields)
    var change = PersonChange(details: details(fields))
    for member in fields.members {
      switch (member.key, member.value) {
      case ("firstName", .string(let text)): change.firstName = text
      case ("firstName", .null): change.firstName = ""
      case ("lastName", .string(let text)): change.lastName = text
      case ("lastName", .null): change.lastName = ""
      case ("fullName", .string(let text)): change.fullName = text
      case ("fullName", .null): change.fullName = ""
      case ("birthday", .null): change.clearsBirthday = true
      case ("birthday", _): change.birthday = try birthday(fields)
      case _ where change.details[member.key] != nil: break
      default: throw Problem(.unprocessableContent, "\(member.key) is a text")
      }
    }
    return change
  }

  /// The address book that the body names; `nil` if it names none.
  private static func book(_ fields: JSONObject, _ call: APIRequest) throws -> FollowedBook? {
    guard let value = fields["to"], value != .null else { return nil }
    guard let path = value.string else {
      throw Problem(.unprocessableContent, "to is the path of a followed address book", field: "to")
    }
    return try FollowedBook(path, among: call.services.books)
  }

  private static let names = ["firstName", "lastName", "fullName", "birthday"]

  /// The members of a person that an edit can change.
  private static let personFields = names + ContactDetails.editableFields

  private static func details(_ fields: JSONObject) -> JSONObject {
    JSONObject(members: fields.members.filter { member in !(names + ["to"]).contains { $0.exact == member.key.exact } })
  }

  /// The members as a merge patch (RFC 7396): a description of null is taken away.
  private static func profileChange(_ call: APIRequest) throws(Problem) -> ProfileChange {
    let fields = try call.object("name", "email", "description")
    var change = ProfileChange()
    for member in fields.members {
      switch (member.key, member.value) {
      case ("name", .string(let text)): change.name = text
      case ("email", .string(let text)): change.email = text
      case ("description", .string(let text)): change.description = .set(text)
      case ("description", .null): change.description = .clear
      default: throw Problem(.unprocessableContent, "\(member.key) is a text")
      }
    }
    return change
  }
}
