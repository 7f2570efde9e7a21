import Hummingbird

/// A method of HTTP.
typealias Method = HTTPRequest.Method
/// A status of HTTP.
typealias Status = HTTPResponse.Status

/// One address that the daemon answers.
struct Route: Sendable {
  /// Who may call it.
  enum Access: Sendable {
    /// Anybody.
    case open
    /// Whoever has the token, and anybody where the config opens it.
    case metrics
    /// Whoever has the token, or came in through the login link.
    case token
    /// Whoever may do everything: who has access is nothing for a token that may only read.
    case owner
    /// As `token`, and who may not is told by a page how to get in.
    case page
  }

  /// What a body may be.
  enum Content: String, Sendable {
    /// JSON, or nothing at all.
    case json = "application/json"
    /// The fields of a form.
    case form = "application/x-www-form-urlencoded"
  }

  /// The method; HEAD goes with GET.
  let method: Method
  /// The method's name.
  var methodName: String { method.rawValue }
  /// The path: `{name}` is one part of it, `**` at its end is the rest.
  let path: String
  /// Who may call it.
  let access: Access
  /// What a body may be.
  let content: Content
  /// The parameters that its query may have; `nil` where any may stand there.
  let parameters: Set<String>?
  /// Whether its answer may wait for a disk.
  let mayWait: Bool
  /// Answers.
  let answer: @Sendable (APIRequest) async throws -> Response

  /// A route; for whoever has the token, with JSON, unless something else is said. Those of the API take no other
  /// parameters than the named ones.
  init(
    _ method: Method, _ path: String, _ access: Access = .token, content: Content = .json,
    parameters: Set<String> = [], mayWait: Bool = true,
    answer: @escaping @Sendable (APIRequest) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.content = content
    self.parameters = path.hasPrefix("/api/") ? parameters : nil
    self.mayWait = mayWait
    self.answer = answer
  }

  /// Whether a path is one of this route's.
  func matches(_ path: String) -> Bool {
    let wanted = self.path.split(separator: "/")
    let parts = path.split(separator: "/")
    for (index, piece) in wanted.enumerated() {
      if piece == "**" { return index < parts.count }
      guard index < parts.count, piece.hasPrefix("{") || piece == parts[index] else { return false }
    }
    return wanted.count == parts.count
  }
}
