public import Ports
import Synchronization

/// Lets only so many exchanges with one host run at the same time; the others wait in the order in which they came.
public final class ConcurrencyLimit: HTTPMiddleware {
  private struct Host {
    var running = 0
    var queue: [(ticket: UInt64, race: Race<Bool>)] = []
  }

  private struct State {
    var hosts: [String: Host] = [:]
    var next: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Makes the middleware; `perHost` exchanges, at least one, run with each origin, and apart from them as many under
  /// each rate budget.
  public init(perHost: Int) { limit = max(1, perHost) }

  /// Waits for a free place and passes the request on.
  ///
  /// - Throws: `TransportError.cancelled` when cancelled while waiting, and what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let host = ConcurrencyLimit.host(of: request)
    if let place = enter(host) { try await wait(for: place, host) }
    defer { leave(host) }
    return try await next(request)
  }

  /// Requests under a rate budget have places of their own: they may wait long, and must not hold up the others.
  @inline(never)
  private static func host(of request: HTTPRequest) -> String {
    let origin = WebAddress.origin(of: request.url) ?? ""
    return request.budget.map { "\(origin) \($0.name)" } ?? origin
  }

  /// Takes a place; gives one in the queue where none is free.
  @inline(never)
  private func enter(_ host: String) -> (ticket: UInt64, race: Race<Bool>)? {
    state.withLock { state in
      if state.hosts[host, default: Host()].running < limit {
        state.hosts[host, default: Host()].running += 1
        return nil
      }
      state.next += 1
      let place = (ticket: state.next, race: Race<Bool>())
      state.hosts[host, default: Host()].queue.append(place)
      return place
    }
  }

  @inline(never)
  private func wait(for place: (ticket: UInt64, race: Race<Bool>), _ host: String) async throws(TransportError) {
    let hasPlace = await withTaskCancellationHandler {
      await place.race.result()
    } onCancel: {
      let isWaiting = state.withLock { state in
        guard let index = state.hosts[host]?.queue.firstIndex(where: { $0.ticket == place.ticket }) else {
          return false
        }
        state.hosts[host]?.queue.remove(at: index)
        return true
      }
      if isWaiting { place.race.finish(false) }
    }
    guard hasPlace else {
      throw TransportError(.cancelled, "cancelled while waiting for a free connection", requests: 0)
    }
  }

  private func leave(_ host: String) {
    let successor: Race<Bool>? = state.withLock { state in
      guard var entry = state.hosts[host] else { return nil }
      if !entry.queue.isEmpty {
        // The place is handed on, so that nobody can slip in between.
        let successor = entry.queue.removeFirst().race
        state.hosts[host] = entry
        return successor
      }
      entry.running -= 1
      state.hosts[host] = entry.running == 0 ? nil : entry
      return nil
    }
    successor?.finish(true)
  }
}
