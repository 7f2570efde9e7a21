public import Models

/// Asks the server of a source: where it is, and what its answers mean.
public struct SourceClient: Sendable {
  /// Where the server is, without a trailing `/`.
  public let base: String
  private let transport: any HTTPTransport

  /// A client of the server that the settings name, or of the source's own.
  ///
  /// - Throws: `SourceError.configuration` where there is neither.
  public init(
    _ source: SourceDescriptor, _ server: Settings.Server?, transport: any HTTPTransport
  ) throws(SourceError) {
    guard let base = server?.url ?? source.defaultURL else {
      throw .configuration(
        message: "no server is set for \(source.name)",
        hint: "set servers.\(source.name).url in the config file, or pass --server \(source.name)=URL")
    }
    self.base = base
    self.transport = transport
  }

  /// Sends a request; any status is an answer.
  ///
  /// - Throws: `SourceError.transport`.
  public func send(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
    do throws(TransportError) { return try await transport.send(request) } catch { throw .transport(error) }
  }

  /// Asks for JSON.
  ///
  /// - Parameters:
  ///   - validator: what makes the request conditional.
  ///   - shown: the address without secrets, for errors; `url` where absent.
  ///   - bodyLimit: the largest body that is accepted, in bytes; a larger one is refused before it is held whole.
  ///   - message: what the API itself says about an error status.
  /// - Returns: `nil` where the validator still holds (304, RFC 9110 section 15.4.5).
  /// - Throws: `SourceError.transport`, `http` or `parsing`.
  public func get<Value>(
    _ url: String, shown: String? = nil, _ parser: any ResponseParser<Value>, validator: HTTPValidator? = nil,
    bodyLimit: Int? = nil, budget: RateBudget? = nil, message: (HTTPResponse) -> String? = { _ in nil }
  ) async throws(SourceError) -> SourceAnswer<Value>? {
    let request = HTTPRequest(
      .get, url, headers: ["Accept": "application/json"], validator: validator, bodyLimit: bodyLimit, budget: budget)
    let response = try await send(request)
    if response.status == 304, validator != nil { return nil }
    return try Self.answer(response, shown ?? url, parser, message: message)
  }

  /// What a response says.
  ///
  /// - Parameters:
  ///   - url: the address without secrets.
  ///   - message: what the API itself says about an error status.
  /// - Throws: `SourceError.http` for a status outside 2xx, `parsing`.
  public static func answer<Value>(
    _ response: HTTPResponse, _ url: String, _ parser: any ResponseParser<Value>,
    message: (HTTPResponse) -> String? = { _ in nil }
  ) throws(SourceError) -> SourceAnswer<Value> {
    guard response.isSuccess else { throw .status(response, url: url, message: message(response)) }
    do throws(ParsingError) {
      return SourceAnswer(parsed: try parser.parse(response.body), validator: response.validator)
    } catch {
      throw .parsing(error, url: url)
    }
  }

  /// What an API that reports errors in its answers says about an error status: `User not found (1)`.
  public static func message<Value>(
    of parser: any ResponseParser<APIAnswer<Value>>
  ) -> (HTTPResponse) -> String? {
    { response in
      guard case .failure(let failure)? = (try? parser.parse(response.body))?.value else { return nil }
      return failure.message.isEmpty ? failure.code : "\(failure.message) (\(failure.code))"
    }
  }
}

/// An answer that could be read.
public struct SourceAnswer<Value: Sendable>: Sendable {
  /// The values, and the records that were rejected.
  public var parsed: Parsed<Value>
  /// What makes a later request conditional.
  public var validator: HTTPValidator?

  /// Makes an answer.
  public init(parsed: Parsed<Value>, validator: HTTPValidator?) {
    self.parsed = parsed
    self.validator = validator
  }
}

/// The validators of an answer as a follow remembers them. They hold for one address only.
public struct ValidatorMemory: Hashable, Sendable {
  /// What makes the next request conditional.
  public var validator: HTTPValidator?
  private let url: String

  /// What an answer from `url` gave.
  public init(url: String, _ validator: HTTPValidator?) {
    self.url = url
    self.validator = validator
  }

  /// What was remembered, unless it was of another address. Earlier versions did not always remember the address.
  public init(_ memory: JSONObject, url: String) {
    self.url = url
    guard memory["url"] == nil || memory["url"] == .string(url) else { return }
    let validator = HTTPValidator(etag: memory["etag"]?.string, lastModified: memory["lastModified"]?.string)
    self.validator = validator == HTTPValidator() ? nil : validator
  }

  /// The memory as it is kept; empty where the server gave no validator.
  public var fields: JSONObject {
    guard let validator else { return [:] }
    var fields: JSONObject = ["url": .string(url)]
    fields.append("etag", validator.etag)
    fields.append("lastModified", validator.lastModified)
    return fields
  }
}

extension Source {
  /// A follow as the descriptor understands it, before it is pulled.
  ///
  /// - Throws: `SourceError.follow`.
  public func match(_ follow: Follow) throws(SourceError) -> FollowMatch {
    do throws(FollowError) { return try descriptor.match(follow) } catch { throw .follow(error) }
  }
}
