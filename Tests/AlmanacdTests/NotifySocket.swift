import Foundation
import Glibc

/// A socket such as systemd gives to its services.
struct NotifySocket: Sendable {
  /// Where it is.
  let path: String
  private let descriptor: Int32

  /// Opens it in the temporary folder.
  init() throws {
    path = NSTemporaryDirectory() + "almanac-notify-\(UInt32.random(in: 0 ... .max))"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRINUSE) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The next datagram; waits for it at most 10 s.
  func next() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Daemon.Late(description: "no datagram came") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Closes it.
  func close() {
    Glibc.close(descriptor)
    unlink(path)
  }
}
