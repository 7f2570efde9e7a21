import ArgumentParser
import Models
import Ports

let editHelp: ArgumentHelp = "The edit: its target, the name of the record, or the id or its beginning."

struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Show, approve, resolve, retry and discard pending edits.",
    subcommands: [
      ListOutbox.self, ShowEdit.self, Approve.self, Reject.self, Retry.self, Discard.self, Resolve.self, Log.self,
    ],
    defaultSubcommand: ListOutbox.self)

  /// The entry that a person means: by its id or the beginning of it, by its target or the last part of that, or by the
  /// name of the record.
  ///
  /// - Throws: `Failure`, `notFound` if there is none, `usage` where several are meant; or if the store cannot be
  ///   read.
  static func entry(
    _ text: String, as precision: NamePrecision = .words, _ services: CompositionRoot
  ) throws(Failure) -> OutboxEntry {
    let entries = try services.outbox().entries()
    if let entry = entries.first(where: { $0.$id == text.exact }) { return entry }
    var meant = text.isEmpty ? [] : entries.filter { $0.$id.hasPrefix(text) || $0.$target == text.exact }
    if meant.isEmpty { meant = entries.filter { $0.targetID.exact == text.exact } }
    if meant.isEmpty {
      var targets: Swift.Set<ExactString> = []
      for collection in Swift.Set(entries.map(\.targetCollection)) {
        for found in try services.library().records(collection, meaning: text, as: precision, limit: entries.count) {
          targets.insert("\(collection)/\(found.id)".exact)
        }
      }
      meant = entries.filter { targets.contains($0.$target) }
    }
    if meant.isEmpty, !text.isEmpty {
      let removed = entries.filter { $0.kind == .delete }
      let known = names(of: removed, services)
      meant = removed.filter { known[$0.$target]?.lowercased() == text.lowercased() }
    }
    // Of several edits of one record, the one that waits for a decision.
    let undecided = meant.filter { $0.state != .pending }
    if undecided.count == 1, Swift.Set(meant.map(\.$target)).count == 1 { meant = undecided }
    guard meant.count == 1, let entry = meant.first else {
      if !meant.isEmpty { throw ambiguous(text, meant) }
      let near = NearestName.of(text, among: entries.flatMap { [$0.target, $0.targetID] })
      let nearest: String? = if let near { near } else { try nearTarget(text, entries, services) }
      throw Failure(
        .store, .notFound, "there is no pending edit '\(text)'",
        hint: "\(nearest.map { "did you mean '\($0)'? " } ?? "")\(command: "outbox") lists the pending edits",
        code: .own(.notFound))
    }
    return entry
  }

  /// The names of the edited records by their targets. That of a removed record is the one in its last known copy.
  static func names(of entries: [OutboxEntry], _ services: CompositionRoot) -> [ExactString: String] {
    var names: [ExactString: String] = [:]
    for entry in entries where names[entry.$target] == nil {
      guard let field = services.catalog[entry.targetCollection]?.nameField else { continue }
      let fields = try? services.fields(entry.targetCollection, entry.targetID)
      names[entry.$target] = (fields?[field] ?? entry.edit[field] ?? entry.base[field])?.string
    }
    return names
  }

  /// The target of an edit, with the name of the record where it has one: `people/p1 (Ada Lovelace)`.
  static func title(of entry: OutboxEntry, _ services: CompositionRoot) -> String {
    let name = names(of: [entry], services)[entry.$target]
    return name.map { "\(entry.target) (\(Printable.text($0)))" } ?? entry.target
  }

  /// The target of an edit whose record has a name like the text.
  private static func nearTarget(
    _ text: String, _ entries: [OutboxEntry], _ services: CompositionRoot
  ) throws(Failure) -> String? {
    let targets = Swift.Set(entries.map(\.$target))
    for collection in Swift.Set(entries.map(\.targetCollection)) {
      for found in try services.library().records(collection, near: text, limit: 100) {
        let target = "\(collection)/\(found.id)"
        if targets.contains(target.exact) { return target }
      }
    }
    return nil
  }

  private static func ambiguous(_ text: String, _ meant: [OutboxEntry]) -> Failure {
    let names =
      meant.prefix(5).map { "\($0.id) (\($0.target), \($0.state.rawValue))" }
      + (meant.count > 5 ? ["and \(meant.count - 5) more"] : [])
    return .usage(
      "'\(text)' matches \(meant.count) edits", hint: "name one: \(names.joined(separator: ", "))", code: .ambiguous)
  }

  struct ListOutbox: ListingCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the pending edits.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let entries = try services.outbox().entries()
      let names = services.terminal.format == .table ? OutboxCommand.names(of: entries, services) : [:]
      let holds = try services.outbox().holds()
      let proposals = try services.proposals().proposals().map { proposal in
        var fields = proposal.fields
        if services.terminal.format == .table { fields.append("name", ProposalArgument.name(of: proposal, services)) }
        return fields
      }
      OutboxAnswer(terminal: services.terminal).print(
        entries, names, holds, proposals: proposals, empty: "there are no pending edits")
      if services.terminal.format == .table, !proposals.isEmpty {
        services.terminal.note(
          """
          \(proposals.count.counted("edit is", "edits are")) proposed, and neither stored nor sent: \
          \(command: "outbox", "approve", "NAME") makes one, \(command: "outbox", "reject", "NAME") drops it
          """)
      }
      return .done
    }
  }

  struct ShowEdit: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show an edit field by field: what was there, mine and theirs.")

    @Argument(help: editHelp, completion: Completions.edits) var id: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let outbox = try services.outbox()
      let entry: OutboxEntry
      do throws(Failure) { entry = try OutboxCommand.entry(id, as: .part, services) } catch {
        let proposals = ProposalArgument.meant(id, among: try services.proposals().proposals(), services)
        guard error.reason == .notFound, proposals.count == 1 else { throw error }
        ProposalArgument.show(proposals[0], services)
        return .done
      }
      OutboxAnswer(terminal: services.terminal).show(entry, try outbox.followingFields(of: entry), try outbox.holds())
      return .done
    }
  }

  struct Log: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "log", abstract: "List the conflicts that were decided without a question.",
      discussion: """
        They are those of follows with the option 'conflict': mine, theirs or newest. The last 1,000 are kept, with the values \
        of both sides.
        """)

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      return services.answer.list(
        try services.outbox().decisions(), columns: ["at", "target", "took", "mine", "theirs"],
        empty: "no conflict was decided without a question")
    }
  }

  struct Retry: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "Mark a refused edit, or all of them, as pending again.")

    @Argument(help: editHelp, completion: Completions.edits) var id: String?
    @Flag(help: "Also a new record that the server made, with an answer that cannot be read.") var again = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let id = try id.map { (text) throws(Failure) in
        let entry = try OutboxCommand.entry(text, services)
        guard entry.state != .conflict else {
          throw Failure(
            .store, .usage, "the edit of \(entry.target) is in conflict, so that it cannot be sent again",
            hint: "\(command: "outbox", "resolve", entry.target) decides", code: .own(.conflict))
        }
        if entry.isMade, !again {
          var failure = Failure.madeAlready(entry, services.suggestions)
          failure.hint =
            "a sync brings it; \(command: "outbox", "discard", entry.target) then removes the edit, \(command: "outbox", "retry", entry.target, "--again") sends it once more"
          throw failure
        }
        if entry.state == .pending {
          services.terminal.note(
            "the edit of \(entry.target) was not refused: it waits, and \(command: "sync") sends it")
        }
        return entry.id
      }
      let outbox = try services.outbox()
      let entries = try await outbox.retry(id, makesAgain: again)
      let terminal = services.terminal
      if terminal.format != .table || !terminal.isQuiet {
        let names = terminal.format == .table ? OutboxCommand.names(of: entries, services) : [:]
        OutboxAnswer(terminal: terminal).print(entries, names, empty: "no edit was refused")
      }
      OutboxAnswer(terminal: terminal).advise(made: try outbox.entries().filter(\.isMade))
      return .done
    }
  }

  struct Discard: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard", abstract: "Discard edits and restore the records to the server's last version.")

    @Argument(
      help: "The edits: their targets, the names of the records, or the ids or their beginnings.",
      completion: Completions.edits)
    var ids: [String] = []
    @Flag(help: "Every edit that waits.") var all = false
    @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(all || !ids.isEmpty, "expected the name of an edit, or --all")
      try require(!all || ids.isEmpty, "--all cannot be combined with the names of edits")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let (terminal, outbox) = (services.terminal, try services.outbox())
      var meant: [OutboxEntry] = all ? try outbox.entries() : []
      for text in ids {
        let entry = try OutboxCommand.entry(text, services)
        if !meant.contains(where: { $0.$id == entry.$id }) { meant.append(entry) }
      }
      let names = OutboxCommand.names(of: meant, services)
      if !meant.isEmpty {
        let edits = meant.count == 1 ? Self.kind(meant[0]) : "\(meant.count) edits of"
        let question = "discard \(edits) \(Printable.list(meant.map { Self.words($0, names, terminal) }))?"
        guard try terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
      }
      var rows: [JSONObject] = []
      // The newest first: an edit is made on top of those before it.
      for entry in all ? meant.reversed() : meant {
        let discarded = try await outbox.discard(entry.id)
        rows.append([
          "id": .string(discarded.id), "target": .string(discarded.target), "outcome": "discarded",
          "fields": .object(discarded.edit),
        ])
        if terminal.format == .table {
          terminal.note("discarded \(Self.kind(discarded)) \(Self.words(discarded, names, terminal))")
          if discarded.leavesPerson {
            terminal.note(
              "the person stays here, and is not sent; \(command: "people", "remove", discarded.targetID) removes the person"
            )
          }
        }
      }
      if terminal.format != .table {
        if ids.count == 1 {
          terminal.answer.one(rows[0])
        } else {
          terminal.answer.list(rows, columns: ["id", "target", "outcome"])
        }
      } else if meant.isEmpty {
        terminal.note("there are no pending edits")
      }
      return .done
    }

    private static func kind(_ entry: OutboxEntry) -> String {
      switch entry.kind {
      case .delete: "the removal of"
      case .post where !entry.leavesPerson: "the new record"
      case .post, .put: "the edit of"
      }
    }

    /// What is dropped: `profiles/ada (Ada Lovelace: description A new one)`.
    private static func words(_ entry: OutboxEntry, _ names: [ExactString: String], _ terminal: Terminal) -> String {
      let fields = OutboxAnswer(terminal: terminal).fields(of: entry, [:]).map { field in
        "\(field.name) \(field.mine.count > 40 ? field.mine.prefix(40) + "…" : field.mine)"
      }.joined(separator: ", ")
      let details = [names[entry.$target], fields.isEmpty ? nil : fields].compactMap(\.self).joined(separator: ": ")
      return details.isEmpty ? entry.target : "\(entry.target) (\(details))"
    }
  }
}

