import AppStore
import CardDAV
import Declared
import Flickr
public import Models
public import Networking
import Parsing
import People
import Persistence
public import Ports
import Sync
import Users

/// The sources of a program. All other lists of sources are derived from this one.
public struct SourceList: Sendable {
  public static let compiled = SourceList()

  /// The descriptors of the sources, in the order of help texts.
  public let descriptors: [SourceDescriptor]
  public let catalog: CollectionCatalog
  /// The names of parameters and headers with secrets.
  public let secretNames: SecretNames
  /// Sources that send no requests.
  let unconnected: Sources

  /// The definitions of further sources, those with mistakes included.
  let definitions: [CheckedDefinition]

  /// The compiled sources, and those that definitions describe. A definition with mistakes is a source whose follows
  /// fail.
  public init(definitions: [CheckedDefinition] = []) {
    self.definitions = definitions
    let (coder, access) = (JSONRecordCoder(), SourceAccess())
    let sources =
      Self.compiledSources(coder, access, CollectionCatalog([]))
      + definitions.map { Self.declaredSource($0, coder, access) }
    unconnected = Sources(sources)
    descriptors = sources.map(\.descriptor)
    catalog = CollectionCatalog(descriptors)
    secretNames = SecretNames(adding: descriptors.flatMap(\.secretNames))
  }

  /// - Parameter secrets: the secrets to redact in what servers say.
  public func sources(_ coder: any RecordCoder, _ access: SourceAccess, secrets: [String]) -> Sources {
    Sources(
      Self.compiledSources(coder, access, catalog) + definitions.map { Self.declaredSource($0, coder, access) },
      redactor: Redaction(secrets: secrets, names: secretNames))
  }

  private static func declaredSource(
    _ checked: CheckedDefinition, _ coder: any RecordCoder, _ access: SourceAccess
  ) -> any Source {
    guard case .success(let definition) = checked.result else { return InvalidSource(checked) }
    guard definition.command.isEmpty else {
      return TapSource(
        definition, compiler: JSONAnswerReaderCompiler(), coder: coder, programs: access.programs, events: access.events
      )
    }
    return described(definition, at: checked.path, coder, access)
  }

  /// The source of a definition that is no program.
  ///
  /// - Parameter path: its file.
  static func described(
    _ given: SourceDefinition, at path: String, _ coder: any RecordCoder, _ access: SourceAccess
  ) -> DeclaredSource {
    var definition = given
    let files = definition.folder.map { folder in
      let place = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
      return FolderTransport(folder: folder.hasPrefix("/") ? folder : "\(place)/\(folder)")
    }
    if let files { definition.url = "file://\(files.folder)" }
    return DeclaredSource(
      definition, compiler: JSONAnswerReaderCompiler(), coder: coder, settings: access.servers[definition.name],
      apiKey: access.keys[definition.name] ?? .absent, keeper: access.tokens, files: files,
      suggestions: CommandWording.features)
  }

  private static func compiledSources(
    _ coder: any RecordCoder, _ access: SourceAccess, _ catalog: CollectionCatalog
  ) -> [any Source] {
    let edits = OutboxEdits(coder: coder, catalog: catalog, time: SystemTimeSource(), random: SystemRandomSource())
    return [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: access.servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: access.servers[.flickr],
        apiKey: access.keys[.flickr] ?? .absent),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: access.servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder, edits: edits,
        settings: access.servers[.people]),
      CardDAVSource(
        format: WebDAVXML(), contacts: VCardFormat(), coder: coder, edits: edits,
        accounts: access.accounts[.cardDAV] ?? [], follows: access.follows, suggestions: CommandWording.features),
      CalDAVSource(
        format: WebDAVXML(), calendar: ICalendarFormat(), coder: coder, accounts: access.accounts[.calDAV] ?? [],
        suggestions: CommandWording.features),
    ]
  }

  /// The definition of a source; `nil` where it has none, or one with mistakes.
  public func definition(of source: SourceName) -> SourceDefinition? {
    definitions.lazy.compactMap(\.definition).first { $0.name == source }
  }

  func secrets(_ key: String, of source: SourceName) -> [String] {
    definition(of: source)?.auths.first?.secrets(in: key) ?? [key]
  }

  @Sendable
  public func check(_ follow: Follow) throws(FollowError) -> Follow { try unconnected.check(follow).follow }
}

public struct SourceAccess: Sendable {
  /// From the config file and `--server`.
  public var servers: [SourceName: Settings.Server]
  public var keys: [SourceName: SourceKey]
  /// Keeps tokens; `nil` where responses come from recordings.
  var tokens: (any TokenKeeper)?
  /// The accounts of the sources whose follows name one.
  public var accounts: [SourceName: [SourceAccount]] = [:]
  public var follows: [Follow] = []
  /// Starts the programs of sources; `nil` where responses come from recordings.
  var programs: (any ProgramRunner)?
  /// Gets what programs print on standard error.
  var events: (any EventSink)?

  public init(servers: [SourceName: Settings.Server] = [:], keys: [SourceName: SourceKey] = [:]) {
    (self.servers, self.keys) = (servers, keys)
  }
}
