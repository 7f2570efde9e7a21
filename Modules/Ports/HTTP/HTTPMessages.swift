public import Models

public struct HTTPRequest: Hashable, Sendable {
  /// A request method (RFC 9110 section 9).
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    /// Requests properties of resources (RFC 4918 section 9.1).
    case propfind = "PROPFIND"
    /// Requests a report about resources (RFC 3253 section 3.6).
    case report = "REPORT"

    /// Whether the method only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool {
      switch self {
      case .get, .head, .options, .propfind, .report: true
      case .post, .put, .patch, .delete: false
      }
    }

    /// Whether several equal requests have the same effect as one (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
  }

  public var method: Method
  /// An absolute `http` or `https` URL. It may contain secrets: redact it before printing.
  @ExactString public var url: String
  public var headers: HTTPHeaders
  public var body: [UInt8]?
  /// The validator of the representation that the caller has: the request is conditional, and 304 a valid response.
  public var validator: HTTPValidator?
  /// Whether the request may be repeated after an unknown outcome; `nil` to decide by its method. A POST may be
  /// repeated with an idempotency key that the server supports. A PUT without a validator should not be repeated,
  /// because it could overwrite a newer change.
  public var isRepeatable: Bool?

  /// Whether it may be sent again after an unknown outcome: what `isRepeatable` says, or else its method.
  public var mayBeRepeated: Bool { isRepeatable ?? method.isIdempotent }

  /// Whether 500, 502, 503 and 504 are returned at once because the caller repeats the request itself. They then do not
  /// count as failures of the host.
  public var returnsServerErrors = false
  /// Header fields with the time of the next attempt, which the server sends in the place of `Retry-After`.
  public var retryTimes: [HTTPRetryTime] = []
  /// The largest decoded body, in bytes; `nil` for the limit of the transport.
  public var bodyLimit: Int?
  public var budget: RateBudget?
  /// Whether the URL came with data, such as the address of a picture in a record. Such a request is not sent to this machine
  /// or to a private network, unless the settings name the server.
  public var isFromData = false
  /// Whether it only prepares other requests, such as one for an access token.
  public var isPreparation = false
  /// The number of the attempt, from 1, which the retries set.
  public var attempt = 1

  public init(
    _ method: Method = .get, _ url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    validator: HTTPValidator? = nil, isRepeatable: Bool? = nil, bodyLimit: Int? = nil, budget: RateBudget? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    (self.validator, self.isRepeatable, self.bodyLimit, self.budget) = (validator, isRepeatable, bodyLimit, budget)
  }
}

extension HTTPRequest {
  /// The address, with the characters encoded that no address may have (RFC 3986 section 2). What is encoded already stays: a
  /// library that meets such a character would encode every `%` again.
  public var encodedURL: String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let path = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    if url[path...].utf8.allSatisfy(Self.isLegal) { return url }
    let encoded = url[path...].utf8.map { byte -> String in
      Self.isLegal(byte)
        ? String(UnicodeScalar(byte)) : "%" + String(0x100 | Int(byte), radix: 16, uppercase: true).dropFirst()
    }
    return url[..<path] + encoded.joined()
  }

  private static func isLegal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    // Control characters are refused.
    default: byte != 0x20 && byte < 0x80
    }
  }
}

public struct HTTPRetryTime: Hashable, Sendable {
  private let statuses: [Int]
  private let conditions: HTTPHeaders
  private let header: String
  private let isEpoch: Bool

  /// - Parameters:
  ///   - statuses: the statuses for which it counts; empty for all.
  ///   - conditions: the fields that the response must have, too.
  ///   - isEpoch: whether it holds seconds since 1970, and not seconds from now.
  public init(statuses: [Int], conditions: HTTPHeaders = [:], header: String, isEpoch: Bool) {
    (self.statuses, self.conditions, self.header, self.isEpoch) = (statuses, conditions, header, isEpoch)
  }

