public import Models
public import Ports

/// The prices that a store has: the latest one in the record of each app, and the earlier ones in the changes.
struct StoredPrices {
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The change from the stored price to that of an app in a feed; `nil` if the price is the same, or one of them is not
  /// known. Charts that are fetched at the same time find the same number for it, so that it is stored once.
  func change(to app: App, at now: Timestamp) throws(StoreError) -> PriceChange? {
    guard let storefront = app.storefront, let price = app.price,
      let known = try reader.object(.apps, app.id, coder)?["price"]?.object,
      let previous = try? Price(fields: known), previous != price
    else { return nil }
    let last = try changes(of: app.appID, in: storefront).last?.number ?? 0
    return PriceChange(
      storefront: storefront, appID: app.appID, number: last.plus(1), name: app.name, observedAt: now,
      previous: previous,
      price: price)
  }

  /// The changes of an app's price, oldest first.
  func changes(of appID: String, in storefront: String) throws(StoreError) -> [PriceChange] {
    try reader.all(
      PriceChange.self, coder, in: ScanRange(prefix: PriceChange.prefix(storefront: storefront, appID: appID)))
  }
}

extension Charts {
  /// O(number of snapshots of all charts).
  public func prices(app: String) throws(Failure) -> [PriceHistory] {
    let (storefront, appID) = Self.parts(of: app)
    return try read { snapshot throws(StoreError) in
      var seen = try firstSeen(appID, in: storefront, snapshot)
      // The record can be there without a chart: it was imported.
      if let storefront, seen[storefront.exact] == nil { seen[storefront.exact] = .some(nil) }
      var histories: [PriceHistory] = []
      for (storefront, time) in seen.sorted(by: { $0.key < $1.key }) {
        if let history = try prices(of: appID, in: storefront.text, since: time, snapshot) { histories.append(history) }
      }
      return histories.isEmpty ? nil : histories
    } orElse: {
      Failure(
        .store, .notFound, "no price of the app \(app) is known",
        hint: "an app is named by its name or its id; the marketing feed contains no prices", code: .own(.notFound))
    }
  }

  public func priceChanges(since time: Timestamp?, drops: Bool, limit: Int?) throws(Failure) -> [PriceChange] {
    return try Failure.from { () throws(StoreError) in
      var changes = try store.snapshot().all(PriceChange.self, coder) { change in
        let isWanted = time.map { change.observedAt >= $0 } ?? true
        return isWanted && (!drops || change.price.isLower(than: change.previous) == true) ? change : nil
      }
      // Changes of the same second by app, the newest first.
      changes.sort {
        ($1.observedAt, $0.storefront.exact, $0.appID.exact, $1.number)
          < ($0.observedAt, $1.storefront.exact, $1.appID.exact, $0.number)
      }
      return Array(changes.prefix(max(0, limit ?? .max)))
    }
  }

  /// When the app was first seen in a chart, by storefronts.
  private func firstSeen(
    _ app: String, in storefront: String?, _ reader: any RecordReader
  ) throws(StoreError) -> [ExactString: Timestamp?] {
    var seen: [ExactString: Timestamp?] = [:]
    let range = storefront.map { ScanRange(prefix: "\($0)/") } ?? .all
    try reader.scan(ChartSnapshot.self, range, coder) { snapshot in
      guard snapshot.ranks.contains(where: { $0.exact == app.exact }) else { return .next }
      let earlier = (seen[snapshot.storefront.exact] ?? nil) ?? snapshot.observedAt
      seen[snapshot.storefront.exact] = min(earlier, snapshot.observedAt)
      return .next
    }
    return seen
  }

  /// The prices of an app in one storefront; `nil` if none is known.
  private func prices(
    of appID: String, in storefront: String, since start: Timestamp?, _ reader: any RecordReader
  ) throws(StoreError) -> PriceHistory? {
    let changes = try StoredPrices(reader: reader, coder: coder).changes(of: appID, in: storefront)
    let app = try AppNames(storefront: storefront, reader: reader, coder: coder).app(appID)
    let latest = app?["price"]?.object.flatMap { try? Price(fields: $0) }
    guard let first = changes.first?.previous ?? latest else { return nil }
    // A price was known before its first change, also if the snapshots of that time are gone.
    let known = changes.first.map { change in start.flatMap { $0 < change.observedAt ? $0 : nil } } ?? start
    return PriceHistory(
      name: app?["name"]?.string ?? changes.last?.name ?? appID, storefront: storefront,
      points: [PricePoint(observedAt: known, price: first)]
        + changes.map { PricePoint(observedAt: $0.observedAt, price: $0.price) })
  }
}
