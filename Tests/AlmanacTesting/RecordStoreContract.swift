public import Models
public import Ports

/// The requirements for every adapter of `RecordStore`, checked for the fakes and for the real ones.
///
/// Run each of `checks` with a closure that creates an empty store. A check throws if the store violates it.
public enum RecordStoreContract {
  public struct Check: Sendable, CustomStringConvertible {
    public let description: String
    /// Whether it holds only as long as the feed is complete: the feed of a compacted store begins with its state.
    public let needsCompleteFeed: Bool
    let run: @Sendable (any RecordStore) async throws -> Void

    init(
      _ description: String, needsCompleteFeed: Bool = false,
      _ run: @escaping @Sendable (any RecordStore) async throws -> Void
    ) {
      (self.description, self.needsCompleteFeed, self.run) = (description, needsCompleteFeed, run)
    }

    /// Checks the requirement on an empty store.
    ///
    /// - Throws: `ContractViolation`, also where it takes longer than `limit`, or an unexpected error of the store.
    public func callAsFunction(on store: any RecordStore, within limit: Duration = longestCheck) async throws {
      try await ends(within: limit, description) { try await run(store) }
    }
  }

  public static let checks: [Check] = contents + transactions + loading + feed + observation
}

public struct ContractViolation: Error, CustomStringConvertible {
  /// The expected and the actual result, with the line in the suite.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// How long one check of a contract may take: it does not end by itself where an adapter never answers.
public let longestCheck = Duration.seconds(300)

/// Runs a check, and leaves one that does not end alone.
func ends(within limit: Duration, _ check: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
  let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
  let work = Task {
    do {
      try await body()
      outcome.yield(.success(()))
    } catch { outcome.yield(.failure(error)) }
  }
  let alarm = Task {
    try await Task.sleep(for: limit)
    outcome.yield(.failure(ContractViolation("expected that the check ends within \(limit): \(check)")))
  }
  defer {
    work.cancel()
    alarm.cancel()
  }
  for await result in outcomes { return try result.get() }
  throw CancellationError()
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String = "", line: Int = #line) throws {
  if !condition { throw ContractViolation("\(message()) (contract, line \(line))") }
}

func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
  try expect(found == expected, "expected \(expected), found \(found)", line: line)
}

func expectError(_ code: StoreError.Code, line: Int = #line, _ body: () async throws -> Void) async throws {
  do { try await body() } catch let error as StoreError {
    return try expect(error.code == code, "expected \(code), found \(error.code): \(error)", line: line)
  }
  throw ContractViolation("expected \(code), nothing was thrown (contract, line \(line))")
}

/// A record in the form that the contract uses.
func sample(_ id: String, _ value: String = "") -> [UInt8] {
  var text = "{\"id\":\""
  for character in id.unicodeScalars {
    if character == "\"" || character == "\\" { text.append("\\") }
    text.unicodeScalars.append(character)
  }
  return Array((text + "\",\"value\":\"\(value)\"}").utf8)
}

func text(_ record: [UInt8]) -> String { String(decoding: record, as: UTF8.self) }

extension RecordStore {
  @discardableResult
  func put(_ ids: [String], _ value: String = "", in collection: CollectionName = .people) async throws(StoreError)
    -> Committed<Void>
  {
    try await write { (transaction) throws(StoreError) in
      for id in ids { try transaction.put(sample(id, value), id: id, in: collection) }
    }
  }
}

