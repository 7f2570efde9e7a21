public import Models

/// Sends the requests of a source to its server and interprets the responses.
public struct SourceClient: Sendable {
  /// The base URL of the server, without a trailing `/`.
  public let base: String
  private let transport: any HTTPTransport

  /// Creates a client for the server in the settings, or for the default server of the source.
  ///
  /// - Throws: `SourceError.configuration` if there is neither.
  public init(
    _ source: SourceDescriptor, _ server: Settings.Server?, transport: any HTTPTransport
  ) throws(SourceError) {
    guard let base = server?.url ?? source.defaultURL else {
      throw .configuration(
        message: "no server is set for \(source.name)", hint: "set servers.\(source.name).url in the config file")
    }
    (self.base, self.transport) = (base, transport)
  }

  /// Sends a request. Every status is a valid response.
  ///
  /// A URL that does not begin with `base`, such as a next page of a response, counts as one that came with data.
  public func send(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
    var request = request
    // A name or a user part that merely begins like the base is another server.
    let rest = request.url.hasPrefix(base) ? request.url.dropFirst(base.count).first : "x"
    if let rest, rest != "/", rest != "?" { request.isFromData = true }
    do throws(TransportError) { return try await transport.send(request) } catch { throw .transport(error) }
  }

  /// - Parameters:
  ///   - validator: the validator of a conditional request; `nil` for an unconditional one.
  ///   - bodyLimit: the largest body that is accepted, in bytes; a larger one is rejected before it is read completely.
  ///   - message: extracts the API's own message from a response with an error status.
  /// - Returns: `nil` if the validator is still current (304, RFC 9110 section 15.4.5).
  public func get<Value>(
    _ url: String, _ parser: any ResponseParser<Value>, validator: HTTPValidator? = nil, bodyLimit: Int? = nil,
    message: (HTTPResponse) -> String? = { _ in nil }
  ) async throws(SourceError) -> SourceAnswer<Value>? {
    let request = HTTPRequest(
      .get, url, headers: ["Accept": "application/json"], validator: validator, bodyLimit: bodyLimit)
    let response = try await send(request)
    if response.status.meaning == .unchanged, validator != nil { return nil }
    return try Self.answer(response, url, parser, message: message)
  }

  /// - Parameters:
  ///   - url: the URL without secrets.
  ///   - message: extracts the API's own message from a response with an error status.
  /// - Throws: `SourceError.answered` for a status outside 2xx, `parsing` for an invalid body.
  public static func answer<Value>(
    _ response: HTTPResponse, _ url: String, _ parser: any ResponseParser<Value>,
    message: (HTTPResponse) -> String? = { _ in nil }
  ) throws(SourceError) -> SourceAnswer<Value> {
    guard response.isSuccess else { throw .status(response, url: url, message: message(response)) }
    do throws(ParsingError) {
      return SourceAnswer(parsed: try parser.parse(response.body), validator: response.validator)
    } catch { throw .parsing(error, url: url) }
  }

  /// Returns the message of an API that reports errors in the body: `User not found (1)`.
  public static func message<Value>(of parser: any ResponseParser<APIAnswer<Value>>) -> (HTTPResponse) -> String? {
    { response in
      guard case .failure(let failure)? = (try? parser.parse(response.body))?.value else { return nil }
      return failure.message.isEmpty ? failure.code : "\(failure.message) (\(failure.code))"
    }
  }
}

public struct SourceAnswer<Value: Sendable>: Sendable {
  public var parsed: Parsed<Value>
  public var validator: HTTPValidator?

  public init(parsed: Parsed<Value>, validator: HTTPValidator?) { (self.parsed, self.validator) = (parsed, validator) }
}

/// The stored validators of a follow, which apply to one URL only.
public struct StoredValidator: Hashable, Sendable {
  public var validator: HTTPValidator?
  private let url: String

  /// Creates the validator of a response from `url`.
  public init(url: String, _ validator: HTTPValidator?) { (self.url, self.validator) = (url, validator) }

  /// Reads the stored form; empty if it belongs to another URL. Earlier versions did not always store the URL.
  public init(_ sourceState: JSONObject, url: String) {
    self.url = url
    guard sourceState["url"] == nil || sourceState["url"] == .string(url) else { return }
    let validator = HTTPValidator(etag: sourceState["etag"]?.string, lastModified: sourceState["lastModified"]?.string)
    self.validator = validator == HTTPValidator() ? nil : validator
  }

  /// The stored form; empty if the server sent no validator.
  public var fields: JSONObject {
    guard let validator else { return [:] }
    return ["url": .string(url), "etag": .of(validator.etag), "lastModified": .of(validator.lastModified)]
  }
}
