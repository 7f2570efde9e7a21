public import Models

public protocol HistoryService: Sendable {
  /// The last commit at a time: `now`, a day (its end), RFC 3339, an interval ago (`30d`), or `commit:8120`.
  ///
  /// - Throws: `Failure`: `usage` if the text is not a time; `notKept` if no commit is as old; if the store cannot be read.
  func moment(_ text: String) throws(Failure) -> Moment

  /// Calls `body` with the changes that the query selects, the newest first. Those of a record go on under its former ids.
  ///
  /// - Throws: `Failure`: `notKept` if no history of a named collection is kept; the errors of `body`.
  func changes(_ query: HistoryQuery, _ body: (HistoryEntry) throws(Failure) -> ScanStep) throws(Failure)

  /// What differs between two moments: one entry for each record, with its last change.
  ///
  /// - Throws: `Failure` as `changes` does; `usage` if the second moment is before the first.
  func difference(
    from: Moment, to: Moment, in collections: [CollectionName],
    _ body: (HistoryEntry) throws(Failure) -> ScanStep
  ) throws(Failure)

  /// Which change gave each field of a record its value at a moment.
  ///
  /// - Throws: `Failure`: `notFound` if there was no such record; as `changes` does.
  func blame(_ collection: CollectionName, _ id: String, at moment: Moment) throws(Failure) -> [BlamedField]

  /// What an edit has to do so that a record is as it was.
  ///
  /// - Throws: `Failure`: `notFound` if there was no such record; `usage` with the code `notEditable` if nothing of it can be
  ///   restored, `nothing` if it is as it was; as `changes` does.
  func restoration(of collection: CollectionName, _ id: String, at moment: Moment) throws(Failure) -> Restoration

  /// Makes the edit of a restoration, which is queued if the source takes it.
  ///
  /// - Parameter books: the followed address books; a removed person of one of them gets a card there again.
  /// - Throws: `Failure`: `changed` if the record is another one than the restoration was made for; the errors of the edit.
  @discardableResult
  func restore(_ restoration: Restoration, in books: [FollowedBook]) async throws(Failure) -> RestoredRecord

  /// What was changed in a file of JSON Lines that was made of a collection, and what of it can be taken over. Of several
  /// commits, the file was made of the one from which it differs least. O(n) memory for n bytes of the file.
  ///
  /// - Parameters:
  ///   - commits: after which the file may have been made.
  /// - Throws: `Failure` with the line of a mistake; `notKept` if the history does not reach as far; the errors of `read`.
  func changes(
    inFile collection: CollectionName, madeOf commits: [UInt64], _ read: () throws(Failure) -> [UInt8]?
  ) throws(Failure) -> FileChanges

  /// The edits that give stored records these fields.
  func edits(to records: [JSONObject], of collection: CollectionName) throws(Failure) -> FileChanges
}

/// Gives people values that were stored before, which therefore are not checked as what somebody enters.
public protocol PersonRestorer: Sendable {
  /// An embedded photo with its bytes, of the first of some cards that has it; `nil` if none has.
  func photo(_ photo: ContactPhoto, in cards: [StoredCard]) -> ContactPhoto?

  /// Changes a person, or adds one who was removed under the former id: also to the former address book, if that is one of
  /// `books` and can be changed.
  ///
  /// - Parameter card: that of a person who was removed, if it is known.
  /// - Throws: `Failure`: as `edit` and `add` of `PeopleService`; `changed` if the id is used again.
  func restore(_ restoration: Restoration, card: StoredCard?, in books: [FollowedBook]) async throws(Failure) -> Person
}

extension HistoryService {
  /// The moment after which changes are listed; `nil`, for all of them, where the time is before the history.
  public func beginning(_ text: String) throws(Failure) -> Moment? {
    do throws(Failure) { return try moment(text) } catch {
      guard error.code == .store(.notKept) else { throw error }
      return nil
    }
  }
}

