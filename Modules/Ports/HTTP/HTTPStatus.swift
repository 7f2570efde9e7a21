public import Models

/// The status of a response, and what it says to any client.
///
/// What only WebDAV says with a status is in `CardDAV`.
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public let code: Int

  public init(_ code: Int) { self.code = code }

  public init(integerLiteral code: Int) { self.code = code }

  public var description: String { "\(code)" }

  /// What a status says. Statuses after which a client does the same are one case.
  public enum Meaning: Sendable {
    case success
    case unchanged
    /// 301, 302, 303, 307 and 308: another address answers.
    case redirect
    /// 400 and 422: the server does not accept the content of the request.
    case invalid
    /// 401: the key or the password is missing or wrong.
    case unauthorized
    /// 403: the permission is missing.
    case forbidden
    /// 404 and 410.
    case missing
    /// 405, 415 and 501: the server does not offer such a request.
    case unsupported
    /// 409.
    case conflict
    /// 412.
    case preconditionFailed
    /// 413.
    case tooLarge
    /// 428 (RFC 6585 section 3).
    case preconditionRequired
    /// 429: the server limits the rate of all requests (RFC 6585 section 4).
    case limited
    /// 408 and 425 (RFC 8470 section 5.2): the server did not process the request in this attempt.
    case tryLater
    /// 500, 502, 503 and 504: the server fails at the moment.
    case serverFault
    case other
  }

  public var meaning: Meaning {
    switch code {
    case 200..<300: .success
    case 304: .unchanged
    case 301, 302, 303, 307, 308: .redirect
    case 400, 422: .invalid
    case 401: .unauthorized
    case 403: .forbidden
    case 404, 410: .missing
    case 405, 415, 501: .unsupported
    case 408, 425: .tryLater
    case 409: .conflict
    case 412: .preconditionFailed
    case 413: .tooLarge
    case 428: .preconditionRequired
    case 429: .limited
    case 500, 502, 503, 504: .serverFault
    default: .other
    }
  }

  public var isWorthRepeating: Bool { [.tryLater, .limited, .serverFault].contains(meaning) }

  /// Whether `Retry-After` beside the status is a request to wait (RFC 9110 section 10.2.3). A key that was refused is not
  /// accepted later.
  public var mayNameAPause: Bool { isWorthRepeating || isServerError || meaning == .tooLarge }

  public var edit: SourceError.Disposition {
    switch meaning {
    case .unauthorized, .forbidden, .limited: .retry
    case .tryLater: self == Self.requestTimeout ? .unknown : .retry
    default: (400..<500).contains(code) ? .refused : .unknown
    }
  }

  public var isSuccess: Bool { meaning == .success }
  public var isServerError: Bool { (500..<600).contains(code) }
  /// Whether the status ends an exchange and is defined: 200 to 599.
  public var isFinal: Bool { Self.final.contains(code) }
  /// Whether a response to GET with the status has content (RFC 9110 section 6.4.1).
  public var hasContent: Bool { self != Self.noContent && meaning != .unchanged }

  public static let final = 200...599
  static let requestTimeout: Self = 408
  public static let ok: Self = 200
  public static let noContent: Self = 204
  public static let seeOther: Self = 303
  public static let proxyUnauthorized: Self = 407
  public static let gone: Self = 410
  /// 500: the server fails at this request. With 502, 503 and 504 it, or what is behind it, does not answer at the moment.
  public static let internalServerError: Self = 500
  /// 304: the validator of the request still holds.
  public static let notModified: Self = 304
  public static let unsupportedMediaType: Self = 415
}

extension Failure {
  /// The status that the server answered with; `nil` where it did not answer, or with a success.
  public var status: HTTPStatus? { if case .status(let status)? = code { HTTPStatus(status) } else { nil } }
}
