import ArgumentParser
import Models
import Ports

/// Everything that a command may use. Commands know ports alone; the composition root chooses the implementations.
protocol AlmanacServices: Sendable {
  var options: GlobalOptions { get }
  /// Whether responses come from recordings.
  var isReplay: Bool { get }
  /// How a record of a collection is deleted: a command, or who deletes it.
  func deletion(of collection: CollectionName) -> String
  /// Where answers and messages go.
  var terminal: Terminal { get }
  var time: any TimeSource { get }
  /// Writes and reads records as JSON.
  var coder: any RecordCoder { get }
  /// The settings of this command: the config file, which is read once, and `--server`.
  var settings: LoadedSettings { get }
  /// The config file; what was read or changed last is known.
  var settingsFile: any SettingsStore { get }
  /// Reads the config file again when it is needed: another program has changed it.
  func forgetSettings()
  /// What the sources say about themselves.
  var sources: [SourceDescriptor] { get }
  /// What the compiled sources, and those of the follows, say about themselves; the definitions of others are not read.
  func sources(of follows: [Follow]) -> [SourceDescriptor]
  /// The collections of the sources, and those that the store holds besides.
  var catalog: CollectionCatalog { get }
  /// The definitions of sources beside the config file.
  var definitions: any SourceService { get }
  /// The definitions that had mistakes when they were read; what they fill is not known.
  var wrongDefinitions: [CheckedDefinition] { get }
  /// The store's folder, or its address on a server.
  var storePath: String { get }
  /// Whether a daemon runs that keeps this store and reads this config file: it takes up what changes there.
  var hasDaemon: Bool { get }
  /// The daemon that runs, and the path at which it expects the store, which was moved from there: it writes nothing.
  var displacedDaemon: (process: Int, path: String)? { get }
  /// Whether a daemon keeps the store fresh, whatever its config file.
  var isDaemonRunning: Bool { get }
  /// Whether `storePath` is an address.
  var isStoreOnServer: Bool { get }
  /// The collections that `daemon.notifications` names and that do not exist, with their places in the settings.
  func unknownCollections(in settings: Settings) -> [(place: String, message: String, remedy: String)]

  /// Copies a store into an empty place; both are folders or addresses.
  func copyStore(from source: String, to target: String) async throws(Failure) -> StoreCopyReport
  /// Why there is no store in the folder that the call names; `nil` where there is one, or no folder was named.
  var missingStore: Failure? { get }
  func store() throws(Failure) -> any RecordStore & StoreMaintenance
  func sync() throws(Failure) -> any SyncService
  /// What the store remembers of follows; needs neither keys nor a network.
  func syncStatus(_ follows: [Follow]) throws(Failure) -> SyncStatus
  /// What became of the notifications to each receiver.
  func receivers() throws(Failure) -> [ReceiverState]
  /// Plans pulls and pushes: nothing at all is written, not even which calls were made.
  func planning() throws(Failure) -> any SyncService
  /// Settings with the follows of a store on a server.
  func completed(_ settings: Settings) throws(Failure) -> Settings
  func follows() throws(Failure) -> any FollowService
  /// Checks a follow with its source, and gives it in its usual spelling; needs neither config nor store.
  func check(_ follow: Follow) throws(FollowError) -> Follow
  /// Looks whether `purge` can remove the records of a follow, and whether there are any.
  func checkPurge(_ follow: Follow, besides others: [Follow]) throws(Failure) -> Bool
  /// Removes the records that a follow brought and no other one; asks no server.
  func purge(_ follow: Follow, besides others: [Follow]) async throws(Failure) -> [CollectionName: Int]
  func outbox() throws(Failure) -> any OutboxService
  func library() throws(Failure) -> any LibraryService
  /// What commands wrote that can be undone.
  func undo() throws(Failure) -> any UndoService
  /// The genres that charts are followed by.
  var genres: [ChartGenre] { get }
  func charts() throws(Failure) -> any ChartService
  func people() throws(Failure) -> any PeopleService
  func profiles() throws(Failure) -> any ProfileService
  func photos() throws(Failure) -> any PhotoService
  func media() throws(Failure) -> any MediaService
  /// The file of an image that was downloaded; `nil` where it was not, or where what is kept of it is damaged: a warning
  /// says so once.
  func imageFile(of url: String) throws(Failure) -> ImageFile?
  /// The number of addresses whose image was left out because it is damaged.
  var damagedImages: Int { get }
  func images(readOnly: Bool) throws(Failure) -> any MediaStore
  /// What became of the fields of the sources' answers.
  func drift() throws(Failure) -> any DriftService
  /// The setting without which a source cannot be asked, an address or a key, and how to give it; `nil` where it has all.
  func missingSetting(of source: SourceName) throws(Failure) -> Failure?
  /// Asks whether a source's server answers at all, and whether it takes the key.
  func probe(_ source: SourceName) async -> ServerProbe
  /// Lists what an account offers to follow, which proves that its server accepts it. The account need not be in the config
  /// file.
  func offers(of account: SourceAccount, at source: SourceName, caFile: String?) async throws(Failure) -> [AccountOffer]
  /// Why the server of an account cannot say whether it has what is to be followed; `nil` where it has it.
  ///
  /// - Throws: `Failure`: `notFound` if it does not have it.
  func accountProblem(following path: String, _ settings: Settings) async throws(Failure) -> Failure?
  /// Asks for an address once, with the retries, recordings and proxies of every request, and with a key if there is one.
  func answer(from url: String, _ auth: SourceDefinition.Authentication?, key: String?) async throws(Failure)
    -> HTTPResponse
  /// Copies the store, with the config file, into a folder.
  func backUp(to folder: String, replaces: Bool) async throws(Failure) -> CopiedStore
  /// Puts a backup in the place of the store. Call it before anything else uses the store.
  func restore(_ folder: String) async throws(Failure) -> CopiedStore
  /// The names in a store's folder that do not belong to the store.
  func othersInStore(_ folder: String) throws(Failure) -> [String]
  /// Where releases are announced; `nil` where nothing says so.
  var releases: String? { get }
  /// A link that enters the daemon's page once.
  func dashboardLink() async throws(Failure) -> String
  /// The same program with another store, its recordings and a clock that is `seconds` behind, for the demo.
  func demo(store: String, secondsAgo: Int) -> any AlmanacServices
  /// Ends what is open.
  ///
  /// - Parameter renewsFiles: whether published files are renewed where commits were made.
  /// - Returns: why the recording could not be kept; `nil` where it was, or none was asked for.
  func close(renewsFiles: Bool) async -> Failure?
}

