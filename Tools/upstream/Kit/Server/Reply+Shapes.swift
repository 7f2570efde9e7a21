extension Reply {
  /// A JSON response.
  public static func json(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("application/json; charset=utf-8", text, status, headers)
  }

  /// A plain text response.
  public static func text(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/plain; charset=utf-8", text, status, headers)
  }

  /// An HTML response, for example an error page where JSON was asked for.
  public static func html(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/html; charset=utf-8", text, status, headers)
  }

  /// A redirect with an empty body.
  public static func redirect(to location: String, status: Int = 302) -> Reply {
    Reply(status: status, headers: ["location": location])
  }

  /// Bytes that are written as they are, then a close. For malformed responses.
  public static func raw(_ bytes: [UInt8]) -> Reply {
    script([.write(bytes)])
  }

  /// Text that is written as it is, then a close. For malformed responses.
  public static func raw(_ text: String) -> Reply {
    script([.text(text)])
  }

  /// Steps on the socket. At their end the connection is closed, unless the last is ``Step/keep``.
  public static func script(_ steps: [Step]) -> Reply {
    var reply = Reply()
    reply.steps = steps
    return reply
  }

  /// Accepts the request and never answers it.
  public static var hang: Reply { script([.hang]) }

  /// Resets the connection in place of an answer.
  public static var reset: Reply { script([.reset]) }

  /// Closes the connection in place of an answer.
  public static var closed: Reply { script([.close]) }

  /// A whole response that is cut off after this many bytes of its coded body; the promised length stays.
  /// - Parameter reset: ends with a reset in place of a proper close.
  public func truncated(afterBodyBytes count: Int, reset: Bool = false) -> Reply {
    let whole = rendered(keepAlive: true)
    let bytes = Array(whole.bytes.prefix(whole.headLength + max(0, count)))
    return .script([.write(bytes), reset ? .reset : .close])
  }

  /// A whole response that comes in small pieces with a pause after each.
  public func dripped(piece: Int, milliseconds: Int) -> Reply {
    .script([.drip(rendered(keepAlive: true).bytes, piece: piece, milliseconds: milliseconds), .keep])
  }

  /// This response after a pause.
  public func delayed(milliseconds: Int) -> Reply {
    if let steps { return .script([.pause(milliseconds: milliseconds)] + steps) }
    return .script([
      .pause(milliseconds: milliseconds), .write(rendered(keepAlive: true).bytes), closes ? .close : .keep,
    ])
  }

  /// A body without end that is not coded: `chunk` again and again.
  public static func endless(
    _ chunk: [UInt8] = Array(repeating: 0x20, count: 65_536), headers: HeaderList = ["content-type": "application/json"]
  ) -> Reply {
    let head = Reply(headers: headers, framing: .close).rendered(keepAlive: false).bytes
    return .script([.write(head), .writeRepeatedly(chunk, times: nil)])
  }

  /// A gzip body without end that inflates about a thousandfold.
  public static func endlessGzip(headers: HeaderList = ["content-type": "application/json"]) -> Reply {
    var fields = headers
    fields["content-encoding"] = "gzip"
    let head = Reply(headers: fields, framing: .close).rendered(keepAlive: false).bytes
    return .script([
      .write(head + Gzip.header), .writeRepeatedly(Deflate.zeroBlock(count: 16 << 20), times: nil),
    ])
  }

  /// A valid gzip body that inflates to this many zero bytes, from about a thousandth of that.
  /// - Parameter layers: how many times over it is compressed (`Content-Encoding: gzip, gzip` for 2).
  public static func gzipBomb(
    inflatesTo count: Int, layers: Int = 1, headers: HeaderList = ["content-type": "application/json"]
  ) -> Reply {
    var body = Gzip.zeros(count: count)
    for _ in 1..<max(1, layers) { body = Gzip.compress(body) }
    var fields = headers
    fields["content-encoding"] = Array(repeating: "gzip", count: max(1, layers)).joined(separator: ", ")
    return Reply(headers: fields, body: body)
  }

  private static func typed(_ type: String, _ text: String, _ status: Int, _ headers: HeaderList) -> Reply {
    var fields = headers
    if fields["content-type"] == nil { fields["content-type"] = type }
    return Reply(status: status, headers: fields, body: Array(text.utf8))
  }
}
