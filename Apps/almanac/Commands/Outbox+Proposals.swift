import ArgumentParser
import Models
import Ports

private let proposalHelp: ArgumentHelp = "The proposal: its target, the name of the record, or the id or its beginning."

extension OutboxCommand {
  struct Approve: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "approve", abstract: "Make edits that an assistant proposed.",
      discussion: """
        The edit is stored as if it had been entered here, and the next sync sends it. It is refused if somebody else changed \
        one of its fields since; --anyway makes it nevertheless.
        """)

    @Argument(help: proposalHelp) var names: [String] = []
    @Flag(help: "Every proposal.") var all = false
    @Flag(help: "Also where the record changed since.") var anyway = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws { try ProposalArgument.check(names, all) }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await ProposalArgument.decide(names, "approved", services) { (proposal) async throws(Failure) in
        let id = proposal.id
        do throws(Failure) {
          return try await services.proposals().approve(id, over: anyway ? proposal.theirs : [:], keeping: [])
        } catch {
          guard error.code == .own(.changedSince) else { throw error }
          throw error.advising(
            "\(command: "outbox", "show", id) shows both values; \(command: "outbox", "approve", id, "--anyway") makes the edit"
          )
        }
      }
    }
  }

  struct Reject: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "reject", abstract: "Drop edits that an assistant proposed.")

    @Argument(help: proposalHelp) var names: [String] = []
    @Flag(help: "Every proposal.") var all = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws { try ProposalArgument.check(names, all) }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try await ProposalArgument.decide(names, "rejected", services) { (proposal) async throws(Failure) in
        try await services.proposals().reject(proposal.id)
      }
    }
  }
}

enum ProposalArgument {
  static func check(_ names: [String], _ all: Bool) throws {
    try require(
      all != !names.isEmpty, all ? "--all cannot be combined with names" : "expected the name of a proposal, or --all")
  }

  /// The proposals that a person means: by their ids or the beginnings of them, by their targets, or by the names of the
  /// records.
  static func meant(_ text: String, among proposals: [Proposal], _ services: CompositionRoot) -> [Proposal] {
    proposals.filter { proposal in
      text.exact == proposal.target.exact || text.exact == proposal.record?.exact
        || !text.isEmpty && proposal.$id.hasPrefix(text)
        || name(of: proposal, services)?.lowercased() == text.lowercased()
    }
  }

  /// The name of the record; of a new one, the name that it gets.
  static func name(of proposal: Proposal, _ services: CompositionRoot) -> String? {
    if proposal.kind == .post, proposal.collection == .people {
      let parts = ["firstName", "lastName"].compactMap { proposal.edit[$0]?.string }
      return proposal.edit["fullName"]?.string ?? parts.joined(separator: " ")
    }
    guard let field = services.catalog[proposal.collection]?.nameField else { return nil }
    let stored = proposal.record.flatMap { try? services.fields(proposal.collection, $0) }
    return (stored?[field] ?? proposal.base[field])?.string
  }

  static func decide(
    _ names: [String], _ outcome: String, _ services: CompositionRoot,
    _ body: (Proposal) async throws(Failure) -> Proposal
  ) async throws(Failure) -> ExitStatus {
    let (proposals, terminal) = (try services.proposals().proposals(), services.terminal)
    var chosen = names.isEmpty ? proposals : []
    for text in names {
      let meant = meant(text, among: proposals, services)
      guard meant.count == 1 else {
        let ids = meant.map { "\($0.id) (\($0.target))" }
        throw Failure(
          .store, meant.isEmpty ? .notFound : .usage,
          meant.isEmpty ? "there is no proposal '\(text)'" : "'\(text)' matches \(meant.count) proposals",
          hint: meant.isEmpty ? "\(command: "outbox") lists them" : "name one: \(Printable.list(ids))",
          code: .own(meant.isEmpty ? .notFound : .ambiguous))
      }
      if !chosen.contains(where: { $0.$id == meant[0].$id }) { chosen.append(meant[0]) }
    }
    var rows: [JSONObject] = []
    for proposal in chosen {
      let title = [proposal.target, name(of: proposal, services).map { "(\($0))" }].compactMap(\.self)
      let decided = try await body(proposal)
      rows.append(["id": .string(decided.id), "target": .string(decided.target), "outcome": .string(outcome)])
      if terminal.format == .table {
        terminal.note("\(outcome): \(words(decided)) \(Printable.text(title.joined(separator: " ")))")
      }
    }
    if terminal.format != .table {
      terminal.answer.list(rows, columns: ["id", "target", "outcome"])
    } else if chosen.isEmpty {
      terminal.note("no edit is proposed")
    }
    return .done
  }

  private static func words(_ proposal: Proposal) -> String {
    switch proposal.kind {
    case .put: "the edit of"
    case .post: "the new record in"
    case .delete: "the removal of"
    }
  }

  /// Prints one proposal: what was there, what it makes of it, and what others made of it since.
  static func show(_ proposal: Proposal, _ services: CompositionRoot) {
    let answer = services.answer
    guard services.terminal.format == .table else {
      answer.one(proposal.fields)
      return
    }
    var head = proposal.fields
    for name in ["fields", "base", "theirs"] { head[name] = nil }
    answer.one(head)
    services.terminal.line()
    func shown(_ value: JSONValue?) -> JSONValue {
      guard let value, value != .null else { return "(none)" }
      return .string(Printable.text(answer.cell(value)))
    }
    let names = proposal.kind == .delete ? proposal.base.keys : proposal.edit.keys
    let rows = names.map { name -> JSONObject in
      [
        "field": .string(name), "was": shown(proposal.base[name]), "proposed": shown(proposal.edit[name]),
        "now": .of(proposal.theirs[name].map(shown)),
      ]
    }
    let columns = ["field", "was", "proposed"] + (proposal.theirs.isEmpty ? [] : ["now"])
    answer.list(rows, columns: columns.map { .init($0) })
  }
}
