public import Models
public import Ports

/// Every state is kept, of every collection: the log is the history.
extension InMemoryRecordStore: HistoricalStore {
  public func moment(_ time: Timestamp) throws(StoreError) -> Moment? {
    withState { state in
      state.commits.lastIndex { $0.origin.at <= time }.map {
        Moment(commit: UInt64($0 + 1), at: state.commits[$0].origin.at)
      }
    }
  }

  public func snapshot(at commit: UInt64) throws(StoreError) -> any StoreSnapshot {
    guard let log = log(upTo: commit) else { throw StoreError(.notFound, "there is no commit \(commit) yet") }
    var content = Content()
    for change in log { content.apply(change) }
    return InMemorySnapshot(
      content: content, sequence: commit, end: log.isEmpty ? nil : ChangeCursor(String(log.count)))
  }

  public func history(
    _ collection: CollectionName, _ id: String, before: UInt64?, limit: Int
  ) throws(StoreError) -> [RecordChange] {
    let all = allChanges(of: collection).filter { $0.$id == id.exact && $0.commit < before ?? .max }
    return Array(all.reversed().prefix(limit))
  }

  public func history(
    _ collection: CollectionName, in commits: ClosedRange<UInt64>,
    _ body: (RecordChange) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let all = allChanges(of: collection).filter { commits.contains($0.commit) }
    for change in all.sorted(by: { ($0.$id, $0.commit) < ($1.$id, $1.commit) }) {
      if try body(change) == .stop { return }
    }
  }

  public func origin(of commit: UInt64) throws(StoreError) -> CommitOrigin? {
    withState { $0.commits.indices.contains(Int(commit) - 1) ? $0.commits[Int(commit) - 1].origin : nil }
  }

  /// What is in the log up to a commit; `nil` where there is no such commit.
  private func log(upTo commit: UInt64) -> [StoreChange]? {
    withState { state in
      guard commit <= state.commits.count else { return nil }
      return Array(state.log.prefix(commit == 0 ? 0 : state.commits[Int(commit) - 1].end))
    }
  }

  private func allChanges(of collection: CollectionName) -> [RecordChange] {
    let (log, ends) = withState { ($0.log, $0.commits.map(\.end)) }
    var present: [ExactString: [UInt8]] = [:]
    var changes: [RecordChange] = []
    var commit = 0
    for (index, change) in log.enumerated() {
      while ends[commit] <= index { commit += 1 }
      guard change.collection == collection else { continue }
      changes.append(
        RecordChange(id: change.id, commit: UInt64(commit + 1), before: present[change.$id], after: change.record))
      present[change.$id] = change.record
    }
    return changes
  }
}

extension [CollectionName: [InMemoryRecordStore.Entry]] {
  mutating func apply(_ change: StoreChange) {
    let key = Array<UInt8>(change.id.utf8)
    var entries = self[change.collection] ?? []
    let place = entries.place(of: key)
    if place < entries.count, entries[place].key == key { entries.remove(at: place) }
    if let record = change.record { entries.insert(InMemoryRecordStore.Entry(key: key, record: record), at: place) }
    self[change.collection] = entries
  }
}
