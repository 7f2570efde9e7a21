import Hummingbird
import Logging
import Models
import Ports

/// Decides what assistants propose, and takes a decision back.
enum ProposalForms {
  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let services = call.services
    switch call.part("action") {
    case "approve": return try await approve([call.part("id")], call, parts)
    case "reject":
      guard let proposal = try known([call.part("id")], services).first else { throw OutboxItem.gone }
      let words = try words(of: proposal, services)
      API.log(decided: "proposal rejected", try await services.proposals.reject(proposal.id), call)
      return API.decided("\(words) is rejected", undo: undoButton([proposal], to: nil, services), call, parts)
    default: throw Problem(.notFound, "a proposal can be approved or rejected")
    }
  }

  private static func known(_ ids: [String], _ services: DaemonServices) throws(Failure) -> [Proposal] {
    let ids = Set(ids.map(\.exact))
    return try services.proposals.proposals().filter { ids.contains($0.$id) }
  }

  private static func words(of proposal: Proposal, _ services: DaemonServices) throws(Failure) -> String {
    let item = try OutboxItem.proposed(services).first { $0.entry.$id == proposal.$id }
    return item.map { OutboxItem.words(of: $0.entry, services) } ?? "the edit"
  }

  /// Approves those of them that still wait.
  static func approve(_ ids: [String], _ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let services = call.services
    let known = try known(ids, services)
    guard let last = known.last else { throw OutboxItem.gone }
    let words = try known.count == 1 ? words(of: last, services) : known.count.counted("edit")
    let moment = try? services.history().moment("now")
    let before = Set(try services.outbox.entries().map(\.$id))
    for proposal in known { API.log(decided: "proposal approved", try await API.approve(proposal.id, call), call) }
    let entry = try services.outbox.entries().last { !before.contains($0.$id) || $0.$target == last.target.exact }
    let restorable = known.filter { isRestorable($0, services) }
    let undo = restorable.isEmpty ? nil : moment.map { undoButton(restorable, to: $0, services) }
    let rest =
      !known.contains { $0.kind == .post }
      ? ""
      : known.count == 1 ? "; the new record can be removed on its own page" : "; new records stay if that is undone"
    return API.decided(
      "\(words) \(known.count == 1 ? "is" : "are") approved\(rest)", undo: undo,
      outcome: entry.map(Outcome.address(of:)),
      call, parts)
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

  /// The button after which the edits wait for a decision again.
  ///
  /// - Parameter moment: before the edits were made; `nil` where they were not.
  private static func undoButton(_ proposals: [Proposal], to moment: Moment?, _ services: DaemonServices) -> HTML {
    let entries = proposals.map { ("entry", String(decoding: services.coder.encode($0.fields), as: UTF8.self)) }
    return Control.button(
      "Undo", "/do/several/again", and: entries + (moment.map { [("at", "commit:\(Int($0.commit))")] } ?? []))
  }

  /// Makes the records what they were before the edits, and proposes the edits again.
  static func again(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let services = call.services
    let proposals = try call.form.all("entry").map { text throws(Problem) in
      let stored: JSONObject? = try? services.coder.decode(Array(text.utf8))
      guard let stored, let proposal = Proposal(id: stored["id"]?.string ?? "", stored: stored) else {
        throw Problem(.unprocessableContent, "an entry is a proposal as the API shows it")
      }
      return proposal
    }
    let history = try services.because(ChangeCause(.restore, tool: .page)).history()
    let moment = try call.form["at"].map { try history.moment($0) }
    var (sent, words) = ("", "")
    for proposal in proposals {
      guard let moment, let record = proposal.record else { continue }
      do throws(Failure) {
        let restoration = try history.restoration(of: proposal.collection, record, at: moment)
        let restored = try await history.restore(restoration, in: services.books)
        // What the server has already is sent back to it.
        sent = OutboxItem.sending(proposal.collection, restored.id, services)
      } catch {
        guard error.code == .own(.nothing) else { throw error }
      }
    }
    for proposal in proposals {
      let again = try await services.proposals.propose(again: proposal)
      words = try self.words(of: again, services)
    }
    let isOne = proposals.count == 1
    return API.decided(
      isOne
        ? "\(words) waits for your decision again\(sent)"
        : "\(proposals.count.counted("edit")) wait for your decision again\(sent)", call, parts)
  }
}
