import Models
import Ports

/// The question to the user of a client whether a proposal is made at once, by an elicitation of the protocol
/// (https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation). The proposal waits in the outbox meanwhile, and
/// stays there without an answer.
struct MCPApproval: Sendable {
  /// The name of the question in the revision without a handshake.
  static let name = "approval"
  /// The longest value, in characters, and the most fields that a question can show.
  private static let most = (value: 200, fields: 20)

  let proposal: Proposal
  private let title: String?

  /// - Parameter title: the name of the record.
  /// - Returns: `nil` where the outbox alone shows enough: for a removal, and for an edit that no question shows whole.
  init?(_ proposal: Proposal, title: String?) {
    let values = (proposal.edit.members + proposal.base.members).map { Self.text($0.value) }
    guard proposal.kind != .delete, proposal.theirs.isEmpty, proposal.edit.members.count <= Self.most.fields,
      values.allSatisfy({ $0.count <= Self.most.value })
    else { return nil }
    (self.proposal, self.title) = (proposal, title)
  }

  /// The request of the server.
  var request: JSONObject {
    [
      "method": "elicitation/create",
      "params": [
        "mode": "form", "message": .string(UntrustedText.escaped(message)),
        "requestedSchema": [
          "type": "object",
          "properties": ["approve": ["type": "boolean", "title": "Make this edit", "default": false]],
          "required": ["approve"],
        ],
      ],
    ]
  }

  private var message: String {
    let what =
      proposal.kind == .post
      ? "add to \(proposal.collection)" : "change \(title.map { "\($0) (\(proposal.target))" } ?? proposal.target)"
    let fields = proposal.edit.members.map { field in
      let (old, new) = (proposal.base[field.key].map(Self.text) ?? "", Self.text(field.value))
      return "\(field.key): \(old.isEmpty ? "" : "\(old) → ")\(new.isEmpty ? "(removed)" : new)"
    }
    return "\(proposal.client) proposes to \(what):\n" + fields.joined(separator: "\n")
  }

  /// A value as people read it.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .number(let text): text
    case .bool(let flag): flag ? "yes" : "no"
    case .array(let values): values.map(text).joined(separator: ", ")
    case .object(let fields): fields.members.map { "\($0.key) \(text($0.value))" }.joined(separator: " ")
    }
  }

  /// Does what the user decided: makes the edit, drops it, or leaves it in the outbox.
  ///
  /// - Parameter answer: the client's answer to `request`.
  /// - Returns: the result of the tool.
  func decide(_ answer: JSONObject, _ services: AssistantServices) async throws(Failure) -> JSONObject {
    var fields = proposal.fields
    switch answer["action"]?.string {
    case "accept" where answer["content"]?.object?["approve"]?.bool == true:
      _ = try await services.view.proposals.approve(proposal.id)
      fields["state"] = "approved"
    case "accept", "decline":
      _ = try await services.view.proposals.reject(proposal.id)
      fields["state"] = "rejected"
    default: break
    }
    return ["proposal": .object(fields)]
  }
}