public struct HistoryQuery: Hashable, Sendable {
  /// All that sources fill where it is empty.
  public var collections: [CollectionName]
  /// A record of the only collection.
  public var record: String?
  public var since: Moment?
  public var until: Moment?
  /// Only changes of this kind (`sync`), of this follow, command or run.
  public var cause: String?
  public var field: String?
  public var limit: Int?

  public init(
    _ collections: [CollectionName] = [], record: String? = nil, since: Moment? = nil, until: Moment? = nil,
    cause: String? = nil, field: String? = nil, limit: Int? = nil
  ) {
    (self.collections, self.record, self.since, self.until) = (collections, record, since, until)
    (self.cause, self.field, self.limit) = (cause, field, limit)
  }
}

/// What a commit, or all commits between two moments, did to a record.
public struct HistoryEntry: Hashable, Sendable {
  public struct Difference: Hashable, Sendable {
    /// The field; a member of an object by its path.
    public var field: String
    public var from: JSONValue?
    public var to: JSONValue?

    public init(_ field: String, from: JSONValue?, to: JSONValue?) {
      (self.field, self.from, self.to) = (field, from, to)
    }
  }

  public var commit: UInt64
  /// `nil` where it is not kept.
  public var origin: CommitOrigin?
  public var collection: CollectionName
  @ExactString public var id: String
  public var before: JSONObject?
  public var after: JSONObject?
  /// The field with the name of the record; `nil` if records of the collection have none.
  public var nameField: String?

  public init(
    commit: UInt64, origin: CommitOrigin?, collection: CollectionName, id: String, before: JSONObject?,
    after: JSONObject?, nameField: String? = nil
  ) {
    (self.commit, self.origin, self.collection, self.id) = (commit, origin, collection, id)
    (self.before, self.after, self.nameField) = (before, after, nameField)
  }

  /// The name that the record has after the change, or had before it was removed.
  public var name: String? { nameField.flatMap { (after ?? before)?[$0]?.string } }

  /// The fields that differ; none where the record was added or removed.
  public var differences: [Difference] {
    guard let before, let after else { return [] }
    return Self.differences(before, after)
  }

  /// The fields that differ between two records, members of objects by their paths.
  public static func differences(_ old: JSONObject, _ new: JSONObject, below path: String = "") -> [Difference] {
    var names: Set<ExactString> = []
    return (new.keys + old.keys).filter { names.insert($0.exact).inserted }.flatMap { name -> [Difference] in
      if old[name] == new[name] { return [] }
      if let inner = old[name]?.object, let other = new[name]?.object {
        return differences(inner, other, below: "\(path)\(name).")
      }
      return [Difference(path + name, from: old[name], to: new[name])]
    }
  }

  public var kind: String { before == nil ? "added" : after == nil ? "removed" : "changed" }

  /// The printed form: `was` and `now` have the members that differ, of an added or a removed record all of them.
  public var fields: JSONObject {
    func differing(_ one: JSONObject?, from other: JSONObject?) -> JSONValue? {
      one.map { .object(JSONObject(members: $0.members.filter { other?[$0.key] != $0.value })) }
    }
    let head: JSONObject = ["commit": .int(Int(commit))]
    return head.adding(origin?.fields ?? [:]).adding([
      "collection": .string(collection.rawValue), "id": .string(id), "name": .of(name), "kind": .string(kind),
      "was": differing(before, from: after), "now": differing(after, from: before),
    ])
  }
}

extension CommitOrigin {
  /// The printed form: `{"at", "by"?, "follow"?, "run"?, "command"?, "of"?}`.
  public var fields: JSONObject {
    var fields = cause?.fields ?? [:]
    fields.members.insert(.init(key: "at", value: .string(at.description)), at: 0)
    return fields
  }
}

public struct BlamedField: Hashable, Sendable {
  public var field: String
  public var value: JSONValue
  /// The commit and what is known of it; `nil` where the value is older than the history.
  public var commit: UInt64?
  public var origin: CommitOrigin?

