import CLibrary
import Hummingbird
import HummingbirdCore
import Logging
import Models
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix
import Ports
import ServiceLifecycle
import Synchronization

/// Answers on one address until the daemon is asked to stop.
struct HTTPService: Service {
  /// How many connections may be open; more wait in the system's queue.
  static let mostConnections = 4000
  /// How long a connection may stay silent, also within a request's head, in seconds.
  static let idleSeconds: Int64 = 15

  /// The largest header and the largest sum of all headers, in bytes, and the most headers of a request.
  static let headLimits = (field: 16 << 10, all: 32 << 10, fields: 100)

  enum Place: Sendable {
    case address(ListenAddress)
    case socket(path: String, isOptional: Bool)
  }

  let place: Place
  let api: API
  let logger: Logger
  let time: any TimeSource
  /// How long a client may take to read what waits for it, 32 KiB at a time, in seconds.
  let writeSeconds: Int64
  /// It listens, on this port where it has one.
  let opened: @Sendable (Int?) async -> Void

  func run() async throws {
    let isOpen = Mutex(false)
    var logger = logger
    logger.logLevel = max(logger.logLevel, .warning)
    // A socket is replaced together with its store, by cancellation, which the server calls an error.
    if case .socket = place { logger.logLevel = .critical }
    let (opened, writeSeconds, coder) = (opened, writeSeconds, api.parts.live.current.coder)
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [EarlyHandlers(coder: coder), WriteDeadline(seconds: writeSeconds)],
      idleTimeout: .seconds(Self.idleSeconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: Self.headLimits.field, maxHeaderListSize: Self.headLimits.all,
        maxHeaderFieldCount: Self.headLimits.fields))
    let server = try HTTPServerBuilder { responder in
      OnEventLoop(connection: HTTP1Channel(responder: responder, configuration: channel))
    }.buildServer(
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
    let (responder, date, endpoint) = (api.router().buildResponder(), HTTPDate(), api.parts.endpoint)
    return { request, writer, channel in
      let context = APIContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
      let local = endpoint.local(request)
      let former = FormerAddress(local)
      var response: Response
      do {
        response = try await responder.respond(to: former?.request ?? local, context: context)
      } catch let error as HTTPParserError {
        // The connection answers this one itself.
        throw error
      } catch {
        response = Response(status: .internalServerError)
      }
      for field in former?.headers(at: endpoint) ?? [:] { response.headers.append(field) }
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

  /// What to do about an address on which nothing can listen.
  private static func hint(_ code: Int32?) -> Advice? {
    switch code {
    case EADDRINUSE: "another program has that port; choose one with --listen"
    case EADDRNOTAVAIL:
      "this machine does not have that address; choose one that it has with --listen, or 0.0.0.0 for all"
    case EACCES: "ports below 1024 need a privilege; choose another one with --listen"
    default: nil
    }
  }

  /// Listens for a moment, so that a daemon that cannot start leaves nothing behind.
  ///
  /// - Throws: `Failure`: `cannotListen`.
  static func check(_ address: ListenAddress) async throws(Failure) {
    let bootstrap = ServerBootstrap(group: EventLoopGroupProvider.singleton.eventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    do {
      try await bootstrap.bind(host: address.host, port: address.port).get().close()
    } catch { throw failure(address, error) }
  }

  private static func failure(_ address: ListenAddress, _ error: any Error) -> Failure {
    Failure(
      .transport, .unavailable, "cannot listen on \(address.description): \(reason(error))",
      hint: hint((error as? IOError)?.errnoCode), code: .own(.cannotListen))
  }

  private static func reason(_ error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
  }

  /// It could not listen.
  private func refuse(_ error: any Error) async throws {
    switch place {
    case .address(let address): throw Self.failure(address, error)
    case .socket(let path, isOptional: false):
      throw Failure(
        .transport, .cannotCreate, "cannot listen on \(path): \(Self.reason(error))", code: .own(.cannotListen),
        path: path)
    case .socket(let path, isOptional: true):
      logger.warning("no Unix socket", metadata: ["path": "\(path)", "why": "\(Self.reason(error))"])
      try await gracefulShutdown()
    }
  }
}

/// Serves each connection on the thread of its event loop, so that a request changes threads only where its route may wait
/// for a disk (`WorkThreads`). Nothing else that a connection runs may wait.
struct OnEventLoop<Connection: ServerChildChannel>: ServerChildChannel {
  let connection: Connection

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection.Value> {
    connection.setup(channel: channel, logger: logger)
  }

  func handle(value: Connection.Value, logger: Logger) async {
    let executor = EventLoopExecutor(value.channel.eventLoop)
    await withTaskGroup(of: Void.self) { group in
      // A child, because `withTaskExecutorPreference` moves nothing until something in it changes the executor.
      group.addTask(executorPreference: executor) { await connection.handle(value: value, logger: logger) }
    }
    // The tasks of the connection have ended; they do not keep it.
    withExtendedLifetime(executor) {}
  }
}

/// Runs tasks on the thread of an event loop.
final class EventLoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// A service that ends early, without an error, when another one takes its place.
struct UntilReplaced: Service {
  let service: any Service
  let replaced: AsyncStream<Void>

  func run() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { [service] in
        try await service.run()
        return false
      }
      group.addTask { [replaced] in
        for await _ in replaced {}
        // It also ends when the task is cancelled.
        return !Task.isCancelled
      }
      let isReplaced = try await group.next() ?? false
      group.cancelAll()
      // What ends because it is replaced did not fail.
      if isReplaced { while await group.nextResult() != nil {} }
    }
  }
}

/// The `Date` of answers (RFC 9110, section 5.6.7), made once for all answers of a second, and only where there is one.
final class HTTPDate: Sendable {
  private let last = Mutex<(second: Int, text: String)>((.min, ""))

  init() {}

  func text(_ now: Timestamp) -> String {
    last.withLock { last in
      if last.second != now.secondsSinceEpoch { last = (now.secondsSinceEpoch, Self.written(now)) }
      return last.text
    }
  }

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func written(_ now: Timestamp) -> String {
    let date = now.date
    let weekday = (date.daysSinceEpoch % 7 + 7) % 7
    // 2026-01-02T03:04:05Z
    let digits = now.description
    return "\(days[weekday]), \(digits.dropFirst(8).prefix(2)) \(months[date.month - 1]) \(digits.prefix(4)) "
      + "\(digits.dropFirst(11).prefix(8)) GMT"
  }
}
