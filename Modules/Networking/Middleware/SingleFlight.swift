public import Ports
import Synchronization

/// Lets equal requests at the same time become one.
///
/// Equal is: the same in everything, headers, validator and limits included; and only GET and HEAD without a body are
/// joined. A waiter that is cancelled leaves at once; the exchange itself is cancelled when nobody waits any more.
public final class SingleFlight: HTTPMiddleware {
  private typealias Answer = Result<HTTPResponse, TransportError>

  /// One exchange, and who waits for it.
  private final class Flight: Sendable {
    let identity: RequestIdentity
    let state: Mutex<(waiters: [Race<Answer>], task: Task<Void, Never>?)>

    init(_ identity: RequestIdentity, _ first: Race<Answer>) {
      self.identity = identity
      state = Mutex(([first], nil))
    }
  }

  /// Those that may still be joined. A flight's own state is looked at inside of this lock, never the other way round.
  private let flights = Mutex<[RequestIdentity: Flight]>([:])

  /// Makes the middleware; requests that go through the same one are joined.
  public init() {}

  /// Starts an exchange or joins one.
  ///
  /// - Throws: what the shared exchange throws; `TransportError.cancelled` when this task is cancelled.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    guard request.method == .get || request.method == .head, request.body == nil else { return try await next(request) }
    let race = Race<Answer>()
    let flight = board(request, race, next)
    let answer = await withTaskCancellationHandler {
      await race.result()
    } onCancel: {
      leave(flight, race)
    }
    return try answer.get()
  }

  @inline(never)
  private func board(_ request: HTTPRequest, _ race: Race<Answer>, _ next: @escaping HTTPNext) -> Flight {
    let identity = RequestIdentity(request)
    let (flight, isNew) = flights.withLock { flights in
      if let flight = flights[identity] {
        flight.state.withLock { $0.waiters.append(race) }
        return (flight, false)
      }
      let flight = Flight(identity, race)
      flights[identity] = flight
      return (flight, true)
    }
    if isNew { start(flight, request, next) }
    return flight
  }

  private func start(_ flight: Flight, _ request: HTTPRequest, _ next: @escaping HTTPNext) {
    // It begins on this thread: no other one has to be woken for it.
    let task = Task.immediate {
      let answer: Answer
      do throws(TransportError) { answer = .success(try await next(request)) } catch { answer = .failure(error) }
      land(flight, answer)
    }
    // The only waiter may have left between its arrival and this line.
    let isWanted = flight.state.withLock { state in
      if !state.waiters.isEmpty { state.task = task }
      return !state.waiters.isEmpty
    }
    if !isWanted { task.cancel() }
  }

  private func land(_ flight: Flight, _ answer: Answer) {
    var waiters = flights.withLock { flights in
      if flights[flight.identity] === flight { flights[flight.identity] = nil }
      return flight.state.withLock { state in
        defer { state = ([], nil) }
        return state.waiters
      }
    }
    // One of them answers for the requests that were made, so that reports do not count them twice.
    guard let first = waiters.popLast() else { return }
    if !waiters.isEmpty {
      let shared = answer.map(SingleFlight.shared).mapError(SingleFlight.shared)
      for waiter in waiters { waiter.finish(shared) }
    }

    first.finish(answer)
  }

  private func leave(_ flight: Flight, _ race: Race<Answer>) {
    let (isWaiting, orphan) = flights.withLock { flights in
      flight.state.withLock { state -> (Bool, Task<Void, Never>?) in
        // Whoever has landed gets the answer.
        guard let index = state.waiters.firstIndex(where: { $0 === race }) else { return (false, nil) }
        state.waiters.remove(at: index)
        guard state.waiters.isEmpty else { return (true, nil) }
        if flights[flight.identity] === flight { flights[flight.identity] = nil }
        return (true, state.task)
      }
    }
    orphan?.cancel()
    guard isWaiting else { return }
    race.finish(.failure(TransportError(.cancelled, "cancelled", mayHaveArrived: false, requests: 0)))
  }

  private static func shared(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.requests = 0
    return response
  }

  private static func shared(_ error: TransportError) -> TransportError {
    var error = error
    error.requests = 0
    return error
  }
}
