import Models
import Ports

/// Requests users from their server.
struct UsersClient: Sendable {
  let server: SourceClient
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
  func url(_ id: String) -> String { "\(server.base)/user/\(percentEncoded(id))" }

  /// Reads a user; `nil` where the validator still holds.
  func get(_ id: String, validator: HTTPValidator? = nil) async throws(SourceError) -> Answer? {
    let answer = try await server.get(
      url(id), parser, validator: validator, bodyLimit: Self.largestUser, message: SourceClient.message(of: parser))
    guard let answer else { return nil }
    return try self.answer(answer, id)
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
    let response = try await server.send(
      HTTPRequest(
        .put, url(profile.id), headers: headers, body: coder.encode(body), isRepeatable: etag == nil ? false : nil))
    if response.status == 412 || response.status == 409 {
      return .turnedDown(status: response.status, message: SourceClient.message(of: parser)(response))
    }
    // No content (RFC 9110 section 9.3.4): the server has what was sent.
    if response.isSuccess, !response.body.contains(where: { $0 > 0x20 }) {
      return .accepted(Answer(profile: profile, validator: response.validator))
    }
    let message = SourceClient.message(of: parser)
    var answer = try answer(
      try SourceClient.answer(response, url(profile.id), parser, message: message), profile.id)
    answer.profile.id = profile.id
    return .accepted(answer)
  }

  private func answer(
    _ answer: SourceAnswer<APIAnswer<Profile>>, _ id: String
  ) throws(SourceError) -> Answer {
    switch answer.parsed.value {
    case .success(let profile):
      return Answer(profile: profile, validator: answer.validator, rejects: answer.parsed.rejects)
    case .failure(let failure): throw .api(failure, meaning: failure.meaning, url: url(id))
    }
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
