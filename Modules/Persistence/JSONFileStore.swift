public import Models
public import Ports
import Synchronization

/// A store in a folder of JSON Lines, shared by any number of processes.
///
/// Every collection is a file that is sorted by id and replaced as a whole. Newer commits are in a journal, which is
/// compacted into these files from time to time. `Persistence.md` describes the format.
public final class JSONFileStore: ObservableRecordStore, StoreMaintenance {
  let disk: Disk
  let limits: Limits
  let isReadOnly: Bool
  let time: any TimeSource
  let lockTimeout: Duration
  let events: (any EventSink)?
  let keeps: HistorySetting?
  let mutex = WriteMutex()
  let bootID: UInt64?
  /// Whether the files that people read are renewed when nobody uses the store any more.
  private let publishesAtEnd: Bool
  private let cache = Mutex(Cache())

  struct Cache: Sendable {
    var state: StoreState?
    /// `nil` until somebody asks for one.
    var origins: JournalOrigins?
    /// Held open once it exists.
    var lock: LockFile?
    /// The last place in the queue whose writer is not waited for.
    var passedOver = 0
    /// For reading the mark only.
    var markFile: OpenFile?
    /// Whether the folder was found not to be a backup.
    var isNoBackup = false
    /// Whether this process has not written yet.
    var isFirstOpening = true
    /// Set after a write whose outcome is unknown.
    var failure: StoreError?
    /// How many bytes were committed to each collection since the published files were renewed.
    var unpublished: [String: Int] = [:]
    /// What was found and corrected: the newest warnings, and how many there were.
    var warnings: [String] = []
    var warningCount = 0
  }

  /// A store in this folder. A missing folder is an empty store, unless it must exist; the first write makes it.
  ///
  /// When the last reference to it is gone, the files that people read are renewed as by `publish(.quick)`. A global variable
  /// is never released: a program that keeps the store in one, also in `main.swift`, calls `publish(_:)` at its end.
  ///
  /// - Parameters:
  ///   - history: the history to keep. A store that has one goes on with it without this, too; a store that has none
  ///     gets format 2.0 with the first write, which versions before 0.3.0 refuse.
  ///   - mustExist: whether a missing folder is an error. Without it, a mistyped path reads as an empty store.
  ///   - readOnly: whether every write is refused; then nothing on the disk is made or changed.
  ///   - time: the clocks; those of the machine by default.
  ///   - lockTimeout: how long a write waits for other processes before it throws `busy`.
  ///   - program: the names of files that the program keeps in the store's folder.
  ///   - events: receives a `warning` for what the store found and corrected: the rest of a write that was
  ///     interrupted, a published file that another program changed. `warnings` has them too.
  /// - Throws: `StoreError`: `unsuitablePlace` where the folder lies on a network file system, or holds other files and is no
  ///   store, or would be made inside another store or a backup, or the path is empty, `cannotRead` where it cannot be opened, or is missing and must exist.
  public convenience init(
    folder: String, history: HistorySetting? = nil, mustExist: Bool = false, readOnly: Bool = false,
    time: (any TimeSource)? = nil, lockTimeout: Duration = .seconds(10),
    suggestions: StoreSuggestions = StoreSuggestions(), program: [String] = [], events: (any EventSink)? = nil
  ) throws(StoreError) {
    if folder.isEmpty {
      throw StoreError(
        .unsuitablePlace, "the path of the store is empty", hint: "name a folder, for example 'list.store'")
    }
    try self.init(
      system: RealFileSystem(path: folder, followsLink: true), history: history, readOnly: readOnly, time: time,
      lockTimeout: lockTimeout, suggestions: suggestions, events: events, publishesAtEnd: true)
    try StoreFolder(disk, program: program).check()
    guard mustExist, try !disk.openFolder(create: false) else { return }
    throw StoreError(.cannotRead, "there is no such folder", hint: "check the path of the store", path: folder)
  }

