import CLibrary
import Models
import Ports

extension Doctor {
  /// What the store remembers of follows and edits: what failed, what was never synced, and what waits.
  ///
  /// - Parameters:
  ///   - unanswered: sources whose servers are findings already. Those explain the failures of their follows.
  ///   - reached: sources whose servers answer, which says nothing about their keys.
  ///   - isStoreDamaged: whether damage of the store is a finding already.
  func checkFollows(
    _ settings: Settings, _ follows: [Follow], besides unanswered: Set<SourceName>, reached: Set<SourceName>,
    isStoreDamaged: Bool, _ services: CompositionRoot
  ) -> [Finding] {
    do throws(Failure) {
      let status = try services.syncStatus(follows, settings)
      let edits = try services.outbox().entries()
      let failed = status.follows.filter { $0.error != nil && !unanswered.contains(Follow(path: $0.follow).source) }
        .compactMap { follow in
          let isTried = !reached.contains(Follow(path: follow.follow).source)
          return failure(
            follow, isOver: isOver(follow, isKeyTried: isTried, isStoreDamaged: isStoreDamaged, now: services.time.now))
        }
      let receivers = try services.failingReceivers(settings)
        .map { Finding(.notifications, .tryLater, $0.message, $0.hint) }
      return receivers + failed + untimely(status.follows, isFetched: services.hasDaemon) + unsent(edits, services)
    } catch {
      // A store that cannot be read is a finding of its own.
      return []
    }
  }

  /// Whether the cause of a failure has been removed. The follow's server answers now, and takes its key if that was tried.
  private func isOver(_ follow: FollowStatus, isKeyTried: Bool, isStoreDamaged: Bool, now: Timestamp) -> Bool {
    guard let error = follow.error else { return true }
    switch (error.kind, error.reason) {
    case (.store, _): return !isStoreDamaged
    case (_, .tryLater): return follow.lastTry.map { now >= $0 + (error.retryAfter ?? 0) } ?? true
    case (_, .denied): return isKeyTried
    case (.transport, _), (_, .config): return true
    default: return false
    }
  }

  /// A failure is an error while its reason may last. With `--repair` it is only a note: the exit code is about the store.
  private func failure(_ follow: FollowStatus, isOver: Bool) -> Finding? {
    guard let error = follow.error else { return nil }
    let worked = follow.lastSuccess.map { "it worked last at \($0)" } ?? "it has never worked"
    let next: Advice =
      error.reason == .tryLater && !isOver
      ? "\(command: "sync", follow.follow, "--now") asks before that" : "\(command: "sync", follow.follow) tries again"
    let suggestion: Advice = isOver ? "the reason may be gone: \(next)" : error.hint.map { "\($0); \(next)" } ?? next
    return Finding(
      .follow, isOver || repair ? nil : ExitStatus(error.reason),
      "\(follow.follow) \(follow.failed(\.description)): \(error.message); \(worked)", suggestion)
  }

  /// Follows that nothing keeps fresh; each kind in one line, however many there are.
  ///
  /// - Parameter isFetched: whether a running daemon fetches what this config file follows.
  private func untimely(_ follows: [FollowStatus], isFetched: Bool) -> [Finding] {
    let others = follows.filter { $0.error == nil && !$0.isPaused }
    let never = others.filter { $0.lastSuccess == nil }
    let stale = others.filter { $0.lastSuccess != nil && $0.isStale }
    let suggestion: Advice =
      isFetched
      ? "the daemon that runs fetches what is followed when it is due; \(command: "sync") fetches it now"
      : "\(command: "sync") fetches what is followed; run it from cron or a timer, or start almanacd"
    return [(never, "not been synced yet"), (stale, "not been synced for three times its interval")]
      .compactMap { follows, problem in
        guard let first = follows.first?.follow else { return nil }
        let rest = follows.count - 1
        let subject = rest == 0 ? "\(first) has" : "\(first) and \(rest) more have"
        return Finding(.follow, nil, "\(subject) \(problem)", suggestion)
      }
  }

