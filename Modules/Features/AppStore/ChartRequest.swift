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
    guard parts.count == 2, !parts.contains("") else {
      throw FollowError(
        follow: follow.path, message: "a chart is written as app-store/STOREFRONT/CHART",
        allowed: "app-store/us/top-free, for instance; a genre is given with --genre")
    }
    guard Storefront.isKnown(parts[0]) else {
      throw FollowError(
        follow: follow.path,
        message: "the App Store has no storefront '\(parts[0])'" + Self.suggestion(Storefront.nearest(parts[0])),
        allowed: "two-letter codes: \(Storefront.codes.joined(separator: " "))")
    }
    storefront = parts[0]
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
    genre = follow.genre
    if let genre {
      guard !isMarketing else {
        throw FollowError(
          follow: follow.path, message: "the marketing feed has no genres", allowed: "a genre without --feed marketing")
      }
      guard (1...12).contains(genre.utf8.count), genre.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw FollowError(
          follow: follow.path, message: "'\(genre)' is no genre",
          allowed: "a genre's number: 6014 for games, for instance")
      }
    }
    limit = follow.limit ?? Self.defaultLimit
    let most = isMarketing ? 100 : 200
    guard (1...most).contains(limit) else {
      throw FollowError(
        follow: follow.path, message: "the limit \(limit) is out of range",
        allowed: "a limit of 1 to \(most)\(isMarketing ? " with the marketing feed" : "")")
    }
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

  /// What the ids of the chart's snapshots begin with.
  var seriesID: String { ChartSnapshot.seriesID(storefront: storefront, chart: chart.rawValue, genre: genre) }
}
