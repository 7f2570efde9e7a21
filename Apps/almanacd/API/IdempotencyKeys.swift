import Hummingbird
import Models
import Ports
import Synchronization

/// Gives a POST that is sent again with the same `Idempotency-Key` the answer of the first one
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// Answers are kept in the store for a day. Only success is kept: after a failure nothing was changed, and the request may
/// be tried again. A record that is added and the answer are one commit, so that a kill leaves both or none. The other
/// requests have no further effect when they are done again, as where the daemon is killed before their answer was kept.
final class IdempotencyKeys: Sendable {
  /// How long an answer is kept, in seconds.
  static let life = 86_400
  /// How many answers are kept; the oldest are forgotten.
  static let most = 1000

  private static let prefix = "idempotency/"
  /// The keys of requests that are being answered.
  private let busy = Mutex<Set<StateKey>>([])

  init() {}

  /// The answer that was kept, or that of `body`, which is kept then.
  ///
  /// - Parameter collection: where the request adds a record.
  ///
  /// - Throws: `Problem` with 400 for a key that cannot be one, with 409 while the first request is being answered, with 422
  ///   where the key was used for another request; what `body` throws.
  func answer(
    _ call: APIRequest, _ key: String, adding collection: CollectionName?,
    _ body: (APIRequest) async throws -> Response
  ) async throws -> Response {
    let text = key.hasPrefix("\"") && key.hasSuffix("\"") && key.count > 2 ? String(key.dropFirst().dropLast()) : key
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(
        .badRequest, "Idempotency-Key takes 1 to 255 printable ASCII characters without spaces", code: "bad-key")
    }
    let id = StateKey(.daemon, Self.prefix + SHA256.digest(text.utf8))
    let request = SHA256.digest(Array("\(call.request.method.rawValue) \(call.request.uri.string)\n".utf8) + call.body)
    guard busy.withLock({ $0.insert(id).inserted }) else {
      throw Problem(
        .conflict, "a request with this key is being answered", hint: "repeat it later", code: "in-progress",
        headers: [.retryAfter: "1"])
    }
    defer { busy.withLock { _ = $0.remove(id) } }
    if let kept = try kept(id, call) { return try Self.response(kept, to: request) }
    let at = call.services.time.now.description
    @Sendable func answer(_ status: Int, type: String?, location: String?, _ bytes: [UInt8]) -> JSONObject {
      [
        "request": .string(request), "at": .string(at), "status": .int(status), "type": .of(type),
        "location": .of(location), "body": .of(String(decoding: bytes, as: UTF8.self)),
      ]
    }
    var noted = call
    if let collection {
      let now = call.services.time.now
      noted.note = CommitNote(id, isInUse: { Self.lives($0, now) }) { added, record in
        answer(201, type: "application/json", location: API.location(collection, added), record)
      }
    }
    let response: Response
    do { response = try await body(noted) } catch {
      // Another daemon of the store may have answered a request with this key meanwhile.
      guard let kept = try? kept(id, call) else { throw error }
      return try Self.response(kept, to: request)
    }
    guard (200..<300).contains(response.status.code) else { return response }
    let bytes = ByteCollector()
    try await response.body.write(bytes)
    let fields = answer(
      Int(response.status.code), type: response.headers[.contentType], location: response.headers[.location],
      bytes.bytes)
    // Where the change brought the same answer, this commits nothing.
    try await keep(fields, id, call)
    return try Self.response(fields, to: request)
  }

  /// The answer that was kept for a key, while it lives.
  private func kept(_ id: StateKey, _ call: APIRequest) throws(Failure) -> JSONObject? {
    let (store, coder) = (call.services.store, call.services.coder)
    let fields = try Failure.from { () throws(StoreError) in try store.snapshot().state(id, coder) }
    return fields.flatMap { Self.lives($0, call.services.time.now) ? $0 : nil }
  }

  /// A time of the future was written under a clock that was wrong.
  static func lives(_ fields: JSONObject, _ now: Timestamp) -> Bool {
    fields["at"]?.timestamp.map { (0..<life).contains(now - $0) } ?? false
  }

  /// Keeps an answer, and removes the expired ones.
  private func keep(_ fields: JSONObject, _ id: StateKey, _ call: APIRequest) async throws(Failure) {
    let (coder, now) = (call.services.coder, call.services.time.now)
    do throws(StoreError) {
      _ = try await call.services.store.write { (transaction) throws(StoreError) in
        var known: [(at: String, id: StateKey)] = []
        var over: [StateKey] = []
        try transaction.eachState(.daemon, from: Self.prefix, coder) { other, fields in
          if Self.lives(fields, now) { known.append((fields["at"]?.string ?? "", other)) } else { over.append(other) }
          return .next
        }
        known.sort { $0.at < $1.at }
        over += known.dropLast(Self.most - 1).map(\.id)
        for other in over { try transaction.clearState(other) }
        try transaction.setState(id, to: fields, coder)
      }
    } catch {
      throw error.failure
    }
  }

  /// A kept answer.
  ///
  /// - Throws: `Problem` with 422 if it is the answer to another request.
  private static func response(_ fields: JSONObject, to request: String) throws(Problem) -> Response {
    guard fields["request"]?.string == request else {
      throw Problem(
        .unprocessableContent, "this Idempotency-Key was used for another request", hint: "use a new key",
        code: "key-reused")
    }
    var headers: HTTPFields = [:]
    headers[.location] = fields["location"]?.string
    let status = Status(code: fields["status"]?.int.flatMap { HTTPStatus($0).isFinal ? $0 : nil } ?? 200)
    let body = Array((fields["body"]?.string ?? "").utf8)
    guard let type = fields["type"]?.string else { return Response(status: status, headers: headers) }
    return Response(status, type: type, body, headers: headers)
  }
}

/// Takes the body of an answer that is not sent yet.
private final class ByteCollector: ResponseBodyWriter, Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func write(_ buffer: ByteBuffer) { state.withLock { $0 += buffer.readableBytesView } }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
