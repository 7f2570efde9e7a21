import CLibrary
import Frontend
import Logging
import Models
import Ports
import Synchronization

/// What keeps the daemon from working as it should. The page, the metrics, `/readyz`, the API and the log say the same.
final class Health: EventSink {
  enum Part: String, Sendable, CaseIterable {
    /// The store is not at its path, cannot be read, is damaged, or cannot be written.
    case store
    /// The config file is refused; the earlier config is in use.
    case config
    /// A program that prints a key takes long; until it has, nothing is synced.
    case keys
    /// A setting takes effect at the next start only.
    case restart
    /// A receiver of notifications does not accept them.
    case notifications
    /// Edits are in conflict or refused: a person has to decide.
    case edits

    /// How the log calls its problem.
    fileprivate var message: Logger.Message {
      switch self {
      case .store: "the store cannot be used as it should"
      case .config: "the config has a problem"
      case .keys: "nothing is synced before the keys are known"
      case .restart: "a setting takes effect at the next start only"
      case .notifications: "notifications are not accepted"
      case .edits: "edits wait for a decision"
      }
    }
  }

  /// The config in use, and what became of the last reload.
  struct Config: Sendable {
    var readAt: Timestamp
    var isRefused = false
    /// When it was refused first for the reason of now.
    var refusedAt: Timestamp?

    var fields: JSONObject {
      var fields: JSONObject = ["readAt": .string(readAt.description), "result": isRefused ? "refused" : "ok"]
      fields.append("refusedAt", refusedAt?.description)
      return fields
    }
  }

  /// What keeps the daemon from working as it should, as far as one part is concerned.
  struct Problem: Sendable {
    let part: Part
    let failure: Failure
    /// Since when; `nil` where the outbox says it.
    var since: Timestamp?
    /// What it is about, beside the failure: receivers, or places of the config.
    fileprivate var subjects: [String] = []
    /// Whether the new config is in use beside its mistakes, which are those of definitions.
    fileprivate(set) var isInUse = false

    init(_ part: Part, _ failure: Failure, since: Timestamp? = nil, of subjects: [String] = []) {
      (self.part, self.failure, self.since, self.subjects) = (part, failure, since, subjects)
    }

    /// Whether it is the same problem, whatever its words.
    fileprivate func isSame(as other: Problem) -> Bool {
      failure.cause == other.failure.cause && subjects.elementsEqual(other.subjects) { $0.exact == $1.exact }
    }
  }

  private struct State {
    var isRunning = false
    var config: Config
    var problems: [Part: Problem] = [:]
    /// What the last check of all checksums found.
    var damage: Failure?
    /// The last write that the store refused, and its last commit at the first look after that; a later one ends it.
    var refusedWrite: (failure: Failure, sequence: UInt64?)?
    /// The store's files as they were at the last look, by name.
    var files: [String: FileStamp] = [:]
    var needsCheck = true
    var isChecking = false
    var lastCheck = Duration.zero
    /// When the files may be read again, and when they are without a reason, by the clock that never goes back.
    var nextCheck = Duration.zero
    var nextScrub = Duration.zero
    /// When the server of the store was asked, as long as it has not answered.
    var askedAt: Duration?
  }

  /// The shortest time between two checks of all checksums without a reason; they take a hundredth of the time at most.
  static let scrubPause = Duration.seconds(3600)
  /// The shortest time between two checks.
  private static let checkPause = Duration.seconds(5)
  /// Bytes that must be free.
  private static let room = 64 << 10

  private let folder: String?
  private let time: any TimeSource
  private let logger: Logger
  private let feed: EventFeed?
  private let wording: Wording
  private let state: Mutex<State>

