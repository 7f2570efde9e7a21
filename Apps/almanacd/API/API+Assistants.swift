import Frontend
import Hummingbird
import Logging
import Models
import Ports

extension API {
  static let assistantPath = "/mcp"

  /// The Model Context Protocol over HTTP: each message is a request of its own, without a session or a stream.
  var assistants: [Route] {
    [
      Route(.post, Self.assistantPath, .assistant, keepsAnswer: false) { [parts] call in
        let services = call.services
        guard services.settings.mcp.http else {
          throw Problem(
            .notFound, "assistants are not answered over HTTP",
            hint: "\(command: "config", "set", "mcp.http", "true") turns it on", code: "mcp-off")
        }
        let name = call.request.bearer.flatMap { parts.access.list.token($0)?.name }
        let client = name ?? "the daemon's token"
        var server = MCPServer(client: client, version: DaemonVersion.current, coder: services.coder) {
          () throws(Failure) in try services.assistant(parts.wording)
        }
        let message = try? services.coder.decode(call.body)
        let revision = call.request.headers[.init("MCP-Protocol-Version")!]
        if let message, let refusal = Self.refusal(message, revision, call.request) {
          return Response(.badRequest, json: refusal, services.coder)
        }
        guard let answer = await server.answer(call.body) else { return Response(status: .accepted) }
        return Response(Self.status(of: answer, revision), json: answer, services.coder)
      }
    ]
  }

  /// Why the header fields are not those of the message; `nil` where they are, and for revisions without them.
  private static func refusal(_ message: JSONObject, _ revision: String?, _ request: Request) -> JSONObject? {
    let params = message["params"]?.object
    let body = params?["_meta"]?.object?[MCPServer.versionKey]?.string
    guard let revision else {
      return body == nil ? nil : MCPServer.refusal(.headerMismatch("MCP-Protocol-Version"), of: message)
    }
    guard MCPServer.revisions.contains(revision) else {
      return MCPServer.refusal(.unsupportedVersion(revision), of: message)
    }
    guard revision == MCPServer.stateless, message["id"] != nil else { return nil }
    guard let body else { return MCPServer.refusal(.missing(MCPServer.versionKey), of: message) }
    let method = message["method"]?.string ?? ""
    let meant = MCPServer.namingMethods.first { $0.key == method }.flatMap { params?[$0.value]?.string }
    for (field, wanted) in [("MCP-Protocol-Version", body), ("Mcp-Method", method), ("Mcp-Name", meant)] {
      guard let wanted, field != "Mcp-Method" || !method.isEmpty else { continue }
      let given = request.headers[.init(field)!].flatMap(Self.decoded)
      guard given?.exact != wanted.exact else { continue }
      return MCPServer.refusal(.headerMismatch(field), of: message)
    }
    return nil
  }

  /// The text of a header field, of which what is not printable ASCII is written as `=?base64?…?=`.
  private static func decoded(_ field: String) -> String? {
    guard field.hasPrefix("=?base64?"), field.hasSuffix("?=") else { return field }
    return Base64.decoded(String(field.dropFirst(9).dropLast(2))).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Before the revision without a handshake, an answer with an error is an answer.
  private static func status(of answer: JSONObject, _ revision: String?) -> Status {
    guard revision == MCPServer.stateless else { return .ok }
    return switch MCPServer.error(of: answer) {
    case nil, .internalFault?: .ok
    case .methodNotFound?: .notFound
    default: .badRequest
    }
  }

  /// Makes the edit of a form: of one in conflict, by the side that the form takes for each field.
  ///
  /// - Throws: `Problem` with 422 where a side is missing, with 412 where the page showed another state.
  static func approve(_ id: String, _ call: APIRequest) async throws -> Proposal {
    let (proposals, form) = (call.services.proposals, call.form)
    guard let known = try proposals.proposals().first(where: { $0.$id == id.exact }), !known.theirs.isEmpty else {
      return try await proposals.approve(id)
    }
    // A removal is decided as a whole.
    let fields = known.theirs.keys.map {
      (field: $0, side: form["all"] ?? form[known.kind == .delete ? "take" : "take.\($0)"])
    }
    if let open = fields.first(where: { $0.side.flatMap(ConflictSide.init) == nil }) {
      throw Problem(
        .unprocessableContent,
        "\(known.target) changed since the edit was proposed: choose what stays of \(open.field)",
        hint: "the outbox shows both sides", code: "changed-since")
    }
    guard form["tag"]?.exact == OutboxItem.tag(of: known, call.services.coder).exact else {
      throw Problem(
        .preconditionFailed, "\(known.target) was changed since the page was read", hint: "look at both sides again",
        code: "changed")
    }
    let kept = fields.filter { $0.side == ConflictSide.theirs.rawValue }.map(\.field.exact)
    return try await proposals.approve(id, over: known.theirs, keeping: Set(kept))
  }

  static func log(decided message: Logger.Message, _ proposal: Proposal, _ call: APIRequest) {
    call.log(
      message, ["id": "\(proposal.id)", "target": "\(proposal.target)", "proposedBy": "\(proposal.client)"])
  }

  var proposals: [Operation] {
    [
      Operation(
        .get, "/api/v1/proposals", "listProposals", "The edits that assistants propose, oldest first",
        answers: [.json("Proposals")]
      ) { call in
        let proposals = try call.services.proposals.proposals()
        return Response(json: ["items": .array(proposals.map { .object($0.fields) })], call.services.coder)
      },
      Operation(
        .post, "/api/v1/proposals/{id}/approve", "approveProposal", "Makes an edit that an assistant proposes",
        idText: "the proposal's id", body: .optional("Approval"), answers: [.json("Proposal")]
      ) { call in
        let fields = try call.object("theirs", "mine")
        guard let theirs = (fields["theirs"] ?? [:]).object, let mine = (fields["mine"] ?? []).array?.map(\.string),
          fields["theirs"] == nil || fields["mine"] != nil, !mine.contains(nil)
        else {
          throw Problem(
            .unprocessableContent, "theirs is an object, and comes with mine, the fields in which the proposal wins")
        }
        let won = Set(mine.compactMap { $0?.exact })
        let made = try await call.services.proposals.approve(
          call.part("id"), over: theirs, keeping: Set(theirs.keys.map(\.exact)).subtracting(won))
        Self.log(decided: "proposal approved", made, call)
        return Response(json: made.fields, call.services.coder)
      },
      Operation(
        .post, "/api/v1/proposals/{id}/reject", "rejectProposal", "Drops an edit that an assistant proposes",
        idText: "the proposal's id", body: .nothing, answers: [.json("Proposal")]
      ) { call in
        _ = try call.object()
        let rejected = try await call.services.proposals.reject(call.part("id"))
        Self.log(decided: "proposal rejected", rejected, call)
        return Response(json: rejected.fields, call.services.coder)
      },
    ]
  }
}

extension DaemonServices {
  func assistant(_ wording: Wording) throws(Failure) -> AssistantServices {
    try AssistantServices(
      catalog: catalog, sources: sources, definitionFailures: definitionFailures, coder: coder, rules: settings.mcp,
      wording: wording, time: time, log: assistantLog, view: view(settings.mcp),
      status: { () throws(Failure) in try self.statusCache.read(self).status },
      // The daemon opens no store that is a backup.
      checkChangeable: {})
  }
}
