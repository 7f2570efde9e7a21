import Assembly
import AsyncHTTPTransport
import CLibrary
import Frontend
import Logging
import Models
import Networking
import Persistence
import Ports
import Synchronization

extension CompositionRoot {
  /// Whether the store is on a server, which other daemons may use as well.
  var isStoreOnServer: Bool { invocation.places.isStoreOnServer }

  func services(over transport: any HTTPTransport) throws(Failure) -> DaemonServices {
    try services(try openStore(), transport, settings: try startSettings(readSettings()))
  }

  /// Opens the store on a server once more, for the work of the daemon; `nil` for a folder.
  ///
  /// - Parameter isRenewed: whether the caller renews the leases.
  @discardableResult
  func openLeases(isRenewed: Bool) throws(Failure) -> StoreLeases? {
    guard isStoreOnServer else { return nil }
    let opened = try StoreLeases(
      storePath, history: OpenedStore.history(catalog), seconds: options.lease, time: time, isRenewed: isRenewed)
    leases.withLock { $0 = opened }
    return opened
  }

  /// Opens the store at the start, or makes it, and says so: a folder that was moved away must not pass for a new one.
  func firstStore() async throws(Failure) -> OpenedStore {
    let opened = try openStore()
    let store = opened.records
    try LocalServices.checkChangeable(storePath)
    if isStoreOnServer {
      let isNew = try Failure.from { () throws(StoreError) -> Bool in
        let isNew = try opened.create()
        try store.checkWritable()
        return isNew
      }
      guard isNew else { return opened }
    } else {
      // A store that cannot be read is said by the first who reads it; one of an earlier version has records.
      guard access("\(storePath)/manifest", F_OK) != 0, (try? store.statistics())?.records == 0 else { return opened }
      _ = try await Failure.from { () async throws(StoreError) in
        try await store.write { (_: inout any StoreTransaction) throws(StoreError) -> Bool in true }
      }
    }
    logger.notice("created a new store", metadata: ["store": "\(storePath)"])
    return opened
  }

  func logIfNothingIsFollowed(_ settings: Settings, level: Logger.Level) {
    guard settings.follows.isEmpty else { return }
    let page: Advice = options.once ? "" : ", or use the page, to which \(command: "dashboard") prints a link"
    let hint: Advice = "run \(command: "follow", "PATH")\(page)"
    logger.log(
      level: level, "nothing is followed",
      metadata: ["config": "\(invocation.places.config)", "hint": .stringConvertible(hint)])
  }

  private var catalog: @Sendable () -> CollectionCatalog { { [invocation] in invocation.sources.catalog } }

  func openStore() throws(Failure) -> OpenedStore {
    if let problem = invocation.places.storeProblem { throw problem }
    // Somebody waits for the answer to what is written here; the work has a store of its own, and more time.
    if isStoreOnServer {
      return try OpenedStore(
        at: storePath, catalog, time: time, events: hub, timeout: .seconds(4), pause: options.lease)
    }
    guard options.state == nil else {
      throw Failure(
        .config, .usage, "--state is for a store on a server; a store in a folder keeps the token and the socket there",
        hint: "leave --state out, or name a server: --store postgres://HOST/DATABASE", code: .own(.usage))
    }
    return try OpenedStore(
      at: storePath, catalog, time: time, events: hub,
      moved: options.once
        ? "put a store at its path, and start almanacd again"
        : "put a store at its path: the daemon opens it, and needs no restart")
  }

