import CLibrary
public import Models
public import Ports

/// Receives one redirect of a browser on 127.0.0.1 (RFC 8252 section 7.3).
///
/// It reads only the head of requests. Connections on which a browser sends nothing in advance hold up no other.
public final class LoopbackListener: RedirectReceiver {
  private struct Connection {
    var descriptor: Int32
    var head: [UInt8] = []
  }

  public let address: String
  private let listener: Int32
  private let time: any TimeSource
  private let timeout: Duration

  private static let path = "/callback"
  private static let mostConnections = 16
  private static let mostBytes = 16 << 10

  /// - Parameters:
  ///   - port: 0 for any free one.
  ///   - timeout: how long `query` waits.
  /// - Throws: `Failure` if the port is in use.
  public init(port: UInt16 = 0, time: any TimeSource, timeout: Duration = .seconds(300)) throws(Failure) {
    let listener = socket(AF_INET, SocketType.stream, 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafeMutablePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(listener, name, size) == 0 && listen(listener, 32) == 0 && getsockname(listener, name, &size) == 0
      }
    }
    guard isBound else {
      let number = errno
      close(listener)
      throw Failure(
        .config, .unavailable, "127.0.0.1:\(port) cannot be listened on", number: number, hint: "choose another port",
        code: .own(.cannotListen))
    }
    Self.prepare(listener)
    (self.listener, self.time, self.timeout) = (listener, time, timeout)
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))\(Self.path)"
  }

  deinit { close(listener) }

  /// Other programs do not inherit it, and no call on it waits.
  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  public func query(where isMeant: @Sendable (String) -> Bool) async throws(Failure) -> String {
    var connections: [Connection] = []
    defer { for connection in connections { close(connection.descriptor) } }
    let end = time.uptime + timeout
    while time.uptime < end {
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        Self.prepare(descriptor)
        if connections.count == Self.mostConnections { close(connections.removeFirst().descriptor) }
        connections.append(Connection(descriptor: descriptor))
      }
      for index in connections.indices.reversed() {
        guard let head = Self.read(&connections[index]) else { continue }
        let query = Self.query(of: head)
        let found = query.flatMap { isMeant($0) ? $0 : nil }
        Self.answer(connections[index].descriptor, isFound: found != nil)
        close(connections.remove(at: index).descriptor)
        if let found { return found }
      }
      do throws(CancellationError) { try await time.sleep(for: .milliseconds(20)) } catch {
        throw Failure(.config, .cancelled, "the login was stopped")
      }
    }
    throw Failure(.config, .tryLater, "nobody logged in within \(timeout.components.seconds / 60) minutes")
  }

  /// The head of a request, as soon as it is complete, or the connection has ended or sends too much.
  private static func read(_ connection: inout Connection) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection.descriptor, &bytes, bytes.count, 0)
      if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
      if count == 0 { return [] }
      connection.head += bytes[..<count]
      if connection.head.count > mostBytes { return [] }
      if connection.head.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A] as [UInt8]) != nil { return connection.head }
    }
  }

  /// The query of `GET /callback?QUERY HTTP/1.1`.
  private static func query(of head: [UInt8]) -> String? {
    let words = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("\(path)?") else { return nil }
    return String(words[1].dropFirst(path.count + 1))
  }

  private static func answer(_ descriptor: Int32, isFound: Bool) {
    let text =
      isFound
      ? "Almanac has the answer of the server. You can close this page; the terminal says how it went on."
      : "This is not the page that Almanac waits for."
    let head =
      "HTTP/1.1 \(isFound ? "200 OK" : "404 Not Found")\r\nContent-Type: text/plain; charset=utf-8\r\n"
      + "Content-Length: \(text.utf8.count)\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
      + "Connection: close\r\n\r\n"
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    _ = Array((head + text).utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }
}
