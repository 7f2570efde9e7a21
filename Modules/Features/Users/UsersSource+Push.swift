public import Models
public import Ports

extension UsersSource {
  /// Sends the whole user with the edited fields on top.
  ///
  /// The remote is read first where an earlier try may have arrived, and where no entity tag guards against
  /// overwriting a newer user. A PUT that is turned down (409, 412) or answered as for an unknown user (404, 410) is
  /// followed by a read.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .put, entry.targetCollection == .profiles else {
      throw .refused(message: "\(entry.target): only changes of profiles can be sent to users")
    }
    let client = try client(context.transport)
    do throws(SourceError) {
      return try await send(entry, context, client)
    } catch {
      if error.isNotFound, try await isGone(entry, client) { return .removed }
      throw error
    }
  }

  /// Whether the server has the user no longer. A read decides: a server that takes no PUT may answer 404 as well.
  private func isGone(_ entry: OutboxEntry, _ client: UsersClient) async throws(SourceError) -> Bool {
    do throws(SourceError) {
      _ = try await client.get(entry.targetID)
      return false
    } catch {
      if error.isNotFound { return true }
      throw error
    }
  }

  private func send(
    _ entry: OutboxEntry, _ context: PushContext, _ client: UsersClient
  ) async throws(SourceError) -> PushOutcome {
    var etag = context.memory["etag"]?.string
    var known = context.base ?? context.record
    if entry.outcomeUnknown || etag == nil {
      let remote = try await read(entry, client)
      if let outcome = Self.judge(remote, entry) { return outcome }
      etag = remote.validator?.etag
      known = remote.profile.fields
    }
    let first = try await client.put(try Self.profile(known, entry), ifMatch: etag)
    guard case .turnedDown(let status, let message) = first else { return try Self.outcome(first, entry, client) }
    let remote = try await read(entry, client)
    if let outcome = Self.judge(remote, entry) { return outcome }
    guard remote.validator?.etag?.exact == etag?.exact else {
      // Another field changed. With the new tag, the edit is sent on top of it the next time.
      return .remoteIsNewer(remote.record)
    }
    // Nothing changed, and the server still refuses. A weak tag never matches in If-Match (RFC 9110 section 13.1.1): the
    // remote was just read, so the edit is sent without it. Anything else is a refusal.
    if status == 412, etag?.hasPrefix("W/") == true {
      let second = try await client.put(try Self.profile(remote.profile.fields, entry), ifMatch: nil)
      if case .accepted = second { return try Self.outcome(second, entry, client) }
    }
    throw .http(status: status, message: message, url: client.url(entry.targetID), retryAfter: nil)
  }

  private func read(_ entry: OutboxEntry, _ client: UsersClient) async throws(SourceError) -> UsersClient.Answer {
    var answer = try await client.get(entry.targetID)!
    answer.profile.id = entry.targetID
    return answer
  }

  /// Compares the edit with the remote that was just read: the remote has the edit, it has something newer, or (`nil`) the
  /// edit can be sent on top of it.
  private static func judge(_ remote: UsersClient.Answer, _ entry: OutboxEntry) -> PushOutcome? {
    let theirs = remote.profile.fields
    let mine = entry.edit.members
    if mine.allSatisfy({ theirs[$0.key] ?? .null == $0.value }) {
      return .accepted(remote.record)
    }
    let isNewer = mine.contains { member in
      let value = theirs[member.key] ?? .null
      return value != member.value && value != entry.base[member.key] ?? .null
    }
    return isNewer ? .remoteIsNewer(remote.record) : nil
  }

  private static func outcome(
    _ put: UsersClient.Put, _ entry: OutboxEntry, _ client: UsersClient
  ) throws(SourceError) -> PushOutcome {
    switch put {
    case .accepted(let answer): return .accepted(answer.record)
    case .turnedDown(let status, let message):
      throw .http(status: status, message: message, url: client.url(entry.targetID), retryAfter: nil)
    }
  }

  /// The user as it is sent: the remote's copy with the fields of this edit only. Other edits are sent in their turn.
  private static func profile(_ known: JSONObject, _ entry: OutboxEntry) throws(SourceError) -> Profile {
    var fields = known
    for member in entry.edit.members { fields[member.key] = member.value == .null ? nil : member.value }
    fields["id"] = .string(entry.targetID)
    do throws(RecordError) {
      return try Profile(fields: fields)
    } catch {
      throw .refused(message: "the profile cannot be sent: \(error)")
    }
  }
}

extension SourceError {
  /// Whether the server says that it has no such user.
  fileprivate var isNotFound: Bool {
    switch self {
    case .http(let status, _, _, _): status == 404 || status == 410
    case .api(_, let meaning, _): meaning == .notFound
    default: false
    }
  }
}
