import Foundation
import Glibc
import TestSupport
import Testing
import UpstreamKit

/// Keys: where they come from, and what one that is missing or refused stops.
@Suite struct KeyTests {
  /// A config with a key for Flickr, one follow of Flickr and one of people.
  private func config(_ key: String, _ url: String) -> String {
    #"""
    {"servers": {"flickr": {"url": "\#(url)"\#(key.isEmpty ? "" : #", "apiKey": \#(key)"#)}, "people": {"url": "\#(url)"}},
    "follows": [{"follow": "flickr/interestingness", "limit": 3}, {"follow": "people"}]}
    """#
  }

  @Test(arguments: [
    ("", "ALMANAC_FLICKR_KEY"), (#"{"env": "NO_SUCH_KEY"}"#, "NO_SUCH_KEY is not set"),
    (#"{"file": "/no/such/key"}"#, "/no/such/key cannot be read"), (#""wrong-key""#, "Invalid API Key"),
    (#"{"file": "/dev/null"}"#, "is empty"),
  ])
  func aMissingKeyFailsItsFollowsAlone(key: String, words: String) async throws {
    var options = UpstreamOptions()
    options.apiKey = "right-key"
    let upstream = try Upstream(options)
    let (almanac, daemon) = (try Program("almanac"), try Program("almanacd"))
    defer {
      almanac.clean()
      daemon.clean()
      upstream.stop()
    }
    let file = try almanac.file("config.json", config(key, upstream.url))
    let sync = try await almanac.run("sync", "--config", file, "--format", "json")
    #expect(sync.status == 77, "\(sync.out)\(sync.err)")
    let follows = try #require(try sync.object()["follows"] as? [[String: Any]])
    #expect(follows.map { $0["status"] as? String } == ["failed", "ok"])
    #expect(sync.out.contains(words), "\(sync.out)")

    let status = try await almanac.run("status", "--config", file, "--format", "json")
    #expect(status.status == 75, "\(status.err)")
    #expect(try (status.object()["follows"] as? [[String: Any]])?.count == 2)

    let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
    #expect(doctor.status == 77, "\(doctor.out)\(doctor.err)")
    let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
      .compactMap { $0["message"] as? String }.filter { $0.contains("http") || $0.contains("key") }
    #expect(findings.filter { !$0.contains("can be read by") }.count == 1, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("flickr/") }, "\(findings)")

    let once = try await daemon.run("--once", "--config", file)
    #expect(once.status == 77, "\(once.err)")
    #expect(try await daemon.run("--once", "--config", file).status == 77)
    let records = try await almanac.run("list", "people", "--store", daemon.store, "--format", "json").records()
    #expect(!records.isEmpty, "\(once.err)")
  }

  @Test func aKeyThatNobodyAsksForIsNotMissed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    let (almanac, daemon) = (try Program("almanac"), try Program("almanacd"))
    defer {
      almanac.clean()
      daemon.clean()
      upstream.stop()
    }
    let file = try almanac.file(
      "config.json",
      #"""
      {"servers": {"flickr": {"apiKey": {"env": "NO_SUCH_KEY"}}, "people": {"url": "\#(upstream.url)"}},
      "follows": [{"follow": "people"}]}
      """#)
    for arguments in [["sync"], ["status"], ["doctor"]] {
      let result = try await almanac.run(arguments + ["--config", file])
      #expect(result.status == 0, "\(arguments): \(result.out)\(result.err)")
    }
    let once = try await daemon.run("--once", "--config", file)
    #expect(once.status == 0, "\(once.err)")
  }

  @Test func theDoctorProvesTheKeyAndSaysWhereItIsFrom() async throws {
    var options = UpstreamOptions()
    options.apiKey = "right-key"
    let upstream = try Upstream(options)
    var almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "right-key"
    almanac.environment["MY_KEY"] = "right-key"
    let keyFile = try almanac.file("key", "right-key\n")
    for (key, place) in [
      ("", "the environment variable ALMANAC_FLICKR_KEY"), (#"{"env": "MY_KEY"}"#, "the environment variable MY_KEY"),
      (#"{"file": "\#(keyFile)"}"#, "the file \(keyFile)"), (#""right-key""#, "servers.flickr.apiKey in "),
    ] {
      let file = try almanac.file("config.json", config(key, upstream.url))
      chmod(file, 0o600)
      let before = upstream.log.count
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
      #expect(doctor.status == 0, "\(doctor.out)\(doctor.err)")
      #expect(try (doctor.object()["findings"] as? [Any])?.isEmpty == true, "\(doctor.out)")
      let keys = try #require(try doctor.object()["keys"] as? [[String: String]])
      #expect(keys.count == 1 && keys[0]["source"] == "flickr" && keys[0]["from"]?.hasPrefix(place) == true, "\(keys)")
      #expect(upstream.log.count == before + 2)
      #expect(try await almanac.run("doctor", "--config", file).out.contains(place))
    }
  }

  @Test func aPlainKeyThatOthersCanReadIsAFinding() async throws {
    let upstream = try Upstream(UpstreamOptions())
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    for (mode, key, isFound) in [
      (mode_t(0o644), #""any-key""#, true), (0o640, #""any-key""#, true), (0o600, #""any-key""#, false),
      (0o644, #"{"env": "PATH"}"#, false),
    ] {
      let file = try almanac.file("config.json", config(key, upstream.url))
      chmod(file, mode)
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
      #expect(doctor.out.contains("chmod 600") == isFound, "\(doctor.out)\(doctor.err)")
      #expect(!doctor.out.contains("any-key"))
    }
  }

  @Test func theVariableOfOneSourceIsNoOthers() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "a-key-for-flickr"
    let server = try LocalServer { request in
      request.path == "/people" ? .json("[]") : .json("{}", status: 404)
    }
    defer { server.stop() }
    let sync = try await almanac.run("sync", "people", "--server", "people=\(server.url)")
    #expect(sync.status == 0)
    for request in server.requests {
      #expect(!"\(request.target) \(request.headers)".contains("a-key-for-flickr"))
    }
  }
}