extension RecordStoreContract {
  static let contents: [Check] = [
    Check("an empty store contains nothing") { store in
      let snapshot = try store.snapshot()
      try expectEqual(snapshot.sequence, 0)
      try expectEqual(snapshot.collections, [])
      try expectEqual(try snapshot.count(.people), 0)
      try expect(try snapshot.record(.people, "a") == nil, "a record out of nowhere")
      try expectEqual(try snapshot.all(.people), [])
      try expectEqual(try store.changes(since: nil, limit: 10), [])
    },
    Check("records are returned as they were put, sorted by the bytes of their ids") { store in
      let ids = ["b", "a", "ä", "Z", "a\"q", "a\\s", "aa", "ab", "\u{1F600}", "\u{FFFD}", "a/b", "~"] + LookAlikes.ids
      try await store.put(ids, "x")
      let snapshot = try store.snapshot()
      let sorted = ids.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      try expectEqual(try snapshot.all(.people).map(\.exact), sorted.map { text(sample($0, "x")).exact })
      for id in ids { try expectEqual(try snapshot.record(.people, id), sample(id, "x")) }
      try expect(try snapshot.record(.people, "ac") == nil, "found what was never put")
      try expectEqual(try snapshot.count(.people), ids.count)
      try expectEqual(snapshot.collections, [.people])
    },
    Check("an escaped id equals the unescaped one") { store in
      let record = Array(#"{"id":"\u0061\u00e4\ud83d\ude00\/","value":1}"#.utf8)
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(record, id: "aä\u{1F600}/", in: .people)
        try transaction.put(sample("aa"), id: "aa", in: .people)
        try transaction.put(sample("aö"), id: "aö", in: .people)
      }
      let snapshot = try store.snapshot()
      try expectEqual(try snapshot.record(.people, "aä\u{1F600}/"), record)
      try expectEqual(try snapshot.all(.people), [text(sample("aa")), text(record), text(sample("aö"))])
    },
    Check("what a transaction reads does not alter what its changes do") { store in
      try await store.put(["none"], "new", in: .profiles)
      for (id, value) in [("same", "new"), ("other", "old"), ("none", nil)] {
        for reads in [[], [.people], [.profiles], [.people, .profiles]] as [[CollectionName]] {
          for (isRemoval, isChange) in [(true, value != nil), (false, id != "same")] {
            _ = try await store.write { (transaction) throws(StoreError) in
              guard let value else { return try transaction.delete(.people, id) }
              try transaction.put(sample(id, value), id: id, in: .people)
            }
            let commit = try await store.write { (transaction) throws(StoreError) in
              for collection in reads { _ = try transaction.record(collection, id) }
              if isRemoval { return try transaction.delete(.people, id) }
              try transaction.put(sample(id, "new"), id: id, in: .people)
            }
            try expectEqual(commit.records, isChange ? 1 : 0)
            try expectEqual(try store.snapshot().record(.people, id), isRemoval ? nil : sample(id, "new"))
          }
        }
      }
    },
    Check("a scan can be limited by a prefix and a start") { store in
      try await store.put(["a", "b", "b/1", "b/2", "b/3", "b0", "c"])
      let snapshot = try store.snapshot()
      try expectEqual(try snapshot.all(.people, ScanRange(prefix: "b/")).count, 3)
      try expectEqual(
        try snapshot.all(.people, ScanRange(prefix: "b/", after: "b/1")), ["b/2", "b/3"].map { text(sample($0)) })
      try expectEqual(try snapshot.all(.people, ScanRange(prefix: "b/", after: "a")).count, 3)
      try expectEqual(try snapshot.all(.people, ScanRange(prefix: "b/", after: "b/15")).count, 2)
      try expectEqual(try snapshot.all(.people, ScanRange(prefix: "b/", after: "c")), [])
      try expectEqual(try snapshot.all(.people, ScanRange(after: "b0")), [text(sample("c"))])
      try expectEqual(try snapshot.all(.people, ScanRange(prefix: "d")), [])
    },
    Check("a scan stops on request, and rethrows the error of its body") { store in
      try await store.put(["a", "b", "c"])
      let snapshot = try store.snapshot()
      var seen = 0
      try snapshot.scan(.people, .all) { (_: RawSpan) throws(StoreError) -> ScanStep in
        seen += 1
        return seen == 2 ? .stop : .next
      }
      try expectEqual(seen, 2)
      try await expectError(.aborted) {
        try snapshot.scan(.people, .all) { (_: RawSpan) throws(StoreError) -> ScanStep in
          throw StoreError(.aborted, "enough")
        }
      }
    },
    Check("collections are independent") { store in
      try await store.put(["a"], "1", in: .people)
      try await store.put(["a"], "2", in: .apps)
      let snapshot = try store.snapshot()
      try expectEqual(try snapshot.record(.people, "a"), sample("a", "1"))
      try expectEqual(try snapshot.record(.apps, "a"), sample("a", "2"))
      try expectEqual(snapshot.collections, [.apps, .people])
    },
  ]

