public import Models
public import Ports

/// The stored state of one follow, in `state` under `follow/PATH`.
struct FollowState: Sendable, Equatable {
  var follow: String
  /// The limit and the options of the last pull, to which `cursor` belongs; `nil` where an earlier version stored a whole
  /// pull.
  var parameters: String?
  /// What the source's answers were read with.
  var fingerprint: String?
  /// The page at which an unfinished pull continues.
  var cursor: JSONObject?
  var sourceState: JSONObject = [:]
  var lastTry: Timestamp?
  var lastSuccess: Timestamp?
  /// The number of records that the last or the unfinished pull rejected, including those that were not stored.
  var rejected = 0
  var failures = 0
  /// What the wait after them counts from, where a person asked for later attempts; `nil` for the last attempt.
  var waitsSince: Timestamp?
  /// When the first of them began; `nil` where an earlier version stored it.
  var failingSince: Timestamp?
  var error: Failure?
  /// Whether the follow of a store on a server was ended, and no program has pulled it since.
  var isEnded = false
  /// The digest of the answers of which the stored list was made, if all of them are kept.
  var answeredList: String?
  /// When an answer was last kept whose records had not changed.
  var answersKept: Timestamp?
  /// The pause that the last pull met, where `error` is an earlier one of the follow's own.
  var pause: Failure?

  static func key(_ path: String) -> StateKey { .init(.follow, path) }

  /// The limit and the options of a follow. If they change, the pages of the server are different and the cursor is not
  /// valid.
  static func parameters(of follow: Follow) -> String {
    let options = follow.options.members.sorted { $0.key.exact < $1.key.exact }.map { " \($0.key)=\($0.value.text)" }
    return "limit=\(follow.limit.map(String.init) ?? "")\(options.joined())"
  }

  /// Converts parameters of an earlier version, which wrote ` genre=` and ` feed=` even if they were empty.
  static func parameters(kept: String?) -> String? {
    guard var text = kept?.replacing(" genre=", with: "", maxReplacements: 1) else { return nil }
    if text.hasSuffix(" feed=") { text.removeLast(6) }
    return text
  }

  init(follow: String) { self.follow = follow }

  /// Reads the state of a follow; empty if it was never pulled.
  init(follow: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    self.init(follow: follow)
    guard let fields = try reader.state(Self.key(follow), coder) else { return }
    parameters = Self.parameters(kept: fields["parameters"]?.string)
    fingerprint = fields["fingerprint"]?.string
    cursor = fields["cursor"]?.object
    sourceState = fields["memory"]?.object ?? [:]
    lastTry = fields["lastTry"]?.timestamp
    lastSuccess = fields["lastSuccess"]?.timestamp
    rejected = fields["rejected"]?.count ?? 0
    failures = fields["failures"]?.count ?? 0
    waitsSince = fields["waitsSince"]?.timestamp
    failingSince = fields["failingSince"]?.timestamp
    error = fields["error"]?.object.flatMap { Failure(stored: $0) }
    pause = fields["pause"]?.object.flatMap { Failure(stored: $0) }
    isEnded = fields["ended"]?.bool ?? false
    answeredList = fields["answeredList"]?.string
    answersKept = fields["answersKept"]?.timestamp
  }

  var fields: JSONObject {
    [
      "follow": .of(follow), "parameters": .of(parameters), "fingerprint": .of(fingerprint),
      "cursor": .of(cursor.map { .object($0) }), "memory": .of(sourceState.isEmpty ? nil : .object(sourceState)),
      "lastTry": .of(lastTry?.description), "lastSuccess": .of(lastSuccess?.description),
      "rejected": .of(rejected == 0 ? nil : rejected), "failures": .of(failures == 0 ? nil : failures),
      "waitsSince": .of(waitsSince?.description), "failingSince": .of(failingSince?.description),
      "error": .of(error.map { .object($0.storedFields) }),
      "pause": .of(pause.map { .object($0.storedFields) }), "ended": .of(isEnded ? true : nil),
      "answeredList": .of(answeredList), "answersKept": .of(answersKept?.description),
    ]
  }

  /// The paths of the follows that were ended, and not pulled since.
  static func ended(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) -> Set<ExactString> {
    Set(try reader.states(.follow, coder) { key, fields in fields["ended"]?.bool == true ? key.$name : nil })
  }

  static func change(
    _ path: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder,
    _ body: (inout FollowState) -> Void
  ) throws(StoreError) {
    guard try transaction.hasState(key(path)) else { return }
    var state = try FollowState(follow: path, in: transaction, coder)
    body(&state)
    try state.put(in: &transaction, coder)
  }

