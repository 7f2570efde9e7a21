import Models
public import Ports

/// Reads the change feed out of one state.
struct ChangeFeed {
  let state: StoreState
  let disk: Disk
  let limits: Limits

  /// The changes after a position; `nil` if a file was removed because the manifest changed.
  func read(_ position: FeedPosition?, _ limit: Int) throws(StoreError) -> [StoreChange]? {
    switch position {
    case .journal(let sequence, let changes, let offset, let mark):
      var found: [StoreChange] = []
      return try journal(after: sequence, changes, hint: offset, mark: mark, limit, &found) ? found : nil
    case .compacted(let sequence, let collection, let id):
      guard sequence <= state.manifest.compacted else { throw expired }
      return try compacted(from: sequence, after: (collection, id), limit)
    case nil: return try compacted(from: state.manifest.compacted, after: nil, limit)
    }
  }

  private func compacted(
    from sequence: UInt64, after: (collection: String, id: [UInt8])?, _ limit: Int
  ) throws(StoreError) -> [StoreChange]? {
    var found: [StoreChange] = []
    try compacted(from: sequence, after: after, limit, &found)
    if found.count == limit { return found }
    return try journal(after: sequence, Int.max, hint: 0, mark: nil, limit, &found) ? found : nil
  }

  private var expired: StoreError { expired("the changes after this cursor were compacted and are not kept any more") }

  private func expired(_ message: String) -> StoreError {
    StoreError(.cursorExpired, message, hint: "begin without a cursor", path: disk.system.path)
  }

  private func compacted(
    from sequence: UInt64, after: (collection: String, id: [UInt8])?, _ limit: Int, _ found: inout [StoreChange]
  ) throws(StoreError) {
    let at = Timestamp(secondsSinceEpoch: state.manifest.compactedAt)
    var isStopped = false
    for part in state.manifest.parts {
      guard let published = state.tables[part.collection]?.published else { continue }
      if let after, part.collection < after.collection { continue }
      let start = after?.collection == part.collection ? after!.id : nil
      var reader = try (start ?? []).withUnsafeBufferPointer { (id) throws(StoreError) in
        try published.reader(prefix: ByteSlice(id)[0..<0], after: start == nil ? nil : ByteSlice(id))
      }
      let nothing = published.slice[0..<0]
      _ = try reader.hand(upTo: nil, prefix: nothing) { (line) throws(StoreError) in
        guard found.count < limit else {
          isStopped = true
          return .stop
        }
        guard let key = RecordKey(of: line), let id = key.withBytes(\.array) else {
          throw published.damaged("a line does not begin with an id", line.base - published.slice.base)
        }
        let position = FeedPosition.compacted(sequence: sequence, collection: part.collection, id: id)
        found.append(
          StoreChange(
            cursor: position.cursor(store: state.manifest.store), at: at,
            collection: CollectionName(rawValue: part.collection), id: String(decoding: id, as: UTF8.self),
            record: line.array))
        return .next
      }
    }
    if !isStopped, !found.isEmpty {
      // The last record's cursor is after all of them, so that later compactions do not hand out more of them.
      let position = FeedPosition.journal(sequence: sequence, changes: .max, offset: 0)
      found[found.count - 1].cursor = position.cursor(store: state.manifest.store)
    }
  }

  /// Delivers the journal after the given number of changes of a commit; `false` if a file was removed.
  ///
  /// - Parameter mark: that of the commit; `nil` where it is not known.
  private func journal(
    after sequence: UInt64, _ changes: Int, hint: Int, mark: UInt64?, _ limit: Int, _ found: inout [StoreChange]
  ) throws(StoreError) -> Bool {
    guard limit > found.count else { return true }
    let segments = state.manifest.segments
    guard sequence <= state.sequence else { throw expired }
    // The first commit that still has changes to hand out.
    let first = changes == Int.max ? sequence + 1 : sequence
    guard first >= segments[0].first || first > state.sequence else { throw expired }
    for (index, segment) in segments.enumerated() {
      if index + 1 < segments.count, segments[index + 1].first <= first { continue }
      let isActive = segment == state.manifest.active
      guard let journal = try isActive ? state.journal : JournalFile.open(segment, on: disk, limits) else {
        return false
      }
      let size = segment.finalSize ?? state.end
      var position = 0
      var next = segment.first
      // The cursor's hint spares reading the file from its beginning.
      if hint > 0, next <= sequence, let frame = try journal.frame(at: hint, size: size), frame.sequence == sequence {
        position = hint
        next = sequence
      }
      while position < size, found.count < limit {
        guard let frame = try journal.frame(at: position, size: size), frame.sequence == next else {
          // Nothing but the feed needs what the collection files have.
          throw state.manifest.isHistory(segment) ? expired : journal.damaged("a transaction is broken", position)
        }
        // The store is a copy that was put back, and has gone on.
        if let mark, frame.sequence == sequence, frame.mark != mark {
          throw expired("the commit of this cursor is not in the store: an earlier copy of it was put back")
        }
        let skipped = frame.sequence < first ? Int.max : frame.sequence == sequence ? changes : 0
        if skipped < frame.changes { try hand(frame, at: position, of: journal, skipping: skipped, limit, &found) }
        position += Frame.headCount + frame.bytes
        next += 1
      }
    }
    return true
  }