  static let transactions: [Check] = [
    Check("a snapshot does not change") { store in
      try await store.put(["a", "b"], "1")
      let before = try store.snapshot()
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(sample("a", "2"), id: "a", in: .people)
        try transaction.delete(.people, "b")
        try transaction.put(sample("c", "2"), id: "c", in: .people)
      }
      try expectEqual(try before.all(.people), [text(sample("a", "1")), text(sample("b", "1"))])
      try expectEqual(before.sequence, 1)
      let after = try store.snapshot()
      try expectEqual(try after.all(.people), [text(sample("a", "2")), text(sample("c", "2"))])
      try expectEqual(after.sequence, 2)
    },
    Check("a transaction sees its own changes") { store in
      try await store.put(["a", "b", "c"], "1")
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(sample("b", "2"), id: "b", in: .people)
        try transaction.delete(.people, "a")
        try transaction.put(sample("d", "2"), id: "d", in: .people)
        let all = try transaction.all(.people)
        guard all == [sample("b", "2"), sample("c", "1"), sample("d", "2")].map(text),
          try transaction.record(.people, "a") == nil, try transaction.record(.people, "d") == sample("d", "2"),
          try transaction.count(.people) == 3
        else { throw StoreError(.damaged, "the transaction sees \(all)") }
      }
    },
    Check("a transaction without changes is not written") { store in
      try await store.put(["a"], "1")
      let same = try await store.put(["a"], "1")
      try expectEqual(same.sequence, nil)
      try expectEqual(same.records, 0)
      let back = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(sample("a", "2"), id: "a", in: .people)
        try transaction.put(sample("a", "1"), id: "a", in: .people)
        try transaction.put(sample("b", "1"), id: "b", in: .people)
        try transaction.delete(.people, "b")
        try transaction.delete(.people, "none")
      }
      try expectEqual(back.sequence, nil)
      try expectEqual(try store.snapshot().sequence, 1)
      let partly = try await store.put(["a", "b"], "1")
      try expectEqual(partly.sequence, 2)
      try expectEqual(partly.records, 1)
    },
    Check("an error of the body is rethrown, and nothing is written") { store in
      try await store.put(["a"], "1")
      try await expectError(.aborted) {
        _ = try await store.write { (transaction) throws(StoreError) in
          try transaction.put(sample("b", "1"), id: "b", in: .people)
          throw StoreError(.aborted, "no")
        }
      }
      try expectEqual(try store.snapshot().all(.people), [text(sample("a", "1"))])
      try await store.put(["c"], "1")
      try expectEqual(try store.snapshot().count(.people), 2)
    },
    Check("invalid ids and records are rejected") { store in
      let bad: [(record: String, id: String, collection: String)] = [
        ("{\"id\":\"\"}", "", "people"),
        ("{\"id\":\"b\"}", "a", "people"),
        ("{\"name\":\"b\",\"id\":\"a\"}", "a", "people"),
        ("{\"id\":\"a\",\n\"b\":1}", "a", "people"),
        ("[\"a\"]", "a", "people"),
        ("{\"id\":\"a\u{1}\"}", "a\u{1}", "people"),
        ("{\"id\":\"\(String(repeating: "x", count: 1025))\"}", String(repeating: "x", count: 1025), "people"),
        ("{\"id\":\"a\"}", "a", "../people"),
        ("{\"id\":\"a\"}", "a", ""),
      ]
      for entry in bad {
        try await expectError(.invalidRecord) {
          _ = try await store.write { (transaction) throws(StoreError) in
            try transaction.put(Array(entry.record.utf8), id: entry.id, in: CollectionName(rawValue: entry.collection))
          }
        }
      }
      try expectEqual(try store.snapshot().sequence, 0)
    },
    Check("writers take turns and lose nothing") { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<8 {
          group.addTask {
            for _ in 0..<10 {
              _ = try await store.write { (transaction) throws(StoreError) in
                let old = try transaction.record(.people, "n").map { $0.count - 21 } ?? 0
                let value = String(repeating: "x", count: old + 1)
                try transaction.put(sample("n", value), id: "n", in: .people)
                try transaction.put(sample("w\(writer)", value), id: "w\(writer)", in: .people)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let snapshot = try store.snapshot()
      try expectEqual(snapshot.sequence, 80)
      try expectEqual(try snapshot.count(.people), 9)
      try expectEqual(try snapshot.record(.people, "n"), sample("n", String(repeating: "x", count: 80)))
    },
  ]
}

extension RecordStoreContract {
  static let feed: [Check] = [
    Check("the feed contains every change in order", needsCompleteFeed: true) { store in
      try await store.put(["b", "a"], "1")
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.delete(.people, "a")
        try transaction.put(sample("c", "2"), id: "c", in: .apps)
      }
      let all = try store.changes(since: nil, limit: 100)
      try expectEqual(all.map(\.id), ["b", "a", "a", "c"])
      try expectEqual(all.map(\.collection), [.people, .people, .people, .apps])
      try expectEqual(all.map { $0.record != nil }, [true, true, false, true])
      try expectEqual(all[3].record, sample("c", "2"))
      try expectEqual(all.map(\.at), [all[0].at, all[0].at, all[2].at, all[2].at])
      try expect(all[0].at.secondsSinceEpoch > 0, "a change without a time")
      try expect(all[0].at <= all[2].at, "an earlier time for a later commit")
    },
    Check("the feed continues after any cursor, with any limit", needsCompleteFeed: true) { store in
      for round in 0..<5 { try await store.put(["a", "b", "c\(round)"], "\(round)") }
      let all = try store.changes(since: nil, limit: 100)
      try expectEqual(all.count, 15)
      try expectEqual(Set(all.map(\.cursor)).count, 15)
      for (index, change) in all.enumerated() {
        let rest = try store.changes(since: ChangeCursor(change.cursor.description), limit: 100)
        try expectEqual(rest, Array(all[(index + 1)...]))
      }
      for limit in 1...4 {
        var found: [StoreChange] = []
        var cursor: ChangeCursor?
        while case let piece = try store.changes(since: cursor, limit: limit), !piece.isEmpty {
          try expect(piece.count <= limit, "\(piece.count) changes, limit \(limit)")
          found += piece
          cursor = piece.last?.cursor
        }
        try expectEqual(found, all)
      }
      let end = all[14].cursor
      try expectEqual(try store.changes(since: end, limit: 10), [])
      try await store.put(["z"], "9")
      try expectEqual(try store.changes(since: end, limit: 10).map(\.id), ["z"])
    },
    Check("the end of the feed is known without reading it, and stays valid") { store in
      try expectEqual(try store.snapshot().end, nil)
      try await store.put(["a", "b"], "1")
      let first = try store.snapshot()
      guard let end = first.end else { throw ContractViolation("a store with a commit has an end") }
      try expectEqual(try store.changes(since: end, limit: 10), [])
      try await store.put(["c"], "2")
      try expectEqual(first.end, end)
      try expectEqual(try store.changes(since: end, limit: 10).map(\.id), ["c"])
      try await store.put(["d", "e"], "3")
      let rest = try store.changes(since: end, limit: 2)
      try expectEqual(rest.map(\.id), ["c", "d"])
      try expectEqual(try store.changes(since: rest.last?.cursor, limit: 10).map(\.id), ["e"])
    },
    Check("an invalid cursor is rejected") { store in
      try await store.put(["a"])
      for text in ["", "nonsense", "-1", "99999999999999999999", "7-7-7"] {
        try await expectError(.invalidCursor) { _ = try store.changes(since: ChangeCursor(text), limit: 1) }
      }
    },
  ]
}

extension RecordStoreContract {
  private static func loaded(
    _ ids: [String], _ value: String, into store: any RecordStore, failsAt failure: Int? = nil
  ) async throws(StoreError) -> LoadCounts {
    var place = 0
    return try await store.load(.people) { () throws(StoreError) in
      if place == failure { throw StoreError(.aborted, "the source of the records ends here") }
      guard place < ids.count else { return nil }
      defer { place += 1 }
      return LoadedRecord(id: ids[place], record: sample(ids[place], value), place: place + 1)
    }
  }

  static let loading: [Check] = [
    Check("a load is one commit of records in any order, and counts what it did") { store in
      try await store.put(["a", "b", "other"], "1")
      let sequence = try store.snapshot().sequence
      let counts = try await loaded(["d", "b", "a"] + LookAlikes.ids, "1", into: store)
      try expectEqual([counts.added, counts.updated, counts.unchanged], [1 + LookAlikes.ids.count, 0, 2])
      try expectEqual(try store.snapshot().sequence, sequence + 1)
      let again = try await loaded(["b", "e"], "2", into: store)
      try expectEqual([again.added, again.updated, again.unchanged], [1, 1, 0])
      for (id, value) in [("a", "1"), ("b", "2"), ("d", "1"), ("e", "2"), ("other", "1")] {
        try expectEqual(try store.snapshot().record(.people, id), sample(id, value))
      }
    },
    Check("a load that changes nothing is no commit") { store in
      try await store.put(["a"], "1")
      let sequence = try store.snapshot().sequence
      try expectEqual(try await loaded(["a"], "1", into: store).unchanged, 1)
      try expectEqual(try await loaded([], "", into: store), LoadCounts())
      try expectEqual(try store.snapshot().sequence, sequence)
    },
    Check("a record that is stored as it comes changes nothing") { store in
      try await store.put(["a", "b"], "1")
      var rest = [("a", "1", true), ("c", "2", false), ("b", "2", false)].map {
        LoadedRecord(id: $0.0, record: sample($0.0, $0.1), place: 1, isStored: $0.2)
      }
      let counts = try await store.load(.people) { () throws(StoreError) in rest.popLast() }
      try expectEqual([counts.added, counts.updated, counts.unchanged], [1, 1, 1])
      for (id, value) in [("a", "1"), ("b", "2"), ("c", "2")] {
        try expectEqual(try store.snapshot().record(.people, id), sample(id, value))
      }
    },
    Check("a load that fails writes nothing, and names the place of a second record with the same id") { store in
      try await store.put(["a"], "1")
      try await expectError(.aborted) { _ = try await loaded(["b", "c"], "2", into: store, failsAt: 1) }
      do throws(StoreError) {
        _ = try await loaded(["b", "c", "b"], "2", into: store)
        throw StoreError(.aborted, "no error of a repeated id")
      } catch {
        try expectEqual(error.code, .invalidRecord)
        try expectEqual(error.offset, 3)
      }
      try expectEqual(try store.snapshot().all(.people), [text(sample("a", "1"))])
      try await store.put(["b"], "3")
    },
    Check("a body knows no cause before it says one") { store in
      let cause = ChangeCause(.edit)
      let committed = try await store.write { (transaction) throws(StoreError) in
        let before = transaction.cause
        transaction.explain(cause)
        try transaction.put(sample("a"), id: "a", in: .people)
        return [before, transaction.cause]
      }
      try expectEqual(committed.value, [nil, cause])
      let next = try await store.write { (transaction) throws(StoreError) in transaction.cause }
      try expectEqual(next.value, nil)
    },
    Check("the cause that a body or a load says is in the history, also of a wrapped store") { store in
      var innermost = store
      while let wrapper = innermost as? any WrappedStore { innermost = wrapper.base }
      guard let history = innermost as? any HistoricalStore else { return }
      let causes = [ChangeCause(.edit), ChangeCause(.edit), ChangeCause(.import)]
      for (id, target) in [("c", innermost), ("a", store)] {
        _ = try await target.write { (transaction) throws(StoreError) in
          transaction.explain(causes[0])
          try transaction.put(sample(id), id: id, in: .people)
        }
      }
      // A store that keeps no history keeps no cause either.
      guard (try? history.origin(of: 1))?.cause != nil else { return }
      var rest = [LoadedRecord(id: "b", record: sample("b"), place: 1)]
      _ = try await store.load(.people, because: causes[2]) { () throws(StoreError) in rest.popLast() }
      for (commit, cause) in zip(UInt64(1)..., causes) { try expectEqual(try history.origin(of: commit)?.cause, cause) }
    },
    Check("the write of a cancelled task is whole or aborted, and holds nothing up") { store in
      let write = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(StoreError) {
          try await store.put(["a", "b"])
          return true
        } catch {
          try expectEqual(error.code, .aborted)
          return false
        }
      }
      let isCommitted = try await write.value
      try expectEqual(try store.snapshot().count(.people), isCommitted ? 2 : 0)
      try await store.put(["c"])
    },
  ]
}

