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
