import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Follows of a store on a server, through the CLI.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct ServerFollowTests {
  private func with(_ body: (Scene, Program, String) async throws -> Void) async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = scene.almanac
    let address = try await PostgreSQLServer.shared().newAddress()
    almanac.environment["ALMANAC_STORE"] = address
    try await body(scene, almanac, address)
  }

  private static func list(_ result: Program.Result) throws -> [String] {
    try result.records().map { "\($0["follow"] ?? "") \($0["origin"] ?? "-")" }
  }

  @Test("follow, following, sync, status and unfollow use the store; the config file stays as it is")
  func commands() async throws {
    try await with { scene, almanac, address in
      let config = try scene.config(["users"], follows: ["users/bo"])
      let text = try contents(config)
      func run(_ words: String...) async throws -> Program.Result {
        try await almanac.run(words + ["--store", address, "--config", config])
      }
      let made = try await run("follow", "users/ada", "--every", "2h", "--format", "json")
      #expect(try made.status == 0 && made.object()["origin"] as? String == "store", "\(made)")
      let again = try await run("follow", "users/ada", "--limit", "none")
      #expect(again.status == 0 && again.err.contains("nothing changed"), "\(again)")
      #expect(try await Self.list(run("following", "--format", "json")) == ["users/bo config", "users/ada store"])
      #expect(try await run("sync").status == 0)
      let status = try await run("status")
      #expect(status.status == 0 && status.out.contains("store") && status.out.contains("config"), "\(status)")
      #expect(try await run("list", "profiles", "--format", "json").records().count == 2)
      #expect(try await run("source", "list").status == 0)
      #expect(try contents(config) == text)
      let gone = try await run("unfollow", "users/nobody")
      #expect(gone.status == 66 && gone.err.contains("another machine's config file"), "\(gone)")
      let ended = try await run("unfollow", "users/ada", "--purge", "--yes", "--format", "json")
      #expect(try ended.status == 0 && ended.object()["origin"] as? String == "store", "\(ended)")
      #expect(try await Self.list(run("following", "--format", "json")) == ["users/bo config"])
      #expect(try await run("list", "profiles", "--format", "json").records().count == 1)
      #expect(try contents(config) == text)
      // Another machine's config file may have what is not followed here.
      let purge = try await run("unfollow", "users/ada", "--purge")
      #expect(purge.status == 66 && purge.err.contains("another machine"), "\(purge)")
    }
  }

  @Test("a follow that the config file and the store have counts as the config file has it")
  func both() async throws {
    try await with { scene, almanac, address in
      let empty = try almanac.file("empty.json", "{}")
      let config = try scene.config(["users"], follows: [#"{"follow": "users/ada", "every": "5h"}"#])
      try await almanac.run("follow", "users/ada", "--store", address, "--config", empty, exits: 0)
      func run(_ words: String...) async throws -> Program.Result {
        try await almanac.run(words + ["--store", address, "--config", config])
      }
      let listed = try await run("following")
      #expect(listed.out.contains("5h") && listed.err.contains("that of the config file counts"), "\(listed)")
      #expect(try await run("doctor").out.contains("is in the config file and in the store"))
      let first = try await run("unfollow", "users/ada")
      #expect(first.err.contains("the store still follows it"), "\(first)")
      #expect(try await Self.list(run("following", "--format", "json")) == ["users/ada store"])
      #expect(try await run("unfollow", "users/ada").err.contains("no longer following"))
      #expect(try await Self.list(run("following", "--format", "json")) == [])
      // The command that is advised names the store, which keeps follows.
      let gone = try await run("unfollow", "users/ada")
      #expect(gone.status == 66 && gone.err.contains("'almanac following --store"), "\(gone)")
    }
  }

  @Test("a copy has the follows of the store; a folder does not use them, and a copy to a server does")
  func copies() async throws {
    try await with { scene, almanac, address in
      let config = try scene.config(["users"])
      func run(_ words: String..., store: String) async throws -> Program.Result {
        try await almanac.run(words + ["--store", store, "--config", config])
      }
      #expect(try await run("follow", "users/ada", store: address).status == 0)
      let folder = almanac.folder + "/copy"
      try await almanac.run("store", "copy", address, folder, exits: 0)
      #expect(try await run("following", "--format", "json", store: folder).records().isEmpty)
      let follow = try await run("follow", "users/bo", "--format", "json", store: folder)
      #expect(try follow.object()["origin"] == nil && follow.status == 0, "\(follow)")
      #expect(try contents(config).contains("users/bo"))
      #expect(try await Self.list(run("following", "--format", "json", store: folder)) == ["users/bo -"])
      #expect(!(try await run("status", store: folder).out.contains("origin")))
      let second = try await PostgreSQLServer.shared().newAddress()
      try await almanac.run("store", "copy", folder, second, exits: 0)
      #expect(
        try await Self.list(run("following", "--format", "json", store: second)) == [
          "users/bo config", "users/ada store",
        ])
    }
  }
}
