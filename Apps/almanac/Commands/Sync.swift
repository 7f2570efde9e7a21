import ArgumentParser
import Models
import Ports

/// `almanac sync [PATH…]`
struct Sync: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch what is followed, then send the edits that wait.",
    discussion: """
      Without a path everything that is followed is fetched. A path that is not followed is fetched this once.
      A follow that fails stops no other and loses nothing.
      """)

  @Argument(help: "Followed paths; all of them where none is named.") var paths: [String] = []
  @Flag(help: "Show what would be done, and write nothing here or there.") var dryRun = false
  @Flag(help: "Forget cursors and validators and fetch everything again.") var full = false
  @Flag(help: "Apply also a list that suddenly lost most of its records.") var force = false
  @Option(help: "How many follows are fetched side by side.") var jobs = 4
  @Option(help: "How many photo owners are fetched side by side.") var ownerJobs = 1
  @Flag(help: "End with 65 when a record was rejected.") var strict = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64, not \(jobs)") }
    guard (1...64).contains(ownerJobs) else { throw ValidationError("--owner-jobs takes 1 to 64, not \(ownerJobs)") }
  }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let configured = try services.loadSettings().follows
    let follows =
      paths.isEmpty
      ? configured : paths.map { path in configured.first { $0.path == path } ?? Follow(path: path) }
    for follow in follows where !paths.isEmpty {
      try Failure.from { () throws(FollowError) in try services.check(follow) }
    }
    let sync = try services.sync(planning: dryRun)
    if follows.isEmpty {
      services.terminal.note("nothing is followed yet; try 'almanac follow app-store/us/top-free'")
    }
    let options = SyncOptions(dryRun: dryRun, full: full, force: force, jobs: jobs, ownerJobs: ownerJobs)
    let report = try await sync.sync(follows, options)
    services.terminal.status([])
    SyncAnswer(terminal: services.terminal).print(report)
    return ExitStatus(report, strict: strict)
  }
}

/// Prints what a sync did.
struct SyncAnswer {
  /// Where it goes.
  let terminal: Terminal

  /// Prints the report, or the plan of a dry run.
  func print(_ report: SyncReport) {
    switch terminal.format {
    case .json, .jsonl: terminal.write(terminal.coder.encode(report.fields) + [0x0A])
    case .csv:
      Answer(terminal: terminal).list(report.follows.map(\.fields), columns: Self.columns)
    case .table: table(report)
    }
  }

  private static let columns: [Answer.Column] = [
    .init("follow"), .init("status"), .init("added", number: true), .init("updated", number: true),
    .init("unchanged", number: true), .init("removed", number: true), .init("rejected", number: true),
    .init("requests", number: true), .init("bytes", number: true),
  ]

  private func table(_ report: SyncReport) {
    let answer = Answer(terminal: terminal)
    if !report.follows.isEmpty { answer.list(report.follows.map(\.fields), columns: Self.columns) }
    for follow in report.follows {
      guard let error = follow.error else { continue }
      terminal.complain("\(follow.follow): \(Printable.text(error.message))")
      for line in (error.hint ?? "").split(separator: "\n") { terminal.complain("  \(Printable.text(String(line)))") }
      if let url = error.url { terminal.complain("  \(Printable.text(url))") }
    }
    if report.totals.rejected > 0 {
      terminal.note("rejected records are kept with place and reason: 'almanac list rejects'")
    }
    let outbox = report.outbox
    if outbox != OutboxCounts() {
      terminal.line(
        "edits: \(outbox.sent) sent, \(outbox.pending) waiting, \(outbox.conflict) in conflict, \(outbox.refused) refused"
      )
      OutboxAnswer(terminal: terminal).advise(outbox)
    }
    guard let plan = report.plan else { return }
    terminal.line(plan.isEmpty ? "nothing would change" : "\(plan.count) records would change; nothing was written:")
    if !plan.isEmpty {
      answer.list(
        plan.map(\.fields), columns: [.init("op"), .init("collection"), .init("id"), .init("fields", "FIELDS")])
    }
  }
}
