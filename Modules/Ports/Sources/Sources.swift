public import Models

/// Masks secrets in what servers say.
public protocol Redactor: Sendable {
  func error(_ error: SourceError) -> SourceError
  /// The page with secrets masked in its rejected records. Its other records are the requested data.
  func page(_ page: PullPage) -> PullPage
}

/// The sources of a program, by name.
public struct Sources: Sendable, ExpressibleByArrayLiteral {
  public let all: [RedactedSource]
  private let byName: [SourceName: RedactedSource]

  /// The given sources; of two with the same name, the first one.
  ///
  /// - Parameter redactor: masks secrets in what the sources report; `nil` where there are none.
  public init(_ sources: [any Source], redactor: (any Redactor)? = nil) {
    byName = Dictionary(sources.map { ($0.name, RedactedSource(source: $0, redactor: redactor)) }) { first, _ in first }
    all = byName.values.sorted { $0.name < $1.name }
  }

  /// Sources that know no secrets.
  public init(arrayLiteral sources: any Source...) { self.init(sources) }

  public subscript(name: SourceName) -> RedactedSource? { byName[name] }

  public var descriptors: [SourceDescriptor] { all.map(\.descriptor) }

  /// - Throws: `FollowError`; if there is no such source, with the forms of all sources.
  public func check(_ follow: Follow) throws(FollowError) -> CheckedFollow { try source(of: follow).check(follow) }

  /// - Throws: `FollowError` with the forms of all sources if there is no such source.
  public func source(of follow: Follow) throws(FollowError) -> RedactedSource {
    if let source = byName[follow.source] { return source }
    let name = follow.source.rawValue
    let nearest = NearestName.of(name, among: all.map(\.name.rawValue))
    let forms = all.flatMap(\.descriptor.forms).map(\.text)
    throw FollowError(
      follow: follow.path, message: "there is no \(name.utf8.count <= 60 ? "source '\(name)'" : "such source")",
      allowed: (nearest.map { "did you mean '\($0)'? " } ?? "") + "expected one of \(forms.joined(separator: ", "))")
  }
}

/// A source of `Sources`. What its server says is redacted here, before it becomes an error, an event, the record of a run, a
/// rejected record or the state of an edit.
public struct RedactedSource: Sendable {
  fileprivate let source: any Source
  fileprivate let redactor: (any Redactor)?

  public var name: SourceName { source.name }
  public var descriptor: SourceDescriptor { source.descriptor }
  public var fingerprint: String? { source.fingerprint }
  public var editableCollections: [CollectionName] { source.abilities.edits?.editableCollections ?? [] }
  public var purge: (any PurgeableSource)? { source.abilities.purge }

  public func areas(of follow: Follow) -> [RecordArea]? { source.areas(of: follow) }

  public func check(_ follow: Follow) throws(FollowError) -> CheckedFollow { try source.check(follow) }

  public func open(_ follow: CheckedFollow) -> any SourcePull { RedactedPull(pull: source.open(follow), source: self) }

  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard let edits = source.abilities.edits else {
      throw .refused(message: "the source '\(name)' does not accept edits of \(entry.targetCollection)")
    }
    do throws(SourceError) { return try await edits.push(entry, context) } catch { throw redacted(error) }
  }

  /// Lists what an account offers; `nil` if the source has no accounts.
  public func offers(
    of account: SourceAccount, over transport: any HTTPTransport
  ) async throws(Failure) -> [AccountOffer]? {
    do throws(SourceError) {
      return try await source.abilities.accounts?.offers(of: account, over: transport)
    } catch {
      throw redacted(error).failure(of: descriptor)
    }
  }

  /// - Returns: whether the source uses a key that can be checked.
  public func proveKey(over transport: any HTTPTransport) async throws(SourceError) -> Bool {
    guard let key = source.abilities.key else { return false }
    do throws(SourceError) { try await key.proveKey(over: transport) } catch { throw redacted(error) }
    return true
  }

  fileprivate func redacted(_ error: SourceError) -> SourceError { redactor?.error(error) ?? error }
}

private struct RedactedPull: SourcePull {
  let pull: any SourcePull
  let source: RedactedSource

  func page(_ context: PullContext) async throws(SourceError) -> PullPage {
    do throws(SourceError) {
      let page = try await pull.page(context)
      return source.redactor?.page(page) ?? page
    } catch { throw source.redacted(error) }
  }

  func end() async { await pull.end() }
}
