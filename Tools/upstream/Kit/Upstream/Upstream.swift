import Synchronization

/// A running server that plays the App Store's charts, Flickr, users and people.
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
  /// The server beneath: its port, and the requests as they came.
  public let server: LocalServer
  private let stage: Stage

  /// Starts it.
  /// - Parameters:
  ///   - options: data and behaviour.
  ///   - observer: called after each request, on the connection's thread.
  /// - Throws: ``SocketError`` when the port or the path is taken.
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

  /// Stops it; see ``LocalServer/stop()``.
  public func stop() { server.stop() }

  /// The last requests but those of the admin addresses, oldest first.
  public var log: [LogEntry] { stage.world.withLock { $0.log.entries } }

  /// How often each fault struck, by its name.
  public var faultCounts: [String: Int] { stage.world.withLock { $0.faults.counts } }

  /// How many people the server has.
  public var peopleCount: Int { stage.world.withLock { $0.people.people.count } }

  /// The people's names in order, for tests that no person was added twice.
  public var peopleNames: [String] {
    stage.world.withLock { $0.people.people.map { "\($0.firstName) \($0.lastName)" } }
  }

  /// The ids of the owners in order; the last ones are deleted.
  public var ownerIDs: [String] { stage.world.withLock { $0.flickr.ownerIDs } }

  /// A user's name, email and description; nil for an unknown one.
  public func user(_ id: String) -> (name: String, email: String, description: String?)? {
    stage.world.withLock { world in
      world.users.users[id].map { ($0.name, $0.email, $0.description) }
    }
  }

  /// How often a user was changed, and one; nil for an unknown one.
  public func userVersion(_ id: String) -> Int? { stage.world.withLock { $0.users.users[id]?.version } }

  /// Changes a user as another client would: named fields are replaced, and the version moves.
  public func changeUser(_ id: String, name: String? = nil, email: String? = nil, description: String? = nil) {
    let fields = [("name", name), ("email", email), ("description", description)].compactMap { name, value in
      value.map { JSONValue.Field(name: name, value: .string($0)) }
    }
    stage.world.withLock { $0.users.change(id, .object(fields)) }
  }

  /// Adds a person as another client would.
  public func addPerson(_ firstName: String, _ lastName: String, birthday: String) {
    stage.world.withLock { _ = $0.people.add(firstName, lastName, .string(birthday)) }
  }

  /// Moves the charts by some days.
  public func advance(days: Int = 1) {
    stage.world.withLock { $0.day += days }
  }

  /// Replaces the scripted faults.
  public func setFaults(_ rules: [FaultRule]) {
    stage.world.withLock { $0.faults.replace(rules) }
  }

  /// Back to the state at the start; the server goes on.
  public func reset() {
    stage.world.withLock { $0 = World(options: $0.options) }
  }
}
