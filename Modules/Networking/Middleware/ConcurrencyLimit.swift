import Models
public import Ports
import Synchronization

/// Limits the concurrent exchanges with one host. Further requests wait in order of arrival.
public final class ConcurrencyLimit: HTTPMiddleware {
  /// A request that waits; `true` means that it may start, `false` that it was cancelled.
  private typealias Waiter = FirstResult<Bool>

  private struct Host {
    var running = 0
    var queue: [Waiter] = []
  }

  private let limit: Int
  private let hosts = Mutex<[String: Host]>([:])

  /// - Parameter perHost: exchanges, at least one, that run with each origin at the same time. Requests under a rate
  ///   budget are counted apart, with the same limit for each budget.
  public init(perHost: Int) { limit = max(1, perHost) }

  /// - Throws: `TransportError.cancelled` when cancelled while waiting, and the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let host = ConcurrencyLimit.host(of: request)
    if let waiter = acquire(host) { try await wait(for: waiter, host) }
    defer { release(host) }
    return try await next(request)
  }

  /// Requests under a rate budget may wait long for it and must not block the others, so they have slots of their own.
  @inline(never)
  private static func host(of request: HTTPRequest) -> String {
    let origin = WebAddress.origin(of: request.url) ?? ""
    return request.budget.map { "\(origin) \($0.name)" } ?? origin
  }

  /// Takes a slot; returns the place in the queue if no slot is free.
  @inline(never)
  private func acquire(_ host: String) -> Waiter? {
    hosts.withLock { hosts in
      if hosts[host, default: Host()].running < limit {
        hosts[host, default: Host()].running += 1
        return nil
      }
      let waiter = Waiter()
      hosts[host, default: Host()].queue.append(waiter)
      return waiter
    }
  }

  @inline(never)
  private func wait(for waiter: Waiter, _ host: String) async throws(TransportError) {
    let mayStart = await withTaskCancellationHandler {
      await waiter.value()
    } onCancel: {
      let isWaiting = hosts.withLock { hosts in
        guard let index = hosts[host]?.queue.firstIndex(where: { $0 === waiter }) else { return false }
        hosts[host]?.queue.remove(at: index)
        return true
      }
      if isWaiting { waiter.resolve(false) }
    }
    guard mayStart else {
      throw TransportError(.cancelled, "cancelled while waiting for a free connection", requests: 0)
    }
  }

  private func release(_ host: String) {
    let successor: Waiter? = hosts.withLock { hosts in
      guard var entry = hosts[host] else { return nil }
      if !entry.queue.isEmpty {
        // The slot passes to the first waiter directly, so that no new request can take it in between.
        let successor = entry.queue.removeFirst()
        hosts[host] = entry
        return successor
      }
      entry.running -= 1
      hosts[host] = entry.running == 0 ? nil : entry
      return nil
    }
    successor?.resolve(true)
  }
}
