import Models
import Ports

/// Requests users from their server.
struct UsersClient: Sendable {
  let base: String
  let transport: any HTTPTransport
  let parser: any ResponseParser<APIAnswer<Profile>>
  let coder: any RecordCoder

  /// A user as the server sent it.
  struct Answer {
    var profile: Profile
    var validator: HTTPValidator?
    var rejects: RejectedRecords = []

    /// What is remembered of the server's copy.
    var memory: JSONObject {
      var memory = JSONObject()
      memory.append("etag", validator?.etag)
      return memory
    }

    /// The server's copy.
    var record: RemoteRecord { RemoteRecord(profile.fields, base: profile.fields, memory: memory) }
  }

  /// What a PUT met.
  enum Put {
    case accepted(Answer)
    /// 412 or 409.
    case turnedDown(status: Int, message: String?)
  }

  /// The largest answer that is read, in bytes. A user is smaller.
  private static let largestUser = 1 << 20

  /// The address of a user.
  func url(_ id: String) -> String { "\(base)/user/\(percentEncoded(id))" }

  /// Reads a user; `nil` where the validator still holds.
  func get(_ id: String, validator: HTTPValidator? = nil) async throws(SourceError) -> Answer? {
    let request = HTTPRequest(
      .get, url(id), headers: ["Accept": "application/json"], validator: validator, bodyLimit: Self.largestUser)
    let response = try await send(request)
    if response.status == 304, validator != nil { return nil }
    return try answer(response, id)
  }

  /// Replaces a user. Without an entity tag the request is not repeated: a second one could undo what was changed after
  /// the first.
  func put(_ profile: Profile, ifMatch etag: String?) async throws(SourceError) -> Put {
    var body: JSONObject = [
      "userId": .string(profile.id), "name": .string(profile.name), "email": .string(profile.email),
    ]
    body.append("description", profile.description)
    var headers: HTTPHeaders = ["Accept": "application/json", "Content-Type": "application/json"]
    headers["If-Match"] = etag
    let response = try await send(
      HTTPRequest(
        .put, url(profile.id), headers: headers, body: coder.encode(body), isRepeatable: etag == nil ? false : nil))
    if response.status == 412 || response.status == 409 {
      return .turnedDown(status: response.status, message: message(of: response))
    }
    guard response.isSuccess, response.body.contains(where: { $0 > 0x20 }) else {
      guard response.isSuccess else {
        throw .status(response, url: url(profile.id), message: message(of: response))
      }
      // No content (RFC 9110 section 9.3.4): the server has what was sent.
      return .accepted(Answer(profile: profile, validator: response.validator))
    }
    var answer = try answer(response, profile.id)
    answer.profile.id = profile.id
    return .accepted(answer)
  }

  private func send(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
    do throws(TransportError) {
      return try await transport.send(request)
    } catch {
      throw .transport(error)
    }
  }

  private func answer(_ response: HTTPResponse, _ id: String) throws(SourceError) -> Answer {
    guard response.isSuccess else { throw .status(response, url: url(id), message: message(of: response)) }
    let parsed: Parsed<APIAnswer<Profile>>
    do throws(ParsingError) {
      parsed = try parser.parse(response.body)
    } catch {
      throw .parsing(error, url: url(id))
    }
    switch parsed.value {
    case .success(let profile):
      return Answer(profile: profile, validator: response.validator, rejects: parsed.rejects)
    case .failure(let failure): throw .api(failure, meaning: failure.meaning, url: url(id))
    }
  }

  /// The API's own message about an error status.
  private func message(of response: HTTPResponse) -> String? {
    guard case .failure(let failure)? = (try? parser.parse(response.body))?.value else { return nil }
    return failure.message.isEmpty ? failure.code : "\(failure.message) (\(failure.code))"
  }
}

extension APIFailure {
  /// What an error code means: HTTP's numbers, or the words for them.
  var meaning: SourceError.APIMeaning {
    switch code.lowercased().filter({ $0.isLetter || $0.isNumber }) {
    case "404", "410", "notfound", "usernotfound", "unknownuser", "gone", "nosuchuser": .notFound
    case "401", "403", "unauthorized", "unauthenticated", "forbidden", "denied", "accessdenied": .denied
    case "408", "425", "429", "500", "502", "503", "504", "busy", "unavailable", "serviceunavailable",
      "ratelimited", "ratelimit", "toomanyrequests", "timeout":
      .tryLater
    default: .refused
    }
  }
}
