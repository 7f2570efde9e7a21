public import Models
public import Ports

extension UsersSource {
  /// Sends the whole user with the edited fields on top.
  ///
  /// The remote is read first where an earlier try may have arrived, and where no entity tag guards against
  /// overwriting a newer user. A PUT that is turned down (412, 409) is followed by a read.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .put, entry.targetCollection == .profiles else {
      throw .refused(message: "\(entry.target): only changes of profiles can be sent to users")
    }
    let client = try client(context.transport)
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
      // Another field changed: the tag that guards it is remembered, and the edit goes on top the next time.
      return .remoteIsNewer(remote.record)
    }
    // Nothing changed and still the server says no. A weak tag never matches in If-Match (RFC 9110 section 13.1.1);
    // with the remote just read, the edit goes out without it. Anything else is a refusal.
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

  /// What a remote that was just read says about the edit: it has it, it has something newer, or (`nil`) the edit can
  /// be sent on top of it.
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

  /// The user as it is sent. Only the fields of this edit stand on top of what the remote has: those of other edits
  /// go when their turn comes.
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