  /// Takes over the digest of the stored list, which another program may have changed since the pull began.
  mutating func takeAnsweredList(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    answeredList = try FollowState(follow: follow, in: reader, coder).answeredList
  }

  /// Whether the stored state differs only in the times of the last attempt and the last success.
  func hasOnlyNewTimes(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) -> Bool {
    var kept = try FollowState(follow: follow, in: reader, coder)
    guard kept.lastSuccess != nil else { return false }
    kept.lastTry = lastTry
    kept.lastSuccess = lastSuccess
    return kept.fields == fields
  }

  mutating func succeed(at now: Timestamp) {
    lastSuccess = now
    failures = 0
    (failingSince, waitsSince) = (nil, nil)
    (error, pause) = (nil, nil)
  }

  /// Notes the failure of a pull. A pause is not a failure of the follow: nothing was asked, and an earlier error of its
  /// own is kept beside it.
  ///
  /// - Parameter isAsked: whether a person asked for it. Then the wait after earlier failures goes on, and grows no longer.
  mutating func fail(_ failure: Failure, begun: Timestamp, isAsked: Bool) {
    let before = lastTry
    lastTry = begun
    guard !failure.isPause else {
      if error == nil || error?.isPause == true { error = failure } else { pause = failure }
      return
    }
    pause = nil
    if failures == 0 { failingSince = begun }
    if isAsked, failures > 0 {
      waitsSince = waitsSince ?? before
    } else {
      (failures, waitsSince) = (failures + 1, nil)
    }
    error = failure
  }

  /// Whether the limit or an option of the follow is not what it was in the last pull.
  func isChanged(_ follow: Follow) -> Bool { parameters.map { $0.exact != Self.parameters(of: follow).exact } ?? false }

  /// When the pause ends that the server asked for in the last pull, so that nothing is asked before; `nil` where there is
  /// none. A time of the future counts as none: a clock that was wrong recorded it.
  func askedToWait(until now: Timestamp) -> Timestamp? {
    guard pause == nil, let error, !error.isPause, let lastTry, lastTry <= now else { return nil }
    return error.pauseEnd(since: lastTry, now: now)
  }

  /// When a daemon syncs the follow next, at the latest; now where it was never tried.
  func next(_ follow: Follow, now: Timestamp) -> Timestamp {
    if isChanged(follow) { return now }
    if let pause = pause ?? error, pause.isPause, let lastTry {
      return min(lastTry, now) + Follow.wait(afterPause: pause.retryAfter)
    }
    guard let ended = failures > 0 ? lastTry : lastSuccess ?? lastTry else { return now }
    let next = min(ended, now) + follow.wait(afterFailures: failures, retryAfter: error?.retryAfter)
    guard failures > 0, let waitsSince else { return next }
    let pause = min(ended, now) + min(86_400, error?.retryAfter ?? 0)
    return min(next, max(pause, min(waitsSince, now) + follow.wait(afterFailures: failures)))
  }

  /// Stores the times of several unchanged pulls in one commit. If another process pulled the same follow, the later
  /// times are kept, unless they are in the future and therefore from a wrong clock.
  static func keepTimes(
    _ states: [FollowState], at now: Timestamp, in store: any RecordStore, _ coder: any RecordCoder
  ) async throws(StoreError) {
    guard !states.isEmpty else { return }
    _ = try await store.write { (transaction) throws(StoreError) in
      for state in states {
        var kept = try FollowState(follow: state.follow, in: transaction, coder)
        if let time = state.lastTry { kept.lastTry = later(kept.lastTry, time, now) }
        if let time = state.lastSuccess { kept.lastSuccess = later(kept.lastSuccess, time, now) }
        try kept.put(in: &transaction, coder)
      }
    }
  }

  private static func later(_ kept: Timestamp?, _ time: Timestamp, _ now: Timestamp) -> Timestamp {
    kept.map { $0 <= now ? max($0, time) : time } ?? time
  }

  func put(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try transaction.setState(Self.key(follow), to: fields, coder)
  }
}

extension JSONValue {
  fileprivate var text: String {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    case .null, .array, .object: kind
    }
  }
}

extension SyncEngine {
  /// Makes the next pull of every follow read everything, after the store lost records: what a server says has not changed may
  /// be among them.
  public static func readAgain(in store: any RecordStore, _ coder: any RecordCoder) async throws(Failure) {
    try await store.commit { (transaction) throws(StoreError) in
      for path in try transaction.states(.follow, coder, { key, _ in key.$name }) {
        try FollowState.change(path.text, in: &transaction, coder) {
          ($0.cursor, $0.sourceState, $0.answeredList, $0.lastSuccess) = (nil, [:], nil, nil)
        }
      }
    }
  }
}
