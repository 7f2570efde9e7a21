import Assembly
import AsyncHTTPTransport
import CLibrary
import Frontend
import Logging
import Models
import Networking
import Persistence
import Ports
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Puts the daemon together: it lives for months, so it has breakers, long back-off, and everything that the config file
/// says can be replaced while it runs.
final class CompositionRoot: Sendable {
  let options: DaemonOptions
  let invocation: Invocation
  let time: any TimeSource
  let random: any RandomSource
  let logger: Logger
  let hub: EventHub
  let storePath: String
  /// The folder of the token and the socket: the store's, except for a store on a server.
  let stateFolder: String
  /// The leases of a store on a server, which other daemons use as well.
  let leases = Mutex<StoreLeases?>(nil)
  private let notifier: SystemdNotifier
  /// Ends the socket of a folder that is not at its path any more.
  private let socketEnd = Mutex<AsyncStream<Void>.Continuation?>(nil)
  /// Tells event streams that pictures were fetched.
  let pictures = Mutex<(@Sendable (PictureFetch) -> Void)?>(nil)
  /// When follows were last tried and last succeeded, whatever becomes of the clock.
  let moments = FollowMoments()
  /// Whether the config file was there, with something in it, when it was last read.
  let hadConfig = Mutex(false)
  /// The last task that takes up the config file, or the follows of the store.
  private let reloading = Mutex<Task<Void, Never>?>(nil)
  /// Says that the store is kept, also while it is not at its path.
  private let claim = Mutex<StoreClaim?>(nil)
  private let stopSignal = Mutex<String?>(nil)
  /// Says in the store's folder where the daemon is, once it listens.
  let announcement = Mutex<(@Sendable () async -> Void)?>(nil)

  /// The root of one process.
  ///
  /// - Parameters:
  ///   - time: the clock; the machine's where absent.
  ///   - random: chance; the machine's where absent.
  init(
    options: DaemonOptions, environment: [String: String], time: (any TimeSource)? = nil,
    random: (any RandomSource)? = nil
  ) {
    let time = time ?? SystemTimeSource()
    let invocation = Invocation(
      program: "almanacd", store: options.store, config: options.config, state: options.state,
      seeds: options.seed, servers: options.server, environment: environment)
    let coder = invocation.coder
    self.options = options
    self.invocation = invocation
    self.time = time
    self.random = random ?? SystemRandomSource()
    var logger = Logger(label: "almanacd") { _ in
      LineLogHandler(format: options.logFormat, time: time, coder: coder, wording: invocation.wording)
    }
    logger.logLevel = options.verbose ? .debug : options.quiet ? .warning : .info
    self.logger = logger
    hub = EventHub([EventLog(logger: logger, time: time, hasHealth: !options.once)])
    notifier = SystemdNotifier(environment: environment)
    // Other programs read this path in daemon.json, and have another working folder.
    let store = invocation.places.store
    storePath = invocation.places.isStoreOnServer ? store : Places.absolute(store)
    stateFolder = Places.absolute(invocation.places.state)
  }

  var coder: any RecordCoder { invocation.coder }

  var failureLine: FailureLine {
    FailureLine(format: options.logFormat, time: time, coder: coder, wording: invocation.wording)
  }

  func runForever() async throws(Failure) -> ExitStatus {
    let begun = time.uptime
    let (api, others, client) = try await prepared()
    let problem = await serve(api, others, begun: begun)
    await client?.shutdown()
    leases.withLock { $0 }?.end()
    unlink(daemonFile)
    if let problem = problem as? Failure { throw problem }
    if let problem { throw Failure(.transport, .internalFault, "stopped: \(problem)") }
    logger.info("stopped", metadata: stopSignal.withLock { $0 }.map { ["signal": "\($0)"] })
    return .done
  }

