import AlmanacTesting
import CLibrary
import Foundation
import Models
import Networking
import Parsing
import Persistence
import Ports
import PostgreSQLStore
import Testing

/// The server crashes, ends connections or is silent. `ALMANAC_SERVER_FAULTS=200` makes more faults than the default.
@Suite(
  .serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct FaultTests {
  static let faults = ProcessInfo.processInfo.environment["ALMANAC_SERVER_FAULTS"].flatMap(Int.init) ?? 6

  /// How long writers wait for a server that is away: longer than a machine needs that does much else. The answer to one
  /// commit of three is lost, so that a writer that gives up fails the test, and what it tests is not how long that takes.
  static let timeout = Duration.seconds(600)

  /// Each of four writers counts to a number in a record of its own, and in one that all share.
  @Test("no acknowledged commit is lost, and none is made twice") func crashes() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let store = try PostgreSQLStore(StoreAddress(server.newAddress()), time: SystemTimeSource(), timeout: Self.timeout)
    try await store.put("first", "")
    let isOver = Flag()
    let counts = try await withThrowingTaskGroup(of: (writer: Int, count: Int).self) { group in
      for writer in 0..<4 {
        group.addTask {
          var count = 0
          while !isOver.isSet {
            let value = count + 1
            let committed = try await store.write { (transaction) throws(StoreError) in
              let all = try transaction.record(.people, "all").map { $0.count } ?? record("all", "").count
              try transaction.put(
                record("all", String(repeating: "x", count: all - record("all", "").count + 1)), id: "all", in: .people)
              try transaction.put(record("w\(writer)", "\(value)"), id: "w\(writer)", in: .people)
            }
            guard committed.records == 2 else { throw Wrong(text: "\(committed)") }
            count = value
          }
          return (writer, count)
        }
      }
      for fault in 0..<Self.faults {
        // Until some commits were made since the last fault.
        let before = try? store.snapshot().sequence
        var now = before
        while now == nil || now! < (before ?? 0) + 5 {
          try await Task.sleep(for: .milliseconds(1))
          now = try? store.snapshot().sequence
        }
        if fault % 3 == 0 {
          try server.crash()
        } else {
          _ = try server.query(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
              where backend_type = 'client backend' and pid <> pg_backend_pid()
            """)
        }
      }
      isOver.set()
      var counts: [Int: Int] = [:]
      for try await result in group { counts[result.writer] = result.count }
      return counts
    }
    let total = counts.values.reduce(0, +)
    let snapshot = try store.snapshot()
    #expect(snapshot.sequence == UInt64(total + 1))
    #expect(try snapshot.record(.people, "all")?.count == record("all", "").count + total)
    for (writer, count) in counts {
      #expect(try snapshot.record(.people, "w\(writer)") == record("w\(writer)", "\(count)"))
    }
    // The feed has each commit once.
    var commits: [String] = []
    var cursor: ChangeCursor?
    while case let batch = try store.changes(since: cursor, limit: 1000), let last = batch.last {
      commits += batch.filter { $0.id != "all" }.map { "\($0.id) \(String(decoding: $0.record ?? [], as: UTF8.self))" }
      cursor = last.cursor
    }
    #expect(commits.count == total + 1 && Set(commits).count == commits.count)
    #expect(try store.verify() == [])
    print("\(Self.faults) faults, \(total) commits of 4 writers")
  }

  private struct Wrong: Error { var text: String }

  @Test("a commit whose answer is lost is neither lost nor repeated") func unknownCommits() async throws {
    let server = try await PostgreSQLServer.shared()
    let relay = try LossyRelay(to: server.folder)
    defer { relay.end() }
    let direct = server.newAddress()
    let address = try StoreAddress(direct.replacingOccurrences(of: server.folder, with: relay.folder))
    let rounds = 20 * Self.faults / 6
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          let store = try PostgreSQLStore(address, time: SystemTimeSource(), timeout: Self.timeout)
          // Each commit depends on what is stored, so that a repeated one counts twice.
          for _ in 1...rounds {
            let committed = try await store.write { (transaction) throws(StoreError) in
              let old = try transaction.record(.people, "w\(writer)")?.count ?? record("w\(writer)", "").count
              let value = String(repeating: "x", count: old - record("w\(writer)", "").count + 1)
              try transaction.put(record("w\(writer)", value), id: "w\(writer)", in: .people)
            }
            guard committed.records == 1 else { throw Wrong(text: "\(committed)") }
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try PostgreSQLStore(StoreAddress(direct), time: SystemTimeSource())
    #expect(try store.snapshot().sequence == UInt64(3 * rounds))
    let changes = try store.changes(since: nil, limit: 10_000)
    for writer in 0..<3 {
      let values = changes.filter { $0.id == "w\(writer)" }.map(\.record)
      #expect(values == (1...rounds).map { record("w\(writer)", String(repeating: "x", count: $0)) })
    }
    #expect(relay.lost.unanswered >= rounds / 2 && relay.lost.unsent >= rounds / 2, "\(relay.lost)")
    #expect(try store.verify() == [])
    print("\(relay.lost.unsent) commits were not sent, \(relay.lost.unanswered) answers were lost, of \(3 * rounds)")
  }

  @Test("a commit whose answer is lost with the server is neither called made nor failed", arguments: [false, true])
  func unknownOutcome(isCancelled: Bool) async throws {
    let server = try await PostgreSQLServer.shared()
    let relay = try LossyRelay(to: server.folder, staysLost: true)
    defer { relay.end() }
    let direct = server.newAddress()
    _ = try await PostgreSQLStore(StoreAddress(direct), time: SystemTimeSource()).put("a", "1")
    let address = try StoreAddress(direct.replacingOccurrences(of: server.folder, with: relay.folder))
    let timeout = isCancelled ? Duration.seconds(600) : .milliseconds(100)
    let writing = Task { try await PostgreSQLStore(address, time: SystemTimeSource(), timeout: timeout).put("b", "2") }
    if isCancelled {
      // Its pauses end then, and it has no other way to learn what became of the commit.
      while relay.lost.unanswered == 0 { await Task.yield() }
      writing.cancel()
    }
    await #expect { try await writing.value } throws: {
      ($0 as? StoreError)?.code == .unknownOutcome && ($0 as? StoreError)?.failure.retryable == false
    }
    // It was made, as it happens.
    #expect(try PostgreSQLStore(StoreAddress(direct), time: SystemTimeSource()).snapshot().record(.people, "b") != nil)
  }

  @Test("a server that is silent does not hold its callers, and is used again afterwards") func silence() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let store = try PostgreSQLStore(StoreAddress(server.newAddress()), time: SystemTimeSource(), timeout: .zero)
    try await store.put("a", "1")
    try server.pause()
    let start = ContinuousClock.now
    await expectError(.unreachable) { _ = try store.snapshot() }
    let first = ContinuousClock.now - start
    #expect(first < PromisedTime.bound(.seconds(20)))
    // A page reads several times, and waits once.
    for _ in 0..<8 { await expectError(.unreachable) { _ = try store.snapshot() } }
    #expect(ContinuousClock.now - start < first * 1.9)
    try server.resume()
    try await store.putOnceUsed("a", "2")
    #expect(try store.snapshot().sequence == 2)
  }

  @Test("a write that waits gives up when another caller learns that the server is silent") func givenUp() async throws
  {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = server.newAddress()
    let store = try PostgreSQLStore(StoreAddress(address), time: SystemTimeSource(), timeout: .zero)
    try await store.put("a", "1")
    // The write waits for the lock, which another program has.
    let end = try server.start(
      "psql", "-d", "postgres", "-Xqc",
      "begin; select seq from \(StoreAddress(address).schema).store for update; select pg_sleep(600)")
    defer { end() }
    while try server.query("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == "0" {}
    let write = Task { () -> String in
      do throws(StoreError) { try await store.put("a", "2") } catch { return error.message }
      return "written"
    }
    while try server.query("select count(*) from pg_locks where not granted") == "0" {}
    try server.pause()
    await expectError(.unreachable) { _ = try store.snapshot() }
    // Without the other one's news it would wait for 15 s.
    let refusal = await write.value
    #expect(refusal != "written" && !refusal.contains("15 s"), "\(refusal)")
    try server.resume()
    _ = try server.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'")
    try await store.putOnceUsed("a", "3")
  }

  @Test("two writes to a silent server are refused in the time of one") func silentTurns() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = try StoreAddress(server.newAddress())
    let store = try PostgreSQLStore(address, time: SystemTimeSource(), timeout: .seconds(4))
    try await store.put("a", "1")
    try server.pause()
    let start = ContinuousClock.now
    let ends = await withTaskGroup(of: Duration.self) { group in
      for id in ["b", "c"] {
        group.addTask {
          await expectError(.unreachable) { try await store.put(id, "2") }
          return ContinuousClock.now - start
        }
      }
      // Somebody else asks, so that the writes need not find out.
      group.addTask {
        await expectError(.unreachable) { _ = try store.snapshot() }
        return .zero
      }
      return await group.reduce(into: []) { $0.append($1) }.filter { $0 > .zero }.sorted()
    }
    // Each time is that of the limits, not of the machine: one that waited for its turn used to begin anew.
    #expect(ends.count == 2 && ends[1] < ends[0] * 1.7, "\(ends)")
    try server.resume()
    try await store.put("a", "3")
  }

  @Test("a write does not wait for one whose commit meets a silent server") func silentCommit() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = try StoreAddress(server.newAddress())
    let store = try PostgreSQLStore(address, time: SystemTimeSource(), timeout: .seconds(4))
    try await store.put("a", "1")
    // The commit waits for a table, which another program has; its body, and the lock of the store, come before.
    let end = try server.start(
      "psql", "-d", "postgres", "-Xqc",
      "begin; lock table \(address.schema).version in exclusive mode; select pg_sleep(600)")
    while try server.query("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == "0" {}
    let isOver = Flag()
    let first = Task {
      defer { isOver.set() }
      _ = try? await store.put("b", "2")
    }
    while try server.query("select count(*) from pg_locks where not granted") == "0" {}
    try server.pause()
    let second = Task { await expectError(.unreachable) { try await store.put("c", "2") } }
    // Somebody asks again and again, as a daemon does.
    let asking = Task { while !Task.isCancelled { await Task.detached { _ = try? store.snapshot() }.value } }
    await second.value
    #expect(!isOver.isSet)
    asking.cancel()
    try server.resume()
    end()
    await first.value
  }

  @Test("programs whose clocks differ by hours share one budget") func budget() async throws {
    let address = try await StoreAddress(PostgreSQLServer.shared().newAddress())
    let budget = RateBudget(name: "b", calls: 40, window: Interval(seconds: 3600))
    let granted = try await withThrowingTaskGroup(of: Int.self) { group in
      for hours in [-2, 0, 2] {
        group.addTask {
          let store = try PostgreSQLStore(address, time: SystemTimeSource(), timeout: Self.timeout)
          let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
          var granted = 0
          for _ in 0..<40 {
            let now = SystemTimeSource().now + hours * 3600
            if case .granted = try await ledger.take(budget, at: now) { granted += 1 }
          }
          return granted
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(granted == 40)
    let late = try StoredBudgetLedger(
      store: PostgreSQLStore(address, time: SystemTimeSource()), coder: JSONRecordCoder())
    guard case .wait(let seconds) = try await late.take(budget, at: Timestamp(secondsSinceEpoch: 1)) else {
      Issue.record("the budget is used up")
      return
    }
    #expect((1...3601).contains(seconds))
  }

  @Test("a schema that is removed is not made again; once it is restored, the store goes on") func removed()
    async throws
  {
    let server = try await PostgreSQLServer.shared()
    let store = try PostgreSQLStore(StoreAddress(server.newAddress()), time: SystemTimeSource())
    let media = PostgreSQLMedia(store)
    let schema = store.address.schema
    #expect(try !store.isThere())
    try await store.put("a", "1")
    let file = FileManager.default.temporaryDirectory.path + "/\(schema).sql"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try server.run("pg_dump", "-d", "postgres", "--schema=\(schema)", "-f", file)
    let leased = LeasedStore(store, requiring: .daemon)
    let lease = try await leased.claim(holder: "one 1")
    try await leased.store.put("b", "1")
    let (snapshot, cursor) = try (store.snapshot(), store.snapshot().end)
    _ = try server.query("drop schema \(schema) cascade")
    await expectError(.moved) { _ = try store.snapshot() }
    await expectError(.moved) { _ = try snapshot.record(.people, "a") }
    await expectError(.moved) { _ = try store.changes(since: cursor, limit: 1) }
    await expectError(.moved) { _ = try store.statistics() }
    await expectError(.moved) { _ = try store.verify() }
    await expectError(.moved) { try await store.compact(to: 1) }
    await expectError(.moved) { try await store.put("a", "2") }
    await expectError(.moved) { _ = try store.renew([lease]) }
    await expectError(.moved) { _ = try await leased.claim(holder: "one 1") }
    await expectError(.moved) { _ = try media.count() }
    await expectError(.moved) { _ = try await media.keep([1], type: "image/png", for: "https://example.org/a.png") }
    #expect(try server.query("select count(*) from pg_namespace where nspname = '\(schema)'") == "0")
    try server.run("psql", "-d", "postgres", "-1", "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", file)
    #expect(try store.snapshot().count(.people) == 1)
    await expectError(.cursorExpired) { _ = try store.changes(since: cursor, limit: 1) }
    // The dump is older than the lease: no other daemon has it.
    #expect(try store.renew([lease]).first?.error.message.contains("an earlier copy was put back") == true)
    await expectError(.leaseLost) { try await leased.store.put("a", "2") }
    _ = try await leased.claim(holder: "one 1")
    try await leased.store.put("a", "2")
    // A restore that is not one transaction makes the tables first.
    _ = try server.query("delete from \(schema).store")
    await expectError(.moved) { _ = try store.snapshot() }
    await expectError(.moved) { _ = try store.changes(since: nil, limit: 1) }
    await expectError(.moved) { try await store.put("a", "3") }
  }

  @Test("an address that requires TLS of a server without it is a mistake of the address") func noTLS() async throws {
    let listener = socket(AF_INET, SocketType.stream, 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(listener, $0, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &length) == 0)
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    Thread {
      // A server without TLS answers the request for it with one letter.
      var request = [UInt8](repeating: 0, count: 8)
      let connection = accept(listener, nil, nil)
      _ = read(connection, &request, 8)
      _ = write(connection, "N", 1)
      close(connection)
    }.start()
    #expect {
      _ = try PostgreSQLStore(
        StoreAddress("postgres://u@127.0.0.1:\(port)/db?sslmode=require"), time: SystemTimeSource())
    } throws: {
      ($0 as? StoreError)?.code == .invalidAddress && ($0 as? StoreError)?.hint?.contains("ssl = on") == true
    }
  }

  @Test("values are observed beyond a restart of the server", .timeLimit(.minutes(10))) func observed() async throws {
    struct Entry: Codable, Identifiable { var id: String }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = try StoreAddress(server.newAddress())
    let reader = try PostgreSQLStore(address, time: SystemTimeSource())
    let writer = StoreCollection<Entry>(
      "entries", in: try PostgreSQLStore(address, time: SystemTimeSource(), timeout: Self.timeout))
    try await writer.put(Entry(id: "a"))
    // The server ends while the second state is read.
    let stopsServer = Flag()
    let stopped = InterceptedStore(reader) { (base) throws(StoreError) in
      guard stopsServer.take() else { return try base.snapshot() }
      try? server.stop()
      defer { try? server.start() }
      return try base.snapshot()
    }
    var states = StoreCollection<Entry>("entries", in: stopped).observe().makeAsyncIterator()
    #expect(try await states.next()?.map(\.id) == ["a"])
    stopsServer.set()
    try await writer.put(Entry(id: "b"))
    #expect(try await states.next()?.map(\.id) == ["a", "b"])
    try server.crash()
    try await writer.put(Entry(id: "c"))
    #expect(try await states.next()?.map(\.id) == ["a", "b", "c"])
  }
}

extension FaultTests {
  /// The server ends a program that is silent between two statements, but not one that does not take rows.
  @Test(
    "a writer that is paused while the server sends it rows does not hold the lock for ever", .timeLimit(.minutes(10)))
  func stuckReader() async throws {
    let server = try await PostgreSQLServer.shared()
    let address = try StoreAddress(server.newAddress())
    let store = try PostgreSQLStore(address, time: SystemTimeSource())
    try await store.put("a", "1")
    let endPaused = try server.start(
      "psql", "-d", "postgres", "-Xqc", "begin", "-c", "select seq from \(address.schema).store for update", "-c",
      "copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout")
    defer { endPaused() }
    while try server.query("select count(*) from pg_stat_activity where wait_event = 'ClientWrite'") == "0" {}
    let second = try PostgreSQLStore(address, time: SystemTimeSource())
    // Nobody may be paused for longer than the lease, so that the wait for the lock is as short.
    second.limitPauses(to: 1)
    let leased = LeasedStore(second, requiring: .daemon)
    var lease: StoreLease?
    for _ in 0..<10 where lease == nil { lease = try? await leased.claim(holder: "two 2", seconds: 30) }
    #expect(lease != nil)
    try await leased.store.put("a", "2")
  }
}

/// Set once, by any task.
private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }

  /// Whether it was set; it is not any more.
  func take() -> Bool {
    lock.withLock {
      defer { value = false }
      return value
    }
  }
}

extension PostgreSQLStore {
  /// Writes a record as soon as the server is used again: nobody asks for a moment after a call that failed.
  fileprivate func putOnceUsed(_ id: String, _ value: String) async throws(StoreError) {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do throws(StoreError) {
        _ = try await put(id, value)
        return
      } catch {
        guard error.code == .unreachable, ContinuousClock.now < end else { throw error }
        await Task.yield()
      }
    }
  }
}
