public import Models
public import Ports

extension JSONFileStore: HistoricalStore {
  public func moment(_ time: Timestamp) throws(StoreError) -> Moment? {
    guard let state = try currentState() else { return nil }
    return try moment(time, in: state)
  }

  private func moment(_ time: Timestamp, in state: StoreState) throws(StoreError) -> Moment? {
    var state = state
    while true {
      var found: Moment?
      let isWhole = try state.eachTransaction(on: disk, limits) { (frame, _, _, _) throws(StoreError) in
        if frame.at <= time.secondsSinceEpoch {
          found = Moment(commit: frame.sequence, at: Timestamp(secondsSinceEpoch: frame.at))
        }
      }
      if isWhole {
        if let found { return found }
        if let found = try CommitNotes(state: state, disk: disk).moment(time.secondsSinceEpoch) { return found }
        guard let history = state.manifest.history, history.beginsAt <= time.secondsSinceEpoch else { return nil }
        return Moment(commit: history.begins, at: Timestamp(secondsSinceEpoch: history.beginsAt))
      }
      state = try newerState(than: state)
    }
  }

  public func snapshot(at commit: UInt64) throws(StoreError) -> any StoreSnapshot {
    guard let state = try currentState(), commit <= state.sequence else {
      if commit == 0 { return try snapshot() }
      throw StoreError(.notFound, "there is no commit \(commit) yet", path: disk.system.path)
    }
    if commit == state.sequence {
      return DiskSnapshot(sequence: state.sequence, tables: state.tables, store: state.manifest.store)
    }
    guard let history = state.manifest.history else {
      throw StoreError(.notKept, "the store keeps no history", path: disk.system.path)
    }
    guard commit >= history.begins else { throw notKept("the state", commit, since: history.begins) }
    return try PastSnapshot(self, state, at: commit)
  }

  /// The first question reads the journal, and those about other commits of it read no more.
  public func origin(of commit: UInt64) throws(StoreError) -> CommitOrigin? {
    guard var state = try currentState() else { return nil }
    while true {
      if let known = withCache({ $0.origins }), known.manifest == state.manifest, known.last >= commit {
        if let origin = known.origins[commit] { return origin }
        return try CommitNotes(state: state, disk: disk).note(of: commit)
      }
      var found = JournalOrigins(manifest: state.manifest, last: state.sequence)
      let isWhole = try state.eachTransaction(on: disk, limits) {
        (frame, journal, mapping, offset) throws(StoreError) in
        let cause = try journal.changes(of: frame, at: offset, in: mapping) { (_) throws(StoreError) in }
        found.origins[frame.sequence] = CommitOrigin(
          at: Timestamp(secondsSinceEpoch: frame.at), cause: cause.flatMap { CauseLine.cause(in: $0) })
      }
      if isWhole {
        withCache { [found] in $0.origins = found }
        if let origin = found.origins[commit] { return origin }
        return try CommitNotes(state: state, disk: disk).note(of: commit)
      }
      state = try newerState(than: state)
    }
  }

  public func history(
    _ collection: CollectionName, _ id: String, before: UInt64?, limit: Int
  ) throws(StoreError) -> [RecordChange] {
    var found: [RecordChange] = []
    try eachLine(of: collection, id: (id, before ?? .max, max(0, limit)), back: 0) { (_, changes) throws(StoreError) in
      found = changes
      return .stop
    }
    return found
  }

  public func history(
    _ collection: CollectionName, in commits: ClosedRange<UInt64>, _ body: (RecordChange) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try eachLine(of: collection, id: nil, back: commits.lowerBound) { (_, changes) throws(StoreError) in
      for change in changes.reversed() where commits.contains(change.commit) {
        if try body(change) == .stop { return .stop }
      }
      return .next
    }
  }

