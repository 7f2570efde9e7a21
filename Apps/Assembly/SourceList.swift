import AppStore
import Flickr
public import Models
public import Networking
import Parsing
import People
public import Ports
import Sync
import Users

/// The sources of both programs. Everything that names sources is derived from this list.
public enum SourceList {
  /// Every source, in the order in which help texts name them.
  ///
  /// - Parameter access: how each reaches its server; empty for sources that only check follows.
  public static func sources(_ coder: any RecordCoder, _ access: SourceAccess = SourceAccess()) -> [any Source] {
    [
      AppStoreSource(parser: AppStoreFeedParser(), coder: coder, settings: access.servers[.appStore]),
      FlickrSource(
        photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: coder, settings: access.servers[.flickr],
        apiKey: access.keys[.flickr] ?? .absent),
      UsersSource(user: UserEnvelopeParser(), coder: coder, settings: access.servers[.users]),
      PeopleSource(
        list: PeopleListParser(), answer: PersonAnswerParser(), coder: coder,
        edits: OutboxEdits(coder: coder, time: SystemTimeSource(), random: SystemRandomSource()),
        settings: access.servers[.people]),
    ]
  }

  /// What the sources say about themselves.
  public static let descriptors = sources(JSONRecordCoder()).map(\.descriptor)

  /// The collections that they fill, and those that every store has.
  public static let catalog = CollectionCatalog(descriptors)

  /// The names under which their requests hold secrets.
  public static let secretNames = SecretNames(adding: descriptors.flatMap(\.secretNames))

  /// Checks a follow with its source, and gives it in its usual spelling.
  ///
  /// - Throws: `FollowError`, also where there is no such source.
  @Sendable
  public static func check(_ follow: Follow) throws(FollowError) -> Follow {
    try SyncEngine.check(follow, with: sources(JSONRecordCoder()))
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
