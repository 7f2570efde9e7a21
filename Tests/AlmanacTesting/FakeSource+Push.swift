public import Models
public import Ports

extension FakeSource {
  /// Replaces a card under its entity tag, makes a note, or removes one of both. Where an earlier try may have arrived,
  /// the server is read first.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    switch entry.kind {
    case .put: try await put(entry, context)
    case .post: try await post(entry, context)
    case .delete: try await delete(entry, context)
    }
  }

  private func put(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    let url = "\(base)/cards/\(entry.targetID)"
    if entry.outcomeUnknown {
      // Without an entity tag the card is made anew, so that none need be there.
      guard let remote = try await card(url, context) else {
        return context.memory.isEmpty ? try await replace(url, entry, context) : .removed
      }
      if entry.edit.members.allSatisfy({ (remote.fields[$0.key] ?? .null) == $0.value }) { return .accepted(remote) }
      if remote.memory != context.memory { return .remoteIsNewer(remote) }
    }
    return try await replace(url, entry, context)
  }

  private func replace(
    _ url: String, _ entry: OutboxEntry, _ context: PushContext
  ) async throws(SourceError) -> PushOutcome {
    var headers: HTTPHeaders = ["Content-Type": "application/json", "X-Entry": entry.id]
    headers["If-Match"] = context.memory["etag"]?.string
    // A card that is to be made anew must not take the place of one that somebody else made.
    if headers["If-Match"] == nil, entry.base.members.allSatisfy({ $0.value == .null }) {
      headers["If-None-Match"] = "*"
    }
    let response = try await send(
      HTTPRequest(.put, url, headers: headers, body: coder.encode(context.record)), context.transport)
    if response.status == 412 || response.status == 404 {
      return try await card(url, context).map { .remoteIsNewer($0) } ?? .removed
    }
    return .accepted(RemoteRecord(try fields(response, url), memory: memory(response)))
  }

  /// The card as the server has it; `nil` where it is gone.
  private func card(_ url: String, _ context: PushContext) async throws(SourceError) -> RemoteRecord? {
    let response = try await send(HTTPRequest(.get, url), context.transport)
    return response.status == 404 ? nil : RemoteRecord(try fields(response, url), memory: memory(response))
  }

  private func delete(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    var (url, etag) = ("\(base)/cards/\(entry.targetID)", context.memory["etag"]?.string)
    let isCard = entry.targetCollection == Self.cards
    if !isCard {
      guard let remoteID = context.record["remoteID"]?.string else {
        throw .refused(message: "\(entry.target): the note was never at the server")
      }
      url = "\(base)/notes/\(remoteID)"
    }
    if entry.outcomeUnknown || (isCard && etag == nil) {
      guard let remote = try await card(url, context) else { return .removed }
      // Notes never change; a card is removed only as it was when somebody here removed it.
      if isCard, remote.fields != entry.base { return .remoteIsNewer(remote) }
      etag = remote.memory?["etag"]?.string
    }
    var headers: HTTPHeaders = ["X-Entry": entry.id]
    headers["If-Match"] = etag
    let response = try await send(HTTPRequest(.delete, url, headers: headers), context.transport)
    if response.status == 412, let remote = try await card(url, context) { return .remoteIsNewer(remote) }
    return .removed
  }

  private func post(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    let url = "\(base)/notes"
    let text = entry.edit["text"]?.string ?? ""
    if entry.outcomeUnknown, let found = try await find(text, url, context) { return found }
    let request = HTTPRequest(
      .post, url, headers: ["Content-Type": "application/json", "Idempotency-Key": entry.id],
      body: coder.encode(["text": .string(text)] as JSONObject))
    let response = try await send(request, context.transport)
    if response.status == 404 { throw .status(response, url: url) }
    let made = try fields(response, url)
    return accepted(entry.targetID, made["id"]?.string ?? "", text)
  }

  private func find(_ text: String, _ url: String, _ context: PushContext) async throws(SourceError) -> PushOutcome? {
    let known = try notes(context.snapshot)
    var page: Int? = 0
    while let number = page {
      let address = "\(url)?page=\(number)&limit=100"
      let answer = try fields(try await send(HTTPRequest(.get, address), context.transport), address)
      for item in answer["items"]?.array ?? [] {
        guard let remoteID = item.object?["id"]?.string, item.object?["text"]?.string == text,
          known.byRemoteID[remoteID] == nil, let id = context.record["id"]?.string
        else { continue }
        return accepted(id, remoteID, text)
      }
      page = answer["next"]?.int
    }
    return nil
  }

  private func accepted(_ id: String, _ remoteID: String, _ text: String) -> PushOutcome {
    let note = Self.note(id, remoteID, text)
    return .accepted(RemoteRecord(note, base: note))
  }
}
