import AlmanacTesting
import Foundation
import Glibc
import Testing

@testable import almanacd

/// What the daemon does, and says, when its store is replaced, damaged or full, and when its config is refused.
@Suite struct StoreHealthTests {
  @discardableResult
  private static func run(_ program: String, _ arguments: String..., environment: [String: String] = [:]) throws
    -> String
  {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Daemon.Late(description: "\(program): \(arguments)") }
    return String(decoding: data, as: UTF8.self)
  }

  @Test("without a store at its path the daemon says so everywhere, and goes on when it comes back")
  func movedAway() async throws {
    let daemon = try await Daemon(follows: ["people"], arguments: ["--settling", "100"])
    let client = daemon.client
    try await daemon.log(holds: "synced")
    #expect(try await client.get("/readyz").status == 200)
    let (store, old) = (daemon.program.store, daemon.program.folder + "/old")
    try FileManager.default.moveItem(atPath: store, toPath: old)
    let person = #"{"firstName":"Nobody","birthday":"2000-01-01"}"#
    let refused = try await client.post("/api/v1/people", person)
    #expect(try refused.status == 503 && refused.object()["code"] as? String == "moved", "\(refused.body)")
    #expect(refused.headers["retry-after"] == "5")
    #expect(try await client.get("/readyz").object()["code"] as? String == "moved")
    let metrics = try await client.get("/metrics").body
    #expect(metrics.contains("almanac_store_up 0\n") && metrics.contains(#"almanac_problem{part="store"} 1"#))
    let page = try await client.get("/").body
    #expect(page.contains("The store cannot be used.") && page.contains("was moved, deleted or replaced"))
    let problems = try await client.get("/api/v1/status").list("problems")
    #expect(problems.first?["part"] as? String == "store")
    try await daemon.log(holds: "part=store")
    #expect(!FileManager.default.fileExists(atPath: store), "a new store was made")
    try FileManager.default.moveItem(atPath: old, toPath: store)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    #expect(try await client.post("/api/v1/people", person).status == 201)
    try await daemon.log(holds: "problem solved")
    try await daemon.stop()
  }

  @Test(
    "a damaged file of records: not ready, not up, and the page says why",
    .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
  func damaged() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let (client, store) = (daemon.client, daemon.program.store)
    try await daemon.log(holds: "synced")
    try Self.run(daemon.program.beside("almanac"), "compact", "--store", store)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: store).first {
        $0.hasPrefix("people.") && $0.hasSuffix(".records")
      })
    let file = try #require(FileHandle(forUpdatingAtPath: store + "/" + name))
    try file.seek(toOffset: 40)
    try file.write(contentsOf: Data("#".utf8))
    try file.close()
    let ready = try await daemon.eventually("/readyz") { $0.status == 503 }
    #expect(try ready.object()["code"] as? String == "damaged")
    #expect(try await client.get("/metrics").body.contains("almanac_store_up 0\n"))
    let page = try await client.get("/")
    #expect(page.status == 200 && page.body.contains(name) && page.body.contains("almanac doctor --repair"))
    try await daemon.stop()
  }

  @Test("a full disk: not ready until there is room again", .enabled(if: canMount, "no name space for mounts"))
  func full() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    for name in ["fill", "free"] { #expect(mkfifo("\(program.folder)/\(name)", 0o600) == 0) }
    let mounted = """
      mkdir "$ALMANAC_STORE" && mount -t tmpfs -o size=2m tmpfs "$ALMANAC_STORE" || exit 1
      (read -r _ < fill; cat /dev/zero > "$ALMANAC_STORE/zeros"; read -r _ < free; rm "$ALMANAC_STORE/zeros") 2>&- &
      exec "$PROGRAM" --listen 127.0.0.1:0
      """
    async let ended = program.shell("exec unshare -rm sh -c '\(mounted)'")
    var path = ""
    while path.isEmpty { path = try Daemon.errorPath(in: program.folder) }
    let log = try await FileWatch.until(path, seconds: 300) { $0.contains("listening") }
    let word = log.split { " \n".contains($0) }.first { $0.hasPrefix("url=http") } ?? ""
    let host = String(word.dropFirst("url=http://".count))
    let client = WebClient(
      place: .port(UInt16(host.split(separator: ":").last ?? "") ?? 0), host: host, token: nil)
    func status(_ wanted: Int) async throws -> WebClient.Reply {
      while true {
        let reply = try await client.get("/readyz")
        if reply.status == wanted { return reply }
      }
    }
    _ = try await status(200)
    try Data("\n".utf8).write(to: URL(filePath: program.folder + "/fill"))
    #expect(try await status(503).object()["code"] as? String == "full")
    try Data("\n".utf8).write(to: URL(filePath: program.folder + "/free"))
    _ = try await status(200)
    let pid = try #require(log.firstMatch(of: /pid=(\d+)/)?.1).description
    kill(Int32(pid) ?? 0, SIGTERM)
    #expect(try await ended.status == 0)
  }

  private static let canMount = (try? run("/usr/bin/unshare", "-rm", "true")) != nil

  @Test("a refused config is said by page, metrics, API and log, until it is mended")
  func refusedConfig() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let good = try String(contentsOfFile: daemon.program.folder + "/config.json", encoding: .utf8)
    try daemon.write(config: #"{"folows": []}"#)
    try await daemon.log(holds: "the new config is refused")
    let client = daemon.client
    let metrics = try await client.get("/metrics").body
    #expect(metrics.contains(#"almanac_problem{part="config"} 1"#))
    #expect(metrics.contains(#"almanac_config_reloads_total{result="refused"} 1"#))
    #expect(try await client.get("/").body.contains("The new config is refused."))
    #expect(try await client.get("/api/v1/status").list("problems").first?["part"] as? String == "config")
    #expect(try await client.get("/readyz").status == 200)
    try daemon.write(config: good)
    _ = try await daemon.eventually("/metrics") { $0.body.contains(#"almanac_problem{part="config"} 0"#) }
    #expect(try await !client.get("/").body.contains("The new config is refused."))
    try await daemon.stop()
  }
}
