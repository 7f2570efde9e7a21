import Models
public import Ports
import Synchronization

/// Counts the steps of a process towards the outside, and ends it at one of them: nothing that it does afterwards
/// reaches the store or the server.
public final class Kill: Sendable {
  private let left: Mutex<Int?>

  /// Ends the process at the step after `steps` more; never where absent.
  public init(after steps: Int?) { left = Mutex(steps) }

  /// Whether it was ended.
  public var isDead: Bool { left.withLock { $0 == 0 } }

  /// Whether the step is still taken.
  public func step() -> Bool {
    left.withLock { left in
      guard let count = left else { return true }
      if count > 0 { left = count - 1 }
      return left != 0
    }
  }
}

/// A store whose process is killed before or after a commit.
public struct KilledStore: RecordStore {
  let inner: any RecordStore
  let kill: Kill

  /// A process's view of a store.
  public init(inner: any RecordStore, kill: Kill) {
    self.inner = inner
    self.kill = kill
  }

  static let dead = StoreError(.cannotWrite, "the process was killed")

  /// What is committed.
  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    if kill.isDead { throw Self.dead }
    return try inner.snapshot()
  }

  /// Commits, unless the process ends before; it may end after.
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    guard kill.step() else { throw Self.dead }
    let committed = try await inner.write(body)
    guard kill.step() else { throw Self.dead }
    return committed
  }

  /// The feed.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    try inner.changes(since: cursor, limit: limit)
  }
}

/// A transport whose process is killed before a request, or before its answer.
public struct KilledTransport: HTTPTransport {
  let inner: any HTTPTransport
  let kill: Kill

  /// A process's way to the network.
  public init(inner: any HTTPTransport, kill: Kill) {
    self.inner = inner
    self.kill = kill
  }

  /// Sends, unless the process ends before; it may end before the answer.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard kill.step() else { throw TransportError(.connectionLost, "the process was killed") }
    let response = try await inner.send(request)
    guard kill.step() else { throw TransportError(.connectionLost, "the process was killed", mayHaveArrived: true) }
    return response
  }
}
