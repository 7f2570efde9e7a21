public import Models

/// An account at a server, with its password.
public struct SourceAccount: Hashable, Sendable {
  public var name: String
  /// The URL of the server, or of something at it.
  public var url: String
  /// The user name; `nil` for a server without logins.
  public var user: String?
  public var password: SourceKey
  public var login: Settings.Account.Login

  public init(
    name: String, url: String, user: String? = nil, password: SourceKey = .absent,
    login: Settings.Account.Login = .basic
  ) { (self.name, self.url, self.user, self.password, self.login) = (name, url, user, password, login) }

  /// The credentials of HTTP Basic authentication (RFC 7617 section 2); `nil` without a user or a password.
  public var basicCredentials: String? {
    guard let user, let password = password.value else { return nil }
    return Base64.encoded(Array("\(user):\(password)".utf8))
  }

  /// What must not appear in messages and recordings.
  public var secrets: [String] { [password.value, basicCredentials].compactMap(\.self) }
}

public protocol AccountSource: Source {
  /// Lists what the account offers to follow. It is also the proof that the server accepts the user and the password.
  ///
  /// - Throws: `SourceError` if the password is missing or refused, or if the server does not respond.
  func offers(of account: SourceAccount, over transport: any HTTPTransport) async throws(SourceError) -> [AccountOffer]
}

public struct AccountOffer: Hashable, Sendable {
  public var path: String
  public var title: String?
  public var isReadOnly: Bool

  public init(path: String, title: String?, isReadOnly: Bool) {
    (self.path, self.title, self.isReadOnly) = (path, title, isReadOnly)
  }
}
