import Models
import Ports

/// Keeps the records of one follow that a parser set aside, each once, and no more than `RejectedRecords.limit`.
struct RejectFile {
  /// The follow's path.
  let follow: String
  /// The rejects that this pull met and that are kept.
  private(set) var seen: Set<ExactString> = []
  /// Whether the pull met rejects that are not kept.
  private var isCut = false
  /// How many are kept that an earlier part of this pull met; `nil` until they are counted.
  private var earlier: Int?

  init(follow: String) { self.follow = follow }

  /// How many of this pull's rejects are kept, where it is not all of them.
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

  /// Keeps the rejects of a page that are not kept yet, as long as there are fewer than the limit.
  ///
  /// - Parameter isWhole: whether the pull began with the first page; what is kept already is then of an earlier one,
  ///   and goes at the end.
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

  /// Drops the follow's rejects that a whole pull did not meet any more.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  func dropUnseen(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    guard try transaction.count(.rejects) > 0 else { return }
    for id in try ids(in: transaction, coder) where !seen.contains(id.exact) { try transaction.delete(.rejects, id) }
  }

  /// The ids of the follow's rejects that are kept.
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
