import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Ports

/// One exchange: the request as AsyncHTTPClient takes it, and the checks of its answer.
final class Call: Sendable {
  private let address: Address
  var scheme: String { address.scheme }
  var host: String { address.host }
  var port: Int? { address.port }
  /// Host and port.
  var origin: String { address.origin }
  /// The address without query and user info, which may hold secrets.
  var printedURL: String { address.printed }

  private let source: Ports.HTTPRequest
  private let headers: NIOHTTP1.HTTPHeaders
  let bodyLimit: Int
  /// Whether the request has a body, which may still be sent when the answer comes.
  var hasBody: Bool { source.body != nil }
  private let headerLimit: Int

  init(_ source: Ports.HTTPRequest, _ configuration: AsyncHTTPTransport.Configuration) throws(TransportError) {
    self.source = source
    let address = Address(source.url)
    guard let address, ["http", "https", "http+unix", "https+unix"].contains(address.scheme), !address.host.isEmpty
    else {
      throw TransportError(
        .invalidRequest, "this is no address that can be asked", url: address?.printed ?? "",
        hint: "write an absolute http or https URL", requests: 0)
    }
    var headers = NIOHTTP1.HTTPHeaders()
    headers.reserveCapacity(source.headers.fields.count + 2)
    for field in source.headers.fields {
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        throw TransportError(
          .invalidRequest, "the header \(field.name) holds a line break or another control character",
          url: address.printed, requests: 0)
      }
      headers.add(name: field.name, value: field.value)
    }
    if source.headers["User-Agent"] == nil { headers.add(name: "User-Agent", value: configuration.userAgent) }
    // Only gzip is asked for: servers disagree about what `deflate` is (RFC 9110 section 8.4.1.2).
    if source.headers["Accept-Encoding"] == nil { headers.add(name: "Accept-Encoding", value: "gzip") }
    self.headers = headers
    self.address = address
    bodyLimit = min(source.bodyLimit ?? configuration.bodyLimit, configuration.bodyLimit)
    headerLimit = configuration.headerLimit
  }

  /// Sends the request; the exchange goes on by itself, until it is done or its task is failed.
  ///
  /// - Throws: what AsyncHTTPClient says against the request.
  func start(on client: HTTPClient) throws -> Reception {
    let request = try HTTPClient.Request(
      url: address.isPlain ? source.url : address.scheme + source.url.dropFirst(address.scheme.utf8.count),
      method: HTTPMethod(rawValue: source.method.rawValue), headers: headers,
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
    let transfer = headers.values("Transfer-Encoding").joined(separator: ",")
    guard Set(lengths).count <= 1, lengths.isEmpty || transfer.isEmpty else {
      throw refusal(.malformed, "the answer gives its length in two ways")
    }
    guard transfer.isEmpty || transfer.lowercased() == "chunked" else {
      throw refusal(.malformed, "the answer has the transfer coding '\(transfer)', which nobody asked for")
    }
    let named = headers.values("Content-Encoding").joined(separator: ",")
    let coding = named.lowercased()
    guard ["", "identity", "gzip", "deflate"].contains(coding) else {
      throw refusal(.malformed, "the answer has the content coding '\(named)', which nobody asked for")
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
