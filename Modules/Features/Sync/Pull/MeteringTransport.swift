import Models
import Ports
import Synchronization

/// Counts the requests and bytes of one follow, keeps some responses for the comparison of shapes, and sends the request of the
/// next page while one is read.
final class MeteringTransport: HTTPTransport {
  private struct State {
    var requests = 0
    var bytes = 0
    var samples = AnswerSamples()
    var expected: Expected?
  }

  private struct Expected {
    var request: HTTPRequest
    var answer: Task<Result<HTTPResponse, TransportError>, Never>
  }

  private let inner: any HTTPTransport
  private let state = Mutex(State())

  private let isSampling: Bool

  init(_ inner: any HTTPTransport, isSampling: Bool = false) {
    (self.inner, self.isSampling) = (inner, isSampling)
  }

  /// Requests sent, including retries.
  var requests: Int { state.withLock { $0.requests } }
  /// Bytes of received bodies after decoding.
  var bytes: Int { state.withLock { $0.bytes } }
  var samples: [[UInt8]] { state.withLock { $0.samples.bodies } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let expected = takeExpected() else { return try await exchange(request) }
    guard expected.request == request else {
      expected.answer.cancel()
      return try await exchange(request)
    }
    return try await withTaskCancellationHandler {
      await expected.answer.value
    } onCancel: {
      expected.answer.cancel()
    }.get()
  }

  /// Sends a request before it is asked for. One at a time: an earlier one that was not asked for is cancelled.
  func expect(_ request: HTTPRequest) {
    let answer = Task { () -> Result<HTTPResponse, TransportError> in
      do throws(TransportError) { return .success(try await exchange(request)) } catch { return .failure(error) }
    }
    state.withLock { state in
      state.expected?.answer.cancel()
      state.expected = Expected(request: request, answer: answer)
    }
  }

  /// Ends what was not asked for.
  func end() async {
    guard let expected = takeExpected() else { return }
    expected.answer.cancel()
    _ = await expected.answer.value
  }

  private func takeExpected() -> Expected? {
    state.withLock { state in
      defer { state.expected = nil }
      return state.expected
    }
  }

  private func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
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

/// The responses of one pull whose shapes are compared: the first one, which is usually a list, and small ones, which
/// are usually about its records.
struct AnswerSamples {
  /// The maximum size of a small response in bytes.
  private static let small = 16 << 10
  /// The maximum size of the first response in bytes.
  private static let large = 8 << 20
  private static let limit = 64

  private(set) var bodies: [[UInt8]] = []

  mutating func take(_ response: HTTPResponse) {
    let size = response.body.count
    guard response.isSuccess, size > 0, bodies.count < Self.limit, size <= (bodies.isEmpty ? Self.large : Self.small)
    else { return }
    bodies.append(response.body)
  }
}
