import Models
import Ports

extension JSONFileStore {
  /// Reads what others committed, recovers from a killed writer, and makes the store if there is none.
  ///
  /// - Parameter reports: whether what is found on the way is reported as an event.
  func openWriter(_ lock: LockFile, reports: Bool = true) throws(StoreError) -> Writer {
    let writer = try openedWriter(lock, reports: reports)
    try writer.prepareHistory()
    return writer
  }

  private func openedWriter(_ lock: LockFile, reports: Bool) throws(StoreError) -> Writer {
    let mark = try lock.mark
    if mark?.holder != disk.system.processID {
      // Other processes name the holder in their errors. The rest of the mark stays as it is.
      var own = mark ?? CommitMark(holder: 0, boot: 0, version: 0, journal: 0, end: 0)
      own.holder = disk.system.processID
      try? lock.write(own)
    }
    let isBelieved = mark != nil && mark!.boot == bootID
    var known = withCache { $0.state }
    let loader = StateLoader(disk: disk, limits: limits)
    if let known, let mark, isBelieved, mark.version == known.manifest.version,
      mark.holder == disk.system.processID, known.journal.isWritable
    {
      // We were the last to write. A writer that was killed since then left a longer file; anything else that is not as
      // we left it may be damage, and is read and verified again.
      if try known.isAsLeft(mark), try known.checkTouchedFiles() {
        return Writer(store: self, lock: lock, state: known)
      }
    }
    guard let (manifest, manifestFile) = try loader.openManifest() else { return try makeStore(lock) }
    var hasAllFiles = true
    if let state = known, state.manifest == manifest {
      try state.checkLength()
      hasAllFiles = try state.checkTouchedFiles()
      // The last writer found the journal as the one before had left it, so only what it wrote is new.
      let isVerified = try mark?.describes(state.journal.file.information()) ?? false
      if !isVerified || !hasAllFiles { known = nil }
    }
    // Same boot, same journal file: it is known what was acknowledged.
    let isAbout = isBelieved && mark!.version == manifest.version && mark!.journal == manifest.active.number
    let bounds = JournalFile.Bounds(mark, of: manifest, boot: bootID)
    guard let (loaded, truncated, missing) = try loader.state(manifest, known: known, bounds),
      var state = try writable(loaded)
    else { throw loader.missingFile() }
    if known?.manifest != manifest { try state.checkFiles(upTo: hasAllFiles ? limits.checkedMost : .max) }
    state.manifestFile = manifestFile
    let writer = Writer(store: self, lock: lock, state: state)
    writer.reports = reports
    if known == nil { try writer.keepFilesAhead() }
    if !isAbout {
      // The manifest's name may not be on the disk: its writer may have been killed just after the rename.
      try syncingFolder()
      try writer.publishCollectionFiles()
      try writer.removeOrphans()
    }
    if isAbout, truncated == 0, state.end == mark!.end {
      // All there is was acknowledged, and is on the disk.
      if known == nil { writer.publish() } else { remember(state) }
    } else {
      // Transactions of a writer that was killed may be whole, but not yet on the disk.
      try writer.adopt()
    }
    if truncated > 0 {
      // A mark that came with a copy of the folder tells of another file.
      let isOwn = try bounds.identity == state.journal.file.information().identity
      try writer.rotate(truncated: truncated, missing: missing, isMarked: isOwn)
    } else if missing > 0 {
      writer.warn("\(missing) bytes are missing after commit \(state.sequence): \(Writer.lostCommits)")
    }
    if withCache({ $0.isFirstOpening }) {
      withCache { $0.isFirstOpening = false }
      writer.warnOfNestedStores()
    }
    return writer
  }

  /// The state with a journal that can be appended to: what a reader of this process opened is for reading only.
  private func writable(_ state: StoreState) throws(StoreError) -> StoreState? {
    if state.journal.isWritable { return state }
    guard let journal = try JournalFile.open(state.journal.segment, on: disk, limits, isWritable: true) else {
      return nil
    }
    var state = state
    state.journal = journal
    return state
  }

  private func makeStore(_ lock: LockFile) throws(StoreError) -> Writer {
    if let orphan = try loneFile() { throw orphan }
    var manifest = Manifest(
      version: 0, store: disk.system.randomNumber(), compacted: 0, compactedAt: time.now.secondsSinceEpoch, parts: [],
      kept: [], segments: [])
    if keeps != nil { manifest.history = History(begins: 0, beginsAt: manifest.compactedAt) }
    let journal = try Writer.makeJournal(number: 1, first: 1, store: self)
    manifest.segments = [journal.segment]
    let writer = Writer(
      store: self, lock: lock,
      state: StoreState(manifest: manifest, sequence: 0, tables: [:], journal: journal, end: 0))
    try writer.replaceManifest { $0.state.manifest.version = 1 }
    writer.publish()
    return writer
  }
}

