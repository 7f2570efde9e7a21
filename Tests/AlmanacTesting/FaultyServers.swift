import Dispatch
public import Ports
import Synchronization
public import UpstreamKit

/// A server whose every answer is without end, but for one user's, which it holds back until somebody has looked at how
/// much memory the program under test took for the others.
public final class BombServer: Sendable {
  /// An answer that no program can hold.
  public struct Bomb: Sendable {
    /// What it is.
    public let name: String
    /// The answer.
    public let reply: Reply
    /// The code of the error that it leads to.
    public let code: String
  }

  /// Endless answers, plain and compressed, once and twice.
  public static let bombs = [
    Bomb(name: "endless", reply: .endless(), code: "tooLarge"),
    Bomb(name: "endless gzip", reply: .endlessGzip(), code: "tooLarge"),
    Bomb(name: "gzip of 1 GB", reply: .gzipBomb(inflatesTo: 1 << 30), code: "tooLarge"),
    Bomb(name: "gzip in gzip, 1 GB", reply: .gzipBomb(inflatesTo: 1 << 30, layers: 2), code: "malformed"),
    Bomb(
      name: "a length of 1 TB", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{"),
      code: "tooLarge"),
  ]

  /// 64 MiB for a body (Modules/Networking.md) and 32 MiB for everything else.
  public static let mostKilobytes = (64 + 32) << 10

  /// The server.
  public let server: LocalServer
  private let bomb: Bomb
  private let looked = DispatchSemaphore(value: 0)

  /// Starts it.
  ///
  /// - Parameter user: whose answer is held back.
  public init(_ bomb: Bomb, holding user: String) throws {
    self.bomb = bomb
    let looked = looked
    server = try LocalServer { request in
      guard request.path == "/user/\(user)" else { return bomb.reply }
      looked.wait()
      return .json(#"{"data": {"userId": "\#(user)", "name": "N", "email": "n@example.com"}}"#)
    }
  }

  /// Looks at the most memory that the program took so far, in KiB, prints it, and lets the held answer go.
  public func look(at running: Running, _ program: String) -> Int {
    let peak = running.peakKilobytes
    looked.signal()
    print("bomb '\(bomb.name)': \(program)'s peak \(peak >> 10) MiB")
    return peak
  }
}

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
