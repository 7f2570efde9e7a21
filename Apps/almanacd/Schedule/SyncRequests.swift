import Models
import Ports

/// Runs and fetches of pictures that were asked for at a daemon that does not lead. The store has them until the one that
/// leads has taken them.
struct SyncRequests: Sendable {
  static let most = RunQueue.most
  private static let prefix = "requests/"
  private static let pictures = "pictures/request"

  struct Request: Sendable {
    let run: String
    let paths: [String]
    let at: Timestamp

    var fields: JSONObject { RunQueue.Run(id: run, follows: [], startedAt: at).fields }
  }

  let store: any RecordStore
  let coder: any RecordCoder

  /// Keeps a request; `false` where too many wait.
  func add(_ follows: [Follow], run: String, at now: Timestamp) async throws(StoreError) -> Bool {
    let id = Self.prefix + run
    let fields: JSONObject = [
      "id": .string(id), "follows": .array(follows.map { .string($0.path) }), "at": .string(now.description),
    ]
    let bytes = coder.encode(fields)
    return try await store.write { (transaction) throws(StoreError) -> Bool in
      guard try requests(in: transaction).count < Self.most else { return false }
      try transaction.put(bytes, id: id, in: .state)
      return true
    }.value
  }

  /// Every request, the oldest first.
  func all() throws(StoreError) -> [Request] { try requests(in: store.snapshot()) }

  /// The request of a run; `nil` where there is none.
  func request(_ run: String) throws(StoreError) -> Request? {
    guard run.utf8.count <= 100 else { return nil }
    return try store.snapshot().object(.state, Self.prefix + run, coder).flatMap(Self.request)
  }

  func remove(_ runs: [String]) async throws(StoreError) {
    _ = try await store.write { (transaction) throws(StoreError) in
      for run in runs { try transaction.delete(.state, Self.prefix + run) }
    }
  }

  /// Keeps the wish for a fetch of pictures.
  func addPictures(at now: Timestamp) async throws(StoreError) {
    let fields: JSONObject = ["id": .string(Self.pictures), "at": .string(now.description)]
    let bytes = coder.encode(fields)
    _ = try await store.write { (transaction) throws(StoreError) -> Void in
      guard try transaction.record(.state, Self.pictures) == nil else { return }
      try transaction.put(bytes, id: Self.pictures, in: .state)
    }
  }

  /// Whether a fetch of pictures is wished for.
  var wantsPictures: Bool {
    get throws(StoreError) { try store.snapshot().record(.state, Self.pictures) != nil }
  }

  /// Removes that wish.
  func removePictures() async throws(StoreError) {
    _ = try await store.write { (transaction) throws(StoreError) in try transaction.delete(.state, Self.pictures) }
  }

  private func requests(in reader: some RecordReader) throws(StoreError) -> [Request] {
    var found: [Request] = []
    try reader.scan(.state, ScanRange(prefix: Self.prefix)) { (record: RawSpan) throws(StoreError) -> ScanStep in
      if let request = Self.request(try coder.object(record, of: .state)) { found.append(request) }
      return .next
    }
    return found
  }

  private static func request(_ fields: JSONObject) -> Request? {
    guard let id = fields["id"]?.string, let at = fields["at"]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
      return nil
    }
    return Request(
      run: String(id.dropFirst(prefix.count)), paths: (fields["follows"]?.array ?? []).compactMap(\.string), at: at)
  }
}
