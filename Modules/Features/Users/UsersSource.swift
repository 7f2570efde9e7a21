public import Models
public import Ports

/// Follows users of a REST API and sends edits of them.
///
/// A follow is `users/ID`. The remote's copy of a profile is kept with its entity tag: a PUT sends that copy with the
/// edited fields on top, and the tag as `If-Match`.
public struct UsersSource: EditableSource {
  public var abilities: SourceAbilities { SourceAbilities(edits: self, purge: self) }
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor = SourceDescriptor(
    name: .users, summary: "users of a REST API", forms: [.init("users/{id}", "one user")],
    collections: [.init(Profile.self, columns: ["id", "name", "email", "description"])])
  public let editableCollections = [CollectionName.profiles]

  let user: any ResponseParser<APIAnswer<Profile>>
  let coder: any RecordCoder
  let settings: Settings.Server?

  /// - Parameter settings: the server's address; there is no default.
  public init(user: any ResponseParser<APIAnswer<Profile>>, coder: any RecordCoder, settings: Settings.Server? = nil) {
    (self.user, self.coder, self.settings) = (user, coder, settings)
  }

  /// Pulls the user, unless the server says that nothing changed.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let id = follow.match.parameters[0]
    let client = try client(context.transport)
    let isKnown = try SourceError.reading(context.snapshot.record(.profiles, id) != nil)
    // A validator is of use only as long as the copy is here.
    let url = client.url(id)
    let validator = isKnown ? StoredValidator(context.sourceState, url: url).validator : nil
    guard let answer = try await client.get(id, validator: validator) else { return .notModified(url: url) }
    return PullPage(
      changes: [PulledChange(answer.profile, base: answer.profile.fields, sourceState: answer.sourceState)],
      rejects: answer.rejects, url: url, sourceState: StoredValidator(url: url, answer.validator).fields,
      progress: .init(done: 1, total: 1))
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> UsersClient {
    return UsersClient(server: try SourceClient(descriptor, settings, transport: transport), parser: user, coder: coder)
  }
}

extension UsersSource {
  /// Sends the whole user with the edited fields on top, as `ChangeSender` says.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .put, entry.targetCollection == .profiles else {
      throw .refused(message: "\(entry.target): only changes of profiles can be sent to users")
    }
    return try await context.changes.send(entry, context, to: client(context.transport))
  }
}

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
    var sourceState: JSONObject { ["etag": .of(validator?.etag)] }

    var record: RemoteRecord { RemoteRecord(profile.fields, base: profile.fields, sourceState: sourceState) }
  }

  /// The largest answer that is read, in bytes. A user is smaller.
  private static let largestUser = 1 << 20

  func url(_ id: String) -> String { "\(server.base)/user/\(percentEncoded(id))" }

  /// Reads a user; `nil` where the validator still holds.
  func get(_ id: String, validator: HTTPValidator? = nil) async throws(SourceError) -> Answer? {
    let answer = try await server.get(
      url(id), parser, validator: validator, bodyLimit: Self.largestUser, message: SourceClient.message(of: parser))
    guard let answer else { return nil }
    return try self.answer(answer, id)
  }

  private func put(_ profile: Profile, ifMatch etag: String?) async throws(SourceError) -> UpdateAnswer {
    var body: JSONObject = [
      "userId": .string(profile.id), "name": .string(profile.name), "email": .string(profile.email),
    ]
    body.append("description", profile.description)
    var headers: HTTPHeaders = ["Accept": "application/json", "Content-Type": "application/json"]
    headers["If-Match"] = etag
    let response = try await server.send(
      HTTPRequest(
        .put, url(profile.id), headers: headers, body: coder.encode(body), isRepeatable: etag == nil ? false : nil))
    let message = SourceClient.message(of: parser)
    if [.conflict, .preconditionFailed].contains(response.status.meaning) {
      return .preconditionFailed(.status(response, url: url(profile.id), message: message(response)))
    }
    // No content (RFC 9110 section 9.3.4): the server has what was sent.
    if response.isSuccess, !response.body.contains(where: { $0 > 0x20 }) {
      return .accepted(Answer(profile: profile, validator: response.validator).record)
    }
    var answer = try answer(try SourceClient.answer(response, url(profile.id), parser, message: message), profile.id)
    answer.profile.id = profile.id
    return .accepted(answer.record)
  }

  private func answer(_ answer: SourceAnswer<APIAnswer<Profile>>, _ id: String) throws(SourceError) -> Answer {
    switch answer.parsed.value {
    case .success(let profile):
      return Answer(profile: profile, validator: answer.validator, rejects: answer.parsed.rejects)
    case .failure(let failure): throw .meant(failure.meaning, said: failure, url: url(id))
    }
  }
}

extension UsersClient: UpdatableRemote {
  func read(_ id: String) async throws(SourceError) -> RemoteRecord {
    guard var answer = try await get(id) else { throw .refused(message: "the server answered 304 without being asked") }
    answer.profile.id = id
    return answer.record
  }

  /// Replaces a user: the remote's copy with the fields of this edit only. Other edits are sent in their turn.
  func write(
    _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
  ) async throws(SourceError) -> UpdateAnswer {
    var fields = known.applying(edit: edit)
    fields["id"] = .string(id)
    let profile: Profile
    do throws(RecordError) { profile = try Profile(fields: fields) } catch {
      throw .refused(message: "the profile cannot be sent: \(error)")
    }
    return try await put(profile, ifMatch: etag)
  }

  /// Refuses: profiles cannot be removed.
  func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer {
    throw .refused(message: "profiles/\(id): profiles cannot be removed at the server")
  }
}

extension APIFailure {
  /// What an error code means: a status of HTTP, or a word for one.
  var meaning: SourceError.Meaning {
    let code = code.lowercased().filter { $0.isLetter || $0.isNumber }
    switch (code, Int(code).map { HTTPStatus($0).meaning }) {
    case ("notfound", _), ("usernotfound", _), ("unknownuser", _), ("gone", _), ("nosuchuser", _), (_, .missing?):
      return .missing
    case ("unauthorized", _), ("unauthenticated", _), ("forbidden", _), ("denied", _), ("accessdenied", _),
      (_, .unauthorized?), (_, .forbidden?):
      return .denied
    case ("ratelimited", _), ("ratelimit", _), ("toomanyrequests", _), (_, .limited?): return .limited
    case ("busy", _), ("unavailable", _), ("serviceunavailable", _), ("timeout", _), (_, .tryLater?),
      (_, .serverFault?):
      return .later
    default: return .refused
    }
  }
}

extension UsersSource: PurgeableSource {
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    (try? check(follow)).map { [.init(.profiles, $0.match.parameters[0])] } ?? []
  }
}
