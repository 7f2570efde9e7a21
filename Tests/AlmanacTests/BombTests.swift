import Dispatch
import Foundation
import TestSupport
import Testing
import UpstreamKit

/// Answers without end, plain and compressed, through the shipped program: they are refused, and cost no more memory
/// than the largest answer that is allowed and 32 MiB for everything else.
@Suite(.serialized) struct BombTests {
  /// 64 MiB for a body (Modules/Networking.md) and 32 MiB.
  static let mostKilobytes = (64 + 32) << 10

  static let bombs: [(name: String, reply: Reply, code: String)] = [
    ("endless", .endless(), "tooLarge"),
    ("endless gzip", .endlessGzip(), "tooLarge"),
    ("gzip of 1 GB", .gzipBomb(inflatesTo: 1 << 30), "tooLarge"),
    ("gzip in gzip, 1 GB", .gzipBomb(inflatesTo: 1 << 30, layers: 2), "malformed"),
    ("a length of 1 TB", .raw("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{"), "tooLarge"),
  ]

  @Test(.timeLimit(.minutes(2)), arguments: bombs.indices)
  func costsNoMoreThanTheLimit(_ index: Int) async throws {
    let bomb = Self.bombs[index]
    // Every source meets it, one after another; then one request is held, so that the memory can be looked at.
    let looked = DispatchSemaphore(value: 0)
    let server = try LocalServer { request in
      guard request.path == "/user/last" else { return bomb.reply }
      looked.wait()
      return .json(#"{"data": {"userId": "last", "name": "N", "email": "n@example.com"}}"#)
    }
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let servers = ["app-store", "flickr", "users", "people"].flatMap { ["--server", "\($0)=\(server.url)"] }
    var program = almanac
    program.environment["ALMANAC_FLICKR_KEY"] = "anykey"
    let follows = ["people", "users/first", "flickr/search/cats", "app-store/us/top-free"]
    let running = try program.start(
      ["sync"] + follows + ["users/last", "--jobs", "1", "--format", "json"] + servers)
    await server.waitForRequests(follows.count + 1)
    let peak = running.peakKilobytes
    looked.signal()
    let result = try await running.result()
    server.stop()
    print("bomb '\(bomb.name)': almanac's peak \(peak >> 10) MiB")
    #expect(peak > 0 && peak <= Self.mostKilobytes, "\(peak) KiB")
    let reports = try #require(try result.object()["follows"] as? [[String: Any]])
    #expect(reports.count == follows.count + 1)
    for report in reports.dropLast() {
      let error = try #require(report["error"] as? [String: Any], "\(report)")
      #expect(error["code"] as? String == bomb.code && report["requests"] as? Int == 1, "\(report)")
    }
    #expect(reports.last?["status"] as? String == "ok")
  }
}
