public import Ports
import Synchronization

/// A store in a folder of JSON Lines, shared by any number of processes.
///
/// Every collection is a file that is sorted by id and replaced whole; newer commits stand in a journal that is folded
/// into these files from time to time. `Persistence.md` beside this file has every byte of the format.
public final class JSONFileStore: RecordStore, StoreMaintenance {
  let disk: Disk
  let limits: Limits
  let isReadOnly: Bool
  let time: any TimeSource
  let lockPatience: Duration
  let turn = Turn()
  let bootID: UInt64?
  private let cache = Mutex(Cache())

  struct Cache: Sendable {
    var state: StoreState?
    /// Held open once it is there.
    var lock: LockFile?
    /// Up to whom the queue for the lock does not move.
    var passedOver = 0
    /// For reading the mark only.
    var markFile: OpenFile?
    /// Set after a write whose outcome nobody knows.
    var poison: StoreError?
    /// How many bytes were committed to each collection since the published files were renewed.
    var unpublished: [String: Int] = [:]
  }

  /// A store in this folder. A folder that is not there is an empty store, and is made by the first write.
  ///
  /// - Parameters:
  ///   - readOnly: whether every write is refused, and nothing at all is made or changed on the disk.
  ///   - lockPatience: how long a write waits for other processes before it throws `busy`.
  ///   - remedies: what errors and findings advise.
  /// - Throws: `StoreError`: `unsuitablePlace` where the folder is a link or lies on a network file system,
  ///   `cannotRead` where it cannot be opened.
  public convenience init(
    folder: String, readOnly: Bool = false, time: any TimeSource, lockPatience: Duration = .seconds(10),
    remedies: StoreRemedies = StoreRemedies()
  ) throws(StoreError) {
    try self.init(
      system: RealFileSystem(path: folder), readOnly: readOnly, time: time, lockPatience: lockPatience,
      remedies: remedies)
  }

  /// A store on any file system.
  package init(
    system: any FileSystem, readOnly: Bool = false, time: any TimeSource, lockPatience: Duration = .seconds(10),
    limits: Limits = Limits(), remedies: StoreRemedies = StoreRemedies()
  ) throws(StoreError) {
    disk = Disk(system: system, remedies: remedies)
    isReadOnly = readOnly
    self.time = time
    self.lockPatience = lockPatience
    self.limits = limits
    bootID = system.bootID
    _ = try disk.openFolder(create: false)
  }

  /// Reads and changes what is remembered; short.
  func withCache<Result: Sendable>(_ body: (inout Cache) -> sending Result) -> Result {
    cache.withLock { body(&$0) }
  }

  /// The state after the last commit.
  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    while true {
      if let state = try currentState() {
        return DiskSnapshot(sequence: state.sequence, tables: state.tables, store: state.manifest.store)
      }
      guard try disk.openFolder(create: false) else { return DiskSnapshot(sequence: 0, tables: [:]) }
      if let stray = try loneFile() { throw stray }
      let tables = try LegacyFolder(disk: disk).tables()
      // Where a store was made meanwhile, these are its own files.
      if try disk.open(Manifest.name) == nil {
        return DiskSnapshot(sequence: tables.isEmpty ? 0 : 1, tables: tables)
      }
    }
  }
}
