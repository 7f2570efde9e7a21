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
    let run = API.newRun(call)
    var own = call
    own.services = run.services
    for proposal in known { API.log(decided: "proposal approved", try await API.approve(proposal.id, own), call) }
    let entry = try services.outbox.entries().last { !before.contains($0.$id) || $0.$target == last.target.exact }
    let restorable = known.filter { isRestorable($0, services) }
    let made = made(by: run.id, Set(known.filter { $0.kind == .post }.map(\.collection)), services)
    let removable = made.filter { services.catalog[$0.collection]?.editing.isRemovable ?? false }
    let undo = restorable.isEmpty ? nil : moment.map { undoButton(restorable, to: $0, services, removing: removable) }
    let link: HTML? =
      made.count == 1
      ? "<a class=\"button\" href=\"\(Shown.record(made[0].collection.rawValue, made[0].id))\">Show</a>" : nil
    return API.decided(
      "\(words) \(known.count == 1 ? "is" : "are") approved", undo: "\(link)\(undo)",
      outcome: entry.map(Outcome.address(of:)), call, parts)
  }

  /// The records that a run added.
  private static func made(
    by run: String, _ collections: Set<CollectionName>, _ services: DaemonServices
  ) -> [RecordName] {
    var made: [RecordName] = []
    if collections.isEmpty { return made }
    try? services.history().changes(HistoryQuery(collections.sorted(), cause: run)) { entry in
      if entry.kind == "added" { made.append(RecordName(entry.collection, entry.id)) }
      return .next
    }
    return made
  }

  /// Whether the record can be made what it was before the edit: not one that its source does not remove, or take again.
  private static func isRestorable(_ proposal: Proposal, _ services: DaemonServices) -> Bool {
    let collection = services.catalog[proposal.collection]
    return switch proposal.kind {
    case .post: collection?.editing.isRemovable ?? false
    case .put: true
    case .delete: proposal.collection == .people || collection?.newFields.isEmpty == false
    }
  }

  /// The button after which the edits wait for a decision again.
  ///
  /// - Parameters:
  ///   - moment: before the edits were made; `nil` where they were not.
  ///   - made: the new records, which are removed.
  private static func undoButton(
    _ proposals: [Proposal], to moment: Moment?, _ services: DaemonServices, removing made: [RecordName] = []
  ) -> HTML {
    let entries = proposals.map { ("entry", String(decoding: services.coder.encode($0.fields), as: UTF8.self)) }
    return Control.button(
      "Undo", "/do/several/again",
      and: entries + made.map { ("made", "\($0.collection)/\($0.id)") }
        + (moment.map { [("at", "commit:\(Int($0.commit))")] } ?? []))
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
    for name in call.form.all("made") {
      do {
        try await services.editor(of: CollectionName(rawValue: name.firstPart)).remove(name.restOfParts, ifStored: nil)
      } catch let failure as Failure where failure.reason == .notFound {}
    }
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
