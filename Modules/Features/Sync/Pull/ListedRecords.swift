public import Models
public import Ports

/// The records that the last complete pull of a follow listed, stored in `state` under `listed/PATH`.
struct ListedRecords: Sendable {
  typealias Listed = PullPage.ListedRecord

  /// The follow's path.
  let follow: String
  /// The records.
  var records: Set<Listed>

  private static let prefix = "listed/"

  private var id: String { Self.id(follow) }

  /// The key of a follow's list.
  static func id(_ follow: String) -> String { prefix + follow }

  /// The records of a pull that just ended.
  init(follow: String, _ records: Set<Listed>) {
    self.follow = follow
    self.records = records
  }

  /// The stored records; none if there was no complete pull.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  init(follow: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    self.init(follow: follow, [])
    records = Self.records(try reader.fields(.state, id, coder))
  }

  fileprivate static func records(_ fields: JSONObject?) -> Set<Listed> {
    var records: Set<Listed> = []
    for collection in fields?["ids"]?.object?.members ?? [] {
      for id in collection.value.array?.compactMap(\.string) ?? [] {
        records.insert(Listed(CollectionName(rawValue: collection.key), id))
      }
    }
    return records
  }

  /// Stores the records, unless the same ones are stored. O(n log n) for n records.
  ///
  /// - Throws: `StoreError` if the store cannot be written.
  func put(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    var ids: [CollectionName: [ExactString]] = [:]
    for record in records { ids[record.collection, default: []].append(record.$id) }
    let lists = ids.sorted { $0.key < $1.key }.map { collection, ids in
      JSONObject.Member(key: collection.rawValue, value: .array(ids.sorted().map { .string($0.text) }))
    }
    let fields: JSONObject = ["id": .string(id), "ids": .object(JSONObject(members: lists))]
    let bytes = coder.encode(fields)
    guard try transaction.record(.state, id) != bytes else { return }
    try transaction.put(bytes, id: id, in: .state)
  }

  /// The records that this pull no longer lists and that no other follow lists. O(n) for n listed records of all
  /// follows.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func departed(
    since before: ListedRecords, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [Listed] {
    var departed = before.records.subtracting(records)
    guard !departed.isEmpty else { return [] }
    try reader.eachFields(.state, ScanRange(prefix: Self.prefix), coder) { (fields) throws(StoreError) in
      if fields["id"]?.string?.exact != id.exact { departed.subtract(Self.records(fields)) }
      return departed.isEmpty ? .stop : .next
    }
    return departed.sorted { ($0.collection, $0.$id) < ($1.collection, $1.$id) }
  }
}

/// Which records each follow lists.
public enum FollowLists {
  /// The ids of the records of a collection that the last complete pull of a follow listed; `nil` if there was no such
  /// pull.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public static func ids(
    of collection: CollectionName, listedBy follow: String, in reader: any StoreSnapshot, _ coder: any RecordCoder
  ) throws(StoreError) -> Set<ExactString>? {
    guard let fields = try reader.fields(.state, ListedRecords.id(follow), coder) else { return nil }
    return Set(ListedRecords.records(fields).filter { $0.collection == collection }.map(\.$id))
  }
}
