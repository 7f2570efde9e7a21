import Hummingbird
import Logging
import Models
import Ports

/// Decides what assistants propose, and takes a decision back.
enum ProposalForms {
  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (id, services) = (call.part("id"), call.services)
    let proposal = try services.proposals.proposals().first { $0.$id == id.exact }
    let item = try OutboxItem.proposed(services).first { $0.entry.$id == id.exact }
    let words = item.map { OutboxItem.words(of: $0.entry, services) } ?? "the edit"
    switch call.part("action") {
    case "approve":
      let moment = try? services.history().moment("now")
      let before = Set(try services.outbox.entries().map(\.$id))
      let approved = try await API.approve(id, call)
      API.log(decided: "proposal approved", approved, call)
      let entry = try services.outbox.entries().last {
        !before.contains($0.$id) || $0.$target == approved.target.exact
      }
      let undo = proposal.flatMap { proposal in
        moment.flatMap { isRestorable(proposal, services) ? undoButton(proposal, to: $0, services) : nil }
      }
      let rest = approved.kind == .post ? "; the new record can be removed on its own page" : ""
      return API.decided(
        "\(words) is approved\(rest)", undo: undo, outcome: entry.map(Outcome.address(of:)), call, parts)
    case "reject":
      API.log(decided: "proposal rejected", try await services.proposals.reject(id), call)
      let undo = proposal.map { undoButton($0, to: nil, services) }
      return API.decided("\(words) is rejected", undo: undo, call, parts)
    case "again": return try await again(call, parts)
    default: throw Problem(.notFound, "a proposal can be approved, rejected or proposed again")
    }
  }

  /// Whether the record can be made what it was before the edit: a new one cannot, nor one that its source does not take again.
  private static func isRestorable(_ proposal: Proposal, _ services: DaemonServices) -> Bool {
    switch proposal.kind {
    case .post: false
    case .put: true
    case .delete:
      proposal.collection == .people || services.catalog[proposal.collection]?.newFields.isEmpty == false
    }
  }

  /// The button after which the edit waits for a decision again.
  ///
  /// - Parameter moment: before the edit was made; `nil` where it was not.
  private static func undoButton(_ proposal: Proposal, to moment: Moment?, _ services: DaemonServices) -> HTML {
    let entry = Control.hidden("entry", String(decoding: services.coder.encode(proposal.fields), as: UTF8.self))
    let at = moment.map { Control.hidden("at", "commit:\(Int($0.commit))") }
    return """
      <form method="post" action="/do/proposals/\(percentEncoded(proposal.id))/again">\(entry)\(at)<button>Undo</button></form>
      """
  }

  /// Makes the record what it was before the edit, and proposes the edit again.
  private static func again(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (id, services) = (call.part("id"), call.services)
    let stored: JSONObject? = try? services.coder.decode(Array((call.form["entry"] ?? "").utf8))
    guard let stored, let proposal = Proposal(id: id, stored: stored)
    else { throw Problem(.unprocessableContent, "an entry is a proposal as the API shows it") }
    var sent = ""
    if let at = call.form["at"], let record = proposal.record {
      let history = try services.because(ChangeCause(.restore, tool: .page)).history()
      do throws(Failure) {
        let restoration = try history.restoration(of: proposal.collection, record, at: try history.moment(at))
        let restored = try await history.restore(restoration, in: services.books)
        // What the server has already is sent back to it.
        sent = OutboxItem.sending(proposal.collection, restored.id, services)
      } catch {
        guard error.code == .own(.nothing) else { throw error }
      }
    }
    let again = try await services.proposals.propose(
      proposal.kind, of: proposal.collection, proposal.record, proposal.edit, by: proposal.client)
    let item = try OutboxItem.proposed(services).first { $0.entry.$id == again.$id }
    let words = item.map { OutboxItem.words(of: $0.entry, services) } ?? "the edit"
    return API.decided("\(words) waits for your decision again\(sent)", call, parts)
  }
}
