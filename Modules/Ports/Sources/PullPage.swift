public import Models

public struct PullContext: Sendable {
  /// Sends requests and counts them for the report.
  public var transport: any HTTPTransport
  /// Sends a request that the next page will most likely make while this one is read. The next page makes the same request, and
  /// gets its answer. Does nothing by default.
  public var expect: @Sendable (HTTPRequest) -> Void = { _ in }
  /// The state of the store before the page.
  public var snapshot: any StoreSnapshot
  /// The `PullPage.next` of the previous page; `nil` for the first page.
  public var cursor: JSONObject?
  /// The cursor of an interrupted pull that does not go on, because the limit or an option of the follow was changed, or
  /// because it failed. The first page of the pull that begins again gets it.
  public var abandoned: JSONObject?
  /// Data that the source keeps with this follow, such as validators; empty at first and after `--full`.
  public var sourceState: JSONObject
  public var now: Timestamp
  /// The id of the run, shared by all follows of a sync.
  public var run: String
  /// The maximum number of concurrent follow-up requests (`--owner-jobs`), at least 1.
  public var jobs: Int
  /// The state of the store when it is called. A response can contain a new record that was sent after `snapshot`; this state,
  /// asked for after the response, has the local record that it is.
  public var latest: @Sendable () throws(StoreError) -> any StoreSnapshot
  /// Whether the pull is a plan, in which a source that writes at its remote only says what it would write.
  public var isPlan = false
  /// Whether a source that writes at its remote also removes most records at once, and replaces what others changed.
  public var isForced = false
  /// Whether everything is asked for again, also what the store has: with `--full`, and after a change of the definition.
  public var isFull = false
  /// What is known of an answer, by its request and its body, if an earlier pull read the same bytes and the store has each of
  /// their records as that left it. The source need not read it then: the page has the answer, `isKnown` and no changes, and its
  /// list no records. `nil` by default.
  public var known: @Sendable (_ request: String, _ body: [UInt8]) throws(StoreError) -> KnownAnswer? = {
    (_, _) throws(StoreError) in nil
  }

  public init(
    transport: any HTTPTransport, snapshot: any StoreSnapshot, cursor: JSONObject? = nil, sourceState: JSONObject = [:],
    now: Timestamp, run: String, jobs: Int = 1, latest: (@Sendable () throws(StoreError) -> any StoreSnapshot)? = nil
  ) {
    (self.transport, self.snapshot, self.cursor, self.sourceState) = (transport, snapshot, cursor, sourceState)
    (self.now, self.run, self.jobs) = (now, run, jobs)
    self.latest = latest ?? { snapshot }
  }
}

/// One page of a pull, which is committed atomically together with the cursor and the state.
public struct PullPage: Sendable {
  /// The pulled changes, in order. Of two records with the same id and other fields, both with the rule `replace`, the
  /// engine rejects the second one.
  public var changes: [PulledChange]
  /// Whether a record may come several times with other fields, of which the last ones count: in a log of changes, or
  /// where the page combines several responses.
  public var repeatsRecords = false
  public var rejects: RejectedRecords
  /// The URL of the response, without secrets.
  public var url: String
  public var next: JSONObject?
  /// The data to keep with this follow; `nil` to keep the previous data.
  public var sourceState: JSONObject?
  /// Whether the pull is a success even if all of its records are rejected: the others are good, and the rejected ones are
  /// asked for again.
  public var toleratesRejects = false
  /// The answer of which the page was made, if it was made of one, and its list has the same records as its changes.
  public var answer: KnownAnswer?
  /// Whether the answer was known, and not read.
  public var isKnown = false
  /// What the page says about the list that the follow asks for.
  public var coverage = PullCoverage.unknown
  /// Whether `coverage` accounts for the rejects: it names each one that is a record of the list, or doubts the list. Where it
  /// does not, any of them may be any record, and nothing is removed because the list lacks it.
  public var countsRejects = false
  /// The data to keep in place of `sourceState` if the engine finds that the whole list was read, such as the time of that.
  public var judgedSourceState: JSONObject?
  /// The URLs of requests that were rejects of an earlier pull and have an answer now.
  public var answered: [String] = []
  /// What became of edits that the remote accepted before; of a source that confirms edits.
  public var acceptedEdits: [AcceptedEdits.Outcome] = []
  public var progress: Progress?
  /// What the user should know of this page, such as a part of the list that is out of reach.
  public var warnings: [String] = []
  /// Remarks for the author of a definition: fields that no record has, and why the list ended.
  public var notes: [String] = []
  /// What the source wrote at its remote; `nil` for a source that only reads.
  public var publication: Publication?

  public init(
    changes: [PulledChange] = [], rejects: RejectedRecords = [], url: String, next: JSONObject? = nil,
    sourceState: JSONObject? = nil, progress: Progress? = nil
  ) {
    (self.changes, self.rejects, self.url) = (changes, rejects, url)
    (self.next, self.sourceState, self.progress) = (next, sourceState, progress)
  }

  /// - Parameter changes: local changes, such as the time of the last check.
  public static func notModified(url: String, changes: [PulledChange] = []) -> PullPage {
    var page = PullPage(changes: changes, url: url)
    page.coverage = .unchanged
    return page
  }

  /// What a source wrote at its remote, or in a plan would write.
  public struct Publication: Hashable, Sendable {
    public var counts = SyncCounts()
    public var planned: [PlannedRequest] = []
    public var warnings: [Advice] = []

    public init() {}
  }

  public struct Progress: Hashable, Sendable {
    /// The number of records so far, including this page.
    public var done: Int
    public var total: Int?

    public init(done: Int, total: Int? = nil) { (self.done, self.total) = (done, total) }
  }
}

public struct PulledChange: Hashable, Sendable {
  /// How the pulled record is combined with the stored one.
  public enum Rule: Sendable {
    case replace
    /// Fields that are missing in the pulled record keep their stored values.
    case merge
    /// It replaces the stored record and counts as unchanged, because only metadata differs.
    case updateMetadata
    /// It is written only if no record with this id is stored.
    case insert
    /// The remote said that the record is gone, as in an answer with what changed since a point.
    case remove
  }

  public var collection: CollectionName
  @ExactString public var id: String
  /// The record; empty for a removal. The engine writes the id as text at its beginning, so that `fields["id"]` may be at
  /// any place, missing, or a number with the same digits. Another id fails the pull. Members may be null; sources leave
  /// out what the remote does not have.
  public var fields: JSONObject
  public var rule: Rule
  /// The remote's copy to store, for records that can be edited; `nil` to keep the previous copy.
  public var base: JSONObject?
  /// The data to keep with the copy, such as an entity tag; `nil` to keep the previous data.
  public var sourceState: JSONObject?

  public init(_ record: some Record, _ rule: Rule = .replace, base: JSONObject? = nil, sourceState: JSONObject? = nil) {
    self.init(
      collection: type(of: record).collection, id: record.id, fields: record.fields, rule, base: base,
      sourceState: sourceState)
  }

  public init(
    collection: CollectionName, id: String, fields: JSONObject, _ rule: Rule, base: JSONObject? = nil,
    sourceState: JSONObject? = nil
  ) {
    (self.collection, self.id, self.fields) = (collection, id, fields)
    (self.rule, self.base, self.sourceState) = (rule, base, sourceState)
  }
}
