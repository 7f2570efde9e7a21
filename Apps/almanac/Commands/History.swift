import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

/// The time as of which a command reads.
struct AtOption: ParsableArguments {
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("As it was: \(WrittenTime.examples), or commit:N.", valueName: "time"))
  var time: String?
}

struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show what changed, when, and what changed it.",
    subcommands: [ListChanges.self, Keep.self, StatusOfHistory.self], defaultSubcommand: ListChanges.self)

  struct ListChanges: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List changes, the newest first: of a record, of a collection, or of all.",
      discussion: """
        A record that was removed is named by its id, or by the name that it had. Times are \(WrittenTime.examples), \
        'last month', now, or commit:N.

        --format jsonl prints a line for each change of a record: 'was' and 'now' have the fields that differ. A table and \
        csv have a line for each field.
        """)

    @Argument(help: "Which collection.", completion: Completions.recordPaths) var collection: String?
    @Argument(help: "The record's id or name.", completion: Completions.records) var record: String?
    @OptionGroup var only: CollectionsOption
    @Option(help: ArgumentHelp("Only changes after this time.", valueName: "time")) var since: String?
    @Option(help: ArgumentHelp("Only changes until this time.", valueName: "time")) var until: String?
    @Option(
      help: ArgumentHelp(
        "Only changes by this: sync, sent, edit, proposal, import, undo, restore, purge; a follow, a command or a run.",
        valueName: "cause"), completion: .list(ChangeCause.Kind.allCases.map(\.rawValue)))
    var by: String?
    @Option(help: "Only changes of this field.", completion: Completions.fields) var field: String?
    @OptionGroup var most: LimitOption
    @Flag(help: "All changes; without it, at most 100.") var all = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(!all || most.limit == nil, "--all cannot be combined with --limit")
      try require(collection == nil || only.collections.isEmpty, "--in cannot be combined with a collection before it")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let (history, terminal) = (try services.history(), services.terminal)
      var query = HistoryQuery(cause: by, field: field, limit: all ? nil : most.limit ?? 100)
      let named = try collection.map { (first) throws(Failure) in try NamedRecord(first, record, services) }
      query.collections = if let named { [named.collection] } else { try only.names(services) }
      query.since = try since.flatMap { (text) throws(Failure) in try HistoryCommand.beginning(text, services) }
      query.until = try until.map { (text) throws(Failure) in try history.moment(text) }
      if let named, let text = named.text { query.record = try HistoryCommand.id(text, in: named.collection, services) }
      let isOfOne = query.record != nil
      let shown =
        ["commit", "at", "by"] + (isOfOne ? [] : ["name"]) + ["field", "from", "to"] + (isOfOne ? [] : ["record"])
      var rows = Answer.Rows(
        terminal: terminal,
        columns: shown.map { .init($0, number: $0 == "commit", isLong: ["from", "to"].contains($0)) },
        csvFields: ["commit", "at", "by", "collection", "id", "name", "field", "from", "to"],
        empty: "no change is known\(services.emptyStore)")
      var count = 0
      try history.changes(query) { entry in
        count += 1
        for row in HistoryCommand.rows(entry, terminal) { rows.append(row) }
        return terminal.hasReader ? .next : .stop
      }
      if count == 0 {
        try query.checkNames(
          services.library(), history, services.catalog, follows: services.followed().map(\.path),
          commands: CommandCheck.leaves().map { $0.joined(separator: " ") })
      }
      rows.finish()
      // A server repairs its own files, and counts what it keeps slowly.
      if !services.isStoreOnServer {
        let maintenance = try services.historyMaintenance()
        for status in try Failure.from({ () throws(StoreError) in try maintenance.histories() }) {
          guard let lost = status.lost, !status.collection.isInternal,
            query.collections.isEmpty || query.collections.contains(status.collection)
          else { continue }
          terminal.note("a repair could not save what some records of \(status.collection) were before commit \(lost)")
        }
      }
      if !all, most.limit == nil, count == query.limit {
        terminal.note("these are the last \(count) changes: --all lists them all, --limit others")
      }
      return .done
    }
  }

  /// The moment of a time, or the first one that is kept, which is said; `nil` if none is known.
  fileprivate static func beginning(_ text: String, _ services: CompositionRoot) throws(Failure) -> Moment? {
    if let moment = try services.history().beginning(text) { return moment }
    let maintenance = try services.historyMaintenance()
    let kept = try Failure.from { () throws(StoreError) in try maintenance.histories() }
    let first = kept.compactMap(\.since).min { $0.commit < $1.commit }
    guard let first else { return nil }
    services.terminal.note("the history begins at \(first.at), after \(text): what came before is not known")
    // Before the first commit there was nothing.
    return Moment(commit: first.commit <= 1 ? 0 : first.commit, at: first.at)
  }

  /// The id of a record; one that is not there any more is named by its id, or by the name that it had.
  ///
  /// - Throws: `Failure`: `notFound` if there never was such a record, as far as is known; as `RecordArgument.id` does.
  static func id(
    _ text: String, in collection: CollectionName, as precision: NamePrecision = .part, _ services: CompositionRoot
  ) throws(Failure) -> String {
    let history = try services.history()
    if history.last(of: collection, text) != nil { return text }
    do throws(Failure) {
      let id = try RecordArgument.id(text, in: collection, as: precision, services)
      // It may be older than its history.
      if history.last(of: collection, id) == nil { _ = try services.library().record(collection, id) }
      return id
    } catch {
      guard error.reason == .notFound else { throw error }
      let removed = try removed(named: text, in: collection, services)
      guard let id = removed.first else { throw error }
      guard removed.count == 1 else {
        throw .usage(
          "'\(text)' was the name of several records of \(collection)",
          hint: "name one by its id: \(Printable.list(removed.map(\.text)))", code: .ambiguous)
      }
      return id.text
    }
  }

  /// The records with a name that were removed, the last one first. O(n) for n changes of the collection.
  fileprivate static func removed(
    named text: String, in collection: CollectionName, _ services: CompositionRoot
  ) throws(Failure) -> [ExactString] {
    guard let field = services.catalog[collection]?.nameField else { return [] }
    let wanted = FoldedText.folded(text)
    var ids: [ExactString] = []
    do throws(Failure) {
      try services.history().changes(HistoryQuery([collection])) { entry in
        let isMove = entry.origin?.cause?.moved.contains { $0.$from == entry.$id } ?? false
        if entry.after == nil, !isMove, let name = entry.before?[field]?.string, FoldedText.folded(name) == wanted,
          !ids.contains(entry.$id)
        {
          ids.append(entry.$id)
        }
        return .next
      }
    } catch {
      guard error.code == .store(.notKept) else { throw error }
    }
    return ids
  }

  /// The name of a record, also of one that was removed; `nil` if none is known.
  fileprivate static func name(
    of id: String, in collection: CollectionName, _ services: CompositionRoot
  ) throws(Failure) -> String? {
    guard let field = services.catalog[collection]?.nameField else { return nil }
    return try services.history().last(of: collection, id)?.name
      ?? (try? services.fields(collection, id))?[field]?.string
  }

  /// A change as rows: one, or where a person or a table reads, one for each field.
  static func rows(_ entry: HistoryEntry, _ terminal: Terminal) -> [JSONObject] {
    guard terminal.format == .table || terminal.format == .csv else { return [entry.fields] }
    var head = entry.fields
    for name in ["was", "now", "kind", "follow", "run", "command", "of", "moved"] { head[name] = nil }
    head["by"] = .string(entry.origin?.cause?.words ?? "unknown")
    head["record"] = .string("\(entry.collection)/\(entry.id)")
    guard entry.kind == "changed" else {
      head["field"] = "record"
      head[entry.before == nil ? "to" : "from"] = .string(entry.kind)
      return [head]
    }
    return entry.differences.map { difference in
      var row = head
      row["field"] = .string(difference.field)
      row.append("from", difference.from)
      row.append("to", difference.to)
      return row
    }
  }

  struct Keep: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "keep", abstract: "Change how long the history of a collection is kept.",
      discussion: """
        What is too old is removed; a longer time brings nothing back. Definitions of sources say how collections begin. \
        Fields of --daily keep their last value of each day; of those of --ignore only the present value is kept, as is right \
        for counters that change at each sync.
        """)

    @Argument(help: "Which collection.", completion: Completions.collections) var collection: String
    @Argument(help: "How long: 90d, 1y, forever, or none.", completion: .list(["30d", "90d", "1y", "forever", "none"]))
    var keep: String
    @Option(
      help: ArgumentHelp("A field of which one value a day is kept; repeatable.", valueName: "field"),
      completion: Completions.fields)
    var daily: [String] = []
    @Option(
      help: ArgumentHelp("A field whose changes are not kept; repeatable.", valueName: "field"),
      completion: Completions.fields)
    var ignore: [String] = []
    @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let name = try CollectionArgument.parse(collection, services)
      guard let keep = HistoryPolicy.Keep(keep) else {
        throw .usage("'\(keep)' is not a time to keep a history", hint: "write 90d, 1y, forever or none", code: .usage)
      }
      try CollectionArgument.checkFields(daily + ignore, of: name, services)
      let (maintenance, policy) = (try services.historyMaintenance(), HistoryPolicy(keep, daily: daily, quiet: ignore))
      let known = try Failure.from { () throws(StoreError) in try maintenance.histories() }
      if known.first(where: { $0.collection == name })?.policy != policy {
        let question = "keep the history of \(name) \(policy.words), and remove what is not kept?"
        guard try services.terminal.confirms(question, unless: yes) else { return .mixed }
        try await Failure.from { () async throws(StoreError) in try await maintenance.setPolicy(policy, of: name) }
      }
      let fields = HistoryCommand.fields(name, policy)
      return services.answer.done(fields, line: "the history of \(name) is kept \(policy.words)")
    }
  }

  struct StatusOfHistory: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show what is kept of the history of each collection, and its size.",
      discussion: "The changes since the last compaction are not counted: \(help: "compact") compacts now.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let maintenance = try services.historyMaintenance()
      let rows = try Failure.from { () throws(StoreError) in try maintenance.histories() }
        .filter { !$0.collection.isInternal }.map { status in
          var fields = HistoryCommand.fields(status.collection, status.policy)
          fields.append("since", status.since?.at.description)
          fields.append("lostBefore", status.lost.map { Int(clamping: $0) })
          fields["changes"] = .int(status.changes)
          fields["bytes"] = .int(status.bytes)
          return fields
        }
      return services.answer.list(
        rows,
        columns: [
          "collection", "keep", "since", .init("changes", number: true),
          .init("bytes", number: true), "daily", "quiet",
        ], empty: "no history is kept")
    }
  }

  private static func fields(_ name: CollectionName, _ policy: HistoryPolicy) -> JSONObject {
    [
      "collection": .string(name.rawValue), "keep": .string(policy.keep.description),
      "daily": .texts(policy.daily), "quiet": .texts(policy.quiet),
    ]
  }
}