  private func unsent(_ edits: [OutboxEntry], _ services: CompositionRoot) -> [Finding] {
    func finding(_ edits: [OutboxEntry], _ status: ExitStatus?, _ problem: String, _ suggestion: Advice) -> Finding? {
      guard let first = edits.first else { return nil }
      let subject =
        edits.count == 1 ? "an edit of \(first.target)" : "\(edits.count.counted("edit")), of \(first.target) first,"
      let reason = first.lastError.map { ": \($0)" } ?? ""
      return Finding(.outbox, status, "\(subject) \(problem)\(reason)", suggestion)
    }
    /// What names the first of some edits in a command.
    func name(_ some: [OutboxEntry]) -> String {
      guard let first = some.first else { return "" }
      return edits.count { $0.$target == first.$target } == 1 ? first.target : first.id
    }
    let asked = edits.filter { $0.state == .pending && $0.lastError != nil }.compactMap(\.retryAt)
    let who: Advice = services.isDaemonRunning ? "the daemon" : "the next sync"
    let next: Advice =
      asked.filter { $0 > services.time.now }.min().map {
        "the server asked to wait until \(LocalTime($0)), local time: \(services.isDaemonRunning ? "the daemon" : "a sync") tries again after that"
      } ?? "\(who) tries again"
    let refused = edits.filter { $0.state == .refused && !$0.isMade }
    let made = edits.filter(\.isMade)
    let conflicts = edits.filter { $0.state == .conflict }
    return [
      finding(
        edits.filter { $0.state == .pending && $0.lastError != nil }, .unavailable, "could not be sent",
        "\(next); \(command: "outbox") lists them"),
      finding(
        conflicts, nil, "cannot be merged with the server's record",
        "\(command: "outbox", "resolve", name(conflicts)) decides"),
      finding(
        refused, nil, "\(refused.count == 1 ? "was" : "were") refused by the server",
        "\(command: "outbox", "retry", name(refused)) sends again, \(command: "outbox", "discard", name(refused)) gives up"
      ),
      finding(
        made, nil, "\(made.count == 1 ? "has" : "have") an answer that cannot be read",
        "a sync brings what was created; \(command: "outbox", "discard", name(made)) then removes the edit"),
    ].compactMap(\.self)
  }

  /// Variables that take the place of the system's authorities and name nothing: then no server is trusted.
  func certificateVariables() -> [Finding] {
    func finding(_ name: String, _ path: String) -> Finding? {
      guard access(path, R_OK) != 0 else { return nil }
      let problem = String(cString: strerror(errno))
      return Finding(.config, nil, "\(name) names \(path): \(problem)", "correct the variable or unset it")
    }
    var findings = [variable("SSL_CERT_FILE").flatMap { finding("SSL_CERT_FILE", $0) }]
    let folders = (variable("SSL_CERT_DIR") ?? "").split(separator: ":").map(String.init)
    // Some of several folders may be missing, as for OpenSSL.
    if let first = folders.first, folders.allSatisfy({ access($0, R_OK) != 0 }) {
      findings.append(finding("SSL_CERT_DIR", first))
    }
    return findings.compactMap(\.self)
  }
}

extension Doctor {
  struct AcceptedKey {
    var source: SourceName
    var place: String

    var fields: JSONObject { ["source": .string(source.rawValue), "from": .string(place)] }
  }

