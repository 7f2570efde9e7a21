import Models
public import Ports

/// The requirements for every adapter of `HistoricalStore`: a random life of a store, and a model that remembers every
/// state of it.
public struct HistoryContract {
  private typealias Contents = [CollectionName: [ExactString: [UInt8]]]

  private let random: SeededRandom
  private let time: ManualTime
  private let seed: UInt64
  private let hasOwnClock: Bool
  /// By commit; the first is the empty store.
  private var states: [Contents] = [[:]]
  private var origins: [CommitOrigin] = []
  private static let collections: [CollectionName] = [.people, CollectionName(rawValue: "commits")]

  private init(seed: UInt64, time: ManualTime, hasOwnClock: Bool) {
    (self.seed, self.time, self.hasOwnClock) = (seed, time, hasOwnClock)
    random = SeededRandom(seed: seed)
  }

  /// Plays a life.
  ///
  /// - Parameters:
  ///   - time: the clock of the store.
  ///   - hasOwnClock: whether the times of commits are those of a server instead.
  ///   - maintain: compacts the store, opens it anew, or does nothing, as a number decides.
  /// - Throws: `ContractViolation` with the seed, or an unexpected error of the store.
  public static func check(
    seed: UInt64, commits: Int = 30, time: ManualTime, hasOwnClock: Bool = false, on store: any HistoricalStore,
    maintain: (any HistoricalStore, Int) async throws -> any HistoricalStore
  ) async throws {
    var life = HistoryContract(seed: seed, time: time, hasOwnClock: hasOwnClock)
    var store = store
    do {
      for number in 0..<commits {
        try await life.commit(to: store)
        store = try await maintain(store, life.random.below(12))
        if number % 10 == 9 { try life.check(store) }
      }
      try life.check(store)
    } catch {
      throw ContractViolation("seed \(seed), commit \(life.states.count - 1): \(error)")
    }
  }

  private mutating func commit(to store: any HistoricalStore) async throws {
    time.set(by: [0, 0, 1, 60, 7200, -30][random.below(6)])
    var next = states.last!
    let cause = random.below(5) == 0 ? nil : self.cause
    let sequence: UInt64?
    if random.below(8) == 0 {
      let collection = random.pick(Self.collections)
      let ids = Set((0..<2 + random.below(30)).map { _ in self.id.exact }).sorted()
      var rest = ids.enumerated().map { LoadedRecord(id: $1.text, record: record($1.text, nil), place: $0) }[...]
      for record in rest { next[collection, default: [:]][record.id.exact] = record.record }
      _ = try await store.load(collection, because: cause) { () throws(StoreError) in rest.popLast() }
      sequence = try store.snapshot().sequence == states.count - 1 ? nil : UInt64(states.count)
    } else {
      var changes: [(CollectionName, String, [UInt8]?)] = []
      for _ in 0..<1 + random.below(random.below(6) == 0 ? 20 : 3) {
        let (collection, id) = (random.pick(Self.collections), self.id)
        let record = random.below(6) == 0 ? nil : self.record(id, next[collection]?[id.exact])
        next[collection, default: [:]][id.exact] = record
        changes.append((collection, id, record))
      }
      sequence = try await store.write { (transaction) throws(StoreError) in
        for (collection, id, record) in changes {
          if let record {
            try transaction.put(record, id: id, in: collection)
          } else {
            try transaction.delete(collection, id)
          }
        }
        if let cause { transaction.explain(cause) }
      }.sequence
    }
    next = next.filter { !$0.value.isEmpty }
    if next == states.last! { return try expectEqual(sequence, nil) }
    try expectEqual(sequence, UInt64(states.count))
    states.append(next)
    let at = hasOwnClock ? try store.origin(of: UInt64(states.count - 1))?.at : time.now
    origins.append(CommitOrigin(at: at ?? time.now, cause: cause))
  }

  private var cause: ChangeCause {
    let kind = random.pick(ChangeCause.Kind.allCases)
    return ChangeCause(
      kind, follow: random.below(2) == 0 ? "a/b\"c" : nil, run: "r\(random.below(9))",
      moved: random.below(4) == 0 ? [.init(.people, from: "a\\b", to: "é")] : [])
  }

  private var id: String {
    random.pick(["a", "b\"c", "d\\", "p/\(random.below(6))", "k\(random.below(12))", LookAlikes.ids[random.below(4)]])
  }

