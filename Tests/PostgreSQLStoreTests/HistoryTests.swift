import AlmanacTesting
import Models
import Networking
import Ports
import PostgreSQLStore
import Testing

@Suite(
  "The history of a store on PostgreSQL",
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct HistoryTests {
  private static let apps = CollectionName(rawValue: "apps")

  private func open(
    _ address: String? = nil, _ history: HistorySetting? = .keep(), pageSize: Int = 2000
  ) async throws -> PostgreSQLStore {
    let address = if let address { address } else { try await PostgreSQLServer.shared().newAddress() }
    return try PostgreSQLStore(StoreAddress(address), history: history, time: SystemTimeSource(), pageSize: pageSize)
  }

  private func put(_ id: String, _ value: String?, in store: PostgreSQLStore, _ collection: CollectionName = .people)
    async throws
  {
    _ = try await store.write { (transaction) throws(StoreError) in
      if let value {
        try transaction.put(Array(#"{"id":"\#(id)",\#(value)}"#.utf8), id: id, in: collection)
      } else {
        try transaction.delete(collection, id)
      }
      transaction.explain(ChangeCause(.edit, tool: .command("test")))
    }
  }

  private func values(of id: String, in store: PostgreSQLStore, _ collection: CollectionName = .people) throws
    -> [String]
  {
    try store.history(collection, id, before: nil, limit: 100).reversed().map {
      $0.after.map { String(decoding: $0.dropFirst(#"{"id":"","#.utf8.count + id.utf8.count), as: UTF8.self) } ?? "-"
    }
  }

  /// Also compacted after some commits: what the policies keep stays.
  @Test(arguments: 0..<6)
  func contract(seed: UInt64) async throws {
    let store = try await open(pageSize: seed % 2 == 0 ? 2 : 2000)
    let time = ManualTime()
    try await HistoryContract.check(seed: seed, time: time, hasOwnClock: true, on: store) { store, number in
      if number == 0, let store = store as? PostgreSQLStore {
        try await store.compact(to: Int64(try store.snapshot().sequence))
      }
      return store
    }
  }

  /// A collection of the store's own that is not kept is read as it is now.
  @Test(arguments: [HistoryPolicy.none, .forever]) func ownCollections(_ policy: HistoryPolicy) async throws {
    let store = try await open(nil, .policies { $0.isInternal ? policy : .forever })
    try await put("a", #""n":1"#, in: store, .cards)
    try await put("a", #""n":2"#, in: store, .cards)
    let past = try store.snapshot(at: 1)
    let isKept = policy != .none
    #expect(try past.record(.cards, "a") == Array(#"{"id":"a","n":\#(isKept ? 1 : 2)}"#.utf8))
    #expect(try past.count(.cards) == 1)
    try past.scan(.cards, .all) { record in
      #expect(record.byteCount == 16)
      return .next
    }
  }

  @Test func aStoreOfAnEarlierFormatBeginsAHistory() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let old = try await open(address, nil)
    try await put("a", #""n":1"#, in: old)
    try await put("a", #""n":2"#, in: old)
    #expect(throws: StoreError.self) { try old.snapshot(at: 1) }
    #expect(try old.histories().isEmpty)
    let new = try await open(address)
    try await put("a", #""n":3"#, in: new)
    // Without the setting, the history goes on.
    try await put("b", #""n":1"#, in: old)
    #expect(try values(of: "a", in: new) == [#""n":1}"#, #""n":2}"#, #""n":3}"#])
    #expect(try new.origin(of: 4)?.cause == ChangeCause(.edit, tool: .command("test")))
    #expect(try new.origin(of: 1)?.cause == nil)
    #expect(try new.snapshot(at: 2).record(.people, "a") == Array(#"{"id":"a","n":2}"#.utf8))
  }

  @Test func aUserWhoDoesNotOwnTheTablesGoesOnWithoutAHistory() async throws {
    let server = try await PostgreSQLServer.shared()
    let address = server.newAddress()
    let old = try await open(address, nil)
    try await put("a", #""n":1"#, in: old)
    let schema = old.address.schema
    _ = try server.query(
      "create role \(schema) login; grant usage on schema \(schema) to \(schema); "
        + "grant select, insert, update, delete on all tables in schema \(schema) to \(schema)")
    let store = try await open(address.replacing("user=postgres", with: "user=\(schema)"))
    try await put("a", #""n":2"#, in: store)
    #expect(try store.snapshot().sequence == 2 && store.histories().isEmpty)
  }

  @Test func policies() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let store = try await open(address, .policies { $0 == Self.apps ? .none : .forever })
    for number in 1...4 {
      try await put("a", "\"n\":\(number)", in: store)
      try await put("a", "\"n\":\(number)", in: store, Self.apps)
    }
    #expect(throws: StoreError.self) { try store.history(Self.apps, "a", before: nil, limit: 1) }
    #expect(throws: StoreError.self) { try store.snapshot(at: 3).record(Self.apps, "a") }
    try await store.compact(to: 8)
    let status = try store.histories()
    #expect(status.map(\.changes) == [0, 3] && status.map(\.policy) == [.none, .forever], "\(status)")
    #expect(try store.verify().isEmpty)
    // A program that keeps more does not take what is left for the whole.
    let other = try await open(address)
    #expect(try other.history(Self.apps, "a", before: nil, limit: 9).isEmpty)
    #expect(throws: StoreError.self) { try other.snapshot(at: 7).record(Self.apps, "a") }

    try await store.setPolicy(.forever, of: Self.apps)
    #expect(try store.history(Self.apps, "a", before: nil, limit: 9).isEmpty)
    try await put("a", "\"n\":5", in: store, Self.apps)
    #expect(try values(of: "a", in: store, Self.apps) == [#""n":5}"#])
    #expect(try store.snapshot(at: 8).record(Self.apps, "a") != nil)
    #expect(throws: StoreError.self) { try store.snapshot(at: 7).record(Self.apps, "a") }
    try await store.setPolicy(.none, of: .people)
    #expect(try store.histories().map(\.changes) == [1, 0])
  }

  /// A compaction that does not know the policies would remove every former version.
  @Test func aCompactionThatCannotReadThePoliciesRemovesNothing() async throws {
    let server = try await PostgreSQLServer.shared()
    let address = server.newAddress()
    let store = try await open(address)
    for number in 1...3 { try await put("a", "\"n\":\(number)", in: store) }
    let schema = store.address.schema
    _ = try server.query(
      "create role \(schema) login; grant usage on schema \(schema) to \(schema); "
        + "grant select, insert, update, delete on all tables in schema \(schema) to \(schema); "
        + "revoke all on \(schema).history from \(schema)")
    let other = try await open(address.replacing("user=postgres", with: "user=\(schema)"))
    await #expect(throws: StoreError.self) { try await other.compact(to: 3) }
    #expect(try values(of: "a", in: store) == [#""n":1}"#, #""n":2}"#, #""n":3}"#])
  }

  @Test func whatIsTooOldGoes() async throws {
    let store = try await open(nil, .keep(.days(2)))
    for number in 1...5 { try await put("a", "\"n\":\(number)", in: store) }
    try await put("b", "\"n\":1", in: store)
    try await put("b", nil, in: store)
    _ = try await PostgreSQLServer.shared().query(
      "update \(store.address.schema).commit set at = at - interval '3 days' where seq <= 3")
    try await store.compact(to: 7)
    #expect(try values(of: "a", in: store) == [#""n":4}"#, #""n":5}"#])
    #expect(try store.snapshot(at: 3).record(.people, "a") == Array(#"{"id":"a","n":3}"#.utf8))
    #expect(throws: StoreError.self) { try store.snapshot(at: 2).record(.people, "a") }
    #expect(try store.histories().map(\.since?.commit) == [3] && values(of: "b", in: store).count == 2)
    #expect(try store.verify().isEmpty)
  }

  /// Nothing is a day old, so that the last value of the day stays.
  @Test func countersAreThinned() async throws {
    let store = try await open(nil, .keep(daily: ["stars"], quiet: ["seen"]))
    for value in [
      #""stars":1,"name":"a""#, #""stars":2,"name":"a""#, #""stars":3,"name":"a""#, #""stars":3,"name":"b""#,
      #""stars":3,"name":"b","seen":1"#, #""stars":3,"name":"b","seen":2"#, #""stars":3,"name":"\u0000","seen":2"#,
      #""stars":4,"name":"\u0000","seen":2"#, #""stars":5,"name":"c","seen":2"#,
    ] { try await put("a", value, in: store) }
    try await store.compact(to: 9)
    #expect(
      try values(of: "a", in: store) == [
        #""stars":1,"name":"a"}"#, #""stars":3,"name":"b"}"#, #""stars":3,"name":"\u0000","seen":2}"#,
        #""stars":4,"name":"\u0000","seen":2}"#, #""stars":5,"name":"c","seen":2}"#,
      ])
  }

  @Test func nothingIsLeftOfWhatIsErased() async throws {
    let store = try await open()
    try await put("needle-1", #""name":"needle-2""#, in: store)
    let cursor = try store.snapshot().end
    try await put("needle-1", #""name":"needle-3""#, in: store)
    try await put("other", #""name":"x""#, in: store)
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(#"{"id":"z"}"#.utf8), id: "z", in: .people)
      transaction.explain(ChangeCause(.sync, moved: [.init(.people, from: "needle-1", to: "z")]))
    }
    let erased = try await store.erase { (reader) throws(StoreError) in
      try reader.record(.people, "needle-1") == nil ? [] : [RecordName(.people, "needle-1")]
    }
    #expect(erased == ErasedRecords(records: 1, changes: 2))
    #expect(try store.snapshot().count(.people) == 2 && store.snapshot(at: 2).record(.people, "needle-1") == nil)
    #expect(try store.verify().isEmpty && store.history(.people, "needle-1", before: nil, limit: 9).isEmpty)
    #expect(throws: StoreError.self) { try store.changes(since: cursor, limit: 9) }
    let dump = try await PostgreSQLServer.shared().run("pg_dump", "-d", "postgres", "--schema=\(store.address.schema)")
    // Records are in hexadecimal digits.
    #expect(dump.contains("other") && !dump.contains("needle") && !dump.contains("6e6565646c65"))
  }
}