struct OutboxAnswer {
  let terminal: Terminal

  /// Prints entries, oldest first.
  ///
  /// - Parameters:
  ///   - names: the names of the records by their targets, for a table.
  ///   - holds: what edits wait for, by their targets.
  ///   - proposals: edits that wait for approval.
  func print(
    _ entries: [OutboxEntry], _ names: [ExactString: String] = [:], _ holds: [ExactString: EditHold] = [:],
    proposals: [JSONObject] = [], empty: Advice
  ) {
    // An id of 26 letters is needed only where a target has several edits.
    let targets = entries.map(\.$target) + proposals.compactMap { $0["target"]?.string?.exact }
    let isShort = Set(targets).count == targets.count
    var columns = CollectionColumns.table(.outbox).filter { !isShort || $0.field != "id" }
    if !proposals.isEmpty {
      // On a narrow screen the last columns are left out.
      columns.insert("proposedBy", at: columns.firstIndex { $0.field == "state" } ?? columns.endIndex)
      columns.append("createdAt")
    }
    if !names.isEmpty || !proposals.isEmpty, let target = columns.firstIndex(where: { $0.field == "target" }) {
      columns.insert("name", at: target + 1)
    }
    let rows = entries.map { entry -> JSONObject in
      var fields = entry.printed(heldBy: holds)
      guard terminal.format == .table else { return fields }
      fields.append("name", names[entry.$target])
      if entry.isRemoved { fields["theirs"] = "(removed)" }
      fields["state"] = .string(Self.state(of: entry))
      return fields
    }
    terminal.answer.list(
      rows + proposals, columns: columns,
      csvFields: CollectionColumns.csv(.outbox) + (proposals.isEmpty ? [] : ["proposedBy"]), empty: empty)
    for entry in entries { note(entry, holds) }
  }

