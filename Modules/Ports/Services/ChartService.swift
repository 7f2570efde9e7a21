public import Models

/// Answers what charts looked like and how they moved.
public protocol ChartService: Sendable {
  /// The newest ranks of a chart, with each app's movement since the snapshot before.
  ///
  /// - Parameter path: a follow's path, `app-store/fr/top-paid`, optionally with `/genre` at its end.
  /// - Throws: `Failure`, `notFound` where there is no snapshot, `usage` where the path names no chart.
  func top(_ path: String, limit: Int?) throws(Failure) -> [ChartEntry]

  /// Who rose, fell, entered and left between the newest snapshot and the one that stood `span` before it.
  ///
  /// - Throws: as `top`.
  func movers(_ path: String, since span: Interval) throws(Failure) -> [ChartMover]

  /// An app's ranks over time; a point without a rank says that it was not in the chart.
  ///
  /// - Parameter path: one chart, or `nil` for the chart in which the app was seen most.
  /// - Throws: `Failure`, `notFound` where no snapshot holds the app.
  func history(app: String, path: String?) throws(Failure) -> [RankPoint]
}

/// One place of a chart.
public struct ChartEntry: Hashable, Sendable {
  /// From 1.
  public var rank: Int
  /// The app's id.
  public var id: String
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
    rank: Int, id: String, name: String, artist: String, movement: Int? = nil, isNew: Bool = false,
    thumbnailURL: String? = nil
  ) {
    self.rank = rank
    self.id = id
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

  /// The app's id.
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
