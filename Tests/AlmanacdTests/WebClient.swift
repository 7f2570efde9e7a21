import CLibrary
import Foundation
import Synchronization

/// A client that sends what a test wants, proper or not, over TCP or a Unix socket; one connection per request.
struct WebClient: Sendable {
  enum Place: Sendable {
    case port(UInt16)
    case socket(String)
  }

  var place: Place
  var host: String
  /// The bearer token; none where absent.
  var token: String?
  /// What ends with the client: a daemon that nothing else holds.
  var owner: (any AnyObject & Sendable)?

  struct Reply: Sendable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""

    func object() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] ?? [:]
    }

    /// The page to which a form leads, without what is said there.
    var nextPage: String? { headers["location"].map { String($0.prefix { $0 != "?" && $0 != "#" }) } }

    /// A list of objects under a key.
    func list(_ key: String) throws -> [[String: Any]] { try object()[key] as? [[String: Any]] ?? [] }

    init() {}

    init(_ text: String) {
      let parts = text.components(separatedBy: "\r\n\r\n")
      let lines = parts[0].components(separatedBy: "\r\n")
      status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      for line in lines.dropFirst() {
        let sides = line.split(separator: ":", maxSplits: 1)
        if sides.count == 2 {
          headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
      }
      let rest = parts.dropFirst().joined(separator: "\r\n\r\n")
      body = headers["transfer-encoding"] == "chunked" ? Self.dechunked(rest) : rest
    }

    private static func dechunked(_ text: String) -> String {
      var rest = Array(text.utf8)[...]
      var whole: [UInt8] = []
      while let end = rest.firstIndex(of: 13), let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
        size > 0
      {
        let start = end + 2
        whole += rest[start..<min(start + size, rest.endIndex)]
        rest = rest[min(start + size + 2, rest.endIndex)...]
      }
      return String(decoding: whole, as: UTF8.self)
    }
  }

  /// The client without a token.
  var anonymous: WebClient {
    var client = self
    client.token = nil
    return client
  }

  /// Sends a request and reads the answer to its end.
  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil
  ) async throws -> Reply {
    let text = request(method, path, headers.merging(["Connection": "close"]) { mine, _ in mine }, body)
    let reply = Reply(String(decoding: try await exchange(text) { _ in false }, as: UTF8.self))
    DescribedStatus.check(method, path, hasBody: body != nil, reply)
    return reply
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Reply {
    try await send("GET", path, headers: headers)
  }

  func post(_ path: String, _ body: String) async throws -> Reply {
    try await send("POST", path, headers: ["Content-Type": "application/json"], body: body)
  }

  /// Sends a form as a browser does.
  func submit(_ path: String, _ fields: [(String, String)], headers: [String: String] = [:]) async throws -> Reply {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let body = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
    let all = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"].merging(headers) { $1 }
    return try await send("POST", path, headers: all, body: body.joined(separator: "&"))
  }

  /// Sends a form with a file as a browser does.
  func upload(
    _ path: String, _ field: String, _ fileName: String, _ content: String, _ fields: [(String, String)] = []
  ) async throws -> Reply {
    let parts = fields.map { "--x\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }.joined()
    let head = "--x\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(fileName)\"\r\n\r\n"
    return try await send(
      "POST", path, headers: ["Content-Type": "multipart/form-data; boundary=x", "Accept": "text/html"],
      body: "\(parts)\(head)\(content)\r\n--x--\r\n")
  }

  /// Reads a stream until what came is enough.
  func stream(
    _ path: String, headers: [String: String] = [:], opened: @escaping @Sendable () async throws -> Void = {},
    until isEnough: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    let text = request("GET", path, headers, nil)
    let isOpen = Mutex(false)
    let (signal, open) = AsyncStream.makeStream(of: Void.self)
    async let bytes = exchange(text) { bytes in
      let whole = String(decoding: bytes, as: UTF8.self)
      // The first event line says that whatever happens now will be told.
      if whole.contains("\nid: ") {
        if isOpen.withLock({ was in
          defer { was = true }; return !was
        }) {
          open.finish()
        }
      }
      return isEnough(whole)
    }
    for await _ in signal {}
    try await opened()
    return String(decoding: try await bytes, as: UTF8.self)
  }

  func request(_ method: String, _ path: String, _ headers: [String: String], _ body: String?) -> String {
    var all = ["Host": host]
    if let token { all["Authorization"] = "Bearer \(token)" }
    if let body { all["Content-Length"] = "\(body.utf8.count)" }
    all.merge(headers) { _, new in new }
    let lines = all.filter { !$0.value.isEmpty || $0.key != "Host" }.map { "\($0.key): \($0.value)\r\n" }
    return "\(method) \(path) HTTP/1.1\r\n\(lines.joined())\r\n\(body ?? "")"
  }

  /// Sends bytes and reads until the other side closes or `isEnough`; on a thread of its own, at most 20 s.
  func exchange(_ text: String, until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async throws -> [UInt8] {
    let place = place
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.exchange(place, Array(text.utf8), isEnough) })
      }
    }
  }

  private static func exchange(_ place: Place, _ request: [UInt8], _ isEnough: ([UInt8]) -> Bool) throws -> [UInt8] {
    let descriptor = try connect(place)
    defer { close(descriptor) }
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        CLibrary.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A refused upload is closed before its end; the answer is there all the same.
      if count <= 0 { break }
      sent += count
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(answer) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, answer.isEmpty { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      if count <= 0 { break }
      answer += buffer[..<count]
    }
    return answer
  }

  /// An open connection; the caller closes it.
  static func connect(_ place: Place) throws -> Int32 {
    let family: Int32
    switch place {
    case .port: family = AF_INET
    case .socket: family = AF_UNIX
    }
    let descriptor = socket(family, SocketType.stream | SocketType.closeOnExec, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    // Only detects a hang: other tests load the machine.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let result: Int32
    switch place {
    case .port(let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    case .socket(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          CLibrary.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ECONNREFUSED)
    }
    return descriptor
  }
}

extension WebClient.Reply {
  /// The fields of a form of the page, as a browser sends them where nothing is changed.
  ///
  /// - Parameter field: which of several forms with this action: the one that has a field with this text.
  func form(_ action: String, with field: (name: String, value: String)? = nil) -> [(String, String)] {
    func text(_ markup: some StringProtocol) -> String {
      [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(
        String(markup)
      ) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
    for form in body.components(separatedBy: "<form ").dropFirst() {
      let form = form.components(separatedBy: "</form>")[0]
      guard form.prefix(while: { $0 != ">" }).contains("action=\"\(action)\"") else { continue }
      let fields = form.matches(of: /<(input|textarea|select) [^>]*?name="([^"]*)"[^>]*>/).filter { control in
        !control.0.contains("type=\"checkbox\"") || control.0.contains(" checked")
      }.map { control -> (String, String) in
        if control.1 == "select" {
          let list = form[control.range.upperBound...].components(separatedBy: "</select>")[0]
          return (String(control.2), text(list.firstMatch(of: /value="([^"]*)" selected/)?.1 ?? ""))
        }
        if control.1 == "textarea" {
          let content = form[control.range.upperBound...].components(separatedBy: "</textarea>")[0]
          return (String(control.2), text(content.hasPrefix("\n") ? String(content.dropFirst()) : content))
        }
        return (String(control.2), text(control.0.firstMatch(of: /[ ]value="([^"]*)"/)?.1 ?? ""))
      }
      if let field, !fields.contains(where: { $0 == field }) { continue }
      return fields
    }
    return []
  }
}
