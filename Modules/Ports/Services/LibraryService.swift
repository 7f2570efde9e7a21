public import Models

public protocol LibraryService: Sendable {
  /// - Throws: `Failure`: `notFound` if there is no such record.
  func record(_ collection: CollectionName, _ id: String) throws(Failure) -> [UInt8]

  /// Calls `body` with each record that the query selects. Unless it sorts by a field, the collection is not in memory.
  ///
  /// - Throws: `Failure`: `usage` if the query names a field that the collection does not have, or compares a field
  ///   with a value that it cannot have, in which case `body` is not called; an error if the store cannot be read; and
  ///   the errors of `body`.
  func list(
    _ collection: CollectionName, _ query: LibraryQuery, _ body: (RawSpan) throws(Failure) -> ScanStep
  ) throws(Failure)

  /// The records that the query selects, at most `limit` of them, with the place where the next page begins. All of it is
  /// read from one state of the store.
  ///
  /// - Parameters:
  ///   - limit: how many records at most, at least 1. The limit of the query is not used.
  ///   - counts: whether the records of all pages are counted. O(n) for n records of the collection where the query has a
  ///     condition, a search or a prefix.
  func page(
    _ collection: CollectionName, _ query: LibraryQuery, limit: Int, counts: Bool
  ) throws(Failure) -> LibraryPage

  /// The records that a user means by a text. The kinds of match, the closest one first: this id; this URL, this name
  /// (ignoring case) or this last part of an id; an id with this prefix; a name with a word that begins with it; a name
  /// that contains it. Names are compared without accents, too; of two alike, the one that is written as typed is closer.
  ///
  /// - Returns: the records of the closest kind that occurs, by id.
  func records(
    _ collection: CollectionName, meaning text: String, as precision: NamePrecision, limit: Int
  ) throws(Failure) -> [FoundRecord]

  /// The records whose name or id is like a text that names none of them: those of which it is a part; otherwise those
  /// that differ by a few letters, the nearest first. O(n) for n records.
  func records(_ collection: CollectionName, near text: String, limit: Int) throws(Failure) -> [FoundRecord]

  /// Calls `body` with each record that has these words, in any text besides ids, which are found as a whole: those with the
  /// words in their names first, and with words that begin so before others.
  ///
  /// - Parameters:
  ///   - collections: the collections to search; if empty, all that sources fill.
  ///   - limit: how many records are wanted at most.
  func search(
    _ words: [String], in collections: [CollectionName], limit: Int, _ body: (FoundRecord) -> ScanStep
  ) throws(Failure)

  func count(_ collection: CollectionName) throws(Failure) -> Int

  /// Imports a file of JSON Lines, or a JSON array, as one commit. A record with an existing id replaces the stored one, unless a
  /// remote has it.
  ///
  /// - Parameter read: returns the next piece of the file, and `nil` at its end.
  /// - Throws: `Failure` with the line of a mistake, and the errors of `read`; nothing was written then.
  func importLines(
    into collection: CollectionName, _ read: () throws(Failure) -> [UInt8]?
  ) async throws(Failure) -> ImportedRecords

  /// Changes fields of a record and queues the change for its source, in one commit; without a change, nothing.
  ///
  /// - Parameter expected: the record as it must be stored; `nil` for any state.
  /// - Throws: `Failure`: `notFound` if there is no such record; `usage` if the collection or a field cannot be changed, or
  ///   a value does not fit its field; `changed` if another state is stored.
  func edit(
    _ collection: CollectionName, _ id: String, _ changes: [FieldChange], ifStored expected: [UInt8]?
  ) async throws(Failure) -> JSONObject

  /// - Throws: `Failure`, `usage` if a field cannot be changed, or a value does not fit its field.
  func check(_ changes: [FieldChange], of collection: CollectionName) throws(Failure)

  /// Adds a record and queues it for its source, in one commit. It has an id of its own until the source has accepted it.
  ///
  /// - Parameter note: a record of the same commit.
  /// - Throws: `Failure`: `usage` if the collection takes no new records, or a value does not fit its field.
  func add(
    _ collection: CollectionName, _ changes: [FieldChange], alongside note: CommitNote?
  ) async throws(Failure) -> JSONObject

  /// Removes a record and queues its removal for its source, in one commit.
  ///
  /// - Parameter expected: the record as it must be stored; `nil` for any state.
  /// - Throws: `Failure`: `notFound` if there is no such record; `usage` if records of the collection cannot be removed;
  ///   `changed` if another state is stored.
  func remove(_ collection: CollectionName, _ id: String, ifStored expected: [UInt8]?) async throws(Failure)

  /// The change feed of the collections that are shown to users.
  ///
  /// - Throws: `Failure`: `usage` if the cursor is too old or not valid.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(Failure) -> [StoreChange]

  /// Where the change feed ends now; `nil` where nothing was ever stored.
  func end() throws(Failure) -> ChangeCursor?
}

public struct FoundRecord: Hashable, Sendable {
  public var collection: CollectionName
  @ExactString public var id: String
  /// The name; empty if the collection has none.
  public var name: String
  /// The field that contains a word of a search, the first one that is not in the name or the id; `nil` if all are.
  public var field: String?
  public var text: String?

