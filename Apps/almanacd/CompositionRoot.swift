import AppStore
import AsyncHTTPTransport
import Flickr
import Glibc
import Library
import Logging
import Models
import Networking
import Parsing
import People
import Persistence
import Ports
import ServiceLifecycle
import Sync
import Synchronization
import UnixSignals
import Users

/// Puts the daemon together: it lives for months, so it has breakers, long back-off, and everything that a config says
/// can be replaced while it runs. The only place that names concrete adapters.
final class CompositionRoot: Sendable {
  private let options: DaemonOptions
  private let environment: [String: String]
  private let coder = JSONRecordCoder()
  private let time: any TimeSource
  private let random: any RandomSource
  private let logger: Logger
  private let hub: EventHub
  private let settingsFile: SettingsFile
  private let storePath: String
  private let notifier: SystemdNotifier

  /// The root of one process.
  ///
  /// - Parameters:
  ///   - time: the clock; the machine's where absent.
  ///   - random: chance; the machine's where absent.
  init(
    options: DaemonOptions, environment: [String: String], time: (any TimeSource)? = nil,
    random: (any RandomSource)? = nil
  ) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "."
    let named = options.config ?? value("ALMANAC_CONFIG")
    let time = time ?? SystemTimeSource()
    let coder = coder
    let store =
      options.store ?? value("ALMANAC_STORE") ?? "\(value("XDG_DATA_HOME") ?? "\(home)/.local/share")/almanac"
    self.options = options
    self.environment = environment
    self.time = time
    self.random = random ?? SystemRandomSource()
    var logger = Logger(label: "almanacd") { _ in
      LineLogHandler(format: options.logFormat, time: time, coder: coder)
    }
    logger.logLevel = options.verbose ? .debug : options.quiet ? .warning : .info
    self.logger = logger
    hub = EventHub([EventLog(logger: logger)])
    settingsFile = SettingsFile(
      path: named ?? "\(value("XDG_CONFIG_HOME") ?? "\(home)/.config")/almanac/config.json", isRequired: named != nil,
      format: JSONSettingsFormat(sources: Self.sourceNames) { (follow) throws(FollowError) in
        try SyncEngine.check(follow, with: Self.sources(coder))
      },
      environment: environment)
    notifier = SystemdNotifier(environment: environment)
    // Others read this path in daemon.json, wherever they stand.
    storePath = Self.absolute(store)
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Where it is written why the daemon ends.
  var failureLine: FailureLine { FailureLine(format: options.logFormat, time: time, coder: coder) }

  /// Syncs everything once.
  func runOnce() async throws(Failure) -> ExitStatus {
    let store = try openStore()
    let (transport, client) = try transports()
    let services = try services(store, transport, settings: try loadSettings())
    if services.settings.follows.isEmpty {
      logger.warning("nothing is followed", metadata: ["config": "\(settingsFile.path)"])
    }
    let outcome: Result<SyncReport, Failure>
    do throws(Failure) {
      outcome = .success(try await services.sync.sync(services.settings.follows, SyncOptions()))
    } catch { outcome = .failure(error) }
    // What fails here is no fault of the sync: its commits are on the disk.
    try? await store.publish(.complete)
    await client?.shutdown()
    return ExitStatus(try outcome.get())
  }

  /// Runs until it is asked to stop.
  func runForever() async throws(Failure) -> ExitStatus {
    let begun = time.uptime
    let stamp = FileStamp(settingsFile.path)
    let store = try openStore()
    let token = try DaemonToken(folder: storePath)
    let (transport, client) = try transports()
    let live = LiveServices(try services(store, transport, settings: try loadSettings()))
    let settings = live.current.settings.daemon
    let door = Door(try ListenAddress(options.listen ?? settings.listen ?? "127.0.0.1:7423"), settings)
    // A store that cannot be read is said at the start, not by every follow in turn.
    _ = try live.current.sync.status(live.current.settings.follows)
    _ = try Failure.from { () throws(StoreError) in try store.statistics() }
    let scheduler = Scheduler(services: live.current.scheduling)
    await scheduler.configure(live.current.settings.follows)
    let access = Access(
      token: token, logins: Logins(time: time),
      list: try AccessList(folder: storePath, time: time, coder: coder))
    let parts = parts(live, scheduler, door, access)
    let others = others(live, scheduler, parts, store, transport, stamp)
    let problem = await serve(API(parts: parts), others, begun: begun)
    await client?.shutdown()
    DaemonFile(folder: storePath).remove()
    if let problem = problem as? Failure { throw problem }
    if let problem { throw Failure(.transport, .internalFault, "stopped: \(problem)") }
    logger.info("stopped")
    return .done
  }

