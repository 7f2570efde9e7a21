import Assembly
import AsyncHTTPTransport
import CLibrary
import FoundationEssentials
import Frontend
import Models
import Networking
import Persistence
import Ports
import Synchronization

/// Puts the CLI together: one run, a person who waits, short retries.
///
/// Everything is made when it is first asked for, so that a command that only looks something up opens no socket.
final class CompositionRoot: Sendable {
  let options: GlobalOptions
  let terminal: Terminal
  let time: any TimeSource
  /// The store's folder, or its address on a server.
  let storePath: String

  let invocation: Invocation
  /// The config file; what was read or changed last is known.
  var settingsFile: any SettingsStore { cachedSettings }
  private let cachedSettings: CachedSettings
  let events: ProgressEvents
  let random = SystemRandomSource()
  /// Whether the store must exist already.
  private let needsStore: Bool
  /// Why the command commits, under which that can be undone.
  private let cause: ChangeCause?
  let demo: DemoServers?
  private let parts = Mutex(Parts())

  private struct Parts {
    var store: OpenedStore?
    var services: LocalServices?
    var network: Network?
    var planningNetwork: Network?
    var recorder: HARRecorder?
    var demo: DemoServers?
    var images: (any MediaStore)?
    var damagedImages: Set<ExactString> = []
  }

  /// What a graph of services asks its servers with.
  struct Network {
    var transport: TransportStack
    var client: AsyncHTTPTransport?
    var access: SourceAccess
    var secrets: [String]
  }

  /// - Parameters:
  ///   - command: what runs.
  ///   - words: the words of the command, `people remove`; what it writes can be undone.
  ///   - terminal: where answers go; the process's own where absent.
  ///   - time: the clock; the machine's where absent.
  ///   - demo: the store's folder and the recordings of the demo.
  init(
    options: GlobalOptions, environment: [String: String], for command: (any ServiceCommand)? = nil,
    words: String? = nil, terminal: Terminal? = nil, time: (any TimeSource)? = nil,
    demo: (store: String, servers: DemoServers)? = nil
  ) {
    invocation = Invocation(
      program: "almanac", store: demo?.store ?? options.store, config: options.config, seeds: options.seed,
      servers: options.server, environment: environment, needsConfig: command?.needsConfig ?? true)
    cachedSettings = CachedSettings(invocation.settingsFile)
    let terminal =
      terminal
      ?? Terminal.standard(
        options: options, environment: environment, isPaged: command?.isPaged ?? false, coder: invocation.coder,
        words: CommandWording.wording(store: options.store, config: options.config))
    self.options = options
    needsStore = command?.readsStore ?? false
    cause = words.map { ChangeCause(command?.changes ?? .edit, tool: .command($0)) }
    self.terminal = terminal
    self.time = time ?? SystemTimeSource()
    self.demo = demo?.servers
    events = ProgressEvents(terminal: terminal, isVerbose: options.verbose, time: self.time)
    storePath = invocation.places.store
  }

  var suggestions: Suggestions { CommandWording.features }
  var coder: any RecordCoder { invocation.coder }
  /// Reads the config file again when it is needed: another program has changed it.
  func forgetSettings() { cachedSettings.forget() }
  /// The settings of this command: the config file, which is read once, and `--server`.
  var settings: LoadedSettings {
    demo.map { LoadedSettings($0.settings) } ?? invocation.overriding(settingsFile.load())
  }
  var sources: [SourceDescriptor] { invocation.sources.descriptors }
  /// What the compiled sources, and those of the follows, say about themselves; the definitions of others are not read.
  func sources(of follows: [Follow]) -> [SourceDescriptor] { invocation.sources(of: follows) }
  /// The collections of the sources, and those that the store holds besides.
  var catalog: CollectionCatalog {
    // Without a store there are no stored collections, and none is made here.
    guard isStoreOnServer || access(storePath, F_OK) == 0, let services = try? local() else {
      return invocation.sources.catalog
    }
    return services.catalog
  }
  var definitions: any SourceService { invocation.definitions }

