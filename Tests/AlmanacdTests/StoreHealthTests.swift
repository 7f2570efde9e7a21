import AlmanacTesting
import CLibrary
import Foundation
import Models
import Persistence
import Ports
import Testing
import UpstreamKit

@testable import almanacd

/// What the daemon does, and says, when its store is replaced, damaged or full, and when its config is refused.
@Suite struct StoreHealthTests {
  @Test("a copy is not opened before it has settled: more may follow")
  func settles() async throws {
    let daemon = try await Daemon(follows: [], arguments: ["--settling", "4000"])
    let store = daemon.program.store
    try FileManager.default.moveItem(atPath: store, toPath: store + ".old")
    _ = try await daemon.eventually("/readyz") { $0.status == 503 }
    try Tool.run("cp", ["-a", store + ".old", store])
    let copied = Date()
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    // It looks once a second. A busy machine may let cp(1) end late.
    #expect(Date().timeIntervalSince(copied) >= 2)
  }

  @Test("without a store at its path the daemon says so everywhere, and goes on when it comes back")
  func movedAway() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"], arguments: ["--settling", "100"]).withClient
    try await daemon.log(holds: "synced")
    // It looks once a second at its store.
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    func series(_ text: String) -> Set<Substring> {
      Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").first })
    }
    let before = try await daemon.eventually("/metrics") { $0.body.contains("almanac_follow_age_seconds{") }
    let (store, old) = (daemon.program.store, daemon.program.folder + "/old")
    try FileManager.default.moveItem(atPath: store, toPath: old)
    let person = #"{"firstName":"Nobody","birthday":"2000-01-01"}"#
    let refused = try await client.post("/api/v1/collections/people", person)
    #expect(try refused.status == 503 && refused.object()["code"] as? String == "moved", "\(refused.body)")
    #expect(refused.headers["retry-after"] == "5")
    let ready = try await client.send("GET", "/readyz", headers: ["Accept": "application/json"])
    #expect(try ready.object()["code"] as? String == "moved" && !ready.body.contains(daemon.program.store), "\(ready)")
    let metrics = try await client.get("/metrics").body
    #expect(metrics.contains("almanac_store_up 0\n") && metrics.contains(#"almanac_problem{part="store"} 1"#))
    #expect(series(before.body).subtracting(series(metrics)).isEmpty, "\(metrics)")
    let page = try await client.get("/").body
    #expect(page.contains("The store cannot be used.") && page.contains("was moved, deleted or replaced"))
    let problems = try await client.get("/api/v1/status").list("problems")
    #expect(problems.first?["part"] as? String == "store")
    try await daemon.log(holds: "part=store")
    #expect(!FileManager.default.fileExists(atPath: store), "a new store was made")
    for button in ["/do/sync", "/do/media"] {
      let page = try await client.send(
        "POST", button, headers: ["Accept": "text/html", "Content-Type": Route.Content.form.rawValue], body: "")
      #expect(page.status == 503 && page.body.contains("was moved, deleted or replaced"), "\(button): \(page.body)")
    }
    #expect(try await client.post("/api/v1/sync", "{}").status == 503)
    if Daemon.hasCLI {
      let almanac = try Program("almanac")
      defer { almanac.clean() }
      let config = daemon.program.folder + "/config.json"
      let placed = try await almanac.run(["status", "--store", old, "--config", config], exits: 75)
      #expect(placed.out.contains("daemon: running") && !placed.out.contains("not running"), "\(placed)")
      for command in ["status", "doctor"] {
        let there = try await almanac.run([command, "--store", old, "--config", config], exits: 75)
        #expect("\(there.out)\(there.err)".contains("moved here from \(store)"), "\(there)")
        let gone = try await almanac.run([command, "--store", store, "--config", config], exits: 66)
        #expect("\(gone.out)\(gone.err)".contains("there is no store in \(store)"), "\(gone)")
      }
      // No program makes a new store in the place of the one that the daemon misses; also not by another spelling.
      let link = daemon.program.folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: daemon.program.folder)
      let folder = "\(link)/\(store.split(separator: "/").last ?? "")/"
      _ = try almanac.file("people.jsonl", #"{"id":"r-1","firstName":"New"}"#)
      for words in [
        ["people", "add", "--first", "New"], ["sync", "people"], ["import", "people.jsonl"], ["media", "fetch"],
      ] {
        let made = try await almanac.run(words + ["--store", folder, "--config", config])
        #expect(made.status == 74 || made.status == 66, "\(words): \(made)")
        #expect(made.status == 66 || made.err.contains("while almanacd keeps it"), "\(words): \(made)")
      }
      try await daemon.program.run(["--once", "--config", config], exits: 74, err: "while almanacd keeps it")
      #expect(!FileManager.default.fileExists(atPath: store), "a new store was made")
    }
    try FileManager.default.moveItem(atPath: old, toPath: store)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    #expect(try await client.post("/api/v1/collections/people", person).status == 201)
    try await daemon.log(holds: "problem solved")
  }

  @Test(
    "files that are damaged under the daemon: edits are refused until a repair, and those that were not are there",
    .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
  func damagedUnderway() async throws {
    let daemon = try await Daemon(follows: [])
    let (client, program) = (daemon.client, daemon.program)
    func add(_ number: Int) async throws -> WebClient.Reply {
      try await client.post("/api/v1/collections/people", #"{"firstName":"P","lastName":"N\#(number)"}"#)
    }
    var kept: Set<String> = []
    for number in 0..<6 {
      if number == 3 { #expect(try await program.almanac("compact").status == 0) }
      let reply = try await add(number)
      kept.insert(try #require(reply.object()["id"] as? String))
    }
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: program.store).sorted()
        .last { $0.hasPrefix("people.") && $0.hasSuffix(".records") })
    let file = try #require(FileHandle(forUpdatingAtPath: program.store + "/" + name))
    try file.seek(toOffset: file.seekToEnd() / 2)
    try file.write(contentsOf: Data("#".utf8))
    try file.close()
    let refused = try await add(100)
    #expect(try refused.status >= 500 && refused.object()["code"] as? String == "damaged", "\(name): \(refused)")
    let ready = try await daemon.eventually("/readyz") { $0.status == 503 }
    #expect(ready.body == "not ready\nstore: it is damaged (damaged)\n", "\(ready.body)")
    #expect(try await client.get("/metrics").body.contains("almanac_store_up 0\n"))
    let page = try await daemon.eventually("/") { $0.body.contains("almanac doctor --repair") }
    #expect(page.body.contains("The store cannot be used.") && page.body.contains(name))
    try await daemon.log(holds: "part=store")
    // It says what was lost, if something was: then it ends with 74.
    _ = try await program.almanac("doctor --repair")
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    let repaired = try await program.people()
    #expect(repaired.isSuperset(of: kept))
    let added = try await add(200)
    let id = try #require(added.object()["id"] as? String, "\(added.status) \(added.body)")
    try await daemon.stop()
    #expect(try await program.people().isSuperset(of: repaired.union([id])))
  }

  @Test("a full disk: not ready until there is room again", .enabled(if: Tool.canMount, "no name space for mounts"))
  func full() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    for name in ["fill", "free"] { #expect(mkfifo("\(program.folder)/\(name)", 0o600) == 0) }
    let filled = try program.file("filled", "")
    let mounted = """
      mkdir "$ALMANAC_STORE" && mount -t tmpfs -o size=2m tmpfs "$ALMANAC_STORE" || exit 1
      (read -r _ < fill; cat /dev/zero > "$ALMANAC_STORE/zeros"; echo full > filled; read -r _ < free; rm "$ALMANAC_STORE/zeros") 2>&- &
      exec "$PROGRAM" --listen 127.0.0.1:0
      """
    async let ended = program.shell("exec unshare -rm sh -c '\(mounted)'")
    let (client, pid, _) = try await Daemon.started(in: program)
    func status(_ wanted: Int) async throws -> WebClient.Reply {
      while true {
        let reply = try await client.get("/readyz")
        if reply.status == wanted { return reply }
      }
    }
    _ = try await status(200)
    try Data("\n".utf8).write(to: URL(filePath: program.folder + "/fill"))
    // The daemon is not ready before the last byte is taken.
    _ = try await FileWatch.until(filled, seconds: 300) { $0.contains("full") }
    let full = try await status(503)
    #expect(full.body.hasSuffix("(full)\n"), "\(full.body)")
    // The disk is mounted for the daemon alone: its root shows it.
    let store = "/proc/\(pid)/root\(program.store)"
    var owner = client
    owner.token = try String(contentsOfFile: store + "/token", encoding: .utf8).filter { $0 > " " }
    let token = try await owner.post("/api/v1/tokens", #"{"name": "a", "rights": "read"}"#)
    #expect(try token.status == 507 && token.object()["code"] as? String == "full", "\(token.status) \(token.body)")
    #expect(token.body.contains("free some space"))
    for button in ["/do/sync", "/do/media"] {
      let page = try await owner.send(
        "POST", button,
        headers: ["Accept": "text/html", "Content-Type": Route.Content.form.rawValue], body: "")
      #expect(page.status == 507 && page.body.contains("is full, or the quota"), "\(button): \(page.body)")
    }
    #expect(try await owner.post("/api/v1/sync", "{}").status == 507)
    let left = try FileManager.default.contentsOfDirectory(atPath: store).filter { $0.hasSuffix(".new") }
    #expect(left.isEmpty, "\(left)")
    try Data("\n".utf8).write(to: URL(filePath: program.folder + "/free"))
    _ = try await status(200)
    kill(pid, SIGTERM)
    #expect(try await ended.status == 0)
  }

  @Test("a journal that may not be written: not ready until it may, also at the start")
  func readOnlyJournal() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    // Root may write everything.
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    let own = geteuid() == 0 ? "chown -R 65534 .; " : ""
    let line = "\(own)exec \(user) \"$PROGRAM\" --listen 127.0.0.1:0"
    func setMode(_ mode: Int) throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: program.store) where name.hasPrefix("journal.") {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(program.store)/\(name)")
      }
    }
    func setFolderMode(_ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program.store)
    }
    for isFirst in [true, false] {
      async let ended = program.shell(line)
      let (client, pid, path) = try await Daemon.started(in: program)
      func ready(_ wanted: Int, _ says: String = "") async throws {
        while true {
          let reply = try await client.get("/readyz")
          if reply.status == wanted, reply.body.hasSuffix(says) { return }
        }
      }
      let person = #"{"firstName":"Ada"}"#
      if isFirst {
        try await ready(200)
        #expect(try await client.post("/api/v1/collections/people", person).status == 201)
        // What is acknowledged is in the journal, also where no file can be made beside it.
        try setFolderMode(0o500)
        try await ready(503, "\nstore: it cannot be written (cannotWrite)\n")
        #expect(try await client.post("/api/v1/collections/people", #"{"firstName":"Cy"}"#).status == 201)
        try setFolderMode(0)
        try await ready(503, "\nstore: it cannot be read (cannotRead)\n")
        #expect(try await client.get("/api/v1/collections/people").status == 503)
        let status = try await client.get("/api/v1/status")
        #expect(status.status == 200 && status.body.contains("chmod u+rwx"), "\(status)")
        try setFolderMode(0o700)
        try setMode(0o400)
      }
      try await ready(503, "\nstore: it cannot be written (cannotWrite)\n")
      #expect(try await client.post("/api/v1/collections/people", person).status == 503)
      let metrics = try await client.get("/metrics").body
      #expect(metrics.contains("almanac_store_up 0\n") && metrics.contains(#"almanac_problem{part="store"} 1"#))
      _ = try await FileWatch.until(path, seconds: 300) { $0.contains("part=store") }
      if !isFirst {
        try setMode(0o600)
        try await ready(200)
        #expect(try await client.get("/api/v1/collections/people").body.contains("Cy"))
        #expect(try await client.post("/api/v1/collections/people", #"{"firstName":"Bo"}"#).status == 201)
      }
      kill(pid, SIGTERM)
      #expect(try await ended.status == 0)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(
    "a backup that is renamed to the store's path is the store from then on; one that a link leads to is not changed",
    .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
  func backupInPlace() async throws {
    let daemon = try await Daemon(follows: [], arguments: ["--settling", "100"])
    let (client, program) = (daemon.client, daemon.program)
    let (old, backup, person) = (program.folder + "/old", program.folder + "/backup", #"{"firstName":"Ada"}"#)
    func move(_ from: String, _ to: String) throws { try FileManager.default.moveItem(atPath: from, toPath: to) }
    #expect(try await client.post("/api/v1/collections/people", person).status == 201)
    #expect(try await program.almanac("backup '\(backup)'").status == 0)
    try move(program.store, old)
    try FileManager.default.createSymbolicLink(atPath: program.store, withDestinationPath: backup)
    try await daemon.log(holds: "the folder is a backup")
    #expect(try await client.get("/readyz").status == 503)
    try FileManager.default.removeItem(atPath: program.store)
    try move(backup, program.store)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    try await daemon.log(holds: "the backup at the path of the store is the store now")
    #expect(try await client.post("/api/v1/collections/people", #"{"firstName":"Bo"}"#).status == 201)
    #expect(try await program.people().count == 2)
    #expect(try await program.almanac("backup '\(backup)'").status == 0)
  }

  @Test(
    "a folder that is mounted read-only is said to be read-only when the daemon starts",
    .enabled(if: Tool.canMount && Daemon.hasCLI, "no name space for mounts, or almanac is not built"),
    arguments: [true, false])
  func readOnlyFolder(hasToken: Bool) async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let script = """
      mkdir srv && mount -t tmpfs tmpfs srv && export ALMANAC_STORE="$PWD/srv/store" || exit 1
      "$ALMANAC" people add --first Ada > /dev/null || exit 2
      \(hasToken ? "\"$PROGRAM\" --once 2> /dev/null" : "")
      mount -o remount,ro srv && exec "$PROGRAM" --listen 127.0.0.1:0
      """
    let file = try program.file("script", script)
    let result = try await program.shell(
      "ALMANAC='\(program.beside("almanac"))' exec unshare -rm bash '\(file)'", exits: 74,
      err: "the folder is read-only", "mount it for writing")
    #expect(!result.err.contains("token"), "\(result)")
  }

  @Test("a record that cannot be read is an error in its section, and the rest of the page is there")
  func badRecord() async throws {
    let daemon = try await Daemon(follows: ["app-store/us/top-paid", "people"])
    try await daemon.log(holds: "synced", times: 2)
    let newest = try await daemon.client.get("/api/v1/collections/charts").list("items").first?["id"] as? String
    let id = try #require(newest)
    // No program of ours writes such a record, but a disk or another version may.
    let store = try JSONFileStore(folder: daemon.program.store)
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try transaction.put(Array(#"{"id":"\#(id)","ranks":"none"}"#.utf8), id: id, in: .charts)
      return true
    }
    let page = try await daemon.eventually("/") { $0.body.contains("class=\"error\"") }
    #expect(page.status == 200 && page.body.contains("id=\"birthdays\"") && page.body.contains("cannot be read"))
    // A page of its own says it as a page.
    let chart = try await daemon.client.get("/charts/app-store/us/top-paid", headers: ["Accept": "text/html"])
    #expect(chart.status == 503 && chart.headers["content-type"] == "text/html; charset=utf-8")
    #expect(chart.body.contains("503 Service Unavailable") && chart.body.contains("cannot be read"))
    let none = try await daemon.client.get("/nowhere", headers: ["Accept": "text/html"])
    #expect(none.status == 404 && none.body.contains("404 Not Found"))
    #expect(try await daemon.client.get("/nowhere").object()["status"] as? Int == 404)
  }
}
