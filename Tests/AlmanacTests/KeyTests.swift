import AlmanacTesting
import Foundation
import Glibc
import Testing
import UpstreamKit

/// Keys: where they come from, and what one that is missing or refused stops.
@Suite struct KeyTests {
  /// A config with a key for Flickr, one follow of Flickr and one of people.
  private func config(_ key: String, in scene: Scene) throws -> String {
    try scene.config(
      ["flickr", "people"], settings: key.isEmpty ? [:] : ["flickr": #""apiKey": \#(key)"#],
      follows: [#"{"follow": "flickr/interestingness", "limit": 3}"#, "people"])
  }

  private static func scene() throws -> Scene {
    var options = UpstreamOptions()
    options.apiKey = "right-key"
    return try Scene(options)
  }

  @Test(arguments: [
    ("", "ALMANAC_FLICKR_KEY"), (#"{"env": "NO_SUCH_KEY"}"#, "NO_SUCH_KEY is not set"),
    (#"{"file": "/no/such/key"}"#, "/no/such/key cannot be read"), (#""wrong-key""#, "Invalid API Key"),
    (#"{"file": "/dev/null"}"#, "is empty"),
  ])
  func aMissingKeyFailsItsFollowsAlone(key: String, words: String) async throws {
    let scene = try Self.scene()
    let (almanac, daemon) = (scene.almanac, scene.daemon)
    defer { scene.end() }
    let file = try config(key, in: scene)
    let sync = try await almanac.run("sync", "--config", file, "--format", "json")
    #expect(sync.status == 77, "\(sync.out)\(sync.err)")
    let follows = try #require(try sync.object()["follows"] as? [[String: Any]])
    #expect(follows.map { $0["status"] as? String } == ["failed", "ok"])
    #expect(sync.out.contains(words), "\(sync.out)")
    if words == "Invalid API Key" {
      #expect(sync.err.contains("; the key is from servers.flickr.apiKey in \(file)"), "\(sync.err)")
    }

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
    let scene = try Scene()
    let (almanac, daemon) = (scene.almanac, scene.daemon)
    defer { scene.end() }
    let file = try scene.config(
      ["flickr", "people"], settings: ["flickr": #""apiKey": {"env": "NO_SUCH_KEY"}"#], follows: ["people"])
    for arguments in [["sync"], ["status"], ["doctor"]] {
      let result = try await almanac.run(arguments + ["--config", file])
      #expect(result.status == 0, "\(arguments): \(result.out)\(result.err)")
    }
    let once = try await daemon.run("--once", "--config", file)
    #expect(once.status == 0, "\(once.err)")
  }

  @Test func theDoctorProvesTheKeyAndSaysWhereItIsFrom() async throws {
    var scene = try Self.scene()
    defer { scene.end() }
    scene.almanac.environment["ALMANAC_FLICKR_KEY"] = "right-key"
    scene.almanac.environment["MY_KEY"] = "right-key"
    let almanac = scene.almanac
    let keyFile = try almanac.file("key", "right-key\n")
    chmod(keyFile, 0o600)
    #expect(try await almanac.run("sync", "--config", config("", in: scene)).status == 0)
    for (key, place) in [
      ("", "the environment variable ALMANAC_FLICKR_KEY"), (#"{"env": "MY_KEY"}"#, "the environment variable MY_KEY"),
      (#"{"file": "\#(keyFile)"}"#, "the file \(keyFile)"), (#"{"file": "key"}"#, "the file \(keyFile)"),
      (#"{"file": "~/key"}"#, "the file \(keyFile)"), (#""right-key""#, "servers.flickr.apiKey in "),
    ] {
      let file = try config(key, in: scene)
      chmod(file, 0o600)
      let before = scene.upstream.log.count
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
      #expect(doctor.status == 0, "\(doctor.out)\(doctor.err)")
      #expect(try (doctor.object()["findings"] as? [Any])?.isEmpty == true, "\(doctor.out)")
      let keys = try #require(try doctor.object()["keys"] as? [[String: String]])
      #expect(keys.count == 1 && keys[0]["source"] == "flickr" && keys[0]["from"]?.hasPrefix(place) == true, "\(keys)")
      #expect(scene.upstream.log.count == before + 2)
      #expect(try await almanac.run("doctor", "--config", file).out.contains(place))
    }
  }

  @Test func aPlainKeyThatOthersCanReadIsAFinding() async throws {
    let scene = try Scene()
    let almanac = scene.almanac
    defer { scene.end() }
    let keyFile = try almanac.file("key", "any-key\n")
    for (mode, key, isFound) in [
      (mode_t(0o644), #""any-key""#, true), (0o640, #""any-key""#, true), (0o600, #""any-key""#, false),
      (0o644, #"{"env": "PATH"}"#, false), (0o604, #"{"file": "key"}"#, true), (0o600, #"{"file": "key"}"#, false),
    ] {
      let file = try config(key, in: scene)
      for path in [file, keyFile] { chmod(path, mode) }
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
      let open = key.contains("file") ? keyFile : file
      #expect(doctor.out.contains("chmod 600 '\(open)'") == isFound, "\(doctor.out)\(doctor.err)")
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