  package init(
    system: any FileSystem, history: HistorySetting? = nil, readOnly: Bool = false, time: (any TimeSource)? = nil,
    lockTimeout: Duration = .seconds(10), limits: Limits = Limits(), suggestions: StoreSuggestions = StoreSuggestions(),
    events: (any EventSink)? = nil, publishesAtEnd: Bool = false
  ) throws(StoreError) {
    self.publishesAtEnd = publishesAtEnd
    disk = Disk(system: system, suggestions: suggestions)
    isReadOnly = readOnly
    self.time = time ?? MachineTime()
    (self.lockTimeout, self.limits, self.events) = (lockTimeout, limits, events)
    keeps = history
    bootID = system.bootID
    _ = try disk.openFolder(create: false)
  }

  deinit { if publishesAtEnd { publishWithoutWaiting() } }

  /// What this object found in the store and corrected, oldest first, the last 100: the rest of a write that was
  /// interrupted and where it is kept, a published file that another program changed. A writer corrects such things
  /// before its first commit; `recover()` does so at once.
  public var warnings: [String] { withCache { $0.warnings } }

  private static let mostWarnings = 100

  func warn(_ message: Advice) {
    withCache { cache in
      cache.warnings.append(message.description)
      cache.warningCount += 1
      cache.warnings.removeFirst(max(0, cache.warnings.count - Self.mostWarnings))
    }
    events?.report(.warning(message: message))
  }

  func withCache<Result: Sendable>(_ body: (inout Cache) -> sending Result) -> Result { cache.withLock { body(&$0) } }

  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    try checkReadable()
    while true {
      if let state = try currentState() {
        return DiskSnapshot(sequence: state.sequence, tables: state.tables, store: state.manifest.store)
      }
      guard try disk.openFolder(create: false) else { return DiskSnapshot(sequence: 0, tables: [:]) }
      if let orphan = try loneFile() { throw orphan }
      // A store may have been made meanwhile.
      if try disk.open(Manifest.name) == nil { return DiskSnapshot(sequence: 0, tables: [:]) }
    }
  }
}

extension JSONFileStore {
  /// The newest durable state, read without a lock; `nil` where there is no store.
  func currentState() throws(StoreError) -> StoreState? {
    guard try disk.openFolder(create: false) else { return nil }
    let loader = StateLoader(disk: disk, limits: limits)
    var known = withCache { $0.state }
    // A writer may replace the manifest while it is read: then its files may be gone, and a new one is there.
    for attempt in 0..<1000 {
      let found = try readMark()
      let mark = found.flatMap { $0.boot == bootID ? $0 : nil }
      let manifest: Manifest
      if let mark, let known, mark.version == known.manifest.version {
        manifest = known.manifest
      } else {
        guard let read = try loader.manifest() else { return nil }
        manifest = read
        // A writer may have been killed just after the rename: what a reader sees must survive a power cut. Where
        // nothing can be written, there is nothing to sync either.
        if mark == nil, try isBeingReplaced() { try? disk.syncFolder() }
      }
      // A mark that belongs to another manifest came with a copy of the folder, and says nothing.
      if let mark, attempt < 3, mark.version != manifest.version || mark.journal != manifest.active.number { continue }
      // What is mapped must not be touched beyond the file's end.
      if let known, known.manifest == manifest { try known.checkLength() }
      guard let bounds = try bounds(found, of: manifest, isNew: known?.manifest != manifest) else { continue }
      if let found = try loader.state(manifest, known: known, bounds) {
        remember(found.state)
        return found.state
      }
      known = nil
    }
    throw loader.missingFile()
  }

  /// What is known about the end of a journal, for a reader without the lock; `nil` where it was just written to.
  ///
  /// - Parameter isNew: whether this process reads it for the first time.
  func bounds(_ mark: CommitMark?, of manifest: Manifest, isNew: Bool) throws(StoreError) -> JournalFile.Bounds? {
    let bounds = JournalFile.Bounds(mark, of: manifest, boot: bootID)
    guard case .atLeast(let end) = bounds.known, let mark else { return bounds }
    guard let known = try isNew ? self.end(mark, manifest) : .exactly(end) else { return nil }
    return JournalFile.Bounds(known: known, identity: bounds.identity)
  }