  func store() throws(Failure) -> any RecordStore & StoreMaintenance {
    _ = try local()
    return try openedStore().records
  }
  func outbox() throws(Failure) -> any OutboxService { try local().outbox }
  func proposals() throws(Failure) -> any ProposalService { try local().proposals }
  func library() throws(Failure) -> any LibraryService { try local().library }
  /// What commands wrote that can be undone.
  func undo() throws(Failure) -> any UndoService { try local().undo }
  func history() throws(Failure) -> any HistoryService { try local().history() }
  func historyMaintenance() throws(Failure) -> any HistoryMaintenance { try local().historyMaintenance() }
  /// Erases a record with all that the store ever kept of it.
  func forget(_ collection: CollectionName, _ id: String) async throws(Failure) -> ErasedRecords {
    try await local().forget(collection, id, images: images(readOnly: false))
  }
  /// What an assistant sees of the store.
  func assistantView(_ rules: Settings.Assistants) throws(Failure) -> AssistantView { try local().view(rules) }
  func fields(_ collection: CollectionName, _ id: String) throws(Failure) -> JSONObject {
    let record = try library().record(collection, id)
    return try Failure.from { () throws(ParsingError) in try coder.decode(record) }
  }
  func fields(_ record: RawSpan) throws(Failure) -> JSONObject {
    try Failure.from { () throws(ParsingError) in try coder.decode(record) }
  }
  func charts() throws(Failure) -> any ChartService { try local().charts }
  func people() throws(Failure) -> any PeopleService { try local().people }

  func duplicates() throws(Failure) -> any DuplicateService { try local().duplicates }
  func profiles() throws(Failure) -> any ProfileService { try local().profiles }
  func photos() throws(Failure) -> any PhotoService { try local().photos }
  /// What became of the fields of the sources' answers.
  func drift() throws(Failure) -> any DriftService { try local().drift }
  /// Makes the next sync read everything, after the store lost records.
  func readFollowsAgain() async throws(Failure) { try await local().readFollowsAgain() }
  var genres: [ChartGenre] { LocalServices.genres }

  /// Why there is no store in the folder that the call names; `nil` where there is one, or no folder was named.
  var missingStore: Failure? {
    if demo != nil { return nil }
    guard isStoreOnServer else { return StorePlace(root: self).missing }
    guard let snapshot = try? openedStore().records.snapshot(), snapshot.end == nil else { return nil }
    var missing = StorePlace.missing(at: storePath, name: "the address")
    missing.hint = """
      check the address; psql restores a dump, \(command: "store", "copy") copies a store there, and \(command: "sync") and \
      \(command: "import") make a new store
      """
    return missing
  }

  var assistantLog: AssistantLog { AssistantLog(folder: invocation.places.state, coder: coder, time: time) }

  /// Whether a daemon runs that keeps this store and reads this config file: it takes up what changes there.
  var hasDaemon: Bool {
    let folder = invocation.places.state
    return DaemonPlace(in: folder, coder)?.reads(config: settingsFile.path, for: folder) ?? false
  }

  /// The daemon that runs, and the path at which it expects the store, which was moved from there: it writes nothing.
  var displacedDaemon: (process: Int, path: String)? { DaemonPlace(in: storePath, coder)?.displaced(to: storePath) }

  /// Why the store is not there, where a daemon keeps it: it was moved or deleted.
  var displacedStore: Failure? { StoreClaim.problem(at: storePath) }

  /// Says what becomes of an edit that waits: `sends it`.
  func noteWaiting(_ what: String = "sends it") {
    terminal.note(isDaemonRunning ? "stored locally; the daemon \(what)" : "stored locally; \(command: "sync") \(what)")
  }

  /// Whether a daemon keeps the store fresh, whatever its config file.
  var isDaemonRunning: Bool {
    guard isStoreOnServer else { return StoreClaim.exists(storePath) }
    guard let leases = try? openedStore().leases(time: time) else { return false }
    return ((try? leases.current()) ?? nil) != nil
  }

  /// Why this user cannot write the store's files; `nil` where that is possible, or there are none.
  var storeRefusal: Failure? {
    guard !isStoreOnServer, access(storePath + "/manifest", F_OK) == 0, let store = try? openedStore().records else {
      return nil
    }
    do throws(StoreError) { try store.checkWritable() } catch {
      guard error.code == .cannotWrite else { return nil }
      var failure = error.failure
      failure.message = "this user can read the store, and not write it: \(failure.message)"
      return failure
    }
    return nil
  }

  /// Whether the disk of the store has room for so many bytes more, as a compaction may need; true where that is not known.
  func hasRoom(for bytes: Int) -> Bool {
    var statistics = statvfs()
    guard !isStoreOnServer, statvfs(storePath, &statistics) == 0 else { return true }
    return Int(clamping: statistics.f_bavail).times(Int(clamping: statistics.f_frsize)) >= bytes
  }

  var isStoreOnServer: Bool { invocation.places.isStoreOnServer }

  /// Whether an option or the environment names the config file.
  var namesConfig: Bool { invocation.places.namesConfig }
  /// Why the address of the store cannot be used; `nil` for a folder.
  var storeProblem: Failure? { invocation.places.storeProblem }

