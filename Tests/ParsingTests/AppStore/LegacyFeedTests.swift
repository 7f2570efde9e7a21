import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite("App Store, legacy feed")
struct LegacyFeedTests {
  let parser = AppStoreFeedParser()

  private func app(_ changes: [String: String]) throws -> App? {
    let parsed = try parser.parse(FeedSamples.legacy("[\(FeedSamples.entry(changes))]"))
    return parsed.value.apps.first
  }

  @Test("an entry becomes an app with every field")
  func everyField() throws {
    let parsed = try parser.parse(FeedSamples.legacy("[\(FeedSamples.entry())]"))
    #expect(parsed.rejects.isEmpty)
    #expect(parsed.value.updatedAt == Timestamp(rfc3339: "2024-03-01T17:00:00Z"))
    #expect(
      parsed.value.apps == [
        App(
          appID: "42", bundleID: "com.example.orbit", name: "Orbit Golf", artist: "Small Moon",
          summary: "Nine planets, nine holes.", thumbnailURL: "https://img.example/53.png",
          artworkURL: "https://img.example/100.png", price: Price(amount: "0.99000", currency: "EUR"),
          category: "Jeux", releaseDate: "2024-03-01T05:30:00Z", url: "https://apps.example/app/id42")
      ])
  }

  @Test("what feeds leave out or write differently")
  func drifts() throws {
    #expect(try app(["summary": ""])?.summary == nil)
    #expect(try app(["im:artist": #"{"label":""}"#])?.artist == "")
    #expect(try app(["im:artist": #"{"label":"Small Moon"}"#])?.artist == "Small Moon")
    #expect(try app(["im:artist": #""Small Moon""#])?.artist == "Small Moon")
    #expect(try app(["im:price": ""])?.price == nil)
    #expect(
      try app(["im:price": #"{"label":"Get","attributes":{"amount":"0","currency":"USD"}}"#])?.price?.amount == "0")
    #expect(
      try app(["im:price": #"{"label":"Get","attributes":{"amount":14.99000,"currency":"USD"}}"#])?.price?.amount
        == "14.99000")
    #expect(
      try app(["link": #"{"attributes":{"href":"https://apps.example/one"}}"#])?.url == "https://apps.example/one")
    #expect(try app(["category": #"{"attributes":{"term":"Games"}}"#])?.category == "Games")
    #expect(try app(["im:releaseDate": #"{"label":"2010-10-06"}"#])?.releaseDate == "2010-10-06")
    #expect(try app(["im:releaseDate": #"{"label":"October 6, 2010"}"#])?.releaseDate == nil)
  }

  /// A member, its value, and the place in the entry and the found value of its error.
  @Test(
    "one bad entry is set aside with its place; the others stay",
    arguments: [
      ("id", #"{"label":"x","attributes":{"im:id":true}}"#, ".id.attributes['im:id']", "true"),
      ("id", "", ".id", "nothing"),
      ("im:name", "", "['im:name']", "nothing"),
      ("im:name", #"{"label":["a"]}"#, "['im:name'].label", "an array of 1"),
      ("im:image", "[]", "['im:image']", "an empty array"),
      (
        "im:price", #"{"attributes":{"amount":"free","currency":"EUR"}}"#, "['im:price'].attributes.amount",
        #"string "free""#
      ),
    ])
  func rejects(_ member: String, _ value: String, _ path: String, _ found: String) throws {
    let entry = FeedSamples.entry([member: value])
    let parsed = try parser.parse(FeedSamples.legacy("[\(FeedSamples.entry()),\(entry),\(FeedSamples.entry())]"))
    #expect(parsed.value.apps.count == 2 && parsed.rejects.kept.map(\.index) == [1])
    let reject = try #require(parsed.rejects.kept.first)
    #expect([reject.path, reject.found, reject.raw] == ["$.feed.entry[1]\(path)", found, entry])
  }

  @Test("an entry that is not an object is rejected; a long one is truncated to 64 KiB")
  func otherRejects() throws {
    let long = FeedSamples.entry(["im:name": "", "summary": "\"\(String(repeating: "é", count: 40_000))\""])
    let parsed = try parser.parse(FeedSamples.legacy("[7,\(long)]"))
    #expect(parsed.rejects.kept.map(\.path) == ["$.feed.entry[0]", "$.feed.entry[1]['im:name']"])
    #expect(parsed.rejects.kept[0].raw == "7")
    #expect(parsed.rejects.kept[1].raw.utf8.count <= Models.Reject.rawLimit)
    #expect(parsed.rejects.kept[1].raw.utf8.count > Models.Reject.rawLimit - 4)
    #expect(long.hasPrefix(parsed.rejects.kept[1].raw))
  }

  @Test("a feed of reviews is not a chart, whatever its first entry is")
  func reviews() throws {
    let review = #"{"author":{"name":{"label":"A"}},"im:rating":{"label":"5"},"id":{"label":"1"}}"#
    for entry in ["[\(FeedSamples.entry()),\(review)]", "[\(review)]", review] {
      let error = try #require(throws: ParsingError.self) { try parser.parse(FeedSamples.legacy(entry)) }
      #expect(error.code == .shape)
      #expect(error.found == "customer reviews of one app")
      #expect(error.failure.hint?.contains("app-store/") == true)
    }
    let empty = Array(#"{"feed":{"id":{"label":"https://x.example/rss/customerreviews/id=5/json"}}}"#.utf8)
    #expect(throws: ParsingError.self) { try parser.parse(empty) }
  }
}

/// Feeds in the shapes of Apple's, written for these tests.
enum FeedSamples {
  /// One entry of a legacy feed; `changes` replace or, with an empty text, remove top-level members.
  static func entry(_ changes: [String: String] = [:]) -> String {
    var members: [(String, String)] = [
      ("im:name", #"{"label":"Orbit Golf"}"#),
      (
        "im:image",
        #"[{"label":"https://img.example/75.png","attributes":{"height":"75"}},{"label":"https://img.example/53.png","attributes":{"height":"53"}},{"label":"https://img.example/100.png","attributes":{"height":"100"}}]"#
      ),
      ("summary", #"{"label":"Nine planets, nine holes."}"#),
      ("im:price", #"{"label":"0,99 €","attributes":{"amount":"0.99000","currency":"EUR"}}"#),
      ("im:contentType", #"{"attributes":{"term":"Application","label":"Application"}}"#),
      ("title", #"{"label":"Orbit Golf - Small Moon"}"#),
      (
        "link",
        #"[{"attributes":{"rel":"enclosure","href":"https://img.example/preview.jpg"}},{"attributes":{"rel":"alternate","type":"text/html","href":"https://apps.example/app/id42"}}]"#
      ),
      (
        "id",
        #"{"label":"https://apps.example/app/id42?uo=2","attributes":{"im:id":"42","im:bundleId":"com.example.orbit"}}"#
      ),
      ("im:artist", #"{"label":"Small Moon","attributes":{"href":"https://apps.example/developer/id7"}}"#),
      ("category", #"{"attributes":{"im:id":"6014","term":"Games","label":"Jeux"}}"#),
      ("im:releaseDate", #"{"label":"2024-02-29T22:30:00-07:00","attributes":{"label":"29 février 2024"}}"#),
    ]
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      if let place = members.firstIndex(where: { $0.0 == name }) {
        if value.isEmpty { members.remove(at: place) } else { members[place].1 = value }
      } else if !value.isEmpty {
        members.append((name, value))
      }
    }
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// A legacy feed with this `entry`; without the member for `nil`.
  static func legacy(_ entry: String?) -> [UInt8] {
    let member = entry.map { "\"entry\":\($0)," } ?? ""
    return Array(
      "{\"feed\":{\"author\":{\"name\":{\"label\":\"Store\"}},\(member)\"updated\":{\"label\":\"2024-03-01T10:00:00-07:00\"},\"id\":{\"label\":\"https://store.example/fr/rss/toppaidapplications/limit=2/json\"}}}"
        .utf8)
  }

  /// One result of a v1 or v2 feed.
  static let result =
    #"{"artistName":"Small Moon","id":"42","name":"Orbit Golf","releaseDate":"2024-02-29","kind":"apps","artworkUrl100":"https://img.example/100.png","genres":[],"url":"https://apps.example/app/id42"}"#

  /// A v2 feed with these `results`.
  static func marketing(_ results: String, updated: String = "Fri, 1 Mar 2024 17:00:00 +0000") -> [UInt8] {
    Array(#"{"feed":{"title":"Top Paid Apps","country":"fr","updated":"\#(updated)","results":\#(results)}}"#.utf8)
  }
}
