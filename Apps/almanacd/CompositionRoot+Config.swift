import Assembly
import CLibrary
import Logging
import Models
import Persistence
import Ports
import Synchronization

extension CompositionRoot {
  /// Takes the config as it is now. A bad one is refused, and the old one stays.
  ///
  /// - Parameters:
  ///   - isWanted: whether somebody asked for it: then follows are tried again whose key or permission was refused.
  ///   - listen: `daemon.listen` as it was at the start.
  func reload(
    _ isWanted: Bool, _ store: OpenedStore, _ transport: any HTTPTransport, _ live: LiveServices,
    _ scheduler: Scheduler, _ parts: API.Parts, _ listen: String?
  ) async {
    invocation.reloadDefinitions()
    let config = await settledSettings()
    // Also those that follows name and that are gone, which are known once the follows are read.
    var definitions: [CheckedDefinition] { invocation.wrongDefinitions }
    do throws(Failure) {
      // The follows of a server that is away are those that were read last.
      let settings = try invocation.completing(
        config.strict(files: true), from: store.records, orElse: live.current.settings.storeFollows ?? [])
      let services = try self.services(store, transport, settings: settings)
      let old = live.current
      let isNews = old.settings != services.settings || old.connections != services.connections
      await take(services, isWanted, live, scheduler, parts)
      parts.metrics.count("almanac_config_reloads_total", [("result", definitions.isEmpty ? "ok" : "refused")])
      parts.health.reloaded(
        definitions.first?.failure, mistakes: definitions.flatMap { Mistake.all(of: $0) }, isInUse: true,
        isWanted: isWanted)
      parts.health.set(.restart, restartProblem(services.settings.daemon.listen, was: listen, parts.endpoint))
      warnOfUnknownCollections(services, config)
      // A file may change in several steps.
      if isNews || isWanted {
        logger.info("config read again", metadata: ["follows": .stringConvertible(services.settings.follows.count)])
      }
    } catch {
      parts.metrics.count("almanac_config_reloads_total", [("result", "refused")])
      parts.health.reloaded(
        error,
        mistakes: Mistake.all(config.problems, in: config.path) + definitions.flatMap { Mistake.all(of: $0) },
        isWanted: isWanted)
    }
  }

  /// Runs `body`, which asks programs for keys, and says so: at once in the log, and everywhere if they take long.
  func waiting(for keys: [String], _ health: Health, _ body: @Sendable () async -> Void) async {
    guard !keys.isEmpty else { return }
    let names = keys.joined(separator: ", ")
    noteKeyPrograms(keys)
    let slow = Task { [time] in
      try await time.sleep(for: .seconds(2))
      health.set(
        .keys,
        Failure(
          .config, .tryLater, "waiting for \(names): the program that prints it has not ended",
          hint: "try it in a terminal; it has a minute", code: .own(.missingKey)))
    }
    await body()
    slow.cancel()
    _ = await slow.result
    health.set(.keys, nil)
  }

  func noteKeyPrograms(_ keys: [String]) {
    if !keys.isEmpty { logger.notice("asks programs", metadata: ["for": "\(keys.joined(separator: ", "))"]) }
  }

  /// Takes the follows of a store on a server as they are now, with the config that was read last.
  func takeFollows(
    _ store: OpenedStore, _ transport: any HTTPTransport, _ live: LiveServices, _ scheduler: Scheduler,
    _ parts: API.Parts
  ) async {
    guard let settings = newFollows(store.records, live),
      let services = try? services(store, transport, settings: settings)
    else {
      return
    }
    await take(services, false, live, scheduler, parts)
    logger.info(
      "follows of the store read again", metadata: ["follows": .stringConvertible(services.settings.follows.count)])
  }

  /// The settings with the follows of the store, if they are not what they were. What the server's problem is, the health says;
  /// the next look tries again.
  func newFollows(_ store: any RecordStore, _ live: LiveServices) -> Settings? {
    let known = live.current.settings
    let settings = try? invocation.completing(known, from: store)
    return settings?.storeFollows == known.storeFollows ? nil : settings
  }

