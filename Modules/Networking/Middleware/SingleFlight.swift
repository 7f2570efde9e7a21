import Models
public import Ports
import Synchronization

/// Merges equal requests that are in progress at the same time into one exchange.
///
/// Requests are equal if all their properties are, including headers, validator and limits. Only GET and HEAD without a
/// body are merged. A caller that is cancelled leaves immediately. The last one cancels the exchange and waits for its end, so
/// that its error counts the requests that were sent.
public final class SingleFlight: HTTPMiddleware {
  private typealias Outcome = Result<HTTPResponse, TransportError>

  private final class Exchange: Sendable {
    struct State {
      var waiters: [FirstResult<Outcome>]
      var task: Task<Void, Never>?
      var isAbandoned = false
    }

    let identity: RequestIdentity
    let state: Mutex<State>

    init(_ identity: RequestIdentity, _ first: FirstResult<Outcome>) {
      self.identity = identity
      state = Mutex(State(waiters: [first]))
    }
  }

  /// The exchanges that can be joined. Lock order: this lock first, then the state of an exchange.
  private let exchanges = Mutex<[RequestIdentity: Exchange]>([:])

  /// Creates the middleware. Requests through the same instance are merged.
  public init() {}

  /// - Throws: the error of the shared exchange; `TransportError.cancelled` when this task is cancelled.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    guard request.method == .get || request.method == .head, request.body == nil else { return try await next(request) }
    let waiter = FirstResult<Outcome>()
    let exchange = join(request, waiter, next)
    let outcome = await withTaskCancellationHandler {
      await waiter.value()
    } onCancel: {
      leave(exchange, waiter)
    }
    return try outcome.get()
  }

  @inline(never)
  private func join(_ request: HTTPRequest, _ waiter: FirstResult<Outcome>, _ next: @escaping HTTPNext) -> Exchange {
    let identity = RequestIdentity(request)
    let (exchange, isNew) = exchanges.withLock { exchanges in
      if let exchange = exchanges[identity] {
        exchange.state.withLock { $0.waiters.append(waiter) }
        return (exchange, false)
      }
      let exchange = Exchange(identity, waiter)
      exchanges[identity] = exchange
      return (exchange, true)
    }
    if isNew { start(exchange, request, next) }
    return exchange
  }

  private func start(_ exchange: Exchange, _ request: HTTPRequest, _ next: @escaping HTTPNext) {
    let work: @Sendable () async -> Void = {
      let outcome: Outcome
      do throws(TransportError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
      self.finish(exchange, outcome)
    }
    let task: Task<Void, Never>
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // An immediate task starts on this thread and wakes no other one.
      task = .immediate { await work() }
    } else {
      task = Task { await work() }
    }
    // The only waiter may have been cancelled before this line.
    let isAbandoned = exchange.state.withLock { state in
      if !state.waiters.isEmpty { state.task = task }
      return state.isAbandoned
    }
    if isAbandoned { task.cancel() }
  }

  private func finish(_ exchange: Exchange, _ outcome: Outcome) {
    var waiters = exchanges.withLock { exchanges in
      if exchanges[exchange.identity] === exchange { exchanges[exchange.identity] = nil }
      return exchange.state.withLock { state in
        defer { state = Exchange.State(waiters: []) }
        return state.waiters
      }
    }
    // Only one caller's response counts the requests that were sent, so that reports do not count them twice.
    guard let first = waiters.popLast() else { return }

    for waiter in waiters { waiter.resolve(outcome.withoutRequests) }
    first.resolve(outcome)
  }

  private func leave(_ exchange: Exchange, _ waiter: FirstResult<Outcome>) {
    let isLast = exchanges.withLock { exchanges in
      exchange.state.withLock { state -> Bool? in
        // After the end of the exchange, the waiter gets its outcome.
        guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return nil }
        guard state.waiters.count == 1 else {
          state.waiters.remove(at: index)
          return false
        }
        if exchanges[exchange.identity] === exchange { exchanges[exchange.identity] = nil }
        state.isAbandoned = true
        // The last one waits for the end of the exchange, which says how many requests were sent.
        state.task?.cancel()
        return true
      }
    }
    guard isLast == false else { return }
    waiter.resolve(.failure(TransportError(.cancelled, "cancelled", mayHaveArrived: false, requests: 0)))
  }
}

/// A request as a dictionary key whose hash is computed once.
private struct RequestIdentity: Hashable {
  private let request: HTTPRequest
  private let digest: Int

  init(_ request: HTTPRequest) {
    self.request = request
    digest = request.hashValue
  }

  static func == (lhs: RequestIdentity, rhs: RequestIdentity) -> Bool {
    lhs.digest == rhs.digest && lhs.request == rhs.request
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