extension Writer {
  /// Says if a backup was copied into the folder of the store instead of its place.
  func warnOfNestedStores() {
    for name in (try? disk.nestedStores()) ?? [] {
      warn("\(disk.path(name)) is a store within the store, and is not used: was a backup restored to the wrong place?")
    }
  }

  /// Syncs transactions that were read but may not be durable, and tells readers that they count.
  func adopt() throws(StoreError) {
    try store.syncing(state.journal.file)
    publish()
  }

  /// Makes an empty journal file. Its name is synced before the manifest that names it.
  static func makeJournal(number: UInt64, first: UInt64, store: JSONFileStore) throws(StoreError) -> JournalFile {
    let segment = Manifest.Segment(number: number, first: first, finalSize: nil)
    let file = try store.disk.create(segment.fileName)
    return JournalFile(file: file, segment: segment, leastWindow: store.limits.journalWindow, isWritable: true)
  }

  /// The file that keeps the bytes that are cut off a journal file.
  static func cutName(_ segment: Manifest.Segment, at end: Int) -> String { "cut.\(segment.fileName).\(end)" }

  /// What missing bytes of acknowledged commits mean.
  static let lostCommits =
    "the file was cut, and commits are lost; or the folder was copied while a program wrote to it: copy the store again, if "
    + "it is a copy"

  /// Ends the journal file before an unfinished transaction, keeps those bytes in a file, and continues in a new journal.
  ///
  /// - Parameters:
  ///   - missing: how many bytes of acknowledged commits are not there.
  ///   - isMarked: whether the mark tells of this very file up to where commits were acknowledged.
  func rotate(truncated: Int, missing: Int, isMarked: Bool) throws(StoreError) {
    let active = state.manifest.active
    let quarantined = try disk.create(Self.cutName(active, at: state.end))
    try quarantined.write(state.journal.file.bytes(at: state.end, count: truncated))
    try store.syncing(quarantined)
    let rest =
      isMarked
      ? "every commit that was reported as done is there"
      : missing > 0
        ? "\(missing) more bytes are missing: \(Self.lostCommits)"
        : "the files may have been copied or restored, so a commit may be incomplete"
    warn(
      "the last write to the store was interrupted: \(truncated) bytes after commit \(state.sequence) are not a whole commit, "
        + "and are kept as \(disk.path(quarantined.name)); \(rest)")
    let journal = try Writer.makeJournal(number: active.number + 1, first: state.sequence + 1, store: store)
    try replaceManifest { writer in
      writer.state.manifest.version += 1
      writer.state.manifest.segments[writer.state.manifest.segments.count - 1].finalSize = writer.state.end
      writer.state.manifest.segments.append(journal.segment)
      writer.state.journal = journal
      writer.state.end = 0
    }
    publish()
  }

  /// Replaces the manifest: from then on the new one counts, and not before. The mark is not believed until
  /// `publish`: a writer that finds it so looks whether there is something left to do.
  func replaceManifest(_ change: (Writer) -> Void) throws(StoreError) {
    try makePublishedLogDurable()
    // Names that the new manifest needs must be durable before it is.
    try store.syncingFolder()
    // Until the new mark is written, the old one must not be believed.
    try lock.write(mark(believed: false))
    let old = state
    change(self)
    do throws(StoreError) {
      let file = try disk.create(Manifest.temporaryName)
      try file.write(state.manifest.text)
      try store.syncing(file)
      state.manifestFile = try WatchedFile(file)
      try disk.rename(Manifest.temporaryName, to: Manifest.name)
    } catch {
      state = old
      throw error
    }
    try store.syncingFolder()
  }
}

extension JSONFileStore {
  /// Syncs; if that fails, nothing is written any more.
  func syncing(_ file: OpenFile) throws(StoreError) { try failingForGood { () throws(StoreError) in try file.sync() } }

  func syncingFolder() throws(StoreError) { try failingForGood { () throws(StoreError) in try disk.syncFolder() } }

  private func failingForGood(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) { try body() } catch {
      markFailed(error)
      throw error
    }
  }
}
