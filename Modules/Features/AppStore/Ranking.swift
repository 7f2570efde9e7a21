import Models
import Ports

/// The places of a chart, to look up.
struct Ranking {
  private let ranks: [ExactString: Int]
  /// Every app with its place, best first.
  let places: [(id: String, rank: Int)]

  /// The places of a snapshot.
  init(_ snapshot: ChartSnapshot) {
    places = snapshot.ranks.enumerated().map { ($0.element, $0.offset + 1) }
    ranks = Dictionary(places.map { ($0.id.exact, $0.rank) }) { first, _ in first }
  }

  /// The app's place, from 1.
  subscript(id: String) -> Int? { ranks[id.exact] }
}

/// Looks up the names of a storefront's apps.
struct AppNames {
  let storefront: String
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The app's fields, where it is known.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func app(_ id: String) throws(StoreError) -> JSONObject? {
    if let app = try reader.object(.apps, App.id(storefront: storefront, appID: id), coder) { return app }
    // A store of an earlier version, until the next sync.
    return try reader.object(.apps, id, coder)
  }

  /// The app's name, or its id.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func name(_ id: String) throws(StoreError) -> String { try app(id)?["name"]?.string ?? id }
}
