import Models
import Ports

/// What a follow of this source asks for, checked.
struct ChartRequest: Equatable {
  var storefront: String
  var chart: Chart
  var genre: String?
  var limit: Int
  var isMarketing: Bool

  /// Reads a follow.
  ///
  /// - Throws: `FollowError`, which says what is allowed.
  init(_ follow: Follow) throws(FollowError) {
    let match = try AppStoreSource.descriptor.match(follow)
    let parts = match.parameters
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
    isMarketing = follow.options[Self.feed] != nil
    genre = try Self.genre(follow, inPath: parts.count == 3 ? parts[2] : nil)
    limit = match.limit ?? Self.limit.standard
    if isMarketing { try checkMarketing(follow) }
  }

  /// The marketing feed has fewer charts, no genres, and at most 100 places.
  private func checkMarketing(_ follow: Follow) throws(FollowError) {
    guard chart.isInMarketing else {
      throw FollowError(
        follow: follow.path, member: Self.feed, message: "the marketing feed has no chart \(chart.rawValue)",
        allowed: "charts of the marketing feed: top-free, top-paid")
    }
    guard genre == nil else {
      throw FollowError(
        follow: follow.path, member: Self.feed, message: "the marketing feed has no genres",
        allowed: "leave out the genre or the feed")
    }
    guard limit <= 100 else {
      throw FollowError(
        follow: follow.path, member: "limit", message: "the limit \(limit) is out of range",
        allowed: "a limit of 1 to 100 with the marketing feed")
    }
  }

  /// The genre of the path, or the one that is given as an option.
  private static func genre(_ follow: Follow, inPath: String?) throws(FollowError) -> String? {
    var ids: [String] = []
    for (text, member) in [(inPath, nil), (follow.options[genreOption]?.string, genreOption)] {
      guard let text else { continue }
      guard let id = Genre.id(text) else {
        throw FollowError(
          follow: follow.path, member: member, message: "'\(text)' is not a genre" + suggestion(Genre.nearest(text)),
          allowed: "a genre's number or name, such as 6014 or games; 'almanac genre list' prints them")
      }
      ids.append(id)
    }
    guard Set(ids).count < 2 else {
      throw FollowError(
        follow: follow.path, member: genreOption,
        message: "the path names the genre \(ids[0]), and the option the genre \(ids[1])",
        allowed: "one genre, in the path or as an option")
    }
    return ids.first
  }

  /// The names of the options.
  static let (feed, genreOption) = ("feed", "genre")
  /// The places of a chart.
  static let limit = FollowForm.Limit(standard: 100, largest: 200)

  private static func suggestion(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }

  /// The address of the feed.
  func url(_ base: String?) -> String {
    let base =
      base
      ?? (isMarketing ? "https://rss.marketingtools.apple.com" : AppStoreSource.descriptor.defaultURL ?? "")
    if isMarketing { return "\(base)/api/v2/\(storefront)/apps/\(chart.rawValue)/\(limit)/apps.json" }
    let genre = genre.map { "/genre=\($0)" } ?? ""
    return "\(base)/\(storefront)/rss/\(chart.legacyFeed)/limit=\(limit)\(genre)/json"
  }

  /// The follow's path in its usual spelling: `app-store/{storefront}/{chart}[/genre]`.
  var path: String { "\(SourceName.appStore)/\(seriesID)" }

  /// What the ids of the chart's snapshots begin with.
  var seriesID: String { ChartSnapshot.seriesID(storefront: storefront, chart: chart.rawValue, genre: genre) }
}
