import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Answers without end through `almanacd --once`: they are refused, and cost no more memory than the largest answer
/// that is allowed and 32 MiB for everything else.
@Suite(.serialized) struct DaemonBombTests {
  @Test(.timeLimit(.minutes(10)), arguments: BombServer.bombs.indices)
  func costsNoMoreThanTheLimit(_ index: Int) async throws {
    let bombs = try BombServer(BombServer.bombs[index], holding: "held")
    let server = bombs.server
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", Daemon.config(["people", "users/held"], url: server.url))
    let running = try program.start(["--once", "--config", config])
    let errors = try Daemon.errorPath(in: program.folder)
    let log = try await FileWatch.until(errors, seconds: 300) { log in
      !running.isRunning || log.split(separator: "\n").contains { $0.contains("people") && $0.contains("failed") }
    }
    let peak = bombs.look(at: running, "almanacd")
    let result = try await running.result()
    server.stop()
    #expect(peak > 0 && peak <= BombServer.mostKilobytes, "\(peak) KiB\n\(log)")
    #expect(result.status == 69, "\(result.status) \(result.err)")
    #expect(server.requests.filter { $0.path == "/people" }.count == 1)
  }
}

/// Both programs read one config file alike.
@Suite struct SharedConfigTests {
  @Test(arguments: ["almanac", "almanacd"])
  func anUnknownOptionIsNamedWithItsPlace(_ name: String) async throws {
    let program = try Program(name)
    defer { program.clean() }
    let config = try program.file(
      "config.json", "{\"follows\": [\n  {\"follow\": \"app-store/us/new\", \"gnre\": 6014}]}")
    let result = try await program.run([name == "almanac" ? "following" : "--once", "--config", config])
    #expect(result.status == 78)
    for words in [
      config, "line 2, column 34", #"unknown option "gnre"; did you mean "genre"?"#, #""genre", "feed""#,
    ] { #expect(result.err.contains(words), "'\(words)' in \(result.err)") }
  }
}
