public import Models
public import Ports

/// Follows the people of a server, and sends new ones to it.
///
/// The one follow is `people`. A person of the list is the one here with the same id on the server, else the one here
/// with the same names and birthday, else a new one, unless it was removed here; `KnownPeople` has the whole rule.
/// The server's copy of each person is kept, so that what was changed here stays.
public struct PeopleSource: EditableSource {
  /// `people`.
  public let name = SourceName.people
  /// The path of the follow.
  public let forms = ["people"]
  /// The list is always taken whole.
  public let defaultLimit: Int? = nil
  /// People.
  public let editableCollections = [CollectionName.people]

  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder
  let edits: any PendingEdits
  let base: String?

  /// A source.
  ///
  /// - Parameters:
  ///   - list: reads the answer of `GET /people`.
  ///   - answer: reads the answer of `POST /people`.
  ///   - coder: writes what is sent and reads stored records.
  ///   - edits: knows the people that wait to be sent, and the server's copies of the others.
  ///   - settings: the server's address; there is no default.
  public init(
    list: any ResponseParser<[RemotePerson]>, answer: any ResponseParser<RemotePerson>, coder: any RecordCoder,
    edits: any PendingEdits, settings: Settings.Server? = nil
  ) {
    self.list = list
    self.answer = answer
    self.coder = coder
    self.edits = edits
    var base = settings?.url
    while base?.hasSuffix("/") == true { base?.removeLast() }
    self.base = base
  }

  /// Checks that the follow is `people`, with no settings of other sources.
  public func check(_ follow: Follow) throws(FollowError) {
    guard follow.$path == forms[0].exact else {
      throw FollowError(follow: follow.path, message: "not a follow of people", allowed: "the form is \(forms[0])")
    }
    guard follow.limit == nil, follow.genre == nil, follow.feed == nil else {
      throw FollowError(
        follow: follow.path, message: "the list of people is always taken whole",
        allowed: "leave limit, genre and feed out")
    }
  }

  /// Pulls the whole list, unless the server says that nothing changed.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    do throws(FollowError) {
      try check(follow)
    } catch {
      throw .follow(error)
    }
    let client = try client(context.transport)
    let known: KnownPeople
    do throws(StoreError) {
      known = try KnownPeople(in: context.snapshot, coder, edits)
    } catch {
      throw .store(error)
    }
    // A person here whom the server may have by now can only be found by reading the list.
    let validator =
      known.areAllLinked && !context.memory.isEmpty
      ? HTTPValidator(
        etag: context.memory["etag"]?.string, lastModified: context.memory["lastModified"]?.string) : nil
    guard let answer = try await client.people(validator: validator) else { return .notModified(url: client.url) }
    let (list, isComplete) = (answer.people.value, answer.people.rejects.isEmpty)
    var page = PullPage(rejects: answer.people.rejects, url: client.url)
    do throws(StoreError) {
      page.changes = try known.people(of: list, isComplete: isComplete, context.snapshot).compactMap { person in
        person.map {
          PulledChange(
            $0, .merge, base: PersonMemory.base(of: $0), memory: PersonMemory.memory(isListed: true))
        }
      }
    } catch {
      throw .store(error)
    }
    // A rejected person is still on the list, but it is not known which one it is, so no one counts as removed.
    let now = page.changes.map(\.id)
    if isComplete { page.listing = PullPage.Listing(collection: .people, before: known.listed, now: now) }
    var memory = JSONObject()
    memory.append("etag", answer.validator?.etag)
    memory.append("lastModified", answer.validator?.lastModified)
    page.memory = isComplete ? memory : [:]
    page.progress = .init(done: now.count, total: now.count)
    return page
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> PeopleClient {
    guard let base else {
      throw .configuration(
        message: "the server of the people is not known",
        hint: "set servers.people.url in the config, or pass --server people=URL")
    }
    return PeopleClient(base: base, transport: transport, list: list, answer: answer, coder: coder)
  }
}
