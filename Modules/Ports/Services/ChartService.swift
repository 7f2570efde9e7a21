public import Models

/// Answers what charts looked like and how they moved.
public protocol ChartService: Sendable {
  /// The newest ranks of a chart, with each app's movement since the snapshot before.
  ///
  /// - Parameter path: a follow's path, `app-store/fr/top-paid`, with `/GENRE` at its end for a chart of one genre.
  /// - Throws: `Failure`, `notFound` where there is no snapshot, `usage` where the path names no chart.
  func top(_ path: String, limit: Int?) throws(Failure) -> [ChartEntry]

  /// Who rose, fell, entered and left between the newest snapshot and the one of `span` before it.
  ///
  /// - Throws: as `top`.
  func movers(_ path: String, since span: Interval) throws(Failure) -> ChartComparison

  /// An app's ranks over time.
  ///
  /// - Parameters:
  ///   - app: the App Store's id, or the id of the app's record, `fr/123`, for the charts of that storefront alone.
  ///   - path: one chart, or `nil` for the chart in which the app was seen most.
  /// - Throws: `Failure`, `notFound` where no snapshot holds the app.
  func history(app: String, path: String?) throws(Failure) -> RankHistory
}

/// A genre that has charts of its own.
public struct ChartGenre: Hashable, Sendable {
  /// The number in paths and in the App Store's addresses: `6014`.
  public var id: String
  /// What may be written in its place: `games`.
  public var name: String
  /// What the App Store calls it: `Games`.
  public var title: String

  /// Makes a genre.
  public init(id: String, name: String, title: String) {
    self.id = id
    self.name = name
    self.title = title
  }

  /// The genre as it is printed.
  public var fields: JSONObject { ["id": .string(id), "name": .string(name), "title": .string(title)] }
}

/// One place of a chart.
public struct ChartEntry: Hashable, Sendable {
  /// From 1.
  public var rank: Int
  /// The App Store's id of the app.
  public var id: String
  /// The chart's storefront; `{storefront}/{id}` is the id of the app's record.
  public var storefront: String
  /// The app's name, or its id where the app is not known.
  public var name: String
  /// Who sells it; empty where the app is not known.
  public var artist: String
  /// Places gained (positive) or lost since the snapshot before; `nil` for one that is new or where there is none
  /// before.
  public var movement: Int?
  /// Whether the snapshot before did not hold it.
  public var isNew: Bool
  /// The smallest image.
  public var thumbnailURL: String?

  /// Makes an entry.
  public init(
    rank: Int, id: String, storefront: String, name: String, artist: String, movement: Int? = nil,
    isNew: Bool = false, thumbnailURL: String? = nil
  ) {
    self.rank = rank
    self.id = id
    self.storefront = storefront
    self.name = name
    self.artist = artist
    self.movement = movement
    self.isNew = isNew
    self.thumbnailURL = thumbnailURL
  }

  /// The entry as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = [
      "rank": .int(rank), "id": .string(id), "name": .string(name), "artist": .string(artist),
    ]
    fields.append("movement", movement)
    return fields
  }
}

/// What moved in a chart between two times.
public struct ChartComparison: Hashable, Sendable {
  /// The chart's path, `app-store/fr/top-paid`.
  public var chart: String
  /// When the earlier ranks were seen; `nil` where there is one snapshot only, which leaves nothing to compare.
  public var earlier: Timestamp?
  /// When the newest ranks were last seen.
  public var later: Timestamp
  /// Risen (most places first), fallen, new, out.
  public var movers: [ChartMover]

  /// Makes a comparison.
  public init(chart: String, earlier: Timestamp?, later: Timestamp, movers: [ChartMover]) {
    self.chart = chart
    self.earlier = earlier
    self.later = later
    self.movers = movers
  }
}

/// An app that moved.
public struct ChartMover: Hashable, Sendable {
  /// How it moved.
  public enum Change: String, Sendable, CaseIterable {
    /// Rose.
    case up
    /// Fell.
    case down
    /// Entered.
    case new
    /// Left.
    case out
  }

  /// The App Store's id of the app.
  public var id: String
  /// The app's name, or its id.
  public var name: String
  /// The earlier rank.
  public var from: Int?
  /// The newest rank.
  public var to: Int?
  /// How it moved.
  public var change: Change

  /// Makes a mover.
  public init(id: String, name: String, from: Int?, to: Int?, change: Change) {
    self.id = id
    self.name = name
    self.from = from
    self.to = to
    self.change = change
  }

  /// The mover as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = ["id": .string(id), "name": .string(name)]
    fields.append("from", from)
    fields.append("to", to)
    fields.append("change", change.rawValue)
    return fields
  }
}

/// An app's ranks in one chart over time.
public struct RankHistory: Hashable, Sendable {
  /// The app's name, or its id where the app is not known.
  public var name: String
  /// Who sells it; empty where the app is not known.
  public var artist: String
  /// The chart's path, `app-store/fr/top-paid`.
  public var chart: String
  /// One per snapshot, oldest first; a point without a rank says that the app was not in the chart.
  public var points: [RankPoint]

  /// Makes a history.
  public init(name: String, artist: String, chart: String, points: [RankPoint]) {
    self.name = name
    self.artist = artist
    self.chart = chart
    self.points = points
  }
}

/// A rank at a time.
public struct RankPoint: Hashable, Sendable {
  /// When the snapshot was first seen.
  public var observedAt: Timestamp
  /// The rank from 1; `nil` where the app was not in the chart.
  public var rank: Int?

  /// Makes a point.
  public init(observedAt: Timestamp, rank: Int?) {
    self.observedAt = observedAt
    self.rank = rank
  }

  /// The point as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = ["observedAt": .string(observedAt.description)]
    fields.append("rank", rank)
    return fields
  }
}
