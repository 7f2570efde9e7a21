import ArgumentParser
import CLibrary
import Models
import Ports

struct Sync: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch all follows, then send the pending edits.",
    discussion: """
      Without a path, all follows are fetched but those that are paused; a pattern or the name of a source leaves these \
      out, too. A path that is not followed is fetched once.
      A failed follow does not affect the others and loses nothing: the next sync goes on after the pages that came, and \
      the one after that reads them again. --full begins with the first page.

      A server that asked to wait, with 429 and Retry-After, is not asked before that time, also by the next commands; \
      --now asks it nevertheless. --force is for another case: a list that suddenly lost most of its records.

      Where --server replaces an address, edits are sent only with --send: the other server may be one for tests, and an \
      edit that it accepts would count as sent. With --seed no edit is sent: a recording is not a server.
      """)

  @Argument(
    help: "Followed paths, patterns such as 'users/*', or the name of a source; - reads lines. All by default.",
    completion: Completions.follows)
  var paths: [String] = []
  @Flag(help: "List every follow, also those of many without a change.") var all = false
  @Flag(help: "Print the planned changes; change nothing locally or on servers.") var dryRun = false
  @Flag(help: "Ignore cursors and validators and fetch everything again.") var full = false
  @Flag(help: "Accept a list that suddenly lost most of its records.") var force = false
  @Flag(help: "Ask also servers that asked to wait.") var now = false
  @Option(help: "How many follows are fetched concurrently.") var jobs = 4
  @Option(help: "How many photo owners are fetched concurrently.") var ownerJobs = 1
  @Flag(help: "Exit with 65 if a record was rejected.") var strict = false
  @Flag(help: "Send the edits also where --server replaces an address.") var send = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    try require((1...64).contains(jobs), "--jobs takes 1 to 64, not \(jobs)")
    try require((1...64).contains(ownerJobs), "--owner-jobs takes 1 to 64, not \(ownerJobs)")
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let configured = try services.followed()
    // The records are made up: an edit of them would reach the user's own servers.
    guard dryRun || services.isReplay || services.namesConfig || !Demo.made(services.storePath)
    else {
      throw Failure(
        .store, .usage, "a demo made the store in \(services.storePath), and your servers know nothing of its records",
        hint: """
          without --store and ALMANAC_STORE, your own store is synced
          --config names a config that belongs to this store
          """, code: .own(.usage), path: services.storePath)
    }
    var follows = paths.isEmpty ? configured.filter { !$0.isPaused } : []
    for path in try FollowSelection(paths).paths(among: configured, where: { !$0.isPaused }) {
      follows.append(
        try Failure.from { () throws(FollowError) in try configured.named(path, checking: services.check) })
    }
    // No server is asked for what cannot be stored.
    if !dryRun, let refusal = services.storeRefusal { throw refusal }
    let sync = dryRun ? try services.planning() : try services.sync()
    let sendsEdits = services.sendsEdits(asked: send)
    let options = SyncOptions(
      dryRun: dryRun, full: full, force: force, asksEarly: now || services.hasOtherServers, jobs: jobs,
      ownerJobs: ownerJobs, sendsEdits: sendsEdits, configured: services.isStoreOnServer ? nil : configured)
    let report = try await sync.sync(follows, options)
    services.terminal.status([])
    SyncAnswer(terminal: services.terminal, isWhole: all || !paths.isEmpty, isWholePlan: all).print(
      report, earlier: dryRun ? try services.outbox().entries() : [], names: services.plannedNames(report.plan ?? []))
    if !sendsEdits { services.noteHeldEdits(report.outbox.pending) }
    // Where a follow failed, its error names the file.
    let failed = Set(report.follows.filter { $0.error != nil }.map { Follow(path: $0.follow).source })
    let files = ServerFiles(services: services, settings: try services.settings.strict())
    files.complain(about: Set(follows.map(\.source)).subtracting(failed))
    if configured.isEmpty, follows.isEmpty, report.outbox.sent == 0 {
      services.terminal.complain(services.nothingFollowed)
    }
    return ExitStatus(report, strict: strict)
  }
}

extension CompositionRoot {
  /// Whether a sync sends edits: never to a recording, and to the server of `--server` only where that is asked for.
  func sendsEdits(asked: Bool = false) -> Bool { !isReplay && (asked || options.server.isEmpty) }

  /// Whether others answer than the servers of the config, which may have asked to wait.
  var hasOtherServers: Bool { isReplay || !options.server.isEmpty }
}

