public import Models
public import Ports

/// Reads a user: `{"data": {userId, name, email, description?}}` or the bare object; `{"error": {code, message}}` is
/// the API's own error, also under HTTP 200. The id may be called `userId`, `id` or `number`, and be a number.
public struct UserEnvelopeParser: ResponseParser {
  /// A parser.
  public init() {}

  /// Parses one user.
  ///
  /// - Throws: `ParsingError`: `shape` where there is no user, or one without id, name or email; `foreign` where it is
  ///   no JSON at all; `syntax`, `truncated` or `limit` where the JSON is broken.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<Profile>> {
    try Answer.read(body) { (root) throws(ParsingError) -> Parsed<APIAnswer<Profile>> in
      guard root.isObject else { throw root.error(expected: "an object") }
      if let error = root.failure { return Parsed(.failure(try failure(error, in: root))) }
      let data = root["data"]
      // One or many; of several users none is the one that was asked for.
      let user = data.map { $0.elementCount == 1 ? $0[0] ?? $0 : $0 } ?? root
      guard user.isObject else { throw user.error(expected: "an object") }
      return Parsed(.success(try profile(user)))
    }
  }

  private func failure(_ error: JSONNode, in root: JSONNode) throws(ParsingError) -> APIFailure {
    guard error.isObject else {
      // `"error": true` stands beside its message.
      let told = error.isString || error.isNumber ? error : error.isArray ? error[0] : nil
      if let told, let message = try told.text() { return APIFailure(code: "error", message: message) }
      return APIFailure(code: "error", message: try root.optionalText("message") ?? "an error without a message")
    }
    let code = try error.optionalText("code") ?? "error"
    return APIFailure(code: code, message: try error.optionalText("message") ?? "error \(code) without a message")
  }

  private func profile(_ user: JSONNode) throws(ParsingError) -> Profile {
    guard let id = user.present("userId") ?? user.present("id") ?? user.present("number") else {
      throw user.error(expected: "the user's id", missing: "userId")
    }
    guard let text = try id.text(), !text.isEmpty else { throw id.error(expected: "a string that is not empty") }
    return Profile(
      id: text, name: try user.presentText("name"), email: try user.presentText("email"),
      description: try user["description"]?.text())
  }
}