  /// What the daemon runs. The first store is held by what uses it alone, so that it is closed when another one takes its
  /// place.
  private func prepared() async throws(Failure) -> (API, others: [any Service], client: AsyncHTTPTransport?) {
    let stamps = stamps()
    let config = readSettings()
    let settled = try startSettings(config)
    let address = try ListenAddress(options.listen ?? settled.daemon.listen ?? "127.0.0.1:7423")
    if !isStoreOnServer, access(storePath, F_OK) != 0 { try await HTTPService.check(address) }
    let store = try await firstStore()
    let loaded = try invocation.completing(settled, from: store.records)
    if !isStoreOnServer { claim.withLock { $0 = StoreClaim(storePath) } }
    let token = try DaemonToken(folder: stateFolder)
    try openLeases(isRenewed: true)
    let (transport, client) = try transports()
    // A program that asks for a passphrase takes long; the daemon listens before it asks.
    let (keyless, programs) = loaded.withoutKeyPrograms
    let live = LiveServices(try services(store, transport, settings: keyless))
    let endpoint = Endpoint(address, live.current.settings.daemon)
    // A store that cannot be read is said at the start, not by every follow in turn.
    _ = try live.current.sync.status(live.current.settings.follows)
    _ = try Failure.from { () throws(StoreError) in try store.records.statistics() }
    warnOfUnknownCollections(live.current, config)
    for mistake in Mistake.all(config.problems, in: config.path) {
      logger.warning(Health.inUseMessage, metadata: mistake.metadata)
    }
    let scheduler = Scheduler(services: live.current.scheduling)
    await scheduler.configure(live.current.settings.follows)
    if !programs.isEmpty { await scheduler.hold() }
    // What one daemon does begins with its lease.
    if isStoreOnServer { await scheduler.setLeader(false) }
    let list = try AccessList(folder: stateFolder, time: time, coder: coder)
    let access = Access(token: token, list: list, time: time)
    let parts = parts(live, scheduler, endpoint, access)
    return (API(parts: parts), others(live, scheduler, parts, store, transport, stamps, asking: programs), client)
  }

  /// The config file and the definitions as they are now.
  private func stamps() -> [FileStamp] {
    ([invocation.places.config] + invocation.definitions.paths()).map { FileStamp($0) }
  }

  private func parts(
    _ live: LiveServices, _ scheduler: Scheduler, _ endpoint: Endpoint, _ access: Access
  ) -> API.Parts {
    let feed = EventFeed(coder: coder)
    hub.add(feed)
    pictures.withLock { $0 = { feed.changed($0) } }
    let numbers = PrometheusFactory()
    hub.add(EventMetrics(factory: numbers))
    let health = Health(
      folder: isStoreOnServer ? nil : storePath, time: time, logger: logger, feed: feed, wording: invocation.wording)
    hub.add(health)
    let role = WorkRole(sharedBy: isStoreOnServer ? time : nil)
    var stored: (@Sendable () -> any RecordStore)?
    if isStoreOnServer { stored = { live.current.store } }
    let wrong = invocation.wrongDefinitions
    if !wrong.isEmpty {
      health.reloaded(wrong.first?.failure, mistakes: wrong.flatMap { Mistake.all(of: $0) }, isInUse: true)
    }
    let editor = FollowEditor(
      follows: invocation.follows(settings: invocation.settingsFile, store: stored),
      sources: self.invocation.sources.descriptors, mistakes: self.invocation.wrongDefinitions,
      gallery: self.invocation.definitions.gallery(), missing: self.deletedConfig)
    let refusals = Refusals(logger: logger, factory: numbers, endpoint: endpoint)
    refusals.begin()
    return API.Parts(
      live: live, scheduler: scheduler, endpoint: endpoint, access: access,
      feed: feed, reader: CommitReader(live: live, feed: feed),
      role: role,
      metrics: MetricsPage(
        factory: numbers, live: live, begun: time.now, notifier: notifier, health: health, scheduler: scheduler,
        role: role,
        lastBackup: { [storePath, isStoreOnServer] in
          isStoreOnServer ? nil : StoreBackup.last(of: storePath) ?? Timestamp(secondsSinceEpoch: 0)
        }),
      wording: invocation.wording, refusals: refusals,
      health: health,
      editor: editor,
      setup: SourceSetup(
        definitions: invocation.definitions, settings: invocation.settingsFile,
        keys: KeyFolder(beside: invocation.places.config), editor: editor))
  }

