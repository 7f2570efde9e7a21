import Hummingbird

/// What travels with a request: also its connection, which can be closed when a client takes too long.
struct APIContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the other side of the connection; `nil` on a Unix socket.
  let peer: String?
  private let connectionTimeout: @Sendable (Int64) -> ConnectionTimer

  /// The context of one request.
  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    let channel = source.channel
    peer = channel.remoteAddress?.ipAddress
    connectionTimeout = { seconds in
      let task = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
      return ConnectionTimer { task.cancel() }
    }
  }

  /// Closes the connection after a while unless the answer is there before.
  func close(after seconds: Int64) -> ConnectionTimer { connectionTimeout(seconds) }
}

/// Closes a connection unless it is cancelled in time.
struct ConnectionTimer: Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// The connection stays.
  func cancel() { stop() }
}
