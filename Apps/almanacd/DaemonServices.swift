import Frontend
import Models
import Ports
import Synchronization

/// The services that the daemon's parts use, as protocols; the composition root chooses the implementations.
struct DaemonServices: Sendable {
  var settings: Settings
  var books: [FollowedBook]
  /// Asks the server of an account whether it has what is to be followed.
  ///
  /// Throws `notFound` if it does not have it. A server that cannot say, or not in time, is no reason to refuse the follow.
  var checkAccount: @Sendable (String) async throws(Failure) -> Void
  /// The accounts of sources, with their passwords.
  var accounts: [SourceName: [SourceAccount]]
  /// Lists what an account offers to follow; it need not be in the config.
  var offers: @Sendable (SourceAccount, SourceName) async throws(Failure) -> [AccountOffer]
  /// The sources whose key is known.
  var keyed: Set<SourceName>
  /// Tries a key that is not in the config, at a server that may not be in it either; whether something was asked that
  /// needs the key.
  var proveKey: @Sendable (SourceName, String, Settings.Server) async throws(Failure) -> Bool
  var catalog: CollectionCatalog
  var store: any RecordStore & StoreMaintenance
  /// What the daemon does by itself.
  var scheduling: Scheduler.Services
  var outbox: any OutboxService
  var proposals: any ProposalService
  var assistantLog: AssistantLog
  /// What assistants see by the rules of the config.
  var view: @Sendable (Settings.Assistants) -> AssistantView
  var sources: [SourceDescriptor]
  var definitionFailures: [Failure]
  var library: any LibraryService
  var charts: any ChartService
  var people: any PeopleService
  var duplicates: any DuplicateService
  var purge: any PurgeService
  var profiles: any ProfileService
  var photos: any PhotoService
  var undo: any UndoService
  var history: @Sendable () throws(Failure) -> any HistoryService
  var past: @Sendable (Moment) throws(Failure) -> any LibraryService
  /// Puts in the services that change records, where this is why somebody does.
  var explain: @Sendable (ChangeCause, inout DaemonServices) -> Void
  var media: any MediaService
  var mediaStore: any MediaStore
  var notifications: any NotificationService
  var coder: any RecordCoder
  var connections: [SourceName: SourceConnection]

  /// The last status that was read. Each config has its own.
  let statusCache = StatusCache()

  /// The same services, where this is why somebody changes something.
  func because(_ cause: ChangeCause) -> DaemonServices {
    var others = self
    explain(cause, &others)
    return others
  }

  var sync: any SyncService { scheduling.sync }
  var time: any TimeSource { scheduling.time }
  var random: any RandomSource { scheduling.random }
  var events: any EventSink { scheduling.events }
}

/// What a source asks its server with: where that differs after a reload, what failed before may work.
struct SourceConnection: Hashable, Sendable {
  var server: Settings.Server?
  var key: SourceKey?
  /// The certificates that the settings name, and the definition of the source.
  var files: [FileStamp]
}

extension DaemonServices {
  /// A picture that nobody has looked at for so many seconds makes room for others.
  private static let pictureAge = 7 * 86_400

  /// How many bytes of pictures may be added. Where there is little room, those that were not used for the longest time go.
  ///
  /// - Throws: `StoreError` if the store of the pictures cannot be used.
  static func room(in media: any MediaStore, most: Int, at now: Timestamp) throws(StoreError) -> Int {
    let unused = now + -pictureAge
    var used = try media.evict(to: .max, unusedSince: unused)
    // Nothing is removed before nine tenths are in use, then enough for a while.
    if used > most / 10 * 9 { used = try media.evict(to: most / 10 * 8, unusedSince: unused) }
    return most - used
  }
}

extension Scheduler {
  struct Services: Sendable {
    var sync: any SyncService
    /// The store for what the daemon does by itself. On a server it refuses commits while another daemon leads.
    var store: any RecordStore & StoreMaintenance
    /// The leases of follows; `nil` where no other daemon pulls.
    var leases: (any FollowLeases)?
    var outbox: any OutboxService
    /// The host that a follow asks; follows of one host never have all places.
    var host: @Sendable (Follow) -> ExactString = { $0.source.rawValue.exact }
    var time: any TimeSource
    var random: any RandomSource
    var events: any EventSink
    /// Fetches the pictures that records name; none where they are not fetched by themselves.
    var media: (any MediaService)?
    /// How many bytes the pictures of this store may still take.
    var roomForMedia: @Sendable () throws(StoreError) -> Int = { 0 }
    /// Is called when a fetch of pictures begins and ends.
    var onPictures: @Sendable (PictureFetch) -> Void = { _ in }
  }
}

/// The services of the newest config: a reload replaces them all at once.
final class LiveServices: Sendable {
  private let state: Mutex<DaemonServices>

  init(_ services: DaemonServices) { state = Mutex(services) }

  /// The services as they are now; take them once for each piece of work.
  var current: DaemonServices { state.withLock { $0 } }

  /// A part of them, without a copy of all.
  func read<Value: Sendable>(_ part: (DaemonServices) -> Value) -> Value { state.withLock { part($0) } }

  func replace(with services: DaemonServices) { state.withLock { $0 = services } }
}