extension HistoryPolicy {
  /// For people: `for 365d, daily stars`.
  fileprivate var words: String {
    let fields = [("daily", daily), ("without changes of", quiet)].filter { !$0.1.isEmpty }
    let time = if case .days = keep { "for \(keep)" } else { keep == .none ? "not at all" : "forever" }
    return ([time] + fields.map { "\($0) \($1.joined(separator: ", "))" }).joined(separator: ", ")
  }
}

struct Blame: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "blame", abstract: "Show which change gave each field of a record its value.")

  @Argument(help: "Which collection.", completion: Completions.recordPaths) var collection: String
  @Argument(help: "The record's id or name.", completion: Completions.records) var id: String?
  @OptionGroup var past: AtOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let history = try services.history()
    let then = try services.past(past.time)
    let record = try NamedRecord(collection, id, then)
    let fields = try history.blame(
      record.collection, RecordArgument.id(record.name, in: record.collection, then),
      at: history.moment(past.time ?? "now"))
    let isTable = services.terminal.format == .table || services.terminal.format == .csv
    let rows = fields.map { field in
      var row = field.fields
      if isTable { row["by"] = .string(field.origin?.cause?.words ?? "unknown") }
      return row
    }
    return services.answer.list(
      rows,
      columns: [
        "field", .init("value", isLong: true), .init("commit", number: true), "at", "by",
      ])
  }
}

