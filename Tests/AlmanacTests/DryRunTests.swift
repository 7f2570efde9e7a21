import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@Suite struct DryRunTests {
  @Test func aPlanWritesNothingAndIsWhatTheRunDoes() async throws {
    var options = UpstreamOptions()
    options.photos = 30
    options.owners = 5
    var scene = try Scene(options)
    defer { scene.end() }
    scene.almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let almanac = scene.almanac
    let config = try scene.config(
      ["flickr", "people"], follows: [#"{"follow": "flickr/interestingness", "limit": 20}"#, "people"])
    let plan = try await almanac.run("sync", "--dry-run", "--format", "json", "--config", config)
    #expect(plan.status == 0, "\(plan.err)")
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
    let planned = try #require(try plan.object()["plan"] as? [[String: Any]])
    let run = try await almanac.run("sync", "--format", "json", "--config", config)
    let totals = try #require(try run.object()["totals"] as? [String: Int])
    #expect(planned.count == totals["added"])
    for change in planned {
      let id = try #require(change["id"] as? String)
      let collection = try #require(change["collection"] as? String)
      #expect(change["op"] as? String == "add")
      let shown = try await almanac.run("show", collection, id, "--format", "json", "--config", config)
      #expect(try shown.object() as NSDictionary == change["fields"] as? NSDictionary)
    }
    let again = try await almanac.run("sync", "--dry-run", "--format", "json", "--config", config).object()
    #expect((again["plan"] as? [Any])?.isEmpty == true)
  }

  @Test func aPlanTellsWhatWouldBeSent() async throws {
    let scene = try Scene()
    let (almanac, upstream) = (scene.almanac, scene.upstream)
    defer { scene.end() }
    let config = try scene.config(["users", "people"], follows: ["users/ada"])
    #expect(try await almanac.run("sync", "--config", config).status == 0)
    let set = try await almanac.run("profile", "set", "ada", "--name", "Ada King", "--config", config)
    #expect(set.status == 0, "\(set.err)")
    let plan = try await almanac.run("sync", "--dry-run", "--format", "json", "--config", config)
    let outgoing = try #require(try plan.object()["outgoing"] as? [[String: Any]])
    #expect(outgoing.count == 1)
    #expect(outgoing.first?["method"] as? String == "PUT" && outgoing.first?["target"] as? String == "profiles/ada")
    #expect(outgoing.first?["fields"] as? [String: String] == ["name": "Ada King"])
    #expect(outgoing.first?["url"] as? String == "\(upstream.url)/user/ada")
    #expect((outgoing.first?["body"] as? [String: Any])?["email"] is String)
    let table = try await almanac.run("sync", "--dry-run", "--config", config)
    for word in ["1 edit would be sent", "PUT", "profiles/ada", "Ada King"] {
      #expect(table.out.contains(word), "\(table.out)")
    }
    #expect(upstream.user("ada")?.name != "Ada King")
    // The server cannot be asked: what would be sent is told all the same.
    let away = try await almanac.run(
      "sync", "users/ada", "--dry-run", "--format", "json", "--config", config, "--server", "users=http://127.0.0.1:1")
    let told = try away.object()["outgoing"] as? [Any]
    #expect(away.status == 69 && told?.count == 1, "\(away.out)")
    let sync = try await almanac.run("sync", "--format", "json", "--config", config)
    let outbox = try sync.object()["outbox"] as? [String: Int]
    #expect(outbox?["sent"] == 1)
    #expect(upstream.user("ada")?.name == "Ada King")
  }
}
