import AlmanacTesting
import Models
import Parsing
import Ports

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

  static let fields = ["name", "email", "description"]

  /// Whether a user stands under `data`.
  let wraps: Bool
  private let server: FaultyServer<UsersOfServer>

  init(tags: Tags = .strong, wraps: Bool = true) {
    self.wraps = wraps
    server = FaultyServer(UsersOfServer(tags: tags, wraps: wraps)) { $1.answer($0) }
    change(["name": "Ada", "email": "ada@example.org", "description": "first"])
  }

  func change(_ fields: [String: String?]) { server.withContents { $0.change(fields) } }

  func refuse(_ value: String) { server.withContents { _ = $0.refused.insert(value) } }

  func refuses(_ value: String?) -> Bool { server.withContents { $0.refused.contains(value ?? "") } }

  /// Every value that a field had, oldest first.
  func values(of field: String) -> [String?] { server.withContents { $0.values[field] ?? [] } }

  /// The faults of the next requests, in order; `nil` for none.
  func prepare(_ faults: [ServerFault?]) { server.prepare(faults) }

  var user: [String: String] { server.withContents { $0.users["ada"]?.fields ?? [:] } }
  var requests: [HTTPRequest] { server.requests }
  var methods: [HTTPRequest.Method] { server.methods }
  var transport: any HTTPTransport { server.transport }
}

/// What a server of users holds, and how it answers.
private struct UsersOfServer {
  struct User {
    var fields: [String: String]
    var version = 1
  }

  let tags: FakeUsers.Tags
  let wraps: Bool
  var users: [String: User] = [:]
  /// Values that are refused with 422.
  var refused: Set<String> = []
  /// Every value that a field had, oldest first; nil where it had none.
  var values: [String: [String?]] = [:]

  mutating func change(_ fields: [String: String?]) {
    var user = users["ada"] ?? User(fields: [:], version: 0)
    for (key, value) in fields { user.fields[key] = value }
    keep(user, "ada")
  }

  private mutating func keep(_ changed: User, _ id: String) {
    var user = changed
    user.version += 1
    users[id] = user
    for key in FakeUsers.fields where values[key]?.last != .some(user.fields[key]) {
      values[key, default: []].append(user.fields[key])
    }
  }

  mutating func answer(_ request: HTTPRequest) -> HTTPResponse {
    let id = request.url.split(separator: "/").last.map(String.init) ?? ""
    guard var user = users[id] else {
      return Self.response(404, "{\"error\":{\"code\":\"404\",\"message\":\"no such user\"}}", request)
    }
    if request.method == .put {
      if let match = request.headers["If-Match"], !matches(match, user) { return Self.response(412, "", request) }
      let fields = (try? JSONRecordCoder().decode(request.body ?? [])) ?? [:]
      if fields.members.contains(where: { refused.contains($0.value.string ?? "") }) {
        return Self.response(422, "{\"error\":{\"code\":\"422\",\"message\":\"no\"}}", request)
      }
      user.fields = [:]
      for key in FakeUsers.fields { user.fields[key] = fields[key]?.string }
      keep(user, id)
      user = users[id] ?? user
    } else if let etag = request.validator?.etag, etag == tag(user) {
      return HTTPResponse(status: 304, url: request.url)
    }
    var fields: JSONObject = ["userId": .string(id)]
    for key in FakeUsers.fields { fields.append(key, user.fields[key]) }
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
