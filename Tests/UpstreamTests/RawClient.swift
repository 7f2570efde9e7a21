import CLibrary
import Foundation
import Testing
import UpstreamKit

/// A client at the level of bytes, so that a test can check exactly what the server sent.
final class RawClient {
  /// The way in which the server ended the connection.
  enum Ending: Equatable {
    case closed
    case reset
    case timedOut
  }

  struct Response {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  struct Failure: Error {
    let call: String
    let code: Int32
  }

  private let descriptor: Int32
  private var early: [UInt8] = []

  init(port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    descriptor = socket(AF_INET, SocketType.stream, 0)
    let outcome = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { throw Failure(call: "connect", code: errno) }
    // A server that never responds must fail a test rather than block it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { CLibrary.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the server ends the connection.
  func readAll() -> (bytes: [UInt8], ending: Ending) {
    var bytes = early
    early = []
    while true {
      do {
        let more = try read()
        if more.isEmpty { return (bytes, .closed) }
        bytes += more
      } catch {
        return (bytes, (error as? Failure)?.code == ECONNRESET ? .reset : .timedOut)
      }
    }
  }

  private func read() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failure(call: "recv", code: errno) }
    return Array(buffer[..<count])
  }

  /// Sends a request and reads the complete response, delimited by its length or by the end of the connection.
  func call(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil
  ) throws -> Response {
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
    try send(text + "\r\n" + (body ?? ""))
    return try response()
  }

  func response() throws -> Response {
    let head = String(decoding: try take(until: Array("\r\n\r\n".utf8)), as: UTF8.self)
    var lines = head.split(separator: "\r\n").map(String.init)
    var response = Response()
    response.status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    response.headers = lines.map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    if response.status == 204 || response.status == 304 { return response }
    if let length = response["content-length"].flatMap(Int.init) {
      response.body = try take(count: length)
    } else {
      response.body = readAll().bytes
    }
    return response
  }

  private func take(count: Int) throws -> [UInt8] {
    while early.count < count { try more() }
    defer { early.removeFirst(count) }
    return Array(early[..<count])
  }

  private func take(until mark: [UInt8]) throws -> [UInt8] {
    var scanned = 0
    while true {
      var index = scanned
      while index + mark.count <= early.count {
        if early[index] == mark[0], Array(early[index..<index + mark.count]) == mark {
          return try take(count: index + mark.count)
        }
        index += 1
      }
      scanned = index
      try more()
    }
  }

  private func more() throws {
    let bytes = try read()
    guard !bytes.isEmpty else { throw Failure(call: "recv", code: 0) }
    early += bytes
  }
}

/// An upstream server in this process, with a raw client. It is stopped when it is not used any more.
final class Played {
  let upstream: Upstream
  let client: RawClient

  init(_ change: (inout UpstreamOptions) -> Void = { _ in }) throws {
    var options = UpstreamOptions()
    change(&options)
    upstream = try Upstream(options)
    client = try RawClient(port: upstream.server.port)
  }

  deinit { upstream.stop() }

  /// Opens another connection, for use after one that was reset.
  func another() throws -> RawClient { try RawClient(port: upstream.server.port) }
}

/// Parses the body of a response with Foundation.
func json(_ response: RawClient.Response) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(response.body), options: [.fragmentsAllowed])
}
