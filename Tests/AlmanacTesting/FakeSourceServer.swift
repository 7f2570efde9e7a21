public import Models
public import Ports
import Synchronization

/// The server of `FakeSource`, in memory: it stores cards and notes, records requests, and fails as a test specifies.
public final class FakeSourceServer: HTTPTransport {
  public enum Fault: String, Sendable, CaseIterable {
    case none
    /// The connection fails, so nothing arrives.
    case unreachable
    /// The request is lost, which the client cannot detect.
    case lostRequest
    /// The request is processed, but the response is lost.
    case lostAnswer
    /// The server returns 500 and does not process the request.
    case failure
    /// The server returns 500 although it processed the request.
    case failureAfter
    /// The server returns 503 with `Retry-After`.
    case overloaded
  }

  public struct Seen: Hashable, Sendable {
    public var method: HTTPRequest.Method
    /// The path after the host, without the query.
    public var path: String
    /// The id of the entry that sent it, which is the idempotency key.
    public var entry: String?
    /// Whether the request changed anything.
    public var isDone: Bool
  }

  /// The records and the history of the server.
  public struct State: Sendable {
    /// The cards by id, each with `id` first.
    public var cards: [ExactString: JSONObject] = [:]
    /// The number of changes of each card, which is its entity tag.
    public var versions: [ExactString: Int] = [:]
    /// The notes in the order of creation.
    public var notes: [(id: String, text: String)] = []
    /// The ids of notes by the idempotency key that created them.
    public var keys: [String: String] = [:]
    public var seen: [Seen] = []
    /// All values of a field of a card, `card/field`, oldest first.
    public var values: [ExactString: [JSONValue]] = [:]
    /// The texts that are refused with 422.
    public var refused: Set<String> = []
    /// The cards that were removed by a request.
    public var removals: [Removal] = []
    public var nextNote = 1
  }

  /// The removal of a card by a request.
  public struct Removal: Sendable {
    public var entry: String?
    public var id: String
    /// The card before the removal.
    public var fields: JSONObject
  }

  private let coder: any RecordCoder
  private let honoursKeys: Bool
  private let hasTags: Bool
  private let fault: @Sendable (HTTPRequest) -> Fault
  private let state = Mutex(State())

  /// - Parameter honoursKeys: whether two posts of a note with the same key create only one note.
  public init(
    coder: any RecordCoder, honoursKeys: Bool = true, hasTags: Bool = true,
    fault: @escaping @Sendable (HTTPRequest) -> Fault = { _ in .none }
  ) {
    (self.coder, self.honoursKeys, self.hasTags, self.fault) = (coder, honoursKeys, hasTags, fault)
  }

  public var now: State { state.withLock { $0 } }

