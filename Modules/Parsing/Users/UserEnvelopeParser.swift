public import Models
public import Ports

/// Parses a user: `{"data": {userId, name, email, description?}}` or the bare object. `{"error": {code, message}}` is an
/// error of the API, also under HTTP 200. The id may be named `userId`, `id` or `number`, and may be a number.
public struct UserEnvelopeParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where there is no user with id, name and email; `foreign` where it is not JSON;
  ///   `syntax`, `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<Profile>> {
    try ResponseBody.read(body) { (root) throws(ParsingError) -> Parsed<APIAnswer<Profile>> in
      guard root.isObject else { throw root.error(expected: "an object") }
      if let error = root.reportedError { return Parsed(.failure(try failure(error, in: root))) }
      let data = root["data"]
      // An array of one user is accepted. With several, it is not clear which one was requested.
      let user = data.map { $0.elementCount == 1 ? $0[0] ?? $0 : $0 } ?? root
      guard user.isObject else { throw user.error(expected: "an object") }
      return Parsed(.success(try profile(user)))
    }
  }

  private func failure(_ error: JSONNode, in root: JSONNode) throws(ParsingError) -> APIFailure {
    guard error.isObject else {
      // `"error": true` has its message in a member of the root.
      let detail = error.isString || error.isNumber ? error : error.isArray ? error[0] : nil
      if let detail, let message = try detail.text() { return APIFailure(code: "error", message: message) }
      return APIFailure(code: "error", message: try root.optionalText("message") ?? "an error without a message")
    }
    let code = try error.optionalText("code") ?? "error"
    return APIFailure(code: code, message: try error.optionalText("message") ?? "error \(code) without a message")
  }

  private func profile(_ user: JSONNode) throws(ParsingError) -> Profile {
    guard let id = user.nonNull("userId") ?? user.nonNull("id") ?? user.nonNull("number") else {
      throw user.error(expected: "the user's id", missing: "userId")
    }
    guard let text = try id.text(), !text.isEmpty else { throw id.error(expected: "a string that is not empty") }
    return Profile(
      id: text, name: try user.requiredText("name", allowsEmpty: true),
      email: try user.requiredText("email", allowsEmpty: true),
      description: try user["description"]?.text())
  }
}
