import Dispatch
import Foundation
import TestSupport
import Testing
import UpstreamKit

/// Answers without end through `almanacd --once`: they are refused, and cost no more memory than the largest answer
/// that is allowed and 32 MiB for everything else.
@Suite(.serialized) struct DaemonBombTests {
  private static let replies: [(name: String, reply: Reply)] = [
    ("endless", .endless()), ("endless gzip", .endlessGzip()), ("gzip of 1 GB", .gzipBomb(inflatesTo: 1 << 30)),
    ("gzip in gzip, 1 GB", .gzipBomb(inflatesTo: 1 << 30, layers: 2)),
  ]

  @Test(.timeLimit(.minutes(2)), arguments: replies.indices)
  func costsNoMoreThanTheLimit(_ index: Int) async throws {
    let bomb = Self.replies[index]
    let looked = DispatchSemaphore(value: 0)
    let server = try LocalServer { request in
      guard request.path == "/user/held" else { return bomb.reply }
      // Held until the memory was looked at.
      looked.wait()
      return .json(#"{"data": {"userId": "held", "name": "N", "email": "n@example.com"}}"#)
    }
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", Daemon.config(["people", "users/held"], url: server.url))
    let running = try program.start(["--once", "--config", config])
    let errors = try Daemon.errorPath(in: program.folder)
    let log = try await FileWatch.until(errors, seconds: 60) { log in
      !running.isRunning || log.split(separator: "\n").contains { $0.contains("people") && $0.contains("failed") }
    }
    let peak = running.peakKilobytes
    looked.signal()
    let result = try await running.result()
    server.stop()
    print("bomb '\(bomb.name)': almanacd's peak \(peak >> 10) MiB")
    #expect(peak > 0 && peak <= (64 + 32) << 10, "\(peak) KiB\n\(log)")
    #expect(result.status == 69, "\(result.status) \(result.err)")
    #expect(server.requests.filter { $0.path == "/people" }.count == 1)
  }
}
