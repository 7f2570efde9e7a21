import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import Models
import NIOCore
import NIOHTTP1
import Ports
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
  /// The clock.
  let time: any TimeSource
  /// How long a client may take to read what waits for it, 32 KiB at a time, in seconds.
  let writeSeconds: Int64
  /// It listens, on this port where it has one.
  let opened: @Sendable (Int?) async -> Void

  func run() async throws {
    let isOpen = Mutex(false)
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    let (opened, writeSeconds) = (opened, writeSeconds)
    let server = try HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [TargetAuthorityInstaller(), WriteDeadline(seconds: writeSeconds)],
        idleTimeout: .seconds(Self.idleSeconds),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)
      )
    ).buildServer(
      configuration: .init(
        address: bindAddress, backlog: 1024,
        availableConnectionsDelegate: .maximum(Self.mostConnections, logger: logger)),
      eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup, logger: logger,
      responder: Self.responder(api, logger, time: time),
      onServerRunning: { channel in
        isOpen.withLock { $0 = true }
        await opened(channel.localAddress?.port)
      })
    do {
      try await server.run()
    } catch {
      if isOpen.withLock({ $0 }) || Task.isCancelled { throw error }
      try await refuse(error)
    }
  }

  /// What Hummingbird's `Application` does for a request, without its clock that ticks every second for the `Date`.
  private static func responder(
    _ api: API, _ logger: Logger, time: any TimeSource
  ) -> HTTPChannelHandler.Responder {
    let (responder, date, door) = (api.router().buildResponder(), HTTPDate(), api.parts.door)
    return { request, writer, channel in
      let context = APIContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
      var response: Response
      do {
        response = try await responder.respond(to: door.local(request), context: context)
      } catch let error as HTTPParserError {
        // The connection answers this one itself.
        throw error
      } catch {
        response = Response(status: .internalServerError)
      }
      response.headers[.date] = date.text(time.now)
      do {
        try await writer.write(response: response.head, body: response.body)
      } catch is HTTPParserError {
        // The head is out: the connection must not answer again.
        throw CancellationError()
      }
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
    let code = (error as? IOError)?.errnoCode
    let reason = code.map { String(cString: strerror($0)) } ?? "\(error)"
    switch place {
    case .address(let address):
      throw Failure(
        .transport, .unavailable, "cannot listen on \(address.description): \(reason)",
        hint: code == EADDRINUSE ? "another program has that port; choose one with --listen" : nil,
        code: "cannot-listen")
    case .socket(let path, isOptional: false):
      throw Failure(.transport, .cannotCreate, "cannot listen on \(path): \(reason)", code: "cannot-listen", path: path)
    case .socket(let path, isOptional: true):
      logger.warning("no Unix socket", metadata: ["path": "\(path)", "why": "\(reason)"])
      try await gracefulShutdown()
    }
  }
}
