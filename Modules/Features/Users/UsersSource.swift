public import Models
public import Ports

/// Follows users of a REST API and sends edits of them.
///
/// A follow is `users/ID`. The remote's copy of a profile is kept with its entity tag: a PUT sends that copy with the
/// edited fields on top, and the tag as `If-Match`.
public struct UsersSource: EditableSource {
  /// `users`.
  public let name = SourceName.users
  /// The path of the follows.
  public let forms = ["users/ID"]
  /// A follow is one user: limits mean nothing.
  public let defaultLimit: Int? = nil
  /// Profiles.
  public let editableCollections = [CollectionName.profiles]

  let user: any ResponseParser<APIAnswer<Profile>>
  let coder: any RecordCoder
  let base: String?

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
    var base = settings?.url
    while base?.hasSuffix("/") == true { base?.removeLast() }
    self.base = base
  }

  /// Checks a follow's path, and that it has no settings of other sources.
  public func check(_ follow: Follow) throws(FollowError) { _ = try userID(of: follow) }

  /// Pulls the user, unless the server says that nothing changed.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let id: String
    do throws(FollowError) {
      id = try userID(of: follow)
    } catch {
      throw .follow(error)
    }
    let client = try client(context.transport)
    let isKnown: Bool
    do throws(StoreError) {
      isKnown = try context.snapshot.record(.profiles, id) != nil
    } catch {
      throw .store(error)
    }
    // A validator is of use only as long as the copy is here.
    let validator =
      isKnown && !context.memory.isEmpty
      ? HTTPValidator(
        etag: context.memory["etag"]?.string, lastModified: context.memory["lastModified"]?.string) : nil
    guard let answer = try await client.get(id, validator: validator) else { return .notModified(url: client.url(id)) }
    var memory = JSONObject()
    memory.append("etag", answer.validator?.etag)
    memory.append("lastModified", answer.validator?.lastModified)
    return PullPage(
      changes: [PulledChange(answer.profile, base: answer.profile.fields, memory: answer.memory)],
      rejects: answer.rejects, url: client.url(id),
      memory: memory, progress: .init(done: 1, total: 1))
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> UsersClient {
    guard let base else {
      throw .configuration(
        message: "the server of the users is not known",
        hint: "set servers.users.url in the config, or pass --server users=URL")
    }
    return UsersClient(base: base, transport: transport, parser: user, coder: coder)
  }

  private func userID(of follow: Follow) throws(FollowError) -> String {
    let parameters = follow.parameters
    guard follow.source == name, parameters.count == 1, let id = parameters.first, !id.isEmpty, id.utf8.count <= 512,
      id != ".", id != "..", !id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else {
      throw FollowError(follow: follow.path, message: "not a follow of a user", allowed: "the form is \(forms[0])")
    }
    guard follow.limit == nil, follow.genre == nil, follow.feed == nil else {
      throw FollowError(
        follow: follow.path, message: "a user has no limit, genre or feed", allowed: "leave them out")
    }
    return id
  }
}