  /// Calls `body` with the changes of each record, the newest first, by id; of one record, before a commit and at most so
  /// many, where there is an id.
  ///
  /// - Parameter back: changes of earlier commits are not needed.
  private func eachLine(
    of collection: CollectionName, id: (String, before: UInt64, limit: Int)?, back: UInt64,
    _ body: (ByteSlice, [RecordChange]) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let name = collection.rawValue
    guard var state = try currentState() else { return }
    while true {
      guard let history = state.manifest.history else {
        throw StoreError(.notKept, "the store keeps no history", path: disk.system.path)
      }
      let kept = kept(name, in: state.manifest)
      let since = try checkIsKept(collection, kept, .max, state)
      if let changes = try JournalChanges(of: state, on: disk, limits, { $0 == name }),
        let runs = try open(history.runs(of: name).filter { $0.last >= back })
      {
        let lines = RecordLines(
          published: state.tables[name]?.published, changes: changes, runs: runs.reversed(), collection: name,
          hidden: kept.hiddenNames(at: .max - 1), lost: history.lost.filter { $0.collection == name },
          back: max(back, since + 1))
        if let (id, before, limit) = id {
          return try withKey(id) { (key) throws(StoreError) in _ = try lines.hand(key, before, limit, body) }
        }
        return try lines.each(body)
      }
      state = try newerState(than: state)
    }
  }
}

extension JSONFileStore {
  /// The state after that of which files are gone.
  func newerState(than state: StoreState) throws(StoreError) -> StoreState {
    withCache { cache in if cache.state?.manifest == state.manifest { cache.state = nil } }
    guard let newer = try currentState(), newer.manifest != state.manifest else {
      throw StateLoader(disk: disk, limits: limits).missingFile()
    }
    return newer
  }

  /// Opens runs; `nil` where one is gone because a newer manifest came.
  func open(_ runs: [History.Run]) throws(StoreError) -> [CollectionFile]? {
    var files: [CollectionFile] = []
    for run in runs {
      guard let file = try CollectionFile(run.part, on: disk) else { return nil }
      files.append(file)
    }
    return files
  }

  func notKept(_ what: String, _ commit: UInt64, since: UInt64) -> StoreError {
    StoreError(
      .notKept, "\(what) after commit \(commit) is not kept: the history begins with commit \(since)",
      path: disk.system.path)
  }

  /// Throws unless the state of a collection after a commit is kept.
  ///
  /// - Returns: the first commit whose state is.
  @discardableResult
  func checkIsKept(
    _ collection: CollectionName, _ kept: History.Kept, _ commit: UInt64, _ state: StoreState
  ) throws(StoreError) -> UInt64 {
    var since = kept.since
    switch kept.policy.keep {
    case .none: throw StoreError(.notKept, "no history of \(collection) is kept", path: disk.system.path)
    case .forever: break
    case .days(let days):
      let oldest = time.now + days.times(-86_400)
      since = max(since, try moment(oldest, in: state)?.commit ?? 0)
    }
    if commit < since { throw notKept("the state of \(collection)", commit, since: since) }
    return since
  }
}

/// Why the commits of a journal were made.
struct JournalOrigins: Sendable {
  let manifest: Manifest
  /// Later commits came since.
  let last: UInt64
  var origins: [UInt64: CommitOrigin] = [:]
}

/// The changes of records, read from the present back.
private struct RecordLines {
  let published: CollectionFile?
  let changes: JournalChanges
  let runs: [CollectionFile]
  let collection: String
  let hidden: [[UInt8]]
  let lost: [History.Lost]
  let back: UInt64

  func hand(
    _ key: ByteSlice, _ before: UInt64, _ limit: Int,
    _ body: (ByteSlice, [RecordChange]) throws(StoreError) -> ScanStep
  ) throws(StoreError) -> ScanStep {
    var lines: [(CollectionFile, [UInt8])] = []
    for run in runs { if let line = try run.record(key) { lines.append((run, line)) } }
    let versions = changes.versions(of: collection, key)
    let now = versions.first?.isAddition == true ? nil : try published?.record(key)
    return try hand(key, versions, lines, now, wanted: (before, limit), body)
  }

