import Dispatch
public import Models
public import Ports
import Synchronization
public import UpstreamKit

/// A server that sends endless responses, except for one user, whose response is delayed until the test has measured
/// the memory of the program.
public final class BombServer: Sendable {
  /// A response that does not fit into memory.
  public struct Bomb: Sendable {
    public let name: String
    public let reply: Reply
    /// The code of the expected error.
    public let code: String
  }

  /// Endless and very large responses, uncompressed and compressed once or twice.
  public static let bombs = [
    Bomb(name: "endless", reply: .endless(), code: "tooLarge"),
    Bomb(name: "endless gzip", reply: .endlessGzip(), code: "tooLarge"),
    Bomb(name: "gzip of 1 GB", reply: .gzipBomb(inflatesTo: 1 << 30), code: "tooLarge"),
    Bomb(name: "gzip in gzip, 1 GB", reply: .gzipBomb(inflatesTo: 1 << 30, layers: 2), code: "malformed"),
    Bomb(
      name: "a length of 1 TB", reply: .raw("HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{"),
      code: "tooLarge"),
  ]

  /// The memory limit: 64 MiB for a body (Modules/Networking.md) and 32 MiB for everything else. Programs without
  /// optimization have 16 MiB more code in memory, more or less of it as the system maps their file.
  public static let mostKilobytes: Int = {
    #if DEBUG
      (64 + 32 + 16) << 10
    #else
      (64 + 32) << 10
    #endif
  }()

  public let server: LocalServer
  private let bomb: Bomb
  private let look: Look

  /// Starts the server.
  ///
  /// - Parameter user: the user whose response is delayed until the program was looked at.
  public init(_ bomb: Bomb, holding user: String) throws {
    self.bomb = bomb
    let look = Look()
    self.look = look
    server = try LocalServer { request in
      guard request.path == "/user/\(user)" else { return bomb.reply }
      look.take()
      return .json(#"{"data": {"userId": "\#(user)", "name": "N", "email": "n@example.com"}}"#)
    }
  }

  /// Names the program that is looked at while its request is delayed.
  ///
  /// - Parameter isOver: whether it has met all bombs.
  public func watch(_ running: Running, until isOver: @escaping @Sendable () -> Bool = { true }) {
    look.begin(running, isOver)
  }

  /// The peak memory of the program in KiB, which is printed too; 0 if its request did not come.
  public func peak(of program: String) -> Int {
    let peak = look.peak
    print("bomb '\(bomb.name)': \(program)'s peak \(peak >> 10) MiB")
    return peak
  }

  /// Looks at a program on the thread of the server: on a busy machine, a task of the test may come too late for the time
  /// limit of the request.
  private final class Look: Sendable {
    private struct State {
      var running: Running?
      var isOver: @Sendable () -> Bool = { true }
      var peak = 0
    }

    private let state = Mutex(State())
    private let named = DispatchSemaphore(value: 0)
    private let pause = DispatchSemaphore(value: 0)

    var peak: Int { state.withLock { $0.peak } }

    func begin(_ running: Running, _ isOver: @escaping @Sendable () -> Bool) {
      state.withLock { ($0.running, $0.isOver) = (running, isOver) }
      named.signal()
    }

    func take() {
      named.wait()
      defer { named.signal() }
      let (found, isOver) = state.withLock { ($0.running, $0.isOver) }
      guard let running = found else { return }
      while !isOver(), running.isRunning { _ = pause.wait(timeout: .now() + .milliseconds(10)) }
      let peak = running.peakKilobytes
      state.withLock { $0.peak = max($0.peak, peak) }
    }
  }
}

public enum ServerFault: Sendable {
  /// The request is processed, and the response is lost.
  case replyLost
  /// The request does not arrive.
  case unreachable
  /// The server returns this status and body without processing the request.
  case status(Int, String = "")

  /// The server returns this body with 200 without processing the request.
  public static func answer(_ body: String) -> ServerFault { .status(200, body) }
}

/// A server in memory that can inject faults.
public final class FaultyServer<Contents: Sendable>: Sendable {
  private struct State {
    var contents: Contents
    var faults: [ServerFault?] = []
    var sent: [HTTPRequest] = []
  }

  private let state: Mutex<State>
  private let lost: TransportError.Code
  private let answer: @Sendable (HTTPRequest, inout Contents) -> HTTPResponse

  /// - Parameter lost: the error of a lost response.
  public init(
    _ contents: Contents, lost: TransportError.Code = .connectionLost,
    answer: @escaping @Sendable (HTTPRequest, inout Contents) -> HTTPResponse
  ) {
    state = Mutex(State(contents: contents))
    (self.lost, self.answer) = (lost, answer)
  }

  /// The faults of the next requests, in order; `nil` for none.
  public func prepare(_ faults: [ServerFault?]) { state.withLock { $0.faults = faults } }

  /// All requests that were sent, including those that did not arrive.
  public var requests: [HTTPRequest] { state.withLock { $0.sent } }
  public var methods: [HTTPRequest.Method] { requests.map(\.method) }

  public func withContents<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    state.withLock { body(&$0.contents) }
  }

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
