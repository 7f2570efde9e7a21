import Models
import Ports

/// Keeps the records of one follow that a parser set aside, each once.
struct RejectFile {
  /// The follow's path.
  let follow: String
  /// The rejects that this pull met.
  private(set) var seen: Set<String> = []

  init(follow: String) { self.follow = follow }

  /// What the ids of a follow's rejects begin with.
  private var prefix: String { "\(follow):" }

  /// The id of a reject: the follow, and a hash of place and content.
  func id(_ reject: RejectedRecord) -> String {
    var hash = StableHash()
    hash.combine(reject.path)
    hash.combine(reject.raw)
    return prefix + hash.hex
  }

  /// Keeps the rejects of a page that are not kept yet.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func put(
    _ rejects: [RejectedRecord], url: String, at now: Timestamp, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) {
    for rejected in rejects {
      let id = id(rejected)
      seen.insert(id)
      guard try transaction.record(.rejects, id) == nil else { continue }
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
    var stale: [String] = []
    try transaction.eachFields(.rejects, ScanRange(prefix: prefix), coder) {
      (fields: JSONObject) throws(StoreError) -> ScanStep in
      if let id = fields["id"]?.string, !seen.contains(id) { stale.append(id) }
      return .next
    }
    for id in stale { try transaction.delete(.rejects, id) }
  }
}
