/// A small HTTP/1.1 server on the loopback interface, for tests, demos and benchmarks.
///
/// It does what the handler says, including what no valid server does: broken framing, half bodies, resets, silence.
/// Every connection has a thread of its own, so that a handler or a step may wait without delaying another
/// connection; threads are reused. TLS and HTTP/2 are not supported.
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
  /// What the server accepts and keeps.
  public struct Limits: Sendable {
    /// The most bytes of request line and headers; more is answered with 431.
    public var head: Int
    /// The most bytes of a request body; more is answered with 413.
    public var body: Int
    /// How many requests ``LocalServer/requests`` keeps; the oldest go first. 0 keeps no request, for benchmarks.
    public var recorded: Int

    /// Limits; each has a usual value.
    public init(head: Int = 65_536, body: Int = 64 << 20, recorded: Int = 100_000) {
      self.head = head
      self.body = body
      self.recorded = recorded
    }
  }

  /// The port on 127.0.0.1; 0 for a server on a Unix socket.
  public let port: UInt16
  /// The path of the Unix socket, if it is one.
  public let socketPath: String?
  private let core: ServerCore
  private let listener: Int32

  /// Starts a server on 127.0.0.1.
  /// - Parameters:
  ///   - port: 0 takes a free port.
  ///   - limits: what is accepted and kept.
  ///   - handler: answers one request; called on the connection's own thread, where it may wait.
  /// - Throws: ``SocketError`` when the port is taken or the system refuses.
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

  /// Starts a server on a Unix socket.
  /// - Parameters:
  ///   - socketPath: a path of at most 107 bytes where nothing is yet; removed by ``stop()``.
  ///   - limits: what is accepted and kept.
  ///   - handler: answers one request; called on the connection's own thread, where it may wait.
  /// - Throws: ``SocketError`` when the path is taken or too long, or the system refuses.
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

  /// `http://127.0.0.1:PORT`, without a slash at the end; `http://localhost` for a Unix socket.
  public var url: String { socketPath == nil ? "http://127.0.0.1:\(port)" : "http://localhost" }

  /// The requests so far, oldest first, as many as the limits keep.
  public var requests: [ReceivedRequest] { core.change { $0.requests } }

  /// How many requests came so far, kept or not.
  public var requestCount: Int { core.change { $0.received } }

  /// How many connections were accepted so far.
  public var connectionCount: Int { core.change { $0.connections } }

  /// How many connections are open now.
  public var openConnectionCount: Int { core.change { $0.open.count + $0.waiting.count } }

  /// Forgets the requests so far; the counts go on.
  public func forgetRequests() {
    core.change { $0.requests = [] }
  }

  /// Suspends until so many requests have come since the start, or the server stops.
  public func waitForRequests(_ count: Int) async {
    await core.wait { $0.received >= count }
  }

  /// Suspends until no connection is open, or the server stops. For tests that nothing was left behind.
  public func waitForNoConnections() async {
    await core.wait { $0.open.isEmpty && $0.waiting.isEmpty }
  }

  /// Ends every connection at once, stops listening, and returns when the threads are done.
  ///
  /// Calling it again does nothing. A handler that waits for something else is given five seconds. It must not be
  /// called from a handler.
  public func stop() {
    Socket.shutDown(listener)
    core.stop(milliseconds: 5000)
    if let socketPath { Socket.remove(path: socketPath) }
  }
}