  func each(_ body: (ByteSlice, [RecordChange]) throws(StoreError) -> ScanStep) throws(StoreError) {
    var present = try published.map { (file) throws(StoreError) in try LineCursor(file) }
    /// What a record is now, by ascending id: often one of the next lines, which costs less than looking it up.
    func now(_ key: ByteSlice) throws(StoreError) -> [UInt8]? {
      for _ in 0..<8 where present?.isBefore(key) == true { try present!.advance() }
      return present?.isBefore(key) == true ? try published?.record(key) : present?.line(of: key)?.array
    }
    var cursors: [LineCursor] = []
    for run in runs { cursors.append(try LineCursor(run)) }
    var isStopped = false
    /// Hands out what only the runs have, up to an id.
    func handRuns(before key: ByteSlice?) throws(StoreError) {
      while !isStopped, let next = cursors.smallest, key.map({ next.slice.compare($0) < 0 }) ?? true {
        isStopped = try hand(next.slice, [], take(next), now(next.slice), body) == .stop
      }
    }
    /// The lines of an id, which is passed then.
    func take(_ key: LineCursor.Key) throws(StoreError) -> [(CollectionFile, [UInt8])] {
      var lines: [(CollectionFile, [UInt8])] = []
      for index in cursors.indices where cursors[index].has(key) {
        lines.append((runs[index], cursors[index].line!.array))
        try cursors[index].advance()
      }
      return lines
    }
    try changes.each(of: collection) { (key, versions) throws(StoreError) in
      try handRuns(before: key)
      if isStopped { return .stop }
      let record = versions[0].isAddition ? nil : try now(key)
      isStopped = try hand(key, versions, take(LineCursor.Key(slice: key)), record, body) == .stop
      return isStopped ? .stop : .next
    }
    if !isStopped { try handRuns(before: nil) }
  }

  /// - Parameters:
  ///   - now: the record before the versions; `nil` where the first one adds it.
  ///   - wanted: how many, of commits before one, are needed: lost ones among them are an error; `nil` for those that are
  ///     known.
  private func hand(
    _ key: ByteSlice, _ versions: [JournalChanges.Version], _ lines: [(CollectionFile, [UInt8])],
    _ now: [UInt8]?, wanted: (before: UInt64, limit: Int)? = nil,
    _ body: (ByteSlice, [RecordChange]) throws(StoreError) -> ScanStep
  ) throws(StoreError) -> ScanStep {
    let id = key.text
    var found: [RecordChange] = []
    var record = now
    var isOver: Bool { wanted.map { found.count >= $0.limit } ?? false }
    func add(_ commit: UInt64, _ before: [UInt8]?, _ after: [UInt8]?) {
      guard !isOver, commit < wanted?.before ?? .max else { return }
      let (before, after) = (shown(before), shown(after))
      if before != after { found.append(RecordChange(id: id, commit: commit, before: before, after: after)) }
    }
    for index in versions.indices.reversed() where versions[index].commit >= back {
      let before = index > 0 ? versions[index - 1].record?.array : record
      add(versions[index].commit, before, versions[index].record?.array)
    }
    var isLost = false
    for (run, line) in lines where !isLost {
      try line.withByteSlice { (line) throws(StoreError) in
        for change in try run.changes(in: line).reversed() where change.commit >= back && !isLost && !isOver {
          isLost = lost.contains { $0.holds(key) && $0.commits.contains(change.commit) }
          if isLost, wanted == nil { return }
          if isLost { throw StoreError(.damaged, "earlier changes of \(collection)/\(id) are lost") }
          let after = record
          try run.undo(change, on: &record)
          add(change.commit, record, after)
        }
      }
    }
    return found.isEmpty ? .next : try body(key, found)
  }

  private func shown(_ record: [UInt8]?) -> [UInt8]? {
    hidden.isEmpty ? record : record.map { RecordDelta.without(hidden, $0) }
  }
}