  var isStoreOfVariable: Bool { invocation.environment["ALMANAC_STORE"]?.exact == storePath.exact }

  /// How a record of a collection is deleted: a command, or who deletes it.
  func deletion(of collection: CollectionName) -> Advice { CommandWording.deletion(of: collection.rawValue) }

  /// Checks a follow with its source, and gives it in its usual spelling; needs neither config nor store.
  func check(_ follow: Follow) throws(FollowError) -> Follow { try invocation.sources.check(follow) }

  func follows() throws(Failure) -> any FollowService {
    var stored: (@Sendable () -> any RecordStore)?
    if isStoreOnServer {
      let store = try openedStore().records
      stored = { store }
    }
    return invocation.follows(settings: settingsFile, store: stored, besideMistakes: true)
  }

  /// Settings with the follows of a store on a server.
  func completed(_ settings: Settings) throws(Failure) -> Settings {
    isStoreOnServer ? try invocation.completing(settings, from: openedStore().records) : settings
  }

  func followed() throws(Failure) -> [Follow] { try completed(settings.strict()).follows }
  func books() throws(Failure) -> [FollowedBook] { try FollowedBook.all(among: followed(), of: sources) }

  /// Changes the config file.
  ///
  /// - Returns: `false` if there was nothing to remove.
  @discardableResult
  func change(_ change: SettingChange) throws(Failure) -> Bool {
    try settingsFile.change(change, of: settingsFile.load()) != nil
  }

  func sync() throws(Failure) -> any SyncService {
    try checkChangeable()
    let sync = try connected(network()).sync(
      leases: openedStore().leases(time: time), outboxTimeout: .seconds(30),
      localBlocker: invocation.localBlockers(try settings.strict()))
    return isReplay ? ReplayedSync(sync) : sync
  }

  /// Checks that the store is not a backup, before anything is done for it.
  func checkChangeable() throws(Failure) { try LocalServices.checkChangeable(storePath) }

  func failingReceivers(_ settings: Settings) throws(Failure) -> [Failure] {
    settings.daemon.notifications.isEmpty ? [] : try local().receivers(settings).compactMap(\.problem)
  }

  /// Why this user cannot change the config file.
  var configRefusal: Failure? { invocation.settingsFile.refusal }

  var isReplay: Bool { !invocation.recordings.isEmpty }

  /// What the store remembers of follows; needs neither keys nor a network.
  func syncStatus(_ follows: [Follow], _ settings: Settings) throws(Failure) -> SyncStatus {
    // Keys are not needed, and a command that prints one may ask for a passphrase.
    let access = SourceAccess(servers: settings.servers)
    var status = try ConnectedServices(try local(), transport: NoTransport(), access: access, secrets: [])
      .sync(localBlocker: invocation.localBlockers(settings)).status(follows)
    for index in status.follows.indices { status.follows[index].removeTimes(after: time.now) }
    return status
  }

  /// Plans pulls and pushes: nothing at all is written, not even which calls were made.
  func planning() throws(Failure) -> any SyncService {
    try connected(planningNetwork()).sync(localBlocker: invocation.localBlockers(try settings.strict()))
  }

  func media() throws(Failure) -> any MediaService {
    try checkChangeable()
    return try connected(network()).media(in: openedStore().images(at: storePath))
  }

  func images(readOnly: Bool) throws(Failure) -> any MediaStore {
    // A folder needs no store to be read.
    guard isStoreOnServer else { return try OpenedStore.images(inFolder: storePath, readOnly: readOnly) }
    _ = try local()
    return try openedStore().images(at: storePath)
  }

  /// The number of addresses whose image was left out because it is damaged.
  var damagedImages: Int { parts.withLock { $0.damagedImages.count } }

  /// The file of an image that was downloaded; `nil` where it was not, or where what is kept of it is damaged: a warning
  /// says so once.
  func imageFile(of url: String) throws(Failure) -> ImageFile? {
    do throws(Failure) { return try readImageFile(of: url) } catch {
      guard error.code == .store(.damaged) else { throw error }
      if parts.withLock({ $0.damagedImages.insert(url.exact).inserted }) {
        let place = error.path ?? storePath
        terminal.complain("warning: \(place) is damaged: the image of \(url) is left out", hint: error.hint)
      }
      return nil
    }
  }

  private func readImageFile(of url: String) throws(Failure) -> ImageFile? {
    let images = try made(\.images) { () throws(Failure) in try self.images(readOnly: true) }
    let item = try Failure.from { () throws(StoreError) in try images.item(for: url) }
    guard let item else { return nil }
    guard isStoreOnServer else { return ImageFile(path: "\(storePath)/media/\(item.digest)", item: item) }
    return ImageFile(path: try cached(item, of: images), item: item)
  }

