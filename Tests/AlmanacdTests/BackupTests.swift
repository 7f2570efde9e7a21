import AlmanacTesting
import Foundation
import Synchronization
import Testing

@Suite("Backups while the daemon runs", .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
struct BackupTests {
  private final class Load: Sendable {
    let acknowledged = Mutex<Set<String>>([])
    let others = Mutex<Set<Int>>([])
    let isOver = Mutex(false)
    var count: Int { acknowledged.withLock { $0.count } }
  }

  @Test("a backup under load has every edit acknowledged before it; put back under the daemon, it loses none")
  func underLoad() async throws {
    let daemon = try await Daemon(follows: [], arguments: ["--settling", "300"])
    let (client, program) = (daemon.client, daemon.program)
    let backup = program.folder + "/backup"
    let load = Load()
    var before: Set<String> = []
    var previous = ""
    _ = try await client.post("/api/v1/collections/people", #"{"firstName":"First"}"#)
    #expect(try await client.get("/metrics").body.contains("almanac_backup_last_success_timestamp_seconds 0\n"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<3 {
        group.addTask {
          var number = 0
          while !load.isOver.withLock({ $0 }) {
            number += 1
            let reply = try await client.post(
              "/api/v1/collections/people", #"{"firstName":"T\#(task)","lastName":"N\#(number)"}"#)
            guard reply.status == 201, let id = try reply.object()["id"] as? String else {
              load.others.withLock { _ = $0.insert(reply.status) }
              continue
            }
            load.acknowledged.withLock { _ = $0.insert(id) }
          }
        }
      }
      for _ in 0..<3 {
        let wanted = load.count + 30
        while load.count < wanted { _ = try await client.get("/healthz") }
        before = load.acknowledged.withLock { $0 }
        let copy = try await program.almanac("backup '\(backup)' --format json").object()
        #expect(copy["folder"] as? String == backup)
        #expect(try await program.people(in: backup).isSuperset(of: before))
      }
      #expect(try await client.get("/metrics").body.contains("almanac_backup_last_success_timestamp_seconds 1"))
      #expect(load.others.withLock { $0 }.isEmpty)
      let restored = try await program.almanac("restore '\(backup)' --yes --format json").object()
      previous = try #require(restored["previous"] as? String)
      // The daemon goes on with the restored store.
      _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_store_reopened_total 1\n") }
      _ = try await daemon.eventually("/readyz") { $0.status == 200 }
      let wanted = load.count + 20
      while load.count < wanted { _ = try await client.get("/healthz") }
      load.isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    // Edits may have been refused meanwhile, and nothing else.
    #expect(load.others.withLock { $0 }.isSubset(of: [503]))
    let doctor = try await program.almanac("doctor --format json").object()
    #expect(doctor["ok"] as? Bool == true, "\(doctor)")
    // Nothing holds the files of the folder that was replaced.
    let (descriptors, name) = ("/proc/\(daemon.running.pid)/fd", URL(filePath: previous).lastPathComponent)
    func held() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: descriptors)
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)") }
        .filter { $0.contains("/\(name)/") }
    }
    let end = Date().addingTimeInterval(60)
    while try !held().isEmpty, Date() < end { _ = try await client.get("/healthz") }
    #expect(try held() == [])
    let log = try await daemon.log(holds: "problem solved")
    #expect(!log.contains("CancellationError"), "\(log)")
    // Nothing was wrong.
    #expect(log.contains("another store is in the place of the store"))
    #expect(!log.contains("the store cannot be used as it should"), "\(log)")
    // Where the daemon can be reached is written into the new folder.
    #expect(FileManager.default.fileExists(atPath: program.store + "/daemon.json"))
    try await daemon.stop()
    let (now, old) = (try await program.people(), try await program.people(in: previous))
    #expect(now.isSuperset(of: before))
    let lost = load.acknowledged.withLock { $0.subtracting(now).subtracting(old) }
    #expect(lost.isEmpty, "\(lost.count) of \(load.count) edits lost")
  }

  @Test("a backup brings the config to a machine without one")
  func newMachine() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let program = daemon.program
    _ = try await daemon.eventually("/api/v1/status") { $0.body.contains("lastSuccess") }
    let made = try await daemon.client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "read"}"#)
    let secrets = [try made.object()["token"] as? String, daemon.client.token].compactMap(\.self)
    #expect(try await program.almanac("backup backup").status == 0)
    try await daemon.stop()
    // Nobody can sign in with what a backup contains.
    for name in try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/backup") {
      guard let bytes = FileManager.default.contents(atPath: program.folder + "/backup/\(name)") else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(secrets.count == 2 && !secrets.contains { text.contains($0) }, "\(name)")
    }
    let (home, store) = (program.folder + "/home", program.folder + "/home/share/almanac")
    func fresh(_ command: String) async throws -> Program.Result {
      try await program.shell(
        "HOME='\(home)' '\(program.beside("almanac"))' \(command) --store '\(store)' --format json")
    }
    let restored = try await fresh("restore backup").object()
    #expect(restored["previous"] == nil && restored["config"] as? String == home + "/.config/almanac/config.json")
    #expect(try await fresh("following").out.contains(#""people""#))
    #expect(try await program.people(in: store) == program.people())
  }

  @Test(
    "a store on a mount point is not restored: it cannot be replaced as a whole",
    .enabled(if: Tool.canMount, "no name space for mounts"),
    arguments: ["mount -t tmpfs tmpfs", "mkdir real && mount --bind real"])
  func mountPoint(mount: String) async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let script = """
      mkdir "$ALMANAC_STORE" && { \(mount) "$ALMANAC_STORE"; } || exit 1
      "$ALMANAC" people add --first Ada > /dev/null && "$ALMANAC" backup copy > /dev/null || exit 2
      "$ALMANAC" restore copy --yes; echo "status $?"; "$ALMANAC" list people --format csv
      """
    let file = try program.file("script", script)
    try await program.shell(
      "ALMANAC='\(program.beside("almanac"))' exec unshare -rm bash '\(file)'", exits: 0, out: "status 73", "Ada",
      err: "is a mount point", "\(program.store)/almanac")
  }
}