  /// Puts services in the place of those that were made for an earlier config, or for other follows.
  private func take(
    _ services: DaemonServices, _ isWanted: Bool, _ live: LiveServices, _ scheduler: Scheduler, _ parts: API.Parts
  ) async {
    let old = live.current
    live.replace(with: services)
    parts.endpoint.configure(services.settings.daemon)
    let changed = Self.changes(from: old, to: services)
    await scheduler.configure(
      services.settings.follows, services: services.scheduling,
      isMended: { changed.contains($0.follow.exact) || isWanted && $0.error?.isOfConfig == true },
      sendsEdits: isWanted || old.connections != services.connections)
    if old.settings.follows != services.settings.follows { parts.feed.changedFollows() }
  }

  /// The follows whose own settings, or whose server, key, certificates or definition are not what they were.
  private static func changes(from old: DaemonServices, to new: DaemonServices) -> Set<ExactString> {
    let follows = Set(old.settings.follows)
    return Set(
      new.settings.follows.filter { follow in
        !follows.contains(follow) || old.connections[follow.source] != new.connections[follow.source]
      }.map(\.$path))
  }

  /// Logs the collections that notifications name and that do not exist, with their lines.
  func warnOfUnknownCollections(_ services: DaemonServices, _ config: LoadedSettings) {
    let stored = (try? services.store.snapshot().collections) ?? []
    for found in services.settings.unknownCollections(besides: services.catalog.names + stored) {
      let path = config.path
      let place = config.position(of: found.place).map { "\(path):\($0.line):\($0.column)" } ?? path
      logger.warning(
        "config",
        metadata: [
          "at": "\(place)", "path": "\(found.place)", "why": "\(found.message)",
          "hint": .stringConvertible(found.suggestion),
        ])
    }
  }

  /// What each followed source asks its server with.
  func connections(_ settings: Settings, _ access: SourceAccess) -> [SourceName: SourceConnection] {
    var connections: [SourceName: SourceConnection] = [:]
    for source in Set(settings.follows.map(\.source)) {
      let server = access.servers[source]
      let own = server?.accounts.map(\.caFile) ?? []
      let files = ([server?.caFile, server?.certFile, server?.keyFile] + own).compactMap(\.self)
      connections[source] = SourceConnection(
        server: server, key: access.keys[source],
        files: (files + ["\(invocation.definitions.folder)/\(source).json"]).map { FileStamp($0) })
    }
    return connections
  }

  /// Opens the store that is at the path now.
  func reopen(
    _ transport: any HTTPTransport, _ live: LiveServices, _ scheduler: Scheduler, _ parts: API.Parts,
    _ take: (OpenedStore) -> Void
  ) async throws(Failure) {
    let waited = (try? live.current.outbox.entries()) ?? []
    if try LocalServices.adoptBackup(storePath) {
      logger.notice("the backup at the path of the store is the store now", metadata: ["store": "\(storePath)"])
    }
    let store = try openStore()
    let services = try services(store, transport, settings: live.current.settings)
    _ = try services.sync.status(services.settings.follows)
    _ = try Failure.from { () throws(StoreError) in try store.records.statistics() }
    try parts.access.token.reopen(folder: storePath)
    try parts.access.list.reload()
    take(store)
    live.replace(with: services)
    try await Failure.from { () async throws(StoreError) in try await parts.reader.reopen() }
    await scheduler.resume(services.settings.follows, services: services.scheduling)
    await announcement.withLock { $0 }?()
    parts.health.check(services)
    parts.metrics.count("almanac_store_reopened_total", [])
    logger.notice("the store was replaced, and is opened again", metadata: ["store": "\(storePath)"])
    let kept = Set(((try? services.outbox.entries()) ?? []).map(\.$id))
    let leftBehind = waited.filter { !kept.contains($0.$id) }
    if !leftBehind.isEmpty {
      logger.warning(
        "edits that waited in the store before are not in this one",
        metadata: [
          "edits": .stringConvertible(leftBehind.count),
          "targets": "\(leftBehind.prefix(5).map(\.target).joined(separator: ", "))",
          "hint": "a restore keeps the store before as \(storePath).before-restore-…",
        ])
    }
  }

