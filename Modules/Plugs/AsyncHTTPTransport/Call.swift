import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Ports

/// One exchange: the request as AsyncHTTPClient takes it, and the checks of its answer.
final class Call: Sendable {
  let scheme: String
  let host: String
  let port: Int?
  /// The address without query and user info, which may hold secrets.
  let printedURL: String

  private let source: Ports.HTTPRequest
  private let headers: NIOHTTP1.HTTPHeaders
  let bodyLimit: Int
  /// Whether the request has a body, which may still be sent when the answer comes.
  var hasBody: Bool { source.body != nil }
  private let headerLimit: Int

  init(_ source: Ports.HTTPRequest, _ configuration: AsyncHTTPTransport.Configuration) throws(TransportError) {
    self.source = source
    (scheme, host, port, printedURL) = Call.parts(source.url)
    guard ["http", "https", "http+unix", "https+unix"].contains(scheme), !host.isEmpty else {
      throw TransportError(
        .invalidRequest, "this is no address that can be asked", url: printedURL,
        hint: "write an absolute http or https URL", requests: 0)
    }
    var headers = NIOHTTP1.HTTPHeaders()
    headers.reserveCapacity(source.headers.fields.count + 2)
    for field in source.headers.fields {
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        throw TransportError(
          .invalidRequest, "the header \(field.name) holds a line break or another control character",
          url: printedURL, requests: 0)
      }
      headers.add(name: field.name, value: field.value)
    }
    if source.headers["User-Agent"] == nil { headers.add(name: "User-Agent", value: configuration.userAgent) }
    // Only gzip is asked for: servers disagree about what `deflate` is (RFC 9110 section 8.4.1.2).
    if source.headers["Accept-Encoding"] == nil { headers.add(name: "Accept-Encoding", value: "gzip") }
    self.headers = headers
    bodyLimit = min(source.bodyLimit ?? configuration.bodyLimit, configuration.bodyLimit)
    headerLimit = configuration.headerLimit
  }

  /// Scheme, host, port and the address up to the path, as far as they can be told.
  private static func parts(_ url: String) -> (String, String, Int?, String) {
    // By bytes: by characters, this would be a good part of what a call costs.
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) else {
      return ("", "", nil, "")
    }
    let scheme = url[..<colon].lowercased()
    let start = bytes.index(colon, offsetBy: 3)
    let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    let pathEnd = bytes[end...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    let at = bytes[start..<end].lastIndex(of: 0x40)
    let authority = url[(at.map { bytes.index(after: $0) } ?? start)..<end]
    let printed = at == nil ? String(url[..<pathEnd]) : "\(scheme)://\(authority)\(url[end..<pathEnd])"
    var port: Int? = scheme == "https" ? 443 : 80
    var host = authority
    if authority.utf8.last != 0x5D, let colon = authority.utf8.lastIndex(of: 0x3A) {
      port = Int(authority[authority.utf8.index(after: colon)...])
      host = authority[..<colon]
    }
    return (scheme, String(host), port, printed)
  }

  /// Sends the request; the exchange goes on by itself, until it is done or its task is failed.
  ///
  /// - Throws: what AsyncHTTPClient says against the request.
  func start(on client: HTTPClient) throws -> Reception {
    let request = try HTTPClient.Request(
      url: source.url, method: HTTPMethod(rawValue: source.method.rawValue), headers: headers,
      body: source.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
    let reception = Reception(self)
    reception.begin(client.execute(request: request, delegate: reception))
    return reception
  }

  /// The answer, which must be as long as it said.
  func response(_ head: HTTPResponseHead, _ headers: Ports.HTTPHeaders, _ body: [UInt8], expected: Int?) throws
    -> HTTPResponse
  {
    if let expected, body.count != expected {
      throw refusal(
        body.count < expected ? .truncated : .malformed, "the answer has \(body.count) bytes and announces \(expected)")
    }
    return HTTPResponse(status: Int(head.status.code), headers: headers, body: body, url: source.url)
  }

  /// Checks the head; gives the length that the body must have, where it is known.
  func check(_ head: HTTPResponseHead, _ headers: Ports.HTTPHeaders) throws -> Int? {
    let status = Int(head.status.code)
    guard (200...599).contains(status) else {
      throw refusal(.malformed, "the server answered with the status \(status)")
    }
    let size = headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard size <= headerLimit else {
      throw refusal(.tooLarge, "the answer's headers are larger than \(headerLimit) bytes")
    }
    if source.method == .head || status == 204 || status == 304 { return nil }
    let lengths = headers.values("Content-Length")
    let transfer = headers.values("Transfer-Encoding").joined(separator: ",").lowercased()
    guard Set(lengths).count <= 1, lengths.isEmpty || transfer.isEmpty else {
      throw refusal(.malformed, "the answer gives its length in two ways")
    }
    guard transfer.isEmpty || transfer == "chunked" else {
      throw refusal(.malformed, "the answer has the transfer coding '\(transfer)', which nobody asked for")
    }
    let coding = headers.values("Content-Encoding").joined(separator: ",").lowercased()
    guard ["", "identity", "gzip", "deflate"].contains(coding) else {
      throw refusal(.malformed, "the answer has the content coding '\(coding)', which nobody asked for")
    }
    if lengths.isEmpty, transfer.isEmpty, head.version.major < 2 { try checkEndByClosing(head, headers) }
    guard let text = lengths.first else { return nil }
    guard let length = Int(text), length >= 0 else {
      throw refusal(.malformed, "the answer's length '\(text)' is no number")
    }
    guard coding == "" || coding == "identity" else { return nil }
    guard length <= bodyLimit else { throw tooLarge() }
    return length
  }

  // A body that ends when the connection does cannot be told from one that was cut. It is taken only from a server that
  // says so beforehand, as HTTP/1.0 and `Connection: close` do (RFC 9112 section 6.3, case 8).
  private func checkEndByClosing(_ head: HTTPResponseHead, _ headers: Ports.HTTPHeaders) throws {
    let connection = headers.values("Connection").joined(separator: ",").lowercased()
    guard head.version.minor == 0 && head.version.major == 1 || connection.contains("close") else {
      throw refusal(.malformed, "the answer does not tell its length")
    }
  }

  func tooLarge() -> TransportError { refusal(.tooLarge, "the answer is larger than \(bodyLimit) bytes") }

  private func refusal(_ code: TransportError.Code, _ message: String) -> TransportError {
    TransportError(code, message, url: printedURL, mayHaveArrived: true)
  }
}
