import Models
import Ports

/// Stores the rejected records of one follow, without duplicates and at most `RejectedRecords.limit` of them.
struct RejectFile {
  let follow: String
  /// The stored rejects that occurred in this pull.
  private(set) var seen: Set<ExactString> = []
  /// Whether some rejects of this pull were not stored.
  private var isCut = false
  /// The number of rejects from an earlier part of this pull; `nil` until they are counted.
  private var earlier: Int?

  init(follow: String) { self.follow = follow }

  /// The number of stored rejects of this pull; `nil` if all are stored.
  var keptCount: Int? { isCut ? seen.count : nil }

  private var prefix: String { "\(follow):" }

  /// The id of a reject: the follow and a hash of the place and the content.
  private func id(_ reject: RejectedRecord) -> String {
    var hash = StableHash()
    hash.combine(reject.path)
    hash.combine(reject.raw)
    return prefix + hash.hex
  }

  func record(_ rejected: RejectedRecord, url: String, at now: Timestamp) -> Reject {
    Reject(
      id: id(rejected), follow: follow, url: url, index: rejected.index, path: rejected.path,
      expected: rejected.expected, found: rejected.found, raw: rejected.raw, at: now)
  }

  /// Stores the new rejects of a page, up to the limit.
  ///
  /// - Parameter isWhole: whether the pull began at the first page. If so, rejects that are already stored are from an
  ///   earlier pull and are deleted at the end.
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
      try transaction.put(coder.encode(record(rejected, url: url, at: now).fields), id: id, in: .rejects)
    }
  }

  /// Deletes the rejects of requests that have an answer now.
  func drop(
    requests urls: [String], in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    for url in urls {
      let id = id(RejectedRecord(request: url, expected: "", found: ""))
      if !seen.contains(id.exact) { try transaction.delete(.rejects, id) }
    }
  }

  /// Deletes the follow's rejects that did not occur in a complete pull.
  func dropUnseen(in transaction: inout any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) {
    guard try transaction.count(.rejects) > 0 else { return }
    for id in try ids(in: transaction, coder) where !seen.contains(id.exact) { try transaction.delete(.rejects, id) }
  }

  private func ids(in transaction: any StoreTransaction, _ coder: any RecordCoder) throws(StoreError) -> [String] {
    var ids: [String] = []
    try transaction.eachObject(.rejects, ScanRange(prefix: prefix), coder) {
      (fields: JSONObject) throws(StoreError) -> ScanStep in
      if let id = fields["id"]?.string { ids.append(id) }
      return .next
    }
    return ids
  }
}