extension RecordStore {
  /// Loads records one by one, in batches of one to three. A store that asks again after the end gets an error.
  @discardableResult
  public func load(
    _ collection: CollectionName, because cause: ChangeCause? = nil, _ next: () throws(StoreError) -> LoadedRecord?
  ) async throws(StoreError) -> LoadCounts {
    var size = 0
    var isAtEnd = false
    return try await load(collection, because: cause) { () async throws(StoreError) -> LoadBatch? in
      var batch = LoadBatch()
      size = size % 3 + 1
      while !isAtEnd, batch.count < size {
        if let record = try next() { batch.append(record) } else { isAtEnd = true }
      }
      if isAtEnd, batch.isEmpty {
        guard size > 0 else { throw StoreError(.aborted, "the store asked again after the end") }
        size = -1
        return nil
      }
      return batch
    }
  }
}

/// A store that loads records as a single transaction, and holds all of them in memory meanwhile.
public protocol LoadsAtOnce: RecordStore {}

extension LoadsAtOnce {
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    var records: [LoadedRecord] = []
    var seen: Set<[UInt8]> = []
    while let batch = try await next() {
      for record in batch {
        guard seen.insert(Array(record.id.utf8)).inserted else {
          throw StoreError.duplicate(record.id, at: record.place)
        }
        records.append(record)
      }
    }
    return try await write { (transaction) throws(StoreError) -> LoadCounts in
      transaction.cause = cause
      var counts = LoadCounts()
      for record in records {
        let old = try transaction.record(collection, record.id)
        if old == record.record {
          counts.unchanged += 1
        } else if old == nil {
          counts.added += 1
        } else {
          counts.updated += 1
        }
        if old != record.record { try transaction.put(record.record, id: record.id, in: collection) }
      }
      return counts
    }.value
  }
}

