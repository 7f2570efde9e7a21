import Ports

extension JSONFileStore {
  /// The newest state that is on the disk, without any lock; `nil` where there is no store.
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
        // Just renamed, maybe by a writer that was killed then: what is shown now must not be gone after a power cut.
        // Where nothing can be written there is nothing to sync either.
        if mark == nil, try isBeingReplaced() { try? disk.syncFolder() }
      }
      // A mark that stays with another manifest came with a copy of the folder: it says nothing.
      if let mark, attempt < 3, mark.version != manifest.version || mark.journal != manifest.active.number { continue }
      guard let bounds = try bounds(found, of: manifest, isNew: known?.manifest != manifest) else { continue }
      if let found = try loader.state(manifest, known: known, bounds) {
        remember(found.state)
        return found.state
      }
      known = nil
    }
    throw StoreError(
      .damaged, "the manifest names files that are not there", hint: disk.remedies.repair,
      path: disk.path(Manifest.name))
  }

  /// What is known of the end of a journal, for whoever reads it without the lock; `nil` where it was just written to.
  ///
  /// - Parameter isNew: whether this process reads it for the first time.
  func bounds(_ mark: Mark?, of manifest: Manifest, isNew: Bool) throws(StoreError) -> JournalFile.Bounds? {
    let bounds = JournalFile.Bounds(mark, of: manifest, boot: bootID)
    guard case .atLeast(let end) = bounds, let mark else { return bounds }
    return try isNew ? self.end(mark, manifest) : .exactly(end)
  }

  /// Where a journal ends that this process reads for the first time; `nil` where it was just written to.
  ///
  /// More may be in it than the mark tells of without a writer that is at it: one was killed, or the disk was taken from
  /// the machine while it ran, and the mark on it is older than the journal. Then whole transactions may have been
  /// acknowledged. They count, once they are on the disk for certain.
  private func end(_ mark: Mark, _ manifest: Manifest) throws(StoreError) -> JournalFile.Bounds? {
    guard let journal = try disk.open(manifest.active.fileName), try journal.information().size > mark.end,
      let file = try disk.open(LockFile.name)
    else { return .exactly(mark.end) }
    // An opening of its own: tasks that read at the same time must not give back each other's lock.
    let lock = LockFile(file: file)
    guard try lock.take(isShared: true) else { return .exactly(mark.end) }
    defer { lock.give() }
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

  /// Whether a writer replaces the manifest, or was killed while it did.
  private func isBeingReplaced() throws(StoreError) -> Bool {
    guard let file = withCache({ $0.markFile }) else { return false }
    return try LockFile(file: file).mark?.boot ?? 0 == 0
  }

  /// What the last writer left, maybe before the machine started.
  func readMark() throws(StoreError) -> Mark? {
    var file = withCache { $0.markFile }
    if file == nil {
      file = try disk.open(LockFile.name)
      guard file != nil else { return nil }
      withCache { $0.markFile = file }
    }
    // It may just be written.
    for _ in 0..<3 {
      if let mark = try LockFile(file: file!).mark { return mark }
    }
    return nil
  }
}
