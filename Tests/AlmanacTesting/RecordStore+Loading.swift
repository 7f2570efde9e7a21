public import Models
public import Ports

extension RecordStore {
  /// What a fake store does: it holds all records.
  public func load(
    _ collection: CollectionName, _ next: () throws(StoreError) -> LoadedRecord?
  ) async throws(StoreError) -> LoadCounts {
    var records: [LoadedRecord] = []
    var seen: Set<[UInt8]> = []
    while let record = try next() {
      guard seen.insert(Array(record.id.utf8)).inserted else {
        throw StoreError.duplicate(record.id, at: record.place)
      }
      records.append(record)
    }
    return try await write { (transaction) throws(StoreError) -> LoadCounts in
      var counts = LoadCounts()
      for record in records {
        let old = try transaction.record(collection, record.id)
        if old == record.record {
          counts.unchanged += 1
        } else if old == nil {
          counts.added += 1
        } else {
          counts.updated += 1
        }
        if old != record.record { try transaction.put(record.record, id: record.id, in: collection) }
      }
      return counts
    }.value
  }
}
