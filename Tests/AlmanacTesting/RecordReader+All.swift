public import Models
public import Ports

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
