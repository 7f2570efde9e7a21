public import Ports
import Synchronization

/// What goes wrong with one request.
public enum ServerFault: Sendable {
  /// It is carried out, and the answer is lost.
  case replyLost
  /// It never arrives.
  case unreachable
  /// It is answered with this status and body, and not carried out.
  case status(Int, String = "")

  /// It is answered with this body under 200, and not carried out.
  public static func answer(_ body: String) -> ServerFault { .status(200, body) }
}

/// A server in memory whose requests can go wrong.
public final class FaultyServer<Contents: Sendable>: Sendable {
  private struct State {
    var contents: Contents
    var faults: [ServerFault?] = []
    var sent: [HTTPRequest] = []
  }

  private let state: Mutex<State>
  private let lost: TransportError.Code
  private let answer: @Sendable (HTTPRequest, inout Contents) -> HTTPResponse

  /// A server.
  ///
  /// - Parameters:
  ///   - contents: what it holds.
  ///   - lost: how a lost reply is noticed.
  ///   - answer: carries a request out.
  public init(
    _ contents: Contents, lost: TransportError.Code = .connectionLost,
    answer: @escaping @Sendable (HTTPRequest, inout Contents) -> HTTPResponse
  ) {
    state = Mutex(State(contents: contents))
    self.lost = lost
    self.answer = answer
  }

  /// The faults of the next requests, in order; `nil` for none.
  public func prepare(_ faults: [ServerFault?]) { state.withLock { $0.faults = faults } }

  /// Every request that was sent, also what never arrived.
  public var requests: [HTTPRequest] { state.withLock { $0.sent } }
  /// Their methods.
  public var methods: [HTTPRequest.Method] { requests.map(\.method) }

  /// Looks at what it holds, or changes it.
  public func withContents<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    state.withLock { body(&$0.contents) }
  }

  /// The way to it.
  public var transport: any HTTPTransport {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try self.state.withLock { (state: inout State) throws(TransportError) -> HTTPResponse in
        state.sent.append(request)
        switch state.faults.isEmpty ? nil : state.faults.removeFirst() {
        case .unreachable: throw TransportError(.cannotConnect, "refused", url: request.url)
        case .replyLost:
          _ = self.answer(request, &state.contents)
          throw TransportError(self.lost, "the reply was lost", url: request.url, mayHaveArrived: true)
        case .status(let status, let body):
          return HTTPResponse(status: status, body: Array(body.utf8), url: request.url)
        case nil: return self.answer(request, &state.contents)
        }
      }
    }
  }
}