  /// Says what an edit waits for.
  private func note(_ entry: OutboxEntry, _ holds: [ExactString: EditHold]) {
    guard terminal.format == .table, entry.state == .pending else { return }
    if let retryAt = entry.retryAt {
      terminal.note("\(entry.target): the server asked to wait until \(LocalTime(retryAt)), local time")
    }
    guard let hold = holds[entry.$target] else { return }
    terminal.note(
      "\(entry.target) waits for the program \(Printable.text(hold.process)), which is sending an edit of it; it is sent "
        + "when that is done, or after \(LocalTime(hold.until)), local time, if that program ended")
  }

  struct Field {
    var name: String
    /// What the edit was based on.
    var was: String
    var mine: String
    /// What the server has now; the same as `was` where there is no conflict.
    var theirs: String
    /// Whether both sides changed it.
    var isContested: Bool
    /// The fields that it follows; empty for one that has a side of its own.
    var follows: [String]
  }

  /// The fields of an edit.
  ///
  /// - Parameter following: those that follow others.
  func fields(of entry: OutboxEntry, _ following: [ExactString: [String]]) -> [Field] {
    let answer = terminal.answer
    func shown(_ value: JSONValue?) -> String {
      guard let value, value != .null else { return "(none)" }
      return Printable.text(answer.cell(value))
    }
    let theirs = entry.theirs ?? entry.base
    if entry.kind == .delete {
      // What the server changed since the removal.
      let keys = entry.base.keys + theirs.keys.filter { entry.base[$0] == nil }
      return keys.filter { $0 != "id" && entry.base[$0] ?? .null != theirs[$0] ?? .null }.map { key in
        Field(
          name: key, was: shown(entry.base[key]), mine: "(removed)", theirs: shown(theirs[key]), isContested: true,
          follows: [])
      }
    }
    let contested = entry.contested
    let accepted = entry.targetCollection == .people ? Person.accepted : { _, value in value }
    return entry.edit.keys.map { key in
      Field(
        name: key, was: shown(entry.base[key]), mine: shown(entry.edit[key].map { accepted(key, $0) }),
        theirs: entry.isRemoved ? "(removed)" : shown(theirs[key]),
        isContested: contested.contains(key.exact), follows: following[key.exact] ?? [])
    }
  }