  /// What a reload cannot take up.
  private func restartProblem(_ listen: String?, was old: String?, _ endpoint: Endpoint) -> Failure? {
    guard options.listen == nil, listen != old else { return nil }
    return Failure(
      .config, .config,
      "daemon.listen is \(listen ?? "not set") now, and the daemon still listens on \(endpoint.address.description)",
      hint: "restart almanacd", code: .own(.restart), path: invocation.places.config)
  }

  /// The error where the config file that was read is not there any more, or was emptied, as by a full disk.
  var deletedConfig: Failure? {
    hadConfig.withLock { $0 } ? invocation.settingsFile.loss : nil
  }

  /// The settings of a running daemon. Some programs remove a file before they write the new one.
  private func settledSettings() async -> LoadedSettings {
    if deletedConfig != nil {
      do throws(CancellationError) { try await time.sleep(for: .seconds(1)) } catch {}
    }
    guard let deletedConfig else { return readSettings() }
    return LoadedSettings(Settings()).overriding { (_) throws(Failure) in throw deletedConfig }
  }

  /// The settings as they are at the start. With a mistake the daemon does not start: a setting that is misspelled would not
  /// be in effect, and nobody would know. A file of certificates that cannot be used fails only the follows of its source.
  func startSettings(_ loaded: LoadedSettings) throws(Failure) -> Settings {
    if loaded.isMissing, options.config == nil, invocation.environment["ALMANAC_CONFIG"]?.isEmpty == false {
      logger.notice(
        "there is no config file yet: the daemon starts with an empty one", metadata: ["config": "\(loaded.path)"])
    }
    if !options.once, !isStoreOnServer, let refusal = invocation.settingsFile.refusal {
      var metadata: Logger.Metadata = ["why": "\(refusal.message)"]
      metadata["hint"] = refusal.hint.map { .stringConvertible($0) }
      logger.notice("the page and the API cannot change what is followed", metadata: metadata)
    }
    do throws(Failure) { return try loaded.strict() } catch {
      var failure = error
      if !loaded.mistakes().isEmpty {
        let suggestion: Advice =
          "correct the file and start almanacd again; \(command: "config", "check") finds mistakes before the start"
        failure.hint = [failure.hint, suggestion].compactMap(\.self).joined(separator: "\n")
      }
      throw failure
    }
  }

  func readSettings() -> LoadedSettings {
    let loaded = invocation.settingsFile.load()
    if loaded.problem() == nil { hadConfig.withLock { $0 = !loaded.bytes.isEmpty } }
    invocation.settingsFile.remember(loaded)
    return invocation.overriding(loaded)
  }
}

extension Settings {
  /// The settings without the keys and passwords that programs print, and which those are.
  var withoutKeyPrograms: (settings: Settings, left: [String]) {
    var (settings, left) = (self, [String]())
    for (name, server) in servers.sorted(by: { $0.key < $1.key }) {
      if case .command? = server.apiKey {
        settings.servers[name]?.apiKey = nil
        left.append("the key of \(name)")
      }
      for (index, account) in server.accounts.enumerated() {
        guard case .command? = account.password else { continue }
        settings.servers[name]?.accounts[index].password = nil
        left.append("the password of \(name)/\(account.name)")
      }
    }
    return (settings, left)
  }
}

extension Failure {
  /// Whether a change of the config may end it: a key, a permission, a server or a certificate.
  fileprivate var isOfConfig: Bool { kind == .config || reason == .denied || reason == .config }
}
