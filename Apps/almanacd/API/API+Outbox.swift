import Hummingbird
import Models
import Ports

extension API {
  var outbox: [Operation] {
    [
      Operation(
        .get, "/api/v1/outbox", "listWaitingEdits", "The edits that wait, oldest first", effect: .readsTagged,
        answers: [.json("OutboxEntries")]
      ) { call in
        let outbox = call.services.outbox
        return call.answer(json: Self.list(try outbox.entries(), try outbox.holds()))
      },
      Operation(
        .get, "/api/v1/outbox/{id}", "getWaitingEdit", "An edit that waits", effect: .readsTagged,
        idText: Self.editID, answers: [.json("OutboxEntry")]
      ) { call in
        call.answer(try call.services.library.record(.outbox, call.part("id")))
      },
      Operation(
        .post, "/api/v1/outbox/retry", "retryWaitingEdits",
        "Lets every refused edit wait again, and sends all that wait, also where the server asked to come back later",
        body: .nothing, answers: [.json("OutboxEntries")]
      ) { [parts] call in
        _ = try call.object()
        let outbox = call.services.outbox
        _ = try await outbox.retry(nil)
        let waiting = try outbox.entries().filter { $0.state == .pending }
        if !waiting.isEmpty { await parts.scheduler.sendNow() }
        return Response(json: Self.list(waiting), call.services.coder)
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
        let (id, fields) = (call.part("id"), try call.object("take", "mine"))
        if let mine = fields["mine"]?.array?.map(\.string), fields["take"] == nil, !mine.contains(nil) {
          let entry = try await call.services.outbox.resolve(id, mine: Set(mine.compactMap { $0?.exact }))
          return Response(json: entry.fields, call.services.coder)
        }
        guard let side = fields["take"]?.string.flatMap(ConflictSide.init), fields["mine"] == nil else {
          throw Problem(
            .unprocessableContent, "expected take, 'mine' or 'theirs', or mine, the fields in which the edit wins")
        }
        let entry = try await call.services.outbox.resolve(id, take: side)
        return Response(json: entry.fields, call.services.coder)
      },
    ]
  }

  private static let editID = "the edit's id"

  private static func list(_ entries: [OutboxEntry], _ holds: [ExactString: EditHold] = [:]) -> JSONObject {
    ["items": .array(entries.map { .object($0.printed(heldBy: holds)) })]
  }
}
