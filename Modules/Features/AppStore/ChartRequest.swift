import Models
import Ports

/// What a follow of this source asks for, checked.
struct ChartRequest: Equatable {
  var storefront: String
  var chart: Chart
  var genre: String?
  var limit: Int
  var isMarketing: Bool

  /// The number of places where a follow names none.
  static let defaultLimit = 100

  /// Reads a follow.
  ///
  /// - Throws: `FollowError`, which says what is allowed.
  init(_ follow: Follow) throws(FollowError) {
    let parts = follow.parameters
    guard (2...3).contains(parts.count), !parts.contains("") else {
      throw FollowError(
        follow: follow.path,
        message: "a chart is written as app-store/STOREFRONT/CHART or app-store/STOREFRONT/CHART/GENRE",
        allowed: "app-store/us/top-free or app-store/us/top-free/games, for instance")
    }
    storefront = parts[0].lowercased()
    guard Storefront.isKnown(storefront) else {
      throw FollowError(
        follow: follow.path,
        message: "the App Store has no storefront '\(parts[0])'" + Self.suggestion(Storefront.nearest(parts[0])),
        allowed: "a two-letter code of a country such as us, fr or jp")
    }
    guard let chart = Chart(rawValue: parts[1]) else {
      throw FollowError(
        follow: follow.path,
        message: "there is no chart '\(parts[1])'"
          + Self.suggestion(NearestName.of(parts[1].lowercased(), among: Chart.names, within: 4)),
        allowed: "charts: \(Chart.names.joined(separator: ", "))")
    }
    self.chart = chart
    guard follow.feed == nil || follow.feed == "marketing" else {
      throw FollowError(
        follow: follow.path, message: "there is no feed '\(follow.feed ?? "")'",
        allowed: "the feed marketing, or none for the usual one")
    }
    isMarketing = follow.feed != nil
    if isMarketing, !chart.isInMarketing {
      throw FollowError(
        follow: follow.path, message: "the marketing feed has no chart \(chart.rawValue)",
        allowed: "charts of the marketing feed: top-free, top-paid")
    }
    genre = try Self.genre(follow, inPath: parts.count == 3 ? parts[2] : nil)
    if genre != nil, isMarketing {
      throw FollowError(
        follow: follow.path, message: "the marketing feed has no genres", allowed: "a genre without --feed marketing")
    }
    limit = follow.limit ?? Self.defaultLimit
    let most = isMarketing ? 100 : 200
    guard (1...most).contains(limit) else {
      throw FollowError(
        follow: follow.path, message: "the limit \(limit) is out of range",
        allowed: "a limit of 1 to \(most)\(isMarketing ? " with the marketing feed" : "")")
    }
  }

  /// The genre of the path, or the one that stands beside it.
  private static func genre(_ follow: Follow, inPath: String?) throws(FollowError) -> String? {
    var ids: [String] = []
    for text in [inPath, follow.genre].compactMap(\.self) {
      guard let id = Genre.id(text) else {
        throw FollowError(
          follow: follow.path, message: "'\(text)' is not a genre" + suggestion(Genre.nearest(text)),
          allowed: "a genre's number or name, 6014 or games, for instance; 'almanac genre list' prints them")
      }
      ids.append(id)
    }
    guard Set(ids).count < 2 else {
      throw FollowError(
        follow: follow.path, message: "the path names the genre \(ids[0]), and the genre \(ids[1]) is given beside it",
        allowed: "one genre, in the path or with --genre")
    }
    return ids.first
  }

  private static func suggestion(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }

  /// The address of the feed.
  func url(_ base: String?) -> String {
    var base = base ?? (isMarketing ? "https://rss.marketingtools.apple.com" : "https://itunes.apple.com")
    while base.hasSuffix("/") { base.removeLast() }
    if isMarketing { return "\(base)/api/v2/\(storefront)/apps/\(chart.rawValue)/\(limit)/apps.json" }
    let genre = genre.map { "/genre=\($0)" } ?? ""
    return "\(base)/\(storefront)/rss/\(chart.legacyFeed)/limit=\(limit)\(genre)/json"
  }

  /// The follow's path in its usual spelling: `app-store/{storefront}/{chart}[/genre]`.
  var path: String { "\(SourceName.appStore)/\(seriesID)" }

  /// What the ids of the chart's snapshots begin with.
  var seriesID: String { ChartSnapshot.seriesID(storefront: storefront, chart: chart.rawValue, genre: genre) }
}