struct Difference: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what differs between two times, record by record.",
    discussion: "Times are \(WrittenTime.examples), 'last month', now, or commit:N.")

  @Argument(help: "The earlier time.") var from: String
  @Argument(help: "The later time.") var to: String = "now"
  @OptionGroup var only: CollectionsOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let (history, terminal) = (try services.history(), services.terminal)
    var rows = Answer.Rows(
      terminal: terminal,
      columns: ["id", "name", "field", "from", "to"].map { .init($0, isLong: ["from", "to"].contains($0)) },
      csvFields: ["collection", "id", "name", "field", "from", "to"], empty: "nothing differs")
    let beginning =
      if let first = try HistoryCommand.beginning(from, services) { first } else { try history.moment(from) }
    try history.difference(from: beginning, to: history.moment(to), in: only.names(services)) { entry in
      for var row in HistoryCommand.rows(entry, terminal) {
        if terminal.format == .table { row["id"] = row["record"] }
        rows.append(row)
      }
      return terminal.hasReader ? .next : .stop
    }
    rows.finish()
    return .done
  }
}

/// A record that a command means.
struct RecordPath {
  let collection: CollectionName
  let id: String

  var text: String { "\(collection)/\(id)" }

  /// - Parameter id: finds the id that a text means.
  init(
    _ first: String, _ second: String?, _ services: CompositionRoot,
    id: (String, CollectionName) throws(Failure) -> String
  ) throws(Failure) {
    let record = try NamedRecord(first, second, services)
    collection = record.collection
    self.id = try id(record.name, collection)
  }
}