  /// The longest wait that is accepted, in seconds: a day.
  public static let longest = 86_400

  /// The seconds to wait after a response, at most `longest`; `nil` if it does not say.
  public func seconds(of response: HTTPResponse, now: Timestamp) -> Int? {
    guard statuses.isEmpty || statuses.contains(response.status.code),
      conditions.fields.allSatisfy({ response.headers[$0.name]?.exact == $0.value.exact }),
      let value = response.headers[header].flatMap({ Int($0) })
    else { return nil }
    return min(max(0, isEpoch ? value.minus(now.secondsSinceEpoch) : value), Self.longest)
  }
}

public struct HTTPResponse: Hashable, Sendable {
  /// The status, 200 to 599. It is 304 only for requests with a validator.
  public var status: HTTPStatus
  public var headers: HTTPHeaders
  /// The complete decoded content. A truncated response is an error.
  public var body: [UInt8]
  /// The URL of the response, after redirects.
  public var url: String
  /// The number of requests that were sent, including retries and redirects.
  public var requests: Int

  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String, requests: Int = 1) {
    self.status = HTTPStatus(status)
    (self.headers, self.body, self.url, self.requests) = (headers, body, url, requests)
  }

  public var isSuccess: Bool { status.isSuccess }

  /// The seconds in `Retry-After`, at most a day; `nil` also for a date, which the middleware has replaced by seconds.
  package var retryAfter: Int? {
    headers["Retry-After"].flatMap { Int($0) }.map { min(max(0, $0), HTTPRetryTime.longest) }
  }

  /// The validator for conditional requests; `nil` if the server sent none (RFC 9110 section 8.8).
  public var validator: HTTPValidator? {
    let validator = HTTPValidator(etag: headers["ETag"], lastModified: headers["Last-Modified"])
    return validator == HTTPValidator() ? nil : validator
  }
}

/// Identifies a representation for conditional requests (RFC 9110 section 8.8).
public struct HTTPValidator: Hashable, Sendable {
  /// The entity tag as received, including quotes and `W/`.
  public var etag: String?
  public var lastModified: String?

  public init(etag: String? = nil, lastModified: String? = nil) {
    (self.etag, self.lastModified) = (etag, lastModified)
  }
}

/// Header fields in their order. Names are compared without regard to case (RFC 9110 section 5.1).
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    public func isNamed(_ other: String) -> Bool {
      // Names are ASCII (RFC 9110 section 5.6.2). Comparing bytes avoids copies: this runs for every field of a
      // response.
      name.utf8.count == other.utf8.count
        && zip(name.utf8, other.utf8).allSatisfy { $0 == $1 || HTTPHeaders.lower($0) == HTTPHeaders.lower($1) }
    }
  }

  public var fields: [Field]

  public init(_ fields: [Field] = []) { self.fields = fields }

  public init(dictionaryLiteral elements: (String, String)...) { fields = elements.map { Field($0.0, $0.1) } }

  /// The first value of a field. Setting a value replaces all lines of that name; setting `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.isNamed(name) }?.value }
    set {
      fields.removeAll { $0.isNamed(name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  public func values(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

  public mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }
}

extension HTTPResponse {
  /// The response with the lines of its body as the elements of a JSON list, if its type says that each line is a JSON text
  /// (NDJSON, JSON Lines); otherwise the response itself. O(bytes).
  public var withLinesAsList: HTTPResponse {
    let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
    let types = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"]
    guard types.contains(type) else { return self }
    var response = self
    response.body = Self.linesAsList(body)
    return response
  }

  /// A text of which each line is JSON, as a JSON list. O(bytes).
  public static func linesAsList(_ body: [UInt8]) -> [UInt8] {
    let lines = body.split(separator: 0x0A).filter { line in !line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
    }
    return [0x5B] + Array(lines.joined(separator: [0x2C, 0x0A])) + [0x5D]
  }
}
