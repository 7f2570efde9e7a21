public import Models
public import Ports

/// A source of artificial records with the features of the real sources: cards that are read and replaced one by one
/// with an entity tag, and notes that are listed in pages and created with an idempotency key.
///
/// Its follows are `fake/card/ID` and `fake/notes`, and its server is `FakeSourceServer`. A card is edited with `put`,
/// a note is created with `post`, and both are removed with `delete`. The source contains nothing for a particular
/// test.
public struct FakeSource: EditableSource {
  public static let cards = CollectionName(rawValue: "cards")
  public static let notes = CollectionName(rawValue: "notes")

  /// The descriptor of `fake`, or of another name in tests with several sources.
  public let descriptor: SourceDescriptor
  /// Both collections.
  public let editableCollections = [FakeSource.cards, FakeSource.notes]

  public var abilities: SourceAbilities { SourceAbilities(edits: self) }

  let coder: any RecordCoder
  let edits: any PendingEdits
  /// The base URL of the server, without a trailing `/`.
  let base: String
  /// The rule for combining the cards of a follow with the stored ones.
  let rule: PulledChange.Rule

  /// Creates a source for the server at `base`.
  public init(
    _ name: String = "fake", coder: any RecordCoder, edits: any PendingEdits, base: String = "http://fake.test",
    rule: PulledChange.Rule = .replace
  ) {
    var cards = CollectionDescriptor(Self.cards, fields: [.init("id")], columns: ["id"])
    // A change of a card that is gone makes it again.
    cards.newFields = ["id"]
    descriptor = SourceDescriptor(
      name: SourceName(rawValue: name), summary: "made-up records",
      forms: [
        .init("\(name)/card/{id}", "one card", limit: .init(standard: 100, largest: 100)),
        .init("\(name)/notes", "every note", limit: .init(standard: 100, largest: 100)),
      ],
      collections: [
        cards,
        .init(Self.notes, fields: [.init("id"), .init("text"), .optional("remoteID")], columns: ["id", "text"]),
      ])
    (self.coder, self.edits, self.base, self.rule) = (coder, edits, base, rule)
  }

  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    guard let id = follow.match.parameters.first else {
      return try await pullNotes("\(base)/notes", limit: follow.match.limit ?? 100, context)
    }
    return try await pullCard("\(base)/cards/\(id)", context)
  }

  private func pullCard(_ url: String, _ context: PullContext) async throws(SourceError) -> PullPage {
    let validator = context.sourceState["etag"]?.string.map { HTTPValidator(etag: $0) }
    let response = try await send(HTTPRequest(.get, url, validator: validator), context.transport)
    if response.status == 304 { return .notModified(url: url) }
    let id = String(url.dropFirst("\(base)/cards/".count))
    if response.status == 404 {
      // Without a remote copy, the card was not removed: the follow names a card that never existed.
      guard try isAtRemote(id, context.snapshot) else { throw .status(response, url: url) }
      return PullPage(
        changes: [PulledChange(collection: Self.cards, id: id, fields: [:], .remove)], url: url, sourceState: [:])
    }
    let fields = try fields(response, url)
    guard let name = fields["id"]?.string else { throw Self.shapeError("a card", url) }
    return PullPage(
      changes: [
        PulledChange(collection: Self.cards, id: name, fields: fields, rule, sourceState: sourceState(response))
      ], url: url, sourceState: sourceState(response) ?? [:], progress: .init(done: 1, total: 1))
  }

  private func pullNotes(_ url: String, limit: Int, _ context: PullContext) async throws(SourceError) -> PullPage {
    let page = context.cursor?["page"]?.int ?? 0
    let address = "\(url)?page=\(page)&limit=\(limit)"
    let response = try await send(HTTPRequest(.get, address), context.transport)
    if response.status == 404 { throw .status(response, url: address) }
    let answer = try fields(response, address)
    guard let items = answer["items"]?.array else { throw Self.shapeError("a list of notes", address) }
    let known = try notes(context.snapshot)
    var changes: [PulledChange] = []
    var rejects: RejectedRecords = []
    var now: [String] = []
    for (index, value) in items.enumerated() {
      guard let item = value.object, let remoteID = item["id"]?.string, let text = item["text"]?.string else {
        rejects.append(
          RejectedRecord(
            index: index, path: "$.items[\(index)]", expected: "a note", found: value.kind,
            raw: String(decoding: coder.encode(value), as: UTF8.self)))
        continue
      }
      let note = Self.note(known.id(of: remoteID, text: text), remoteID, text)
      now.append(note["id"]?.string ?? "")
      changes.append(PulledChange(collection: Self.notes, id: now[now.count - 1], fields: note, .merge, base: note))
    }
    let seen = (context.cursor?["seen"]?.array ?? []).compactMap(\.string) + now
    let next = answer["next"]?.int
    var answered = PullPage(
      changes: changes, rejects: rejects, url: address,
      next: next.map { ["page": .int($0), "seen": .array(seen.map { .string($0) })] },
      progress: .init(done: seen.count, total: answer["total"]?.int))
    if next == nil {
      answered.coverage = .whole(
        before: known.onServer.map { .init(Self.notes, $0) }, now: seen.map { .init(Self.notes, $0) })
    }
    return answered
  }

  static func note(_ id: String, _ remoteID: String, _ text: String) -> JSONObject {
    ["id": .string(id), "text": .string(text), "remoteID": .string(remoteID)]
  }
}