  /// What is made when it is first needed.
  private func made<Part: Sendable>(
    _ part: any WritableKeyPath<Parts, Part?> & Sendable, _ make: () throws(Failure) -> Part
  ) throws(Failure) -> Part {
    if let known = parts.withLock({ $0[keyPath: part] }) { return known }
    let new = try make()
    parts.withLock { $0[keyPath: part] = new }
    return new
  }

  private func openedStore() throws(Failure) -> OpenedStore {
    try made(\.store) { () throws(Failure) in
      try OpenedStore(at: storePath, { [invocation] in invocation.sources.catalog }, time: time, events: events)
    }
  }

  /// The same program with another store, its recordings and a clock that is `seconds` behind, for the demo.
  ///
  /// - Parameter isRepeated: whether the store has the recordings already: only the last answers are given.
  func demo(store: String, secondsAgo: Int, isRepeated: Bool = false) -> CompositionRoot {
    let servers = parts.withLock { parts in
      let servers = parts.demo ?? DemoServers(coder: coder, time: time, isRepeated: isRepeated)
      parts.demo = servers
      return servers
    }
    return CompositionRoot(
      options: options, environment: invocation.environment, terminal: terminal,
      time: ShiftedTime(base: time, seconds: -secondsAgo), demo: (store, servers))
  }

  /// The same program as of a time that a text names; as it is without one.
  func past(_ text: String?) throws(Failure) -> CompositionRoot {
    guard let text else { return self }
    let (services, moment) = (try local(), try history().moment(text))
    let root = CompositionRoot(
      options: options, environment: invocation.environment, terminal: terminal,
      time: ShiftedTime(base: time, seconds: moment.at - time.now))
    let (past, store) = (try services.past(at: moment), try openedStore())
    root.parts.withLock { ($0.services, $0.store) = (past, store) }
    return root
  }

  /// The same program, which writes nothing into the store, and what it would change in a collection.
  func trial() throws(Failure) -> (
    root: CompositionRoot, changes: @Sendable (CollectionName) throws(Failure) -> [HistoryEntry]
  ) {
    let (services, changes) = try local().trial()
    let store = try openedStore()
    let root = CompositionRoot(
      options: options, environment: invocation.environment, terminal: terminal, time: time)
    root.parts.withLock { ($0.services, $0.store) = (services, store) }
    return (root, changes)
  }

  /// The command with the config file and the definitions as they are now: a restore has written them.
  func anew() -> CompositionRoot {
    CompositionRoot(options: options, environment: invocation.environment, terminal: terminal, time: time)
  }

  /// Where a record is named without its collection, the failure with the command that names both.
  ///
  /// - Parameter words: the words of the command, `edit`.
  func namingRecord(_ failure: Failure, words: String) -> Failure {
    guard failure.code == .own(.noCollection), let name = failure.path, let library = try? library() else {
      return failure
    }
    let takesRecord = ["show", "history list", "history", "blame", "edit", "open", "forget", "restore"].contains(words)
    for collection in catalog.names where catalog[collection]?.nameField != nil {
      let found = (try? library.records(collection, meaning: name, as: .words, limit: 1)) ?? []
      guard !found.isEmpty else { continue }
      let command = (takesRecord ? words : "show").split(separator: " ").map(String.init) + [collection.rawValue, name]
      return failure.advising("did you mean \(command: command)?")
    }
    return failure
  }

  /// What remains of a command that is stopped now, for a person.
  var kept: Advice {
    let follows = (try? followed()) ?? []
    let synced = Set(follows.filter { !$0.isPaused }.map(\.$path))
    return events.kept { synced.contains($0.exact) } ?? "what was committed before is kept"
  }

  /// Ends what is open.
  ///
  /// - Parameter renewsFiles: whether published files are renewed where commits were made.
  /// - Returns: why the recording could not be kept; `nil` where it was, or none was asked for.
  func close(renewsFiles: Bool) async -> Failure? {
    let parts = parts.withLock { $0 }
    // A failure here is not the command's: its commits are on the disk, and `status` tells which files lack them.
    if renewsFiles { try? await parts.store?.records.publish(.quick) }
    if parts.network != nil, demo == nil { invocation.settingsFile.remember(cachedSettings.load()) }
    for network in [parts.network, parts.planningNetwork] { await network?.client?.shutdown() }
    guard let recorder = parts.recorder, let path = options.record else { return nil }
    do throws(Failure) { try OutputFile(path: path).write(recorder.recording()) } catch { return error }
    return nil
  }

