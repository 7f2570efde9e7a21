import AlmanacTesting
import Testing
import UpstreamKit

/// Answers without end, plain and compressed, through the shipped program: they are refused, and cost no more memory
/// than the largest answer that is allowed and 32 MiB for everything else.
@Suite(.serialized) struct BombTests {
  @Test(.timeLimit(.minutes(10)), arguments: BombServer.bombs.indices)
  func costsNoMoreThanTheLimit(_ index: Int) async throws {
    let bomb = BombServer.bombs[index]
    // Every source meets it, one after another; then one request is held, so that the memory can be looked at.
    let bombs = try BombServer(bomb, holding: "last")
    let server = bombs.server
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let servers = ["app-store", "flickr", "users", "people"].flatMap { ["--server", "\($0)=\(server.url)"] }
    var program = almanac
    program.environment["ALMANAC_FLICKR_KEY"] = "anykey"
    let follows = ["people", "users/first", "flickr/search/cats", "app-store/us/top-free"]
    let running = try program.start(
      ["sync"] + follows + ["users/last", "--jobs", "1", "--format", "json"] + servers)
    await server.waitForRequests(follows.count + 1)
    let peak = bombs.look(at: running, "almanac")
    let result = try await running.result()
    server.stop()
    #expect(peak > 0 && peak <= BombServer.mostKilobytes, "\(peak) KiB")
    let reports = try #require(try result.object()["follows"] as? [[String: Any]])
    #expect(reports.count == follows.count + 1)
    for report in reports.dropLast() {
      let error = try #require(report["error"] as? [String: Any], "\(report)")
      #expect(error["code"] as? String == bomb.code && report["requests"] as? Int == 1, "\(report)")
    }
    #expect(reports.last?["status"] as? String == "ok")
  }
}
