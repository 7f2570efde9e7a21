extension Reply {
  /// The response as bytes on the wire.
  /// - Parameter keepAlive: whether the client asked for the connection to live on.
  /// - Returns: every byte, and how many of them are the status line and the headers. A script has none.
  public func rendered(keepAlive: Bool) -> (bytes: [UInt8], headLength: Int) {
    var bytes: [UInt8] = []
    let payload = coded
    let bodiless = status == 204 || status == 304 || status / 100 == 1
    bytes.reserveCapacity(payload.count + 256)
    bytes.add("HTTP/1.1 ")
    bytes.add(String(status))
    bytes.add(" ")
    bytes.add(reason ?? Reply.reason(status))
    bytes.add("\r\n")
    for field in headers.fields { bytes.add(field.name, field.value) }
    switch coding {
    case .identity: break
    case .gzip: bytes.add("content-encoding", "gzip")
    case .deflate: bytes.add("content-encoding", "deflate")
    }
    switch framing {
    case .contentLength: if !bodiless { bytes.add("content-length", String(payload.count)) }
    case .chunked: if !bodiless { bytes.add("transfer-encoding", "chunked") }
    case .close, .asWritten: break
    }
    if closes || framing == .close || !keepAlive { bytes.add("connection", "close") }
    bytes.add("\r\n")
    let headLength = bytes.count
    guard !isHead, !bodiless else { return (bytes, headLength) }
    if case .chunked(let size) = framing {
      var rest = payload[...]
      while !rest.isEmpty {
        let piece = rest.prefix(max(1, size))
        bytes.add(String(piece.count, radix: 16))
        bytes.add("\r\n")
        bytes.append(contentsOf: piece)
        bytes.add("\r\n")
        rest = rest.dropFirst(piece.count)
      }
      bytes.add("0\r\n\r\n")
    } else {
      bytes.append(contentsOf: payload)
    }
    return (bytes, headLength)
  }

  private var coded: [UInt8] {
    switch coding {
    case .identity: body
    case .gzip: Gzip.compress(body)
    case .deflate: Deflate.zlib(body)
    }
  }
}

extension [UInt8] {
  mutating func add(_ text: String) {
    append(contentsOf: text.utf8)
  }

  mutating func add(_ name: String, _ value: String) {
    add(name)
    add(": ")
    add(value)
    add("\r\n")
  }
}