  func local() throws(Failure) -> LocalServices {
    try made(\.services) { () throws(Failure) in
      if needsStore, let missingStore { throw missingStore }
      return LocalServices(
        store: try openedStore().records, sources: invocation.sources, coder: coder,
        time: time, random: random, events: events, cause: cause)
    }
  }

  private func connected(_ network: Network) throws(Failure) -> ConnectedServices {
    ConnectedServices(try local(), transport: network.transport, access: network.access, secrets: network.secrets)
  }

  func network() throws(Failure) -> Network {
    try made(\.network) { () throws(Failure) in try network(besides: local().store) }
  }

  /// A network for plans, which leave no trace in the store. The calls that are made count all the same, unless the store on
  /// a server counts them.
  func planningNetwork() throws(Failure) -> Network {
    try made(\.planningNetwork) { () throws(Failure) in try network(besides: nil) }
  }

  /// The network for one request with a key that is in no setting; with `nil`, that of all requests.
  func network(hiding key: String?) throws(Failure) -> Network {
    if let key { return try network(besides: nil, hiding: key) }
    return try network()
  }

  /// - Parameters:
  ///   - store: may count calls; `nil` for a plan.
  ///   - account: an account that is not in the config file yet, and the authorities of its server, where they are to be
  ///     added as well.
  func network(
    besides store: (any RecordStore)?,
    adding account: (source: SourceName, account: SourceAccount, caFile: String?)? = nil, hiding key: String? = nil
  ) throws(Failure) -> Network {
    var settings = try settings.strict()
    var access = invocation.access(settings, isReplay: demo != nil, isPlan: store == nil, events: events)
    if let (source, account, caFile) = account {
      access.accounts[source, default: []].append(account)
      var added = Settings.Account(name: account.name, url: account.url)
      added.caFile = caFile
      settings.servers[source, default: Settings.Server()].accounts.append(added)
    }
    var stack = invocation.configured(StandardStack(time: time, random: random, events: events), access)
    // Recorded answers cost no budget.
    if demo == nil, !isReplay {
      stack.ledger = BudgetFolder(invocation.places, besides: store, coder: coder, time: time)
    }
    if let key { stack.secrets.append(key) }
    stack.recorder = recorder(stack.secrets)
    var client: AsyncHTTPTransport?
    let transport: any HTTPTransport
    if let demo {
      transport = demo.transport
    } else if !invocation.recordings.isEmpty {
      transport = try invocation.recordings.transport(
        coder: coder, time: time, secretNames: invocation.sources.secretNames)
    } else {
      let shown: (@Sendable (String, Int, Int?) -> Void)?
      if terminal.showsProgress { shown = { [events] in events.received($0, $1, of: $2) } } else { shown = nil }
      let asking = invocation.client(settings.servers, progress: shown)
      (client, transport) = (asking, asking)
    }
    return Network(transport: stack.transport(over: transport), client: client, access: access, secrets: stack.secrets)
  }

  /// What records every exchange of this run, where that is asked for.
  private func recorder(_ secrets: [String]) -> HARRecorder? {
    guard options.record != nil else { return nil }
    return parts.withLock { parts in
      let recorder =
        parts.recorder
        ?? HARRecorder(
          creator: .init(name: invocation.program, version: Invocation.version), coder: coder, time: time,
          secrets: secrets, names: invocation.sources.secretNames)
      parts.recorder = recorder
      return recorder
    }
  }
}

/// What the program knows of its sources and collections before it reads anything: for help texts and tables.
enum Catalog {
  static let sources = SourceList.compiled.descriptors
  static let collections = SourceList.compiled.catalog
}

/// The transport of commands that ask no server.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw TransportError(.cannotConnect, "this command asks no server", url: request.url)
  }
}

enum AlmanacVersion {
  static let current = Invocation.version
}

/// The servers of the demo: recordings inside the program.
struct DemoServers: Sendable {
  /// Where the recordings say that they came from.
  let settings = Settings(servers: [
    .users: Settings.Server(url: "https://api.example.com"), .people: Settings.Server(url: "https://api.example.com"),
  ])
  let transport: HARTransport

  init(coder: any RecordCoder, time: any TimeSource, isRepeated: Bool) {
    let seed = HARFile(name: "demo", bytes: DemoRecordings.har(coder, isRepeated: isRepeated))
    do throws(TransportError) { transport = try HARTransport([seed], coder: coder, time: time) } catch {
      preconditionFailure("the demo's recordings cannot be read: \(error)")
    }
  }
}
