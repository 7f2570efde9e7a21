import Models
public import Ports

/// Reads a chart of the App Store in any of its three shapes: the legacy RSS feed as JSON
/// (`/us/rss/topfreeapplications/limit=10/json`), the feed generator's v1, and Apple Marketing Tools' v2.
///
/// The shape is recognised from the data. `entry` and `results` may be a list, one object, null or absent. Feeds of
/// books, podcasts and music have the same shapes and are read as far as those go.
public struct AppStoreFeedParser: ResponseParser {
  /// A parser.
  public init() {}

  /// Parses one feed.
  ///
  /// - Throws: `ParsingError`: `shape` where it is no feed, or a feed of customer reviews; `foreign` where it is no
  ///   JSON at all; `syntax`, `truncated` or `limit` where the JSON is broken.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<AppStoreFeed> {
    try Answer.read(body) { (root) throws(ParsingError) -> Parsed<AppStoreFeed> in
      guard root.isObject else { throw root.error(expected: "an object with 'feed'") }
      guard let feed = root["feed"] else { throw root.error(expected: "a feed", missing: "feed") }
      guard feed.isObject else { throw feed.error(expected: "an object") }
      if let results = feed["results"] {
        let (apps, rejects) = results.records(MarketingEntry.app)
        return Parsed(AppStoreFeed(apps: apps, updatedAt: updated(feed)), rejects: rejects)
      }
      let entries = feed.present("entry")
      if isReviews(feed, entries) {
        var error = feed.error(expected: "a chart of apps")
        error.found = "customer reviews of one app"
        error.hint = "follow a chart: app-store/us/top-free"
        throw error
      }
      guard let entries else { return Parsed(AppStoreFeed(apps: [], updatedAt: updated(feed))) }
      let (apps, rejects) = entries.records(LegacyEntry.app)
      return Parsed(AppStoreFeed(apps: apps, updatedAt: updated(feed)), rejects: rejects)
    }
  }

  /// A date that cannot be read costs nobody the chart.
  private func updated(_ feed: JSONNode) -> Timestamp? {
    guard let text = feed["updated"]?.content?.string else { return nil }
    return Timestamp(rfc3339: text) ?? RFC822Date.time(text)
  }

  /// Reviews have ratings, and the feed's id names them; the first entry may be the app itself.
  private func isReviews(_ feed: JSONNode, _ entries: JSONNode?) -> Bool {
    if let id = feed["id"]?.content?.string, id.contains("/customerreviews/") { return true }
    guard let entries else { return false }
    if entries.isArray { return (entries[0]?["im:rating"] ?? entries[1]?["im:rating"]) != nil }
    return entries["im:rating"] != nil
  }
}
