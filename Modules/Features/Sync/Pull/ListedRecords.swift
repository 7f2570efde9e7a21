public import Models
public import Ports

/// The records that a follow has listed and that are not known to have left its list: those of its last complete pull, stored
/// in `state` under `listed/PATH`, and those that came with other pulls since, under `arrived/PATH HASH`, where the hash is that
/// of the first record of a page.
struct ListedRecords: Sendable {
  let follow: String
  var records: Set<RecordName>
  /// Those of the lists that its records have, by their names.
  var sublists: [ExactString: Set<RecordName>] = [:]
  /// Those of the last complete pull alone.
  var judged: Set<RecordName> = []

  fileprivate static func key(_ follow: String) -> StateKey { .init(.listed, follow) }

  init(follow: String, _ records: Set<RecordName> = []) {
    (self.follow, self.records) = (follow, records)
  }

  /// The stored records; none if there was no pull of a complete list.
  init(follow: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    self.init(follow: follow)
    add(try reader.state(Self.key(follow), coder))
    judged = all
    for page in try pages(in: reader, coder) { add(page.fields) }
  }

  var all: Set<RecordName> { sublists.values.reduce(records) { $0.union($1) } }

  init(follow: String, page: ListPage) {
    self.init(follow: follow, Set(page.records))
    for sublist in page.sublists where !sublist.records.isEmpty {
      sublists[sublist.$name, default: []].formUnion(sublist.records)
    }
  }

  private mutating func add(_ fields: JSONObject?) {
    records.formUnion(Self.records(fields?["ids"]?.object))
    for sublist in fields?["sublists"]?.object?.members ?? [] {
      sublists[sublist.key.exact, default: []].formUnion(Self.records(sublist.value.object))
    }
  }

  fileprivate static func all(_ fields: JSONObject?) -> Set<RecordName> {
    var list = ListedRecords(follow: "")
    list.add(fields)
    return list.all
  }

  private static func records(_ ids: JSONObject?) -> Set<RecordName> {
    var records: Set<RecordName> = []
    for collection in ids?.members ?? [] {
      for id in collection.value.array?.compactMap(\.string) ?? [] {
        records.insert(RecordName(CollectionName(rawValue: collection.key), id))
      }
    }
    return records
  }

  private static func ids(_ records: Set<RecordName>) -> JSONValue {
    var ids: [CollectionName: [ExactString]] = [:]
    for record in records { ids[record.collection, default: []].append(record.$id) }
    let lists = ids.sorted { $0.key < $1.key }.map { collection, ids in
      JSONObject.Member(key: collection.rawValue, value: .array(ids.sorted().map { .string($0.text) }))
    }
    return .object(JSONObject(members: lists))
  }

  /// Stores the records of a complete pull, unless the same ones are stored. O(n log n) for n records.
  func put(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try removePages(in: &transaction, coder)
    try put(Self.key(follow), in: &transaction, coder)
  }

  /// Stores the records of a page whose pull may not become complete.
  ///
  /// - Parameter isPart: whether the pull does not ask for the whole list. What it lists may be removed by a complete pull of
  ///   the follow, but keeps no record that another follow's complete list lacks.
  func putPage(isPart: Bool, in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    guard let first = all.inOrder.first else { return }
    var hash = StableHash()
    for name in sublists.keys.sorted() { hash.combine(name.text) }
    hash.combine(first.collection.rawValue)
    hash.combine(first.id)
    let key = StateKey(.arrived, "\(follow) \(hash.hex)")
    var page = self
    let stored = try transaction.state(key, coder)
    page.add(stored)
    try page.put(key, isPart: isPart && stored.map { $0["part"]?.bool == true } ?? true, in: &transaction, coder)
  }

  func remove(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try removePages(in: &transaction, coder)
    try transaction.clearState(Self.key(follow))
  }

  private func removePages(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    for page in try pages(in: transaction, coder) { try transaction.clearState(page.key) }
  }

