import Models
import Ports

/// The places of a chart, to look up.
struct Ranking {
  private let ranks: [String: Int]
  /// Every app with its place, best first.
  let places: [(id: String, rank: Int)]

  /// The places of a snapshot.
  init(_ snapshot: ChartSnapshot) {
    places = snapshot.ranks.enumerated().map { ($0.element, $0.offset + 1) }
    ranks = Dictionary(places.map { ($0.id, $0.rank) }) { first, _ in first }
  }

  /// The app's place, from 1.
  subscript(id: String) -> Int? { ranks[id] }
}

extension ChartMover {
  /// How many places it moved; 0 where it entered or left.
  var distance: Int {
    guard let from, let to else { return 0 }
    return abs(from - to)
  }
}

/// Looks up the names of apps.
struct AppNames {
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The app's fields, where it is known.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func app(_ id: String) throws(StoreError) -> JSONObject? {
    guard let bytes = try reader.record(.apps, id) else { return nil }
    do {
      return try coder.decode(bytes)
    } catch {
      throw StoreError(.damaged, "the record apps/\(id) cannot be read: \(error)")
    }
  }

  /// The app's name, or its id.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func name(_ id: String) throws(StoreError) -> String { try app(id)?["name"]?.string ?? id }
}
