import ArgumentParser
import CLibrary
import Models
import Ports

struct Status: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of follows, store and outbox; exits with 75 if a follow is stale.",
    discussion: """
      With --check it exits with 75 also if a follow fails, if edits are in conflict, refused, or could not be sent, if a \
      receiver does not accept notifications, or if the daemon has a problem, such as a store that it cannot write: \
      \(help: "status --check --quiet") in a cron job prints nothing, and exits with 0, while nothing needs a person.

      Follows with a problem come first. Of more than \(FollowSelection.mostLines) follows, only these are listed, unless \
      paths or --all ask for more.
      """)

  @Argument(
    help: "Followed paths, patterns such as 'users/*', or the name of a source; - reads lines. All by default.",
    completion: Completions.follows)
  var paths: [String] = []
  @Flag(help: "List every follow.") var all = false
  @Flag(help: "Exit with 75 also if a follow, a receiver or the daemon has a problem, or an edit needs a decision.")
  var check = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var isPaged: Bool { true }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let loaded = services.settings
    let settings = try loaded.partial()
    guard let mistakes = loaded.problem() else { return try await show(settings, services) }
    do throws(Failure) { _ = try await show(settings, besides: mistakes, services) } catch {
      services.terminal.report(error)
    }
    services.terminal.report(mistakes)
    return .config
  }

  /// Shows the state, as far as settings with mistakes tell it.
  private func show(
    _ settings: Settings, besides mistakes: Failure? = nil, _ services: CompositionRoot
  ) async throws(Failure) -> ExitStatus {
    let settings = try services.completed(settings)
    var follows = settings.follows
    if !paths.isEmpty { follows = try selected(among: follows, services) }
    let status = try services.syncStatus(follows, settings)
    let store = try services.store()
    let statistics = try Failure.from { () throws(StoreError) in try store.statistics() }
    var behind = try Failure.from { () throws(StoreError) in try store.behind() }
    let changed = behind.isEmpty ? [] : try Failure.from { () throws(StoreError) in try store.changedFiles() }
    behind.removeAll { changed.contains($0) }
    let missing = behind.filter { PublishedFile.isMissing($0, services) }
    behind.removeAll { missing.contains($0) }
    let unsent = try services.outbox().entries().filter { $0.state == .pending && $0.lastError != nil }
    var fields: JSONObject = [
      "follows": .objects(status.follows.map(\.fields)),
      "store": [
        "records": .int(statistics.records), "bytes": .int(statistics.bytes),
        "behind": .texts(behind.map(\.rawValue)),
        "missing": .texts(missing.map(\.rawValue)),
        "changed": .texts(changed.map(\.rawValue)),
      ],
      "outbox": .object(status.outbox.fields),
      "daemon": ["running": .bool(services.isDaemonRunning || services.displacedDaemon != nil)],
    ]
    let receivers = try services.failingReceivers(settings)
    let undecided = status.outbox.undecided.map { message in
      Failure(.api, .usage, message, hint: Self.decisions, code: .own(.undecidedEdits))
    }
    let problems = [("config", mistakes), ("edits", undecided)] + receivers.map { ("notifications", $0) }
    var shown = problems.compactMap { part, problem -> JSONValue? in
      guard let problem else { return nil }
      return [
        "part": .of(part), "message": .of(problem.message),
        "hint": .of(problem.hint.map { services.terminal.words($0) }), "code": .of(problem.code?.text),
      ]
    }
    // What it cannot do, such as write to a full disk, only the daemon knows.
    let ofDaemon = (await services.daemonStatus()?["problems"]?.array ?? []).compactMap(\.object).filter { problem in
      !shown.contains { $0.object?["part"] == problem["part"] }
    }
    shown += ofDaemon.map { .object($0) }
    if !shown.isEmpty { fields.append("problems", .array(shown)) }
    let isWell =
      !status.follows.contains(where: \.isTroubled) && receivers.isEmpty && ofDaemon.isEmpty
      && status.outbox.conflict + status.outbox.refused + unsent.count == 0
    let answer = services.answer
    if services.terminal.format == .csv {
      answer.list(
        status.follows.map(\.fields), columns: [],
        csvFields: ["follow", "state", "lastTry", "lastSuccess", "next", "pausedUntil", "stale", "error.message"]
          + (services.isStoreOnServer ? ["origin"] : []))
    } else {
      answer.value(fields) {
        if !isWell || !services.terminal.isQuiet {
          print(status, statistics, (behind, missing, changed), unsent, services)
          for receiver in receivers {
            services.terminal.paragraph("notifications: \(Printable.text(receiver.message))", indent: 2)
          }
          for problem in ofDaemon {
            let words = ["part", "message", "hint"].compactMap { problem[$0]?.string }.drop { $0 == "daemon" }
            let text = words.joined(separator: ": ")
            services.terminal.paragraph("daemon: \(Printable.text(text))", indent: 2)
          }
        }
      }
    }
    let daemon = services.displacedDaemon
    if let daemon {
      services.terminal.note(
        """
        the store was moved here from \(daemon.path) while almanacd (process \(daemon.process)) keeps it; \
        \(Doctor.suggestion(services.storePath, daemon.path))
        """)
    }
    if follows.isEmpty, mistakes == nil { services.terminal.complain(services.nothingFollowed) }
    return daemon != nil || check && !isWell || status.follows.contains(where: \.isStale) ? .tryLater : .done
  }

  /// The follows that the arguments mean.
  ///
  /// - Throws: `Failure`, `notFound` for a path that is not followed.
  private func selected(among follows: [Follow], _ services: CompositionRoot) throws(Failure) -> [Follow] {
    try FollowSelection(paths).paths(among: follows).map { (path) throws(Failure) in
      if let follow = try? follows.named(path, checking: services.check), follows.contains(follow) { return follow }
      throw FollowSelection.notFollowed(path, among: follows)
    }
  }

  /// How many follows there are in each state: `follows: 200; 196 fresh, 3 failing, 1 paused`.
  private static func totals(_ follows: [FollowStatus]) -> String {
    let counts = Dictionary(grouping: follows, by: \.state).mapValues(\.count)
    let parts = FollowStatus.State.allCases.reversed().compactMap { state in
      counts[state].map { "\($0) \(state.rawValue)" }
    }
    return "follows: \(follows.count); \(parts.joined(separator: ", "))"
  }

  private typealias Files = (behind: [CollectionName], missing: [CollectionName], changed: [CollectionName])

  private static let decisions: Advice =
    "\(command: "outbox", "resolve") decides a conflict; \(command: "outbox", "retry") sends a refused edit again, \(command: "outbox", "discard") drops one"

  private func print(
    _ status: SyncStatus, _ statistics: StoreStatistics, _ files: Files, _ unsent: [OutboxEntry],
    _ services: CompositionRoot
  ) {
    let terminal = services.terminal
    let isDaemonRunning = services.isDaemonRunning
    // Exact where a program may read it.
    let now = services.time.now
    func shown(_ time: Timestamp) -> String {
      terminal.width == nil ? time.description : ScreenTime.relative(time, to: now)
    }
    let problems = status.follows.filter(\.isTroubled)
    let rest = status.follows.filter { !$0.isTroubled }
    let isWhole = all || !paths.isEmpty || status.follows.count <= FollowSelection.mostLines
    let listed = isWhole ? problems + rest : Array(problems.prefix(FollowSelection.mostLines))
    if !terminal.isQuiet, status.follows.count > 1 { terminal.line(Self.totals(status.follows)) }
    let rows = (terminal.isQuiet ? problems : listed).map { follow -> JSONObject in
      var fields: JSONObject = [
        "follow": .string(follow.follow), "state": .string(follow.state.rawValue),
        "lastSuccess": .of(follow.lastSuccess.map(shown) ?? (follow.isSuccessUndated ? "not known" : "never")),
      ]
      // Without a daemon nobody knows when the next sync is.
      if isDaemonRunning { fields.append("next", follow.next.map(shown)) }
      fields.append("origin", follow.origin?.rawValue)
      fields.append("error", follow.problem.map { "\(follow.failed(shown)): \($0.message)" })
      return fields
    }
    if !terminal.isQuiet || !rows.isEmpty {
      var columns = ["follow", "state"]
      if services.isStoreOnServer { columns.append("origin") }
      columns += isDaemonRunning ? ["lastSuccess", "next", "error"] : ["lastSuccess", "error"]
      if !rows.isEmpty || isWhole { terminal.answer.list(rows, columns: columns.map { .init($0) }) }
      if !isWhole, !terminal.isQuiet {
        terminal.line(
          terminal.words(
            "\(status.follows.count - rows.count) more: \(command: "status", "--all") lists every follow"))
      }
    }
    if !terminal.isQuiet {
      let isDisplaced = services.displacedDaemon != nil
      terminal.line(
        isDisplaced
          ? "daemon: running, without this store, which was moved: nothing is synced"
          : isDaemonRunning
            ? "daemon: running" : "daemon: not running: nothing is synced by itself; start almanacd or cron")
      print(statistics, files, services)
    }
    let outbox = status.outbox
    if !terminal.isQuiet || outbox.conflict + outbox.refused > 0 {
      terminal.line("outbox: \(outbox.pending) waiting, \(outbox.conflict) in conflict, \(outbox.refused) refused")
    }
    let proposed = (try? services.proposals().proposals().count) ?? 0
    if proposed > 0, !terminal.isQuiet {
      terminal.paragraph(
        terminal.words("\(proposed) proposed by assistants: \(command: "outbox") lists them"), indent: 2)
    }
    if outbox.undecided != nil { terminal.paragraph(terminal.words(Self.decisions), indent: 2) }
    if let first = unsent.first {
      let wait = first.retryAt.map { ", and asked to wait until \(LocalTime($0)), local time" } ?? ""
      let reason = Printable.text("\(first.target): \(first.lastError ?? "")\(wait)")
      terminal.paragraph("edits that could not be sent: \(unsent.count); \(reason)", indent: 2)
    }
  }

  private func print(_ statistics: StoreStatistics, _ files: Files, _ services: CompositionRoot) {
    let terminal = services.terminal
    let isThere = services.isStoreOnServer || access(services.storePath, F_OK) == 0
    terminal.paragraph(
      isThere
        ? "store: \(statistics.records.counted("record")), \(statistics.bytes.counted("byte")) in \(services.storePath)"
        : terminal.words(
          "store: there is none in \(services.storePath) yet; \(command: "sync") and \(command: "import") make one"),
      indent: 2)
    for (collections, what, advice) in [
      (files.behind, "without the latest commits", "\(command: "compact") updates them"),
      (files.missing, "that are missing", "\(command: "compact") writes them from the store"),
      (files.changed, "that another program changed", "\(command: "doctor") says what to do"),
    ] as [([CollectionName], String, Advice)] where !collections.isEmpty {
      let names = collections.map { "\($0).jsonl" }.joined(separator: ", ")
      terminal.paragraph(terminal.words("files \(what): \(names); \(advice)"), indent: 2)
    }
  }
}

