public import Models
public import Ports

/// Follows users of a REST API and sends edits of them.
///
/// A follow is `users/ID`. The remote's copy of a profile is kept with its entity tag: a PUT sends that copy with the
/// edited fields on top, and the tag as `If-Match`.
public struct UsersSource: EditableSource {
  /// The source `users`.
  public var descriptor: SourceDescriptor { Self.descriptor }
  /// What it says about itself.
  public static let descriptor = SourceDescriptor(
    name: .users, summary: "users of a REST API", forms: [.init("users/{id}", "one user")],
    collections: [.init(Profile.self, columns: ["id", "name", "email", "description"])])
  /// Profiles.
  public let editableCollections = [CollectionName.profiles]

  let user: any ResponseParser<APIAnswer<Profile>>
  let coder: any RecordCoder
  let settings: Settings.Server?

  /// A source.
  ///
  /// - Parameters:
  ///   - user: reads the answer of `GET /user/ID`.
  ///   - coder: writes what is sent.
  ///   - settings: the server's address; there is no default.
  public init(
    user: any ResponseParser<APIAnswer<Profile>>, coder: any RecordCoder, settings: Settings.Server? = nil
  ) {
    self.user = user
    self.coder = coder
    self.settings = settings
  }

  /// Pulls the user, unless the server says that nothing changed.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let id = try match(follow).parameters[0]
    let client = try client(context.transport)
    let isKnown: Bool
    do throws(StoreError) {
      isKnown = try context.snapshot.record(.profiles, id) != nil
    } catch {
      throw .store(error)
    }
    // A validator is of use only as long as the copy is here.
    let url = client.url(id)
    let validator = isKnown ? ValidatorMemory(context.memory, url: url).validator : nil
    guard let answer = try await client.get(id, validator: validator) else { return .notModified(url: url) }
    return PullPage(
      changes: [PulledChange(answer.profile, base: answer.profile.fields, memory: answer.memory)],
      rejects: answer.rejects, url: url, memory: ValidatorMemory(url: url, answer.validator).fields,
      progress: .init(done: 1, total: 1))
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> UsersClient {
    return UsersClient(
      server: try SourceClient(descriptor, settings, transport: transport), parser: user, coder: coder)
  }
}

extension UsersSource {
  /// Sends the whole user with the edited fields on top.
  ///
  /// The remote is read first where an earlier try may have arrived, and where no entity tag guards against
  /// overwriting a newer user. A PUT that is turned down (409, 412) or answered as for an unknown user (404, 410) is
  /// followed by a read.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .put, entry.targetCollection == .profiles else {
      throw .refused(message: "\(entry.target): only changes of profiles can be sent to users")
    }
    let client = try client(context.transport)
    do throws(SourceError) {
      return try await send(entry, context, client)
    } catch {
      if error.isNotFound, try await isGone(entry, client) { return .removed }
      throw error
    }
  }

  /// Whether the server has the user no longer. A read decides: a server that takes no PUT may answer 404 as well.
  private func isGone(_ entry: OutboxEntry, _ client: UsersClient) async throws(SourceError) -> Bool {
    do throws(SourceError) {
      _ = try await client.get(entry.targetID)
      return false
    } catch {
      if error.isNotFound { return true }
      throw error
    }
  }

  private func send(
    _ entry: OutboxEntry, _ context: PushContext, _ client: UsersClient
  ) async throws(SourceError) -> PushOutcome {
    var etag = context.memory["etag"]?.string
    var known = context.base ?? context.record
    if entry.outcomeUnknown || etag == nil {
      let remote = try await read(entry, client)
      if let outcome = Self.judge(remote, entry) { return outcome }
      etag = remote.validator?.etag
      known = remote.profile.fields
    }
    let first = try await client.put(try Self.profile(known, entry), ifMatch: etag)
    guard case .turnedDown(let status, let message) = first else { return try Self.outcome(first, entry, client) }
    let remote = try await read(entry, client)
    if let outcome = Self.judge(remote, entry) { return outcome }
    guard remote.validator?.etag?.exact == etag?.exact else {
      // Another field changed. With the new tag, the edit is sent on top of it the next time.
      return .remoteIsNewer(remote.record)
    }
    // Nothing changed, and the server still refuses. A weak tag never matches in If-Match (RFC 9110 section 13.1.1): the
    // remote was just read, so the edit is sent without it. Anything else is a refusal.
    if status == 412, etag?.hasPrefix("W/") == true {
      let second = try await client.put(try Self.profile(remote.profile.fields, entry), ifMatch: nil)
      if case .accepted = second { return try Self.outcome(second, entry, client) }
    }
    throw .http(status: status, message: message, url: client.url(entry.targetID), retryAfter: nil)
  }

  private func read(_ entry: OutboxEntry, _ client: UsersClient) async throws(SourceError) -> UsersClient.Answer {
    var answer = try await client.get(entry.targetID)!
    answer.profile.id = entry.targetID
    return answer
  }

  /// Compares the edit with the remote that was just read: the remote has the edit, it has something newer, or (`nil`) the
  /// edit can be sent on top of it.
  private static func judge(_ remote: UsersClient.Answer, _ entry: OutboxEntry) -> PushOutcome? {
    let theirs = remote.profile.fields
    let mine = entry.edit.members
    if mine.allSatisfy({ theirs[$0.key] ?? .null == $0.value }) {
      return .accepted(remote.record)
    }
    let isNewer = mine.contains { member in
      let value = theirs[member.key] ?? .null
      return value != member.value && value != entry.base[member.key] ?? .null
    }
    return isNewer ? .remoteIsNewer(remote.record) : nil
  }

  private static func outcome(
    _ put: UsersClient.Put, _ entry: OutboxEntry, _ client: UsersClient
  ) throws(SourceError) -> PushOutcome {
    switch put {
    case .accepted(let answer): return .accepted(answer.record)
    case .turnedDown(let status, let message):
      throw .http(status: status, message: message, url: client.url(entry.targetID), retryAfter: nil)
    }
  }

  /// The user as it is sent: the remote's copy with the fields of this edit only. Other edits are sent in their turn.
  private static func profile(_ known: JSONObject, _ entry: OutboxEntry) throws(SourceError) -> Profile {
    var fields = known
    for member in entry.edit.members { fields[member.key] = member.value == .null ? nil : member.value }
    fields["id"] = .string(entry.targetID)
    do throws(RecordError) {
      return try Profile(fields: fields)
    } catch {
      throw .refused(message: "the profile cannot be sent: \(error)")
    }
  }
}

extension SourceError {
  /// Whether the server says that it has no such user.
  fileprivate var isNotFound: Bool {
    switch self {
    case .http(let status, _, _, _): status == 404 || status == 410
    case .api(_, let meaning, _): meaning == .notFound
    default: false
    }
  }
}

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
