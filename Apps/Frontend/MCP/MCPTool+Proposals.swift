import Models
import Ports

extension MCPTool {
  /// The tools that propose edits: nothing is stored in a record, or sent, before a person approves it.
  static let proposing: [MCPTool] = [
    MCPTool(
      "propose_edit", "Propose an edit",
      """
      Proposes new values of fields of a record. Nothing changes until the user approves it in the outbox. \
      People, profiles and records of sources that take edits can be edited.
      """,
      [
        collection, record,
        MCPParameter("fields", "the new values by the names of the fields; null removes one", .object, isNeeded: true),
      ], result: ["proposal": object], isReading: false
    ) { (call) async throws(Failure) in
      let (name, id) = try call.record(as: .words)
      return try await propose(.put, of: name, id, call)
    },
    MCPTool(
      "propose_person", "Propose a person", "Proposes to add a person. Nothing changes until the user approves it.",
      [
        MCPParameter(
          "fields", "firstName, lastName, fullName, birthday (YYYY-MM-DD or --MM-DD), emails, phones and others",
          .object, isNeeded: true)
      ], result: ["proposal": object], isReading: false
    ) { (call) async throws(Failure) in try await propose(.post, of: .people, nil, call) },
    MCPTool(
      "propose_removal", "Propose a removal",
      "Proposes to remove a record. Nothing changes until the user approves it.",
      [collection, record], result: ["proposal": object], isReading: false
    ) { (call) async throws(Failure) in
      let (name, id) = try call.record(as: .whole)
      return try await propose(.delete, of: name, id, call)
    },
  ]

  static let collection = MCPParameter("collection", "the collection", isNeeded: true)
  static let record = MCPParameter("record", "the record's id or name", isNeeded: true)

  private static func propose(
    _ kind: OutboxEntry.Kind, of collection: CollectionName, _ id: String?, _ call: MCPCall
  ) async throws(Failure) -> JSONObject {
    let edit = call.arguments["fields"]?.object ?? [:]
    guard kind == .delete || !edit.isEmpty else {
      throw MCPCall.wrong("'fields' is empty", "name at least one field")
    }
    let services = call.services
    try services.checkChangeable()
    try services.check(collection)
    // The store also has what is hidden; the view does not.
    if let id { _ = try services.view.library.record(collection, id) }
    let client = MCPCall.name(of: call.client)
    let proposal = try await services.view.proposals.propose(kind, of: collection, id, edit, by: client)
    var fields = proposal.fields
    let isSmall = kind == .put && edit.members.count <= Settings.Assistants.smallEdit
    if isSmall, services.rules.approve.contains(collection) {
      _ = try await services.view.proposals.approve(proposal.id)
      fields["state"] = "approved"
    }
    return ["proposal": .object(fields)]
  }
}
