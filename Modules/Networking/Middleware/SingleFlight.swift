public import Ports
import Synchronization

/// Lets equal requests at the same time become one.
///
/// Equal is: the same in everything, headers, validator and limits included; and only GET and HEAD without a body are
/// joined. A waiter that is cancelled leaves at once; the exchange itself is cancelled when nobody waits any more.
public final class SingleFlight: HTTPMiddleware {
  private typealias Answer = Result<HTTPResponse, TransportError>

  private struct Flight {
    var number: UInt64
    var waiters: [UInt64: Race<Answer>] = [:]
    var task: Task<Void, Never>?

    /// One more waits; gives the flight's number, which is that of its first waiter.
    mutating func join(_ race: Race<Answer>, as waiter: UInt64) -> UInt64 {
      waiters[waiter] = race
      return number
    }
  }

  private struct State {
    var flights: [RequestIdentity: Flight] = [:]
    var next: UInt64 = 0
  }

  private let state = Mutex(State())

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
    let identity = RequestIdentity(request)
    let (flight, waiter) = state.withLock { state in
      state.next += 1
      let waiter = state.next
      let flight = state.flights[identity, default: Flight(number: waiter)].join(race, as: waiter)
      return (flight, waiter)
    }
    if flight == waiter { start(request, identity, flight: flight, next: next) }
    let answer = await withTaskCancellationHandler {
      await race.result()
    } onCancel: {
      leave(identity, flight: flight, waiter: waiter)
    }
    return try answer.get()
  }

  private func start(
    _ request: HTTPRequest, _ identity: RequestIdentity, flight: UInt64, next: @escaping HTTPNext
  ) {
    // It begins on this thread: no other one has to be woken for it.
    let task = Task.immediate {
      let answer: Answer
      do throws(TransportError) { answer = .success(try await next(request)) } catch { answer = .failure(error) }
      land(identity, flight: flight, answer)
    }
    // The only waiter may have left between its arrival and this line: then the flight is gone, and the task with it.
    let isWanted = state.withLock { state in
      guard state.flights[identity]?.number == flight else { return false }
      state.flights[identity]?.task = task
      return true
    }
    if !isWanted { task.cancel() }
  }

  private func land(_ identity: RequestIdentity, flight: UInt64, _ answer: Answer) {
    let waiters: [Race<Answer>] = state.withLock { state in
      guard let found = state.flights[identity], found.number == flight else { return [] }
      state.flights[identity] = nil
      return Array(found.waiters.values)
    }
    for (index, waiter) in waiters.enumerated() {
      // One of them answers for the requests that were made, so that reports do not count them twice.
      waiter.finish(index == 0 ? answer : answer.map(SingleFlight.shared).mapError(SingleFlight.shared))
    }
  }

  private func leave(_ identity: RequestIdentity, flight: UInt64, waiter: UInt64) {
    let (race, orphan): (Race<Answer>?, Task<Void, Never>?) = state.withLock { state in
      guard state.flights[identity]?.number == flight else { return (nil, nil) }
      let race = state.flights[identity]?.waiters.removeValue(forKey: waiter)
      guard state.flights[identity]?.waiters.isEmpty == true else { return (race, nil) }
      return (race, state.flights.removeValue(forKey: identity)?.task)
    }
    orphan?.cancel()
    race?.finish(.failure(TransportError(.cancelled, "cancelled", mayHaveArrived: false, requests: 0)))
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
