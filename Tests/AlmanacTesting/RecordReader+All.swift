public import Models
public import Ports

extension RecordStore {
  /// The changes of records since a position in the feed, without those of what the program keeps for itself.
  public func recordChanges(since place: Int) throws(StoreError) -> [StoreChange] {
    try changes(since: ChangeCursor(String(place)), limit: .max)
      .filter { $0.collection != .state && $0.collection != .runs }
  }

  public func put(_ records: [any Record], _ coder: any RecordCoder) async throws(StoreError) {
    _ = try await write { (transaction) throws(StoreError) in
      for record in records { try transaction.put(record, coder) }
    }
  }

  public func put(
    _ fields: JSONObject, in collection: CollectionName, _ coder: any RecordCoder
  ) async throws(StoreError) {
    _ = try await write { (transaction) throws(StoreError) in
      try transaction.put(coder.encode(fields), id: fields["id"]?.string ?? "", in: collection)
    }
  }

  public func delete(_ collection: CollectionName, _ ids: [String]) async throws(StoreError) {
    _ = try await write { (transaction) throws(StoreError) in
      for id in ids { try transaction.delete(collection, id) }
    }
  }
}

extension RecordReader {
  /// The records of a range as they are stored.
  public func all(_ collection: CollectionName, _ range: ScanRange = .all) throws(StoreError) -> [String] {
    var found: [String] = []
    try scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
      found.append(record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      return .next
    }
    return found
  }

  public func ids(_ collection: CollectionName, _ coder: any RecordCoder) throws(StoreError) -> [String] {
    var ids: [String] = []
    try eachObject(collection, .all, coder) { record in
      ids.append(record["id"]?.string ?? "?")
      return .next
    }
    return ids
  }
}
