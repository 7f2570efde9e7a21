public import Models
public import Ports

extension Library {
  /// The records that the query selects, at most `limit` of them, with the place where the next page begins.
  ///
  /// O(n) for n records of the range. In an order of its own, as many records as a page has are held; otherwise the scan
  /// ends with the page.
  public func page(
    _ collection: CollectionName, _ query: LibraryQuery, limit: Int, counts: Bool
  ) throws(Failure) -> LibraryPage {
    let limit = max(1, limit)
    try check(query, collection)
    let filter = filter(query, collection)
    return try store.read { (snapshot) throws(StoreError) in
      var found: [[UInt8]] = []
      if query.sortField != nil || query.descending {
        found = try ordered(collection, query, limit.plus(1), filter, in: snapshot)
      } else {
        let range = ScanRange(prefix: query.prefix, after: query.start?.id ?? query.after)
        try snapshot.scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
          if let filter, !filter.matches(record) { return .next }
          found.append(record.withUnsafeBytes { Array($0) })
          return found.count > limit ? .stop : .next
        }
      }
      var page = LibraryPage(records: found)
      if found.count > limit {
        page.records.removeLast()
        page.next = try place(of: found[limit - 1], query, collection)
      }
      if counts { page.total = try total(collection, query.prefix, filter, in: snapshot) }
      return page
    }
  }

  /// The first records of the query's order after its start.
  func ordered(
    _ collection: CollectionName, _ query: LibraryQuery, _ limit: Int?, _ filter: (any RecordFilter)?,
    in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [[UInt8]] {
    let path = path(query)
    var first = FirstRecords(limit: limit, descending: query.descending)
    let start = query.start.map { (key: path == nil ? nil : SortKey($0.value), id: $0.$id) }
    let range = ScanRange(prefix: query.prefix, after: query.after)
    try snapshot.scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
      if let filter, !filter.matches(record) { return .next }
      guard path != nil || start != nil else {
        first.add(nil, record)
        return .next
      }
      let fields = try coder.object(record, of: collection)
      let key = path.map { SortKey(fields.value(at: $0)) }
      if let start {
        let id = (fields["id"]?.string ?? "").exact
        let isAfter: Bool
        if let key, let begin = start.key {
          // Records of equal values come by id in both directions.
          isAfter = begin.precedes(key, descending: query.descending) ?? (start.id < id)
        } else {
          isAfter = id < start.id
        }
        guard isAfter else { return .next }
      }
      first.add(key, record)
      return .next
    }
    return first.inOrder()
  }

  private func total(
    _ collection: CollectionName, _ prefix: String, _ filter: (any RecordFilter)?, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> Int {
    if filter == nil, prefix.isEmpty { return try snapshot.count(collection) }
    var total = 0
    try snapshot.scan(collection, ScanRange(prefix: prefix)) { (record: RawSpan) throws(StoreError) -> ScanStep in
      if filter?.matches(record) ?? true { total += 1 }
      return .next
    }
    return total
  }

  private func place(
    of record: [UInt8], _ query: LibraryQuery, _ collection: CollectionName
  ) throws(StoreError) -> LibraryPlace {
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = record[...]
    let fields = try coder.object(slice.span.bytes, of: collection)
    return LibraryPlace(value: path(query).flatMap { fields.value(at: $0) }, id: fields["id"]?.string ?? "")
  }

  private func path(_ query: LibraryQuery) -> [String]? {
    query.sortField.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
  }
}

extension JSONObject {
  /// The value at a path; `nil` if there is none.
  fileprivate func value(at path: [String]) -> JSONValue? {
    var value: JSONValue? = .object(self)
    for name in path { value = value?.object?[name] }
    return value
  }
}
