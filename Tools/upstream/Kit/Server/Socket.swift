import CLibrary

/// A system call that failed.
public struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The call, for example `bind`.
  public let call: String
  /// Its `errno`.
  public let code: Int32

  /// The call and the system's message.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The socket calls of the server, on plain descriptors. Linux only.
enum Socket {
  /// `POLLRDHUP` of Linux, which the Glibc module does not import.
  private static let peerClosed: Int16 = 0x2000

  /// Opens a listening TCP socket on 127.0.0.1; port 0 chooses a free one.
  static func listen(port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try open(AF_INET)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        try bindAndListen(descriptor, generic, size)
        getsockname(descriptor, generic, &size)
      }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Opens a listening Unix socket at a path of at most 107 bytes that must not exist.
  static func listen(path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SocketError(call: "bind", code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = try open(AF_UNIX)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try bindAndListen(descriptor, $0, size) }
    }
    return descriptor
  }

  private static func open(_ family: Int32) throws -> Int32 {
    let descriptor = socket(family, SocketType.stream | SocketType.closeOnExec, 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
    return descriptor
  }

  private static func bindAndListen(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) throws {
    guard bind(descriptor, address, size) == 0 else {
      let code = errno
      CLibrary.close(descriptor)
      throw SocketError(call: "bind", code: code)
    }
    guard CLibrary.listen(descriptor, 4096) == 0 else {
      let code = errno
      CLibrary.close(descriptor)
      throw SocketError(call: "listen", code: code)
    }
  }

  /// Waits for a connection.
  /// - Returns: the descriptor; nil if the listening socket was shut down.
  static func accept(_ descriptor: Int32) -> Int32? {
    while true {
      let connection = CLibrary.accept(descriptor, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        // Fails on Unix sockets, which need no such option.
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return connection
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // Out of descriptors: the connection remains in the backlog until one is free.
        poll(nil, 0, 10)
      default: return nil
      }
    }
  }

  /// Reads the available bytes, waiting for the first one.
  /// - Returns: the number of bytes; 0 at the end of the stream and after any error.
  static func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return count }
      if errno != EINTR { return 0 }
    }
  }

  /// Writes all bytes, waiting as long as the client reads.
  /// - Returns: false if the connection has ended.
  static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { send(descriptor, $0) } }

  static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = CLibrary.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Waits until the connection has ended or the time has expired.
  /// - Parameters:
  ///   - milliseconds: nil to wait without limit.
  ///   - peerClose: whether to return also when the client has closed only its sending side.
  /// - Returns: true if the connection has ended.
  static func waitForEnd(_ descriptor: Int32, milliseconds: Int?, peerClose: Bool) -> Bool {
    var entry = pollfd(fd: descriptor, events: peerClose ? peerClosed : 0, revents: 0)
    let limit = milliseconds.map { Int32(clamping: $0) } ?? -1
    while true {
      let count = poll(&entry, 1, limit)
      if count >= 0 { return count > 0 }
      if errno != EINTR { return true }
    }
  }

  /// Wakes the threads that wait on this socket; the descriptor stays open.
  static func shutDown(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func reset(_ descriptor: Int32) {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    CLibrary.close(descriptor)
  }

  /// Closes regularly. Unread bytes of the client would turn the close into a reset, which could discard the response,
  /// so they are read first.
  static func close(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      for _ in 0..<64 {
        if recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) <= 0 { break }
      }
    }
    CLibrary.close(descriptor)
  }

  static func closeListener(_ descriptor: Int32) { CLibrary.close(descriptor) }

  static func remove(path: String) { unlink(path) }
}
