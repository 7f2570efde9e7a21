/// The names of query parameters and header fields with secrets: those of many APIs, and those that a source adds.
public struct SecretNames: Hashable, Sendable {
  /// Those that a source adds, in lower case.
  let added: [String]

  /// The usual names, and others without regard to case.
  public init(adding names: [String] = []) { added = names.map { $0.lowercased() } }

  public func isParameter(_ name: String) -> Bool {
    let name = name.lowercased()
    return Self.parameters.contains(name) || added.contains(name)
  }

  public func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    if Self.headers.contains(name) || added.contains(name) { return true }
    return Self.endings.contains { name.hasSuffix($0) } && !Self.open.contains(name)
  }

  private static let endings = ["-token", "-secret", "-key", "apikey", "-auth"]
  private static let open: Set<String> = ["idempotency-key", "sec-websocket-key"]

  private static let parameters: Set<String> = [
    "api_key", "apikey", "api-key", "key", "token", "access_token", "accesstoken", "refresh_token", "id_token", "auth",
    "auth_token", "authorization", "oauth_token", "oauth_signature", "api_sig", "sig", "signature", "secret",
    "client_secret", "password", "passwd", "pwd", "session", "sessionid", "session_id", "sid", "jwt",
    "x-amz-signature", "x-amz-security-token",
  ]

  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2", "authentication-info",
    "x-api-key", "x-apikey", "api-key", "apikey", "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token",
    "x-amz-security-token", "x-goog-api-key", "private-token", "x-session-id",
  ]
}
