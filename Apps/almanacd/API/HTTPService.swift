import Hummingbird
import Logging
import Models
import ServiceLifecycle
import Synchronization

/// Answers on one address until the daemon is asked to stop.
struct HTTPService: Service {
  /// How many connections may be open; more wait in the system's queue.
  static let mostConnections = 4000
  /// How long a connection may stay silent, also within a request's head, in seconds.
  static let idleSeconds: Int64 = 15

  /// Where it listens.
  enum Place: Sendable {
    /// Host and port.
    case address(ListenAddress)
    /// A Unix socket.
    case socket(path: String, isOptional: Bool)
  }

  /// Where it listens.
  let place: Place
  /// What it answers.
  let api: API
  /// Where it logs.
  let logger: Logger
  /// How long a client may take to read what waits for it, 32 KiB at a time, in seconds.
  let writeSeconds: Int64
  /// It listens, on this port where it has one.
  let opened: @Sendable (Int?) async -> Void

  func run() async throws {
    let isOpen = Mutex(false)
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    let (opened, writeSeconds) = (opened, writeSeconds)
    let application = Application(
      router: api.router(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [TargetAuthorityInstaller(), WriteDeadline(seconds: writeSeconds)],
          idleTimeout: .seconds(Self.idleSeconds),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))),
      configuration: .init(
        address: bindAddress, backlog: 1024,
        availableConnectionsDelegate: .maximum(Self.mostConnections, logger: logger)),
      onServerRunning: { channel in
        isOpen.withLock { $0 = true }
        await opened(channel.localAddress?.port)
      },
      logger: logger)
    do {
      try await application.run()
    } catch {
      if isOpen.withLock({ $0 }) || Task.isCancelled { throw error }
      try await refuse(error)
    }
  }

  private var bindAddress: BindAddress {
    switch place {
    case .address(let address): .hostname(address.host, port: address.port)
    case .socket(let path, _): .unixDomainSocket(path: path)
    }
  }

  /// It could not listen.
  private func refuse(_ error: any Error) async throws {
    let reason = "\(error)"
    switch place {
    case .address(let address):
      throw Failure(
        .transport, .unavailable, "cannot listen on \(address.description): \(reason)",
        hint: reason.contains("errno: 98") ? "another program has that port; choose one with --listen" : nil,
        code: "cannot-listen")
    case .socket(let path, isOptional: false):
      throw Failure(.transport, .cannotCreate, "cannot listen on \(path): \(reason)", code: "cannot-listen", path: path)
    case .socket(let path, isOptional: true):
      logger.warning("no Unix socket", metadata: ["path": "\(path)", "why": "\(reason)"])
      try await gracefulShutdown()
    }
  }
}
