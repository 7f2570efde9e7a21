public import Models

public protocol ChartService: Sendable {
  /// The latest ranks of a chart, with the movement of each app since the previous snapshot.
  ///
  /// - Parameter path: the path of a follow, `app-store/fr/top-paid`; followed by `/GENRE` for the chart of a genre.
  /// - Throws: `Failure`: `notFound` if there is no snapshot, `usage` if the path does not name a chart.
  func top(_ path: String, limit: Int?) throws(Failure) -> [ChartEntry]

  /// The apps that rose, fell, entered or left between two snapshots: the latest one and the one `span` earlier.
  ///
  /// - Parameter limit: the maximum number of apps; those with the largest moves in either direction are kept. An app that
  ///   entered or left counts as moved from or to the place after the last one.
  /// - Throws: as `top`.
  func movers(_ path: String, since span: Interval, limit: Int?) throws(Failure) -> ChartComparison

  /// The ranks of an app over time.
  ///
  /// - Parameters:
  ///   - app: the App Store id, or the id of the app's record, `fr/123`, to include only charts of that storefront.
  ///   - path: the chart; `nil` for the chart in which the app appears most often.
  /// - Throws: `Failure`: `notFound` if no snapshot contains the app.
  func history(app: String, path: String?) throws(Failure) -> RankHistory

  /// The ranks of an app over time, chart by chart, by the paths of the charts.
  ///
  /// - Parameter app: as for `history`.
  func histories(app: String) throws(Failure) -> [RankHistory]

  /// The prices of an app over time, storefront by storefront.
  ///
  /// - Throws: `Failure`: `notFound` if no price of the app is known.
  func prices(app: String) throws(Failure) -> [PriceHistory]

  /// The changes of the prices of all apps since a time, newest first; of all times without one.
  ///
  /// - Parameter drops: whether to leave out prices that did not fall.
  func priceChanges(since time: Timestamp?, drops: Bool, limit: Int?) throws(Failure) -> [PriceChange]
}

extension ChartService {
  public func movers(_ path: String, since span: Interval) throws(Failure) -> ChartComparison {
    try movers(path, since: span, limit: nil)
  }
}

public struct ChartGenre: Hashable, Sendable {
  /// The number in paths and in the App Store's addresses: `6014`.
  public var id: String
  /// The name that may be used instead: `games`.
  public var name: String
  /// The name in the App Store: `Games`.
  public var title: String

  public init(id: String, name: String, title: String) { (self.id, self.name, self.title) = (id, name, title) }

  public var fields: JSONObject { ["id": .string(id), "name": .string(name), "title": .string(title)] }
}

public struct ChartEntry: Hashable, Sendable {
  public var rank: Int
  /// The App Store's id of the app.
  public var id: String
  /// The storefront of the chart; `{storefront}/{id}` is the id of the app's record.
  public var storefront: String
  /// The name of the app, or its id if the app is not stored.
  public var name: String
  /// The seller; empty if the app is not stored.
  public var artist: String
  /// The ranks gained (positive) or lost since the previous snapshot; `nil` if the app is new or there is none.
  public var movement: Int?
  public var isNew: Bool
  public var thumbnailURL: String?

  public init(
    rank: Int, id: String, storefront: String, name: String, artist: String, movement: Int? = nil,
    isNew: Bool = false, thumbnailURL: String? = nil
  ) {
    (self.rank, self.id, self.storefront, self.name) = (rank, id, storefront, name)
    (self.artist, self.movement, self.isNew, self.thumbnailURL) = (artist, movement, isNew, thumbnailURL)
  }

  public var fields: JSONObject {
    [
      "rank": .int(rank), "id": .string(id), "name": .string(name), "artist": .string(artist),
      "movement": .of(movement),
    ]
  }
}

public struct ChartComparison: Hashable, Sendable {
  /// The chart's path, `app-store/fr/top-paid`.
  public var chart: String
  /// The time of the earlier ranks; `nil` if there is only one snapshot and therefore no comparison.
  public var earlier: Timestamp?
  /// The time at which the latest ranks were last observed.
  public var later: Timestamp
  /// The apps that rose (largest gain first), fell, entered and left, in this order.
  public var movers: [ChartMover]

  public init(chart: String, earlier: Timestamp?, later: Timestamp, movers: [ChartMover]) {
    (self.chart, self.earlier, self.later, self.movers) = (chart, earlier, later, movers)
  }
}

public struct ChartMover: Hashable, Sendable {
  public enum Change: String, Sendable, CaseIterable {
    case up
    case down
    case new
    case out
  }

  public var id: String
  public var name: String
  public var from: Int?
  public var to: Int?
  public var change: Change

  public init(id: String, name: String, from: Int?, to: Int?, change: Change) {
    (self.id, self.name, self.from, self.to, self.change) = (id, name, from, to, change)
  }

  public var fields: JSONObject {
    ["id": .string(id), "name": .string(name), "from": .of(from), "to": .of(to), "change": .of(change.rawValue)]
  }
}

public struct RankHistory: Hashable, Sendable {
  public var name: String
  public var artist: String
  public var chart: String
  /// One point per snapshot, oldest first. A point without a rank means that the chart did not contain the app.
  public var points: [RankPoint]

  public init(name: String, artist: String, chart: String, points: [RankPoint]) {
    (self.name, self.artist, self.chart, self.points) = (name, artist, chart, points)
  }

  /// The points, each with the chart and the name of the app.
  public var rows: [JSONObject] {
    points.map { $0.fields.adding(["chart": .string(chart), "name": .string(name)]) }
  }
}

public struct RankPoint: Hashable, Sendable {
  /// The time at which the snapshot was first observed.
  public var observedAt: Timestamp
  public var rank: Int?

  public init(observedAt: Timestamp, rank: Int?) { (self.observedAt, self.rank) = (observedAt, rank) }

  public var fields: JSONObject { ["observedAt": .string(observedAt.description), "rank": .of(rank)] }
}

public struct PriceHistory: Hashable, Sendable {
  public var name: String
  /// Two lower-case letters, ISO 3166.
  public var storefront: String
  /// The prices, oldest first; the last one is the current price.
  public var points: [PricePoint]

  public init(name: String, storefront: String, points: [PricePoint]) {
    (self.name, self.storefront, self.points) = (name, storefront, points)
  }

  /// The points, each with the storefront and the name of the app.
  public var rows: [JSONObject] {
    points.map { $0.fields.adding(["storefront": .string(storefront), "name": .string(name)]) }
  }
}

public struct PricePoint: Hashable, Sendable {
  /// The time at which the price was first observed; `nil` if it is not known, as for an app that was imported.
  public var observedAt: Timestamp?
  public var price: Price

  public init(observedAt: Timestamp?, price: Price) { (self.observedAt, self.price) = (observedAt, price) }

  public var fields: JSONObject {
    var fields: JSONObject = ["observedAt": .of(observedAt?.description)]
    fields["price"] = .object(price.fields)
    return fields
  }
}
