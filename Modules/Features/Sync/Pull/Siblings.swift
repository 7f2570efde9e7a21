import Models
import Ports

/// The other follows that may list or fill the same records as a follow.
struct Siblings: Sendable {
  let follow: Follow
  let sources: Sources
  /// The follows that go on, in their canonical form; `nil` where other programs may follow more, so that all count that
  /// were not ended.
  var configured: [Follow]?

  /// Whether a follow goes on, by its path.
  private func goesOn(
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> (ExactString) -> Bool {
    if let configured { return Set(configured.map(\.$path)).contains }
    let ended = try FollowState.ended(in: reader, coder)
    return { !ended.contains($0) }
  }

  /// The other follows that ended and had listed one of some records.
  func ended(
    listing records: [RecordName], in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [String] {
    guard !records.isEmpty else { return [] }
    let goesOn = try goesOn(in: reader, coder)
    return try ListedRecords.follows(listing: Set(records), in: reader, coder)
      .filter { $0 != follow.$path && !goesOn($0) }.map(\.text)
  }

  /// Those of some records that another follow lists. What a follow that ended had listed keeps no record.
  func listed(
    of records: Set<RecordName>, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> Set<RecordName> {
    try ListedRecords.others(
      than: follow.path, of: records, sparesParts: false, counting: goesOn(in: reader, coder), in: reader, coder)
  }

  /// Those of some records that no other follow brought, not even one that ended, in order.
  ///
  /// - Parameter sparesEdits: whether those with pending edits are left out.
  func unclaimed(
    _ records: Set<RecordName>, sparesEdits: Bool = true, in reader: some RecordReader,
    _ coder: any RecordCoder
  ) throws(StoreError) -> [RecordName] {
    guard !records.isEmpty else { return [] }
    let claimed = try ListedRecords.others(
      than: follow.path, of: records, sparesParts: true, counting: { _ in true }, in: reader, coder)
    let unclaimed = records.subtracting(claimed).inOrder
    guard sparesEdits else { return unclaimed }
    let pending = try OutboxQueue(in: reader, coder)
    return unclaimed.filter { pending[$0.collection, $0.id].isEmpty }
  }

  /// Stored records of the collections that the follow fills, which neither it nor another follow lists, such as those that
  /// an earlier version brought. Empty if a follow that fills the same collections was never read as a whole: the records
  /// may be its own. O(n) for n stored records.
  func unlisted(
    besides listed: Set<RecordName>, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [RecordName] {
    guard let areas = sources[follow.source]?.areas(of: follow), !areas.isEmpty else { return [] }
    for other in try pulled(in: reader) where mayFill(other, areas) {
      if try !ListedRecords.isJudged(other.path, in: reader) { return [] }
    }
    var found: Set<RecordName> = []
    for area in areas {
      try reader.eachObject(area.collection, ScanRange(prefix: area.start), coder) { (fields) throws(StoreError) in
        guard let id = fields["id"]?.string, !area.isSingle || id.exact == area.start.exact else { return .next }
        let record = RecordName(area.collection, id)
        if !listed.contains(record) { found.insert(record) }
        return .next
      }
    }
    return try unclaimed(found, in: reader, coder)
  }

  /// Whether another follow may have brought records of the areas.
  private func mayFill(_ other: Follow, _ areas: [RecordArea]) -> Bool {
    guard let source = sources[other.source] else { return true }
    let filled = source.areas(of: other) ?? source.descriptor.writtenCollections.map { RecordArea($0) }
    return filled.contains { one in areas.contains { $0.overlaps(one) } }
  }

  /// The other follows that were pulled, those that ended included; one that goes on as it was checked.
  func pulled(in reader: some RecordReader) throws(StoreError) -> [Follow] {
    let known = Dictionary((configured ?? []).map { ($0.$path, $0) }) { first, _ in first }
    return try reader.stateKeys(.follow).filter { $0.$name != follow.$path }
      .map { known[$0.$name] ?? Follow(path: $0.name) }
  }
}

extension Collection<RecordName> {
  var inOrder: [RecordName] { sorted { ($0.collection, $0.$id) < ($1.collection, $1.$id) } }
}
