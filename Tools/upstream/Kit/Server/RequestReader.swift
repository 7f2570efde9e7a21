/// Reads requests from one connection, and keeps the bytes of the next one.
struct RequestReader {
  /// The reason why no request could be read.
  enum Failure: Error {
    /// The client closed the connection, possibly within a request.
    case end
    /// The request gets this status, then the connection is closed.
    case refused(Int)
  }

  private let descriptor: Int32
  private let limits: LocalServer.Limits
  private var buffer: [UInt8] = []
  /// The index of the first unused byte of the buffer.
  private var start = 0

  init(descriptor: Int32, limits: LocalServer.Limits) {
    (self.descriptor, self.limits) = (descriptor, limits)
  }

  /// Waits for a complete request.
  /// - Parameter `continue`: called when the client waits for `100 Continue` before it sends its body.
  mutating func next(connection: Int, continue: () -> Void) throws(Failure) -> (Int) -> ReceivedRequest {
    let end = try headEnd()
    guard let head = RequestHead(buffer[start..<end]) else { throw .refused(400) }
    start = end
    var body: [UInt8] = []
    if let coding = head.headers["transfer-encoding"] {
      guard equalWithoutCase(coding, "chunked") else { throw .refused(501) }
      body = try chunks()
    } else if let length = head.headers["content-length"] {
      guard let count = Int(length), count >= 0 else { throw .refused(400) }
      guard count <= limits.body else { throw .refused(413) }
      if buffer.count - start < count, let expect = head.headers["expect"], equalWithoutCase(expect, "100-continue") {
        `continue`()
      }
      body = try take(count)
    }
    return { [body] number in
      ReceivedRequest(
        method: head.method, target: head.target, version: head.version, headers: head.headers, body: body,
        connection: connection, number: number)
    }
  }

  /// The index after the empty line that ends the headers.
  private mutating func headEnd() throws(Failure) -> Int {
    var scanned = start
    while true {
      let found: Int? = buffer.withUnsafeBufferPointer { bytes in
        var index = max(scanned, start)
        while index < bytes.count {
          if bytes[index] == 0x0A, index > start {
            if bytes[index - 1] == 0x0A { return index + 1 }
            if index > start + 2, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A { return index + 1 }
          }
          index += 1
        }
        return nil
      }
      if let found { return found }
      guard buffer.count - start <= limits.head else { throw .refused(431) }
      let offset = buffer.count - start
      try more()
      scanned = start + offset
    }
  }

  private mutating func chunks() throws(Failure) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = try takeLine()
      guard let digits = line.split(separator: ";").first, let size = Int(digits.filter { $0 != " " }, radix: 16),
        size >= 0
      else { throw .refused(400) }
      guard body.count + size <= limits.body else { throw .refused(413) }
      if size == 0 { break }
      body += try take(size)
      guard try takeLine().isEmpty else { throw .refused(400) }
    }
    while try !takeLine().isEmpty {}
    return body
  }

  private mutating func takeLine() throws(Failure) -> String {
    var index = start
    while true {
      while index < buffer.count {
        if buffer[index] == 0x0A {
          let line = buffer[start..<index]
          start = index + 1
          return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        index += 1
      }
      guard index - start <= limits.head else { throw .refused(431) }
      let offset = index - start
      try more()
      index = start + offset
    }
  }

  private mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
    while buffer.count - start < count { try more() }
    defer { start += count }
    return Array(buffer[start..<start + count])
  }

  /// Reads at least one byte into the buffer, and removes the used part.
  private mutating func more() throws(Failure) {
    if start > 0 {
      buffer.removeSubrange(0..<start)
      start = 0
    }
    let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { space in
      let count = Socket.receive(descriptor, space)
      if count > 0 { buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: space[..<count])) }
      return count
    }
    if count == 0 { throw .end }
  }
}

struct RequestHead {
  let method: String
  let target: String
  let version: String
  let headers: HeaderList

  /// Nil if the bytes are not an HTTP/1 request.
  init?(_ bytes: ArraySlice<UInt8>) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true).makeIterator()
    guard let first = lines.next() else { return nil }
    let words = RequestHead.trimmed(first).split(separator: 0x20)
    guard words.count == 3 else { return nil }
    method = String(decoding: words[0], as: UTF8.self)
    target = String(decoding: words[1], as: UTF8.self)
    version = String(decoding: words[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return nil }
    var fields: [HeaderList.Field] = []
    while let line = lines.next() {
      if line.first == 0x0D { break }
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      fields.append(
        HeaderList.Field(
          String(decoding: line[..<colon], as: UTF8.self),
          String(decoding: RequestHead.trimmed(line[(colon + 1)...]), as: UTF8.self)))
    }
    headers = HeaderList(fields)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
  }
}