  func services(
    _ opened: OpenedStore, _ transport: any HTTPTransport, settings: Settings
  ) throws(Failure) -> DaemonServices {
    let store = opened.records
    let access = invocation.access(settings, events: hub)
    var stack = invocation.configured(.service(time: time, random: random, events: hub), access)
    // A server that asks for more time gets it from the scheduler: a follow that waits in here would hold a place and
    // report nothing.
    // A server that asks for more than that is obeyed by the next run.
    stack.retry?.longestRetryAfter = Self.longestWait
    if options.once { Self.endSoon(&stack) }
    // What the daemon does by itself is committed under its leases, what a person changes here is not.
    let leases = leases.withLock { $0 }
    let working: any RecordStore & StoreMaintenance = leases?.leader ?? store
    stack.ledger = BudgetFolder(invocation.places, besides: leases?.shared ?? store, coder: coder, time: time)
    (transport as? AsyncHTTPTransport)?.use(invocation.trust(settings.servers))
    let local = local(store)
    let connected = ConnectedServices(
      self.local(working), transport: stack.transport(over: transport), access: access, secrets: stack.secrets)
    let media = try opened.images(at: storePath)
    let sent = connected.sync(leases: leases, localBlocker: invocation.localBlockers(settings))
    let sync = SteadySync(
      sync: invocation.recordings.isEmpty ? sent : ReplayedSync(sent), moments: moments, time: time)
    let offers: @Sendable (SourceAccount, SourceName) async throws(Failure) -> [AccountOffer] = {
      [time] (account, source) async throws(Failure) in
      let ask: @Sendable (SourceAccount, SourceName) async throws(Failure) -> [AccountOffer] = {
        (account, source) async throws(Failure) in try await connected.offers(of: account, at: source)
      }
      return try await TimedOffers(ask: ask, time: time).offers(of: account, at: source)
    }
    return DaemonServices(
      settings: settings, books: FollowedBook.all(among: settings.follows, of: invocation.sources.descriptors),
      checkAccount: { [invocation] (path) async throws(Failure) in
        _ = try await AccountCheck.problem(
          following: path, among: invocation.sources.descriptors, settings, accounts: access.accounts
        ) { (account, source) async throws(Failure) in try await offers(account, source) }
      },
      accounts: access.accounts, offers: offers,
      keyed: Set(access.keys.filter { $0.value.value != nil }.keys),
      proveKey: { [self] (source, key, server) async throws(Failure) in
        var trial = access
        (trial.keys[source], trial.servers[source]) = (.given(key, from: "the form"), server)
        var stack = invocation.configured(.service(time: time, random: random, events: hub), trial)
        // A person waits for the answer.
        stack.retry = nil
        return try await ConnectedServices(
          self.local(working), transport: stack.transport(over: transport), access: trial, secrets: stack.secrets
        ).proveKey(of: source)
      },
      catalog: local.catalog, store: store,
      scheduling: Scheduler.Services(
        sync: sync, store: working, leases: leases, outbox: local.outbox,
        host: { [descriptors = invocation.sources.descriptors] follow in
          let accounts = access.accounts[follow.source] ?? []
          let url =
            accounts.first { $0.name.exact == follow.parameters.first?.exact }?.url
            ?? access.servers[follow.source]?.url ?? descriptors.first { $0.name == follow.source }?.defaultURL
          return (url.flatMap { WebAddress($0)?.origin } ?? follow.source.rawValue).exact
        }, time: time, random: random, events: hub,
        media: connected.media(in: media),
        roomForMedia: { [time] () throws(StoreError) in
          try DaemonServices.room(in: media, most: settings.daemon.mediaLimit ?? Self.mostMediaBytes, at: time.now)
        },
        onPictures: { [self] fetch in pictures.withLock { $0 }?(fetch) }),
      outbox: local.outbox, proposals: local.proposals,
      assistantLog: AssistantLog(folder: stateFolder, coder: coder, time: time), view: { local.view($0) },
      sources: invocation.sources.descriptors,
      definitionFailures: invocation.wrongDefinitions.compactMap(\.failure),
      library: local.library, charts: local.charts, people: local.people, duplicates: local.duplicates,
      purge: local.purge, profiles: local.profiles, photos: local.photos, undo: local.undo,
      history: { () throws(Failure) in try local.history() },
      past: { (moment) throws(Failure) in try local.past(at: moment).library },
      explain: { cause, services in
        let local = local.because(cause)
        (services.outbox, services.proposals, services.library) = (local.outbox, local.proposals, local.library)
        (services.people, services.duplicates, services.profiles) = (local.people, local.duplicates, local.profiles)
        services.history = { () throws(Failure) in try local.history() }
        services.view = { local.view($0) }
      },
      media: connected.media(in: media), mediaStore: media,
      notifications: connected.notifications(
        settings, invocation, sync: sync, over: transport,
        mail: Sendmail(
          program: settings.daemon.sendmail,
          programs: ChildPrograms(folder: "/", environment: invocation.environment), time: time)),
      coder: coder, connections: connections(settings, access))
  }

  private func local(_ store: any RecordStore & StoreMaintenance) -> LocalServices {
    LocalServices(store: store, sources: invocation.sources, coder: coder, time: time, random: random, events: hub)
  }

  /// The most bytes of pictures in one store, unless the config says otherwise.
  private static let mostMediaBytes = 1 << 30
}

extension StoreLeases: LeaderLease {}
