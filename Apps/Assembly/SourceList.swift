import AppStore
import Flickr
public import Models
public import Networking
import Parsing
import People
public import Ports
import Sync
import Users

/// The sources of a program. Everything that names sources is derived from this list.
public struct SourceList: Sendable {
  /// The sources that are compiled into both programs.
  public static let compiled = SourceList()

  /// What the sources say about themselves, in the order in which help texts name them.
  public let descriptors: [SourceDescriptor]
  /// The collections that they fill, and those that every store has.
  public let catalog: CollectionCatalog
  /// The names under which their requests hold secrets.
  public let secretNames: SecretNames
  /// Sources that check follows and ask no server.
  private let unconnected: [any Source]

  private init() {
    unconnected = Self.compiledSources(JSONRecordCoder(), SourceAccess(), CollectionCatalog([]))
    descriptors = unconnected.map(\.descriptor)
    catalog = CollectionCatalog(descriptors)
    secretNames = SecretNames(adding: descriptors.flatMap(\.secretNames))
  }

  /// Every source.
  ///
  /// - Parameter access: how each reaches its server.
  public func sources(_ coder: any RecordCoder, _ access: SourceAccess) -> [any Source] {
    Self.compiledSources(coder, access, catalog)
  }

  private static func compiledSources(
    _ coder: any RecordCoder, _ access: SourceAccess, _ catalog: CollectionCatalog
  ) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: access.servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: access.servers[.flickr],
        apiKey: access.keys[.flickr] ?? .absent),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: access.servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder,
        edits: OutboxEdits(
          coder: coder, catalog: catalog, time: SystemTimeSource(), random: SystemRandomSource()),
        settings: access.servers[.people]),
    ]
  }

  /// Checks a follow with its source, and gives it in its usual spelling.
  ///
  /// - Throws: `FollowError`, also where there is no such source.
  @Sendable
  public func check(_ follow: Follow) throws(FollowError) -> Follow {
    try SyncEngine.check(follow, with: unconnected)
  }
}

/// How sources reach their servers.
public struct SourceAccess: Sendable {
  /// What the config file and `--server` say of each server.
  public var servers: [SourceName: Settings.Server]
  /// The keys of the sources that ask with one.
  public var keys: [SourceName: SourceKey]

  /// Access to the given servers.
  public init(servers: [SourceName: Settings.Server] = [:], keys: [SourceName: SourceKey] = [:]) {
    self.servers = servers
    self.keys = keys
  }
}