  /// A record that differs in a few members from the one before, as records do, or in all, or is hardly JSON.
  private func record(_ id: String, _ before: [UInt8]?) -> [UInt8] {
    let begin = Array(sample(id).dropLast(#","value":""}"#.utf8.count))
    let odd = [
      "", #","x":"#, #","x":"}"#, #","x":1,"#, #", "x" : 1"#, #","x":1,"x":2"#, #","x":1,"x":3"#, "]", #","x":[}"#,
    ]
    if random.below(8) == 0 { return begin + Array(random.pick(odd).utf8) + [0x7D] }
    let names = ["stars", "na\\\"me", "é", "e\u{301}", "note", "phones", "z"]
    let known = before.map { String(decoding: $0, as: UTF8.self) } ?? ""
    var members = names.map { "\"\($0)\":" }.filter { known.contains($0) || random.below(2) == 0 }
    if random.below(5) == 0, !members.isEmpty { members.remove(at: random.below(members.count)) }
    if random.below(6) == 0 { members.append("\"n\(random.below(3))\":") }
    if random.below(12) == 0 { members.reverse() }
    let values = members.map { name in
      let value = ["1", "[1,{\"a\":\"]}\"}]", "\"x\\\"y\\\\\"", "{\"b\":{}}", "\(random.below(100))"][random.below(5)]
      return ",\(name)\(value)"
    }
    return begin + Array(values.joined().utf8) + [0x7D]
  }

  private func check(_ store: any HistoricalStore) throws {
    let last = states.count - 1
    for commit in Set([0, last] + (0..<8).map { _ in random.below(states.count) }).sorted() {
      let past = try store.snapshot(at: UInt64(commit))
      try expectEqual(past.sequence, UInt64(commit))
      let expected = states[commit].filter { !$0.value.isEmpty }
      try expectEqual(past.collections, expected.keys.sorted())
      for collection in Self.collections {
        let sorted = (expected[collection] ?? [:]).sorted { $0.key < $1.key }
        try expectSame(try past.all(collection), sorted.map(\.value), "commit \(commit)")
        try expectEqual(try past.count(collection), sorted.count)
        let prefix = random.pick(["", "p/", "k1", "é", "zz"])
        let after = random.below(2) == 0 ? nil : id
        let range = ScanRange(prefix: prefix, after: after)
        let some = sorted.filter { $0.key.hasPrefix(prefix) && (after.map { $0.exact } ?? "") < $0.key }
        try expectSame(try past.all(collection, range), some.map(\.value), "commit \(commit), \(range)")
        for _ in 0..<3 {
          let id = self.id
          try expectEqual(try past.record(collection, id).map(text), expected[collection]?[id.exact].map(text))
        }
      }
    }
    for collection in Self.collections {
      let id = self.id
      let all = changes(of: collection)
      let own = all.filter { $0.$id == id.exact }
      let before = random.below(2) == 0 ? nil : UInt64(random.below(states.count + 1))
      let limit = 1 + random.below(6)
      try expectEqual(
        try store.history(collection, id, before: before, limit: limit),
        Array(own.reversed().filter { $0.commit < before ?? .max }.prefix(limit)))
      let from = UInt64(random.below(states.count))
      let range = from...from + UInt64(random.below(10))
      var found: [RecordChange] = []
      try store.history(collection, in: range) { (change) throws(StoreError) in
        found.append(change)
        return .next
      }
      try expectEqual(found, all.filter { range.contains($0.commit) })
    }
    for _ in 0..<4 {
      let commit = random.below(origins.count)
      try expectEqual(try store.origin(of: UInt64(commit + 1)), origins[commit])
      let at = origins[commit].at + (random.below(3) - 1)
      let expected = origins.lastIndex { $0.at <= at }
      let found = try store.moment(at)
      if expected == nil, found?.commit == 0 { continue }
      try expectEqual(found, expected.map { Moment(commit: UInt64($0 + 1), at: origins[$0].at) })
    }
  }

  private func changes(of collection: CollectionName) -> [RecordChange] {
    var changes: [RecordChange] = []
    for commit in states.indices.dropFirst() {
      let (old, new) = (states[commit - 1][collection] ?? [:], states[commit][collection] ?? [:])
      for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
        changes.append(RecordChange(id: id.text, commit: UInt64(commit), before: old[id], after: new[id]))
      }
    }
    return changes.sorted { ($0.$id, $0.commit) < ($1.$id, $1.commit) }
  }

  private func expectSame(_ found: [String], _ expected: [[UInt8]], _ place: String, line: Int = #line) throws {
    let texts = expected.map { text($0) }
    try expect(found.map(\.exact) == texts.map(\.exact), "\(place): expected \(texts), found \(found)", line: line)
  }
}
