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

/// Puts the CLI together: one run, a person who waits, short retries. The only place that names concrete adapters.
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
      format: JSONSettingsFormat(sources: Self.sourceNames) { (follow) throws(FollowError) in
        try SyncEngine.check(follow, with: Self.sources(coder))
      },
      environment: environment)
  }

  func store() throws(Failure) -> any RecordStore & StoreMaintenance { try jsonStore() }

  func sync(planning: Bool) throws(Failure) -> any SyncService {
    if planning { parts.withLock { $0.isPlanning = true } }
    if let engine = parts.withLock({ $0.engine }) { return engine }
    let engine = SyncEngine(
      store: try jsonStore(), sources: try configuredSources(), transport: try network().transport, coder: coder,
      time: time, random: random, events: events, shapes: try redaction().around(JSONShapeReader()),
      outboxPatience: .seconds(30))
    parts.withLock { $0.engine = engine }
    return engine
  }

  func check(_ follow: Follow) throws(FollowError) -> Follow { try SyncEngine.check(follow, with: Self.sources(coder)) }

  func outbox() throws(Failure) -> any OutboxService {
    Outbox(store: try jsonStore(), coder: coder, events: events)
  }

  func library() throws(Failure) -> any LibraryService {
    Library(store: try jsonStore(), coder: coder, filters: JSONRecordFilterCompiler())
  }

  var genres: [ChartGenre] { AppStoreSource.genres }

  func charts() throws(Failure) -> any ChartService { Charts(store: try jsonStore(), coder: coder, time: time) }

  private var edits: OutboxEdits { OutboxEdits(coder: coder, time: time, random: random) }

  func people() throws(Failure) -> any PeopleService {
    People(
      store: try jsonStore(), coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(),
      time: time, random: random)
  }

  func profiles() throws(Failure) -> any ProfileService {
    Profiles(store: try jsonStore(), coder: coder, edits: edits)
  }

  func photos() throws(Failure) -> any PhotoService { Photos(store: try jsonStore(), coder: coder) }

  func media() throws(Failure) -> any MediaService {
    let folder = try Failure.from { () throws(StoreError) in try MediaFolder(folder: storePath + "/media") }
    return try redaction().around(
      Media(store: try jsonStore(), media: folder, transport: try network().transport, coder: coder))
  }

  func drift() throws(Failure) -> any DriftService { DriftReport(store: try jsonStore(), coder: coder) }

  func address(of source: SourceName) throws(Failure) -> String? {
    try server(source)?.url ?? Self.defaultURLs[source]
  }

  func probe(_ source: SourceName) async -> ServerProbe {
    do throws(Failure) {
      guard let url = try address(of: source) else {
        return ServerProbe(
          url: "no address",
          failure: Failure(
            .config, .config, "no server is configured", hint: "set servers.\(source).url in \(settings.path)"))
      }
      let transport = try network().transport
      let keyed = try bareSources().first { $0.name == source } as? any KeyedSource
      var probe = ServerProbe(url: url)
      if case .given(_, let place)? = try keys()[source] { probe.keyPlace = place }
      do throws(SourceError) {
        if let keyed {
          try await keyed.proveKey(over: transport)
        } else {
          let response: HTTPResponse
          do throws(TransportError) {
            response = try await transport.send(HTTPRequest(.head, url + "/"))
          } catch { throw .transport(error) }
          try ProbeAnswer.check(response, url: url)
        }
      } catch { probe.failure = try redaction().error(error).failure }
      return probe
    } catch {
      return ServerProbe(url: source.rawValue, failure: error)
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

  /// What stays of a command that is stopped now, for a person.
  var kept: String { events.kept ?? "what was committed before is kept" }

  func close() async -> Failure? {
    // What fails here is no fault of the command: its commits are on the disk, and `status` tells which files lack them.
    if let store = parts.withLock({ $0.store }) { try? await store.publish(.quick) }
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
    let store = try Failure.from { () throws(StoreError) in
      try JSONFileStore(folder: storePath, time: time, remedies: .almanac)
    }
    parts.withLock { $0.store = store }
    return store
  }

  /// One list, in the order in which help texts name them.
  ///
  /// - Parameters:
  ///   - servers: where they are; sources that only check follows need none.
  ///   - keys: the keys of those that ask with one.
  private static func sources(
    _ coder: any RecordCoder, servers: [SourceName: Settings.Server] = [:], keys: [SourceName: SourceKey] = [:]
  ) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: servers[.flickr],
        apiKey: keys[.flickr] ?? .absent),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder,
        edits: OutboxEdits(coder: coder, time: SystemTimeSource(), random: SystemRandomSource()),
        settings: servers[.people]),
    ]
  }

  private func servers() throws(Failure) -> [SourceName: Settings.Server] {
    var servers: [SourceName: Settings.Server] = [:]
    for name in Self.sourceNames { servers[name] = try server(name) }
    return servers
  }

  private func bareSources() throws(Failure) -> [any Source] {
    Self.sources(coder, servers: try servers(), keys: try keys())
  }

  private func configuredSources() throws(Failure) -> [any Source] {
    try bareSources().map(try redaction().around)
  }

  private func server(_ source: SourceName) throws(Failure) -> Settings.Server? {
    if let fixedSettings { return fixedSettings.servers[source] }
    var server = try loadSettings().servers[source]
    for text in options.server {
      let override = try ServerOverride(text, sources: Self.sourceNames)
      if override.source == source {
        server = server ?? Settings.Server()
        server?.url = override.url
      }
    }
    return server
  }

  private static let sourceNames: [SourceName] = [.appStore, .flickr, .users, .people]

  /// The keys of the sources that ask with one; recordings answer to any.
  private func keys() throws(Failure) -> [SourceName: SourceKey] {
    let isReplay = seeded != nil || isSeeded
    let keys = settings.keys(of: Self.sources(coder), in: isReplay ? Settings() : try loadSettings())
    return isReplay ? keys.mapValues { _ in .given("seeded", from: "the recording") } : keys
  }

  private func secrets() throws(Failure) -> [String] {
    seeded != nil || isSeeded ? [] : try keys().values.compactMap(\.value)
  }

  private func redaction() throws(Failure) -> Redaction { Redaction(secrets: try secrets()) }

  private var seeds: [String] {
    options.seed.isEmpty
      ? environment["ALMANAC_SEED"].map { $0.split(separator: ":").map(String.init) } ?? [] : options.seed
  }

  private var isSeeded: Bool { !seeds.isEmpty }

  private func network() throws(Failure) -> Network {
    if let network = parts.withLock({ $0.network }) { return network }
    var stack = StandardStack(time: time, random: random, events: events)
    stack.userAgent = "almanac/\(AlmanacVersion.current)"
    stack.secrets = try secrets()
    // Recorded answers cost no budget, and a plan leaves no trace in the store.
    if !isSeeded, seeded == nil, !parts.withLock({ $0.isPlanning }) {
      stack.ledger = StoredBudgetLedger(store: try jsonStore(), coder: coder)
    }
    if options.record != nil {
      stack.recorder = HARRecorder(
        creator: .init(name: "almanac", version: AlmanacVersion.current), coder: coder, time: time,
        secrets: stack.secrets)
    }
    let network: Network
    var recorded = seeded
    if recorded == nil { recorded = try seedTransport() }
    if let transport = recorded {
      network = Network(transport: stack.transport(over: transport), client: nil, recorder: stack.recorder)
    } else {
      var configuration = AsyncHTTPTransport.Configuration(userAgent: stack.userAgent)
      configuration.proxies = ProxySettings(environment: environment)
      configuration.trust = TrustSettings(environment: environment, servers: try servers())
      let client = AsyncHTTPTransport(configuration)
      network = Network(transport: stack.transport(over: client), client: client, recorder: stack.recorder)
    }
    parts.withLock { $0.network = network }
    return network
  }

  private func seedTransport() throws(Failure) -> HARTransport? {
    guard isSeeded else { return nil }
    var files: [HARFile] = []
    for path in seeds { files.append(HARFile(name: path, bytes: try InputFile(path: path).read())) }
    return try Failure.from { () throws(TransportError) in try HARTransport(files, coder: coder, time: time) }
  }
}

extension StoreRemedies {
  /// The commands that do what errors of the store advise.
  fileprivate static let almanac = StoreRemedies(
    repair: "run 'almanac doctor --repair'", load: { "run 'almanac import \($0)'" })
}
