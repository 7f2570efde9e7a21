import AlmanacTesting
import Foundation
import Models
import Networking
import Ports
import PostgreSQLStore
import Testing

func record(_ id: String, _ value: String) -> [UInt8] { Array("{\"id\":\"\(id)\",\"value\":\"\(value)\"}".utf8) }

/// A new store in the server that the tests share.
func newStore() async throws -> PostgreSQLStore {
  try PostgreSQLStore(StoreAddress(await PostgreSQLServer.shared().newAddress()), time: SystemTimeSource())
}

extension RecordStore {
  @discardableResult
  func put(_ id: String, _ value: String) async throws(StoreError) -> Committed<Void> {
    try await write { (transaction) throws(StoreError) in
      try transaction.put(record(id, value), id: id, in: .people)
    }
  }
}

func expectError(_ code: StoreError.Code, _ body: () async throws -> Void) async {
  await #expect { try await body() } throws: { ($0 as? StoreError)?.code == code }
}

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct MaintenanceTests {
  @Test("compaction removes what later states do not need, and what needs it expires")
  func compaction() async throws {
    let store = try await newStore()
    for value in 1...5 { try await store.put("a", "\(value)") }
    try await store.put("b", "1")
    _ = try await store.write { (transaction) throws(StoreError) in try transaction.delete(.people, "b") }
    try await store.put("c", "1")
    let (old, early) = (try store.changes(since: nil, limit: 1)[0].cursor, try store.snapshot())
    try await store.put("a", "6")
    try await store.compact(to: 9)
    let changes = try store.changes(since: nil, limit: 100)
    #expect(changes.map(\.id) == ["c", "a"])
    #expect(changes.map(\.record) == [record("c", "1"), record("a", "6")])
    #expect(try store.verify() == [])
    // The feed of what a compaction left can be read in pieces, until the next compaction.
    let first = try store.changes(since: nil, limit: 1)
    #expect(try store.changes(since: first[0].cursor, limit: 10) == [changes[1]])
    await expectError(.cursorExpired) { _ = try store.changes(since: old, limit: 1) }
    await expectError(.snapshotExpired) { _ = try early.record(.people, "a") }
    try await store.put("d", "1")
    try await store.compact(to: 10)
    await expectError(.cursorExpired) { _ = try store.changes(since: first[0].cursor, limit: 1) }
    // Nothing is older than a day.
    #expect(try await store.compact().records == 3)
  }

  @Test("a wrong count is found and repaired") func verifies() async throws {
    let server = try await PostgreSQLServer.shared()
    let store = try await newStore()
    #expect(try store.verify() == [])
    try await store.put("a", "1")
    _ = try server.query("update \(store.address.schema).collection set count = 7")
    #expect(try store.verify().map(\.collection) == [.people])
    #expect(try await store.repair().map(\.severity) == [.note])
    #expect(try store.verify() == [] && store.snapshot().count(.people) == 1)
    _ = try server.query("delete from \(store.address.schema).commit")
    #expect(try store.verify().map(\.severity) == [.damage])
  }

  @Test("a cursor of a commit that was lost in a failover is refused") func divergedCursor() async throws {
    let server = try await PostgreSQLServer.shared()
    let store = try await newStore()
    try await store.put("a", "1")
    try await store.put("a", "2")
    let cursor = try #require(try store.snapshot().end)
    let schema = store.address.schema
    _ = try server.query(
      """
      delete from \(schema).version where seq = 2; delete from \(schema).commit where seq = 2;
      update \(schema).store set seq = 1
      """)
    await expectError(.cursorExpired) { _ = try store.changes(since: cursor, limit: 1) }
    try await store.put("a", "3")
    await expectError(.cursorExpired) { _ = try store.changes(since: cursor, limit: 1) }
  }

  @Test("a newer format is refused") func newerFormat() async throws {
    let store = try await newStore()
    try await store.put("a", "1")
    _ = try await PostgreSQLServer.shared().query("update \(store.address.schema).store set format = 3")
    await expectError(.newerFormat) { _ = try store.snapshot() }
    await expectError(.newerFormat) { try await store.put("a", "2") }
    await expectError(.newerFormat) { _ = try store.changes(since: nil, limit: 1) }
  }

  @Test("a stream of changes has those of another process") func stream() async throws {
    let store = try await newStore()
    let other = try PostgreSQLStore(store.address, time: SystemTimeSource())
    try await other.put("a", "1")
    var ids: [String] = []
    for try await batch in store.changes(after: nil) {
      ids += batch.map(\.id)
      if ids == ["a"] { try await other.put("b", "1") }
      if ids.count == 2 { break }
    }
    #expect(ids == ["a", "b"])
  }

  @Test("several processes make one store") func creation() async throws {
    let address = try StoreAddress(await PostgreSQLServer.shared().newAddress())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { try await PostgreSQLStore(address, time: SystemTimeSource()).put("n\(number)", "1") }
      }
      try await group.waitForAll()
    }
    #expect(try PostgreSQLStore(address, time: SystemTimeSource()).snapshot().count(.people) == 8)
  }

  @Test("a user who owns the schema, and may create no other, makes the store in it") func ownedSchema() async throws {
    let server = try await PostgreSQLServer.shared()
    let schema = "s" + UUID().uuidString.lowercased().filter { $0 != "-" }
    _ = try server.query("create role \(schema) login; create schema \(schema) authorization \(schema)")
    let address = server.address(schema).replacing("user=postgres", with: "user=\(schema)")
    let store = try PostgreSQLStore(StoreAddress(address), time: SystemTimeSource())
    try await store.put("a", "1")
    #expect(try store.snapshot().count(.people) == 1)
  }

  @Test("the statements of the documentation run, also if a text contains NUL") func documentedSQL() async throws {
    let server = try await PostgreSQLServer.shared()
    let address = server.newAddress()
    let store = try PostgreSQLStore(StoreAddress(address), time: SystemTimeSource())
    for (id, name) in [("a", "Ada"), ("b", #"B\u0000o"#), ("c", #"\\u0000"#), ("d", "Di"), ("e", "Ada")] {
      try await store.put(id, name)
    }
    _ = try await store.write { (transaction) throws(StoreError) in try transaction.delete(.people, "d") }
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Modules/PostgreSQLStore.md")
    let section = try #require(String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## SQL\n").last)
    let blocks = section.components(separatedBy: "```sql\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    try #require(blocks.count == 2)
    let schema = try StoreAddress(address).schema
    let statements = blocks.joined().replacing("almanac.", with: schema + ".").replacing(
      "schema almanac", with: "schema " + schema)
    let rows = try server.query(
      statements + "set role grafana; select record->>'value' from \(schema).people order by id")
    #expect(rows.hasSuffix("Ada\nBo\n\\u0000\nAda"), "\(rows)")
  }

  @Test("images are kept once, checked, and make room") func media() async throws {
    let store = try await newStore()
    let media = PostgreSQLMedia(store)
    #expect(try media.count() == 0 && media.item(for: "a") == nil && !media.isEvicted("a"))
    let item = try await media.keep([1, 2, 3], type: "image/png", for: "https://example.org/a.png")
    #expect(try await media.keep([1, 2, 3], type: "image/png", for: "https://example.org/b\"\\.png") == item)
    #expect(item.digest == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    #expect(try media.count() == 2 && media.bytes(of: item) == [1, 2, 3])
    #expect(try media.item(for: "https://example.org/b\"\\.png") == item)
    let other = try await media.keep([4, 5], type: "image/png", for: "c")
    let server = try await PostgreSQLServer.shared()
    _ = try server.query(
      "update \(store.address.schema).media set used = now() - interval '9 days' where length(bytes) = 3")
    let week = SystemTimeSource().now + -7 * 86_400
    #expect(try media.evict(to: 5, unusedSince: week) == 5)
    #expect(try media.evict(to: 4, unusedSince: week) == 2)
    #expect(try media.isEvicted("https://example.org/a.png") && media.item(for: "https://example.org/a.png") == nil)
    #expect(try media.evict(to: 0, unusedSince: week) == 2 && media.item(for: "c") == other)
    try media.want("https://example.org/a.png")
    #expect(try !media.isEvicted("https://example.org/a.png") && media.count() == 1)
    _ = try server.query("update \(store.address.schema).media set bytes = '\\x0405'::bytea || '\\x06'::bytea")
    await expectError(.damaged) { _ = try media.bytes(of: other) }
  }
}

@Suite struct StoreAddressTests {
  @Test(arguments: [
    "postgres://ada:secret@host/db", "postgresql://ada:@host/db", "postgres://host/db?password=secret",
    "postgres://host/db?sslmode=require&pass%77ord=secret", "postgres:///db?sslpassword=secret",
    "postgres://a@b:secret@host/db", "host=/nonexistent password=secret dbname=nodb", "/tmp/secret", "secret", "",
    "postgress://host/secret", "postgres:/secret", "POSTGRES://ada:secret@host/db",
  ]) func passwordsAndOtherFormsAreRefused(_ text: String) {
    #expect { try StoreAddress(text) } throws: { error in
      let error = error as? StoreError
      return error?.code == .invalidAddress && !"\(String(describing: error?.failure))".contains("secret")
    }
  }

  @Test(arguments: [
    ("postgres://host/db", "almanac", "postgres://host/db"),
    (
      "postgres://ada@host:5433/db?schema=team_2&sslmode=verify-full", "team_2",
      "postgres://ada@host:5433/db?sslmode=verify-full"
    ), ("postgresql:///db?host=/run/pg", "almanac", "postgresql:///db?host=/run/pg"),
    ("postgres://[::1]:5432/db", "almanac", "postgres://[::1]:5432/db"),
    ("postgres://?service=almanac&schema=x", "x", "postgres://?service=almanac"),
    ("PostgreSQL://Ada@Host/DB?schema=x", "x", "postgresql://Ada@Host/DB"),
  ]) func isRead(_ text: String, schema: String, connection: String) throws {
    let address = try StoreAddress(text)
    #expect(StoreAddress.isAddress(text))
    #expect(address.schema == schema && address.connection == connection && address.text == text)
  }

  @Test(arguments: ["A", "", "a-b", "pg_x", "x;y", String(repeating: "x", count: 64)]) func schemasAreChecked(
    _ schema: String
  ) async { await expectError(.invalidAddress) { _ = try StoreAddress("postgres://host/db?schema=\(schema)") } }

  @Test func folders() { #expect(!StoreAddress.isAddress("/var/lib/almanac") && !StoreAddress.isAddress("postgres")) }

  @Test("a server that is not there is unreachable") func nobodyListens() async {
    await expectError(.unreachable) {
      _ = try PostgreSQLStore(StoreAddress("postgres:///db?host=/nonexistent"), time: SystemTimeSource())
    }
  }
}
