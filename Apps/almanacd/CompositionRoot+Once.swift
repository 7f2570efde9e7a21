import Assembly
import AsyncHTTPTransport
import CLibrary
import Logging
import Models
import Networking
import Ports
import UnixSignals

extension CompositionRoot {
  /// Opens standard streams that the caller closed; before anything else.
  static func openStreams() { StandardStreams.open() }

  /// The arguments after the name of the program.
  static var arguments: [String] { ProgramArguments.given }

  /// Syncs everything once; stops on SIGTERM and Ctrl-C, and keeps what was committed.
  func runOnce() async throws(Failure) -> ExitStatus {
    // A config with mistakes makes no store.
    let config = try startSettings(readSettings())
    let store = try await firstStore()
    // The right to keep the store, which a daemon has as long as it runs.
    let token = isStoreOnServer ? nil : try DaemonToken(folder: stateFolder)
    defer { withExtendedLifetime(token) {} }
    let settings = try invocation.completing(config, from: store.records)
    let leases = try openLeases(isRenewed: false)
    try await Failure.from { () async throws(StoreError) in try await leases?.claim() }
    let (transport, client) = try transports()
    noteKeyPrograms(settings.withoutKeyPrograms.left)
    let services = try services(store, transport, settings: settings)
    logIfNothingIsFollowed(services.settings, level: .warning)
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let outcome = await withTaskGroup(of: Result<SyncReport, Failure>?.self) { group in
      group.addTask { await self.sync(services) }
      group.addTask {
        for await signal in signals {
          return .failure(
            Failure(
              .transport, .cancelled, "stopped by \(Self.name(of: signal)); the pages that were committed are kept",
              hint: "the next run continues from there", code: .transport(.cancelled), retryable: true))
        }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    await NotificationLoop.once(services, logger)
    // A failure here does not fail the sync: its commits are on the disk.
    try? await store.records.publish(.complete)
    await client?.shutdown()
    leases?.end()
    guard let outcome else { throw Failure(.transport, .internalFault, "the sync ended without a report") }
    let report = try outcome.get()
    let paused = report.follows.filter { $0.error?.retryAfter != nil }
    let servers = Dictionary(grouping: paused) { services.scheduling.host(Follow(path: $0.follow)) }
    for (server, follows) in servers.sorted(by: { $0.key < $1.key }) {
      guard let wait = follows.compactMap(\.error?.retryAfter).max() else { continue }
      logger.warning(
        "a later run goes on",
        metadata: [
          "server": "\(server.text)", "seconds": .stringConvertible(wait), "after": "\(report.finishedAt + wait)",
        ])
    }
    return ExitStatus(report)
  }

  /// A method of its own: as the body of a child task, the optimizer loses its result.
  private func sync(_ services: DaemonServices) async -> Result<SyncReport, Failure> {
    do throws(Failure) {
      let follows = services.settings.follows.filter { !$0.isPaused }
      var options = syncOptions
      // Other machines may have follows of their own in a store on a server.
      if !isStoreOnServer { options.configured = services.settings.follows }
      return .success(try await services.sync.sync(follows, options))
    } catch { return .failure(error) }
  }

  /// Other servers than those of the config have asked for no pause.
  private var syncOptions: SyncOptions {
    SyncOptions(asksEarly: !options.server.isEmpty || !invocation.recordings.isEmpty)
  }

  /// A run that ends soon neither waits for a host that keeps failing, nor promises another attempt. A request
  /// without a response for 30 s is not repeated, and after two of them the server is not asked again.
  static func endSoon(_ stack: inout StandardStack) {
    stack.breakerPause = nil
    stack.breakerTimeoutWeight = 3
    stack.longestBudgetWait = longestWait
    stack.retry?.timeout = .seconds(10)
  }

  /// The longest `Retry-After` for which a request waits, in seconds.
  static let longestWait = 5
}
