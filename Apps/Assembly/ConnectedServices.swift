import Flickr
public import Models
import Networking
import Parsing
public import Persistence
public import Ports
import Sync

/// The services that contact servers, for one state of the settings and one transport.
public struct ConnectedServices: Sendable {
  private let local: LocalServices
  private let sources: [any Source]
  private let transport: any HTTPTransport
  private let redaction: Redaction

  /// Creates services that use a transport.
  ///
  /// - Parameters:
  ///   - access: the servers and the keys of the sources.
  ///   - secrets: the secrets to redact in errors, in events and in stored errors.
  public init(
    _ local: LocalServices, transport: any HTTPTransport, access: SourceAccess, secrets: [String]
  ) {
    self.local = local
    self.transport = transport
    let redaction = Redaction(secrets: secrets, names: local.sources.secretNames)
    self.redaction = redaction
    sources = local.sources.sources(local.coder, access).map(redaction.around)
  }

  /// Creates the sync engine.
  ///
  /// - Parameter outboxPatience: the time that one flush waits for records that their server cannot accept now.
  public func sync(outboxPatience: Duration = .zero) -> any SyncService {
    SyncEngine(
      store: local.store, sources: sources, transport: transport, coder: local.coder, time: local.time,
      random: local.random, events: local.events, shapes: redaction.around(JSONShapeReader()),
      outboxPatience: outboxPatience)
  }

  /// Creates the download of images into a folder.
  public func media(in folder: MediaFolder) -> any MediaService {
    redaction.around(
      Media(
        store: local.store, media: folder, transport: transport, coder: local.coder, catalog: local.sources.catalog))
  }

  /// The image folder of a store.
  ///
  /// - Throws: `Failure` if the folder cannot be created.
  public static func mediaFolder(_ store: String) throws(Failure) -> MediaFolder {
    try Failure.from { () throws(StoreError) in try MediaFolder(folder: store + "/media") }
  }
}
