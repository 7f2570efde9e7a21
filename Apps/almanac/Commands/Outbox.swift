import ArgumentParser
import Models
import Ports

/// `almanac outbox …`
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Look at edits that wait, and decide about them.",
    subcommands: [ListOutbox.self, Retry.self, Discard.self, Resolve.self], defaultSubcommand: ListOutbox.self)

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

    @Argument(help: "The entry's id.") var id: String?
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
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

    @Argument(help: "The entry's id.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let entry = try await services.outbox().discard(id)
      services.terminal.note("dropped the edit of \(entry.target)")
      return .done
    }
  }

  /// `almanac outbox resolve ID --take mine|theirs`
  struct Resolve: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "resolve", abstract: "Decide a conflict.")

    @Argument(help: "The entry's id.") var id: String
    @Option(help: "Whose values win: mine or theirs.") var take: SideArgument
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
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

  /// Prints how the outbox stands.
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
      terminal.complain("'almanac outbox' shows both values; 'almanac outbox resolve ID --take mine|theirs' decides")
    }
    if counts.refused > 0 {
      terminal.complain(
        "'almanac outbox' shows why the server refused; 'outbox retry ID' tries again, 'outbox discard ID' gives up")
    }
  }

  /// 0 where every entry was sent or waits for a person; 69 where some could not be sent now.
  ///
  /// - Parameter sent: how many of them this process sent.
  static func status(
    of ids: [String], sent: Int, _ services: any AlmanacServices
  ) throws(Failure) -> ExitStatus {
    let named = Set(ids.map(\.exact))
    let left = try services.outbox().entries().filter { named.contains($0.$id) }
    let elsewhere = ids.count - left.count - sent
    if elsewhere > 0 { services.terminal.note("\(elsewhere) sent by another process") }
    let waiting = left.filter { $0.state == .pending }
    guard let first = waiting.first else { return .done }
    services.terminal.complain(
      "\(waiting.count) could not be sent now\(first.lastError.map { ": \(Printable.text($0))" } ?? ""); "
        + "the next sync tries again")
    return .unavailable
  }
}
