import CLibrary
import Foundation

/// A socket in front of a server that loses the answers to commits: of each three commits one passes, one is not sent to
/// the server, and one is committed before the connection ends.
final class LossyRelay: @unchecked Sendable {
  let folder: String
  private let server: String
  private let listener: Int32
  private let lock = NSLock()
  private var commits = 0
  /// How many commits were not sent, and how many answers were lost.
  private(set) var lost = (unsent: 0, unanswered: 0)

  /// Whether the server is out of reach once an answer was lost.
  private let staysLost: Bool

  init(to server: String, staysLost: Bool = false) throws {
    self.server = server + Self.name
    self.staysLost = staysLost
    folder = NSTemporaryDirectory() + "relay-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = socket(AF_UNIX, SocketType.stream, 0)
    guard Self.with(folder + Self.name, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
      throw POSIXError(.EADDRINUSE)
    }
    Thread.detachNewThread { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 { Thread.detachNewThread { self.relay(client) } }
    }
  }

  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static let name = "/.s.PGSQL.5432"
  /// The end of a message that prepares the statement `commit`: an empty name, and the text.
  private static let commit = Data("\0commit\0".utf8)

  private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  private func relay(_ client: Int32) {
    let upstream = socket(AF_UNIX, SocketType.stream, 0)
    defer {
      close(client)
      close(upstream)
    }
    guard Self.with(server, { connect(upstream, $0, $1) }) == 0 else { return }
    var isLast = false
    var ends = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&ends, 2, -1) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(ends[from].fd, &bytes, bytes.count)
        // The server has answered a commit: the client does not hear of it.
        guard count > 0, !(from == 1 && isLast) else {
          if isLast, staysLost { shutdown(listener, Int32(SHUT_RDWR)) }
          return
        }
        let data = Data(bytes[..<count])
        if from == 0, data.range(of: Self.commit) != nil {
          switch fate() {
          case 1: return
          case 2: isLast = true
          default: break
          }
        }
        var sent = 0
        while sent < count {
          let written = data.withUnsafeBytes {
            send(ends[to].fd, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
          }
          guard written > 0 else { return }
          sent += written
        }
      }
    }
  }

  private func fate() -> Int {
    lock.withLock {
      commits += 1
      if commits % 3 == 1 { lost.unsent += 1 }
      if commits % 3 == 2 { lost.unanswered += 1 }
      return commits % 3
    }
  }
}
