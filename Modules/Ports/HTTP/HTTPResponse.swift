/// One HTTP response, whole in memory.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code, 200 to 599; 304 only where the request had a validator.
  public var status: Int
  /// The headers as they came.
  public var headers: HTTPHeaders
  /// The decoded content, whole: a shortened answer is an error, never a response.
  public var body: [UInt8]
  /// The URL that answered, after redirects.
  public var url: String
  /// How many requests it took: tries and redirects counted.
  public var requests: Int

  /// Makes a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String, requests: Int = 1) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.requests = requests
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// What makes a later request conditional; `nil` where the server gave nothing (RFC 9110 section 8.8).
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(etag: headers["ETag"], lastModified: headers["Last-Modified"])
    return validator == HTTPValidator() ? nil : validator
  }
}

/// What tells one representation from another (RFC 9110 section 8.8).
public struct HTTPValidator: Hashable, Sendable {
  /// The entity tag as it came, quotes and `W/` included.
  public var etag: String?
  /// The `Last-Modified` date as it came.
  public var lastModified: String?

  /// Makes a validator.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}
