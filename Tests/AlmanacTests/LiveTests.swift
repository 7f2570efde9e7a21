import AlmanacTesting
import Foundation
import Testing

/// The real services, asked gently; only where ALMANAC_LIVE=1 says so.
@Suite(
  .enabled(if: ProcessInfo.processInfo.environment["ALMANAC_LIVE"] == "1", "set ALMANAC_LIVE=1 to ask real services"),
  .serialized)
struct LiveTests {
  private static let flickrKey = ProcessInfo.processInfo.environment["ALMANAC_FLICKR_KEY"]

  @Test(arguments: [["app-store/us/top-free"], ["app-store/fr/top-free", "--feed", "marketing"]])
  func appStore(follow: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    #expect(try await almanac.run(["follow"] + follow + ["--limit", "10"]).status == 0)
    let sync = try await almanac.run("sync", "--format", "json")
    #expect(sync.status == 0, "\(sync.out)\(sync.err)")
    #expect(try await almanac.run("list", "apps", "--format", "json").records().count == 10)
  }

  @Test(.enabled(if: flickrKey != nil, "set ALMANAC_FLICKR_KEY as well"))
  func flickr() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = Self.flickrKey
    #expect(try await almanac.run("follow", "flickr/interestingness", "--limit", "5").status == 0)
    let sync = try await almanac.run("sync", "--format", "json")
    #expect(sync.status == 0, "\(sync.out)\(sync.err)")
    #expect(try await almanac.run("list", "photos", "--format", "json").records().count == 5)
  }
}
