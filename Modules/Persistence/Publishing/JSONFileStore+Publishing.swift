public import Models
public import Ports

extension JSONFileStore {
  /// Renews the published files (`people.jsonl`) of what this store has committed since it last did, and of what others
  /// left behind. With the effort `quick` it does nothing where this store has committed nothing.
  ///
  /// A small file is always renewed. A larger one is renewed when a good part of it was committed, when so much time has
  /// passed that renewing takes at most a hundredth of it, or when the effort is `complete`.
  ///
  /// No commit waits for it, and what fails here changes no record. It waits for other writers for 100 ms, and then leaves
  /// the files to them: a process that commits renews the files of all commits.
  public func publish(_ effort: PublishEffort) async throws(StoreError) {
    let written = takeUnpublished()
    if written.isEmpty {
      if effort == .quick || isReadOnly { return }
      if try behind().isEmpty { return }
    }
    do throws(StoreError) {
      let lock = try await acquireWriteLock(timeout: min(lockTimeout, .milliseconds(100)))
      defer { releaseWriteLock(lock) }
      try publish(written, effort, lock)
    } catch {
      withCache { $0.unpublished.merge(written, uniquingKeysWith: +) }
      if error.code != .busy { throw error }
    }
  }

  /// What `publish(.quick)` does, for a store that nobody uses any more. If another process writes, or it fails, the next
  /// process that commits does it.
  func publishWithoutWaiting() {
    let written = takeUnpublished()
    guard written.keys.contains(where: { !CollectionName(rawValue: $0).isInternal }), (try? checkTakesWrites()) != nil,
      let lock = withCache({ $0.lock }), (try? lock.tryLock()) == true
    else { return }
    defer { lock.unlock() }
    do throws(StoreError) {
      try checkPlace()
      try publish(written, .quick, lock)
    } catch {}
  }

  private func takeUnpublished() -> [String: Int] {
    withCache { cache in
      defer { cache.unpublished = [:] }
      return cache.unpublished
    }
  }

  private func publish(_ written: [String: Int], _ effort: PublishEffort, _ lock: LockFile) throws(StoreError) {
    let limits = limits
    let now = time.now.secondsSinceEpoch
    let passedOver = try openWriter(lock).publishFiles { view in
      let size = view.size
      if size <= limits.publishAlways { return true }
      guard size <= (effort == .quick ? limits.copyMost : limits.publishMost) else { return false }
      if effort == .complete || (written[view.collection] ?? 0) * limits.publishShare >= size { return true }
      guard let modified = view.modified else { return true }
      return now - modified > size / limits.publishPace
    }
    // What is passed over adds up, until a good part of the file was written.
    withCache { cache in for name in passedOver { cache.unpublished[name, default: 0] += written[name] ?? 0 } }
  }

  /// The collections whose published file does not hold the newest commits.
  public func behind() throws(StoreError) -> [CollectionName] {
    var behind: [CollectionName] = []
    var last: UInt64?
    // A file that is renewed meanwhile is newer than the state that was read.
    for _ in 0..<3 {
      guard let state = try currentState(), state.sequence != last else { break }
      last = state.sequence
      behind = []
      for view in PublishedFile.all(in: state, on: disk) where try !view.isCurrent(upTo: limits.publishMost) {
        behind.append(CollectionName(rawValue: view.collection))
      }
      if behind.isEmpty { break }
    }
    return behind
  }

  /// The collections whose published file is behind and is not one that this store wrote, or holds commits that it has lost.
  /// What the log does not know, after a power failure for example, counts as behind only.
  public func changedFiles() throws(StoreError) -> [CollectionName] {
    let behind = try behind()
    if behind.isEmpty { return [] }
    let log = try PublishedLog(on: disk)
    let ahead = try currentState().map { log.ahead(of: $0.sequence) } ?? []
    var changed: [CollectionName] = []
    for name in behind {
      let fileName = name.rawValue + Manifest.Part.publishedSuffix
      let entries = log.entries(of: fileName)
      guard let last = entries.last, last.sum != nil, let file = try? disk.open(fileName) else { continue }
      let information = try file.information()
      if ahead.contains(where: { $0.name == fileName }) {
        changed.append(name)
        continue
      }
      if information.size == 0 || entries.contains(where: { $0.describes(information) }) { continue }
      if !entries.compactMap(\.sum).contains(try file.checksum()) { changed.append(name) }
    }
    return changed
  }

  public func bases(ofFile name: String) throws(StoreError) -> [UInt64] {
    let last = try currentState()?.sequence ?? 0
    return try PublishedLog(on: disk).entries(of: name).suffix(2).compactMap(\.commit).map { min($0, last) }
  }
}

extension Writer {
  /// Brings the files that people read up to date, as far as the effort allows.
  ///
  /// - Parameters:
  ///   - withInternal: whether that of the store's own state is one of them.
  ///   - mayRenew: whether a file that is behind is renewed.
  /// - Returns: the collections that were passed over.
  /// - Throws: the first error; the other files are renewed all the same, and no commit is touched.
  func publishFiles(withInternal: Bool = false, _ mayRenew: (PublishedFile) -> Bool) throws(StoreError) -> Set<String> {
    var failure: StoreError?
    var passedOver: Set<String> = []
    do throws(StoreError) { try publishCollectionFiles(isSure: false) } catch { failure = error }
    for view in PublishedFile.all(in: state, on: disk, withInternal: withInternal) where !view.table.runs.isEmpty {
      guard mayRenew(view) else {
        passedOver.insert(view.collection)
        continue
      }
      do throws(StoreError) { try view.renew(by: self) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return passedOver
  }

  /// Publishes the collection files: `people.jsonl`. A collection that has changed since keeps the file that it has
  /// there, which may be newer.
  ///
  /// - Parameter isSure: whether files that are there already are compared with the collection files.
  func publishCollectionFiles(isSure: Bool = true) throws(StoreError) {
    let copyMost = store.limits.copyMost
    let names = Set(try disk.names())
    var isChanged = false
    for part in state.manifest.parts {
      if state.tables[part.collection]?.runs.isEmpty == false {
        if names.contains(part.publishedName), try !isOldLink(part) { continue }
      } else if try PublishedFile.isPublished(part, copyMost: copyMost, isSure: isSure, by: self) {
        continue
      }
      try PublishedFile.publish(part, copyMost: copyMost, by: self)
      isChanged = true
    }
    for name in names where name.hasSuffix(".jsonl.new") { try disk.remove(name) }
    if isChanged { try store.syncingFolder() }
  }

  /// Whether the published file is a name of the collection file under which somebody could change it.
  private func isOldLink(_ part: Manifest.Part) throws(StoreError) -> Bool {
    guard let file = try disk.open(part.fileName), let named = try? disk.open(part.publishedName) else { return false }
    let found = try named.information()
    return try file.information().identity == found.identity && !found.isReadOnly
  }
}
