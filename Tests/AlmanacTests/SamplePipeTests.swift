import AlmanacTesting
import Foundation
import Testing

/// Recorded samples of photos and charts go through the whole shipped program, by a seed that is made of the files; what
/// becomes of them all is pinned. The parsers' tests pin what becomes of each sample.
@Suite(.enabled(if: Fixtures.folder != nil, "\(Fixtures.reason)"))
struct SamplePipeTests {
  /// How often something occurs.
  typealias Counts = [String: Int]

  /// A run over many samples, each of them one follow.
  private struct Outcome {
    var sync: [String: Any]
    var statuses: Counts = [:]
    var errors: Counts = [:]
    var almanac: Program

    func total(_ name: String) -> Int { (sync["totals"] as? [String: Int])?[name] ?? -1 }

    /// How many follows were read. Which of two with the same records finds them unchanged is decided by their order.
    var readFollows: Int { statuses["ok", default: 0] + statuses["unchanged", default: 0] }

    /// How many records the answers held, the same one again counted again.
    var records: Int { total("added") + total("updated") + total("unchanged") }

    func count(_ collection: String) async throws -> Int {
      try await almanac.records("list", collection).count
    }
  }

  private func run(_ follows: [[String: Any]], _ seed: [Recording.Exchange]) async throws -> Outcome {
    let almanac = try Program("almanac")
    let config: [String: Any] = [
      "servers": [
        "users": ["url": "http://users.test"], "people": ["url": "http://people.test"],
        "flickr": ["url": "http://flickr.test"], "app-store": ["url": "http://apps.test"],
      ], "follows": follows,
    ]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: config), as: UTF8.self)
    let result = try await almanac.run(
      "sync", "--format", "json", "--config", try almanac.file("config.json", text), "--seed",
      try almanac.file("seed.har", try Recording.har(seed)))
    var outcome = Outcome(sync: try result.object(), almanac: almanac)
    for follow in outcome.sync["follows"] as? [[String: Any]] ?? [] {
      outcome.statuses[follow["status"] as? String ?? "", default: 0] += 1
      guard let error = follow["error"] as? [String: Any] else { continue }
      // A code of the API's own tells more than the kind.
      let code = error["code"].map { " \($0)" } ?? ""
      outcome.errors["\(error["kind"] ?? "")\(error["kind"] as? String == "api" ? code : "")", default: 0] += 1
    }
    return outcome
  }

  private static let flickr = "http://flickr.test/services/rest/?format=json&nojsoncallback=1&api_key=k&method=flickr."

  @Test func photosOfFlickr() async throws {
    var follows: [[String: Any]] = []
    var seed: [Recording.Exchange] = []
    var owners: Set<String> = []
    for (index, name) in Fixtures.names("flickr").enumerated() {
      let body = try Fixtures.bytes("flickr/\(name)")
      // Each sample is the only page of its search.
      let text = String(decoding: body, as: UTF8.self)
      let count = text.matches(of: /"secret"/).count
      let limit = min(max(count, 1), 500)
      follows.append(["follow": "flickr/search/s\(index)", "limit": limit])
      let url =
        "\(Self.flickr)photos.search&text=s\(index)&per_page=\(limit)&page=1"
        + "&extras=date_upload,date_taken,tags,url_sq,url_q,url_l"
      seed.append(Recording.Exchange(url: url, body: body))
      for match in text.matches(of: /"(?:owner|nsid)" ?: ?"([^"]+)"/) { owners.insert(String(match.1)) }
    }
    for owner in owners {
      seed.append(
        Recording.Exchange(
          "\(Self.flickr)people.getInfo&user_id=\(owner.replacing("@", with: "%40"))",
          #"{"stat":"fail","code":1,"message":"User not found"}"#))
    }
    let outcome = try await run(follows, seed)
    defer { outcome.almanac.clean() }
    #expect(follows.count == 168)
    #expect(outcome.readFollows == 41 && outcome.statuses["failed"] == 127)
    // The others are answers of other methods, errors, and two texts that are no JSON.
    #expect(outcome.errors == ["parsing": 121, "api 100": 3, "api 98": 1, "api 1": 2])
    #expect(outcome.total("added") == 444 && outcome.records == 1284 && outcome.total("rejected") == 0)
    #expect(try await outcome.count("photos") == 444)
    #expect(try await outcome.count("owners") == 0)
    // Each owner whom Flickr does not know is asked for once a run, however many photos they have.
    #expect(outcome.total("requests") - 168 == 295)
  }

  @Test func apps() async throws {
    var follows: [[String: Any]] = []
    var seed: [Recording.Exchange] = []
    let storefronts = "us fr de gb jp it es nl se no dk fi pl pt br mx ca au nz in kr cn tw".split(separator: " ")
    let names = ["appstore-legacy", "appstore-v1v2", "appstore-reviews"].flatMap { folder in
      Fixtures.names(folder).map { "\(folder)/\($0)" }
    }
    #expect(names.count == storefronts.count)
    for (name, storefront) in zip(names, storefronts) {
      follows.append(["follow": "app-store/\(storefront)/top-free", "limit": 200])
      seed.append(
        Recording.Exchange(
          url: "http://apps.test/\(storefront)/rss/topfreeapplications/limit=200/json", body: try Fixtures.bytes(name)))
    }
    let outcome = try await run(follows, seed)
    defer { outcome.almanac.clean() }
    #expect(outcome.readFollows == 19 && outcome.statuses["failed"] == 4)
    // Three are reviews, one has a line break within a text.
    #expect(outcome.errors == ["parsing": 4])
    #expect(outcome.total("rejected") == 0 && outcome.records == 254 + 19 + 2)
    // Two of them are in charts of two storefronts each.
    #expect(try await outcome.count("apps") == 256)
    #expect(try await outcome.count("charts") == 19)
  }
}
