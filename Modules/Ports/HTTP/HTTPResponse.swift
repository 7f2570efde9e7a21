/// An HTTP response with its complete body.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code, 200 to 599. It is 304 only for requests with a validator.
  public var status: Int
  /// The headers as received.
  public var headers: HTTPHeaders
  /// The complete decoded content. A truncated response is an error.
  public var body: [UInt8]
  /// The URL of the response, after redirects.
  public var url: String
  /// The number of requests that were sent, including retries and redirects.
  public var requests: Int

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String, requests: Int = 1) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.requests = requests
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The validator for conditional requests; `nil` where the server sent none (RFC 9110 section 8.8).
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(etag: headers["ETag"], lastModified: headers["Last-Modified"])
    return validator == HTTPValidator() ? nil : validator
  }
}

/// Identifies a representation for conditional requests (RFC 9110 section 8.8).
public struct HTTPValidator: Hashable, Sendable {
  /// The entity tag as received, including quotes and `W/`.
  public var etag: String?
  /// The `Last-Modified` date as received.
  public var lastModified: String?

  /// Creates a validator.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}
