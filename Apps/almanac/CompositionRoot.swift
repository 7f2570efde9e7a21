import AppStore
import AsyncHTTPTransport
import Flickr
import Library
import Models
import Networking
import Parsing
import People
import Persistence
import Ports
import Sync
import Synchronization
import Users

/// Puts the CLI together: one run, a person who waits, short retries. The only place that names concrete plugs.
///
/// Everything is made when it is first asked for, so that a command that only looks something up opens no socket.
final class CompositionRoot: AlmanacServices {
  let options: GlobalOptions
  let terminal: Terminal
  let coder: any RecordCoder
  let time: any TimeSource
  let settings: any SettingsStore
  let storePath: String

  private let environment: [String: String]
  private let events: ProgressEvents
  private let random = SystemRandomSource()
  private let seeded: HARTransport?
  private let fixedSettings: Settings?
  private let parts = Mutex(Parts())

  /// What was made so far.
  private struct Parts {
    var store: JSONFileStore?
    var engine: SyncEngine?
    var network: Network?
    var demo: HARTransport?
    var isPlanning = false
  }

  /// The transport with what must be ended or written after the run.
  private struct Network {
    var transport: TransportStack
    var client: AsyncHTTPTransport?
    var recorder: HARRecorder?
  }

  /// The root of one run.
  ///
  /// - Parameters:
  ///   - terminal: where answers go; the process's own where absent.
  ///   - time: the clock; the machine's where absent.
  init(
    options: GlobalOptions, environment: [String: String], terminal: Terminal? = nil, time: (any TimeSource)? = nil,
    store: String? = nil, seeded: HARTransport? = nil, fixedSettings: Settings? = nil
  ) {
    let coder = JSONRecordCoder()
    let terminal = terminal ?? Terminal.standard(options: options, environment: environment, coder: coder)
    let places = Places(environment: environment)
    self.options = options
    self.environment = environment
    self.coder = coder
    self.terminal = terminal
    self.time = time ?? SystemTimeSource()
    self.seeded = seeded
    self.fixedSettings = fixedSettings
    events = ProgressEvents(terminal: terminal, isVerbose: options.verbose)
    storePath = store ?? options.store ?? places.store
    let named = options.config ?? environment["ALMANAC_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    settings = SettingsFile(
      path: named ?? places.config, isRequired: named != nil,
      format: JSONSettingsFormat(sources: Self.sourceNames) { follow in
        do throws(FollowError) { try SyncEngine.check(follow, with: Self.sources(coder)) } catch { return error }
        return nil
      },
      environment: environment)
  }

  func store() throws(Failure) -> any RecordStore & StoreMaintenance { try jsonStore() }

  func sync(planning: Bool) throws(Failure) -> any SyncService {
    if planning { parts.withLock { $0.isPlanning = true } }
    if let engine = parts.withLock({ $0.engine }) { return engine }
    let engine = SyncEngine(
      store: try jsonStore(), sources: try configuredSources(), transport: try network().transport, coder: coder,
      time: time, random: random, events: events, shapes: JSONShapeReader())
    parts.withLock { $0.engine = engine }
    return engine
  }

  func check(_ follow: Follow) throws(FollowError) { try SyncEngine.check(follow, with: Self.sources(coder)) }

  func outbox() throws(Failure) -> any OutboxService {
    Outbox(store: try jsonStore(), coder: coder, events: events)
  }

  func library() throws(Failure) -> any LibraryService {
    Library(store: try jsonStore(), coder: coder, filters: JSONRecordFilterCompiler())
  }

  func charts() throws(Failure) -> any ChartService { Charts(store: try jsonStore(), coder: coder, time: time) }

  func people() throws(Failure) -> any PeopleService {
    People(
      store: try jsonStore(), coder: coder, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time,
      random: random)
  }

  func profiles() throws(Failure) -> any ProfileService {
    Profiles(store: try jsonStore(), coder: coder, time: time, random: random)
  }

  func photos() throws(Failure) -> any PhotoService { Photos(store: try jsonStore(), coder: coder) }

  func media() throws(Failure) -> any MediaService {
    let folder = try Failure.from { () throws(StoreError) in try MediaFolder(folder: storePath + "/media") }
    return Media(
      store: try jsonStore(), media: folder, transport: try network().transport,
      coder: coder)
  }

  func drift() throws(Failure) -> any DriftService { DriftReport(store: try jsonStore(), coder: coder) }

  func probe(_ follow: Follow) async -> ServerProbe {
    do throws(Failure) {
      guard let url = try server(follow.source)?.url ?? Self.defaultURLs[follow.source] else {
        return ServerProbe(
          url: "no address",
          failure: Failure(
            .config, .config, "no server is configured", hint: "set servers.\(follow.source).url in \(settings.path)"))
      }
      if follow.source == .flickr, try key(.flickr) == nil {
        return ServerProbe(
          url: url,
          failure: SourceError.missingKey(
            source: follow.source, hint: "set servers.flickr.apiKey in \(settings.path), or ALMANAC_FLICKR_KEY"
          ).failure)
      }
      let transport = try network().transport
      do throws(TransportError) {
        _ = try await transport.send(HTTPRequest(.head, url + "/"))
        return ServerProbe(url: url)
      } catch {
        return ServerProbe(url: url, failure: error.failure)
      }
    } catch {
      return ServerProbe(url: follow.source.rawValue, failure: error)
    }
  }

