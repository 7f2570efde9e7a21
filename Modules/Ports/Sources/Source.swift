public import Models

/// A plug-in that speaks one API: it describes itself, and pulls its follows page by page.
public protocol Source: Sendable {
  /// What programs need to know about it: its name, follows, collections and settings.
  var descriptor: SourceDescriptor { get }

  /// Checks a follow and gives it in its usual spelling, where it can be written in several ways: two follows of the
  /// same thing have the same path then.
  ///
  /// The default is what the descriptor says. A source that knows more checks that first: `descriptor.match(follow)`.
  /// - Throws: `FollowError`, which says what is allowed.
  func canonical(_ follow: Follow) throws(FollowError) -> Follow

  /// Pulls the page that `context.cursor` names, or the first one.
  ///
  /// It changes nothing: the engine commits what the page holds, with the new cursor and memory, and asks again while
  /// `PullPage.next` says where to go on. The same context and the same answers give the same page.
  /// - Throws: `SourceError`; what was committed before stays.
  func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage
}

extension Source {
  /// The first part of its follows' paths.
  public var name: SourceName { descriptor.name }

  /// The follow as it is, where it matches the descriptor.
  public func canonical(_ follow: Follow) throws(FollowError) -> Follow {
    _ = try descriptor.match(follow)
    return follow
  }

  /// Checks a follow.
  ///
  /// - Throws: `FollowError`, which says what is allowed.
  public func check(_ follow: Follow) throws(FollowError) { _ = try canonical(follow) }
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

extension RateBudget {
  /// The budget of a source's API, kept under a name of its own: `flickr-` and the hash of a key.
  public init(name: String, _ budget: SourceDescriptor.Budget) {
    self.init(
      name: name, calls: budget.calls, window: budget.window, spacingMilliseconds: budget.spacingMilliseconds)
  }
}

/// A source that asks with the key that its descriptor describes.
public protocol KeyedSource: Source {
  /// Asks the server for something small that needs the key and changes nothing.
  ///
  /// - Throws: `SourceError` where the key is missing or refused, or the server gives no answer.
  func proveKey(over transport: any HTTPTransport) async throws(SourceError)
}

/// A source's key, as far as it was found.
public enum SourceKey: Hashable, Sendable {
  /// The config and the environment name none.
  case absent
  /// The key, and where it came from, for messages: `the environment variable ALMANAC_FLICKR_KEY`.
  case given(String, from: String)
  /// The config says where it is, and it is not there.
  case missing(Failure)

  /// The key itself.
  public var value: String? { if case .given(let key, _) = self { key } else { nil } }
}

extension SourceError {
  /// The error where a source has no key: why, and how to give one.
  ///
  /// - Parameter key: a key that is absent or missing.
  public static func noKey(_ key: SourceKey, of source: SourceDescriptor) -> SourceError {
    if case .missing(let failure) = key {
      return .missingKey(source: source.name, problem: failure.message, hint: failure.hint ?? "give another key")
    }
    let variable = source.key.map { ", or the environment variable \($0.variable); \($0.help)" } ?? ""
    return .missingKey(
      source: source.name, problem: nil, hint: "set servers.\(source.name).apiKey in the config file\(variable)")
  }
}