  /// Where a journal ends that this process reads for the first time; `nil` where it was just written to.
  ///
  /// The journal may hold more than the mark says although no process is writing: a writer was killed, or the disk was removed
  /// from a running machine and its mark is older than the journal. Whole transactions may have been acknowledged then.
  /// They count once they are synced.
  private func end(_ mark: CommitMark, _ manifest: Manifest) throws(StoreError) -> JournalFile.Bounds.Known? {
    guard let journal = try disk.open(manifest.active.fileName), try journal.information().size > mark.end,
      let file = try disk.open(LockFile.name)
    else { return .exactly(mark.end) }
    // A descriptor of its own: tasks that read at the same time must not release each other's lock.
    let lock = LockFile(file: file)
    guard try lock.tryLock(isShared: true) else { return .exactly(mark.end) }
    defer { lock.unlock() }
    guard try lock.mark == mark else { return nil }
    try journal.sync()
    return .atLeast(mark.end)
  }

  func remember(_ state: StoreState) {
    withCache { cache in
      if let old = cache.state, !state.isNewer(than: old) { return }
      cache.state = state
    }
  }

  /// Whether a writer is replacing the manifest, or was killed while it did.
  private func isBeingReplaced() throws(StoreError) -> Bool {
    guard let file = withCache({ $0.markFile }) else { return false }
    return try LockFile(file: file).mark?.boot ?? 0 == 0
  }

  /// The mark of the last writer, maybe from before the machine was booted.
  func readMark() throws(StoreError) -> CommitMark? {
    var file = withCache { $0.markFile }
    if file == nil {
      file = try disk.open(LockFile.name)
      guard file != nil else { return nil }
      withCache { $0.markFile = file }
    }
    // It may be half written at this moment.
    for _ in 0..<3 { if let mark = try LockFile(file: file!).mark { return mark } }
    return nil
  }
}

/// What errors and findings of a store advise, in the words of the program that uses it.
///
/// A program with a command for repairs names it here, so that its users are not shown the name of a function.
public struct StoreSuggestions: Sendable {
  /// How a damaged store is repaired, as an instruction: `run 'todo repair'`.
  public var repair: Advice
  /// How the records of a file of JSON Lines are put into the store again, as an instruction.
  public var load: @Sendable (_ path: String) -> Advice
  /// How that is taken over which was changed in a published file, as an instruction.
  public var takeChanges: @Sendable (_ path: String) -> Advice
  /// How a record of a collection is deleted, as a clause: `'todo done NAME' deletes an item`.
  public var delete: @Sendable (_ collection: String) -> Advice
  /// What to do where the store's folder is not at its path any more.
  public var moved: Advice
  /// What to do where a folder holds the backup of another store.
  public var replaceBackup: Advice
  /// How the records of a backup are changed, as an instruction.
  public var changeBackup: @Sendable (_ path: String) -> Advice

  /// Makes suggestions; by default they name the store's own functions.
  public init(
    repair: Advice = "call 'repair()' on the store",
    load: @escaping @Sendable (_ path: String) -> Advice = { "load the lines of '\($0)'" },
    takeChanges: @escaping @Sendable (_ path: String) -> Advice = {
      "compare '\($0)' with the snapshots at its 'bases(ofFile:)' to take over what was changed in it"
    },
    delete: @escaping @Sendable (_ collection: String) -> Advice = {
      "'delete(id)' of a StoreCollection(\"\($0)\") deletes a record"
    },
    moved: Advice = "start the program again: it opens the folder that is there now",
    replaceBackup: Advice = "choose another folder, or allow the backup to be replaced",
    changeBackup: @escaping @Sendable (_ path: String) -> Advice = {
      "restore '\($0)', or copy its records to another store"
    }
  ) {
    (self.repair, self.load, self.takeChanges, self.delete) = (repair, load, takeChanges, delete)
    (self.moved, self.replaceBackup, self.changeBackup) = (moved, replaceBackup, changeBackup)
  }
}
