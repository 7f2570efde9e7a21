import Models
import Ports

/// Runs and fetches of pictures that were asked for at a daemon that does not lead. The store has them until the one that
/// leads has taken them.
struct SyncRequests: Sendable {
  static let most = RunQueue.most
  private static let pictures = StateKey(.pictures, "request")

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
    let fields: JSONObject = ["follows": .array(follows.map { .string($0.path) }), "at": .string(now.description)]
    return try await store.write { (transaction) throws(StoreError) -> Bool in
      guard try requests(in: transaction).count < Self.most else { return false }
      try transaction.setState(StateKey(.requests, run), to: fields, coder)
      return true
    }.value
  }

  /// Every request, the oldest first.
  func all() throws(StoreError) -> [Request] { try requests(in: store.snapshot()) }

  func request(_ run: String) throws(StoreError) -> Request? {
    guard run.utf8.count <= 100 else { return nil }
    return try store.snapshot().state(StateKey(.requests, run), coder).flatMap { Self.request(run, $0) }
  }

  func remove(_ runs: [String]) async throws(StoreError) {
    _ = try await store.write { (transaction) throws(StoreError) in
      for run in runs { try transaction.clearState(StateKey(.requests, run)) }
    }
  }

  /// Keeps the wish for a fetch of pictures.
  func addPictures(at now: Timestamp) async throws(StoreError) {
    _ = try await store.write { (transaction) throws(StoreError) -> Void in
      guard try !transaction.hasState(Self.pictures) else { return }
      try transaction.setState(Self.pictures, to: ["at": .string(now.description)], coder)
    }
  }

  /// Whether a fetch of pictures is wished for.
  var wantsPictures: Bool {
    get throws(StoreError) { try store.snapshot().hasState(Self.pictures) }
  }

  func removePictures() async throws(StoreError) {
    _ = try await store.write { (transaction) throws(StoreError) in try transaction.clearState(Self.pictures) }
  }

  private func requests(in reader: some RecordReader) throws(StoreError) -> [Request] {
    try reader.states(.requests, coder) { key, fields in Self.request(key.name, fields) }
  }

  private static func request(_ run: String, _ fields: JSONObject) -> Request? {
    guard let at = fields["at"]?.timestamp else { return nil }
    return Request(run: run, paths: (fields["follows"]?.array ?? []).compactMap(\.string), at: at)
  }
}
