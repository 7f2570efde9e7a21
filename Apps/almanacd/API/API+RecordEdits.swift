import Hummingbird
import Models
import Ports

extension API {
  /// Edits of records of sources that a file describes: made here at once, and queued for the source.
  var recordEdits: [Operation] {
    [
      Operation(
        .post, "/api/v1/collections/{name}", "", "",
        variant: { collection in
          collection.newFields.isEmpty
            ? nil
            : Operation.Variant(
              id: "add\(collection.title)Record",
              summary: "Adds a record to \(collection.name) here and queues it for its source",
              answer: .json(.created, collection.recordType), body: .needed("\(collection.recordType)Change"))
        }
      ) { call in
        let name = try Self.collection(call)
        let record = try await call.services.library.add(name, Self.changes(try call.anyObject()))
        return Response(
          .created, json: record, call.services.coder,
          headers: [.location: Self.location(name, record["id"]?.string ?? "")])
      },
      Operation(
        .patch, Self.recordPath, "", "", effect: .edits, idText: Self.recordID,
        variant: { collection in
          collection.editableFields.isEmpty
            ? nil
            : Operation.Variant(
              id: "edit\(collection.title)Record",
              summary: "Edits a record of \(collection.name) here and queues the edit",
              answer: .json(collection.recordType), body: .optional("\(collection.recordType)Change"))
        }
      ) { call in
        let (name, id) = (try Self.collection(call), call.rest(after: 4))
        let changes = Self.changes(try call.anyObject())
        _ = try await call.services.library.edit(name, id, changes, ifStored: try call.expected(name, id))
        return call.answer(try call.services.library.record(name, id))
      },
      Operation(
        .delete, Self.recordPath, "", "", effect: .edits, idText: Self.recordID, refusals: [422],
        variant: { collection in
          collection.isRemovable
            ? Operation.Variant(
              id: "remove\(collection.title)Record",
              summary: "Removes a record of \(collection.name) here and queues the removal", answer: .empty) : nil
        }
      ) { call in
        let (name, id) = (try Self.collection(call), call.rest(after: 4))
        try await call.services.library.remove(name, id, ifStored: try call.expected(name, id))
        return Response(status: .noContent)
      },
    ]
  }

  /// The members as a merge patch (RFC 7396): null takes away, and members of objects are changed one by one.
  private static func changes(_ object: JSONObject, below path: String = "") -> [FieldChange] {
    object.members.flatMap { member -> [FieldChange] in
      if case .object(let inner) = member.value, !inner.isEmpty {
        return changes(inner, below: "\(path)\(member.key).")
      }
      return [FieldChange("\(path)\(member.key)", member.value == .null ? nil : member.value)]
    }
  }
}
