/// Who stood where in a chart, from when to when.
public struct ChartSnapshot: Record {
  /// `{storefront}/{chart}[/genre]/{observedAt}`.
  public var id: String { "\(seriesID)/\(observedAt)" }
  /// Two lower-case letters, ISO 3166.
  public var storefront: String
  /// `top-free`, `top-paid`, `top-grossing` or `new`.
  public var chart: String
  /// The genre's id, where the chart is of one.
  public var genre: String?
  /// When these ranks were first seen.
  public var observedAt: Timestamp
  /// When they were last seen unchanged.
  public var lastObservedAt: Timestamp
  /// The apps' ids at the App Store (`App.appID`), best first; `{storefront}/{appID}` is the id of the app's record.
  public var ranks: [String]

  /// Makes a snapshot.
  public init(
    storefront: String, chart: String, genre: String? = nil, observedAt: Timestamp, lastObservedAt: Timestamp,
    ranks: [String]
  ) {
    self.storefront = storefront
    self.chart = chart
    self.genre = genre
    self.observedAt = observedAt
    self.lastObservedAt = lastObservedAt
    self.ranks = ranks
  }

  /// `charts`.
  public static let collection = CollectionName.charts

  /// What the ids of all snapshots of the same chart begin with: `{storefront}/{chart}[/genre]`.
  public var seriesID: String { Self.seriesID(storefront: storefront, chart: chart, genre: genre) }

  /// What the ids of all snapshots of one chart begin with.
  public static func seriesID(storefront: String, chart: String, genre: String?) -> String {
    genre.map { "\(storefront)/\(chart)/\($0)" } ?? "\(storefront)/\(chart)"
  }

  /// The record as it is written.
  public var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("storefront", storefront)
    fields.append("chart", chart)
    fields.append("genre", genre)
    fields.append("observedAt", observedAt.description)
    fields.append("lastObservedAt", lastObservedAt.description)
    fields.append("ranks", .array(ranks.map { .string($0) }))
    return fields
  }

  /// Reads a snapshot as it was written.
  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    storefront = try reader.string("storefront")
    chart = try reader.string("chart")
    genre = try reader.optionalString("genre")
    observedAt = try reader.timestamp("observedAt")
    lastObservedAt = try reader.timestamp("lastObservedAt")
    ranks = try reader.strings("ranks")
  }
}
