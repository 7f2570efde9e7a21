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
/// can be replaced while it runs. The only place that names concrete plugs.
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
      format: JSONSettingsFormat(sources: Self.sourceNames) { follow in
        do throws(FollowError) { try SyncEngine.check(follow, with: Self.sources(coder)) } catch { return error }
        return nil
      },
      environment: environment)
    // Others read this path in daemon.json, wherever they stand.
    storePath = Self.absolute(store)
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Syncs everything once.
  func runOnce() async throws(Failure) -> ExitStatus {
    let store = try openStore()
    let (transport, client) = try transports()
    let services = try services(store, transport, settings: try loadSettings())
    let outcome: Result<SyncReport, Failure>
    do throws(Failure) {
      outcome = .success(try await services.sync.sync(services.settings.follows, SyncOptions()))
    } catch { outcome = .failure(error) }
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
    let door = Door(try ListenAddress(options.listen ?? live.current.settings.daemon.listen ?? "127.0.0.1:7423"))
    let scheduler = Scheduler(services: live.current.scheduling)
    await scheduler.configure(live.current.settings.follows)
    let parts = parts(live, scheduler, door, token)
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
    _ live: LiveServices, _ scheduler: Scheduler, _ door: Door, _ token: DaemonToken
  ) -> API.Parts {
    let feed = EventFeed(coder: coder)
    hub.add(feed)
    let numbers = PrometheusFactory()
    hub.add(EventMetrics(factory: numbers))
    return API.Parts(
      live: live, scheduler: scheduler, door: door, access: Access(token: token, logins: Logins(time: time)),
      feed: feed, reader: CommitReader(live: live, feed: feed),
      metrics: MetricsPage(factory: numbers, live: live, begun: time.now), readiness: Readiness())
  }

  /// What runs beside the API.
  private func others(
    _ live: LiveServices, _ scheduler: Scheduler, _ parts: API.Parts, _ store: JSONFileStore,
    _ transport: any HTTPTransport, _ stamp: FileStamp
  ) -> [any Service] {
    let notifier = SystemdNotifier(environment: environment)
    let reload: @Sendable () async -> Void = { [self] in
      do throws(Failure) {
        let services = try services(store, transport, settings: try loadSettings())
        live.replace(with: services)
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
              chmod(socket.path, 0o600)
            }))
      }
      for service in others { await group.addServiceUnlessShutdown(.init(service: service)) }
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
    try Failure.from { () throws(StoreError) in try JSONFileStore(folder: storePath, time: time) }
  }

  private func loadSettings() throws(Failure) -> Settings {
    var settings = try Failure.from { () throws(SettingsFailure) in try settingsFile.load() }
    for text in options.server {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[1].hasPrefix("http://") || parts[1].hasPrefix("https://") else {
        throw Failure(
          .config, .usage, "--server \(text) is no SOURCE=URL", hint: "write --server people=http://localhost:8080")
      }
      guard let source = Self.sourceNames.first(where: { $0.rawValue == parts[0] }) else {
        throw Failure(
          .config, .usage, "--server \(text): there is no source '\(parts[0])'",
          hint: "one of \(Self.sourceNames.map(\.rawValue).joined(separator: ", "))")
      }
      settings.servers[source, default: Settings.Server()].url = parts[1]
    }
    return settings
  }

  private func services(
    _ store: JSONFileStore, _ transport: any HTTPTransport, settings: Settings
  ) throws(Failure) -> DaemonServices {
    var stack = StandardStack.service(time: time, random: random, events: hub)
    stack.userAgent = "almanacd/\(DaemonVersion.current)"
    let key = try flickrKey(settings)
    stack.secrets = key.map { [$0] } ?? []
    stack.ledger = StoredBudgetLedger(store: store, coder: coder)
    // A follow is fetched on its own interval: an answer that is still fresh is asked for again all the same.
    stack.freshBytes = 0
    let http = stack.transport(over: transport)
    let media = try Failure.from { () throws(StoreError) in try MediaFolder(folder: storePath + "/media") }
    let engine = SyncEngine(
      store: store, sources: Self.sources(coder, settings, flickrKey: key), transport: http, coder: coder, time: time,
      random: random, events: hub, shapes: JSONShapeReader())
    return DaemonServices(
      settings: settings, store: store, sync: engine, outbox: Outbox(store: store, coder: coder, events: hub),
      library: Library(store: store, coder: coder, filters: JSONRecordFilterCompiler()),
      charts: Charts(store: store, coder: coder, time: time),
      people: People(
        store: store, coder: coder, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time, random: random),
      profiles: Profiles(store: store, coder: coder, time: time, random: random),
      photos: Photos(store: store, coder: coder),
      media: Media(store: store, media: media, transport: http, coder: coder), mediaStore: media, coder: coder,
      time: time, random: random, events: hub)
  }

  private static let sourceNames: [SourceName] = [.appStore, .flickr, .users, .people]

  /// One list, in the order in which help texts name them; sources that only check follows need no settings.
  private static func sources(
    _ coder: any RecordCoder, _ settings: Settings = Settings(), flickrKey: String? = nil
  ) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: settings.servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: settings.servers[.flickr],
        apiKey: flickrKey),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: settings.servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder, settings: settings.servers[.people]),
    ]
  }

  private func flickrKey(_ settings: Settings) throws(Failure) -> String? {
    if !seeds.isEmpty { return "seeded" }
    if let secret = settings.servers[.flickr]?.apiKey {
      return try Failure.from { () throws(SettingsFailure) in try settingsFile.resolve(secret) }
    }
    return environment["ALMANAC_FLICKR_KEY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private var seeds: [String] {
    options.seed.isEmpty
      ? environment["ALMANAC_SEED"].map { $0.split(separator: ":").map(String.init) } ?? [] : options.seed
  }

  private func transports() throws(Failure) -> (any HTTPTransport, AsyncHTTPTransport?) {
    if !seeds.isEmpty {
      var files: [Seed] = []
      for path in seeds { files.append(Seed(name: path, bytes: try SeedFile(path: path).read())) }
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
