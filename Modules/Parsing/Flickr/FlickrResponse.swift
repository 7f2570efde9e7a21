public import Models
public import Ports

/// The envelope of all Flickr responses: `{"stat": "ok", …}`, or `{"stat": "fail", "code", "message"}` under HTTP 200
/// (https://www.flickr.com/services/api/response.json.html). It may also be JSONP, or XML where the request failed before
/// its format was read.
enum FlickrResponse {
  /// Reads the body and calls `use` with the root of a successful response.
  ///
  /// - Throws: `ParsingError` where the body is not a Flickr response; the errors of `use`.
  static func read<Value>(
    _ body: [UInt8], _ use: (JSONNode) throws(ParsingError) -> Parsed<Value>
  ) throws(ParsingError) -> Parsed<APIAnswer<Value>> {
    if let failure = XMLFailure.read(body) { return Parsed(.failure(failure)) }
    let content = JSONPadding.content(of: body)
    do throws(ParsingError) {
      return try body.withUnsafeBufferPointer { (bytes) throws(ParsingError) -> Parsed<APIAnswer<Value>> in
        try JSONDocument.read(UnsafeBufferPointer(rebasing: bytes[content])) {
          (root) throws(ParsingError) -> Parsed<APIAnswer<Value>> in
          if let failure = try failure(root) { return Parsed(.failure(failure)) }
          let parsed = try use(root)
          return Parsed(.success(parsed.value), rejects: parsed.rejects)
        }
      }
    } catch {
      throw ResponseBody.explained(JSONPadding.shifted(error, by: content.lowerBound, in: body), Array(body[content]))
    }
  }

  private static func failure(_ root: JSONNode) throws(ParsingError) -> APIFailure? {
    guard root.isObject else { throw root.error(expected: "an object") }
    guard root["stat"]?.string == "fail" else { return nil }
    let code = try root.optionalText("code") ?? "unknown"
    return APIFailure(code: code, message: FlickrErrorCode.message(code, given: try root.optionalText("message")))
  }
}

/// Removes the function call of JSONP: `jsonFlickrApi( … );`.
enum JSONPadding {
  /// The range of the JSON in the body; the whole body where it is not JSONP.
  static func content(of body: [UInt8]) -> Range<Int> {
    let whole = 0..<body.count
    guard let start = body[ForeignBody.start(of: body)...].firstIndex(where: { $0 > 0x20 }) else { return whole }
    var open = start
    while open < body.count, isNameCharacter(body[open]) { open += 1 }
    let hasName = open > start && !JSONLexer.isDigit(body[start])
    while open < body.count, body[open] <= 0x20 { open += 1 }
    guard hasName, open < body.count, body[open] == 0x28 else { return whole }
    var end = body.count
    while end > open + 1, body[end - 1] <= 0x20 || body[end - 1] == 0x3B { end -= 1 }
    guard end > open + 1, body[end - 1] == 0x29 else { return open + 1..<body.count }
    return open + 1..<end - 1
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    JSONLexer.isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F || byte == 0x24
      || byte == 0x2E
  }

  /// The error with its position relative to the start of the body.
  static func shifted(_ error: ParsingError, by start: Int, in body: [UInt8]) -> ParsingError {
    guard start > 0 else { return error }
    var error = error
    error.offset += start
    let place = body.withUnsafeBufferPointer { TextPlace(of: error.offset, in: $0) }
    error.line = place.line
    error.column = place.column
    return error
  }
}

/// `<rsp stat="fail"><err code="…" msg="…"/></rsp>` (https://www.flickr.com/services/api/response.rest.html).
enum XMLFailure {
  /// Reads a failure; `nil` for other bodies.
  static func read(_ body: [UInt8]) -> APIFailure? {
    guard body[ForeignBody.start(of: body)...].first(where: { $0 > 0x20 }) == 0x3C, body.count < 64 * 1024 else {
      return nil
    }
    let text = String(decoding: body, as: UTF8.self)
    guard text.contains("<rsp"), let element = text.firstRange(of: "<err ") else { return nil }
    let rest = text[element.upperBound...].prefix { $0 != ">" }
    guard let code = attribute("code", in: rest) else { return nil }
    return APIFailure(code: code, message: FlickrErrorCode.message(code, given: attribute("msg", in: rest)))
  }

  private static func attribute(_ name: String, in text: Substring) -> String? {
    guard let start = text.firstRange(of: "\(name)=\"") else { return nil }
    let value = String(text[start.upperBound...].prefix { $0 != "\"" })
    return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(value) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}

/// Messages for Flickr's error codes, for responses without a message.
///
/// Codes from 95 on are the same for all methods (https://www.flickr.com/services/api/flickr.photos.search.html, 'Error
/// Codes'). Lower ones depend on the method; the list has those of the methods in use.
enum FlickrErrorCode {
  static func message(_ code: String, given: String?) -> String {
    if let given { return given }
    return Int(code).flatMap { names[$0] } ?? "error \(code) without a message"
  }

  private static let names: [Int: String] = [
    0: "the service is not available", 1: "not found", 2: "unknown user", 3: "a search needs at least one parameter",
    4: "no permission to view this", 5: "the user was deleted", 10: "the search is not available",
    95: "TLS is required", 96: "invalid signature", 97: "missing signature", 98: "login failed, or an invalid token",
    99: "not logged in, or not allowed", 100: "invalid API key", 105: "the service is not available now",
    106: "the write failed", 111: "the format was not found", 112: "the method was not found",
    114: "an invalid SOAP envelope", 115: "an invalid XML-RPC call", 116: "a bad URL was found in a text",
  ]
}

/// Parses the response of `flickr.people.getInfo`: `{"person": {nsid, username: {"_content"}, iconserver, iconfarm, …}}`.
public struct FlickrPersonParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where there is no person with id and name; `foreign` where it is not JSON;
  ///   `syntax`, `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<Owner>> {
    try FlickrResponse.read(body) { (root) throws(ParsingError) -> Parsed<Owner> in
      guard let person = root["person"] else { throw root.error(expected: "a person", missing: "person") }
      guard person.isObject else { throw person.error(expected: "an object") }
      return Parsed(try owner(person))
    }
  }

  private func owner(_ person: JSONNode) throws(ParsingError) -> Owner {
    let id = if let nsid = try person.optionalText("nsid") { nsid } else { try person.requiredText("id") }
    let farm = try person["iconfarm"]?.wholeNumber() ?? 0
    let server = try person.optionalText("iconserver") ?? "0"
    return Owner(
      id: id, username: try person.requiredText("username"), realName: try person.optionalText("realname"),
      location: try person.optionalText("location"),
      iconURL: Owner.iconURL(farm: farm, server: server, nsid: id),
      photosURL: try person.optionalText("photosurl"), profileURL: try person.optionalText("profileurl"),
      photoCount: try person["photos"]?["count"]?.wholeNumber(), isPro: try person["ispro"]?.boolean())
  }
}
