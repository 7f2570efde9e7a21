/// A small HTTP/1.1 server on the loopback interface, for tests, demos and benchmarks.
///
/// It sends exactly what the handler returns, including what a valid server never sends: broken framing, partial
/// bodies, resets, silence. Every connection has a thread of its own, so that a handler or a step may block without
/// delaying other connections; threads are reused. TLS and HTTP/2 are not supported.
///
/// ```swift
/// let server = try LocalServer { request in
///   request.path == "/people" ? .json("[]") : .json("{}", status: 404)
/// }
/// defer { server.stop() }
/// // … call server.url + "/people" …
/// #expect(server.requests.map(\.target) == ["/people"])
/// ```
public final class LocalServer: Sendable {
  public struct Limits: Sendable {
    /// The maximum size of the request line and headers in bytes; larger ones get 431.
    public var head: Int
    /// The maximum size of a request body in bytes; a larger one gets 413.
    public var body: Int
    /// The number of requests that ``LocalServer/requests`` keeps; the oldest are dropped. 0 keeps none, for
    /// benchmarks.
    public var recorded: Int

    public init(head: Int = 65_536, body: Int = 64 << 20, recorded: Int = 100_000) {
      (self.head, self.body, self.recorded) = (head, body, recorded)
    }
  }

  /// The port on 127.0.0.1; 0 for a server on a Unix socket.
  public let port: UInt16
  /// The path of the Unix socket, if it uses one.
  public let socketPath: String?
  private let core: ServerCore
  private let listener: Int32

  /// Starts a server on 127.0.0.1; port 0 chooses a free one. The handler is called on the thread of the connection, where
  /// it may block.
  /// - Throws: ``SocketError`` if the port is in use or a system call fails.
  public init(
    port: UInt16 = 0, limits: Limits = Limits(), handler: @escaping @Sendable (ReceivedRequest) -> Reply
  ) throws {
    let socket = try Socket.listen(port: port)
    self.port = socket.port
    socketPath = nil
    listener = socket.descriptor
    core = ServerCore(limits: limits, handler: handler)
    try start()
  }

  /// Starts a server on a Unix socket, an unused path of at most 107 bytes, which ``stop()`` removes.
  /// - Throws: ``SocketError`` if the path is in use or too long, or a system call fails.
  public init(
    socketPath: String, limits: Limits = Limits(), handler: @escaping @Sendable (ReceivedRequest) -> Reply
  ) throws {
    listener = try Socket.listen(path: socketPath)
    port = 0
    self.socketPath = socketPath
    core = ServerCore(limits: limits, handler: handler)
    try start()
  }

  private func start() throws {
    let core = core
    let listener = listener
    if !startThread({ core.acceptAll(listener) }) {
      Socket.closeListener(listener)
      core.change {
        $0.accepting = false
        $0.stopped = true
      }
      throw SocketError(call: "pthread_create", code: 11)
    }
  }

  deinit {
    stop()
    Socket.closeListener(listener)
  }

  /// `http://127.0.0.1:PORT`, without a trailing slash; `http://localhost` for a Unix socket.
  public var url: String { socketPath == nil ? "http://127.0.0.1:\(port)" : "http://localhost" }

  /// The requests so far, oldest first, up to the limit.
  public var requests: [ReceivedRequest] { core.change { $0.requests } }

  /// The number of requests so far, including those that were dropped.
  public var requestCount: Int { core.change { $0.received } }

  /// The number of connections accepted so far.
  public var connectionCount: Int { core.change { $0.connections } }

  public var openConnectionCount: Int { core.change { $0.open.count + $0.waiting.count } }

  /// Drops the requests so far; the counts are kept.
  public func forgetRequests() { core.change { $0.requests = [] } }

  /// Suspends until the number of requests since the start has been received, or the server stops.
  public func waitForRequests(_ count: Int) async { await core.wait { $0.received >= count } }

  /// Suspends until no connection is open, or the server stops. For tests that everything was closed.
  public func waitForNoConnections() async { await core.wait { $0.open.isEmpty && $0.waiting.isEmpty } }

  /// Closes all connections, stops listening, and returns when the threads have ended.
  ///
  /// Further calls have no effect. A handler that is blocked gets five seconds to return. This method must not be
  /// called from a handler.
  public func stop() {
    Socket.shutDown(listener)
    core.stop(milliseconds: 5000)
    if let socketPath { Socket.remove(path: socketPath) }
  }
}
