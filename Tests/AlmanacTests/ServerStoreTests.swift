import AlmanacTesting
import Assembly
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Testing

/// A store on PostgreSQL, through the programs.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct ServerStoreTests {
  private func with(_ body: (Program, String) async throws -> Void) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    try await body(almanac, PostgreSQLServer.shared().newAddress())
  }

  @Test("a password in an address is refused, and is printed nowhere", arguments: ["--store", "ALMANAC_STORE", "copy"])
  func passwords(place: String) async throws {
    try await with { almanac, _ in
      let address = "postgres://ada:s3cret@127.0.0.1:1/db"
      var almanac = almanac
      var words = ["list", "people"]
      switch place {
      case "--store": words += ["--store", address]
      case "copy": words = ["store", "copy", almanac.store, address]
      default: almanac.environment["ALMANAC_STORE"] = address
      }
      let result = try await almanac.run(words, exits: 64, err: "PGPASSWORD")
      #expect(!(result.out + result.err).contains("s3cret"))
    }
  }

  @Test("a server that is not there, and a schema that does not exist") func missing() async throws {
    try await with { almanac, address in
      try await almanac.run("list", "people", "--store", "postgres://127.0.0.1:1/db", exits: 75, err: "127.0.0.1:1")
      try await almanac.run("list", "people", "--store", address, exits: 66, err: "there is no store")
      // What never heals is not temporary.
      for (wrong, status, word) in [
        (address + "&schem=x", 78 as Int32, "schem"), (address + "&sslmode=x", 78, "sslmode"),
        (address.replacing("/postgres?", with: "/nothing?"), 66, "createdb"),
        (address.replacing("user=postgres", with: "user=nobody"), 77, "PGPASSWORD"),
      ] {
        for words in [["list", "people"], ["people", "add", "--first", "A"], ["status"]] {
          try await almanac.run(words + ["--store", wrong], exits: status, err: word)
        }
      }
    }
  }

  @Test("a store is copied to a server and back, whole") func copies() async throws {
    try await with { almanac, address in
      let demo = almanac.folder + "/demo"
      try await almanac.run("demo", "--store", demo, "--quiet", exits: 0)
      let there = try await almanac.run("store", "copy", demo, address, "--format", "json", exits: 0)
      let back = try await almanac.run("store", "copy", address, almanac.folder + "/back", "--format", "json", exits: 0)
      #expect(try there.object()["digest"] as? String == back.object()["digest"] as? String)
      #expect(try there.object()["records"] as? Int ?? 0 > 100)
      for place in [address, almanac.folder + "/back"] {
        let people = try await almanac.run("list", "people", "--store", place, "--format", "json")
        #expect(people.out == (try await almanac.run("list", "people", "--store", demo, "--format", "json")).out)
      }
      try await almanac.run("store", "copy", demo, address, exits: 73, err: "not empty")
      let doctor = try await almanac.run("doctor", "--store", address, "--format", "json")
      #expect(
        try (doctor.object()["findings"] as? [[String: Any]] ?? []).allSatisfy { $0["part"] as? String != "store" })
      #expect(try await almanac.run("status", "--store", address).out.contains("in postgres://"))
    }
  }

  @Test("almanacd --once syncs it, and never beside another daemon") func daemon() async throws {
    try await with { almanac, address in
      let daemon = try Program("almanacd")
      defer { daemon.clean() }
      let config = try daemon.file("config.json", "{}")
      try await daemon.run("--once", "--store", address, "--config", config, exits: 0)
      _ = try await almanac.run("people", "add", "--first", "Ada", "--store", address)
      _ = try await PostgreSQLServer.shared().query(
        """
        update \(address.split(separator: "=").last ?? "").lease
          set holder = 'other 1', until = now() + interval '1 hour'
        """)
      try await daemon.run("--once", "--store", address, "--config", config, exits: 75, err: "other 1")
    }
  }
}

@Suite(
  .serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct ServerRestartTests {
  @Test("changes --follow goes on after the server was restarted") func follows() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = server.newAddress()
    try await almanac.run("people", "add", "--first", "Ada", "--store", address, exits: 0)
    let watch = try almanac.start(["changes", "--follow", "--store", address])
    while !watch.outputSoFar.contains("Ada") { await Task.yield() }
    try server.crash()
    try await almanac.run("people", "add", "--first", "Grace", "--store", address, exits: 0)
    while watch.isRunning, !watch.outputSoFar.contains("Grace") { await Task.yield() }
    #expect(watch.isRunning)
    watch.signal(SIGTERM)
    let result = try await watch.result()
    #expect(result.out.components(separatedBy: "Ada").count == result.out.components(separatedBy: "Grace").count)
  }
}