extension CompositionRoot {
  /// Says how many edits a sync does not send, because `--server` replaces an address, or `--seed` every server.
  func noteHeldEdits(_ count: Int) {
    guard count > 0 else { return }
    let reason: Advice =
      isReplay
      ? "responses come from a recording, to which no edit is sent"
      : "with --server, \(command: "sync") sends edits only with --send"
    terminal.complain("\(count.counted("edit waits", "edits wait")): \(reason)")
  }

  /// That nothing is followed, which is said also where only what is wrong is printed: a job that runs with another home
  /// folder reads another config file, and does nothing from then on.
  var nothingFollowed: Advice {
    let path = settingsFile.path
    let problem = access(path, F_OK) == 0 ? "\(path) has no follows" : "there is no config file \(path)"
    let store = isStoreOnServer ? ", and the store has no follows" : ""
    return "nothing is followed: \(problem)\(store); \(command: "follow", "app-store/us/top-free") adds the first one"
  }
}

struct SyncAnswer {
  let terminal: Terminal
  /// Whether each follow has a line, however many there are.
  var isWhole = false
  /// Whether each record of a dry run has a line.
  var isWholePlan = false

  /// Prints the report, or the plan of a dry run.
  ///
  /// - Parameters:
  ///   - earlier: the edits that waited before a dry run.
  ///   - names: the names of the records of the plan, in its order.
  func print(_ report: SyncReport, earlier: [OutboxEntry] = [], names: [String?] = []) {
    switch terminal.format {
    case .json, .jsonl: terminal.write(terminal.coder.encode(report.fields) + [0x0A])
    case .csv:
      let fields = Self.columns.map(\.field) + ["error.message"]
      terminal.answer.list(report.follows.map(\.fields), columns: [], csvFields: fields)
    case .table: table(report, names)
    }
    for follow in report.follows {
      if let error = follow.error { terminal.report(error, of: follow.follow, as: "follow") }
    }
    if let unsent = report.outbox.unsent { OutboxAnswer(terminal: terminal).report(unsent, report.outbox.pending) }
    if report.totals.rejected > 0 {
      let rejected = report.totals.rejected
      let words: Advice = "\(rejected.counted("record was", "records were")) rejected"
      terminal.complain(report.plan == nil ? "\(words); \(command: "list", "rejects") shows where and why" : words)
      for follow in report.follows { Self.rejects(of: follow).forEach { terminal.complain(Advice($0)) } }
      for follow in report.follows {
        guard let kept = follow.rejectsKept else { continue }
        terminal.complain("\(follow.follow): the first \(kept) of \(follow.counts.rejected) rejected records are kept")
      }
    }
    guard report.plan != nil else { return OutboxAnswer(terminal: terminal).advise(report.outbox) }
    // What the plan would bring about is not in the outbox, so there is nothing to look at there yet.
    let known = earlier.filter { $0.state == .conflict }.map(\.$target)
    let new = report.outbox.conflicts.filter { !known.contains($0.exact) }
    if !new.isEmpty {
      terminal.complain(
        """
        \(new.count.counted("edit")) would meet a newer value at the server and become a conflict: \(Printable.list(new))
        """)
    }
    var counts = report.outbox
    counts.conflicts = report.outbox.conflicts.filter { known.contains($0.exact) }
    counts.conflict = counts.conflicts.count
    counts.refused = earlier.count { $0.state == .refused }
    OutboxAnswer(terminal: terminal).advise(counts)
  }

  /// The first rejects of a plan as lines: where each is, why, and the record as received.
  static func rejects(of follow: FollowReport) -> [String] {
    var lines = follow.rejects.flatMap { reject in
      let raw = reject.raw.prefix(200)
      return [
        "rejected: \(reject.path): expected \(reject.expected), found \(reject.found)",
        "  \(raw)\(raw.endIndex < reject.raw.endIndex ? "…" : "")",
      ]
    }
    let rest = follow.counts.rejected - follow.rejects.count
    if rest > 0, !lines.isEmpty { lines.append("\(rest.counted("more record was", "more records were")) rejected") }
    return lines.map(Printable.text)
  }

  private static let columns: [Answer.Column] = [
    "follow", .init("status", isNeeded: true), .init("added", number: true, isNeeded: true),
    .init("updated", number: true, isNeeded: true), .init("unchanged", number: true),
    .init("removed", number: true, isNeeded: true), .init("rejected", number: true, isNeeded: true),
    .init("requests", number: true), .init("bytes", number: true),
  ]