  private func parts(
    _ live: LiveServices, _ scheduler: Scheduler, _ door: Door, _ access: Access
  ) -> API.Parts {
    let feed = EventFeed(coder: coder)
    hub.add(feed)
    let numbers = PrometheusFactory()
    hub.add(EventMetrics(factory: numbers))
    return API.Parts(
      live: live, scheduler: scheduler, door: door, access: access,
      feed: feed, reader: CommitReader(live: live, feed: feed),
      metrics: MetricsPage(factory: numbers, live: live, begun: time.now, notifier: notifier),
      refusals: Refusals(logger: logger, factory: numbers, door: door), readiness: Readiness())
  }

  /// What runs beside the API.
  private func others(
    _ live: LiveServices, _ scheduler: Scheduler, _ parts: API.Parts, _ store: JSONFileStore,
    _ transport: any HTTPTransport, _ stamp: FileStamp
  ) -> [any Service] {
    let reload: @Sendable () async -> Void = { [self] in
      do throws(Failure) {
        let services = try services(store, transport, settings: try loadSettings())
        live.replace(with: services)
        parts.door.configure(services.settings.daemon)
        await scheduler.configure(services.settings.follows, services: services.scheduling)
        logger.info("config read again", metadata: ["follows": "\(services.settings.follows.count)"])
      } catch {
        logger.error(
          "the new config is refused; the old one stays", metadata: ["why": "\(error.message) \(error.hint ?? "")"])
      }
    }
    return [
      FeedService(feed: parts.feed, reader: parts.reader, hub: hub, time: time),
      ConfigWatcher(path: settingsFile.path, loaded: stamp, time: time, notifier: notifier, reload: reload),
      SchedulerService(scheduler: scheduler),
      StoreWatch(folder: storePath, scheduler: scheduler, feed: parts.feed, reader: parts.reader, time: time),
      SystemdService(notifier: notifier, time: time, scheduler: scheduler, readiness: parts.readiness),
    ]
  }

  /// Listens, then starts everything else; gives back what ended it before its time.
  private func serve(_ api: API, _ others: [any Service], begun: Duration) async -> (any Error)? {
    let door = api.parts.door
    if !door.address.isLoopback {
      logger.warning(
        "listens beyond this machine, without TLS: whoever sees the traffic sees the token",
        metadata: ["address": "\(door.address.description)"])
    }
    let group = Mutex<ServiceGroup?>(nil)
    let socket = socket
    let file = DaemonFile(folder: storePath)
    let seconds = Int64(options.writeDeadline)
    let web = HTTPService(place: .address(door.address), api: api, logger: logger, time: time, writeSeconds: seconds) {
      [self] port in
      door.open(port: port ?? door.address.port)
      file.write(url: door.address.url, socket: socket?.path, coder: coder)
      logger.info(
        "listening",
        metadata: ["url": "\(door.address.url)", "after": "\((time.uptime - begun).milliseconds) ms"])
      guard let group = group.withLock({ $0 }) else { return }
      if let socket {
        let place = HTTPService.Place.socket(path: socket.path, isOptional: socket.isOptional)
        await group.addServiceUnlessShutdown(
          .init(
            service: HTTPService(place: place, api: api, logger: logger, time: time, writeSeconds: seconds) { _ in
              let settings = api.parts.live.current.settings.daemon
              SocketFile(path: socket.path).open(to: settings.socketGroup, mode: settings.socketMode, self.logger)
            }))
      }
      for service in others { await group.addServiceUnlessShutdown(.init(service: OnWorkThreads(service: service))) }
    }
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .warning)
    var configuration = ServiceGroupConfiguration(
      services: [web], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
    configuration.maximumGracefulShutdownDuration = .milliseconds(2500)
    configuration.maximumCancellationDuration = .seconds(1)
    let services = ServiceGroup(configuration: configuration)
    group.withLock { $0 = services }
    logger.info("started", metadata: ["store": "\(storePath)"])
    do {
      try await services.run()
      return nil
    } catch { return error }
  }

  /// The Unix socket; the one in the store's folder is left out where its path is too long for one.
  private var socket: (path: String, isOptional: Bool)? {
    if let path = options.socket { return (path, false) }
    let path = storePath + "/daemon.sock"
    return path.utf8.count < 104 ? (path, true) : nil
  }

  /// The services over somebody else's transport, as the config says: for whoever puts other things around them.
  func services(over transport: any HTTPTransport) throws(Failure) -> DaemonServices {
    try services(try openStore(), transport, settings: try loadSettings())
  }

  private func openStore() throws(Failure) -> JSONFileStore {
    try Failure.from { () throws(StoreError) in
      try JSONFileStore(folder: storePath, time: time, remedies: .almanac)
    }
  }

