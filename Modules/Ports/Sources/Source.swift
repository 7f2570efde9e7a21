public import Models

/// A plug-in that speaks one API: it knows which follows there are, and pulls them page by page.
public protocol Source: Sendable {
  /// The first part of its follows' paths.
  var name: SourceName { get }

  /// The forms of its follows, for messages: `app-store/STOREFRONT/CHART`.
  var forms: [String] { get }

  /// The limit of a follow that names none; `nil` where limits mean nothing.
  var defaultLimit: Int? { get }

  /// Checks a follow's parameters.
  ///
  /// - Throws: `FollowError`, which says what is allowed.
  func check(_ follow: Follow) throws(FollowError)

  /// The follow in its usual spelling, where its path can be written in several ways; two follows of the same thing
  /// have the same path then. The follow as it is, unless the source says otherwise.
  ///
  /// - Throws: `FollowError` as `check`.
  func canonical(_ follow: Follow) throws(FollowError) -> Follow

  /// Pulls the page that `context.cursor` names, or the first one.
  ///
  /// It changes nothing: the engine commits what the page holds, with the new cursor and memory, and asks again while
  /// `PullPage.next` says where to go on. The same context and the same answers give the same page.
  /// - Throws: `SourceError`; what was committed before stays.
  func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage
}

extension Source {
  /// The follow as it is, where the source takes it.
  public func canonical(_ follow: Follow) throws(FollowError) -> Follow {
    try check(follow)
    return follow
  }
}

/// A source that takes edits.
public protocol EditableSource: Source {
  /// The collections whose edits it sends.
  var editableCollections: [CollectionName] { get }

  /// Sends one edit: replaces, makes or removes a record.
  ///
  /// Where `entry.outcomeUnknown`, an earlier try may have arrived, and the remote is read first: an edit that it has
  /// counts as accepted, a record that it has no longer as removed. A PUT or a DELETE goes out only on top of
  /// `entry.base`, a POST under the idempotency key `entry.id`.
  /// - Throws: `SourceError`; its `disposition` says whether the edit is refused for good, may be sent again, or may have
  ///   arrived.
  func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome
}

/// A follow that its source does not take.
public struct FollowError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The follow's path.
  public var follow: String
  /// What is wrong with it.
  public var message: String
  /// What is allowed.
  public var allowed: String

  /// Makes an error.
  public init(follow: String, message: String, allowed: String) {
    self.follow = follow
    self.message = message
    self.allowed = allowed
  }

  /// The error in one line.
  public var description: String { "\(follow): \(message); \(allowed)" }

  /// The error as users see it.
  public var failure: Failure { Failure(.config, .usage, "\(follow): \(message)", hint: allowed, path: follow) }
}
