import Foundation
import TestSupport
import Testing
import UpstreamKit

@Suite struct DryRunTests {
  @Test func aPlanWritesNothingAndIsWhatTheRunDoes() async throws {
    var options = UpstreamOptions()
    options.photos = 30
    options.owners = 5
    let upstream = try Upstream(options)
    var almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.server.stop()
    }
    let url = upstream.server.url
    almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let config = try almanac.file(
      "config.json",
      """
      {"servers": {"flickr": {"url": "\(url)"}, "people": {"url": "\(url)"}},
       "follows": [{"follow": "flickr/interestingness", "limit": 20}, {"follow": "people"}]}
      """)
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
}
