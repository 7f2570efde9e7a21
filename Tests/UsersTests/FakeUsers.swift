import Models
import Parsing
import Ports
import Synchronization
import TestSupport

/// A server of users in memory, with entity tags and faults.
final class FakeUsers: Sendable {
  /// How it tells versions apart.
  enum Tags: Sendable, CaseIterable {
    case strong
    /// Compared weakly, as lax servers do.
    case weak
    /// Never matching in If-Match (RFC 9110 section 13.1.1).
    case weakAndStrict
    case none
  }

  /// What happens to one request.
  enum Fault: Sendable {
    /// It is carried out, and the answer is lost.
    case replyLost
    /// It never arrives.
    case unreachable
    case status(Int, String)
    case answer(String)
  }

  struct User: Sendable {
    var fields: [String: String]
    var version = 1
  }

  private struct State {
    var users: [String: User] = [:]
    var faults: [Fault?] = []
    var sent: [HTTPRequest] = []
    /// Values that are refused with 422.
    var refused: Set<String> = []
    /// Every value that a field had, oldest first; nil where it had none.
    var values: [String: [String?]] = [:]

    mutating func note(_ user: User) {
      for key in FakeUsers.fields where values[key]?.last != .some(user.fields[key]) {
        values[key, default: []].append(user.fields[key])
      }
    }
  }

  static let fields = ["name", "email", "description"]

  let tags: Tags
  let wraps: Bool
  private let state = Mutex(State())

  init(tags: Tags = .strong, wraps: Bool = true) {
    self.tags = tags
    self.wraps = wraps
    change(["name": "Ada", "email": "ada@example.org", "description": "first"])
  }

  func change(_ fields: [String: String?]) {
    state.withLock { state in
      var user = state.users["ada"] ?? User(fields: [:], version: 0)
      for (key, value) in fields { user.fields[key] = value }
      user.version += 1
      state.users["ada"] = user
      state.note(user)
    }
  }

  /// Refuses a value from now on.
  func refuse(_ value: String) { state.withLock { _ = $0.refused.insert(value) } }

  /// Every value that a field had, oldest first.
  func values(of field: String) -> [String?] { state.withLock { $0.values[field] ?? [] } }

  /// The faults of the next requests, in order; `nil` for none.
  func prepare(_ faults: [Fault?]) { state.withLock { $0.faults = faults } }

  var user: [String: String] { state.withLock { $0.users["ada"]?.fields ?? [:] } }
  var requests: [HTTPRequest] { state.withLock { $0.sent } }
  var methods: [HTTPRequest.Method] { requests.map(\.method) }

  var transport: any HTTPTransport {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try self.state.withLock { (state: inout State) throws(TransportError) -> HTTPResponse in
        state.sent.append(request)
        switch state.faults.isEmpty ? nil : state.faults.removeFirst() {
        case .unreachable: throw TransportError(.cannotConnect, "refused", url: request.url)
        case .replyLost:
          _ = self.answer(request, &state)
          throw TransportError(.connectionLost, "reset", url: request.url, mayHaveArrived: true)
        case .status(let status, let body): return Self.response(status, body, request)
        case .answer(let body): return Self.response(200, body, request)
        case nil: return self.answer(request, &state)
        }
      }
    }
  }

  private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    let id = request.url.split(separator: "/").last.map(String.init) ?? ""
    guard var user = state.users[id] else {
      return Self.response(404, "{\"error\":{\"code\":\"404\",\"message\":\"no such user\"}}", request)
    }
    if request.method == .put {
      if let match = request.headers["If-Match"], !matches(match, user) {
        return Self.response(412, "", request)
      }
      let fields = (try? JSONRecordCoder().decode(request.body ?? [])) ?? [:]
      if fields.members.contains(where: { state.refused.contains($0.value.string ?? "") }) {
        return Self.response(422, "{\"error\":{\"code\":\"422\",\"message\":\"no\"}}", request)
      }
      user.fields = [:]
      for key in Self.fields { user.fields[key] = fields[key]?.string }
      user.version += 1
      state.users[id] = user
      state.note(user)
    } else if let etag = request.validator?.etag, etag == tag(user) {
      return HTTPResponse(status: 304, url: request.url)
    }
    var fields: JSONObject = ["userId": .string(id)]
    for key in Self.fields { fields.append(key, user.fields[key]) }
    let body = String(decoding: JSONRecordCoder().encode(fields), as: UTF8.self)
    var response = Self.response(200, wraps ? "{\"data\":\(body)}" : body, request)
    response.headers["ETag"] = tag(user)
    return response
  }

  private func matches(_ match: String, _ user: User) -> Bool {
    tags != .weakAndStrict && tags != .none && match == tag(user)
  }

  private func tag(_ user: User) -> String? {
    switch tags {
    case .strong: "\"\(user.version)\""
    case .weak, .weakAndStrict: "W/\"\(user.version)\""
    case .none: nil
    }
  }

  private static func response(_ status: Int, _ body: String, _ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(body.utf8), url: request.url)
  }
}