  public init(collection: CollectionName, id: String, name: String, field: String? = nil, text: String? = nil) {
    (self.collection, self.id, self.name, self.field, self.text) = (collection, id, name, field, text)
  }

  public var fields: JSONObject {
    [
      "collection": .string(collection.rawValue), "id": .string(id), "name": .string(name), "field": .of(field),
      "text": .of(text),
    ]
  }
}

public struct FieldChange: Hashable, Sendable {
  /// The field; a member of an object by its path, `price.amount`.
  public var field: String
  /// The new value; a text is read as the field's kind. `nil` removes the value.
  public var value: JSONValue?

  public init(_ field: String, _ value: JSONValue?) { (self.field, self.value) = (field, value) }
}

/// A selection of records and their order.
public struct LibraryQuery: Hashable, Sendable {
  public var conditions: [RecordCondition]
  /// Words, each of which is contained in a text of the record, ignoring case.
  public var words: [String]
  /// The field to sort by; `nil` to sort by id.
  public var sortField: String?
  public var descending: Bool
  public var limit: Int?
  public var prefix: String
  public var after: String?
  /// Only records after this place of the order.
  public var start: LibraryPlace?

  public init(
    conditions: [RecordCondition] = [], words: [String] = [], sortField: String? = nil, descending: Bool = false,
    limit: Int? = nil, prefix: String = "", after: String? = nil, start: LibraryPlace? = nil
  ) {
    (self.conditions, self.words, self.sortField, self.descending) = (conditions, words, sortField, descending)
    (self.limit, self.prefix, self.after, self.start) = (limit, prefix, after, start)
  }
}

/// A place in the order of a query. It stays valid when the record there is changed or removed.
public struct LibraryPlace: Hashable, Sendable {
  /// The value of the field that the query sorts by; `nil` where the record has none, or where the order is that of ids.
  public var value: JSONValue?
  /// The record's id, which orders records of equal values.
  @ExactString public var id: String

  public init(value: JSONValue? = nil, id: String) { (self.value, self.id) = (value, id) }
}

public struct LibraryPage: Hashable, Sendable {
  public var records: [[UInt8]]
  /// The place of the last record, where others come after it.
  public var next: LibraryPlace?
  /// How many records all pages hold, where it was asked for.
  public var total: Int?

  public init(records: [[UInt8]], next: LibraryPlace? = nil, total: Int? = nil) {
    (self.records, self.next, self.total) = (records, next, total)
  }
}

public struct ImportedRecords: Hashable, Sendable {
  public var added: Int
  public var updated: Int
  /// Records that were already stored without a difference.
  public var unchanged: Int
  /// Records that a remote has and that differ from the stored ones: they were left out, since each change is an edit, which
  /// `HistoryService.edits(to:of:)` makes.
  public var changed: [JSONObject] = []
  /// What the lines hold that records of the collection do not have, at most 100 of them.
  public var unread: [UnreadMember] = []

  public init(added: Int, updated: Int, unchanged: Int) {
    (self.added, self.updated, self.unchanged) = (added, updated, unchanged)
  }
}

/// A member of imported records that is not read as a field of the collection.
public struct UnreadMember: Hashable, Sendable {
  /// The member, with `.` between the levels: `phone`, `emails.typ`.
  public var name: String
  /// The first line that has it, from 1.
  public var line: Int
  /// How many lines have it.
  public var count = 1
  /// Whether it is stored with the record; if not, it was left out.
  public var isKept: Bool
  /// The field that was meant; `nil` if none is near.
  public var meant: String?
  /// What a field of that name has to be, where there is one: `a list`.
  public var expected: String?

  public init(_ name: String, line: Int, isKept: Bool, meant: String? = nil, expected: String? = nil) {
    (self.name, self.line, self.isKept, self.meant, self.expected) = (name, line, isKept, meant, expected)
  }

  /// The printed form: `{"member", "line", "records", "kept", "meant"?, "expected"?}`.
  public var fields: JSONObject {
    [
      "member": .string(name), "line": .int(line), "records": .int(count), "kept": .bool(isKept), "meant": .of(meant),
      "expected": .of(expected),
    ]
  }
}

/// How much of a record's name a text must be.
public enum NamePrecision: Hashable, Sendable {
  /// Any part: for commands that only read.
  case part
  /// One or more whole words: for commands that change the record.
  case words
  /// The whole name: for removals, and for what cannot be taken back.
  case whole
}

extension LibraryService {
  public func add(_ collection: CollectionName, _ changes: [FieldChange]) async throws(Failure) -> JSONObject {
    try await add(collection, changes, alongside: nil)
  }

  public func edit(
    _ collection: CollectionName, _ id: String, _ changes: [FieldChange]
  ) async throws(Failure) -> JSONObject { try await edit(collection, id, changes, ifStored: nil) }

  public func remove(_ collection: CollectionName, _ id: String) async throws(Failure) {
    try await remove(collection, id, ifStored: nil)
  }
}
