import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

/// A server that repeats the key wherever it can: it is shown nowhere, and kept nowhere.
@Suite final class SecretTests: ProgramTests {
  static let key = "f00d/K3y+\"2026\"-0123456789abcdef"

  /// The forms in which a server may repeat the key within a JSON string.
  static let forms: [String] = [
    #"f00d/K3y+\"2026\"-0123456789abcdef"#, #"f00d\/K3y+\u00222026\u0022-0123456789abcdef"#,
    "f00d%2FK3y%2B%222026%22-0123456789abcdef", Data(key.utf8).base64EncodedString(),
    Data("user:\(key)".utf8).base64EncodedString(), key.utf16.map { String(format: #"\u%04x"#, $0) }.joined(),
  ]

  enum Answer: String, CaseIterable {
    case fail, failUnder401, unauthorized, code, rejected, wrongType, memberName, redirect, header
  }

  static func reply(_ answer: Answer) -> Reply {
    let form = forms.joined(separator: " ")
    // Without what an address and a header cannot hold.
    let plain = forms.filter { !$0.contains("\\") }.joined(separator: "/")
    return switch answer {
    case .fail: .json(#"{"stat":"fail","code":100,"message":"Invalid API Key \#(form)"}"#)
    case .failUnder401: .json(#"{"stat":"fail","code":100,"message":"Invalid API Key \#(form)"}"#, status: 401)
    case .unauthorized: .json(#"{"error":{"message":"no such key: \#(form)"}}"#, status: 401)
    case .code: .json(#"{"stat":"fail","code":"\#(form)","message":"no"}"#)
    case .rejected:
      .json(#"{"stat":"ok","photos":{"page":1,"pages":1,"total":1,"photo":[{"id":[],"note":"\#(form)"}]}}"#)
    case .wrongType: .json(#"{"stat":"ok","photos":"\#(form)"}"#)
    case .memberName:
      .json(#"{"stat":"ok","photos":{"page":1,"pages":1,"total":1,"photo":[{"\#(form)":[],"id":7}]},"\#(form)":1}"#)
    case .redirect: .redirect(to: "/elsewhere/\(plain)")
    case .header:
      Reply(
        status: 200, headers: ["content-type": "application/json", "transfer-encoding": "x-\(plain)"], body: [],
        framing: .asWritten)
    }
  }

  @Test(arguments: Answer.allCases)
  func isNeitherShownNorKept(_ answer: Answer) async throws {
    var daemon = try Program("almanacd")
    defer { daemon.clean() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = Self.key
    daemon.environment["ALMANAC_FLICKR_KEY"] = Self.key
    let server = try LocalServer { _ in Self.reply(answer) }
    defer { server.stop() }
    let config = #"""
      {"servers": {"flickr": {"url": "\#(server.url)"}, "people": {"url": "\#(server.url)"}},
      "follows": [{"follow": "flickr/interestingness"}]}
      """#
    for (program, arguments) in [
      (almanac, ["sync", "--verbose", "--record", "run.har", "--format", "json"]),
      (almanac, ["doctor", "--format", "json"]), (daemon, ["--once", "--verbose"]),
    ] {
      let result = try await program.run(arguments + ["--config", try program.file("config.json", config)])
      Self.expectClean(result.out + result.err, "\(answer) \(arguments)")
    }
    #expect(server.requests.contains { $0.query("api_key") == Self.key })
    // What the other commands print is in the store.
    for program in [almanac, daemon] {
      for name in try FileManager.default.subpathsOfDirectory(atPath: program.folder) {
        guard let data = FileManager.default.contents(atPath: "\(program.folder)/\(name)") else { continue }
        Self.expectClean(String(decoding: data, as: UTF8.self), "\(answer) \(name)")
      }
    }
  }

  /// Nothing of the key is there, in any form that it is repeated in.
  static func expectClean(_ text: String, _ place: String) {
    let found = (forms + [key, "0123456789abcdef", "0123456789abc"]).first { text.contains($0) }
    if let found { Issue.record("\(place) holds \(found): \(text.suffix(2000))") }
    let encoded = Data("0123456789ab".utf8).base64EncodedString()
    if text.contains(encoded) { Issue.record("\(place) holds \(encoded)") }
  }
}

/// The settings of TLS, as the shipped programs take them.
@Suite final class TrustTests: SceneTests {
  @Test func aFileThatCannotBeReadFailsItsFollowsAlone() async throws {
    let (almanac, daemon, upstream) = (scene.almanac, scene.daemon, scene.upstream)
    let file = try almanac.file(
      "config.json",
      #"""
      {"servers": {"users": {"url": "https://127.0.0.1:1", "caFile": "certificates/ca.pem"},
        "people": {"url": "\#(upstream.url.replacing("http://", with: "HTTP://"))"}},
      "follows": [{"follow": "users/ada"}, {"follow": "people"}]}
      """#)
    let sync = try await almanac.run("sync", "--config", file, "--format", "json", exits: 78)
    let follows = try #require(try sync.object()["follows"] as? [[String: Any]])
    #expect(follows.map { $0["status"] as? String } == ["failed", "ok"])
    // The path counts from the config's folder.
    #expect(sync.out.contains("servers.users.caFile: \(almanac.folder)/certificates/ca.pem cannot be read"))
    try await almanac.run("status", "--config", file, exits: 75)
    try await almanac.run("doctor", "--config", file, exits: 78, out: "servers.users.caFile")
    try await daemon.run("--once", "--config", file, exits: 78)
    #expect(try await almanac.run("list", "people", "--store", daemon.store, "--format", "csv").out.count > 40)
  }

  @Test func theSchemesCaseMeansNothing() async throws {
    let almanac = scene.almanac
    let url = scene.upstream.url.replacing("http://", with: "HTTP://")
    try await almanac.run("sync", "people", "--server", "people=\(url)", exits: 0)
    for bad in ["people=ftp://x", "people=http://", "people=http://a b", "people=http://u:p@h"] {
      try await almanac.run("sync", "people", "--server", bad, exits: 64, err: "--server people")
    }
  }
}