  /// A follow's line of the table. Where several collections changed, it says how many records are of which.
  private static func row(_ follow: FollowReport) -> JSONObject {
    var row = follow.fields
    let collections = follow.counts.collections
    for (name, count) in [
      ("added", \CollectionCounts.added), ("updated", \.updated), ("removed", \.removed),
    ] where collections.filter({ $0[keyPath: count] > 0 }).count > 1 {
      let parts = collections.filter { $0[keyPath: count] > 0 }.map { $0.collection.counted($0[keyPath: count]) }
      row[name] = .string("\(row[name]?.int ?? 0) (\(parts.joined(separator: ", ")))")
    }
    return row
  }

  /// What became of all follows: `follows: 200; 3 failed, 10 ok, 187 unchanged; 12 added, 3 updated, 0 removed`.
  private static func totals(_ report: SyncReport) -> String {
    let counts = Dictionary(grouping: report.follows, by: \.status).mapValues(\.count)
    let parts = [FollowReport.Status.failed, .partial, .ok, .unchanged].compactMap { status in
      counts[status].map { "\($0) \(status.rawValue)" }
    }
    let totals = report.totals
    return "follows: \(report.follows.count); \(parts.joined(separator: ", ")); "
      + "\(totals.added) added, \(totals.updated) updated, \(totals.removed) removed"
  }

  private func table(_ report: SyncReport, _ names: [String?]) {
    let answer = terminal.answer
    let isWanted = !terminal.isQuiet
    if isWanted, !report.follows.isEmpty {
      if report.follows.count > 1 { terminal.line(Self.totals(report)) }
      let problems = report.follows.filter { $0.status == .failed || $0.status == .partial }
      let isWhole = isWhole || report.follows.count <= FollowSelection.mostLines
      let rest = report.follows.filter { follow in
        !problems.contains(follow) && (isWhole || follow.status == .ok)
      }
      let shown = isWhole ? problems + rest : Array((problems + rest).prefix(FollowSelection.mostLines))
      if !shown.isEmpty { answer.list(shown.map(Self.row), columns: Self.columns) }
      if shown.count < report.follows.count {
        let left = report.follows.count - shown.count
        terminal.line(terminal.words("\(left) more: \(command: "sync", "--all") lists every follow"))
      }
    }
    let outbox = report.outbox
    if isWanted, outbox != OutboxCounts() {
      terminal.line(
        "edits: \(outbox.sent) sent, \(outbox.pending) waiting, \(outbox.conflict) in conflict, \(outbox.refused) refused"
      )
    }
    if let plan = report.plan { print(plan, names, report.outgoing ?? []) }
  }

  private func print(_ plan: [PlannedChange], _ names: [String?], _ outgoing: [PlannedRequest]) {
    let answer = terminal.answer
    terminal.line(
      plan.isEmpty ? "no record would change" : "\(plan.count.counted("record")) would change; nothing was written:")
    let shown = isWholePlan ? plan[...] : plan.prefix(FollowSelection.mostLines)
    if !plan.isEmpty {
      let rows = zip(shown, names).map { change, name -> JSONObject in
        var row: JSONObject = [
          "change": .string(change.operation.done), "record": .string("\(change.collection)/\(change.id)"),
        ]
        row.append("name", name)
        // All fields of a new record are new.
        if change.operation == .update { row.append("fields", change.changed?.keys.joined(separator: ", ")) }
        return row
      }
      let columns = ["change", "record", "name"] + (rows.contains { $0["fields"] != nil } ? ["fields"] : [])
      answer.list(rows, columns: columns.map { .init($0) })
    }
    if shown.count < plan.count {
      let left = plan.count - shown.count
      terminal.line(terminal.words("\(left) more: \(command: "sync", "--dry-run", "--all") lists every record"))
    }
    guard !outgoing.isEmpty else { return }
    terminal.line("\(outgoing.count.counted("edit")) would be sent; nothing was sent:")
    answer.list(outgoing.map(\.fields), columns: ["method", "target", "fields", "url"])
  }
}

extension PlannedChange.Operation {
  fileprivate var done: String {
    switch self {
    case .add: "added"
    case .update: "changed"
    case .remove: "removed"
    }
  }
}

extension CompositionRoot {
  /// The names of the records of a plan: of new ones those that come, of others those that are stored.
  fileprivate func plannedNames(_ plan: [PlannedChange]) -> [String?] {
    plan.map { change in
      guard let field = catalog[change.collection]?.nameField else { return nil }
      if let name = change.changed?[field]?.string { return name }
      return (try? fields(change.collection, change.id))?[field]?.string
    }
  }
}

extension CollectionName {
  /// So many records of the collection: `1 chart`, `50 apps`.
  fileprivate func counted(_ count: Int) -> String {
    if count == 1, self == .people { return "1 person" }
    return "\(count) \(count == 1 && rawValue.hasSuffix("s") ? String(rawValue.dropLast()) : rawValue)"
  }
}