  /// Asks each source that is followed, once.
  ///
  /// - Parameter isStoreDamaged: whether damage of the store is a finding already: the budget of a source is kept there.
  /// - Returns: what is wrong, the keys that were taken, the sources whose servers gave no good answer, and those whose
  ///   servers were only reached.
  func checkServers(
    _ follows: [Follow], _ services: CompositionRoot, isStoreDamaged: Bool
  ) async -> (findings: [Finding], keys: [AcceptedKey], unanswered: Set<SourceName>, reached: Set<SourceName>) {
    var (findings, keys): ([Finding], [AcceptedKey]) = ([], [])
    var (unanswered, reached): (Set<SourceName>, Set<SourceName>) = ([], [])
    var seen: Set<SourceName> = []
    for follow in follows where seen.insert(follow.source).inserted {
      let probe = await services.probe(follow.source)
      guard let failure = probe.failure else {
        if probe.isOnlyReached {
          reached.insert(follow.source)
        } else if let place = probe.keyPlace {
          keys.append(AcceptedKey(source: follow.source, place: place))
        }
        continue
      }
      let isOfTheStore = failure.kind == .store || failure.code == .transport(.budgetExhausted)
      if isOfTheStore, isStoreDamaged { continue }
      unanswered.insert(follow.source)
      let isKeyRefused = failure.reason == .denied && probe.keyPlace != nil && probe.account == nil
      findings.append(
        Finding(
          .server, ExitStatus(failure.reason),
          "\(Self.affected(follows, follow.source, probe.account)): \(probe.url): \(failure.message)",
          isKeyRefused ? "give a key that the server takes" : Self.suggestion(failure, follow.source, probe.account)))
    }
    return (findings, keys, unanswered, reached)
  }

  /// What cannot be synced: the follows of a source, or of one of its accounts.
  private static func affected(_ follows: [Follow], _ source: SourceName, _ account: String?) -> String {
    let paths = follows.filter { $0.source == source }.map(\.path).filter { path in
      guard let account else { return true }
      return path.split(separator: "/").dropFirst().first.map { String($0).exact } == account.exact
    }
    guard let first = paths.first else { return "the account \(account ?? "") of \(source)" }
    return paths.count == 1 ? first : "\(first) and \(paths.count - 1) more"
  }

  private static func suggestion(_ failure: Failure, _ source: SourceName, _ account: String?) -> Advice {
    switch failure.kind {
    case .http where failure.reason == .denied && account != nil:
      failure.hint ?? "check servers.\(source).accounts.\(account ?? "") in the config"
    case .http where failure.reason == .denied: "the server wants a key or a certificate, or refuses the permission"
    case .transport: failure.hint ?? "check the address and the network"
    default: failure.hint ?? "check the address, servers.\(source).url in the config"
    }
  }
}

/// The files that the settings of servers name, and keys that no request uses.
struct ServerFiles {
  let services: CompositionRoot
  let settings: Settings

  /// Everything that is wrong, by source; a setting that no request uses is a note.
  func problems() -> [ConfigCheck.Problem] {
    settings.servers.sorted { $0.key < $1.key }.flatMap { source, server -> [ConfigCheck.Problem] in
      var files = [("caFile", server.caFile), ("certFile", server.certFile), ("keyFile", server.keyFile)]
      files += server.accounts.map { ("accounts.\($0.name).caFile", $0.caFile) }
      let known = services.sources.first { $0.name == source }
      var problems: [ConfigCheck.Problem] = []
      if server.apiKey != nil, let known, known.key == nil {
        problems.append(
          ConfigCheck.Problem(
            source: source, place: "servers.\(source).apiKey",
            message: "servers.\(source).apiKey is not used: requests to \(source) carry no key",
            suggestion: services.definitions.installed().contains { $0.name == source }
              ? "\"auth\" in its definition says how a key is sent"
              : "remove it from \(services.settingsFile.path)", isNote: true))
        if case .file(let path)? = server.apiKey { files.append(("apiKey", path)) }
      }
      return problems
        + files.compactMap { name, path in
          guard let path, let reason = Self.unreadable(path) else { return nil }
          return ConfigCheck.Problem(
            source: source, place: "servers.\(source).\(name)",
            message: "servers.\(source).\(name): the file \(path) cannot be read: \(reason)",
            suggestion: "correct the path in \(services.settingsFile.path), or make the file readable")
        }
    }
  }

  func findings() -> [Doctor.Finding] {
    problems().map { Doctor.Finding(.config, $0.isNote ? nil : .config, $0.message, $0.suggestion) }
  }

  func complain(about sources: Set<SourceName>) {
    for problem in problems() where problem.source.map(sources.contains) == true && !problem.isNote {
      services.terminal.complain("warning: \(problem.words)")
    }
  }

  private static func unreadable(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : nil
  }
}
