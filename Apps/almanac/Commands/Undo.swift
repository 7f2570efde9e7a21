import ArgumentParser
import Models
import Ports

struct Undo: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what the last command changed, if nothing of it was sent.",
    discussion: """
      The last 20 commands that changed or removed people, profiles, edits or other records are remembered, the newest \
      first; 'undo' again takes back the one before. A command is not undone if one of its records was changed \
      since, or its edit was sent: in a terminal it is named and passed over, and the one before it is offered; with \
      --yes, or without a terminal, that one is named, and taken back only by its id, which 'undo --list' shows. 'forget' \
      cannot be undone, nor commands that change more than 200,000 records and cards, or 1,000 without a history; what syncs and \
      the daemon write, and what was followed, is not remembered.
      """)

  @Argument(help: "The id of a command; the last one by default.", completion: Completions.undoable) var id: String?
  @Flag(help: "List the commands that are remembered; change nothing.") var list = false
  @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    try require(id == nil || !list, "--list cannot be combined with an id")
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let (undo, terminal) = (try services.undo(), services.terminal)
    let commands = try undo.commands()
    if list {
      let rows = commands.enumerated().map { (index, command) -> JSONObject in
        guard terminal.format == .table || terminal.format == .csv else { return command.fields }
        return [
          "id": .string(command.number), "at": .string(command.at.description), "command": .string(command.command),
          "changes": .string(Self.words(command) + Self.obstacle(to: command, after: commands[..<index])),
        ]
      }
      return terminal.answer.list(rows, columns: ["id", "at", "command", "changes"], empty: "there is nothing to undo")
    }
    let last = try chosen(among: commands, services)
    let when = ScreenTime.relative(last.at, to: services.time.now)
    let question = "undo '\(last.command)' of \(when == "now" ? "this minute" : when) (\(Self.words(last)))?"
    guard try terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
    let undone = try await undo.undo(last.id)
    return terminal.answer.value(undone.fields) {
      terminal.note("undone: '\(undone.command)' (\(Self.words(undone)))")
      if undone.command == "unfollow" {
        terminal.note("the records are back; \(command: "follow", "PATH") follows them again")
      }
    }
  }

  /// Why a command cannot be undone, with what to do instead; `nil` if it can be. Only for those that are shown, because it
  /// reads the history.
  private func refusal(_ command: UndoableCommand, _ services: CompositionRoot) throws(Failure) -> Failure? {
    guard var refusal = command.refusal else { return nil }
    refusal.hint = try advice(command, services)
    return refusal
  }

  /// What to do where a record of the command was changed since, or its edit was sent: the records as they were before it are
  /// known.
  private func advice(_ command: UndoableCommand, _ services: CompositionRoot) throws(Failure) -> Advice? {
    guard let refusal = command.refusal, refusal.code == .own(.changedSince) else { return command.refusal?.hint }
    if let edit = try services.outbox().entries().first(where: {
      $0.state == .conflict && refusal.path == "outbox/\($0.id)"
    }) {
      return "it is in conflict: \(command: "outbox", "resolve", edit.target) decides, also for the server's values"
    }
    guard let history = try? services.history() else { return refusal.hint }
    let restorations = command.changes.filter { !$0.isNew && $0.collection != .outbox }.prefix(5).compactMap {
      change -> Advice? in
      var found: UInt64?
      let query = HistoryQuery([change.collection], record: change.id, cause: command.command)
      try? history.changes(query) { entry in
        guard let at = entry.origin?.at, at <= command.at else { return .next }
        found = entry.commit
        return .stop
      }
      return found.map {
        "\(command: "restore", "\(change.collection)/\(change.id)", "--at", "commit:\($0 - 1)") makes it what it was before, as a new edit"
      }
    }
    return restorations.isEmpty ? refusal.hint : (["nothing was changed"] + restorations).joined(separator: "\n")
  }

  /// The command that is taken back: the one that is named, or the newest that can be.
  ///
  /// Whoever is not asked does not see what is passed over, so that it is refused: they meant the last command.
  private func chosen(among commands: [UndoableCommand], _ services: CompositionRoot) throws(Failure) -> UndoableCommand
  {
    let terminal = services.terminal
    if let id {
      guard let named = commands.first(where: { $0.number == id }) else {
        throw Failure(
          .store, .notFound, "no command that is remembered has the id \(id)",
          hint: "\(command: "undo", "--list") lists them", code: .own(.notFound))
      }
      if let refusal = try refusal(named, services) { throw refusal }
      return named
    }
    guard let newest = commands.first else {
      throw Failure(
        .store, .notFound, "there is nothing to undo",
        hint: "commands that change people, profiles, edits or records are remembered from now on", code: .own(.nothing)
      )
    }
    guard newest.refusal != nil else { return newest }
    var passed: [Failure] = []
    let asks = terminal.canAsk && !yes
    for command in commands.prefix(while: { $0.refusal != nil }).prefix(asks ? commands.count : 1) {
      if let refusal = try refusal(command, services) { passed.append(refusal) }
    }
    guard var refusal = passed.first else { return newest }
    guard let last = commands.first(where: { $0.refusal == nil }) else { throw refusal }
    guard asks else {
      let next: Advice =
        "\(command: "undo", "\(last.number)", "--yes") takes back '\(last.command)' of \(last.at) before it"
      refusal.hint = [refusal.hint, next].compactMap(\.self).joined(separator: "\n")
      throw refusal
    }
    for refusal in passed { terminal.complain("passed over: \(refusal.message)", hint: refusal.hint) }
    return last
  }

  /// Whether a command can be undone now, later, or not at all, in words after its records.
  private static func obstacle(to command: UndoableCommand, after later: ArraySlice<UndoableCommand>) -> String {
    guard let refusal = command.refusal else { return "" }
    let records = Set(command.changes.map { RecordName($0.collection, $0.id) })
    let next = later.last { one in
      one.refusal == nil && one.changes.contains { records.contains(RecordName($0.collection, $0.id)) }
    }
    guard refusal.code == .own(.changedSince), let next else { return " (cannot be undone)" }
    return " (after \(next.number))"
  }

  /// The records in words: `Ada Lovelace, profiles/ada`.
  private static func words(_ command: UndoableCommand) -> String {
    let shown = command.changes.filter { $0.collection != .outbox }
    let names = (shown.isEmpty ? command.changes : shown).map { change in
      change.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(change.collection)/\(change.id)"
    }
    if names.isEmpty { return command.refusal?.code == .own(.tooLarge) ? "too many records" : "no record" }
    return Printable.list(names)
  }
}
