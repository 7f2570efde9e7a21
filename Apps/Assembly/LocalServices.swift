import AppStore
import Flickr
import Library
public import Models
import Notifications
import Parsing
import People
import Persistence
public import Ports
import PostgreSQLStore
import Sync
import Users

/// The services that need a store and no network.
public struct LocalServices: Sendable {
  public private(set) var store: any RecordStore
  public let sources: SourceList
  public let coder: any RecordCoder
  public let time: any TimeSource
  public let random: any RandomSource
  public let events: any EventSink
  /// The store for what a person changes.
  private(set) var personal: any RecordStore
  private var chartStore: any RecordStore
  /// Why a person changes something.
  private var cause: ChangeCause?

  /// - Parameter cause: that of what a person changes by one command, which can be undone; `nil` for programs that serve
  ///   several people.
  public init(
    store: any RecordStore, charts: (any RecordStore)? = nil, sources: SourceList, coder: any RecordCoder,
    time: any TimeSource, random: any RandomSource, events: any EventSink, cause: ChangeCause? = nil
  ) {
    self.store = store
    chartStore = charts ?? store
    personal = store
    (self.sources, self.coder, self.time, self.random, self.events) = (sources, coder, time, random, events)
    if var cause {
      cause.run = RecordID.make(at: time.now, random: random.next)
      let explained = because(cause)
      (personal, self.cause) = (explained.personal, cause)
    }
  }

  /// The same services, where this is why a person changes something. A run can be undone: that of a command is listed, that of
  /// a form is not.
  public func because(_ cause: ChangeCause) -> LocalServices {
    var services = self
    services.personal = ExplainingStore(store, because: cause)
    if let run = cause.run {
      services.personal = ExplainingStore(remembering(cause, run), because: cause)
    }
    services.cause = cause
    return services
  }

  private func remembering(_ cause: ChangeCause, _ run: String) -> RememberingStore {
    RememberingStore(
      store, coder: coder, edits: edits, time: time, command: cause.tool?.text ?? "", run: run,
      isListed: cause.tool != .page)
  }

  /// Remembers that the command changed what cannot be restored.
  func rememberErasure() async throws(Failure) {
    guard let cause, let run = cause.run, cause.tool != .page else { return }
    let remembering = remembering(cause, run)
    try await Failure.from { () async throws(StoreError) in try await remembering.keepErasure() }
  }

  /// The same services, where nothing that a person changes is written, and what would be changed in a collection.
  ///
  /// - Throws: `Failure` if the store cannot be read.
  public func trial() throws(Failure) -> (
    services: LocalServices, changes: @Sendable (CollectionName) throws(Failure) -> [HistoryEntry]
  ) {
    let plan = PlanningStore(over: try Failure.reading(store.snapshot()), coder)
    var services = self
    services.personal = plan
    return (
      services,
      { [catalog] (name) throws(Failure) in try plan.changes(of: name, nameField: catalog[name]?.nameField) }
    )
  }

  /// The same services, where a person changes what an assistant had proposed.
  func proposed(by client: String) -> LocalServices {
    guard var cause else { return self }
    cause.kind = .proposal
    cause.tool = .command([client, cause.tool?.text].compactMap(\.self).joined(separator: ", "))
    var services = self
    services.personal = ExplainingStore(personal, because: cause)
    return services
  }

  /// What assistants see by these rules.
  public func view(_ rules: Settings.Assistants) -> AssistantView {
    let hidden = HiddenPlaces(rules, sources: sources.descriptors)
    var services = self
    if !hidden.isEmpty {
      func visible(_ store: any RecordStore) -> any RecordStore {
        VisibleStore(store, without: hidden, sources: sources.unconnected, coder: coder)
      }
      (services.store, services.personal) = (visible(store), visible(personal))
      services.chartStore = visible(chartStore)
    }
    return AssistantView(
      hiding: hidden, library: services.library, people: services.people, charts: services.charts,
      outbox: services.outbox, proposals: services.proposals, history: try? history())
  }

  /// Checks that a store may be changed, before anything is fetched for it.
  ///
  /// - Throws: `Failure` if the folder is a backup.
  public static func checkChangeable(_ place: String) throws(Failure) {
    guard !StoreAddress.isAddress(place) else { return }
    try Failure.from { () throws(StoreError) in
      try StoreBackup.checkIsStore(place, suggestions: CommandWording.store)
    }
  }

  /// Makes a store of a backup that took the place of the store under a running program.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `Failure` if the path is a link to a backup, or the backup cannot be changed.
  public static func adoptBackup(_ folder: String) throws(Failure) -> Bool {
    try Failure.from { () throws(StoreError) in
      try StoreBackup.adopt(folder, suggestions: CommandWording.store)
    }
  }

  /// The collections of the sources, and those that the store holds besides.
  public var catalog: CollectionCatalog { sources.catalog.adding((try? store.snapshot())?.collections ?? []) }

  public var outbox: any OutboxService {
    Outbox(
      store: personal, coder: coder, catalog: sources.catalog, time: time, events: events,
      suggestions: CommandWording.features)
  }

  /// What became of the notifications to each receiver of the settings.
  public func receivers(_ settings: Settings) throws(Failure) -> [ReceiverState] {
    try Notifications.states(of: settings.daemon.notifications.map(\.name), in: store, coder)
  }

  var edits: OutboxEdits { OutboxEdits(coder: coder, catalog: sources.catalog, time: time, random: random) }

  public var library: any LibraryService {
    Library(
      store: personal, coder: coder, filters: JSONRecordFilterCompiler(), catalog: catalog, edits: edits,
      suggestions: CommandWording.features)
  }

  public var charts: any ChartService {
    Charts(store: chartStore, coder: coder, time: time, suggestions: CommandWording.features)
  }

  public static var genres: [ChartGenre] { AppStoreSource.genres }

  public var people: any PeopleService { contacts }

  public var duplicates: any DuplicateService { contacts }

  var contacts: People {
    People(
      store: personal, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time,
      suggestions: CommandWording.features)
  }

  public var profiles: any ProfileService {
    Profiles(store: personal, coder: coder, edits: edits, suggestions: CommandWording.features)
  }

  public var proposals: any ProposalService {
    Proposals(store: store, coder: coder, edits: edits, editor: editor, time: time)
  }

  /// Makes edits that are described by their fields.
  var editor: any ProposalEditor { ApprovedEdits(services: self) }

  public var purge: any PurgeService { FollowPurge(store: personal, sources: sources.unconnected, coder: coder) }

  /// What a person's commands and decisions wrote.
  public var undo: any UndoService { UndoHistory(store: store, coder: coder, catalog: sources.catalog, edits: edits) }

  public var photos: any PhotoService {
    Photos(store: store, coder: coder, suggestions: CommandWording.features) {
      [coder] (follow, snapshot) throws(StoreError) in
      try FollowLists.ids(of: .photos, listedBy: follow, in: snapshot, coder)
    }
  }

  public var drift: any DriftService { DriftReport(store: store, coder: coder) }

  /// Makes the next sync read everything, after the store lost records.
  public func readFollowsAgain() async throws(Failure) {
    try await SyncEngine.readAgain(in: store, coder)
  }
}
