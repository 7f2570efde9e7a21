import ArgumentParser
import Models
import Ports

extension OutboxCommand {
  struct Resolve: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Resolve a conflict.",
      discussion: """
        In a terminal each field in conflict is asked for (mine, theirs, a new value, or later), of every conflict where none is \
        named. Elsewhere say whose values win: --take for all fields in conflict, or --mine and --theirs with their names. \
        Fields that the server did not change stay as edited here. A full name that follows from the names is not asked for: \
        it follows what is decided of them.

          almanac outbox resolve profiles/ada --mine name --theirs email,description
          almanac outbox resolve --all --take theirs
        """)

    @Argument(help: editHelp, completion: Completions.edits) var id: String?
    @Option(help: "Whose values win: mine or theirs.") var take: ConflictSide?
    @Option(help: "Fields in which the edit made here wins; in the others in conflict, the server.")
    var mine: [FieldNames] = []
    @Option(help: "Fields in which the server wins; the others are those of the edit.") var theirs: [FieldNames] = []
    @Flag(help: "Every conflict; with --take.") var all = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(take == nil || mine.isEmpty && theirs.isEmpty, "--take cannot be combined with --mine or --theirs")
      try require(!all || id == nil, "--all cannot be combined with the name of an edit")
      try require(
        !all || mine.isEmpty && theirs.isEmpty, "--all needs --take; --mine and --theirs name the fields of one edit")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      var outcomes: [JSONObject] = []
      for entry in try meant(services) {
        let (outcome, words) = try await decide(entry, services)
        outcomes.append(["id": .string(entry.id), "target": .string(entry.target), "outcome": .string(outcome)])
        if terminal.format == .table { terminal.note(words) }
      }
      if terminal.format != .table { terminal.answer.list(outcomes, columns: ["id", "target", "outcome"]) }
      // As after every question that is answered so that nothing changes.
      return !outcomes.isEmpty && outcomes.allSatisfy { $0["outcome"] == "later" } ? .mixed : .done
    }

    /// Decides one conflict; what became of it, for programs and in words.
    private func decide(
      _ entry: OutboxEntry, _ services: CompositionRoot
    ) async throws(Failure) -> (outcome: String, words: Advice) {
      let following = try services.outbox().followingFields(of: entry)
      let title = OutboxCommand.title(of: entry, services)
      guard let choice = try choice(entry, following, services) else {
        return ("later", "\(title) stays a conflict; no answer was kept")
      }
      let contested = entry.contested.subtracting(following.keys)
      let mine = choice.mine.intersection(contested)
      let side = choice.side ?? (mine.isEmpty ? .theirs : mine == contested ? .mine : nil)
      let outbox = try services.outbox()
      var result: (outcome: String, words: Advice)
      if side == .theirs {
        let left = try await outbox.resolve(entry.id, take: .theirs)
        result = (
          "theirs",
          entry.isRemoved
            ? "removed \(title), as the server has" : "took the server's values of \(title)"
        )
        if try outbox.entries().contains(where: { $0.$id == entry.$id }) {
          // What the server has not changed is no part of the conflict.
          result.words =
            result.words
            + " where both sides changed it; \(Printable.list(left.edit.keys)) \(Self.waits(left.edit)) for the next sync, and \(command: "outbox", "discard", entry.target) gives it up"
        }
      } else if side == .mine {
        _ = try await outbox.resolve(entry.id, take: .mine)
        let creates = entry.isRemoved ? ", which creates the record again" : ""
        result = ("mine", "the edit of \(title) waits for the next sync\(creates)")
      } else {
        let left = try await outbox.resolve(entry.id, mine: mine)
        result =
          left.edit.isEmpty
          ? ("theirs", "took the server's values of \(title)")
          : (
            "fields",
            "\(Printable.list(left.edit.keys)) of \(title) \(Self.waits(left.edit)) for the next sync; took the server's values of the rest"
          )
      }
      guard !choice.edited.members.isEmpty else { return result }
      // A new value is an edit of the server's: nothing of the old edit is left in the field.
      try await TypedValues(entry, services).store(choice.edited, services)
      result = (
        "edited",
        "the new \(Printable.list(choice.edited.keys)) of \(title) \(Self.waits(choice.edited)) for the next sync"
      )
      return result
    }

    private static func waits(_ edit: JSONObject) -> String { edit.members.count == 1 ? "waits" : "wait" }

    struct Choice {
      /// Which side wins in the whole edit; `nil` where fields are named.
      var side: ConflictSide?
      /// The fields in which the edit wins; the server wins in the others in conflict.
      var mine: Swift.Set<ExactString> = []
      var edited = JSONObject()
    }

    private func meant(_ services: CompositionRoot) throws(Failure) -> [OutboxEntry] {
      if let id { return [try OutboxCommand.entry(id, services)] }
      let conflicts = try services.outbox().entries().filter { $0.state == .conflict }
      if conflicts.isEmpty { services.terminal.note("no edit is in conflict") }
      if all || conflicts.count < 2 || services.terminal.canAsk && take == nil { return conflicts }
      throw .usage(
        "\(conflicts.count) edits are in conflict",
        hint: "name one: \(Printable.list(conflicts.map(\.target))); or --all", code: .ambiguous)
    }

    private func choice(
      _ entry: OutboxEntry, _ following: [ExactString: [String]], _ services: CompositionRoot
    ) throws(Failure) -> Choice? {
      let fields = Swift.Set(entry.edit.keys.map(\.exact))
      if let take { return Choice(side: take) }
      let (mine, theirs) = (FieldNames.all(mine), FieldNames.all(theirs))
      if mine.isEmpty, theirs.isEmpty {
        guard entry.state == .conflict else { throw .noConflict(entry, services.suggestions) }
        guard services.terminal.canAsk else { throw Self.undecided(entry) }
        return try Self.ask(entry, following, TypedValues(entry, services))
      }
      let wrong = mine.union(theirs).subtracting(fields)
      guard wrong.isEmpty else {
        throw .usage(
          "the edit of \(entry.target) has no field \(Printable.list(wrong.sorted().map(\.text)))",
          hint: "its fields are \(entry.edit.keys.joined(separator: ", "))", code: .noField)
      }
      for (name, followed) in following.sorted(by: { $0.key < $1.key }) {
        guard let side = [mine, theirs].first(where: { $0.contains(name) }) else { continue }
        guard followed.allSatisfy({ side.contains($0.exact) }) else {
          let followed = Printable.list(followed)
          throw .usage(
            "the \(name.text) of \(entry.target) follows \(followed), and has no side of its own",
            hint: "name \(followed) instead", code: .follows)
        }
      }
      let open = entry.contested.subtracting(mine).subtracting(theirs).subtracting(following.keys)
      let left = Printable.list(open.sorted().map(\.text))
      let twice = mine.intersection(theirs).sorted().map(\.text)
      guard twice.isEmpty, mine.isEmpty || theirs.isEmpty || open.isEmpty else {
        throw .usage(
          "--mine and --theirs together name each field of \(entry.target) in conflict once",
          hint: twice.isEmpty ? "name \(left) as well" : "\(Printable.list(twice)) is named twice", code: .usage)
      }
      return Choice(mine: (mine.isEmpty ? fields.subtracting(theirs) : mine).subtracting(following.keys))
    }

    static func ask(
      _ entry: OutboxEntry, _ following: [ExactString: [String]], _ typed: TypedValues
    ) throws(Failure) -> Choice? {
      let terminal = typed.terminal
      let answer = OutboxAnswer(terminal: terminal)
      terminal.complain("\(typed.title):")
      if entry.edit.keys.isEmpty || entry.kind != .put || entry.isRemoved {
        answer.show(entry, following)
        guard let side = side(terminal, "take mine or theirs", canEdit: false) else { return nil }
        return Choice(side: side == .mine ? .mine : .theirs)
      }
      var choice = Choice()
      for field in answer.fields(of: entry, following) where field.isContested {
        guard field.follows.isEmpty else {
          terminal.complain("  \(field.name): follows \(Printable.list(field.follows))")
          continue
        }
        terminal.complain("  \(field.name): was \(field.was), mine \(field.mine), theirs \(field.theirs)")
        var isDecided = false
        while !isDecided {
          isDecided = true
          switch side(terminal, "  \(field.name)", canEdit: typed.canEdit(field.name)) {
          case nil: return nil
          case .mine?: choice.mine.insert(field.name.exact)
          case .theirs?: break
          case .edit?:
            do throws(Failure) {
              guard let value = try typed.ask(field.name) else { return nil }
              choice.edited[field.name] = value
            } catch {
              guard error.reason == .usage else { throw error }
              // Nothing is decided yet, so that the person can type it again.
              terminal.complain("  \([Advice(error.message), error.hint].compactMap(\.self).joined(separator: "; "))")
              isDecided = false
            }
          }
        }
      }
      return choice
    }

    private enum Side {
      case mine, theirs, edit
    }

    /// A person's answer; `nil` for later, and at the end of the input.
    private static func side(_ terminal: Terminal, _ question: String, canEdit: Bool) -> Side? {
      let edit = canEdit ? "[e]dit " : ""
      while let answer = terminal.ask("\(question): [m]ine, [t]heirs, \(edit)or [l]ater? ") {
        switch answer.trimmed.lowercased() {
        case "m", "mine": return .mine
        case "t", "theirs": return .theirs
        case "e" where canEdit, "edit" where canEdit: return .edit
        case "l", "later", "q", "quit": return nil
        case let other: terminal.complain("  '\(Printable.text(other))' is none of these answers")
        }
      }
      return nil
    }

    private static func undecided(_ entry: OutboxEntry) -> Failure {
      .usage(
        "nothing says how to decide the conflict of \(entry.target)",
        hint:
          "\(command: "outbox", "show", entry.target) shows it; --take mine|theirs, --mine FIELD or --theirs FIELD decides",
        code: .usage)
    }
  }
}

/// `--mine name,email`
struct FieldNames: ExpressibleByArgument {
  private let names: [String]

  init?(argument: String) {
    names = argument.split(separator: ",").map(String.init)
    if names.isEmpty { return nil }
  }

  static func all(_ lists: [FieldNames]) -> Set<ExactString> { Set(lists.flatMap(\.names).map(\.exact)) }
}
