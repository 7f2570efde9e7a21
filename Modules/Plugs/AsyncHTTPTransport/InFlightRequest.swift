import AsyncHTTPClient
import Models
import NIOCore
import NIOHTTP1
import Ports

/// A request in the form that AsyncHTTPClient takes, with the checks of its response.
final class InFlightRequest: Sendable {
  private let address: Address
  var scheme: String { address.scheme }
  var host: String { address.host }
  var port: Int? { address.port }
  var origin: String { address.origin }
  var printedURL: String { address.printed }

  private let source: Ports.HTTPRequest
  private let headers: NIOHTTP1.HTTPHeaders
  let bodyLimit: Int
  /// Whether the request has a body, part of which may still be unsent when the response arrives.
  var hasBody: Bool { source.body != nil }
  var isFromData: Bool { source.isFromData }
  private let headerLimit: Int
  private let progress: (@Sendable (String, Int, Int?) -> Void)?

  /// Checks a request and adds the headers that it lacks.
  ///
  /// - Throws: `TransportError.invalidRequest`.
  init(_ source: Ports.HTTPRequest, _ configuration: AsyncHTTPTransport.Configuration) throws(TransportError) {
    self.source = source
    let address = Address(source.url)
    guard let address, ["http", "https", "http+unix", "https+unix"].contains(address.scheme), !address.host.isEmpty
    else {
      throw TransportError(
        .invalidRequest, "the address is not an absolute http or https URL", url: address?.printed ?? "",
        hint: "write an absolute http or https URL", requests: 0)
    }
    var headers = NIOHTTP1.HTTPHeaders()
    headers.reserveCapacity(source.headers.fields.count + 2)
    for field in source.headers.fields {
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        throw TransportError(
          .invalidRequest, "the header \(field.name) contains a line break or another control character",
          url: address.printed, requests: 0)
      }
      headers.add(name: field.name, value: field.value)
    }
    if source.headers["User-Agent"] == nil { headers.add(name: "User-Agent", value: configuration.userAgent) }
    // Only gzip: servers disagree about what `deflate` means (RFC 9110 section 8.4.1.2).
    if source.headers["Accept-Encoding"] == nil { headers.add(name: "Accept-Encoding", value: "gzip") }
    (self.headers, self.address) = (headers, address)
    bodyLimit = min(source.bodyLimit ?? configuration.bodyLimit, configuration.bodyLimit)
    headerLimit = configuration.headerLimit
    progress = configuration.progress
  }

  func report(_ bytes: Int, of expected: Int?) { progress?(printedURL, bytes, expected) }

  /// Sends the request; the exchange then runs until it is complete or its task is failed.
  ///
  /// - Throws: the error with which AsyncHTTPClient rejects the request.
  func start(on client: HTTPClient) throws -> ResponseCollector {
    let url = source.encodedURL
    let request = try HTTPClient.Request(
      url: address.isSchemeLowercase ? url : address.scheme + url.dropFirst(address.scheme.utf8.count),
      method: HTTPMethod(rawValue: source.method.rawValue), headers: headers,
      body: source.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
    let collector = ResponseCollector(self)
    collector.begin(client.execute(request: request, delegate: collector))
    return collector
  }

  func response(_ head: HTTPResponseHead, _ headers: Ports.HTTPHeaders, _ body: [UInt8], expected: Int?) throws
    -> HTTPResponse
  {
    if let expected, body.count != expected {
      throw refusal(
        body.count < expected ? .truncated : .malformed,
        "the response has \(body.count) bytes but announces \(expected)")
    }
    return HTTPResponse(status: Int(head.status.code), headers: headers, body: body, url: source.url)
  }

  /// - Returns: the length that the body must have, if the head announces it.
  func check(_ head: HTTPResponseHead, _ headers: Ports.HTTPHeaders) throws -> Int? {
    let status = HTTPStatus(Int(head.status.code))
    guard status.isFinal else { throw refusal(.malformed, "the server answered with the status \(status)") }
    let size = headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard size <= headerLimit else {
      throw refusal(.tooLarge, "the response headers are larger than \(headerLimit) bytes")
    }
    if source.method == .head || !status.hasContent { return nil }
    let lengths = headers.values("Content-Length")
    let transfer = headers.values("Transfer-Encoding").joined(separator: ",")
    guard Set(lengths).count <= 1, lengths.isEmpty || transfer.isEmpty else {
      throw refusal(.malformed, "the response gives its length in two ways")
    }
    guard transfer.isEmpty || transfer.lowercased() == "chunked" else {
      throw refusal(.malformed, "the response uses the transfer coding '\(transfer)', which was not requested")
    }
    let named = headers.values("Content-Encoding").joined(separator: ",")
    let coding = named.lowercased()
    guard ["", "identity", "gzip", "deflate"].contains(coding) else {
      throw refusal(.malformed, "the response uses the content coding '\(named)', which was not requested")
    }
    // A body without a length ends with its connection (RFC 9112 section 6.3, case 8). Whether it was cut, only its text
    // tells. Where the connection is to stay open, it never ends.
    if lengths.isEmpty, transfer.isEmpty, head.version == .http1_1,
      headers.values("Connection").joined(separator: ",").lowercased().contains("keep-alive")
    {
      throw refusal(.malformed, "the response does not announce its length, and is to end without its connection")
    }
    guard let text = lengths.first else { return nil }
    guard let length = Int(text), length >= 0 else {
      throw refusal(.malformed, "the response's Content-Length '\(text)' is not a number")
    }
    guard coding == "" || coding == "identity" else { return nil }
    guard length <= bodyLimit else { throw tooLarge() }
    return length
  }

  func tooLarge() -> TransportError { refusal(.tooLarge, "the response is larger than \(bodyLimit) bytes") }

  private func refusal(_ code: TransportError.Code, _ message: String) -> TransportError {
    TransportError(code, message, url: printedURL, mayHaveArrived: true)
  }
}

extension InFlightRequest {
  /// The parts of a URL that determine the server of a request.
  struct Address {
    /// In lower case (RFC 3986 section 3.1).
    let scheme: String
    /// As written; an IPv6 address in its brackets.
    let host: String
    /// As written, or the default port of the scheme; `nil` if it is not a number.
    let port: Int?
    /// The URL without query and user info, which may hold secrets.
    let printed: String
    let isSchemeLowercase: Bool

    /// Splits a URL; `nil` if it has no scheme.
    init?(_ url: String) {
      // Works on bytes: characters would take a noticeable part of the time of a small request.
      let bytes = url.utf8
      guard let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) else { return nil }
      isSchemeLowercase = !bytes[..<colon].contains { 0x41...0x5A ~= $0 }
      let scheme = isSchemeLowercase ? String(url[..<colon]) : url[..<colon].lowercased()
      let start = bytes.index(colon, offsetBy: 3)
      let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
      let pathEnd = bytes[end...].firstIndex { $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
      let at = bytes[start..<end].lastIndex(of: 0x40)
      let authority = url[(at.map { bytes.index(after: $0) } ?? start)..<end]
      printed = at == nil ? String(url[..<pathEnd]) : "\(scheme)://\(authority)\(url[end..<pathEnd])"
      var port: Int? = scheme == "https" ? 443 : 80
      var host = authority
      if authority.utf8.last != 0x5D, let colon = authority.utf8.lastIndex(of: 0x3A) {
        port = Int(authority[authority.utf8.index(after: colon)...])
        host = authority[..<colon]
      }
      (self.scheme, self.host, self.port) = (scheme, String(host), port)
    }

    /// Host and port, in lower case.
    var origin: String { "\(host.lowercased()):\(port ?? 0)" }
  }
}