/// The readable file of a collection, `people.jsonl`.
enum PublishedFile {
  static func path(of name: CollectionName, _ services: CompositionRoot) -> String {
    "\(services.storePath)/\(name).jsonl"
  }

  /// Whether it does not exist: it was never written, or was removed.
  static func isMissing(_ name: CollectionName, _ services: CompositionRoot) -> Bool {
    access(path(of: name, services), F_OK) != 0
  }
}

extension FollowStatus {
  fileprivate var isTroubled: Bool { isStale || error != nil }

  /// When it failed, in words: `failed at TIME`, `failed 3 times since TIME`; `paused until TIME` where nothing was asked.
  func failed(_ shown: (Timestamp) -> String) -> String {
    if let pausedUntil { return "paused until \(shown(pausedUntil))" }
    if error?.isPause == true { return "paused" }
    guard failures > 1 else { return (failingSince ?? lastTry).map { "failed at \($0)" } ?? "failed" }
    return "failed \(failures) times" + (failingSince.map { " since \($0)" } ?? lastTry.map { ", last at \($0)" } ?? "")
  }
}

struct Compact: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Merge the journal into the collection files; this also happens automatically.")

  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let store = try services.store()
    try services.checkChangeable()
    let statistics = try await Failure.from { () async throws(StoreError) in try await store.compact() }
    let fields: JSONObject = ["records": .int(statistics.records), "bytes": .int(statistics.bytes)]
    return services.answer.done(
      fields, line: "\(statistics.records.counted("record")), \(statistics.bytes.counted("byte"))")
  }
}
