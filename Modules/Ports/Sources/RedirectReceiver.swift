public import Models

/// Receives the redirect of a browser in which a person logs in (RFC 8252 section 7.3).
public protocol RedirectReceiver: Sendable {
  /// The address that the browser is sent to, on this machine.
  var address: String { get }

  /// Waits for the request that is meant. Others are refused, and do not end the wait.
  ///
  /// - Parameter isMeant: whether a query, without `?`, is the one.
  func query(where isMeant: @Sendable (String) -> Bool) async throws(Failure) -> String
}

public enum LoginPrompt: Hashable, Sendable {
  /// Opens an address with a browser on this machine.
  case open(String)
  /// Enters a code on any device; `link`, which some servers give, contains it.
  case enter(code: String, address: String, link: String?)
}
