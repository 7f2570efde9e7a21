import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Ports
import Synchronization

/// Takes one answer as it comes, on the connection's own thread, and refuses it as soon as it is none that may be taken.
///
/// Collecting it here, and not piece by piece in a task, spares waking another thread for each piece: that cost more than
/// everything else that is done for a small answer.
final class Reception: HTTPClientResponseDelegate {
  private struct State {
    var head = HTTPResponseHead(version: .http1_1, status: .ok)
    var headers = Ports.HTTPHeaders()
    var expected: Int?
    var body: [UInt8] = []
    var isLarge = false
  }

  private let call: Call
  private let state = Mutex(State())

  /// Bodies of unknown length are collected in another way beyond this many bytes.
  private static let large = 1 << 20

  init(_ call: Call) { self.call = call }

  func didReceiveHead(task: HTTPClient.Task<HTTPResponse>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    let headers = Ports.HTTPHeaders(head.headers.map { .init($0.name, $0.value) })
    do {
      let expected = try call.check(head, headers)
      state.withLock { state in
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

  func didReceiveBodyPart(task: HTTPClient.Task<HTTPResponse>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let limit = call.bodyLimit
    let isTaken = state.withLock { state in
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

  func didFinishRequest(task: HTTPClient.Task<HTTPResponse>) throws -> HTTPResponse {
    let whole = state.withLock { state in
      defer { state.body = [] }
      return state
    }
    return try call.response(whole.head, whole.headers, whole.body, expected: whole.expected)
  }
}
