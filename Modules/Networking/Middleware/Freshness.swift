public import Ports
import Synchronization

/// Answers again what a server called fresh (`max-age`), and, while the server fails, what it allowed for that
/// (`stale-if-error`); RFC 9111 and RFC 5861. A private cache in memory, bounded in bytes.
///
/// Kept are whole 200 answers to GET without conditions, and not those that vary by more than the coding.
public final class Freshness: HTTPMiddleware {
  private struct Entry {
    var response: HTTPResponse
    var storedAt: Duration
    var age: Int
    var control: CacheControl
    var used: UInt64
  }

  private struct State {
    var entries: [RequestIdentity: Entry] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  private let capacity: Int
  private let time: any TimeSource
  private let state = Mutex(State())

  /// Makes the middleware.
  ///
  /// - Parameters:
  ///   - capacity: bytes of bodies that are kept at most.
  ///   - time: the clock.
  public init(capacity: Int = 16 << 20, time: any TimeSource) {
    self.capacity = capacity
    self.time = time
  }

  /// Answers from memory or passes on. An answer from memory has `requests` 0.
  ///
  /// - Throws: what `next` throws, where nothing may stand in for it.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    guard request.method == .get, request.body == nil, request.validator == nil,
      request.headers["Range"] == nil, request.headers["Cache-Control"] == nil
    else { return try await next(request) }
    let identity = RequestIdentity(request)
    let kept = state.withLock { state -> Entry? in
      state.clock += 1
      state.entries[identity]?.used = state.clock
      return state.entries[identity]
    }
    if let kept, age(kept) < kept.control.maxAge ?? 0, !kept.control.mustRevalidate { return again(kept, requests: 0) }
    do {
      let response = try await next(request)
      if [500, 502, 503, 504].contains(response.status), let kept, mayStandIn(kept) {
        return again(kept, requests: response.requests)
      }
      keep(response, for: identity)
      return response
    } catch {
      if error.code != .cancelled, let kept, mayStandIn(kept) { return again(kept, requests: error.requests) }
      throw error
    }
  }

  private func age(_ entry: Entry) -> Int { entry.age + Int((time.uptime - entry.storedAt).components.seconds) }

  private func mayStandIn(_ entry: Entry) -> Bool {
    guard let extra = entry.control.staleIfError else { return false }
    return age(entry) < (entry.control.maxAge ?? 0) + extra
  }

  private func again(_ entry: Entry, requests: Int) -> HTTPResponse {
    var response = entry.response
    response.requests = requests
    response.headers["Age"] = String(age(entry))
    return response
  }

  private func keep(_ response: HTTPResponse, for identity: RequestIdentity) {
    let control = CacheControl(response.headers.values("Cache-Control"))
    let vary = response.headers.values("Vary").joined(separator: ",").split(separator: ",")
    let isKept =
      response.status == 200 && !control.forbidsStoring && (control.maxAge ?? 0) + (control.staleIfError ?? 0) > 0
      && response.body.count <= capacity / 4
      && vary.allSatisfy { String($0).trimmingHTTPSpace().lowercased() == "accept-encoding" }
    let age = response.headers["Age"].flatMap { Int($0.trimmingHTTPSpace()) } ?? 0
    let now = time.uptime
    state.withLock { state in
      if let old = state.entries.removeValue(forKey: identity) { state.bytes -= old.response.body.count }
      guard isKept else { return }
      state.bytes += response.body.count
      state.entries[identity] = Entry(
        response: response, storedAt: now, age: max(0, age), control: control, used: state.clock)
      while state.bytes > capacity || state.entries.count > 10_000,
        let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key
      {
        state.bytes -= state.entries.removeValue(forKey: oldest)?.response.body.count ?? 0
      }
    }
  }
}
