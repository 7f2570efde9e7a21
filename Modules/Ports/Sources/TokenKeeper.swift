public import Models

/// Keeps the tokens of sources whose refresh token changes with each use (RFC 6749 section 6), for all processes.
public protocol TokenKeeper: Sendable {
  /// Claims the tokens of a source, and waits while another process or task has them.
  func claim(_ source: SourceName) async throws(Failure) -> any ClaimedTokens
}

/// The tokens of one source, which no other process reads or replaces until `release` is called.
public protocol ClaimedTokens: Sendable {
  var tokens: StoredTokens? { get }

  /// Replaces the tokens. They are durable when the method returns.
  func replace(_ tokens: StoredTokens) throws(Failure)

  func release()
}

public struct StoredTokens: Hashable, Sendable {
  /// The hash of the configured key that the tokens descend from. With another key they have no meaning.
  public var key: String
  public var refresh: String
  public var access: String
  /// The time at which the access token expires.
  public var end: Timestamp

  public init(key: String, refresh: String, access: String, end: Timestamp) {
    (self.key, self.refresh, self.access, self.end) = (key, refresh, access, end)
  }
}
