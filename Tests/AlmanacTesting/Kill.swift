import Models
public import Ports
import Synchronization

/// Counts the externally visible steps of a process and kills it at one of them. Later steps do not reach the store or
/// the server.
public final class Kill: Sendable {
  private let left: Mutex<Int?>

  /// Kills the process after `steps` more steps; never if `nil`.
  public init(after steps: Int?) { left = Mutex(steps) }

  public var isDead: Bool { left.withLock { $0 == 0 } }

  /// Whether the process is still alive to take the step.
  public func step() -> Bool {
    left.withLock { left in
      guard let count = left else { return true }
      if count > 0 { left = count - 1 }
      return left != 0
    }
  }
}

/// A store of a process that is killed before or after a commit.
public struct KilledStore: WrappedStore, LoadsAtOnce {
  public let base: any RecordStore
  let kill: Kill

  public init(inner: any RecordStore, kill: Kill) { (base, self.kill) = (inner, kill) }

  static let dead = StoreError(.cannotWrite, "the process was killed")

  /// Reads the committed state.
  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    if kill.isDead { throw Self.dead }
    return try base.snapshot()
  }

  /// Commits unless the process is killed first. It may be killed afterwards.
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    guard kill.step() else { throw Self.dead }
    let committed = try await base.write(body)
    guard kill.step() else { throw Self.dead }
    return committed
  }
}

/// A transport of a process that is killed before a request or before its response.
public struct KilledTransport: HTTPTransport {
  let inner: any HTTPTransport
  let kill: Kill

  public init(inner: any HTTPTransport, kill: Kill) {
    (self.inner, self.kill) = (inner, kill)
  }

  /// Sends unless the process is killed first. It may be killed before the response.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard kill.step() else { throw TransportError(.connectionLost, "the process was killed") }
    let response = try await inner.send(request)
    guard kill.step() else { throw TransportError(.connectionLost, "the process was killed", mayHaveArrived: true) }
    return response
  }
}

/// Observes the requests and responses of a process, and the state on which each request was based.
public final class SendWatch: Sendable {
  private struct State {
    /// Entries whose last attempt may have arrived, with the path to read before the next attempt.
    var unsure: [String: ExactString] = [:]
    var blind: String?
    /// The bases of the values that were sent, by `card/field=value`; for removals, by `card/field=removed`.
    var known: [ExactString: Set<String>] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// An entry that was sent again without a check whether it had arrived.
  public var blind: String? { state.withLock { $0.blind } }

  /// The remote values that the sender assumed when it sent `card/field=value`.
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
        // A read with a response is a check, even if the response is that there is nothing.
        if status.map({ $0 < 400 || $0 == 404 }) == true {
          state.unsure = state.unsure.filter { $0.value != path.exact }
        }
        return
      }
      // Only a refusal proves that nothing arrived. An accepted edit is never sent again.
      state.unsure[entry] = status.map { (400..<500).contains($0) } == true ? nil : path.exact
    }
  }
}

/// A transport that is observed by a `SendWatch`.
public struct WatchedTransport: HTTPTransport {
  let inner: any HTTPTransport
  let watch: SendWatch
  let store: any RecordStore
  let coder: any RecordCoder

  /// Creates a transport that reports its requests to `watch`. The content of edits is read from the outbox of `store`.
  public init(inner: any HTTPTransport, watch: SendWatch, store: any RecordStore, coder: any RecordCoder) {
    (self.inner, self.watch, self.store, self.coder) = (inner, watch, store, coder)
  }

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
      watch.heard(response.status.code, of: entry, at: path)
      return response
    } catch {
      if error.mayHaveArrived || entry == nil { watch.heard(nil, of: entry, at: path) }
      throw error
    }
  }
}
