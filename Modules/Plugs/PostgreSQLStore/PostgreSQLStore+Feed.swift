import Models
public import Ports

/// A place in the feed of changes: TAG-SEQUENCE-CHANGE-MARK, where the mark identifies the commit.
///
/// A database that was restored, or whose standby took over without the last commits, goes on with the same numbers; the
/// mark tells that such a commit is another one. A cursor within the records that a compaction left also contains the
/// number of the first commit that is complete, and is valid until the next compaction.
struct FeedPlace: Sendable {
  var tag: String
  var sequence: Int64
  var change: Int64
  var mark: String
  var kept: Int64?

  init(tag: String, sequence: Int64, change: Int64, token: String, kept: Int64? = nil) {
    (self.tag, self.sequence, self.change, self.kept) = (tag, sequence, change, kept)
    mark = String(token.prefix(8))
  }

  var cursor: ChangeCursor { ChangeCursor("\(tag)-\(sequence)-\(change)-\(mark)" + (kept.map { "-\($0)" } ?? "")) }

  init(_ cursor: ChangeCursor) throws(StoreError) {
    let parts = cursor.description.split(separator: "-", omittingEmptySubsequences: false)
    let invalid = StoreError(.invalidCursor, "'\(cursor)' is not a cursor", hint: "use one that the feed printed")
    guard (4...5).contains(parts.count), parts[0].utf8.count == 32, parts[3].utf8.count == 8,
      let sequence = Int64(parts[1]), let change = Int64(parts[2]), sequence > 0, change > 0
    else { throw invalid }
    (tag, self.sequence, self.change, mark) = (String(parts[0]), sequence, change, String(parts[3]))
    if parts.count == 5 {
      guard let kept = Int64(parts[4]) else { throw invalid }
      self.kept = kept
    }
    // Exactly one spelling of each place.
    guard self.cursor == cursor else { throw invalid }
  }
}

extension PostgreSQLStore {
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    let place: FeedPlace?
    if let cursor { place = try FeedPlace(cursor) } else { place = nil }
    let found = try readingIfThere { (connection) throws(StoreError) -> [StoreChange] in
      let state = try connection.query("feed-state", schema.feedState, [.number(place?.sequence ?? 0)])
      guard state.count > 0 else { throw isRemoved }
      try checkFormat(state.number(0, 0))
      let tag = state.text(0, 1)
      let kept = state.number(0, 3)
      if let place {
        let isOfCommit =
          place.tag == tag && state.text(0, 4).hasPrefix(place.mark) && place.sequence <= state.number(0, 2)
        guard isOfCommit, place.sequence >= kept || place.kept == kept else { throw expired(place, isOfCommit) }
      }
      guard limit > 0 else { return [] }
      let rows = try connection.query(
        "feed", schema.feed,
        [.number(place?.sequence ?? 0), .small(Int32(clamping: place?.change ?? 0)), .number(Int64(limit))])
      // A compaction in between would have removed changes.
      if try self.kept(connection) != kept { return [] }
      return (0..<rows.count).map { row in
        let sequence = rows.number(row, 0)
        let place = FeedPlace(
          tag: tag, sequence: sequence, change: rows.number(row, 1), token: rows.text(row, 6),
          kept: sequence < kept ? kept : nil)
        return StoreChange(
          cursor: place.cursor, at: Timestamp(secondsSinceEpoch: Int(rows.number(row, 5))),
          collection: rows.collection(row, 2), id: rows.text(row, 3), record: rows.bytes(row, 4))
      }
    }
    if found == nil, let place { throw expired(place, false) }
    return found ?? []
  }

  private func expired(_ place: FeedPlace, _ isOfCommit: Bool) -> StoreError {
    StoreError(
      .cursorExpired,
      isOfCommit
        ? "the changes after commit \(place.sequence) were compacted and are not kept any more"
        : "the commit of this cursor is not in the store: it is another store, or an earlier copy was put back",
      hint: "begin without a cursor", path: address.text)
  }

  /// The first commit whose changes are all there.
  func kept(_ connection: Connection) throws(StoreError) -> Int64 {
    let rows = try connection.query("kept", "select kept from \"\(schema.name)\".store")
    guard rows.count > 0 else { throw isRemoved }
    return rows.number(0, 0)
  }

  func kept() throws(StoreError) -> Int64 {
    try reading { (connection) throws(StoreError) in try self.kept(connection) }
  }

  /// How long `changes(after:)` waits for a server that cannot be reached.
  private static let outage = Duration.seconds(600)

  /// The changes after a cursor, and those of later commits. The server is asked five times a second. While it cannot be
  /// reached, the sequence waits, for ten minutes.
  public func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[StoreChange], any Error>.makeStream()
    let task = Task { [self] in
      var cursor = cursor
      var lastAnswer = time.uptime
      do {
        while !Task.isCancelled {
          let batch = try changes(since: cursor, orNoneUntil: lastAnswer + Self.outage)
          if batch != nil { lastAnswer = time.uptime }
          if let batch, let last = batch.last {
            continuation.yield(batch)
            cursor = last.cursor
            continue
          }
          try await time.sleep(for: Self.pollInterval)
        }
        continuation.finish()
      } catch is CancellationError { continuation.finish() } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// The next changes; `nil` where the server cannot be reached, until the end of a time.
  private func changes(since cursor: ChangeCursor?, orNoneUntil end: Duration) throws(StoreError) -> [StoreChange]? {
    do throws(StoreError) { return try changes(since: cursor, limit: 1000) } catch {
      if error.code == .unreachable, time.uptime < end { return nil }
      throw error
    }
  }
}
