import Flickr
public import Models
import Networking
import Notifications
import Parsing
import Persistence
public import Ports
import Sync

/// The services that contact servers, for one state of the settings and one transport.
public struct ConnectedServices: Sendable {
  private let local: LocalServices
  private let sources: Sources
  private let transport: any HTTPTransport
  private let redaction: Redaction

  /// - Parameter secrets: the secrets to redact in errors, in events and in stored errors.
  public init(_ local: LocalServices, transport: any HTTPTransport, access: SourceAccess, secrets: [String]) {
    (self.local, self.transport) = (local, transport)
    redaction = Redaction(secrets: secrets, names: local.sources.secretNames)
    sources = local.sources.sources(local.coder, access, secrets: secrets)
  }

  /// - Parameters:
  ///   - leases: the leases of follows, for a store that several programs use.
  ///   - outboxTimeout: the time that one flush waits for records that their server cannot accept now.
  ///   - localBlocker: why this machine cannot ask for a follow, with a store on a server.
  public func sync(
    leases: StoreLeases? = nil, outboxTimeout: Duration = .zero,
    localBlocker: @escaping @Sendable (Follow) -> Failure? = { _ in nil }
  ) -> any SyncService {
    SyncEngine(
      store: leases?.shared ?? local.store, outbox: local.store, leases: leases, sources: sources, transport: transport,
      coder: local.coder, time: local.time, random: local.random, events: local.events,
      shapes: JSONShapeReader(masking: redaction.body), outboxTimeout: outboxTimeout,
      suggestions: CommandWording.features, localBlocker: localBlocker, version: Invocation.version)
  }

  /// Lists what an account offers to follow.
  ///
  /// - Throws: `Failure` if the server does not respond, or refuses the password.
  public func offers(of account: SourceAccount, at source: SourceName) async throws(Failure) -> [AccountOffer] {
    try await sources[source]?.offers(of: account, over: transport) ?? []
  }

  /// Tries the key of a source: by the source's own check, or else with the first page of a follow without parameters.
  /// Nothing is stored.
  ///
  /// - Returns: whether something was asked that needs the key.
  /// - Throws: `Failure`, `denied` where the server refuses it.
  public func proveKey(of name: SourceName) async throws(Failure) -> Bool {
    guard let source = sources[name] else { return false }
    do throws(SourceError) {
      if try await source.proveKey(over: transport) { return true }
    } catch { throw error.failure(of: source.descriptor) }
    guard let form = source.descriptor.forms.first(where: { $0.parameterNames.isEmpty }),
      let follow = try? source.check(Follow(path: form.template)), let snapshot = try? local.store.snapshot()
    else { return false }
    let pull = source.open(follow)
    let context = PullContext(transport: transport, snapshot: snapshot, now: local.time.now, run: "trial")
    let refusal: SourceError?
    do throws(SourceError) {
      _ = try await pull.page(context)
      refusal = nil
    } catch { refusal = error }
    await pull.end()
    if let refusal { throw refusal.failure(of: source.descriptor) }
    return true
  }

  public func media(in folder: any MediaStore) -> any MediaService {
    redaction.around(
      Media(
        store: local.store, media: folder, transport: transport, coder: local.coder, catalog: local.sources.catalog,
        time: local.time, events: local.events))
  }
}

extension ConnectedServices {
  /// The notifications of the settings.
  ///
  /// - Parameter transport: sends requests; receivers may be in a private network, because the user named them.
  public func notifications(
    _ settings: Settings, _ invocation: Invocation, sync: any SyncService, over transport: any HTTPTransport,
    mail: any MailTransport
  ) -> any NotificationService {
    let receivers = settings.daemon.notifications.enumerated().map { index, target in
      var secret: Settings.Secret?
      switch target.channel {
      case .webhook(_, let value), .ntfy(_, let value): secret = value
      case .mail: break
      }
      guard let secret else { return Notifications.Receiver(target) }
      do throws(Failure) {
        let place = "daemon.notifications[\(index)]"
        return Notifications.Receiver(target, secret: try invocation.settingsFile.value(of: secret, at: place))
      } catch { return Notifications.Receiver(target, problem: error) }
    }
    // Without events: the address of a receiver is often a secret. Without retries: the deliveries have their own.
    var stack = StandardStack(time: local.time, random: local.random)
    stack.userAgent = invocation.userAgent
    stack.secrets = receivers.compactMap(\.secret)
    stack.retry = nil
    return Notifications(
      receivers, follows: settings.follows,
      services: Notifications.Services(
        store: local.store, coder: local.coder, transport: stack.transport(over: transport), mail: mail, sync: sync,
        people: local.people, time: local.time, random: local.random,
        local: {
          let time = LocalTime($0)
          return (time.day, time.hour)
        }, events: local.events, suggestions: CommandWording.features, catalog: local.catalog))
  }
}
