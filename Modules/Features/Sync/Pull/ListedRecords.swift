public import Models
public import Ports

/// The records that a follow has listed and that are not known to have left its list: those of its last complete pull, stored
/// in `state` under `listed/PATH`, and those that came with other pulls since, under `arrived/PATH HASH`, where the hash is that
/// of the first record of a page.
struct ListedRecords: Sendable {
  typealias Listed = PullPage.ListedRecord

  /// The follow's path.
  let follow: String
  /// The records.
  var records: Set<Listed>

  private static let prefix = "listed/"
  private static let arrivals = "arrived/"

  private var id: String { Self.id(follow) }

  /// The key of a follow's list.
  static func id(_ follow: String) -> String { prefix + follow }

  /// The records of a pull that just ended.
  init(follow: String, _ records: Set<Listed>) {
    self.follow = follow
    self.records = records
  }

  /// The stored records; none if there was no pull of a complete list.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  init(follow: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    self.init(follow: follow, [])
    records = Self.records(try reader.fields(.state, id, coder))
    for page in try pages(in: reader, coder) { records.formUnion(Self.records(page)) }
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

  /// Stores the records of a complete pull, unless the same ones are stored. O(n log n) for n records.
  ///
  /// - Throws: `StoreError` if the store cannot be written.
  func put(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try removePages(in: &transaction, coder)
    try put(id, in: &transaction, coder)
  }

  /// Stores the records of a page whose pull may not become complete.
  ///
  /// - Parameter isPart: whether the pull does not ask for the whole list. What it lists may be removed by a complete pull of
  ///   the follow, but keeps no record that another follow's complete list lacks.
  /// - Throws: `StoreError` if the store cannot be written.
  func putPage(isPart: Bool, in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    guard let first = records.min(by: { ($0.collection, $0.$id) < ($1.collection, $1.$id) }) else { return }
    var hash = StableHash()
    hash.combine(first.collection.rawValue)
    hash.combine(first.id)
    let key = "\(Self.arrivals)\(follow) \(hash.hex)"
    var page = self
    let stored = try transaction.fields(.state, key, coder)
    page.records.formUnion(Self.records(stored))
    try page.put(key, isPart: isPart && stored.map { $0["part"]?.bool == true } ?? true, in: &transaction, coder)
  }

  /// Deletes what is stored.
  ///
  /// - Throws: `StoreError` if the store cannot be written.
  func remove(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try removePages(in: &transaction, coder)
    try transaction.delete(.state, id)
  }

  private func removePages(
    in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    for page in try pages(in: transaction, coder) { try transaction.delete(.state, page["id"]?.string ?? "") }
  }

  /// What is stored of the pages since the last complete pull.
  private func pages(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) -> [JSONObject] {
    var pages: [JSONObject] = []
    // The path of another follow may begin with this one and a space.
    try reader.eachFields(.state, ScanRange(prefix: "\(Self.arrivals)\(follow) "), coder) { fields in
      if fields["follow"]?.string?.exact == follow.exact { pages.append(fields) }
      return .next
    }
    return pages
  }

  private func put(
    _ key: String, isPart: Bool = false, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    var ids: [CollectionName: [ExactString]] = [:]
    for record in records { ids[record.collection, default: []].append(record.$id) }
    let lists = ids.sorted { $0.key < $1.key }.map { collection, ids in
      JSONObject.Member(key: collection.rawValue, value: .array(ids.sorted().map { .string($0.text) }))
    }
    var fields: JSONObject = ["id": .string(key), "ids": .object(JSONObject(members: lists))]
    if key.exact != id.exact { fields["follow"] = .string(follow) }
    if isPart { fields["part"] = .bool(true) }
    let bytes = coder.encode(fields)
    guard try transaction.record(.state, key) != bytes else { return }
    try transaction.put(bytes, id: key, in: .state)
  }

  /// Whether a pull of the whole list was stored, also an interrupted one.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  static func isKnown(
    _ follow: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    if try reader.record(.state, id(follow)) != nil { return true }
    return try ListedRecords(follow: follow, []).pages(in: reader, coder).contains { $0["part"]?.bool != true }
  }

  /// The records that this pull no longer lists and that no other follow lists. O(n) for n listed records of all
  /// follows.
  ///
  /// - Parameter sparesParts: whether records stay that another follow brought without listing all that there are.
  /// - Throws: `StoreError` if the store cannot be read.
  func departed(
    since before: ListedRecords, sparesParts: Bool = false, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [Listed] {
    var departed = before.records.subtracting(records)
    guard !departed.isEmpty else { return [] }
    for prefix in [Self.prefix, Self.arrivals] {
      try reader.eachFields(.state, ScanRange(prefix: prefix), coder) { (fields) throws(StoreError) in
        let isOwn = fields["id"]?.string?.exact == id.exact || fields["follow"]?.string?.exact == follow.exact
        if !isOwn, sparesParts || fields["part"]?.bool != true { departed.subtract(Self.records(fields)) }
        return departed.isEmpty ? .stop : .next
      }
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
