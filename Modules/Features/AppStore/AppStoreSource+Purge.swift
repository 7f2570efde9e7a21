public import Models
public import Ports

extension AppStoreSource: PurgeableSource {
  /// The snapshots of the chart, and the apps that no snapshot of another followed chart of the storefront contains, with
  /// the changes of their prices. If it is the only chart of the storefront, all of its apps: some may be in no snapshot any
  /// more, because retention or another sync in the same second removed it.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    guard let request = self.request(of: follow) else { return [] }
    let siblings = others.compactMap(self.request).filter { $0.storefront == request.storefront }
    let kept = Set(siblings.map(\.seriesID.exact))
    var records: [RecordName] = []
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
    var removed = apps.subtracting(shared)
    if siblings.isEmpty {
      try reader.scan(.apps, ScanRange(prefix: "\(request.storefront)/")) {
        (bytes: RawSpan) throws(StoreError) -> ScanStep in
        if let id = try coder.object(bytes, of: .apps)["id"]?.string { removed.insert(id.exact) }
        return .next
      }
    }
    records += try reader.all(PriceChange.self, coder, in: ScanRange(prefix: "\(request.storefront)/")) { change in
      removed.contains("\(change.storefront)/\(change.appID)".exact) ? RecordName(.prices, change.id) : nil
    }
    return records + removed.sorted().map { .init(.apps, $0.text) }
  }
}
