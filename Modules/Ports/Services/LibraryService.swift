public import Models

/// Reads, lists, exports and imports the records of any collection.
public protocol LibraryService: Sendable {
  /// The stored bytes of a record.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such record.
  func record(_ collection: CollectionName, _ id: String) throws(Failure) -> [UInt8]

  /// Calls `body` with each record that the query selects. The collection is not held in memory, unless it is sorted by
  /// a field.
  ///
  /// - Throws: `Failure`: `usage` if the query names a field that the collection does not have, or compares a field
  ///   with a value that it cannot have, in which case `body` is not called; an error if the store cannot be read; and
  ///   the errors of `body`.
  func list(
    _ collection: CollectionName, _ query: LibraryQuery, _ body: (RawSpan) throws(Failure) -> ScanStep
  ) throws(Failure)

  /// The number of records in a collection.
  ///
  /// - Throws: `Failure` if the store cannot be read.
  func count(_ collection: CollectionName) throws(Failure) -> Int

  /// Imports a file of JSON Lines as one commit. A record with an existing id replaces the stored one.
  ///
  /// - Parameter read: returns the next piece of the file, and `nil` at its end.
  /// - Throws: `Failure` with the line of a mistake, and the errors of `read`; nothing was written then.
  func importLines(
    into collection: CollectionName, _ read: () throws(Failure) -> [UInt8]?
  ) async throws(Failure) -> ImportedRecords

  /// The change feed of the collections that are shown to users.
  ///
  /// - Throws: `Failure`: `usage` if the cursor is too old or not valid.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(Failure) -> [StoreChange]
}

/// A selection of records and their order.
public struct LibraryQuery: Hashable, Sendable {
  /// The conditions, all of which must be met.
  public var conditions: [RecordCondition]
  /// The field to sort by; `nil` to sort by id.
  public var sortField: String?
  /// Whether the order is descending.
  public var descending: Bool
  /// The maximum number of records.
  public var limit: Int?
  /// Selects only ids with this prefix.
  public var prefix: String
  /// Selects only ids after this one.
  public var after: String?

  /// Creates a query; by default it selects all records.
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

/// The result of an import of records.
public struct ImportedRecords: Hashable, Sendable {
  /// New records.
  public var added: Int
  /// Changed records.
  public var updated: Int
  /// Records that were already stored without a difference.
  public var unchanged: Int

  /// Creates a result.
  public init(added: Int, updated: Int, unchanged: Int) {
    self.added = added
    self.updated = updated
    self.unchanged = unchanged
  }
}
