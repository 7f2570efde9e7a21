/// The ranks of a chart over a period in which they did not change.
public struct ChartSnapshot: Record {
  /// `{storefront}/{chart}[/genre]/{observedAt}`.
  public var id: String { "\(seriesID)/\(observedAt)" }
  public var storefront: String
  /// `top-free`, `top-paid`, `top-grossing` or `new`.
  public var chart: String
  /// The id of the genre; `nil` for a chart of all genres.
  public var genre: String?
  /// The time at which these ranks were first observed.
  public var observedAt: Timestamp
  public var lastObservedAt: Timestamp
  /// The App Store ids (`App.appID`), best rank first. `{storefront}/{appID}` is the id of the app's record.
  public var ranks: [String]

  public init(
    storefront: String, chart: String, genre: String? = nil, observedAt: Timestamp, lastObservedAt: Timestamp,
    ranks: [String]
  ) {
    (self.storefront, self.chart, self.genre) = (storefront, chart, genre)
    (self.observedAt, self.lastObservedAt, self.ranks) = (observedAt, lastObservedAt, ranks)
  }

  public static let collection = CollectionName.charts

  public static let schema: [RecordField] = [
    .init("id"), .init("storefront"), .init("chart"), .optional("genre"), .init("observedAt", .time),
    .init("lastObservedAt", .time), .init("ranks", .texts),
  ]

  /// The common prefix of the ids of a chart's snapshots: `{storefront}/{chart}[/genre]`.
  public var seriesID: String { Self.seriesID(storefront: storefront, chart: chart, genre: genre) }

  public static func seriesID(storefront: String, chart: String, genre: String?) -> String {
    genre.map { "\(storefront)/\(chart)/\($0)" } ?? "\(storefront)/\(chart)"
  }

  public var fields: JSONObject {
    [
      "id": .string(id), "storefront": .string(storefront), "chart": .string(chart), "genre": .of(genre),
      "observedAt": .string(observedAt.description), "lastObservedAt": .string(lastObservedAt.description),
      "ranks": .array(ranks.map { .string($0) }),
    ]
  }

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