@Suite struct StoreCopyTests {
  @Test("commits that come during a copy are copied, too") func whileInUse() async throws {
    let folder = NSTemporaryDirectory() + "almanac-copy-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let source = try JSONFileStore(folder: folder)
    @Sendable func put(_ id: String) async throws(StoreError) {
      _ = try await source.write { (transaction) throws(StoreError) in
        try transaction.put(Array("{\"id\":\"\(id)\"}".utf8), id: id, in: .people)
      }
    }
    try await put("first")
    let ids = AsyncStream { continuation in
      for number in 0..<4 { continuation.yield("late-\(number)") }
      continuation.finish()
    }
    let target = InterruptedStore(base: InMemoryRecordStore(), ids: ids, put: put)
    let images = try MediaFolder(folder: folder + "/media")
    let report = try await StoreCopy(
      from: source, images, to: target, images, coder: JSONRecordCoder(),
      catalog: CollectionCatalog([]), now: Timestamp(secondsSinceEpoch: 0)
    ).run()
    #expect(report.records == 5 && report.digest.utf8.count == 64)
    #expect(try target.base.snapshot().count(.people) == 5)
  }
}

/// The past of a copy, and what is kept of it.
@Suite final class CopiedHistoryTests: ProgramTests {
  /// The changes of people, without the numbers of their commits.
  private func history(_ store: String) async throws -> [String] {
    let entries = try await almanac.records("history", "--in", "people", "--store", store)
    return try entries.map { entry in
      var entry = entry
      entry["commit"] = nil
      return String(decoding: try JSONSerialization.data(withJSONObject: entry, options: .sortedKeys), as: UTF8.self)
    }
  }

  private func change() async throws -> String {
    let store = almanac.store
    for words in [
      ["people", "add", "--first", "Ada", "--last", "Byron"], ["people", "edit", "Ada Byron", "--last", "King"],
      ["people", "add", "--first", "Bo"], ["people", "remove", "Bo", "--yes"],
      ["history", "keep", "people", "2y", "--ignore", "nickname", "--yes"],
      ["people", "edit", "Ada King", "--last", "Lovelace"],
    ] {
      try await almanac.run(words, exits: 0)
    }
    return store
  }

  private func compare(_ store: String, _ copy: String) async throws {
    let copied = try await almanac.run("store", "copy", store, copy, "--format", "json")
    let commits = try copied.object()["commits"] as? Int ?? 0
    #expect(copied.status == 0 && commits >= 5, "\(copied)")
    let (changes, copies) = (try await history(store), try await history(copy))
    #expect(changes.count == 5 && copies == changes)
    let policies = try await [store, copy].asyncMap { place in
      try await almanac.records("history", "status", "--store", place).filter {
        $0["collection"] as? String == "people"
      }.map { "\($0["keep"] ?? "") \($0["quiet"] ?? "")" }
    }
    #expect(policies[0] == policies[1] && policies[0].count == 1, "\(policies)")
    try await almanac.run("doctor", "--store", copy, exits: 0)
  }

  @Test func theHistoryIsCopied() async throws {
    let store = try await change()
    try await compare(store, almanac.folder + "/copy")
    try await almanac.run("compact", "--store", store, exits: 0)
    try await compare(store, almanac.folder + "/second")
    try await compare(almanac.folder + "/second", almanac.folder + "/third")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
  func theHistoryIsCopiedToAServerAndBack() async throws {
    let store = try await change()
    let address = try await PostgreSQLServer.shared().newAddress()
    try await compare(store, address)
    try await compare(address, almanac.folder + "/back")
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}

/// A store that commits something elsewhere before each of its own commits.
private struct InterruptedStore: WrappedStore, LoadsAtOnce {
  let base: any RecordStore
  let ids: AsyncStream<String>
  let put: @Sendable (String) async throws(StoreError) -> Void

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    var next = ids.makeAsyncIterator()
    if let id = await next.next() { try await put(id) }
    return try await base.write(body)
  }
}