  private func hand(
    _ frame: Frame, at position: Int, of journal: JournalFile, skipping skipped: Int, _ limit: Int,
    _ found: inout [StoreChange]
  ) throws(StoreError) {
    let start = position + Frame.headCount
    let mapping = try journal.mapping(start + frame.bytes)
    var number = 0
    let mark = frame.mark
    try journal.changes(of: frame, at: start, in: mapping) { (change) throws(StoreError) in
      number += 1
      guard number > skipped, found.count < limit else { return }
      let id = change.key.withBytes(\.array) ?? []
      let cursor = FeedPosition.journal(sequence: frame.sequence, changes: number, offset: position, mark: mark)
      found.append(
        StoreChange(
          cursor: cursor.cursor(store: state.manifest.store), at: Timestamp(secondsSinceEpoch: frame.at),
          collection: CollectionName(rawValue: String(decoding: change.collection.raw, as: UTF8.self)),
          id: String(decoding: id, as: UTF8.self), record: change.kind == .delete ? nil : change.record.array))
    }
  }
}

extension JSONFileStore {
  /// The changes after the cursor; without one, first the records of the collection files.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    for _ in 0..<100 {
      guard let state = try currentState() else {
        // A store without a commit has no cursors: the cursor is one of another store, or none.
        if let cursor { _ = try FeedPosition(cursor, store: nil) }
        return []
      }
      let position = try cursor.map { (cursor) throws(StoreError) in
        try FeedPosition(cursor, store: state.manifest.store)
      }
      if let found = try ChangeFeed(state: state, disk: disk, limits: limits).read(position, max(0, limit)) {
        return found
      }
      withCache { $0.state = nil }
    }
    throw StateLoader(disk: disk, limits: limits).missingFile()
  }
}

/// A position in the feed: in the collection files, or in the journal.
enum FeedPosition: Hashable {
  /// After this record, while the collection files are handed out; then the journal after `sequence`.
  case compacted(sequence: UInt64, collection: String, id: [UInt8])
  /// After the given number of changes of a commit, whose first line is at `offset`, as a hint; with the mark of the
  /// commit, which cursors of earlier versions do not have.
  case journal(sequence: UInt64, changes: Int, offset: Int, mark: UInt64? = nil)

  init(_ cursor: ChangeCursor, store: UInt64?) throws(StoreError) {
    let text = cursor.description
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let refused = StoreError(
      .invalidCursor, "'\(text)' is not a cursor", hint: "use a cursor that came with a change, or begin without one")
    guard parts.count >= 4, parts[0].utf8.count == 8, parts[0].allSatisfy(\.isHexDigit), let sequence = UInt64(parts[1])
    else { throw refused }
    guard let store, parts[0] == Self.tag(store) else {
      throw StoreError(.cursorExpired, "not a cursor of this store: \(text)", hint: "begin without a cursor")
    }
    if parts.count == 4, parts[2] == "end" {
      self = .journal(sequence: sequence, changes: .max, offset: 0)
      return
    }
    if let changes = Int(parts[2]), let offset = Int(parts[3]), parts.count <= 5, changes > 0, offset >= 0 {
      var mark: UInt64?
      if parts.count == 5 {
        guard parts[4].utf8.count == 8, parts[4].allSatisfy(\.isHexDigit), let number = UInt64(parts[4], radix: 16)
        else { throw refused }
        mark = number
      }
      self = .journal(sequence: sequence, changes: changes, offset: offset, mark: mark)
      return
    }
    // `f`, the id in hexadecimal, and the name, which may hold hyphens.
    guard parts[2].first == "f", let id = bytes(hexadecimal: parts[2].dropFirst()) else { throw refused }
    self = .compacted(sequence: sequence, collection: parts[3...].joined(separator: "-"), id: id)
  }

  func cursor(store: UInt64) -> ChangeCursor {
    switch self {
    case .journal(let sequence, .max, _, _): return ChangeCursor("\(Self.tag(store))-\(sequence)-end-0")
    case .journal(let sequence, let changes, let offset, let mark):
      let tail = mark.map { "-" + String(hexadecimalText($0).suffix(8)) } ?? ""
      return ChangeCursor("\(Self.tag(store))-\(sequence)-\(changes)-\(offset)\(tail)")
    case .compacted(let sequence, let collection, let id):
      return ChangeCursor("\(Self.tag(store))-\(sequence)-f\(hexadecimalText(of: id))-\(collection)")
    }
  }

  private static func tag(_ store: UInt64) -> String { String(hexadecimalText(store).suffix(8)) }
}

extension JSONFileStore {
  /// The changes after a cursor, and then those of each later commit of any process, in batches of up to 1,000.
  ///
  /// The store's folder is watched by the operating system. If no inotify instance is left for the user, it is looked at once
  /// per second, and a warning says so.
  /// - Throws: from the sequence, `StoreError`: `cursorExpired` where changes after the cursor are not kept any more, as
  ///   after a large `load`; `moved` where the folder was moved, deleted or replaced; `cannotRead` where it cannot be read
  ///   or watched.
  public func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[StoreChange], any Error>.makeStream()
    let (events, event) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      var cursor = cursor
      do {
        _ = try disk.openFolder(create: !isReadOnly)
        let watch = try disk.call(.cannotRead) { () throws(FileFailure) in try disk.system.watch { event.yield() } }
        defer { watch.stop() }
        if watch.isPolling {
          warn(
            "the system has no inotify instance left for this user, so changes are noticed up to a second late: raise "
              + "fs.inotify.max_user_instances, or stop programs that watch folders")
        }
        event.yield()
        for await _ in events {
          try checkPlace()
          while let last = try read(after: cursor, continuation) { cursor = last }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { _ in
      task.cancel()
      event.finish()
    }
    return stream
  }

  /// Delivers the next batch; its last cursor, or `nil` if there is none.
  private func read(
    after cursor: ChangeCursor?, _ continuation: AsyncThrowingStream<[StoreChange], any Error>.Continuation
  ) throws(StoreError) -> ChangeCursor? {
    let batch = try changes(since: cursor, limit: 1000)
    guard let last = batch.last else { return nil }
    continuation.yield(batch)
    return last.cursor
  }
}
