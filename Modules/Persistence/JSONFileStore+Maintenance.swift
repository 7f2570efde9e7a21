import Models
public import Ports

extension JSONFileStore {
  @discardableResult
  public func compact() async throws(StoreError) -> StoreStatistics {
    if try !disk.openFolder(create: false) { return StoreStatistics(records: 0, bytes: 0, journalBytes: 0) }
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let writer = try openWriter(lock)
    try writer.compact(at: time.now.secondsSinceEpoch)
    return try statistics()
  }

  /// Reads everything and checks every checksum.
  public func verify() throws(StoreError) -> [StoreFinding] {
    guard try disk.openFolder(create: false) else { return [] }
    // Files that a writer replaces meanwhile look missing, so a check that finds damage is repeated.
    var check = try check(isReader: true)
    for _ in 0..<3 where check.findings.contains(where: { $0.severity == .damage }) {
      check = try self.check(isReader: true)
    }
    return check.findings
  }

  /// Checks the store as a reader, or as the writer that has the lock, judges its journal.
  private func check(isReader: Bool) throws(StoreError) -> StoreCheck {
    var check = StoreCheck(disk: disk, limits: limits) { (manifest) throws(StoreError) in
      for _ in 0..<100 where isReader {
        if let bounds = try self.bounds(try self.readMark(), of: manifest, isNew: true) { return bounds }
      }
      return JournalFile.Bounds(try self.readMark(), of: manifest, boot: self.bootID)
    }
    try check.run(loneFile: try loneFile())
    // A store that is damaged is repaired first.
    if !isReadOnly, check.findings.allSatisfy({ $0.severity == .note }), let state = try? currentState() {
      check.lookForRoom(
        rewritten: PublishedFile.all(in: state, on: disk, withInternal: true).reduce(0) { sum, view in
          sum + (view.table.runs.isEmpty ? 0 : view.size + min(view.size, limits.copyMost))
        })
    }
    return check
  }

  /// The error for files of a store without a manifest, which is never removed; `nil` where the folder is in order.
  func loneFile() throws(StoreError) -> StoreError? {
    if try disk.open(Manifest.name) != nil { return nil }
    for name in try disk.names().sorted() where !name.hasSuffix(Salvage.suffix) {
      let isJournal = name.hasPrefix("journal.")
      guard name.hasSuffix(".records") || isJournal else { continue }
      // A writer that was killed while it made the store leaves an empty journal.
      if isJournal, try disk.open(name)?.information().size ?? 0 == 0 { continue }
      // A store may have been made since we looked for its manifest.
      if try disk.open(Manifest.name) != nil { return nil }
      return StoreError(
        .damaged, "the manifest is missing, but files that belong to one are there",
        hint: disk.suggestions.repair, path: disk.path(Manifest.name))
    }
    return nil
  }

  /// Repairs what can be repaired: what is readable goes into new collection files, and the damaged files are kept.
  ///
  /// - Throws: `unsuitablePlace` for a damaged backup, which stays as it is.
  public func repair() async throws(StoreError) -> [StoreFinding] {
    if try !disk.openFolder(create: false) { return [] }
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let check = try check(isReader: false)
    let found = check.findings
    if found.isEmpty, try behind().isEmpty { return [] }
    try checkIsNoBackup()
    let isDamaged = found.contains { $0.severity == .damage && check.changedFiles[$0.path] == nil }
    if !check.needsRewrite, !isDamaged {
      do throws(StoreError) {
        let writer = try openWriter(lock, reports: false)
        writer.reports = false
        try writer.publishCollectionFiles()
        _ = try writer.publishFiles(withInternal: true) { view in
          !CollectionName(rawValue: view.collection).isInternal || check.changedFiles[view.path] != nil
        }
        try writer.removeOrphans()
        // The work that a writer would do later is done now.
        return found.map { finding in
          var finding = finding
          if let tail = check.truncatedTail, tail.finding == finding {
            finding.suggestion = "cut off; the bytes are kept as \(tail.keptAs)"
          }
          if let changed = check.changedFiles[finding.path] {
            finding.severity = changed.isLost ? .loss : .note
            let quarantined = writer.keptFiles.first { disk.path($0.key) == finding.path }.map { disk.path($0.value) }
            finding.suggestion = quarantined.map {
              "the changed file is kept as \($0)"
                + (changed.isLoadable ? "; \(disk.suggestions.load($0)) to take its records over" : "")
            }
          }
          return finding
        }
      } catch {
        // Damage that the check did not see must not be the last word.
        if error.code != .damaged { throw error }
      }
    }
    withCache { $0.state = nil }
    var salvage = Salvage(store: self, lock: lock)
    try salvage.run(at: time.now.secondsSinceEpoch)
    // What the repair says of a file holds for all that was found in it.
    let reported = Set(salvage.findings.map(\.path))
    let others = found.filter {
      $0.severity == .note && !reported.contains($0.path) && $0 != check.truncatedTail?.finding
    }
    return others.map { finding in
      var finding = finding
      if check.rewritten.contains(finding) { finding.suggestion = nil }
      return finding
    } + salvage.findings
  }

  public func statistics() throws(StoreError) -> StoreStatistics {
    let state = try currentState()
    // The cached state can be read even where the next process could not open the store.
    if try disk.openFolder(create: false), try StateLoader(disk: disk, limits: limits).manifest() == nil,
      let orphan = try loneFile()
    {
      throw orphan
    }
    guard let state else { return StoreStatistics(records: 0, bytes: 0, journalBytes: 0) }
    let records = state.tables.reduce(0) { $0 + (CollectionName(rawValue: $1.key).isInternal ? 0 : $1.value.count) }
    var bytes = 0
    // A published name and its collection file are one file.
    var seen: Set<UInt64> = []
    for name in try disk.names() {
      guard let file = try? disk.open(name), let information = try? file.information() else { continue }
      if seen.insert(information.identity).inserted { bytes += information.size }
    }
    return StoreStatistics(records: records, bytes: bytes, journalBytes: state.end)
  }
}
