public import Models
public import Ports

/// Sends changes and removals of records without overwriting anything newer.
public struct GuardedChanges: ChangeSender {
  private let catalog: CollectionCatalog

  public init(_ catalog: CollectionCatalog) { self.catalog = catalog }

  public func send(
    _ entry: OutboxEntry, _ context: PushContext, to remote: any UpdatableRemote
  ) async throws(SourceError) -> PushOutcome {
    do throws(SourceError) {
      switch entry.kind {
      case .put: return try await update(entry, context, at: remote)
      case .delete: return try await remove(entry, context, at: remote)
      case .post: throw .refused(message: "\(entry.target): a new record is not a change of a record")
      }
    } catch {
      if error.isNotFound, try await isGone(entry.targetID, at: remote) { return .removed }
      throw error
    }
  }

  /// Whether the server no longer has the record. A read decides: a server that takes no changes may answer 404 as well.
  private func isGone(_ id: String, at remote: any UpdatableRemote) async throws(SourceError) -> Bool {
    do throws(SourceError) {
      _ = try await remote.read(id)
      return false
    } catch {
      if error.isNotFound { return true }
      throw error
    }
  }

  private func update(
    _ entry: OutboxEntry, _ context: PushContext, at remote: any UpdatableRemote
  ) async throws(SourceError) -> PushOutcome {
    let id = entry.targetID
    var etag = context.sourceState.entityTag
    var known = context.base ?? context.record
    if entry.outcomeUnknown || etag == nil {
      let copy = try await remote.read(id)
      if let outcome = outcome(of: copy, for: entry) { return outcome }
      etag = copy.sourceState?.entityTag
      known = copy.fields
    }
    let refusal: SourceError
    switch try await remote.write(entry.edit, on: known, id: id, ifMatch: etag) {
    case .accepted(let accepted): return .accepted(accepted)
    case .preconditionFailed(let error): refusal = error
    }
    let copy = try await remote.read(id)
    if let outcome = outcome(of: copy, for: entry) { return outcome }
    // Another field changed. With the new tag, the edit is sent on top of it the next time.
    guard copy.sourceState?.entityTag?.exact == etag?.exact else { return .remoteIsNewer(copy) }
    // Nothing changed, and the server still refuses. A weak tag never matches in If-Match (RFC 9110 section 13.1.1): the
    // remote was just read, so the edit is sent without it. Anything else is a refusal.
    if case .answered(let status, _, _, _) = refusal, status.meaning == .preconditionFailed,
      etag?.hasPrefix("W/") == true,
      case .accepted(let second) = try await remote.write(entry.edit, on: copy.fields, id: id, ifMatch: nil)
    {
      return .accepted(second)
    }
    throw refusal
  }

  private func remove(
    _ entry: OutboxEntry, _ context: PushContext, at remote: any UpdatableRemote
  ) async throws(SourceError) -> PushOutcome {
    let id = entry.targetID
    var etag = context.sourceState.entityTag
    if entry.outcomeUnknown || etag == nil {
      let copy = try await remote.read(id)
      if isChanged(copy, since: entry, context) { return .remoteIsNewer(copy) }
      etag = copy.sourceState?.entityTag
    }
    // A weak tag never matches in If-Match (RFC 9110 section 13.1.1).
    switch try await remote.remove(id, ifMatch: etag?.hasPrefix("W/") == true ? nil : etag) {
    case .removed: return .removed
    case .preconditionFailed(let refusal):
      let copy = try await remote.read(id)
      if isChanged(copy, since: entry, context) || copy.sourceState?.entityTag?.exact != etag?.exact {
        return .remoteIsNewer(copy)
      }
      throw refusal
    }
  }

  /// Whether the remote, which was just read, differs from what the removed record was.
  private func isChanged(_ remote: RemoteRecord, since entry: OutboxEntry, _ context: PushContext) -> Bool {
    entry.hasOtherContent(remote.sourceState, known: context.sourceState)
      || !entry.replaced(at: remote.fields, among: entry.base.keys, catalog).isEmpty
  }

  /// Compares the edit with the remote that was just read: the remote has the edit, it has something newer, or (`nil`)
  /// the edit can be sent on top of it.
  private func outcome(of remote: RemoteRecord, for entry: OutboxEntry) -> PushOutcome? {
    let type = catalog[entry.targetCollection]?.record
    let mine = entry.edit.members.map { ($0.key, type?.accepted($0.key, $0.value) ?? $0.value) }
    if mine.allSatisfy({ remote.fields[$0.0] ?? .null == $0.1 }) { return .accepted(remote) }
    let isNewer = mine.contains { (key, sent) in
      let value = remote.fields[key] ?? .null
      return value != sent && value != entry.base[key] ?? .null
    }
    return isNewer ? .remoteIsNewer(remote) : nil
  }
}