  /// The health of a daemon that has not started yet.
  ///
  /// - Parameters:
  ///   - folder: the store's folder; `nil` for a store on a server.
  ///   - feed: is notified when a problem begins or ends.
  ///   - wording: puts hints into words.
  init(folder: String?, time: any TimeSource, logger: Logger, feed: EventFeed?, wording: Wording = Wording()) {
    self.wording = wording
    self.folder = folder
    self.time = time
    self.logger = logger
    self.feed = feed
    state = Mutex(State(config: Config(readAt: time.now)))
  }

  var config: Config { state.withLock { $0.config } }

  /// Notes what became of a reload: `mistakes` are logged, one a line; without an error the config is in use from now.
  ///
  /// - Parameters:
  ///   - isInUse: whether the config is in use beside the mistakes, which are those of definitions.
  ///   - isWanted: whether somebody asked for the reload, who gets an answer also where nothing is new.
  func reloaded(
    _ failure: Failure?, mistakes: [Mistake] = [], isInUse: Bool = false, isWanted: Bool = false
  ) {
    let isNews = set(
      .config, failure, of: mistakes.flatMap { [$0.place, $0.path] },
      isInUse ? Self.inUseMessage : "the new config is refused; the old one stays")
    let now = time.now
    state.withLock { state in
      state.problems[.config]?.isInUse = isInUse
      // A mistake that is read again was refused before.
      let since = state.problems[.config]?.since
      (state.config.isRefused, state.config.refusedAt) = (failure != nil, since)
      if failure == nil { state.config.readAt = now }
    }
    guard isNews else {
      if isWanted, let failure { logger.error("the config is still refused", metadata: ["why": "\(failure.message)"]) }
      return
    }
    for mistake in mistakes { logger.error("config mistake", metadata: mistake.metadata) }
  }

  /// What is logged where the config is in use beside mistakes.
  static let inUseMessage: Logger.Message =
    "the follows of sources with mistakes fail; the rest of the config is in use"

  /// Whether the daemon has started, and has not been asked to stop.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  func set(isRunning: Bool) { state.withLock { $0.isRunning = isRunning } }

  /// The problems, the worst first.
  var problems: [Problem] {
    var problems = state.withLock { $0.problems }
    if folder == nil { problems[.store] = serverProblem }
    return Part.allCases.compactMap { problems[$0] }
  }

  /// The problems, with what the outbox needs a person for.
  func problems(_ outbox: OutboxCounts) -> [Problem] {
    guard let undecided = outbox.undecided else { return problems }
    let hint: Advice =
      "decide them at the top of the page, or with \(command: "outbox", "resolve"), \(command: "outbox", "retry") and \(command: "outbox", "discard")"
    let failure = wording(Failure(.api, .usage, undecided, hint: hint, code: .own(.undecidedEdits)))
    return problems + [Problem(.edits, failure)]
  }

  /// Sets or ends a problem; its beginning, its end and another cause are logged once.
  ///
  /// - Parameter subjects: what it is about, beside the failure: another one is another problem.
  /// - Returns: whether it is another problem than before.
  @discardableResult
  func set(
    _ part: Part, _ failure: Failure?, of subjects: [String] = [], _ message: Logger.Message? = nil
  ) -> Bool {
    let now = time.now
    var new = failure.map { Problem(part, wording($0), since: now, of: subjects) }
    let old = state.withLock { state in
      let old = state.problems[part]
      if let old, let known = new, known.isSame(as: old) { new?.since = old.since }
      state.problems[part] = new
      return old
    }
    if let old, let new, new.isSame(as: old) { return false }
    if old == nil, new == nil { return false }
    feed?.changed(part.rawValue, problem: new?.failure.message)
    if let failure = new?.failure {
      var metadata: Logger.Metadata = ["part": "\(part.rawValue)", "why": "\(failure.message)"]
      // Several mistakes have a line each.
      metadata["hint"] = failure.hint.flatMap { "\($0.description)".contains("\n") ? nil : "\($0.description)" }
      if isReplaced(failure) {
        logger.notice("another store is in the place of the store, and will be opened", metadata: metadata)
      } else {
        logger.error(message ?? part.message, metadata: metadata)
      }
    } else {
      logger.notice("problem solved", metadata: ["part": "\(part.rawValue)"])
    }
    return true
  }

