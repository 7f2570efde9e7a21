import Models

extension DemoRecordings {
  /// The chart of paid apps of the United States on two days, as the App Store's older feed tells it.
  static var appStore: [DemoAnswer] {
    let rows = DemoRow.rows(of: apps)
    return (0...1).map { day in
      let ranked = rows.compactMap { row in row.word(day).flatMap(Int.init).map { (rank: $0, row: row) } }
      let entries = ranked.sorted { $0.rank < $1.rank }.map { entry($0.row) }
      let body: JSONValue = [
        "feed": [
          "author": ["name": label("iTunes Store"), "uri": label("http://www.apple.com/itunes/")],
          "entry": .array(entries), "updated": label("2026-03-0\(day + 2)T07:54:11-07:00"),
          "title": label("iTunes Store: Top Paid Applications"), "id": label(chart),
        ]
      ]
      return DemoAnswer(
        url: chart, at: "2026-03-0\(day + 2)T16:00:00", tag: "chart-\(day)", body: .value(body))
    }
  }

  private static let chart = "https://itunes.apple.com/us/rss/toppaidapplications/limit=100/json"
  private static let genres = [
    "6001": "Weather", "6002": "Utilities", "6003": "Travel", "6006": "Reference", "6007": "Productivity",
    "6008": "Photo & Video", "6011": "Music", "6013": "Health & Fitness", "6014": "Games", "6015": "Finance",
    "6017": "Education", "6020": "Medical", "6023": "Food & Drink",
  ]

  private static func label(_ text: String) -> JSONValue { ["label": .string(text)] }

  private static func label(_ text: String, _ attributes: JSONObject) -> JSONValue {
    ["label": .string(text), "attributes": .object(attributes)]
  }

  private static func entry(_ row: DemoRow) -> JSONValue {
    let (id, price, genre, date, flags) = (row.words[2], row.words[3], row.words[4], row.words[5], row.words[8])
    let (name, artist) = (row.texts[0], row.texts[1])
    let page = "https://apps.apple.com/us/app/\(slug(name))/id\(id)"
    var identity: JSONObject = ["im:id": .string(id)]
    if flags.contains("b") { identity.append("im:bundleId", "com.example.\(letters(artist)).\(letters(name))") }
    var entry: JSONObject = [
      "im:name": label(name), "im:image": .array(artwork(row.words[6])),
      "im:price": label("$\(price)", ["amount": .string(price + "000"), "currency": "USD"]),
      "title": label("\(name) - \(artist)"), "id": label(page, identity),
      "link": ["attributes": ["rel": "alternate", "type": "text/html", "href": .string(page)]],
      "im:artist": row.word(7).map { label(artist, ["href": .string("https://apps.apple.com/us/developer/id\($0)")]) }
        ?? label(artist),
      "category": [
        "attributes": [
          "im:id": .string(genre), "term": .string(genres[genre] ?? genre), "label": .string(genres[genre] ?? genre),
          "scheme": .string("https://apps.apple.com/us/genre/id\(genre)"),
        ]
      ],
      "im:releaseDate": label("\(date)T00:00:00-07:00"),
    ]
    if let summary = row.text(2) { entry["summary"] = label(summary) }
    if flags.contains("r") { entry["rights"] = label("© \(artist)") }
    return .object(entry)
  }

  private static func artwork(_ path: String) -> [JSONValue] {
    [53, 75, 100].map { side in
      label(
        "https://is1-ssl.mzstatic.com/image/thumb/\(path)/\(side)x\(side)bb.png", ["height": .string(String(side))])
    }
  }

  private static func letters(_ name: String) -> String {
    name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static func slug(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map { letters(String($0)) }.joined(separator: "-")
  }
}
