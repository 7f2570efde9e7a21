/// A follow that its source does not accept.
public struct FollowError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The follow's path.
  public var follow: String
  /// The member of the follow's entry that is wrong, `limit` or the name of an option; `nil` for the path.
  public var member: String?
  /// What is wrong with it.
  public var message: String
  /// What is allowed.
  public var allowed: String

  /// Makes an error.
  public init(follow: String, member: String? = nil, message: String, allowed: String) {
    self.follow = follow
    self.member = member
    self.message = message
    self.allowed = allowed
  }

  /// The error in one line.
  public var description: String { "\(follow): \(message); \(allowed)" }

  /// The error as users see it.
  public var failure: Failure { Failure(.config, .usage, "\(follow): \(message)", hint: allowed, path: follow) }
}
