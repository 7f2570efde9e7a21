public import Models

/// What a source needs to pull one page.
public struct PullContext: Sendable {
  /// Sends requests; counts them for the report.
  public var transport: any HTTPTransport
  /// The state of the store before the page, to look up what is known.
  public var snapshot: any StoreSnapshot
  /// `PullPage.next` of the page before; `nil` for the first page.
  public var cursor: JSONObject?
  /// What the source remembers of this follow, validators for instance; empty at first and after `--full`.
  public var memory: JSONObject
  /// The time of this sync.
  public var now: Timestamp
  /// The run's id, which several follows share.
  public var run: String
  /// How many follow-up requests may run side by side (`--owner-jobs`), at least 1.
  public var jobs: Int

  /// Makes a context.
  public init(
    transport: any HTTPTransport, snapshot: any StoreSnapshot, cursor: JSONObject? = nil, memory: JSONObject = [:],
    now: Timestamp, run: String, jobs: Int = 1
  ) {
    self.transport = transport
    self.snapshot = snapshot
    self.cursor = cursor
    self.memory = memory
    self.now = now
    self.run = run
    self.jobs = jobs
  }
}

/// One page of a pull. It is committed whole, with the cursor and the memory, or not at all.
public struct PullPage: Sendable {
  /// The pulled records, in order.
  public var changes: [PulledChange]
  /// The records that the parser rejected.
  public var rejects: RejectedRecords
  /// The address of the answer, without secrets.
  public var url: String
  /// Where to go on; `nil` at the end.
  public var next: JSONObject?
  /// What to remember of this follow; `nil` leaves it as it is.
  public var memory: JSONObject?
  /// A complete list: records of this collection that came from this follow before and are not in it were removed.
  public var listing: Listing?
  /// How far the pull has come; `nil` where the source does not count.
  public var progress: Progress?
  /// Whether the remote said that nothing changed since `PullContext.memory` was kept (304, RFC 9110 section 15.4.5).
  /// What is known of rejected records and of the answer's shape stays as it is then.
  public var isNotModified: Bool

  /// Makes a page.
  public init(
    changes: [PulledChange] = [], rejects: RejectedRecords = [], url: String, next: JSONObject? = nil,
    memory: JSONObject? = nil, listing: Listing? = nil, progress: Progress? = nil
  ) {
    self.changes = changes
    self.rejects = rejects
    self.url = url
    self.next = next
    self.memory = memory
    self.listing = listing
    self.progress = progress
    isNotModified = false
  }

  /// The page of a remote that has nothing new.
  ///
  /// - Parameter changes: what changes here all the same, the time of the last look for instance.
  public static func notModified(url: String, changes: [PulledChange] = []) -> PullPage {
    var page = PullPage(changes: changes, url: url)
    page.isNotModified = true
    return page
  }

  /// How far a pull has come.
  public struct Progress: Hashable, Sendable {
    /// Records pulled so far, those of this page included.
    public var done: Int
    /// Records in all; `nil` where the remote does not say.
    public var total: Int?

    /// Makes a progress.
    public init(done: Int, total: Int? = nil) {
      self.done = done
      self.total = total
    }
  }

  /// A complete list of what a remote holds.
  public struct Listing: Hashable, Sendable {
    /// The collection.
    public var collection: CollectionName
    /// The ids that the remote had when this follow was last pulled completely.
    public var before: [ExactString]
    /// The ids that it has now.
    public var now: [ExactString]

    /// Makes a listing.
    public init(collection: CollectionName, before: [String], now: [String]) {
      self.collection = collection
      self.before = before.map(\.exact)
      self.now = now.map(\.exact)
    }
  }
}

/// One record that a pull brought.
public struct PulledChange: Hashable, Sendable {
  /// How the pulled record is combined with the stored one.
  public enum Rule: Sendable {
    /// It replaces the stored record.
    case replace
    /// Fields that it leaves out keep their stored values.
    case merge
    /// It replaces the stored record and counts as unchanged, because only bookkeeping differs.
    case updateMetadata
    /// It is written only where no record with this id is stored.
    case insert
    /// The stored record is removed.
    case remove
  }

  /// The collection.
  public var collection: CollectionName
  /// The record's id.
  @ExactString public var id: String
  /// The record; empty for a removal.
  public var fields: JSONObject
  /// How it is combined with the stored record.
  public var rule: Rule
  /// What to keep as the remote's copy of the record, for records that can be edited; `nil` leaves it as it is.
  public var base: JSONObject?
  /// What to remember of the copy, an entity tag for instance; `nil` leaves it as it is.
  public var memory: JSONObject?

  /// Makes a change of a record.
  public init(_ record: some Record, _ rule: Rule = .replace, base: JSONObject? = nil, memory: JSONObject? = nil) {
    self.init(
      collection: type(of: record).collection, id: record.id, fields: record.fields, rule, base: base, memory: memory)
  }

  /// Makes a change of any record.
  public init(
    collection: CollectionName, id: String, fields: JSONObject, _ rule: Rule, base: JSONObject? = nil,
    memory: JSONObject? = nil
  ) {
    self.collection = collection
    self.id = id
    self.fields = fields
    self.rule = rule
    self.base = base
    self.memory = memory
  }
}
