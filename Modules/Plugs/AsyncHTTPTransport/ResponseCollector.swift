import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Ports
import Synchronization

/// Collects one response on its connection's event loop, rejects it early, and resumes the task that waits for it.
///
/// Collecting pieces here wakes no other thread for each piece. Resuming the task here instead of through
/// AsyncHTTPClient's future avoids another wake-up of the event loop, which would cost more than everything else that
/// is done for a small response.
final class ResponseCollector: HTTPClientResponseDelegate {
  private struct State {
    var head = HTTPResponseHead(version: .http1_1, status: .ok)
    var headers = Ports.HTTPHeaders()
    var expected: Int?
    var body: [UInt8] = []
    var isLarge = false
    var lastActivity: ContinuousClock.Instant?
    var task: HTTPClient.Task<Void>?
    var outcome: Result<HTTPResponse, any Error>?
    var waiter: CheckedContinuation<HTTPResponse, any Error>?
  }

  private let request: InFlightRequest
  private let state = Mutex(State())

  /// The size in bytes from which a body of unknown length gets the memory for the largest allowed body.
  private static let large = 1 << 20

  init(_ request: InFlightRequest) { self.request = request }

  // MARK: - Called by the waiting task

  func begin(_ task: HTTPClient.Task<Void>) {
    state.withLock { state in if state.outcome == nil { state.task = task } }
  }

  /// Ends the exchange and closes its connection.
  func fail(_ error: any Error) { state.withLock { $0.task }?.fail(reason: error) }

  /// Also observes the task's future, which reports some failures that the delegate does not get.
  func observeTask() { state.withLock { $0.task }?.futureResult.whenFailure { self.finish(.failure($0)) } }

  /// The time of the last piece sent or received; `nil` before the request is sent and after the end.
  var lastActivity: ContinuousClock.Instant? { state.withLock { $0.lastActivity } }

  /// Waits for the response. Only one task may wait, once.
  func response() async throws -> HTTPResponse {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }

  private func finish(_ outcome: Result<HTTPResponse, any Error>) {
    let waiter = state.withLock { state in
      guard state.outcome == nil else { return CheckedContinuation<HTTPResponse, any Error>?.none }
      (state.task, state.lastActivity, state.body) = (nil, nil, [])
      defer { state.waiter = nil }
      // A task that already waits gets the outcome; it is kept only for one that is still to come.
      state.outcome = state.waiter == nil ? outcome : .failure(CancellationError())
      return state.waiter
    }
    waiter?.resume(with: outcome)
  }

  // MARK: - Called by AsyncHTTPClient

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    noteActivity()
    // When the rest of a request body cannot be sent after its response came, only the future reports it.
    if request.hasBody { task.futureResult.whenFailure { self.finish(.failure($0)) } }
  }

  func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { noteActivity() }

  func didSendRequest(task: HTTPClient.Task<Void>) { noteActivity() }

  func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let headers = Ports.HTTPHeaders(head.headers.map { .init($0.name, $0.value) })
    do {
      let expected = try request.check(head, headers)
      let now = ContinuousClock.now
      state.withLock { state in
        (state.head, state.headers, state.expected) = (head, headers, expected)
        (state.lastActivity, state.isLarge) = (now, expected != nil)
        if let expected { state.body.reserveCapacity(expected) }
      }
      return task.eventLoop.makeSucceededVoidFuture()
    } catch { return task.eventLoop.makeFailedFuture(error) }
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let limit = request.bodyLimit
    let now = ContinuousClock.now
    var (count, expected): (Int, Int?) = (0, nil)
    let isAccepted = state.withLock { state in
      state.lastActivity = now
      count = state.body.count + buffer.readableBytes
      expected = state.expected
      guard count <= limit else { return false }
      if !state.isLarge, count > Self.large {
        // An array that grows by doubling occupies three times its content while it is copied. Capacity for the whole
        // limit is only address space until it is written to.
        state.body.reserveCapacity(limit)
        state.isLarge = true
      }
      buffer.withUnsafeReadableBytes { state.body.append(contentsOf: $0) }
      return true
    }
    guard isAccepted else { return task.eventLoop.makeFailedFuture(request.tooLarge()) }
    request.report(count, of: expected)
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) {
    let whole = state.withLock { state in
      defer { state.body = [] }
      return state
    }
    finish(Result { try request.response(whole.head, whole.headers, whole.body, expected: whole.expected) })
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { finish(.failure(error)) }

  private func noteActivity() {
    let now = ContinuousClock.now
    state.withLock { state in if state.outcome == nil { state.lastActivity = now } }
  }
}
