import Synchronization

/// A running server that simulates the App Store's charts, Flickr, users and people.
///
/// ```swift
/// var options = UpstreamOptions()
/// options.people = 3
/// options.faults = [FaultRule(.lostReply, method: "POST", path: "/people")]
/// let upstream = try Upstream(options)
/// defer { upstream.stop() }
/// // … a client of upstream.url …
/// #expect(upstream.peopleCount == 4)
/// ```
public final class Upstream: Sendable {
  /// The underlying server, with its port and the received requests.
  public let server: LocalServer
  private let stage: Stage

  /// Starts the server.
  /// - Parameters:
  ///   - options: the data and the behaviour.
  ///   - observer: called after each request, on the thread of the connection.
  /// - Throws: ``SocketError`` if the port or the path is in use.
  public init(_ options: UpstreamOptions = UpstreamOptions(), observer: (@Sendable (LogEntry) -> Void)? = nil) throws {
    let stage = Stage(options, observer)
    self.stage = stage
    let limits = LocalServer.Limits(recorded: options.recordedRequests)
    if let path = options.socketPath {
      server = try LocalServer(socketPath: path, limits: limits) { stage.reply(to: $0) }
    } else {
      server = try LocalServer(port: options.port, limits: limits) { stage.reply(to: $0) }
    }
  }

  /// `http://127.0.0.1:PORT`
  public var url: String { server.url }

  /// Stops the server; see ``LocalServer/stop()``.
  public func stop() { server.stop() }

  /// The latest requests except those of the admin URLs, oldest first.
  public var log: [LogEntry] { stage.world.withLock { $0.log.entries } }

  /// The number of applied faults by name.
  public var faultCounts: [String: Int] { stage.world.withLock { $0.faults.counts } }

  public var peopleCount: Int { stage.world.withLock { $0.people.people.count } }

  /// The names of the people in order, for tests that no person was added twice.
  public var peopleNames: [String] {
    stage.world.withLock { $0.people.people.map { "\($0.firstName) \($0.lastName)" } }
  }

  /// The name, email and description of a user; nil for an unknown one.
  public func user(_ id: String) -> (name: String, email: String, description: String?)? {
    stage.world.withLock { world in
      world.users.users[id].map { ($0.name, $0.email, $0.description) }
    }
  }

  /// The number of changes of a user, plus one; nil for an unknown one.
  public func userVersion(_ id: String) -> Int? { stage.world.withLock { $0.users.users[id]?.version } }

  /// Changes a user like another client: the given fields are replaced, and the version increases.
  public func changeUser(_ id: String, name: String? = nil, email: String? = nil) {
    let fields = [("name", name), ("email", email)].compactMap { name, value in
      value.map { JSONValue.Field(name: name, value: .string($0)) }
    }
    stage.world.withLock { $0.users.change(id, .object(fields)) }
  }

  public func setFaults(_ rules: [FaultRule]) { stage.world.withLock { $0.faults.replace(rules) } }
}
