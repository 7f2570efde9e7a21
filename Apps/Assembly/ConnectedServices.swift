import Flickr
public import Models
import Networking
import Parsing
public import Persistence
public import Ports
import Sync

/// The services that ask servers: one state of the settings, over one transport.
public struct ConnectedServices: Sendable {
  private let local: LocalServices
  private let sources: [any Source]
  private let transport: any HTTPTransport
  private let redaction: Redaction

  /// Services over a transport.
  ///
  /// - Parameters:
  ///   - access: how the sources reach their servers.
  ///   - secrets: what is redacted in errors, events and what is kept of them.
  public init(
    _ local: LocalServices, transport: any HTTPTransport, access: SourceAccess, secrets: [String]
  ) {
    self.local = local
    self.transport = transport
    let redaction = Redaction(secrets: secrets, names: local.sources.secretNames)
    self.redaction = redaction
    sources = local.sources.sources(local.coder, access).map(redaction.around)
  }

  /// Pulls and pushes.
  ///
  /// - Parameter outboxPatience: how long one flush waits for records that their server cannot take now.
  public func sync(outboxPatience: Duration = .zero) -> any SyncService {
    SyncEngine(
      store: local.store, sources: sources, transport: transport, coder: local.coder, time: local.time,
      random: local.random, events: local.events, shapes: redaction.around(JSONShapeReader()),
      outboxPatience: outboxPatience)
  }

  /// Fetches images into a folder.
  public func media(in folder: MediaFolder) -> any MediaService {
    redaction.around(
      Media(
        store: local.store, media: folder, transport: transport, coder: local.coder, catalog: local.sources.catalog))
  }

  /// The folder of the images of a store.
  ///
  /// - Throws: `Failure` where it cannot be made.
  public static func mediaFolder(_ store: String) throws(Failure) -> MediaFolder {
    try Failure.from { () throws(StoreError) in try MediaFolder(folder: store + "/media") }
  }
}
