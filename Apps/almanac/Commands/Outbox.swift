import ArgumentParser
import Models
import Ports

/// `almanac outbox …`
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Look at edits that wait, and decide about them.",
    subcommands: [ListOutbox.self, Retry.self, Discard.self, Resolve.self], defaultSubcommand: ListOutbox.self)

  /// The id that a person means: an id, the beginning of one entry's id alone, or the target of one entry alone.
  ///
  /// - Throws: `Failure`, `usage` where several entries are meant; or where the store cannot be read.
  static func entryID(_ text: String, _ services: any AlmanacServices) throws(Failure) -> String {
    let entries = try services.outbox().entries()
    guard !text.isEmpty, !entries.contains(where: { $0.$id == text.exact }) else { return text }
    let meant = entries.filter { $0.id.utf8.starts(with: text.utf8) || $0.$target == text.exact }
    guard meant.count > 1 else { return meant.first?.id ?? text }
    let names =
      meant.prefix(5).map { "\($0.id) (\($0.target))" } + (meant.count > 5 ? ["and \(meant.count - 5) more"] : [])
    throw Failure(
      .config, .usage, "'\(text)' matches \(meant.count) edits", hint: "name one: \(names.joined(separator: ", "))",
      code: "ambiguous")
  }

  /// `almanac outbox list`
  struct ListOutbox: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the edits that wait.")

    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      OutboxAnswer(terminal: services.terminal).print(try services.outbox().entries(), empty: "no edit waits")
      return .done
    }
  }

  /// `almanac outbox retry [ID]`
  struct Retry: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract: "Let a refused edit, or all of them, wait for the next sync again.")

    @Argument(help: "The entry's id or its unique beginning, or its target.") var id: String?
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let id = try id.map { (text) throws(Failure) in try OutboxCommand.entryID(text, services) }
      let entries = try await services.outbox().retry(id)
      let terminal = services.terminal
      if terminal.format != .table || !terminal.isQuiet {
        OutboxAnswer(terminal: terminal).print(entries, empty: "no edit was refused")
      }
      return .done
    }
  }

  /// `almanac outbox discard ID`
  struct Discard: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard",
      abstract: "Drop an edit and set the record back to what the server last had.")

    @Argument(help: "The entry's id or its unique beginning, or its target.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let entry = try await services.outbox().discard(OutboxCommand.entryID(id, services))
      services.terminal.note("dropped the edit of \(entry.target)")
      return .done
    }
  }

  /// `almanac outbox resolve ID --take mine|theirs`
  struct Resolve: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "resolve", abstract: "Decide a conflict.")

    @Argument(help: "The entry's id or its unique beginning, or its target.") var id: String
    @Option(help: "Whose values win: mine or theirs.") var take: SideArgument
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let id = try OutboxCommand.entryID(id, services)
      let entry = try await services.outbox().resolve(id, take: take == .mine ? .mine : .theirs)
      services.terminal.note(
        take == .mine
          ? "the edit of \(entry.target) waits for the next sync" : "took the server's values of \(entry.target)")
      return .done
    }
  }
}

/// `--take`
enum SideArgument: String, ExpressibleByArgument, CaseIterable {
  /// The edit made here.
  case mine
  /// The server's record.
  case theirs
}

/// Prints edits.
struct OutboxAnswer {
  /// Where they go.
  let terminal: Terminal

  /// Prints entries, oldest first.
  func print(_ entries: [OutboxEntry], empty: String) {
    Answer(terminal: terminal).list(
      entries.map(\.fields), columns: CollectionColumns.table(.outbox), csvFields: CollectionColumns.csv(.outbox),
      empty: empty)
  }

  /// Prints the counts of the outbox.
  func print(_ counts: OutboxCounts) {
    Answer(terminal: terminal).done(counts.fields) {
      terminal.line(
        "\(counts.sent) sent, \(counts.pending) waiting, \(counts.conflict) in conflict, \(counts.refused) refused")
    }
    advise(counts)
  }

  /// Says what can be done about edits that wait for a person.
  func advise(_ counts: OutboxCounts) {
    if counts.conflict > 0 {
      terminal.complain(
        Self.edits(counts.conflict)
          + " in conflict (\(Printable.list(counts.conflicts))): 'almanac outbox' shows both values, "
          + "'almanac outbox resolve \(counts.conflicts.count == 1 ? counts.conflicts[0] : "ID") --take mine|theirs' decides"
      )
    }
    if counts.refused > 0 {
      terminal.complain(
        Self.edits(counts.refused)
          + " refused: 'almanac outbox' shows why, 'almanac outbox retry ID' tries again, 'almanac outbox discard ID' "
          + "gives up")
    }
  }

  private static func edits(_ count: Int) -> String { count == 1 ? "1 edit is" : "\(count) edits are" }

  /// Says why edits could not be sent, in one line.
  func report(_ unsent: Failure, _ count: Int) {
    var failure = unsent
    failure.message = "\(count) edit\(count == 1 ? "" : "s") could not be sent: \(unsent.message)"
    let next = "the next sync tries again"
    failure.hint = unsent.hint.map { "\($0); \(next)" } ?? next
    terminal.report(failure, of: "outbox", as: "part")
  }

  /// 0 where every entry was sent or waits for a person; where some could not be sent now, the code of the reason.
  ///
  /// - Parameter counts: what this process sent, and why it could not send the rest.
  static func status(
    of ids: [String], _ counts: OutboxCounts, _ services: any AlmanacServices
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
