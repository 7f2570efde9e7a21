import Models
import Ports

/// What is remembered of one follow: kept in `state` under `follow/PATH`.
struct FollowState: Sendable, Equatable {
  /// The follow's path.
  var follow: String
  /// Limit and options of the pull that `cursor` belongs to.
  var parameters: String?
  /// The page at which an unfinished pull goes on.
  var cursor: JSONObject?
  /// What the source remembers.
  var memory: JSONObject = [:]
  /// When the last pull began.
  var lastTry: Timestamp?
  /// When the last success ended.
  var lastSuccess: Timestamp?
  /// How many records of the last pull, or of the unfinished one, were rejected, those included that are not kept.
  var rejected = 0
  /// How many pulls failed since then.
  var failures = 0
  /// Why the last pull failed.
  var error: Failure?

  /// The key of a follow's state in the store.
  static func id(_ path: String) -> String { "follow/\(path)" }

  /// What a follow asks for beside its path. With another limit or option the server's pages are others, so a cursor
  /// leads nowhere.
  static func parameters(of follow: Follow) -> String {
    let options = follow.options.members.sorted { $0.key.exact < $1.key.exact }.map { " \($0.key)=\($0.value.text)" }
    return "limit=\(follow.limit.map(String.init) ?? "")\(options.joined())"
  }

  /// The parameters as this version writes them: an earlier one wrote ` genre=` and ` feed=` also where they were empty.
  static func parameters(kept: String?) -> String? {
    guard var text = kept?.replacing(" genre=", with: "", maxReplacements: 1) else { return nil }
    if text.hasSuffix(" feed=") { text.removeLast(6) }
    return text
  }

  /// Nothing remembered.
  init(follow: String) { self.follow = follow }

  /// What is remembered of the follow; nothing where it was never pulled.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  init(follow: String, in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    self.init(follow: follow)
    guard let fields = try reader.fields(.state, Self.id(follow), coder) else { return }
    parameters = Self.parameters(kept: fields["parameters"]?.string)
    cursor = fields["cursor"]?.object
    memory = fields["memory"]?.object ?? [:]
    lastTry = fields["lastTry"]?.string.flatMap { Timestamp(rfc3339: $0) }
    lastSuccess = fields["lastSuccess"]?.string.flatMap { Timestamp(rfc3339: $0) }
    rejected = fields["rejected"]?.int ?? 0
    failures = fields["failures"]?.int ?? 0
    error = fields["error"]?.object.flatMap { Failure(stored: $0) }
  }

  /// The state as it is stored.
  var fields: JSONObject {
    var fields = JSONObject()
    fields.append("id", Self.id(follow))
    fields.append("follow", follow)
    fields.append("parameters", cursor == nil ? nil : parameters)
    fields.append("cursor", cursor.map { .object($0) })
    fields.append("memory", memory.isEmpty ? nil : .object(memory))
    fields.append("lastTry", lastTry?.description)
    fields.append("lastSuccess", lastSuccess?.description)
    fields.append("rejected", rejected == 0 ? nil : rejected)
    fields.append("failures", failures == 0 ? nil : failures)
    fields.append("error", error.map { .object($0.storedFields) })
    return fields
  }

  /// Whether the stored state differs only in the times of the last try and the last success.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func hasOnlyNewTimes(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) -> Bool {
    var kept = try FollowState(follow: follow, in: reader, coder)
    guard kept.lastSuccess != nil else { return false }
    kept.lastTry = lastTry
    kept.lastSuccess = lastSuccess
    return kept.fields == fields
  }

  /// Stores the times of several pulls that changed nothing else, in one commit. Where another process pulled the same
  /// follow meanwhile, the later times stay, unless they are in the future, which shows that a clock was wrong.
  ///
  /// - Throws: `StoreError` where they cannot be written.
  static func keepTimes(
    _ states: [FollowState], at now: Timestamp, in store: any RecordStore, _ coder: any RecordCoder
  ) async throws(StoreError) {
    guard !states.isEmpty else { return }
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      for state in states {
        var kept = try FollowState(follow: state.follow, in: transaction, coder)
        if let time = state.lastTry { kept.lastTry = later(kept.lastTry, time, now) }
        if let time = state.lastSuccess { kept.lastSuccess = later(kept.lastSuccess, time, now) }
        try kept.put(in: &transaction, coder)
      }
      return true
    }
  }

  private static func later(_ kept: Timestamp?, _ time: Timestamp, _ now: Timestamp) -> Timestamp {
    kept.map { $0 <= now ? max($0, time) : time } ?? time
  }

  /// Stores the state.
  ///
  /// - Throws: `StoreError` where it cannot be written.
  func put(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    try transaction.put(coder.encode(fields), id: Self.id(follow), in: .state)
  }
}

extension JSONValue {
  /// A value of an option in one word.
  fileprivate var text: String {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): String(value)
    case .null, .array, .object: kind
    }
  }
}

extension Failure {
  /// The failure as it is stored: what is printed, and the reason.
  var storedFields: JSONObject {
    var fields = fields
    fields.append("reason", reason.rawValue)
    return fields
  }

  /// A failure as it was stored; `nil` where the object is not one.
  init?(stored fields: JSONObject) {
    guard let kind = fields["kind"]?.string.flatMap(Kind.init), let message = fields["message"]?.string else {
      return nil
    }
    self.init(
      kind, fields["reason"]?.string.flatMap(Reason.init) ?? .unavailable, message, hint: fields["hint"]?.string,
      url: fields["url"]?.string, code: fields["code"]?.string, path: fields["path"]?.string,
      retryable: fields["retryable"]?.bool ?? false, retryAfter: fields["retryAfter"]?.int)
  }
}
