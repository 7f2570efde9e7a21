public import Models
public import Ports

/// Answers from the kept snapshots what charts looked like and how they moved.
public struct Charts: ChartService {
  let store: any RecordStore
  let coder: any RecordCoder
  let time: any TimeSource
  private let suggestions: Suggestions

  public init(
    store: any RecordStore, coder: any RecordCoder, time: any TimeSource, suggestions: Suggestions = Suggestions()
  ) {
    (self.suggestions, self.store, self.coder, self.time) = (suggestions, store, coder, time)
  }

  /// O(1) in the number of snapshots.
  public func top(_ path: String, limit: Int?) throws(Failure) -> [ChartEntry] {
    let request = try Self.request(path)
    return try read { snapshot throws(StoreError) in
      let charts = ChartSeries(id: request.seriesID, reader: snapshot, coder: coder)
      guard let newest = try charts.latest(at: time.now) else { return nil }
      let names = AppNames(storefront: request.storefront, reader: snapshot, coder: coder)
      let before = try charts.before(newest).map { Ranking($0) }
      var entries: [ChartEntry] = []
      for (index, id) in newest.ranks.prefix(max(0, limit ?? .max)).enumerated() {
        let app = try names.app(id)
        let last = before?[id]
        entries.append(
          ChartEntry(
            rank: index + 1, id: id, storefront: request.storefront, name: app?["name"]?.string ?? id,
            artist: app?["artist"]?.string ?? "", movement: last.map { $0 - (index + 1) },
            isNew: before != nil && last == nil, thumbnailURL: app?["thumbnailURL"]?.string))
      }
      return entries
    } orElse: {
      noSnapshot(request)
    }
  }

  /// Compares the newest ranks with those of `span` before they were last seen; where the snapshots do not reach back
  /// so far, with the oldest ones.
  public func movers(_ path: String, since span: Interval, limit: Int?) throws(Failure) -> ChartComparison {
    let request = try Self.request(path)
    return try read { snapshot throws(StoreError) in
      let charts = ChartSeries(id: request.seriesID, reader: snapshot, coder: coder)
      let now = self.time.now
      guard let newest = try charts.latest(at: now) else { return nil }
      let later = max(newest.observedAt, min(newest.lastObservedAt, now))
      guard let oldest = try charts.oldest(), oldest.id != newest.id else {
        return ChartComparison(chart: request.path, earlier: nil, later: later, movers: [])
      }
      let time = later + -span.seconds
      let past = try charts.newest(upTo: time) ?? oldest
      return ChartComparison(
        chart: request.path, earlier: max(past.observedAt, min(past.lastObservedAt, time)), later: later,
        movers: try movers(
          Ranking(past), Ranking(newest), limit: limit,
          AppNames(storefront: request.storefront, reader: snapshot, coder: coder)))
    } orElse: {
      noSnapshot(request)
    }
  }

  private func movers(
    _ past: Ranking, _ now: Ranking, limit: Int?, _ names: AppNames
  ) throws(StoreError) -> [ChartMover] {
    typealias Move = (mover: ChartMover, places: Int)
    var moves: [Move] = []
    for (id, to) in now.places where past[id] != to {
      let from = past[id]
      let change: ChartMover.Change = from.map { to < $0 ? .up : .down } ?? .new
      let places = abs((from ?? past.places.count + 1) - to)
      moves.append((ChartMover(id: id, name: id, from: from, to: to, change: change), places))
    }
    for (id, from) in past.places where now[id] == nil {
      let places = now.places.count + 1 - from
      moves.append((ChartMover(id: id, name: id, from: from, to: nil, change: .out), places))
    }
    func isBefore(_ lhs: ChartMover, _ rhs: ChartMover) -> Bool {
      (lhs.to ?? lhs.from ?? 0, lhs.id.exact) < (rhs.to ?? rhs.from ?? 0, rhs.id.exact)
    }
    if let limit {
      moves.sort { $0.places != $1.places ? $0.places > $1.places : isBefore($0.mover, $1.mover) }
      moves = Array(moves.prefix(max(0, limit)))
    }
    let order = ChartMover.Change.allCases
    moves.sort { lhs, rhs in
      let (left, right) = (order.firstIndex(of: lhs.mover.change), order.firstIndex(of: rhs.mover.change))
      if left != right { return left ?? 0 < right ?? 0 }
      let isMove = lhs.mover.from != nil && lhs.mover.to != nil
      if isMove, lhs.places != rhs.places { return lhs.places > rhs.places }
      return isBefore(lhs.mover, rhs.mover)
    }
    return try moves.map { (move) throws(StoreError) in
      var mover = move.mover
      mover.name = try names.name(mover.id)
      return mover
    }
  }

  /// O(number of snapshots of the chart), or of all charts without a path.
  public func history(app: String, path: String?) throws(Failure) -> RankHistory {
    let request: ChartRequest? =
      if let path { try Self.request(path) } else { nil }
    let (storefront, appID) = Self.parts(of: app)
    return try read { snapshot throws(StoreError) in
      let id: String
      if let request {
        guard storefront == nil || storefront == request.storefront else { return nil }
        id = request.seriesID
      } else {
        let seen = try charts(of: appID, in: storefront, snapshot)
        guard let most = seen.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        id = most.key.text
      }
      return try history(of: appID, in: id, snapshot)
    } orElse: {
      notSeen(app, in: request)
    }
  }

