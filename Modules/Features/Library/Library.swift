public import Models
public import Ports

/// Reads, lists, searches, exports and imports the records of any collection.
public struct Library: LibraryService {
  let store: any RecordStore
  let coder: any RecordCoder
  let filters: any RecordFilterCompiler
  let catalog: CollectionCatalog
  let edits: (any PendingEdits)?
  let suggestions: Suggestions

  /// - Parameter edits: `nil` for a library whose records cannot be edited.
  public init(
    store: any RecordStore, coder: any RecordCoder, filters: any RecordFilterCompiler, catalog: CollectionCatalog,
    edits: (any PendingEdits)? = nil, suggestions: Suggestions = Suggestions()
  ) {
    (self.suggestions, self.store, self.coder) = (suggestions, store, coder)
    (self.filters, self.catalog, self.edits) = (filters, catalog, edits)
  }

  /// The record as it is kept. O(log n) for n records.
  public func record(_ collection: CollectionName, _ id: String) throws(Failure) -> [UInt8] {
    let record = try store.read { (snapshot) throws(StoreError) -> [UInt8]? in
      // Few records got another id, so that most are read once.
      if let record = try snapshot.record(collection, id) { return record }
      return try snapshot.record(collection, currentID(collection, id, in: snapshot))
    }
    guard let record else { throw Self.missing(collection, id) }
    return record
  }

  static func missing(_ collection: CollectionName, _ id: String) -> Failure {
    Failure(
      .store, .notFound, "there is no record '\(id)' in \(collection)", code: .own(.notFound),
      path: "\(collection)/\(id)")
  }

  /// The id that a record has now, if the remote gave it another one.
  func currentID(
    _ collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> String { try edits?.currentID(of: collection, id, in: reader) ?? id }

  public func count(_ collection: CollectionName) throws(Failure) -> Int {
    try Failure.reading(store.snapshot().count(collection))
  }

  /// The change feed of the collections that users see.
  ///
  /// Fewer than `limit` changes mean that there are no more at present.
  public func end() throws(Failure) -> ChangeCursor? {
    try Failure.reading(store.snapshot().end)
  }

  public func changes(since cursor: ChangeCursor?, limit: Int) throws(Failure) -> [StoreChange] {
    let listed = Set(catalog.names)
    var changes: [StoreChange] = []
    var place = cursor
    try Failure.from { () throws(StoreError) in
      while changes.count < limit {
        // The system's own state is left out, so that a piece of the feed can come out empty before its end.
        let piece = try store.changes(since: place, limit: max(limit - changes.count, 256))
        guard let last = piece.last else { break }
        changes += piece.filter { listed.contains($0.collection) }.prefix(limit - changes.count)
        place = last.cursor
      }
    }
    return changes
  }
}

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
    let filter = filter(query, collection)
    let range = ScanRange(prefix: query.prefix, after: query.after)
    // A scan throws errors of the store alone.
    var problem: Failure?
    func hand(_ record: RawSpan) -> ScanStep {
      do throws(Failure) { return try body(record) } catch {
        problem = error
        return .stop
      }
    }
    try store.read { (snapshot) throws(StoreError) in
      if query.sortField != nil || query.descending {
        for record in try ordered(collection, query, query.limit, filter, in: snapshot) {
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
    }
    if let problem { throw problem }
  }

  /// What selects the records; `nil` where all are.
  func filter(_ query: LibraryQuery, _ collection: CollectionName) -> (any RecordFilter)? {
    if query.conditions.isEmpty, query.words.isEmpty { return nil }
    let (met, unmet) = periods(query.conditions, collection)
    return CombinedFilter(
      all: (met.isEmpty ? [] : [filters.filter(met)])
        + (query.words.isEmpty ? [] : [WordFilter(query.words, filters, in: collection, coder)]),
      none: unmet.map { filters.filter($0) })
  }
}