extension AlmanacServices {
  func followed() throws(Failure) -> [Follow] { try completed(settings.strict()).follows }

  /// Changes the config file.
  ///
  /// - Returns: `false` if there was nothing to remove.
  @discardableResult
  func change(_ change: SettingChange) throws(Failure) -> Bool {
    try settingsFile.change(change, of: settingsFile.load()) != nil
  }
}

/// What `store copy` copied.
struct StoreCopyReport: Sendable {
  /// Records that users can list.
  var records: Int
  var images: Int
  /// The SHA-256 of all records of both stores.
  var digest: String
  /// The addresses of images that are damaged, and were left out.
  var damagedImages: [String]
}

struct ImageFile: Sendable {
  var path: String
  var item: MediaItem
}

/// A source's server, and whether it answers.
struct ServerProbe: Sendable {
  /// The address without a path.
  var url: String
  /// Why it does not answer, or refuses the key; `nil` when it answers.
  var failure: Failure?
  /// The account whose server does not answer well.
  var account: String?
  /// Where the key came from; `nil` if there is none or none is needed.
  var keyPlace: String?
  /// Whether the server was only reached: its answer says nothing about what is followed, and the key was not tried.
  var isOnlyReached = false
}

/// A command that does its work with the services it is given.
protocol ServiceCommand: AsyncParsableCommand, Sendable {
  /// The options that every command takes.
  var global: GlobalOptions { get }

  /// Whether published files are renewed at the end. A command that only inspects the store leaves them as it found
  /// them, also where it counted a call or kept a run.
  var renewsFiles: Bool { get }

  /// Whether the command reads an existing store. Where `--store` or `ALMANAC_STORE` names a folder that does not exist, such
  /// a command fails as soon as it needs the store: an empty answer would hide a mistyped path.
  var readsStore: Bool { get }

  /// Whether a config file that was named must exist. Commands that work on what is beside it need none.
  var needsConfig: Bool { get }

  /// Whether an answer that is longer than the screen is shown page by page.
  var isPaged: Bool { get }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus
}

extension ServiceCommand {
  var renewsFiles: Bool { true }
  var readsStore: Bool { false }
  var needsConfig: Bool { true }
  var isPaged: Bool { false }
}
