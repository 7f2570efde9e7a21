import AlmanacTesting
import CLibrary
import Foundation
import Models
import Networking
import Ports
import Testing
import UpstreamKit

@testable import almanacd

/// How `almanacd --once` ends.
@Suite struct OnceTests {
  @Test("a dead server is 69 for every follow, with the reason, also where the circuit breaker is open")
  func deadServer() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let follows = (0..<8).map { "users/u\($0)" }
    let config = try program.file("config.json", Daemon.config(follows, url: "http://127.0.0.1:1"))
    let result = try await program.run(["--once", "--config", config], exits: 69)
    let lines = result.err.split(separator: "\n").filter { $0.contains("sync failed") }
    #expect(lines.count == 8 && lines.allSatisfy { $0.contains("refused") }, "\(result.err)")
    #expect(lines.contains { $0.contains("are stopped after repeated failures") }, "\(result.err)")
    #expect(!result.err.contains("next attempt"), "\(result.err)")
  }

  @Test("a server that does not respond is given up after two requests without a repetition")
  func silentServer() async throws {
    let time = ManualTime()
    let network = ScriptedTransport { (_: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      time.advance(by: .seconds(30))
      throw TransportError(.timeout, "no response within 30 s")
    }
    var stack = StandardStack.service(time: time)
    CompositionRoot.endSoon(&stack)
    let transport = stack.transport(over: network)
    let begun = time.uptime
    for number in 0..<9 { _ = try? await transport.send(HTTPRequest(.get, "http://h/\(number)")) }
    #expect(network.requests.count == 2 && time.uptime - begun <= .seconds(60))
    let help = try await Program("almanacd").run(["--help"]).out.split { $0.isWhitespace }.joined(separator: " ")
    #expect(help.contains("two of them the server is not asked again"), "\(help)")
  }

  @Test("edits are not sent to a recording", .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
  func replay() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    let (almanac, daemon) = (try Program("almanac"), try Program("almanacd"))
    defer {
      almanac.clean()
      daemon.clean()
    }
    let common = [
      "--store", daemon.store, "--config", try almanac.file("c.json", Daemon.config(["users/ada"], url: upstream.url)),
    ]
    func run(_ words: String...) async throws -> Program.Result { try await almanac.run(words + common) }
    #expect(try await run("sync").status == 0)
    #expect(try await run("profile", "set", "ada", "--name", "First").status == 0)
    // The recording has the answer to an edit.
    let recording = almanac.folder + "/run.har"
    #expect(try await run("sync", "--record", recording).status == 0)
    #expect(try await run("profile", "set", "ada", "--name", "Second").status == 0)
    #expect(try await run("people", "add", "--first", "Bo", "--birthday", "--01-02").status == 0)
    for words in [["sync"], ["sync", "--send"], ["people", "fetch"]] {
      let seeded = try await almanac.run(words + ["--seed", recording] + common)
      #expect(seeded.err.contains("1 edit waits: responses come from a recording"), "\(seeded)")
    }
    let sent = try await run("people", "send", "Bo", "--seed", recording)
    #expect(sent.status == 64 && sent.err.contains("to which no edit is sent"), "\(sent)")
    let once = try await daemon.run(["--once", "--seed", recording] + common)
    #expect(once.status == 0 || once.status == 69, "\(once)")
    let outbox = try await run("outbox", "--format", "json").records()
    #expect(outbox.count == 2 && outbox.allSatisfy { $0["state"] as? String == "pending" }, "\(outbox)")
  }

  @Test(
    "a folder without a store is named, once: it may have been moved away; the new one is there when that is said",
    arguments: [["people"], []])
  func newStore(follows: [String]) async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    let config = try program.file("config.json", Daemon.config(follows, url: upstream.url))
    let first = try await program.run(["--once", "--config", config])
    let lines = first.err.split(separator: "\n").filter { $0.contains("notice created a new store") }
    #expect(first.status == 0 && lines.count == 1 && lines.allSatisfy { $0.contains(program.store) }, "\(first.err)")
    #expect(FileManager.default.fileExists(atPath: program.store + "/manifest"))
    let hint = "run 'almanac follow PATH --config \(config)'"
    #expect(first.err.contains("nothing is followed") == follows.isEmpty, "\(first.err)")
    #expect(first.err.contains(hint) == follows.isEmpty, "\(first.err)")
    let second = try await program.run(["--once", "--config", config])
    #expect(!second.err.contains("created a new store"), "\(second.err)")
  }

  @Test("beside a daemon on the same folder, --once ends with 75 and asks no server; so does a second daemon")
  func besideADaemon() async throws {
    let daemon = try await Daemon(follows: ["people"])
    _ = try await daemon.eventually("/api/v1/status") { $0.body.contains("lastSuccess") }
    let config = daemon.program.folder + "/config.json"
    let asked = daemon.upstream?.log.count
    for words in [["--once"], ["--listen", "127.0.0.1:0"]] {
      try await daemon.program.run(
        words + ["--config", config], exits: 75, err: "another almanacd keeps this store", "stop it first")
    }
    #expect(daemon.upstream?.log.count == asked)
    // A command of a person goes on beside it, and so does --once after it.
    daemon.running.signal(SIGTERM)
    _ = try await daemon.running.result()
    try await daemon.program.run(["--once", "--config", config], exits: 0)
  }

  @Test("each server that asks to come back later is named")
  func severalLater() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.status(429, retryAfter: "3600"), times: nil)]
    let servers = [try Upstream(options), try Upstream(options)]
    defer { for server in servers { server.stop() } }
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = """
      {"servers": {"users": {"url": "\(servers[0].url)"}, "people": {"url": "\(servers[1].url)"}},
       "follows": [{"follow": "users/ada"}, {"follow": "people"}]}
      """
    let result = try await program.run(["--once", "--config", program.file("config.json", config)], exits: 75)
    for server in servers { #expect(result.err.contains("server=\(server.url)"), "\(result.err)") }
  }

  @Test("a server that asks to come back later is obeyed by the next run: 75 at once, and when that is")
  func later() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.status(429, retryAfter: "3600"), path: "/user/ada", times: nil)]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", Daemon.config(["users/ada"], url: upstream.url))
    let result = try await program.run(["--once", "--config", config], exits: 75)
    #expect(upstream.server.requests.count { $0.path == "/user/ada" } == 1)
    #expect(result.err.contains("a later run goes on") && result.err.contains("seconds=3600"), "\(result.err)")
    #expect(result.err.contains("server=\(upstream.url)"), "\(result.err)")
    // The next run, also that of the other program, does not ask before; it says until when, and why.
    try await program.run(["--once", "--config", config], exits: 75, err: "asked to wait until", "429")
    #expect(upstream.server.requests.count { $0.path == "/user/ada" } == 1)
    guard Daemon.hasCLI else { return }
    let sync = try await program.almanac("sync")
    #expect(sync.status == 75 && sync.err.contains("asked to wait until"), "\(sync)")
    #expect(sync.err.contains("sync users/ada --now"), "\(sync)")
    #expect(upstream.server.requests.count { $0.path == "/user/ada" } == 1)
    #expect(try await program.almanac("status").out.contains("paused until"))
    // --force accepts a list; it does not end a pause.
    #expect(try await program.almanac("sync users/ada --force").status == 75)
    #expect(upstream.server.requests.count { $0.path == "/user/ada" } == 1)
    _ = try await program.almanac("sync users/ada --now")
    #expect(upstream.server.requests.count { $0.path == "/user/ada" } == 2)
  }

  @Test("SIGTERM and SIGINT in the middle are 130, and what is kept is said", arguments: [SIGTERM, SIGINT])
  func stopped(signal: Int32) async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.hang, path: "/user/ada", times: nil)]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", Daemon.config(["users/ada"], url: upstream.url))
    let running = try program.start(["--once", "--config", config])
    await upstream.server.waitForRequests(1)
    running.signal(signal)
    let result = try await running.result()
    // Beside all other tests, the signal may come only after the daemon has given up. `.ci/run` runs this test alone, too.
    let isAlone = PromisedTime.bound(.zero) == .zero
    #expect(result.status == 130 || !isAlone && result.status == 69, "\(result.err)")
    if result.status == 130 {
      #expect(result.err.contains("stopped by \(signal == SIGTERM ? "SIGTERM" : "SIGINT")"), "\(result.err)")
      #expect(result.err.contains("are kept"))
    }
  }
}

/// An answer without end through `almanacd --once`: it is refused, and costs no more memory than the largest answer
/// that is allowed and 32 MiB for everything else. `BombTests` has each kind of them.
@Suite struct DaemonBombTests {
  @Test(.timeLimit(.minutes(10))) func costsNoMoreThanTheLimit() async throws {
    let bombs = try BombServer(BombServer.bombs[2], holding: "held")
    let server = bombs.server
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", Daemon.config(["people", "users/held"], url: server.url))
    let running = try program.start(["--once", "--config", config])
    let errors = running.errorPath
    bombs.watch(running) {
      let log = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      return log.split(separator: "\n").contains { $0.contains("people") && $0.contains("failed") }
    }
    let result = try await running.result()
    server.stop()
    let peak = bombs.peak(of: "almanacd")
    #expect(peak > 0 && peak <= BombServer.mostKilobytes, "\(peak) KiB\n\(result.err)")
    #expect(result.status == 69, "\(result.status) \(result.err)")
    #expect(server.requests.filter { $0.path == "/people" }.count == 1)
  }
}
