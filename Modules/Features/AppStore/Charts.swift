public import Models
public import Ports

/// Answers from the kept snapshots what charts looked like and how they moved.
public struct Charts: ChartService {
  private let store: any RecordStore
  private let coder: any RecordCoder
  private let time: any TimeSource

  /// A service on a store.
  public init(store: any RecordStore, coder: any RecordCoder, time: any TimeSource) {
    self.store = store
    self.coder = coder
    self.time = time
  }

  /// O(1) in the number of snapshots.
  public func top(_ path: String, limit: Int?) throws(Failure) -> [ChartEntry] {
    let series = try Self.seriesID(path)
    return try read { snapshot throws(StoreError) in
      let charts = ChartSeries(id: series, reader: snapshot, coder: coder)
      guard let newest = try charts.newest() else { return nil }
      let before = try charts.before(newest).map { Ranking($0) }
      var entries: [ChartEntry] = []
      for (index, id) in newest.ranks.prefix(max(0, limit ?? .max)).enumerated() {
        let app = try AppNames(reader: snapshot, coder: coder).app(id)
        let last = before?[id]
        entries.append(
          ChartEntry(
            rank: index + 1, id: id, name: app?["name"]?.string ?? id, artist: app?["artist"]?.string ?? "",
            movement: last.map { $0 - (index + 1) }, isNew: before != nil && last == nil,
            thumbnailURL: app?["thumbnailURL"]?.string))
      }
      return entries
    } orElse: {
      Self.noSnapshot(path)
    }
  }

  /// Compared are the newest ranks and those that stood `span` before they were last seen; where the snapshots do not
  /// reach back so far, the oldest ones. Sorted by how they moved: risen (most places first), fallen, new, out.
  public func movers(_ path: String, since span: Interval) throws(Failure) -> [ChartMover] {
    let series = try Self.seriesID(path)
    return try read { snapshot throws(StoreError) in
      let charts = ChartSeries(id: series, reader: snapshot, coder: coder)
      guard let newest = try charts.newest() else { return nil }
      var past = try charts.newest(upTo: newest.lastObservedAt + -span.seconds)
      if past == nil { past = try charts.oldest() }
      return try movers(Ranking(past ?? newest), Ranking(newest), AppNames(reader: snapshot, coder: coder))
    } orElse: {
      Self.noSnapshot(path)
    }
  }

  private func movers(
    _ past: Ranking, _ now: Ranking, _ names: AppNames
  ) throws(StoreError) -> [ChartMover] {
    var moved: [ChartMover] = []
    for (id, to) in now.places {
      let from = past[id]
      guard from != to else { continue }
      let change: ChartMover.Change = from.map { to < $0 ? .up : .down } ?? .new
      moved.append(ChartMover(id: id, name: try names.name(id), from: from, to: to, change: change))
    }
    for (id, from) in past.places where now[id] == nil {
      moved.append(ChartMover(id: id, name: try names.name(id), from: from, to: nil, change: .out))
    }
    return moved.sorted { lhs, rhs in
      let order = ChartMover.Change.allCases
      let (left, right) = (order.firstIndex(of: lhs.change) ?? 0, order.firstIndex(of: rhs.change) ?? 0)
      if left != right { return left < right }
      if lhs.distance != rhs.distance { return lhs.distance > rhs.distance }
      return (lhs.to ?? lhs.from ?? 0, lhs.id) < (rhs.to ?? rhs.from ?? 0, rhs.id)
    }
  }

  /// O(number of snapshots of the chart), or of all charts without a path.
  public func history(app: String, path: String?) throws(Failure) -> [RankPoint] {
    let series: String? =
      if let path { try Self.seriesID(path) } else { nil }
    return try read { snapshot throws(StoreError) in
      let id: String
      if let series {
        id = series
      } else {
        guard let most = try mostSeen(app, snapshot) else { return nil }
        id = most
      }
      let points = try ChartSeries(id: id, reader: snapshot, coder: coder).all()
        .map { RankPoint(observedAt: $0.observedAt, rank: Ranking($0)[app]) }
      return points.contains { $0.rank != nil } ? points : nil
    } orElse: {
      Failure(
        .store, .notFound, "no snapshot\(path.map { " of \($0)" } ?? "") holds the app \(app)",
        hint: "an app is named by its id, as charts top prints it", code: "not-found")
    }
  }

  /// The chart in which the app was seen most often; the first one of several.
  private func mostSeen(_ app: String, _ reader: some StoreSnapshot) throws(StoreError) -> String? {
    var seen: [String: Int] = [:]
    try reader.scan(.charts, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      do {
        let snapshot = try ChartSnapshot(fields: coder.decode(bytes))
        if snapshot.ranks.contains(app) { seen[snapshot.seriesID, default: 0] += 1 }
      } catch {
        throw StoreError(.damaged, "a record of charts cannot be read: \(error)")
      }
      return .next
    }
    return seen.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  private func read<Value>(
    _ body: (any StoreSnapshot) throws(StoreError) -> Value?, orElse missing: () -> Failure
  ) throws(Failure) -> Value {
    do throws(StoreError) {
      if let value = try body(store.snapshot()) { return value }
    } catch {
      throw error.failure
    }
    throw missing()
  }

  /// The series that a path names: `app-store/fr/top-paid`, with a genre's number as a fourth part.
  private static func seriesID(_ path: String) throws(Failure) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let genre = parts.count == 4 ? parts[3] : nil
    guard (3...4).contains(parts.count) else {
      throw Failure(
        .config, .usage, "'\(path)' is no chart", hint: "write app-store/STOREFRONT/CHART, with /GENRE for a genre",
        path: path)
    }
    let follow = Follow(path: parts[0...2].joined(separator: "/"), genre: genre)
    guard follow.source == .appStore else {
      throw Failure(.config, .usage, "'\(path)' is no chart", hint: "charts begin with app-store/", path: path)
    }
    do throws(FollowError) {
      return try ChartRequest(follow).seriesID
    } catch {
      throw error.failure
    }
  }

  private static func noSnapshot(_ path: String) -> Failure {
    Failure(
      .store, .notFound, "no snapshot of \(path) is kept", hint: "almanac sync \(path) fetches one", code: "not-found",
      path: path)
  }
}
