import Models
import Parsing
import Ports
import Synchronization
import TestSupport

/// A server of people in memory.
final class FakePeople: Sendable {
  /// What happens to one request.
  enum Fault: Sendable {
    /// It is carried out, and the answer is lost.
    case replyLost
    /// It never arrives.
    case unreachable
    case status(Int)
  }

  struct Made: Sendable, Equatable {
    var id: String?
    var firstName: String
    var lastName: String
    var birthday: String
  }

  private struct State {
    var people: [Made] = []
    var keys: [String: Made] = [:]
    var faults: [Fault?] = []
    var sent: [HTTPRequest] = []
    var version = 1
    /// The largest id that was ever given: none is given twice.
    var lastID = 0
    var extra = ""
  }

  /// Whether the same key makes a person once.
  let honoursKeys: Bool
  /// Whether its people have ids.
  let givesIDs: Bool
  let tells: Bool
  private let state = Mutex(State())

  /// - Parameter tells: whether the answer of a POST holds the person.
  init(honoursKeys: Bool = true, givesIDs: Bool = true, tells: Bool = true) {
    self.honoursKeys = honoursKeys
    self.givesIDs = givesIDs
    self.tells = tells
  }

  func set(_ people: [Made]) {
    state.withLock {
      $0.people = people
      $0.version += 1
      $0.lastID = max($0.lastID, people.compactMap { $0.id.flatMap { Int($0) } }.max() ?? 0)
    }
  }

  /// A member of the list that is no person.
  func setExtra(_ text: String) { state.withLock { $0.extra = text } }

  /// The faults of the next requests, in order; `nil` for none.
  func prepare(_ faults: [Fault?]) { state.withLock { $0.faults = faults } }

  var people: [Made] { state.withLock { $0.people } }
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
          throw TransportError(.timeout, "timed out", url: request.url, mayHaveArrived: true)
        case .status(let status):
          return HTTPResponse(
            status: status, body: Array("{\"error\":{\"code\":\"x\",\"message\":\"too young\"}}".utf8), url: request.url
          )
        case nil: return self.answer(request, &state)
        }
      }
    }
  }

  private func answer(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
    guard request.method == .post else {
      if let etag = request.validator?.etag, etag == "\"\(state.version)\"" {
        return HTTPResponse(status: 304, url: request.url)
      }
      let people = state.people.map(json) + (state.extra.isEmpty ? [] : [state.extra])
      return HTTPResponse(
        status: 200, headers: ["ETag": "\"\(state.version)\""],
        body: Array("{\"data\":[\(people.joined(separator: ","))]}".utf8), url: request.url)
    }
    let key = request.headers["Idempotency-Key"] ?? ""
    let made: Made
    if honoursKeys, let known = state.keys[key] {
      made = known
    } else {
      let fields = (try? JSONRecordCoder().decode(request.body ?? [])) ?? [:]
      state.lastID += 1
      made = Made(
        id: givesIDs ? String(state.lastID) : nil, firstName: fields["firstName"]?.string ?? "",
        lastName: fields["lastName"]?.string ?? "", birthday: fields["birthday"]?.string ?? "")
      state.people.append(made)
      state.keys[key] = made
      state.version += 1
    }
    return HTTPResponse(status: 201, body: tells ? Array(json(made).utf8) : [], url: request.url)
  }

  private func json(_ made: Made) -> String {
    var fields = JSONObject()
    fields.append("id", made.id)
    fields.append("firstName", made.firstName)
    fields.append("lastName", made.lastName)
    fields.append("birthday", made.birthday)
    return String(decoding: JSONRecordCoder().encode(fields), as: UTF8.self)
  }
}