  /// The state in a table.
  private static func state(of entry: OutboxEntry) -> String { entry.isMade ? "created" : entry.state.rawValue }

  /// Prints one edit: in a table field by field.
  ///
  /// - Parameters:
  ///   - following: the fields that follow others.
  ///   - holds: what edits wait for, by their targets.
  func show(_ entry: OutboxEntry, _ following: [ExactString: [String]], _ holds: [ExactString: EditHold] = [:]) {
    guard terminal.format == .table else {
      terminal.answer.one(entry.printed(heldBy: holds))
      return
    }
    let head: JSONObject = [
      "target": .string(entry.target), "id": .string(entry.id), "kind": .string(entry.kind.rawValue),
      "state": .string(Self.state(of: entry)), "attempts": .int(entry.attempts),
      "createdAt": .string(entry.createdAt.description), "lastError": .of(entry.lastError),
    ]
    terminal.answer.one(head)
    let rows = fields(of: entry, following).map { field -> JSONObject in
      let conflict =
        !field.isContested ? "no" : field.follows.isEmpty ? "yes" : "follows \(Printable.list(field.follows))"
      return [
        "field": .string(field.name), "was": .string(field.was), "mine": .string(field.mine),
        "theirs": .string(field.theirs), "conflict": .string(conflict),
      ]
    }
    if !rows.isEmpty {
      terminal.line()
      let columns = ["field", "was", "mine", "theirs"] + (entry.state == .conflict ? ["conflict"] : [])
      terminal.answer.list(rows, columns: columns.map { .init($0) })
    }
    if let note = entry.removalNote { terminal.note(Advice(note)) }
    note(entry, holds)
  }

