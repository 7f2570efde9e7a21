public import Models
public import Ports

extension Library {
  /// Hands every record that the query selects to `body`.
  ///
  /// Without a sort field nothing is held. With one, the selected records are held, or with a limit as many of them.
  /// O(n) for n records of the range; O(n log k) when k of them are held.
  public func list(
    _ collection: CollectionName, _ query: LibraryQuery, _ body: (RawSpan) throws(Failure) -> ScanStep
  ) throws(Failure) {
    let limit = query.limit ?? Int.max
    try check(query, collection)
    guard limit > 0 else { return }
    let filter =
      query.conditions.isEmpty && query.words.isEmpty
      ? nil : filters.filter(narrowed(query.conditions, collection), words: query.words)
    let range = ScanRange(prefix: query.prefix, after: query.after)
    // A scan throws errors of the store alone.
    var problem: Failure?
    func hand(_ record: RawSpan) -> ScanStep {
      do throws(Failure) {
        return try body(record)
      } catch {
        problem = error
        return .stop
      }
    }
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      if query.sortField != nil || query.descending {
        let path = query.sortField.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }
        var first = FirstRecords(limit: query.limit, descending: query.descending)
        try snapshot.scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
          if let filter, !filter.matches(record) { return .next }
          first.add(try path.map { (path) throws(StoreError) in try key(of: record, path, collection) }, record)
          return .next
        }
        for record in first.inOrder() {
          // The span of an array needs macOS 26, that of a slice does not.
          let slice = record[...]
          if hand(slice.span.bytes) == .stop { break }
        }
      } else {
        var left = limit
        try snapshot.scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
          if let filter, !filter.matches(record) { return .next }
          left -= 1
          return hand(record) == .stop || left == 0 ? .stop : .next
        }
      }
    } catch {
      throw error.failure
    }
    if let problem { throw problem }
  }

  private func key(
    of record: RawSpan, _ path: [String], _ collection: CollectionName
  ) throws(StoreError) -> SortKey {
    var value: JSONValue? = .object(try coder.object(record, of: collection))
    for name in path { value = value?.object?[name] }
    return SortKey(value)
  }
}
