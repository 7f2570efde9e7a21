public import Models
public import Ports

/// Follows the people of a server, and sends new ones to it.
///
/// The one follow is `people`. A person of the list is the one here with the same id on the server, else the one here
/// with the same names and birthday, else a new one, unless it was removed here; `KnownPeople` has the whole rule.
/// The server's copy of each person is kept, so that what was changed here stays.
public struct PeopleSource: EditableSource {
  /// The source `people`.
  public var descriptor: SourceDescriptor { Self.descriptor }
  /// What it says about itself.
  public static let descriptor = SourceDescriptor(
    name: .people, summary: "people with their birthdays",
    forms: [.init("people", "the whole list of the server")],
    collections: [.init(Person.self, columns: ["id", "fullName", "birthday", "remoteID"])])
  /// People.
  public let editableCollections = [CollectionName.people]

  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder
  let edits: any PendingEdits
  let settings: Settings.Server?

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
    self.settings = settings
  }

  /// Pulls the whole list, unless the server says that nothing changed.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    _ = try match(follow)
    let client = try client(context.transport)
    let known: KnownPeople
    do throws(StoreError) {
      known = try KnownPeople(in: context.snapshot, coder, edits)
    } catch {
      throw .store(error)
    }
    // A person here whom the server may have by now can only be found by reading the list.
    let validator = known.areAllLinked ? ValidatorMemory(context.memory, url: client.url).validator : nil
    guard let answer = try await client.people(validator: validator) else { return .notModified(url: client.url) }
    let (list, isComplete) = (answer.parsed.value, answer.parsed.rejects.isEmpty)
    var page = PullPage(rejects: answer.parsed.rejects, url: client.url)
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
    page.memory = isComplete ? ValidatorMemory(url: client.url, answer.validator).fields : [:]
    page.progress = .init(done: now.count, total: now.count)
    return page
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> PeopleClient {
    return PeopleClient(
      server: try SourceClient(descriptor, settings, transport: transport), list: list, answer: answer, coder: coder)
  }
}