  func print(_ counts: OutboxCounts) {
    terminal.answer.done(
      counts.fields,
      line: "\(counts.sent) sent, \(counts.pending) waiting, \(counts.conflict) in conflict, \(counts.refused) refused")
    advise(counts)
  }

  /// Says what becomes of new records that servers made, with answers that cannot be read.
  func advise(made: [OutboxEntry]) {
    guard let first = made.first else { return }
    terminal.complain(
      """
      \(made.count.counted("new record was", "new records were")) created at the server already, and not sent again \
      (\(Printable.list(made.map(\.target)))): a sync brings what was created; \(command: "outbox", "discard", first.target) \
      then removes the edit
      """)
  }

  /// Says what can be done about edits that wait for a person.
  func advise(_ counts: OutboxCounts) {
    if counts.conflict > 0 {
      let names = counts.conflicts.count == 1 ? counts.conflicts : []
      terminal.complain(
        """
        \(counts.conflict.counted("edit is", "edits are")) in conflict (\(Printable.list(counts.conflicts))): \
        \(command: ["outbox", "show"] + (names.isEmpty ? ["NAME"] : names)) shows both values, \
        \(command: ["outbox", "resolve"] + names) decides
        """)
    }
    if counts.refused > 0 {
      terminal.complain(
        """
        \(counts.refused.counted("edit is", "edits are")) refused: \(command: "outbox") shows why; another edit of the record \
        corrects it, \(command: "outbox", "retry") sends it again, \(command: "outbox", "discard", "NAME") gives it up
        """)
    }
  }

  func report(_ unsent: Failure, _ count: Int) {
    var failure = unsent
    let what = count > 0 ? "\(count.counted("edit")) could not be sent" : "the outbox could not be read or written"
    failure.message = "\(what): \(unsent.message)"
    let wait = unsent.retryAfter.map { Interval(seconds: max(1, $0)).description }
    let next: Advice = wait.map { "a sync in \($0) or later tries again" } ?? "the next sync tries again"
    // What the config lacks may be missing for good.
    let discard: Advice? = unsent.reason == .config ? "\(command: "outbox", "discard", "NAME") gives an edit up" : nil
    failure.hint = [unsent.hint, discard, next].compactMap(\.self).joined(separator: "; ")
    terminal.report(failure, of: "outbox", as: "part")
  }

  /// 0 where every entry was sent or waits for a person; where some could not be sent now, the code of the reason.
  ///
  /// - Parameter counts: what this process sent, and why it could not send the rest.
  static func status(
    of ids: [String], _ counts: OutboxCounts, _ services: CompositionRoot
  ) throws(Failure) -> ExitStatus {
    let named = Set(ids.map(\.exact))
    let left = try services.outbox().entries().filter { named.contains($0.$id) }
    let elsewhere = ids.count - left.count - counts.sent
    if elsewhere > 0 { services.terminal.note("\(elsewhere) sent by another process") }
    let waiting = left.filter { $0.state == .pending }
    guard let first = waiting.first else { return .done }
    let unsent =
      counts.unsent ?? Failure(.transport, .unavailable, first.lastError ?? "no answer tells why", retryable: true)
    OutboxAnswer(terminal: services.terminal).report(unsent, waiting.count)
    return ExitStatus(unsent.reason)
  }
}
