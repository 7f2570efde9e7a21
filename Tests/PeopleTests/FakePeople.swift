import AlmanacTesting
import Models
import Parsing
import Ports

/// A server of people in memory.
final class FakePeople: Sendable {
  struct Made: Sendable, Equatable {
    var id: String?
    var firstName: String
    var lastName: String
    var birthday: String
  }

  private let server: FaultyServer<PeopleOfServer>

  /// A server.
  ///
  /// - Parameters:
  ///   - honoursKeys: whether the same key makes a person once.
  ///   - givesIDs: whether its people have ids.
  ///   - looksAlike: whether ids are such as are easily taken for one another, rather than numbers.
  ///   - tells: whether the answer of a POST holds the person.
  init(honoursKeys: Bool = true, givesIDs: Bool = true, looksAlike: Bool = false, tells: Bool = true) {
    server = FaultyServer(
      PeopleOfServer(honoursKeys: honoursKeys, givesIDs: givesIDs, looksAlike: looksAlike, tells: tells), lost: .timeout
    ) { $1.answer($0) }
  }

  func set(_ people: [Made]) {
    server.withContents {
      $0.people = people
      $0.version += 1
      $0.lastID = max($0.lastID, people.compactMap { $0.id.flatMap { Int($0) } }.max() ?? 0)
    }
  }

  func listIDs(_ hasID: @escaping @Sendable (Made) -> Bool) {
    server.withContents {
      $0.listsID = hasID
      $0.version += 1
    }
  }

  /// A member of the list that is no person.
  func setExtra(_ text: String) { server.withContents { $0.extra = text } }

  /// The faults of the next requests, in order; `nil` for none.
  func prepare(_ faults: [ServerFault?]) { server.prepare(faults) }

  var people: [Made] { server.withContents { $0.people } }
  var requests: [HTTPRequest] { server.requests }
  var methods: [HTTPRequest.Method] { server.methods }
  var transport: any HTTPTransport { server.transport }

  /// An answer that says what it does not like.
  static func refusal(_ status: Int) -> ServerFault {
    .status(status, "{\"error\":{\"code\":\"x\",\"message\":\"too young\"}}")
  }
}

/// What a server of people holds, and how it answers.
private struct PeopleOfServer {
  typealias Made = FakePeople.Made

  let honoursKeys: Bool
  let givesIDs: Bool
  let looksAlike: Bool
  let tells: Bool
  var people: [Made] = []
  var keys: [String: Made] = [:]
  var version = 1
  /// The largest id that was ever given: none is given twice.
  var lastID = 0
  var extra = ""
  var listsID: @Sendable (Made) -> Bool = { _ in true }

  mutating func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == .post else {
      if let etag = request.validator?.etag, etag == "\"\(version)\"" {
        return HTTPResponse(status: 304, url: request.url)
      }
      let people = people.map { json($0, withID: listsID($0)) } + (extra.isEmpty ? [] : [extra])
      return HTTPResponse(
        status: 200, headers: ["ETag": "\"\(version)\""],
        body: Array("{\"data\":[\(people.joined(separator: ","))]}".utf8), url: request.url)
    }
    let key = request.headers["Idempotency-Key"] ?? ""
    let made: Made
    if honoursKeys, let known = keys[key] {
      made = known
    } else {
      let fields = (try? JSONRecordCoder().decode(request.body ?? [])) ?? [:]
      lastID += 1
      made = Made(
        id: !givesIDs ? nil : looksAlike ? "p" + LookAlikes.id(lastID) : String(lastID),
        firstName: fields["firstName"]?.string ?? "",
        lastName: fields["lastName"]?.string ?? "", birthday: fields["birthday"]?.string ?? "")
      people.append(made)
      keys[key] = made
      version += 1
    }
    return HTTPResponse(status: 201, body: tells ? Array(json(made).utf8) : [], url: request.url)
  }

  private func json(_ made: Made, withID: Bool = true) -> String {
    var fields = JSONObject()
    fields.append("id", withID ? made.id : nil)
    fields.append("firstName", made.firstName)
    fields.append("lastName", made.lastName)
    fields.append("birthday", made.birthday)
    return String(decoding: JSONRecordCoder().encode(fields), as: UTF8.self)
  }
}
