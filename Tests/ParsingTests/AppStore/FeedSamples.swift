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
