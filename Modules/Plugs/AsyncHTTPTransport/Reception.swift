import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Ports
import Synchronization

/// Takes one answer as it comes, on the connection's own thread, refuses it as soon as it is none that may be taken, and
/// gives it to the task that waits for it.
///
/// Collecting it here, and not piece by piece in a task, spares waking another thread for each piece, and handing it over
/// here, and not by AsyncHTTPClient's future, spares waking the connection's thread to be told of the future: that cost
/// more than everything else that is done for a small answer.
final class Reception: HTTPClientResponseDelegate {
  private struct State {
    var head = HTTPResponseHead(version: .http1_1, status: .ok)
    var headers = Ports.HTTPHeaders()
    var expected: Int?
    var body: [UInt8] = []
    var isLarge = false
    var lastMove: ContinuousClock.Instant?
    var task: HTTPClient.Task<Void>?
    var outcome: Result<HTTPResponse, any Error>?
    var waiter: CheckedContinuation<HTTPResponse, any Error>?
  }

  private let call: Call
  private let state = Mutex(State())

  /// Bodies of unknown length are collected in another way beyond this many bytes.
  private static let large = 1 << 20

  init(_ call: Call) { self.call = call }

  // MARK: - The caller's side

  /// The task was started; it is kept until it ends.
  func begin(_ task: HTTPClient.Task<Void>) {
    state.withLock { state in if state.outcome == nil { state.task = task } }
  }

  /// Ends the exchange, and its connection with it.
  func fail(_ error: any Error) { state.withLock { $0.task }?.fail(reason: error) }

  /// Takes the future's word too, for ends that AsyncHTTPClient tells to nobody else.
  func watchTask() {
    state.withLock { $0.task }?.futureResult.whenFailure { self.finish(.failure($0)) }
  }

  /// When a piece was sent or received last; `nil` before the request is sent and after the end.
  var lastMove: ContinuousClock.Instant? { state.withLock { $0.lastMove } }

  /// Waits for the answer. Only one task may wait, once.
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
      state.task = nil
      state.lastMove = nil
      state.body = []
      defer { state.waiter = nil }
      // Who waits already takes it along; it is kept only for one who is still to come.
      state.outcome = state.waiter == nil ? outcome : .failure(CancellationError())
      return state.waiter
    }
    waiter?.resume(with: outcome)
  }

  // MARK: - The connection's side

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    move()
    // Where the end of a request's body cannot be sent after its answer has come, only the future is told.
    if call.hasBody { task.futureResult.whenFailure { self.finish(.failure($0)) } }
  }

  func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { move() }

  func didSendRequest(task: HTTPClient.Task<Void>) { move() }

  func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let headers = Ports.HTTPHeaders(head.headers.map { .init($0.name, $0.value) })
    do {
      let expected = try call.check(head, headers)
      let now = ContinuousClock.now
      state.withLock { state in
        state.lastMove = now
        state.head = head
        state.headers = headers
        state.expected = expected
        state.isLarge = expected != nil
        if let expected { state.body.reserveCapacity(expected) }
      }
      return task.eventLoop.makeSucceededVoidFuture()
    } catch {
      return task.eventLoop.makeFailedFuture(error)
    }
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let limit = call.bodyLimit
    let now = ContinuousClock.now
    let isTaken = state.withLock { state in
      state.lastMove = now
      let count = state.body.count + buffer.readableBytes
      guard count <= limit else { return false }
      if !state.isLarge, count > Self.large {
        // An array that grows by doubling holds three times its content while it is copied. Room for the whole limit is
        // only an address range until it is written to.
        state.body.reserveCapacity(limit)
        state.isLarge = true
      }
      buffer.withUnsafeReadableBytes { state.body.append(contentsOf: $0) }
      return true
    }
    return isTaken ? task.eventLoop.makeSucceededVoidFuture() : task.eventLoop.makeFailedFuture(call.tooLarge())
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) {
    let whole = state.withLock { state in
      defer { state.body = [] }
      return state
    }
    finish(Result { try call.response(whole.head, whole.headers, whole.body, expected: whole.expected) })
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { finish(.failure(error)) }

  private func move() {
    let now = ContinuousClock.now
    state.withLock { state in if state.outcome == nil { state.lastMove = now } }
  }
}