/// Pairs of ids that differ in bytes but are equal, or nearly equal, as text. Code that confuses them loses a record.
public enum LookAlikes {
  /// Pairs that are equal as Swift strings.
  public static let equivalent: [(String, String)] = [
    // A precomposed letter, and a letter with a combining mark.
    ("caf\u{E9}", "cafe\u{301}"),
    // Two combining marks in either order.
    ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    // A Hangul syllable and its letters.
    ("\u{D55C}", "\u{1112}\u{1161}\u{11AB}"),
    // A symbol and its equivalent letter.
    ("\u{212B}", "\u{C5}"),
  ]

  /// All of these ids, ids that differ only in case, and combining marks that attach to the text before an id.
  public static let ids: [String] = equivalent.flatMap { [$0.0, $0.1] } + ["Id", "id", "\u{301}x", "\u{FE0F}"]

  /// Pairs that are easily confused: by Swift's `String`, or by code that ignores case.
  private static let pairs = equivalent + [("Id", "id")]

  /// An infinite sequence of different ids in which each even position and its successor look alike.
  public static func id(_ number: Int) -> String {
    let (round, pair) = (number / 2 / pairs.count, pairs[number / 2 % pairs.count])
    return (number % 2 == 0 ? pair.0 : pair.1) + (round == 0 ? "" : String(round))
  }
}
