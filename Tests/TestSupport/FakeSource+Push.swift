public import Models
public import Ports

extension FakeSource {
  /// Replaces a card under its entity tag, or makes a note; where an earlier try may have arrived, the server is read
  /// first.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    entry.kind == .put ? try await put(entry, context) : try await post(entry, context)
  }

  private func put(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    let url = "\(base)/cards/\(entry.targetID)"
    if entry.outcomeUnknown {
      let (card, memory) = try await card(url, context)
      if entry.edit.members.allSatisfy({ (card[$0.key] ?? .null) == $0.value }) {
        return .accepted(RemoteRecord(card, memory: memory))
      }
      if memory != context.memory { return .remoteIsNewer(RemoteRecord(card, memory: memory)) }
    }
    var headers: HTTPHeaders = ["Content-Type": "application/json", "X-Entry": entry.id]
    headers["If-Match"] = context.memory["etag"]?.string
    let response = try await send(
      HTTPRequest(.put, url, headers: headers, body: coder.encode(context.record)), context.transport)
    if response.status == 412 {
      let (card, memory) = try await card(url, context)
      return .remoteIsNewer(RemoteRecord(card, memory: memory))
    }
    return .accepted(RemoteRecord(try fields(response, url), memory: memory(response)))
  }

  private func card(_ url: String, _ context: PushContext) async throws(SourceError) -> (JSONObject, JSONObject?) {
    let response = try await send(HTTPRequest(.get, url), context.transport)
    return (try fields(response, url), memory(response))
  }

  private func post(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    let url = "\(base)/notes"
    let text = entry.edit["text"]?.string ?? ""
    if entry.outcomeUnknown, let found = try await find(text, url, context) { return found }
    let request = HTTPRequest(
      .post, url, headers: ["Content-Type": "application/json", "Idempotency-Key": entry.id],
      body: coder.encode(["text": .string(text)] as JSONObject))
    let made = try fields(try await send(request, context.transport), url)
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
