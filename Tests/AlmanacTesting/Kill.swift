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

/// Sees what a process sends and what it hears, and what it knew when it sent.
public final class SendWatch: Sendable {
  private struct State {
    /// Entries whose last try may have arrived, with the path that must be read before the next one.
    var unsure: [String: ExactString] = [:]
    var blind: String?
    /// The bases on which values were sent, by `card/field=value`; of removals, by `card/field=removed`.
    var known: [ExactString: Set<String>] = [:]
  }

  private let state = Mutex(State())

  /// Nothing seen yet.
  public init() {}

  /// An entry that was sent again although nobody had looked whether it had arrived.
  public var blind: String? { state.withLock { $0.blind } }

  /// What the sender took for the remote's value when it sent `card/field=value`.
  public func known(_ sent: String) -> Set<String> { state.withLock { $0.known[sent.exact] ?? [] } }

  fileprivate func willSend(_ entry: String, _ edit: OutboxEntry?) {
    state.withLock { state in
      if state.unsure[entry] != nil { state.blind = entry }
      if let edit, edit.kind == .delete {
        for member in edit.base.members {
          guard let value = member.value.string else { continue }
          state.known["\(edit.targetID)/\(member.key)=removed".exact, default: []].insert(value)
        }
      }
      for member in edit?.edit.members ?? [] {
        guard let value = member.value.string, let base = edit?.base[member.key]?.string, let edit else { continue }
        state.known["\(edit.targetID)/\(member.key)=\(value)".exact, default: []].insert(base)
      }
    }
  }

  fileprivate func heard(_ status: Int?, of entry: String?, at path: String) {
    state.withLock { state in
      guard let entry else {
        // A read whose answer arrives is a look, and so is the answer that there is nothing.
        if status.map({ $0 < 400 || $0 == 404 }) == true {
          state.unsure = state.unsure.filter { $0.value != path.exact }
        }
        return
      }
      // Only a refusal says for sure that nothing arrived. An edit that was accepted is never sent again.
      state.unsure[entry] = status.map { (400..<500).contains($0) } == true ? nil : path.exact
    }
  }
}

/// A transport under watch.
public struct WatchedTransport: HTTPTransport {
  let inner: any HTTPTransport
  let watch: SendWatch
  let store: any RecordStore
  let coder: any RecordCoder

  /// A transport whose requests `watch` sees; what they send is read from the outbox of `store`.
  public init(inner: any HTTPTransport, watch: SendWatch, store: any RecordStore, coder: any RecordCoder) {
    self.inner = inner
    self.watch = watch
    self.store = store
    self.coder = coder
  }

  /// Sends.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let path = String(request.url.prefix { $0 != "?" })
    let entry = request.headers["Idempotency-Key"] ?? request.headers["X-Entry"]
    if let entry {
      let bytes = try? store.snapshot().record(.outbox, entry)
      let fields = bytes.flatMap { try? coder.decode($0) }
      watch.willSend(entry, fields.flatMap { try? OutboxEntry(fields: $0) })
    }
    do {
      let response = try await inner.send(request)
      watch.heard(response.status, of: entry, at: path)
      return response
    } catch {
      if error.mayHaveArrived || entry == nil { watch.heard(nil, of: entry, at: path) }
      throw error
    }
  }
}