struct Forget: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Erase a record with its history and all that is kept of it.",
    discussion: """
      The record is gone from the store and from every state of it, with its edits, its card and what was rejected of it; \
      cursors of \(help: "changes") expire. It cannot be undone. Earlier backups, stores that a restore put aside, exports and \
      mcp.log keep it, and so do files that a repair put aside, which are named; --all removes those. A source that still has the record brings it again with \
      the next sync.
      """)

  @Argument(
    help: ArgumentHelp("The record: COLLECTION/NAME, or the collection.", valueName: "record"),
    completion: Completions.recordPaths)
  var first: String
  @Argument(
    help: ArgumentHelp("The record's id or name, after the collection.", valueName: "name"),
    completion: Completions.records)
  var second: String?
  @Flag(help: "Also remove files that hold the record and are not the store's own, of a forgotten record, too.")
  var all = false
  @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    var unknown: Failure?
    let record = try RecordPath(first, second, services) { (text, collection) throws(Failure) in
      do throws(Failure) { return try HistoryCommand.id(text, in: collection, as: .whole, services) } catch {
        // Files may be left that hold the id of a record that was forgotten.
        guard all, error.reason == .notFound else { throw error }
        unknown = error
        return text
      }
    }
    let name = try HistoryCommand.name(of: record.id, in: record.collection, services)
    if !yes {
      guard terminal.canAsk else {
        throw .usage(
          "\(record.text) was not erased, because without a terminal nobody can answer",
          hint: "--yes answers", code: .notConfirmed)
      }
      let answers = [name, record.text, record.id].compactMap(\.self)
      let title = name.map { "\($0) (\(record.text))" } ?? record.text
      let question = "erase \(title) for ever? type \(name == nil ? "" : "the whole name, or ")\(record.text): "
      guard let answer = terminal.ask(Printable.text(question))?.trimmed,
        answers.contains(where: { $0.exact == answer.exact || Printable.text($0).exact == answer.exact })
      else {
        terminal.complain("nothing was changed")
        return .mixed
      }
    }
    let book = try Self.book(of: record, services)
    if record.collection == .people { services.removeCachedPhoto(of: record.id) }
    let erased = try await services.forget(record.collection, record.id)
    if let unknown, erased.records + erased.changes == 0, erased.remaining.isEmpty { throw unknown }
    // Those that were removed before, such as one that was added again.
    let others = try name.map { (name) throws(Failure) in
      try HistoryCommand.removed(named: name, in: record.collection, services).filter { $0 != record.id.exact }
        .map { "\(record.collection)/\($0.text)" }
    }
    let left = all ? erased.remaining.filter { unlink("\(services.storePath)/\($0)") != 0 } : erased.remaining
    let fields: JSONObject = [
      "record": .string(record.text), "records": .int(erased.records), "changes": .int(erased.changes),
      "remaining": .texts(left), "sameName": .texts(others ?? []),
    ]
    terminal.answer.done(
      fields,
      line: "forgotten: \(erased.records.counted("record")) and \(erased.changes.counted("change")) of \(record.text)")
    terminal.note("earlier backups, stores that a restore put aside, exports and mcp.log are not reached")
    for other in others ?? [] {
      terminal.complain(
        "the history has another record of this name: \(other); \(command: "forget", other) erases it, too")
    }
    for path in left {
      terminal.complain(
        all
          ? "not removed: \(path)"
          : "not reached: \(path); \(command: "forget", "--all", record.text) removes it")
    }
    if let book {
      terminal.complain(
        """
        not reached: the card in the address book \(book.follow), with which a sync brings the person again when the card changes, or with --full; to remove it there: \
        \(command: "sync", book.follow, "--full"), \(command: "people", "remove", name ?? "NAME"), \(command: "sync"), and \(command: "forget", record.text) again
        """)
    } else if services.catalog.fields(of: record.collection).isEmpty == false {
      terminal.note("a sync brings it again if its source still has it")
    }
    return .done
  }

  /// The address book that has a card of the person; `nil` for others.
  private static func book(of record: RecordPath, _ services: CompositionRoot) throws(Failure) -> FollowedBook? {
    guard record.collection == .people, let origin = (try? services.fields(.people, record.id))?["origin"]?.string
    else { return nil }
    return try services.books().first { $0.follow.exact == origin.exact }
  }
}