  /// O(number of snapshots of all charts).
  public func histories(app: String) throws(Failure) -> [RankHistory] {
    let (storefront, appID) = Self.parts(of: app)
    return try read { snapshot throws(StoreError) in
      var histories: [RankHistory] = []
      for id in try charts(of: appID, in: storefront, snapshot).keys.sorted() {
        if let history = try history(of: appID, in: id.text, snapshot) { histories.append(history) }
      }
      return histories.isEmpty ? nil : histories
    } orElse: {
      notSeen(app, in: nil)
    }
  }

  /// `us` and `123` of `us/123`.
  static func parts(of app: String) -> (storefront: String?, appID: String) {
    let parts = app.split(separator: "/", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0].lowercased(), parts[1]) : (nil, app)
  }

  /// The ranks of an app in a series; `nil` where it never appears.
  private func history(
    of appID: String, in series: String, _ snapshot: any StoreSnapshot
  ) throws(StoreError) -> RankHistory? {
    let (all, now) = (try ChartSeries(id: series, reader: snapshot, coder: coder).all(), time.now)
    let past = all.filter { $0.observedAt <= now }
    let points = (past.isEmpty ? all : past).map { RankPoint(observedAt: $0.observedAt, rank: Ranking($0)[appID]) }
    guard points.contains(where: { $0.rank != nil }) else { return nil }
    let storefront = String(series.prefix { $0 != "/" })
    let known = try AppNames(storefront: storefront, reader: snapshot, coder: coder).app(appID)
    return RankHistory(
      name: known?["name"]?.string ?? appID, artist: known?["artist"]?.string ?? "",
      chart: "\(SourceName.appStore)/\(series)", points: points)
  }

  /// The series in which the app was seen, and how often.
  private func charts(
    of app: String, in storefront: String?, _ reader: some StoreSnapshot
  ) throws(StoreError) -> [ExactString: Int] {
    var seen: [ExactString: Int] = [:]
    let range = storefront.map { ScanRange(prefix: "\($0)/") } ?? .all
    try reader.scan(ChartSnapshot.self, range, coder) { (snapshot) throws(StoreError) in
      if snapshot.ranks.contains(where: { $0.exact == app.exact }) { seen[snapshot.seriesID.exact, default: 0] += 1 }
      return .next
    }
    return seen
  }

  /// Why there is no history: the chart is not here, or the app is in other charts, which are named, or in none.
  private func notSeen(_ app: String, in request: ChartRequest?) -> Failure {
    var hint: Advice = "an app is named by its name or its id, as charts top prints them"
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      if let request, try ChartSeries(id: request.seriesID, reader: snapshot, coder: coder).latest(at: time.now) == nil
      {
        return noSnapshot(request)
      }
      let others = try charts(of: Self.parts(of: app).appID, in: nil, snapshot).keys.sorted()
      if !others.isEmpty {
        hint = "it is in \(others.map { "\(SourceName.appStore)/\($0.text)" }.joined(separator: ", "))"
      }
    } catch {
      return error.failure
    }
    return Failure(
      .store, .notFound, "no snapshot\(request.map { " of \($0.path)" } ?? "") holds the app \(app)", hint: hint,
      code: .own(.notFound))
  }

  func read<Value>(
    _ body: (any StoreSnapshot) throws(StoreError) -> Value?, orElse missing: () -> Failure
  ) throws(Failure) -> Value {
    do throws(StoreError) {
      if let value = try body(store.snapshot()) { return value }
    } catch {
      throw error.failure
    }
    throw missing()
  }

  /// The chart that a path names: `app-store/fr/top-paid`, with a genre as a fourth part.
  private static func request(_ path: String) throws(Failure) -> ChartRequest {
    let follow = Follow(path: path)
    guard follow.source == .appStore else {
      throw Failure(.config, .usage, "'\(path)' is not a chart", hint: "charts begin with app-store/", path: path)
    }
    return try Failure.from { () throws(FollowError) in
      try ChartRequest(CheckedFollow(follow, AppStoreSource.descriptor.match(follow)))
    }
  }

  private func noSnapshot(_ request: ChartRequest) -> Failure {
    Failure(
      .store, .notFound, "no snapshot of \(request.path) is kept", hint: suggestions(.fetch(follow: request.path)),
      code: .own(.notFound), path: request.path)
  }
}

/// The places of a chart, to look up.
struct Ranking {
  private let ranks: [ExactString: Int]
  /// Every app with its place, best first.
  let places: [(id: String, rank: Int)]

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
  func app(_ id: String) throws(StoreError) -> JSONObject? {
    if let app = try reader.object(.apps, App.id(storefront: storefront, appID: id), coder) { return app }
    // A store of an earlier version, until the next sync.
    return try reader.object(.apps, id, coder)
  }

  func name(_ id: String) throws(StoreError) -> String { try app(id)?["name"]?.string ?? id }
}
