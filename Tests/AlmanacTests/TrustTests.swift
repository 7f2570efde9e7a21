import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// The settings of TLS, as the shipped programs take them.
@Suite struct TrustTests {
  @Test func aFileThatCannotBeReadFailsItsFollowsAlone() async throws {
    let scene = try Scene()
    let (almanac, daemon, upstream) = (scene.almanac, scene.daemon, scene.upstream)
    defer { scene.end() }
    let file = try almanac.file(
      "config.json",
      #"""
      {"servers": {"users": {"url": "https://127.0.0.1:1", "caFile": "certificates/ca.pem"},
        "people": {"url": "\#(upstream.url.replacing("http://", with: "HTTP://"))"}},
      "follows": [{"follow": "users/ada"}, {"follow": "people"}]}
      """#)
    let sync = try await almanac.run("sync", "--config", file, "--format", "json")
    #expect(sync.status == 78, "\(sync.out)\(sync.err)")
    let follows = try #require(try sync.object()["follows"] as? [[String: Any]])
    #expect(follows.map { $0["status"] as? String } == ["failed", "ok"])
    // The path counts from the config's folder.
    #expect(sync.out.contains("servers.users.caFile: \(almanac.folder)/certificates/ca.pem cannot be read"))
    #expect(try await almanac.run("status", "--config", file).status == 75)
    let doctor = try await almanac.run("doctor", "--config", file)
    #expect(doctor.status == 78 && doctor.out.contains("servers.users.caFile"), "\(doctor.out)")
    #expect(try await daemon.run("--once", "--config", file).status == 78)
    #expect(try await almanac.run("list", "people", "--store", daemon.store, "--format", "csv").out.count > 40)
  }

  @Test(arguments: [
    (#"{"servers": {"people": {"caFile": 7}}}"#, ["line 1, column 35, servers.people.caFile", "string"]),
    (#"{"servers": {"people": {"caFile": ""}}}"#, ["servers.people.caFile", "empty"]),
    (#"{"servers": {"people": {"cafile": "x"}}}"#, ["servers.people.cafile", "caFile"]),
    (#"{"servers": {"people": {"keyFile": "x"}}}"#, ["servers.people.keyFile", "certFile"]),
    (#"{"servers": {"people": {"insecure": true}}}"#, ["servers.people.insecure", "unknown key"]),
  ])
  func mistakesAreNamed(config: String, words: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("status", "--config", try almanac.file("config.json", config))
    #expect(result.status == 78)
    for word in words { #expect(result.err.contains(word), "'\(word)' in: \(result.err)") }
  }

  @Test func theSchemesCaseMeansNothing() async throws {
    let scene = try Scene()
    let almanac = scene.almanac
    defer { scene.end() }
    let url = scene.upstream.url.replacing("http://", with: "HTTP://")
    let result = try await almanac.run("sync", "people", "--server", "people=\(url)")
    #expect(result.status == 0, "\(result.err)")
    for bad in ["people=ftp://x", "people=http://", "people=http://a b", "people=http://u:p@h"] {
      let result = try await almanac.run("sync", "people", "--server", bad)
      #expect(result.status == 64 && result.err.contains("--server people"), "\(bad): \(result.err)")
    }
  }
}
