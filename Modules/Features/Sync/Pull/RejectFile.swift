import Models
import Ports

/// Stores the rejected records of one follow, each once and at most `RejectedRecords.limit` of them.
struct RejectFile {
  /// The follow's path.
  let follow: String
  /// The stored rejects that this pull met.
  private(set) var seen: Set<ExactString> = []
  /// Whether the pull met rejects that are not stored.
  private var isCut = false
  /// How many were stored by an earlier part of this pull; `nil` until they are counted.
  private var earlier: Int?

  init(follow: String) { self.follow = follow }

  /// How many of this pull's rejects are stored; `nil` where all are.
  var keptCount: Int? { isCut ? seen.count : nil }

  /// What the ids of a follow's rejects begin with.
  private var prefix: String { "\(follow):" }

  /// The id of a reject: the follow, and a hash of place and content.
  private func id(_ reject: RejectedRecord) -> String {
    var hash = StableHash()
    hash.combine(reject.path)
    hash.combine(reject.raw)
    return prefix + hash.hex
  }

  /// Stores the rejects of a page that are not stored yet, up to the limit.
  ///
  /// - Parameter isWhole: whether the pull began with the first page. What is stored already is of an earlier pull then,
  ///   and is dropped at the end.
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func put(
    _ rejects: RejectedRecords, url: String, isWhole: Bool, at now: Timestamp,
    in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard !rejects.isEmpty else { return }
    var others = 0
    if let earlier { others = earlier } else if !isWhole { others = try ids(in: transaction, coder).count }
    defer { earlier = others }
    if rejects.total > rejects.kept.count { isCut = true }
    for rejected in rejects.kept {
      let id = id(rejected)
      if seen.contains(id.exact) { continue }
      let isKept = try transaction.record(.rejects, id) != nil
      if isKept, others > 0 { others -= 1 }
      guard isKept || seen.count + others < RejectedRecords.limit else {
        isCut = true
        continue
      }
      seen.insert(id.exact)
      if isKept { continue }
      let reject = Reject(
        id: id, follow: follow, url: url, index: rejected.index, path: rejected.path, expected: rejected.expected,
        found: rejected.found, raw: rejected.raw, at: now)
      try transaction.put(coder.encode(reject.fields), id: id, in: .rejects)
    }
  }

  /// Drops the follow's rejects that a whole pull did not meet.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  func dropUnseen(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    guard try transaction.count(.rejects) > 0 else { return }
    for id in try ids(in: transaction, coder) where !seen.contains(id.exact) { try transaction.delete(.rejects, id) }
  }

  /// The ids of the follow's stored rejects.
  private func ids(in transaction: any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) -> [String] {
    var ids: [String] = []
    try transaction.eachFields(.rejects, ScanRange(prefix: prefix), coder) {
      (fields: JSONObject) throws(StoreError) -> ScanStep in
      if let id = fields["id"]?.string { ids.append(id) }
      return .next
    }
    return ids
  }
}