  private func others(
    _ live: LiveServices, _ scheduler: Scheduler, _ parts: API.Parts, _ store: OpenedStore,
    _ transport: any HTTPTransport, _ stamps: [FileStamp], asking programs: [String]
  ) -> [any Service] {
    let current = Mutex(store)
    let listen = live.current.settings.daemon.listen
    let reload: @Sendable (Bool) async -> Void = { [self] isWanted in
      await inTurn { [self] in
        await self.reload(isWanted, current.withLock { $0 }, transport, live, scheduler, parts, listen)
      }
    }
    let takeFollows: @Sendable () async -> Void = { [self] in
      guard newFollows(current.withLock { $0 }.records, live) != nil else { return }
      await inTurn { [self] in
        await self.takeFollows(current.withLock { $0 }, transport, live, scheduler, parts)
      }
    }
    parts.editor.onChange { origin in if origin == .store { await takeFollows() } else { await reload(false) } }
    let reopen: @Sendable () async throws(Failure) -> Void = { [self] () async throws(Failure) in
      try await self.reopen(transport, live, scheduler, parts) { store in current.withLock { $0 = store } }
    }
    let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch: any Service =
      if let leases = leases.withLock({ $0 }) {
        ServerWatch(
          lease: leases, parts: parts, time: time, logger: logger, takeFollows: takeFollows, onLook: { look.yield() })
      } else {
        StoreWatch(
          folder: storePath, parts: parts, time: time, settling: .milliseconds(options.settling),
          onLook: { look.yield() }, reopen: reopen)
      }
    return [
      FeedService(feed: parts.feed, reader: parts.reader, hub: hub, time: time),
      ConfigWatcher(
        folders: FileStamp.folders(invocation.places.config) + [invocation.definitions.folder],
        stamps: { self.stamps() },
        loaded: stamps, time: time, notifier: notifier, reload: reload),
      SchedulerService(scheduler: scheduler) { [self] in
        await waiting(for: programs, parts.health) {
          await reload(false)
          await scheduler.resume(live.current.settings.follows, services: live.current.scheduling)
        }
      },
      RetentionService(live: live, role: parts.role),
      NotificationLoop(live: live, looks: looks, metrics: parts.metrics, health: parts.health, logger: logger),
      watch,
      SystemdService(notifier: notifier, time: time, scheduler: scheduler, health: parts.health),
    ]
  }

  /// Takes up settings after those who came before, so that none puts back what another one has replaced.
  private func inTurn(_ body: @escaping @Sendable () async -> Void) async {
    let task = reloading.withLock { last in
      let task = Task(executorPreference: WorkThreads.background) { [before = last] in
        await before?.value
        await body()
      }
      last = task
      return task
    }
    await task.value
  }