  /// Changes the state like another client.
  public func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Sets fields of a card like another client.
  public func set(_ id: String, _ fields: JSONObject) { state.withLock { $0.set(id, fields) } }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", requests: 0) }
    let fault = fault(request)
    switch fault {
    case .unreachable: throw TransportError(.cannotConnect, "no connection", url: request.url)
    case .lostRequest: throw TransportError(.connectionLost, "lost", url: request.url, mayHaveArrived: true)
    case .failure: return HTTPResponse(status: 500, url: request.url)
    case .overloaded: return HTTPResponse(status: 503, headers: ["Retry-After": "7"], url: request.url)
    case .none, .lostAnswer, .failureAfter: break
    }
    let response = state.withLock { answer(request, &$0) }
    switch fault {
    case .lostAnswer: throw TransportError(.connectionLost, "lost", url: request.url, mayHaveArrived: true)
    case .failureAfter: return HTTPResponse(status: 500, url: request.url)
    default: return response
    }
  }

  private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    // The part after `http://host`.
    let whole = request.url.dropFirst("http://".count).drop { $0 != "/" }
    let path = String(whole.prefix { $0 != "?" })
    let before = (state.versions, state.notes.count)
    let response =
      if path == "/notes" {
        notes(request, query: String(whole.dropFirst(path.count + 1)), &state)
      } else if path.hasPrefix("/notes/") {
        note(request, id: String(path.dropFirst("/notes/".count)), &state)
      } else {
        card(request, id: String(path.dropFirst("/cards/".count)), &state)
      }
    state.seen.append(
      Seen(
        method: request.method, path: path, entry: request.headers["Idempotency-Key"] ?? request.headers["X-Entry"],
        isDone: before != (state.versions, state.notes.count)))
    return response
  }

  private func card(_ request: HTTPRequest, id: String, _ state: inout State) -> HTTPResponse {
    func tag() -> String { "\"\(state.versions[id.exact] ?? 0)\"" }
    func status(_ status: Int) -> HTTPResponse { HTTPResponse(status: status, url: request.url) }
    let card = state.cards[id.exact]
    if let card {
      if request.method == .get {
        if hasTags, request.validator?.etag == tag() { return status(304) }
        return respond(card, tag: tag(), request)
      }
      if hasTags, let wanted = request.headers["If-Match"], wanted != tag() { return status(412) }
      if request.headers["If-None-Match"] == "*" { return status(412) }
      if request.method == .delete {
        state.removals.append(Removal(entry: request.headers["X-Entry"], id: id, fields: card))
        state.remove(id)
        return status(204)
      }
    } else if request.method != .put || request.headers["If-Match"] != nil {
      // A PUT without a tag creates the card (RFC 9110 section 9.3.4).
      return status(404)
    }
    guard let body = request.body, var fields = try? coder.decode(body) else { return status(400) }
    if isRefused(fields, state) { return status(422) }
    fields["id"] = nil
    for key in card?.keys ?? [] where key != "id" && fields[key] == nil { fields[key] = .null }
    state.set(id, fields)
    return respond(state.cards[id.exact] ?? [:], tag: tag(), request)
  }

  private func isRefused(_ fields: JSONObject, _ state: State) -> Bool {
    fields.members.contains { $0.value.string.map { state.refused.contains($0) } ?? false }
  }

  private func note(_ request: HTTPRequest, id: String, _ state: inout State) -> HTTPResponse {
    guard let index = state.notes.firstIndex(where: { $0.id == id }) else {
      return HTTPResponse(status: 404, url: request.url)
    }
    let note = state.notes[index]
    if request.method == .delete {
      state.notes.remove(at: index)
      return HTTPResponse(status: 204, url: request.url)
    }
    return respond(["id": .string(note.id), "text": .string(note.text)], tag: nil, request)
  }

  private func notes(_ request: HTTPRequest, query: String, _ state: inout State) -> HTTPResponse {
    if request.method == .get {
      let numbers = query.split(separator: "&").compactMap { Int($0.drop { $0 != "=" }.dropFirst()) }
      let (page, limit) = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 100)
      let start = min(page * limit, state.notes.count)
      let end = min(start + limit, state.notes.count)
      var answer: JSONObject = [
        "items": .array(
          state.notes[start..<end].map { note in
            .object(["id": .string(note.id), "text": .string(note.text)])
          }), "total": .int(state.notes.count),
      ]
      if end < state.notes.count { answer.append("next", page + 1) }
      return respond(answer, tag: nil, request)
    }
    let key = request.headers["Idempotency-Key"] ?? ""
    if honoursKeys, let known = state.keys[key], let note = state.notes.first(where: { $0.id == known }) {
      return respond(["id": .string(note.id), "text": .string(note.text)], tag: nil, request)
    }
    guard let body = request.body, let text = (try? coder.decode(body))?["text"]?.string else {
      return HTTPResponse(status: 400, url: request.url)
    }
    if state.refused.contains(text) { return HTTPResponse(status: 422, url: request.url) }
    let id = state.addNote(text)
    state.keys[key] = id
    return respond(["id": .string(id), "text": .string(text)], tag: nil, request)
  }

  private func respond(_ fields: JSONObject, tag: String?, _ request: HTTPRequest) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if hasTags, let tag { headers["ETag"] = tag }
    return HTTPResponse(status: 200, headers: headers, body: coder.encode(fields), url: request.url)
  }
}

extension FakeSourceServer.State {
  /// Sets fields of a card; null removes a field.
  public mutating func set(_ id: String, _ fields: JSONObject) {
    var card = cards[id.exact] ?? ["id": .string(id)]
    for member in fields.members where (card[member.key] ?? .null) != member.value {
      card[member.key] = member.value == .null ? nil : member.value
      values["\(id)/\(member.key)".exact, default: []].append(member.value)
    }
    if card != cards[id.exact] { versions[id.exact, default: 0] += 1 }
    cards[id.exact] = card
  }

  /// Removes a card. Its entity tags are not reused.
  public mutating func remove(_ id: String) {
    for key in cards[id.exact]?.keys ?? [] where key != "id" { values["\(id)/\(key)".exact, default: []].append(.null) }
    cards[id.exact] = nil
    versions[id.exact, default: 0] += 1
  }

  @discardableResult
  public mutating func addNote(_ text: String) -> String {
    let id = "n\(nextNote)"
    nextNote += 1
    notes.append((id, text))
    return id
  }
}