  /// What is stored of the pages since the last complete pull.
  private func pages(
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [(key: StateKey, fields: JSONObject)] {
    // The path of another follow may begin with this one and a space.
    try reader.states(.arrived, from: "\(follow) ", coder) { key, fields in
      fields["follow"]?.string?.exact == follow.exact ? (key, fields) : nil
    }
  }

  /// Forgets records of sublists that these do not have any more.
  func drop(
    _ departed: [RecordName], in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    var stored = try pages(in: transaction, coder)
    if let fields = try transaction.state(Self.key(follow), coder) { stored.append((Self.key(follow), fields)) }
    for (key, fields) in stored where !Self.all(fields).isDisjoint(with: departed) {
      var list = ListedRecords(follow: follow)
      list.add(fields)
      list.sublists = list.sublists.mapValues { $0.subtracting(departed) }
      try list.put(key, isPart: fields["part"]?.bool == true, in: &transaction, coder)
    }
  }

  private func put(
    _ key: StateKey, isPart: Bool = false, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    var fields: JSONObject = ["ids": Self.ids(records)]
    if !sublists.isEmpty {
      let lists = sublists.sorted { $0.key < $1.key }.map { name, records in
        JSONObject.Member(key: name.text, value: Self.ids(records))
      }
      fields["sublists"] = .object(JSONObject(members: lists))
    }
    if key.kind == .arrived { fields["follow"] = .string(follow) }
    if isPart { fields["part"] = .bool(true) }
    try transaction.setState(key, to: fields, coder)
  }

  /// Whether a pull of the whole list was stored, also an interrupted one.
  static func isKnown(
    _ follow: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    if try isJudged(follow, in: reader) { return true }
    return try ListedRecords(follow: follow).pages(in: reader, coder).contains { $0.fields["part"]?.bool != true }
  }

  /// Whether a whole pull of the list was judged.
  static func isJudged(_ follow: String, in reader: some RecordReader) throws(StoreError) -> Bool {
    try reader.hasState(key(follow))
  }

  /// The paths of the follows that had listed one of some records. O(n) for n listed records of all follows.
  static func follows(
    listing records: Set<RecordName>, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [ExactString] {
    var paths: Set<ExactString> = []
    for kind in [StateKey.Kind.listed, .arrived] {
      paths.formUnion(
        try reader.states(kind, coder) { key, fields in
          all(fields).isDisjoint(with: records) ? nil : (fields["follow"]?.string ?? key.name).exact
        })
    }
    return paths.sorted()
  }

  /// Those of some records that other follows list. O(n) for n listed records of all follows.
  ///
  /// - Parameters:
  ///   - counts: whether the list of a follow, by its path, counts.
  ///   - sparesParts: whether those count that a follow brought without listing all that there are.
  static func others(
    than follow: String, of records: Set<RecordName>, sparesParts: Bool, counting counts: (ExactString) -> Bool,
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> Set<RecordName> {
    var rest = records
    guard !rest.isEmpty else { return [] }
    for kind in [StateKey.Kind.listed, .arrived] {
      try reader.eachState(kind, coder) { (key, fields) throws(StoreError) in
        let path = fields["follow"]?.string ?? key.name
        let isCounted = path.exact != follow.exact && counts(path.exact)
        if isCounted, sparesParts || fields["part"]?.bool != true { rest.subtract(all(fields)) }
        return rest.isEmpty ? .stop : .next
      }
    }
    return records.subtracting(rest)
  }
}

public enum FollowLists {
  /// The ids of the records of a collection that the last complete pull of a follow listed; `nil` if there was no such
  /// pull.
  public static func ids(
    of collection: CollectionName, listedBy follow: String, in reader: any StoreSnapshot, _ coder: any RecordCoder
  ) throws(StoreError) -> Set<ExactString>? {
    guard let fields = try reader.state(ListedRecords.key(follow), coder) else { return nil }
    return Set(ListedRecords.all(fields).filter { $0.collection == collection }.map(\.$id))
  }
}