  public init(_ field: String, _ value: JSONValue, commit: UInt64? = nil, origin: CommitOrigin? = nil) {
    (self.field, self.value, self.commit, self.origin) = (field, value, commit, origin)
  }

  public var fields: JSONObject {
    var fields: JSONObject = ["field": .string(field), "value": value, "commit": .of(commit.map { Int($0) })]
    fields.members += origin?.fields.members ?? []
    return fields
  }
}

public struct RestoredRecord: Hashable, Sendable {
  @ExactString public var id: String
  /// Whether an edit of the record waits to be sent.
  public var waits: Bool
  /// The address book to which a person does not return, because it is not followed or may only be read.
  public var formerBook: String?
  /// Whether a person of an address book gets a new card, with another `UID` and without what no field of a person has,
  /// because the former one is not kept any more.
  public var hasNewCard: Bool

  public init(id: String, waits: Bool, formerBook: String? = nil, hasNewCard: Bool = false) {
    (self.id, self.waits, self.formerBook, self.hasNewCard) = (id, waits, formerBook, hasNewCard)
  }
}

public struct Restoration: Hashable, Sendable {
  public var collection: CollectionName
  @ExactString public var id: String
  /// `post` for a record that was removed.
  public var kind: OutboxEntry.Kind
  /// The values of the fields that are restored; null for one that there was not.
  public var edit: JSONObject
  public var base: JSONObject
  /// Fields that differ and cannot be edited here, or of which the value is not known any more.
  public var leftOut: [String]
  /// The record as it is stored; `nil` if it was removed.
  public var current: [UInt8]?
  /// Whether the values were stored before, so that they are not checked.
  public var wasStored = true
  /// Whether a person comes back also beside an equal one, because both were there.
  public var isDistinct = false

  public init(
    _ collection: CollectionName, _ id: String, _ kind: OutboxEntry.Kind, _ edit: JSONObject, over base: JSONObject,
    leftOut: [String], current: [UInt8]?
  ) {
    (self.collection, self.id, self.kind, self.edit) = (collection, id, kind, edit)
    (self.base, self.leftOut, self.current) = (base, leftOut, current)
  }

  /// The printed form: `fields` are the values that the record gets back, `base` those that it has.
  public var fields: JSONObject {
    [
      "collection": .string(collection.rawValue), "id": .string(id), "kind": .string(kind.rawValue),
      "fields": .object(edit), "base": .object(base), "leftOut": .array(leftOut.map { .string($0) }),
    ]
  }
}

public struct FileChanges: Hashable, Sendable {
  public struct Conflict: Hashable, Sendable {
    @ExactString public var id: String
    public var field: String
    /// The value when the file was made.
    public var base: JSONValue?
    public var file: JSONValue?
    /// The value in the store; `nil` also if the record was removed there.
    public var stored: JSONValue?

    public init(_ id: String, _ field: String, base: JSONValue?, file: JSONValue?, stored: JSONValue?) {
      (self.id, self.field, self.base, self.file, self.stored) = (id, field, base, file, stored)
    }

    /// The printed form: `{"id", "field", "base"?, "file"?, "stored"?}`.
    public var fields: JSONObject {
      ["id": .string(id), "field": .string(field), "base": base, "file": file, "stored": stored]
    }
  }

  /// The commit that the file was made of.
  public var base: UInt64
  /// The edits that take the changes over. One without fields cannot be taken over; `leftOut` says what it lacks.
  public var edits: [Restoration] = []
  public var conflicts: [Conflict] = []
  /// The records that have no line in the file any more, and are stored.
  public var missing: [ExactString] = []
  /// The number of lines of which nothing has to be taken over.
  public var unchanged = 0

  public init(base: UInt64) { self.base = base }
}

extension HistoryService {
  /// The last change of a record; `nil` where none is kept, or the store cannot be read.
  public func last(of collection: CollectionName, _ id: String) -> HistoryEntry? {
    var last: HistoryEntry?
    try? changes(HistoryQuery([collection], record: id, limit: 1)) { entry in
      last = entry
      return .stop
    }
    return last
  }
}