  /// Whether the store was moved away and another one is there, as after a restore: nothing is wrong then.
  private func isReplaced(_ failure: Failure) -> Bool {
    failure.code == .store(.moved) && folder.map { access($0 + "/manifest", F_OK) == 0 } ?? false
  }

  /// Looks at the store as it is now.
  ///
  /// - Returns: its problem.
  @discardableResult
  func check(_ services: DaemonServices) -> Failure? {
    // A server that is silent must not hold up whoever asks: `ServerWatch` asks it all the time.
    if folder == nil { return serverProblem?.failure }
    let problem = storeProblem(services)
    set(.store, problem)
    return problem
  }

  private func storeProblem(_ services: DaemonServices) -> Failure? {
    do throws(StoreError) {
      try services.store.checkPlace()
      // Unlike a snapshot, it reads the manifest that is on the disk now.
      _ = try services.store.statistics()
      try services.store.checkWritable()
      let sequence = try services.store.snapshot().sequence
      return state.withLock { $0.damage } ?? spaceProblem ?? writeProblem(sequence)
    } catch {
      return error.failure
    }
  }

  /// The refused write after which nothing was committed.
  private func writeProblem(_ sequence: UInt64) -> Failure? {
    state.withLock { state in
      guard let refused = state.refusedWrite else { return nil }
      let isOver = refused.sequence.map { $0 != sequence } ?? false
      state.refusedWrite = isOver ? nil : (refused.failure, sequence)
      return state.refusedWrite?.failure
    }
  }

  /// Whether a write would find room, tried with a file that has no name (open(2), O_TMPFILE).
  private var spaceProblem: Failure? {
    let temporaryFile: Int32 = 0o20_000_000
    guard let folder else { return nil }
    let descriptor = open(folder, temporaryFile | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
    let number: Int32
    if descriptor < 0 {
      number = errno
    } else {
      number = posix_fallocate(descriptor, 0, off_t(Self.room))
      close(descriptor)
    }
    switch number {
    case ENOSPC, EDQUOT:
      return Failure(
        .store, .inputOutput, "the disk of the store is full, or the quota is used up",
        hint: SystemError(number).suggestion, code: .store(.full), path: folder)
    // `checkWritable` tells of other errors. Some file systems do not have such files, which says nothing about room.
    default: return nil
    }
  }
}

// MARK: - A store on a server

extension Health {
  /// A server that has not answered for so long counts as one that cannot be used.
  private static let silence = Duration.seconds(2)

  /// Notes that the server is asked now.
  func ask() { state.withLock { $0.askedAt = time.uptime } }

  func answered(_ problem: Failure?) {
    state.withLock { $0.askedAt = nil }
    set(.store, problem)
  }

  private var serverProblem: Problem? {
    let (uptime, now) = (time.uptime, time.now)
    return state.withLock { state in
      if let problem = state.problems[.store] { return problem }
      guard let asked = state.askedAt, uptime - asked > Self.silence else { return nil }
      let seconds = Int((uptime - asked).components.seconds)
      let failure = Failure(
        .store, .tryLater, "the server of the store has not answered for \(seconds) s",
        hint: "check that it is running", code: .store(.unreachable), retryable: true)
      return Problem(.store, failure, since: now + -seconds)
    }
  }
}

extension Failure {
  /// What tells whether two failures have one reason, whatever their words.
  struct Cause: Hashable {
    var kind: Kind
    var code: FailureCode?
    var url, path: ExactString?
  }

  /// Whether a server refuses connections, is silent or starts: it is one outage.
  var cause: Cause { Cause(kind: kind, code: code, url: url?.exact, path: path?.exact) }

