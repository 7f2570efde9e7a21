public import Models

/// A server that takes changes of its records. The engine's `ChangeSender` uses it for a source.
public protocol UpdatableRemote: Sendable {
  /// - Returns: the record with its copy to store; its entity tag is the member `etag` of `RemoteRecord.sourceState`.
  /// - Throws: `SourceError`, for which `isNotFound` is true if the server does not have the record.
  func read(_ id: String) async throws(SourceError) -> RemoteRecord

  /// - Parameters:
  ///   - edit: the changed fields; null for removed ones.
  ///   - etag: the value of `If-Match`; `nil` for a request without a condition, which must not be repeated: a second one
  ///     could undo what was changed after the first.
  /// - Throws: `SourceError` for every answer but a success, 409 and 412.
  func write(
    _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
  ) async throws(SourceError) -> UpdateAnswer

  /// - Parameter etag: the value of `If-Match`; `nil` for a request without a condition.
  /// - Throws: `SourceError` for every answer but a success, 409 and 412; for a server that removes no records, a refusal.
  func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer
}

public enum RemovalAnswer: Sendable {
  case removed
  /// 409 or 412, with the error to report if nothing has changed at the server.
  case preconditionFailed(SourceError)
}

public enum UpdateAnswer: Sendable {
  case accepted(RemoteRecord)
  case preconditionFailed(SourceError)
}

/// Sends changes and removals of records without overwriting anything newer. The engine implements it, and gives it to sources in
/// `PushContext`.
public protocol ChangeSender: Sendable {
  /// The remote is read first if an earlier attempt may have arrived, and if no entity tag guards the request. An answer
  /// that it was turned down (409, 412), or that there is no such record (404, 410), is followed by a read.
  /// - Parameter entry: an edit of the kind `put` or `delete`.
  /// - Throws: `SourceError`, whose `disposition` says what becomes of the edit.
  func send(
    _ entry: OutboxEntry, _ context: PushContext, to remote: any UpdatableRemote
  ) async throws(SourceError) -> PushOutcome
}
