import Models
import Ports

/// Reads the store's change feed, so that listeners hear of every commit, also of other processes.
actor CommitReader {
  /// How many changes one event names.
  static let changesPerEvent = 100

  private let live: LiveServices
  private let feed: EventFeed
  private var cursor: ChangeCursor?
  private var sequence: UInt64?
  private var isAtEnd = false

  /// A reader that knows nothing yet.
  init(live: LiveServices, feed: EventFeed) {
    self.live = live
    self.feed = feed
  }

  /// Goes to the end of the feed: earlier commits are not reported.
  func catchUp() throws(StoreError) {
    guard !isAtEnd else { return try read() }
    let snapshot = try live.current.store.snapshot()
    (sequence, cursor) = (snapshot.sequence, snapshot.end)
    if let cursor { feed.reached(cursor) }
    isAtEnd = true
  }

  /// Reports the commits since the last call; does nothing before `catchUp`.
  func read() throws(StoreError) {
    guard isAtEnd else { return }
    let services = live.current
    let newest = try services.store.snapshot().sequence
    guard newest != sequence else { return }
    do throws(StoreError) {
      while true {
        let changes = try services.store.changes(since: cursor, limit: 1000)
        publish(changes, services.coder)
        if let last = changes.last { cursor = last.cursor }
        if changes.count < 1000 { break }
      }
      sequence = newest
    } catch  where error.code == .cursorExpired {
      // Commits were compacted before they could be read: listeners must read everything again.
      (cursor, isAtEnd) = (nil, false)
      let reason: JSONObject = ["reason": "some commits were compacted before they could be reported"]
      feed.add("reset", services.coder.encode(reason))
      try catchUp()
    }
  }

  /// Begins at the end of another store's feed: listeners must read everything again.
  func reopen() throws(StoreError) {
    (cursor, sequence, isAtEnd) = (nil, nil, false)
    let reason: JSONObject = ["reason": "the store was replaced"]
    feed.add("reset", live.current.coder.encode(reason))
    try catchUp()
  }

  /// What was committed after a cursor, for a listener that knew an earlier process; `nil` where the store does not
  /// know it any more.
  func changes(since cursor: ChangeCursor) -> [StoreChange]? {
    var all: [StoreChange] = []
    var place = cursor
    let store = live.current.store
    while all.count < 10_000 {
      guard let changes = try? store.changes(since: place, limit: 1000) else { return nil }
      all += changes
      guard changes.count == 1000, let last = changes.last else { return all }
      place = last.cursor
    }
    return nil
  }

  private func publish(_ changes: [StoreChange], _ coder: any RecordCoder) {
    for (data, cursor) in Self.events(changes, coder) { feed.add("commit", data, cursor: cursor) }
  }

  /// Changes as events; the system's own memory is left out.
  static func events(
    _ changes: [StoreChange], _ coder: any RecordCoder
  ) -> [(data: [UInt8], cursor: ChangeCursor)] {
    var rest = changes.filter { !$0.collection.isInternal }[...]
    var events: [(data: [UInt8], cursor: ChangeCursor)] = []
    while let first = rest.first {
      let part = rest.prefix(changesPerEvent)
      rest = rest.dropFirst(part.count)
      let cursor = part.last?.cursor ?? first.cursor
      let fields: JSONObject = [
        "cursor": .string(cursor.description), "at": .string(first.at.description),
        "changes": .array(
          part.map { change in
            [
              "op": change.record == nil ? "delete" : "put", "collection": .string(change.collection.rawValue),
              "id": .string(change.id),
            ]
          }),
      ]
      events.append((coder.encode(fields), cursor))
    }
    return events
  }
}
