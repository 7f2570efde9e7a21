import Models
import Ports
import Synchronization

/// Counts one follow's requests and bytes on their way, and keeps a few answers to look at.
final class MeteringTransport: HTTPTransport {
  private struct State {
    var requests = 0
    var bytes = 0
    var samples = AnswerSamples()
  }

  private let inner: any HTTPTransport
  private let state = Mutex(State())

  private let isSampling: Bool

  init(_ inner: any HTTPTransport, isSampling: Bool = false) {
    self.inner = inner
    self.isSampling = isSampling
  }

  /// Requests that were sent, every try counted.
  var requests: Int { state.withLock { $0.requests } }
  /// Bytes of bodies received, decoded.
  var bytes: Int { state.withLock { $0.bytes } }
  /// Some of the answers.
  var samples: [[UInt8]] { state.withLock { $0.samples.bodies } }

  var limitations: Set<TransportLimitation> { inner.limitations }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    do {
      let response = try await inner.send(request)
      state.withLock {
        $0.requests += response.requests
        $0.bytes += response.body.count
        if isSampling { $0.samples.take(response) }
      }
      return response
    } catch {
      state.withLock { $0.requests += error.requests }
      throw error
    }
  }
}