  /// The failure of a folder in which nothing can be written, because of its mode, its owner or its mount.
  static func readOnly(_ folder: String, _ number: Int32) -> Failure {
    Failure(
      .store, .inputOutput, "the folder is read-only", number: number,
      hint: "let it belong to the user that runs almanacd, and be writable for it", code: .store(.cannotWrite),
      path: folder)
  }

  /// Whether one line says it for all that fails because of it: `ServerWatch` logs the lost lease, and `Health` that the
  /// server of the store cannot be reached, was lost during a commit, or refuses to write.
  var isSaidOnce: Bool {
    let codes: [FailureCode] = [.store(.unreachable), .store(.unknownOutcome), .store(.denied)]
    return isTakenOver || kind == .store && code.map(codes.contains) ?? false
  }
}

// MARK: - Checksums

extension Health {
  func report(_ event: Event) {
    if case .followFinished(let report, _) = event, let error = report.error { note(error) }
  }

  /// Takes note of an error; one of the store is a reason to check all checksums, or says that it cannot be written.
  func note(_ failure: Failure) {
    guard failure.kind == .store else { return }
    let name = failure.path?.split(separator: "/").last ?? ""
    // What the files themselves tell ends when they may be written again.
    if failure.code == .store(.cannotWrite), let path = failure.path, access(path, W_OK) == 0,
      CommitFiles.contain(name) || path.exact == folder?.exact
    {
      state.withLock { $0.refusedWrite = (failure, nil) }
    }
    guard [.store(.damaged), .store(.cannotRead)].contains(failure.code) else { return }
    state.withLock { $0.needsCheck = true }
  }

  /// Checks all checksums in the background where there is a reason: at the start, after an error, where a file was changed
  /// in place, as long as there is damage, and once an hour.
  func checkFiles(_ services: DaemonServices) {
    guard let folder else { return }
    let (now, files) = (time.uptime, Self.files(folder))
    let isDue = state.withLock { state in
      // A compaction makes new files, and commits only lengthen the journal. Where there is damage, any change may be the
      // repair. Both are looked at without the pause that a check of large files, or on a busy machine, is followed by.
      let isRewritten = state.files.contains { name, stamp in files[name]?.isRewritten(since: stamp) == true }
      if isRewritten || state.damage != nil && state.files != files {
        state.needsCheck = true
        state.nextCheck = min(state.nextCheck, state.lastCheck + Self.checkPause)
      }
      state.files = files
      if state.damage != nil || now >= state.nextScrub { state.needsCheck = true }
      guard state.needsCheck, !state.isChecking, now >= state.nextCheck else { return false }
      (state.needsCheck, state.isChecking) = (false, true)
      return true
    }
    guard isDue else { return }
    Task(executorPreference: WorkThreads.background) { [self] in
      let damage = Self.damage(services.store)
      let end = time.uptime
      state.withLock { state in
        state.damage = damage
        state.isChecking = false
        state.lastCheck = end
        // At most a tenth of the time.
        state.nextCheck = end + max(Self.checkPause, (end - now) * 10)
        state.nextScrub = end + max(Self.scrubPause, (end - now) * 100)
      }
      check(services)
    }
  }

  private static func damage(_ store: any StoreMaintenance) -> Failure? {
    do throws(StoreError) {
      let found = try store.verify().first { $0.severity == .damage || $0.severity == .loss }
      guard let found else { return nil }
      let place = found.offset.map { ", byte \($0)" } ?? ""
      return Failure(
        .store, .inputOutput, "\(found.message) (\(found.path)\(place))", hint: found.suggestion,
        code: .store(.damaged), path: found.path)
    } catch { return error.failure }
  }

  private static func files(_ folder: String) -> [String: FileStamp] {
    var files: [String: FileStamp] = [:]
    for name in FileStamp.names(in: folder)
    where name.hasSuffix(".records") || name.hasSuffix(".sums") || name.hasPrefix("journal.") || name == "manifest" {
      files[name] = FileStamp(folder + "/" + name)
    }
    return files
  }
}