  private func loadSettings() throws(Failure) -> Settings {
    var settings = try Failure.from { () throws(SettingsFailure) in try settingsFile.load() }
    for text in options.server {
      let override = try ServerOverride(text, sources: Self.sourceNames)
      settings.servers[override.source, default: Settings.Server()].url = override.url
    }
    if let first = PublicURL(settings.daemon.publicURL)?.path.split(separator: "/").first.map(String.init),
      API.firstParts.contains(first)
    {
      throw Failure(
        .config, .config, "daemon.publicURL: the daemon uses paths that begin with /\(first) itself",
        hint: "choose another path, such as /almanac", path: settingsFile.path)
    }
    return settings
  }

  private func services(
    _ store: JSONFileStore, _ transport: any HTTPTransport, settings: Settings
  ) throws(Failure) -> DaemonServices {
    var stack = StandardStack.service(time: time, random: random, events: hub)
    // A server that asks for more gets it from the scheduler: a follow that waits in here would hold a place and say nothing.
    if !options.once { stack.retry?.longestRetryAfter = 60 }
    stack.userAgent = "almanacd/\(DaemonVersion.current)"
    let keys = keys(settings)
    stack.secrets = seeds.isEmpty ? keys.values.compactMap(\.value) : []
    let redaction = Redaction(secrets: stack.secrets)
    if let client = transport as? AsyncHTTPTransport {
      client.use(TrustSettings(environment: environment, servers: settings.servers))
    }
    stack.ledger = StoredBudgetLedger(store: store, coder: coder)
    let http = stack.transport(over: transport)
    let media = try Failure.from { () throws(StoreError) in try MediaFolder(folder: storePath + "/media") }
    let engine = SyncEngine(
      store: store, sources: Self.sources(coder, settings, keys: keys).map(redaction.around), transport: http,
      coder: coder, time: time, random: random, events: hub, shapes: redaction.around(JSONShapeReader()))
    let edits = OutboxEdits(coder: coder, time: time, random: random)
    return DaemonServices(
      settings: settings, store: store, sync: engine, outbox: Outbox(store: store, coder: coder, events: hub),
      library: Library(store: store, coder: coder, filters: JSONRecordFilterCompiler()),
      charts: Charts(store: store, coder: coder, time: time),
      people: People(
        store: store, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time,
        random: random),
      profiles: Profiles(store: store, coder: coder, edits: edits),
      photos: Photos(store: store, coder: coder),
      media: redaction.around(Media(store: store, media: media, transport: http, coder: coder)), mediaStore: media,
      coder: coder, time: time, random: random, events: hub)
  }

  private static let sourceNames: [SourceName] = [.appStore, .flickr, .users, .people]

  /// One list, in the order in which help texts name them; sources that only check follows need no settings.
  private static func sources(
    _ coder: any RecordCoder, _ settings: Settings = Settings(), keys: [SourceName: SourceKey] = [:]
  ) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: settings.servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: settings.servers[.flickr],
        apiKey: keys[.flickr] ?? .absent),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: settings.servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder,
        edits: OutboxEdits(coder: coder, time: SystemTimeSource(), random: SystemRandomSource()),
        settings: settings.servers[.people]),
    ]
  }

  /// The keys of the sources that ask with one; recordings answer to any.
  private func keys(_ settings: Settings) -> [SourceName: SourceKey] {
    let keys = settingsFile.keys(of: Self.sources(coder), in: settings)
    return seeds.isEmpty ? keys : keys.mapValues { _ in .given("seeded", from: "the recording") }
  }

  private var seeds: [String] {
    options.seed.isEmpty
      ? environment["ALMANAC_SEED"].map { $0.split(separator: ":").map(String.init) } ?? [] : options.seed
  }

  private func transports() throws(Failure) -> (any HTTPTransport, AsyncHTTPTransport?) {
    if !seeds.isEmpty {
      var files: [HARFile] = []
      for path in seeds { files.append(HARFile(name: path, bytes: try SeedFile(path: path).read())) }
      let recorded = try Failure.from { () throws(TransportError) in
        try HARTransport(files, coder: coder, time: time)
      }
      return (recorded, nil)
    }
    var configuration = AsyncHTTPTransport.Configuration(userAgent: "almanacd/\(DaemonVersion.current)")
    configuration.proxies = ProxySettings(environment: environment)
    let client = AsyncHTTPTransport(configuration)
    return (client, client)
  }
}

extension StoreRemedies {
  /// The commands that do what errors of the store advise.
  fileprivate static let almanac = StoreRemedies(
    repair: "run 'almanac doctor --repair'", load: { "run 'almanac import \($0)'" })
}
