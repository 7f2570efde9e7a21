public import Models
public import Ports

extension AppStoreSource: PurgeableSource {
  /// The snapshots of the chart, and the apps that no snapshot of another followed chart of the storefront contains, with
  /// the changes of their prices.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [PullPage.ListedRecord]? {
    guard let request = try? ChartRequest(follow) else { return [] }
    let kept = Set(others.compactMap { (try? ChartRequest($0))?.seriesID.exact })
    var records: [PullPage.ListedRecord] = []
    var (apps, shared): (Set<ExactString>, Set<ExactString>) = ([], [])
    try reader.scan(ChartSnapshot.self, ScanRange(prefix: "\(request.storefront)/"), coder) { snapshot in
      let ids = snapshot.ranks.map { "\(request.storefront)/\($0)".exact }
      if snapshot.seriesID.exact == request.seriesID.exact {
        records.append(.init(.charts, snapshot.id))
        apps.formUnion(ids)
      } else if kept.contains(snapshot.seriesID.exact) {
        shared.formUnion(ids)
      }
      return .next
    }
    let removed = apps.subtracting(shared)
    try reader.scan(PriceChange.self, ScanRange(prefix: "\(request.storefront)/"), coder) { change in
      if removed.contains("\(change.storefront)/\(change.appID)".exact) { records.append(.init(.prices, change.id)) }
      return .next
    }
    return records + removed.sorted().map { .init(.apps, $0.text) }
  }
}