  func demo(store: String, secondsAgo: Int) -> any AlmanacServices {
    let transport = parts.withLock { parts in
      let transport = parts.demo ?? DemoServers.transport(coder: coder, time: time)
      parts.demo = transport
      return transport
    }
    return CompositionRoot(
      options: options, environment: environment, terminal: terminal,
      time: ShiftedTime(base: time, seconds: -secondsAgo), store: store, seeded: transport,
      fixedSettings: DemoServers.settings)
  }

  func close() async -> Failure? {
    guard let network = parts.withLock({ $0.network }) else { return nil }
    await network.client?.shutdown()
    guard let recorder = network.recorder, let path = options.record else { return nil }
    do throws(Failure) { try OutputFile(path: path).write(recorder.recording()) } catch { return error }
    return nil
  }

  private static let defaultURLs: [SourceName: String] = [
    .appStore: "https://itunes.apple.com", .flickr: "https://api.flickr.com",
  ]

  private func jsonStore() throws(Failure) -> JSONFileStore {
    if let store = parts.withLock({ $0.store }) { return store }
    let store = try Failure.from { () throws(StoreError) in try JSONFileStore(folder: storePath, time: time) }
    parts.withLock { $0.store = store }
    return store
  }

  /// One list, in the order in which help texts name them.
  ///
  /// - Parameters:
  ///   - servers: where they are; sources that only check follows need none.
  ///   - flickrKey: Flickr's API key.
  private static func sources(
    _ coder: any RecordCoder, servers: [SourceName: Settings.Server] = [:], flickrKey: String? = nil
  ) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: servers[.flickr],
        apiKey: flickrKey),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: servers[.users]),
      PeopleSource(list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder, settings: servers[.people]),
    ]
  }

  private func configuredSources() throws(Failure) -> [any Source] {
    var servers: [SourceName: Settings.Server] = [:]
    for name in Self.sourceNames { servers[name] = try server(name) }
    return Self.sources(coder, servers: servers, flickrKey: try key(.flickr))
  }

  private func server(_ source: SourceName) throws(Failure) -> Settings.Server? {
    if let fixedSettings { return fixedSettings.servers[source] }
    var server = try loadSettings().servers[source]
    for text in options.server {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, parts[1].hasPrefix("http://") || parts[1].hasPrefix("https://") else {
        throw Failure(
          .config, .usage, "--server \(text) is no SOURCE=URL", hint: "write --server people=http://localhost:8080")
      }
      guard Self.sourceNames.contains(where: { $0.rawValue == parts[0] }) else {
        throw Failure(
          .config, .usage, "--server \(text): there is no source '\(parts[0])'",
          hint: "one of \(Self.sourceNames.map(\.rawValue).joined(separator: ", "))")
      }
      if parts[0] == source.rawValue {
        server = Settings.Server(url: parts[1], apiKey: server?.apiKey)
      }
    }
    return server
  }

  private static let sourceNames: [SourceName] = [.appStore, .flickr, .users, .people]

  private func key(_ source: SourceName) throws(Failure) -> String? {
    if seeded != nil || isSeeded { return "seeded" }
    if let secret = try loadSettings().servers[source]?.apiKey {
      return try Failure.from { () throws(SettingsFailure) in try settings.resolve(secret) }
    }
    return environment["ALMANAC_FLICKR_KEY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  private var seeds: [String] {
    options.seed.isEmpty
      ? environment["ALMANAC_SEED"].map { $0.split(separator: ":").map(String.init) } ?? [] : options.seed
  }

  private var isSeeded: Bool { !seeds.isEmpty }

  private func network() throws(Failure) -> Network {
    if let network = parts.withLock({ $0.network }) { return network }
    let secrets = [try key(.flickr)].compactMap { $0 }
    var stack = StandardStack(time: time, random: random, events: events)
    stack.userAgent = "almanac/\(AlmanacVersion.current)"
    stack.secrets = isSeeded || seeded != nil ? [] : secrets
    // Recorded answers cost no budget, and a plan leaves no trace in the store.
    if !isSeeded, seeded == nil, !parts.withLock({ $0.isPlanning }) {
      stack.ledger = StoredBudgetLedger(store: try jsonStore(), coder: coder)
    }
    if options.record != nil {
      stack.recorder = HARRecorder(
        coder: coder, time: time, secrets: stack.secrets, program: ("almanac", AlmanacVersion.current))
    }
    let network: Network
    var recorded = seeded
    if recorded == nil { recorded = try seedTransport() }
    if let transport = recorded {
      network = Network(transport: stack.transport(over: transport), client: nil, recorder: stack.recorder)
    } else {
      var configuration = AsyncHTTPTransport.Configuration(userAgent: stack.userAgent)
      configuration.proxies = ProxySettings(environment: environment)
      let client = AsyncHTTPTransport(configuration)
      network = Network(transport: stack.transport(over: client), client: client, recorder: stack.recorder)
    }
    parts.withLock { $0.network = network }
    return network
  }

  private func seedTransport() throws(Failure) -> HARTransport? {
    guard isSeeded else { return nil }
    var files: [Seed] = []
    for path in seeds { files.append(Seed(name: path, bytes: try InputFile(path: path).read())) }
    return try Failure.from { () throws(TransportError) in try HARTransport(files, coder: coder, time: time) }
  }
}
