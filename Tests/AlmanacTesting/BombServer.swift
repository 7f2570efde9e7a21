import Dispatch
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
