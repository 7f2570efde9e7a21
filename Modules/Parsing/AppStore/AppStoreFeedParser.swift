import Models
public import Ports

/// Parses App Store charts in three formats: the legacy RSS feed as JSON (`/us/rss/topfreeapplications/limit=10/json`), v1
/// of the feed generator, and v2 of Apple Marketing Tools.
///
/// The format is recognized from the content. `entry` and `results` may be an array, one object, null or absent. Feeds of
/// books, podcasts and music have the same formats and are accepted.
public struct AppStoreFeedParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where it is not a feed of apps; `foreign` where it is not JSON; `syntax`,
  ///   `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<AppStoreFeed> {
    try ResponseBody.read(body) { (root) throws(ParsingError) -> Parsed<AppStoreFeed> in
      guard root.isObject else { throw root.error(expected: "an object with 'feed'") }
      guard let feed = root["feed"] else { throw root.error(expected: "a feed", missing: "feed") }
      guard feed.isObject else { throw feed.error(expected: "an object") }
      if let results = feed["results"] {
        return parsed(results.records(MarketingEntry.app), feed)
      }
      let entries = feed.nonNull("entry")
      if isReviews(feed, entries) {
        var error = feed.error(expected: "a chart of apps")
        error.found = "customer reviews of one app"
        error.hint = "follow a chart, such as app-store/us/top-free"
        throw error
      }
      return parsed(entries?.records(LegacyEntry.app) ?? Parsed([]), feed)
    }
  }

  private func parsed(_ apps: Parsed<[App]>, _ feed: JSONNode) -> Parsed<AppStoreFeed> {
    Parsed(AppStoreFeed(apps: apps.value, updatedAt: updated(feed)), rejects: apps.rejects)
  }

  /// The date of the feed; `nil` where it cannot be read, because the chart is useful without it.
  private func updated(_ feed: JSONNode) -> Timestamp? {
    guard let text = feed["updated"]?.unwrapped?.string else { return nil }
    return Timestamp(rfc3339: text) ?? RFC822Date.time(text)
  }

  /// Whether this is a feed of reviews: its id says so, or its entries have ratings. The first entry may be the app.
  private func isReviews(_ feed: JSONNode, _ entries: JSONNode?) -> Bool {
    if let id = feed["id"]?.unwrapped?.string, id.contains("/customerreviews/") { return true }
    guard let entries else { return false }
    if entries.isArray { return (entries[0]?["im:rating"] ?? entries[1]?["im:rating"]) != nil }
    return entries["im:rating"] != nil
  }
}

/// Release dates, which feeds write as a time, as a day, or as words in any language.
enum ReleaseDate {
  /// An RFC 3339 time in UTC, or a day as written; `nil` for anything else. The localized label in `attributes` is not
  /// read.
  static func text(_ node: JSONNode?) throws(ParsingError) -> String? {
    if let time = node?.unwrapped?.time() { return time.description }
    guard let text = try node?.text() else { return nil }
    if let time = Timestamp(rfc3339: text) { return time.description }
    return CivilDate(text)?.description
  }
}

enum DecimalAmount {
  /// Whether the text consists of digits with an optional minus sign and an optional decimal point between digits.
  static func isValid(_ text: String) -> Bool {
    let unsigned = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(JSONLexer.isDigit) }
  }
}

/// One element of `results` in a v1 or v2 feed.
enum MarketingEntry {
  static func app(_ entry: JSONNode) throws(ParsingError) -> App {
    guard entry.isObject else { throw entry.error(expected: "an object") }
    let id = try entry.requiredText("id")
    guard LegacyEntry.isDigits(id) else { throw (entry["id"] ?? entry).error(expected: "digits") }
    let artwork = try artwork(entry)
    return App(
      appID: id, bundleID: try entry.optionalText("bundleId"), name: try entry.requiredText("name"),
      artist: try entry.requiredText("artistName", allowsEmpty: true), thumbnailURL: artwork.smallest,
      artworkURL: artwork.largest,
      category: try category(entry["genres"]), releaseDate: try ReleaseDate.text(entry["releaseDate"]),
      url: try entry.optionalText("url"))
  }

  /// Reads `artworkUrl100` and similar members. The number in the name is taken as the size.
  private static func artwork(_ entry: JSONNode) throws(ParsingError) -> ImageURLs {
    var smallest: (url: String, size: Int)?
    var largest: (url: String, size: Int)?
    try entry.forEachMember { (name, value) throws(ParsingError) in
      guard let size = name.number(after: "artworkUrl"), let url = try value.text(), !url.isEmpty else { return }
      if size < smallest?.size ?? .max { smallest = (url, size) }
      if size > largest?.size ?? .min { largest = (url, size) }
    }
    guard let smallest, let largest else {
      throw entry.error(expected: "an image's address", missing: "artworkUrl100")
    }
    return ImageURLs(smallest: smallest.url, largest: largest.url)
  }

  /// The name of the first genre, which is an object or a string.
  private static func category(_ genres: JSONNode?) throws(ParsingError) -> String? {
    guard let first = genres?.firstOfOneOrMany else { return nil }
    return first.isObject ? try first.optionalText("name") : try first.text()
  }
}
