public import Models

/// An adapter of one API, which describes its follows and pulls them page by page.
public protocol Source: Sendable {
  var descriptor: SourceDescriptor { get }

  /// Changes with what the source makes of answers: cursors and states of another fingerprint are forgotten; `nil` where
  /// the source is compiled.
  var fingerprint: String? { get }

  var abilities: SourceAbilities { get }

  /// The records that a follow fills, whether it lists them or not; `nil` where the source cannot say.
  func areas(of follow: Follow) -> [RecordArea]?

  /// Checks what the descriptor does not say of a follow that matches it, and returns its canonical form. Two follows of the
  /// same data have the same canonical path. The default returns the follow unchanged.
  ///
  /// - Throws: `FollowError` with the allowed values.
  func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow

  /// Pulls the page at `context.cursor`, or the first page.
  ///
  /// The method does not change the store. The engine commits the page with the new cursor and state, and calls again
  /// while there is a `PullPage.next`. The same context and the same responses give the same page.
  ///
  /// A response of another form than the source reads is an error, or its records are rejected: a page with neither records
  /// nor rejected ones says that the remote has none. 304 to a conditional request gives `PullPage.notModified`.
  ///
  /// A validator is that of one response. Where the list had several pages, 304 to the first one says nothing about the
  /// others: the page then has the cursor of the next page, as it was when the first one was read, or the first page is
  /// requested without a validator. A record that cannot be read is in `PullPage.rejects`, and never left out in silence.
  ///
  /// After an error or an end of the program, the next sync calls with the cursor after the last committed page. What the
  /// remote changed on the pages before it since then comes with the sync after that one: a source that asks for changes
  /// since some point must not move the point past the beginning of such a pull.
  /// - Throws: `SourceError`; pages that were committed before are kept.
  func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage

  /// Begins a pull of several pages. The default pulls each page on its own.
  func open(_ follow: CheckedFollow) -> any SourcePull
}

/// The pages of one pull, and what the source keeps between them, such as a program that prints the records.
public protocol SourcePull: Sendable {
  /// Pulls the page at `context.cursor`, or the first page, as `Source.pull`.
  func page(_ context: PullContext) async throws(SourceError) -> PullPage

  func end() async
}

/// What a source can do besides pulling; `nil` where it cannot.
public struct SourceAbilities: Sendable {
  public var edits: (any EditableSource)?
  public var purge: (any PurgeableSource)?
  public var key: (any KeyedSource)?
  public var accounts: (any AccountSource)?

  public init(
    edits: (any EditableSource)? = nil, purge: (any PurgeableSource)? = nil, key: (any KeyedSource)? = nil,
    accounts: (any AccountSource)? = nil
  ) { (self.edits, self.purge, self.key, self.accounts) = (edits, purge, key, accounts) }
}

extension Source {
  public var fingerprint: String? { nil }

  public func areas(of follow: Follow) -> [RecordArea]? { nil }

  public var name: SourceName { descriptor.name }

  public func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow { follow }

  /// Checks a follow, and returns its canonical form. One that was checked before is not read again.
  @discardableResult
  public func check(_ follow: Follow) throws(FollowError) -> CheckedFollow {
    if let match = follow.match { return CheckedFollow(follow, match) }
    var checked = try canonical(CheckedFollow(follow, descriptor.match(follow)))
    checked.follow.match = checked.match
    return checked
  }

  public func open(_ follow: CheckedFollow) -> any SourcePull { SeparatePages(source: self, follow: follow) }
}

private struct SeparatePages: SourcePull {
  let source: any Source
  let follow: CheckedFollow

  func page(_ context: PullContext) async throws(SourceError) -> PullPage { try await source.pull(follow, context) }

  func end() async {}
}

public protocol EditableSource: Source {
  var editableCollections: [CollectionName] { get }

  /// Sends one edit, which replaces, creates or removes a record.
  ///
  /// If `entry.outcomeUnknown` is true, an earlier attempt may have arrived. The source then reads the remote first: an
  /// edit that the remote already has counts as accepted, and a record that it no longer has as removed. A PUT or a
  /// DELETE is sent only if the remote's record still matches `entry.base`; a POST is sent with the idempotency key
  /// `entry.id`.
  /// - Throws: `SourceError`, whose `disposition` tells whether the edit was refused permanently, may be sent again, or
  ///   may have arrived.
  func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome
}

/// A source that uses the key that its descriptor describes.
public protocol KeyedSource: Source {
  /// Checks the key with a small request that requires it and changes nothing.
  ///
  /// - Throws: `SourceError` if the key is missing or refused, or if the server does not respond.
  func proveKey(over transport: any HTTPTransport) async throws(SourceError)
}

/// The key of a source, or the reason why there is none.
public enum SourceKey: Hashable, Sendable {
  /// Neither the config file nor the environment specifies a key.
  case absent
  /// The key, and its origin for messages: `the environment variable ALMANAC_FLICKR_KEY`.
  case given(String, from: String)
  /// The config file names a place without a key.
  case missing(Failure)

  public var value: String? { if case .given(let key, _) = self { key } else { nil } }
}

extension SourceError {
  /// The error of a source without a key, with the reason and a hint.
  public static func noKey(_ key: SourceKey, of source: SourceDescriptor) -> SourceError {
    if case .missing(let failure) = key {
      return .missingKey(source: source.name, problem: failure.message, hint: failure.hint ?? "give another key")
    }
    let variable = source.key.map { ", or the environment variable \($0.variable); \($0.help)" } ?? ""
    return .missingKey(
      source: source.name, problem: nil, hint: "set servers.\(source.name).apiKey in the config file\(variable)")
  }
}