  /// Listens, then starts everything else; gives back what ended it before its time.
  private func serve(_ api: API, _ others: [any Service], begun: Duration) async -> (any Error)? {
    let endpoint = api.parts.endpoint
    if !endpoint.address.isLoopback {
      logger.warning(
        "listens beyond this machine without TLS: the token can be read from the traffic",
        metadata: ["address": "\(endpoint.address.description)"])
    }
    let group = Mutex<ServiceGroup?>(nil)
    let web = HTTPService(
      place: .address(endpoint.address), api: api, logger: logger, time: time,
      writeSeconds: Int64(options.writeDeadline)
    ) { [self] port in
      endpoint.open(port: port ?? endpoint.address.port)
      guard let group = group.withLock({ $0 }) else { return }
      let announce: @Sendable () async -> Void = { [self] in await self.announce(api, in: group) }
      announcement.withLock { $0 = announce }
      await announce()
      logger.info(
        "listening",
        metadata: ["url": "\(endpoint.address.url)", "after": .stringConvertible(time.uptime - begun)])
      logIfNothingIsFollowed(api.parts.live.current.settings, level: .notice)
      if let path = options.socket { await open(.socket(path: path, isOptional: false), api, in: group) }
      for service in others { await group.addServiceUnlessShutdown(.init(service: OnWorkThreads(service: service))) }
    }
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    var configuration = ServiceGroupConfiguration(
      services: [web], logger: quiet)
    configuration.maximumGracefulShutdownDuration = .milliseconds(2500)
    configuration.maximumCancellationDuration = Self.longestStop
    let services = ServiceGroup(configuration: configuration)
    group.withLock { $0 = services }
    logger.info(
      "started",
      metadata: [
        "version": "\(DaemonVersion.current)", "pid": .stringConvertible(getpid()), "store": "\(storePath)",
        "config": "\(invocation.places.config)",
      ])
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let stopping = Task {
      for await signal in signals {
        stopSignal.withLock { $0 = Self.name(of: signal) }
        await services.triggerGracefulShutdown()
        // What does not end when it is cancelled would end the program with a trap. Whatever was acknowledged is stored.
        try? await Task.sleep(for: Self.longestStop)
        if Task.isCancelled { return }
        logger.warning("stopped although a request did not end", metadata: ["signal": "\(Self.name(of: signal))"])
        unlink(daemonFile)
        _exit(EXIT_SUCCESS)
      }
    }
    defer { stopping.cancel() }
    do {
      try await services.run()
      return nil
    } catch { return error }
  }

  /// How long the program takes to stop.
  private static let longestStop = Duration.milliseconds(3500)

  static func name(of signal: UnixSignal) -> String { signal == .sigterm ? "SIGTERM" : "SIGINT" }

  private var daemonFile: String { "\(stateFolder)/daemon.json" }

  /// Says in its folder where the daemon is, and listens on a socket there.
  private func announce(_ api: API, in group: ServiceGroup) async {
    let own = stateFolder + "/daemon.sock"
    // A longer path does not fit into an address.
    let path = options.socket ?? (own.utf8.count < 104 ? own : nil)
    let place = DaemonPlace(
      url: api.parts.endpoint.address.url, socket: path, config: Places.absolute(invocation.places.config),
      version: DaemonVersion.current, store: storePath, folder: FileIdentity(of: stateFolder))
    // When the config was read, the folder may not have been there yet.
    invocation.settingsFile.remember(invocation.settingsFile.load())
    // It works without the file as well.
    try? SmallFile.replace(daemonFile, with: coder.encode(place.fields) + [0x0A])
    guard options.socket == nil, let path else { return }
    // What is there was left by a daemon that was killed, or is the copy of a socket.
    unlink(path)
    await open(.socket(path: path, isOptional: true), api, in: group)
  }

  private func open(_ place: HTTPService.Place, _ api: API, in group: ServiceGroup) async {
    guard case .socket(let path, _) = place else { return }
    let service = HTTPService(
      place: place, api: api, logger: logger, time: time, writeSeconds: Int64(options.writeDeadline)
    ) { _ in
      let settings = api.parts.live.current.settings.daemon
      SocketFile(path: path).open(to: settings.socketGroup, mode: settings.socketMode, self.logger)
    }
    let (replaced, end) = AsyncStream.makeStream(of: Void.self)
    socketEnd.withLock { last in
      last?.finish()
      last = end
    }
    await group.addServiceUnlessShutdown(
      .init(service: UntilReplaced(service: service, replaced: replaced), successTerminationBehavior: .ignore))
  }

  func transports() throws(Failure) -> (any HTTPTransport, AsyncHTTPTransport?) {
    guard invocation.recordings.isEmpty else {
      return (
        try invocation.recordings.transport(coder: coder, time: time, secretNames: invocation.sources.secretNames), nil
      )
    }
    let client = invocation.client([:])
    return (client, client)
  }
}

enum DaemonVersion {
  static let current = Invocation.version
}