// Shared by pull and push.
extension FakeSource {
  func send(_ request: HTTPRequest, _ transport: any HTTPTransport) async throws(SourceError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TransportError) { response = try await transport.send(request) } catch { throw .transport(error) }
    if response.isSuccess || [304, 404, 412].contains(response.status) { return response }
    throw .status(response, url: request.url)
  }

  func fields(_ response: HTTPResponse, _ url: String) throws(SourceError) -> JSONObject {
    do throws(ParsingError) { return try coder.decode(response.body) } catch {
      throw SourceError.parsing(error, url: url)
    }
  }

  private static func shapeError(_ expected: String, _ url: String) -> SourceError {
    .parsing(ParsingError(.shape, expected: expected, found: "another object"), url: url)
  }

  func sourceState(_ response: HTTPResponse) -> JSONObject? { response.headers["ETag"].map { ["etag": .string($0)] } }

  /// The stored notes, and those of them that are on the server.
  struct KnownNotes {
    var byRemoteID: [String: String] = [:]
    var unsent: [String: String] = [:]
    var onServer: [String] = []

    /// The local id of a note on the server. A note that was removed locally keeps its id until the removal was sent.
    func id(of remoteID: String, text: String) -> String { byRemoteID[remoteID] ?? unsent[text] ?? "r-\(remoteID)" }
  }

  /// Whether a card is known to be on this server.
  private func isAtRemote(_ id: String, _ snapshot: any StoreSnapshot) throws(SourceError) -> Bool {
    try SourceError.reading(edits.remoteCopy(of: Self.cards, id, in: snapshot) != nil)
  }

  func notes(_ snapshot: any StoreSnapshot) throws(SourceError) -> KnownNotes {
    try SourceError.from { () throws(StoreError) in
      var known = KnownNotes()
      for entry in try edits.edits(of: Self.notes, in: snapshot) where entry.kind == .post {
        if let text = entry.edit["text"]?.string { known.unsent[text] = entry.targetID }
      }
      try edits.eachRemoteCopy(of: Self.notes, in: snapshot) { (id, copy) throws(StoreError) in
        guard copy.source == nil || copy.source == name, let remoteID = copy.base?["remoteID"]?.string else { return }
        known.byRemoteID[remoteID] = id
        known.onServer.append(id)
      }
      try snapshot.scan(Self.notes, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
        guard let note = try? coder.decode(bytes), let id = note["id"]?.string else { return .next }
        if note["remoteID"]?.string == nil, let text = note["text"]?.string { known.unsent[text] = id }
        return .next
      }
      return known
    }
  }
}

extension FakeSource {
  /// Replaces a card with its entity tag, creates a note, or removes either. If an earlier attempt may have arrived,
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
      // Without an entity tag the card is created again, so it need not exist.
      guard let remote = try await card(url, context) else {
        return context.sourceState.isEmpty ? try await replace(url, entry, context) : .removed
      }
      if entry.edit.members.allSatisfy({ (remote.fields[$0.key] ?? .null) == $0.value }) { return .accepted(remote) }
      if remote.sourceState != context.sourceState { return .remoteIsNewer(remote) }
    }
    return try await replace(url, entry, context)
  }

  private func replace(
    _ url: String, _ entry: OutboxEntry, _ context: PushContext
  ) async throws(SourceError) -> PushOutcome {
    var headers: HTTPHeaders = ["Content-Type": "application/json", "X-Entry": entry.id]
    headers["If-Match"] = context.sourceState["etag"]?.string
    // A card that is created again must not replace one that another client created.
    if headers["If-Match"] == nil, entry.base.members.allSatisfy({ $0.value == .null }) {
      headers["If-None-Match"] = "*"
    }
    let response = try await send(
      HTTPRequest(.put, url, headers: headers, body: coder.encode(context.record)), context.transport)
    if response.status == 412 || response.status == 404 {
      return try await card(url, context).map { .remoteIsNewer($0) } ?? .removed
    }
    return .accepted(RemoteRecord(try fields(response, url), sourceState: sourceState(response)))
  }

  /// The card on the server; `nil` if it was removed.
  private func card(_ url: String, _ context: PushContext) async throws(SourceError) -> RemoteRecord? {
    let response = try await send(HTTPRequest(.get, url), context.transport)
    return response.status == 404 ? nil : RemoteRecord(try fields(response, url), sourceState: sourceState(response))
  }

  private func delete(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    var (url, etag) = ("\(base)/cards/\(entry.targetID)", context.sourceState["etag"]?.string)
    let isCard = entry.targetCollection == Self.cards
    if !isCard {
      guard let remoteID = context.record["remoteID"]?.string else {
        throw .refused(message: "\(entry.target): the note was never at the server")
      }
      url = "\(base)/notes/\(remoteID)"
    }
    if entry.outcomeUnknown || (isCard && etag == nil) {
      guard let remote = try await card(url, context) else { return .removed }
      // Notes never change; a card is removed only if it equals the version that the user removed.
      if isCard, remote.fields != entry.base { return .remoteIsNewer(remote) }
      etag = remote.sourceState?["etag"]?.string
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
