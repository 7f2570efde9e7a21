public import Models
public import Ports

/// A source of made-up records in the shape of the real ones: cards that are read and replaced one by one under an
/// entity tag, and notes that come as a list in pages and are made under an idempotency key.
///
/// Its follows are `fake/card/ID` and `fake/notes`; `FakeSourceServer` answers it. A card is edited with `put`, a note
/// is made with `post`, both are removed with `delete`. Nothing in it is written for a test in particular.
public struct FakeSource: EditableSource {
  /// The collection of cards.
  public static let cards = CollectionName(rawValue: "cards")
  /// The collection of notes.
  public static let notes = CollectionName(rawValue: "notes")

  /// The source `fake`, unless there are several.
  public let descriptor: SourceDescriptor
  /// Both.
  public let editableCollections = [FakeSource.cards, FakeSource.notes]

  let coder: any RecordCoder
  let edits: any PendingEdits
  /// Where the server is, without a trailing `/`.
  let base: String
  /// How the cards of a follow meet what is there.
  let rule: PulledChange.Rule

  /// A source that asks the server at `base`.
  public init(
    _ name: String = "fake", coder: any RecordCoder, edits: any PendingEdits, base: String = "http://fake.test",
    rule: PulledChange.Rule = .replace
  ) {
    descriptor = SourceDescriptor(
      name: SourceName(rawValue: name), summary: "made-up records",
      forms: [
        .init("\(name)/card/{id}", "one card", limit: .init(standard: 100, largest: 100)),
        .init("\(name)/notes", "every note", limit: .init(standard: 100, largest: 100)),
      ], collections: [])
    self.coder = coder
    self.edits = edits
    self.base = base
    self.rule = rule
  }

  private func address(_ follow: Follow) throws(FollowError) -> String {
    let match = try descriptor.match(follow)
    return match.parameters.first.map { "\(base)/cards/\($0)" } ?? "\(base)/notes"
  }

  /// Pulls a card, or a page of notes.
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let url: String
    do throws(FollowError) { url = try address(follow) } catch { throw .follow(error) }
    return follow.parameters == ["notes"]
      ? try await pullNotes(url, limit: follow.limit ?? 100, context) : try await pullCard(url, context)
  }

  private func pullCard(_ url: String, _ context: PullContext) async throws(SourceError) -> PullPage {
    let validator = context.memory["etag"]?.string.map { HTTPValidator(etag: $0) }
    let response = try await send(HTTPRequest(.get, url, validator: validator), context.transport)
    if response.status == 304 { return .notModified(url: url) }
    let id = String(url.dropFirst("\(base)/cards/".count))
    if response.status == 404 {
      // Without a copy here it is not a removal but a follow of nothing.
      guard try isAtRemote(id, context.snapshot) else { throw .status(response, url: url) }
      return PullPage(
        changes: [PulledChange(collection: Self.cards, id: id, fields: [:], .remove)], url: url, memory: [:])
    }
    let fields = try fields(response, url)
    return PullPage(
      changes: [
        PulledChange(
          collection: Self.cards, id: fields["id"]?.string ?? "", fields: fields, rule, memory: memory(response))
      ], url: url, memory: memory(response) ?? [:], progress: .init(done: 1, total: 1))
  }

  private func pullNotes(_ url: String, limit: Int, _ context: PullContext) async throws(SourceError) -> PullPage {
    let page = context.cursor?["page"]?.int ?? 0
    let address = "\(url)?page=\(page)&limit=\(limit)"
    let response = try await send(HTTPRequest(.get, address), context.transport)
    if response.status == 404 { throw .status(response, url: address) }
    let answer = try fields(response, address)
    let known = try notes(context.snapshot)
    var changes: [PulledChange] = []
    var rejects: RejectedRecords = []
    var now: [String] = []
    for (index, value) in (answer["items"]?.array ?? []).enumerated() {
      guard let item = value.object, let remoteID = item["id"]?.string, let text = item["text"]?.string else {
        rejects.append(
          RejectedRecord(
            index: index, path: "$.items[\(index)]", expected: "a note", found: value.kind,
            raw: String(decoding: coder.encode(value), as: UTF8.self)))
        continue
      }
      let note = Self.note(known.id(of: remoteID, text: text), remoteID, text)
      now.append(note["id"]?.string ?? "")
      changes.append(
        PulledChange(
          collection: Self.notes, id: now[now.count - 1], fields: note, .merge, base: note))
    }
    let seen = (context.cursor?["seen"]?.array ?? []).compactMap(\.string) + now
    let next = answer["next"]?.int
    return PullPage(
      changes: changes, rejects: rejects, url: address,
      next: next.map { ["page": .int($0), "seen": .array(seen.map { .string($0) })] },
      listing: next == nil && rejects.isEmpty
        ? PullPage.Listing(collection: Self.notes, before: known.onServer, now: seen) : nil,
      progress: .init(done: seen.count, total: answer["total"]?.int))
  }

  static func note(_ id: String, _ remoteID: String, _ text: String) -> JSONObject {
    ["id": .string(id), "text": .string(text), "remoteID": .string(remoteID)]
  }
}

// What both directions need.
extension FakeSource {
  func send(_ request: HTTPRequest, _ transport: any HTTPTransport) async throws(SourceError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TransportError) { response = try await transport.send(request) } catch { throw .transport(error) }
    if response.isSuccess || [304, 404, 412].contains(response.status) { return response }
    throw .status(response, url: request.url)
  }

  func fields(_ response: HTTPResponse, _ url: String) throws(SourceError) -> JSONObject {
    do throws(ParsingError) {
      return try coder.decode(response.body)
    } catch {
      throw SourceError.parsing(error, url: url)
    }
  }

  func memory(_ response: HTTPResponse) -> JSONObject? {
    response.headers["ETag"].map { ["etag": .string($0)] }
  }

  /// The notes here, and which of them the server had.
  struct KnownNotes {
    var byRemoteID: [String: String] = [:]
    var unsent: [String: String] = [:]
    var onServer: [String] = []

    /// The id here of a note of the server. A note that was removed here, and whose removal waits, keeps its id.
    func id(of remoteID: String, text: String) -> String {
      byRemoteID[remoteID] ?? unsent[text] ?? "r-\(remoteID)"
    }
  }

  /// Whether a card of this server is known here.
  private func isAtRemote(_ id: String, _ snapshot: any StoreSnapshot) throws(SourceError) -> Bool {
    do throws(StoreError) {
      return try edits.remoteCopy(of: Self.cards, id, in: snapshot) != nil
    } catch {
      throw .store(error)
    }
  }

  func notes(_ snapshot: any StoreSnapshot) throws(SourceError) -> KnownNotes {
    var known = KnownNotes()
    do throws(StoreError) {
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
        if note["remoteID"]?.string == nil, let text = note["text"]?.string {
          known.unsent[text] = id
        }
        return .next
      }
    } catch {
      throw .store(error)
    }
    return known
  }
}
