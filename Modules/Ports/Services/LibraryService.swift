public import Models

/// Looks up, lists, copies out and copies in the records of any collection.
public protocol LibraryService: Sendable {
  /// The record as it is kept.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such record.
  func record(_ collection: CollectionName, _ id: String) throws(Failure) -> [UInt8]

  /// Hands every record that the query selects to `body`, without holding the collection in memory unless it is
  /// sorted by a field.
  ///
  /// - Throws: `Failure`, `usage` where the query names a field that the collection does not have, or compares it with
  ///   what it can never be; then `body` was not called. Also where the store cannot be read, and what `body` throws.
  func list(
    _ collection: CollectionName, _ query: LibraryQuery, _ body: (RawSpan) throws(Failure) -> ScanStep
  ) throws(Failure)

  /// How many records a collection holds.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func count(_ collection: CollectionName) throws(Failure) -> Int

  /// Writes the records of a file of JSON Lines, as one commit; a record with the same id is replaced.
  ///
  /// - Parameter read: gives the file piece by piece, `nil` at its end.
  /// - Throws: `Failure` with the line of a mistake, and what `read` throws; then nothing was written.
  func importLines(
    into collection: CollectionName, _ read: () throws(Failure) -> [UInt8]?
  ) async throws(Failure) -> ImportedRecords

  /// The change feed of the collections that users see.
  ///
  /// - Throws: `Failure`, `usage` where the cursor is too old or none.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(Failure) -> [StoreChange]
}

/// Which records, and in which order.
public struct LibraryQuery: Hashable, Sendable {
  /// Conditions that must all be met.
  public var conditions: [RecordCondition]
  /// The field to sort by; by id where absent.
  public var sortField: String?
  /// Whether the largest comes first.
  public var descending: Bool
  /// How many at most.
  public var limit: Int?
  /// Only ids that begin with this.
  public var prefix: String
  /// Only ids after this one.
  public var after: String?

  /// A query; everything by default.
  public init(
    conditions: [RecordCondition] = [], sortField: String? = nil, descending: Bool = false, limit: Int? = nil,
    prefix: String = "", after: String? = nil
  ) {
    self.conditions = conditions
    self.sortField = sortField
    self.descending = descending
    self.limit = limit
    self.prefix = prefix
    self.after = after
  }
}

/// What an import of records did.
public struct ImportedRecords: Hashable, Sendable {
  /// Records that are new.
  public var added: Int
  /// Records that changed.
  public var updated: Int
  /// Records that were there as they are.
  public var unchanged: Int

  /// Makes a result.
  public init(added: Int, updated: Int, unchanged: Int) {
    self.added = added
    self.updated = updated
    self.unchanged = unchanged
  }
}
