public import Models
public import Ports

/// Follows the people of a server, and sends new people to it.
///
/// The only follow is `people`. `PersonMatcher` finds the stored person that a person of the list is: by the id on the server,
/// or else by names and birthday, which the server may not have. The server's copy of each person is stored, so that local
/// changes are kept.
public struct PeopleSource: EditableSource {
  public var abilities: SourceAbilities { SourceAbilities(edits: self) }
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor = SourceDescriptor(
    name: .people, summary: "people with their birthdays",
    forms: [.init("people", "the whole list of the server")],
    collections: [.people])
  public let editableCollections = [CollectionName.people]

  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder
  let edits: any PendingEdits
  let settings: Settings.Server?

  /// - Parameter settings: the address of the server, which has no default.
  public init(
    list: any ResponseParser<[RemotePerson]>, answer: any ResponseParser<RemotePerson>, coder: any RecordCoder,
    edits: any PendingEdits, settings: Settings.Server? = nil
  ) {
    (self.list, self.answer, self.coder, self.edits, self.settings) = (list, answer, coder, edits, settings)
  }

  /// Pulls the whole list, unless the server responds that nothing changed.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let client = try client(context.transport)
    var known = try SourceError.reading(KnownPeople(in: context.snapshot, coder, edits))
    // A stored person without a link may be on the server by now, which only the list shows.
    let validator = known.areAllLinked ? StoredValidator(context.sourceState, url: client.url).validator : nil
    guard let answer = try await client.people(validator: validator) else { return .notModified(url: client.url) }
    let (list, isComplete) = (answer.parsed.value, answer.parsed.rejects.isEmpty)
    var page = PullPage(rejects: answer.parsed.rejects, url: client.url)
    rejectRepeated(list, &page.rejects)
    page.countsRejects = true
    try SourceError.from { () throws(StoreError) in
      // A person who was added and sent meanwhile may be on the list, and is not another one.
      let latest = try context.latest()
      if latest.sequence != context.snapshot.sequence { known = try KnownPeople(in: latest, coder, edits) }
    }
    page.changes = known.people(of: list, isComplete: isComplete).compactMap(\.self).map {
      PulledChange($0, .merge, base: CopyState.base(of: $0), sourceState: CopyState.fields(isListed: true))
    }
    // A rejected record may be any stored person, so no one counts as removed.
    let now = page.changes.map(\.id)
    if isComplete {
      page.coverage = .whole(before: known.listed.map { .init(.people, $0) }, now: now.map { .init(.people, $0) })
    }
    page.sourceState = isComplete ? StoredValidator(url: client.url, answer.validator).fields : [:]
    page.progress = .init(done: now.count, total: now.count)
    return page
  }

  /// Rejects people with the id of another person of the list: only the first one is stored.
  private func rejectRepeated(_ list: [RemotePerson], _ rejects: inout RejectedRecords) {
    for (index, first) in KnownPeople.repeated(in: list) where list[index] != list[first] {
      let (person, earlier, id) = (list[index], list[first], list[index].remoteID ?? "")
      var fields = person.person(id: id).fields
      (fields["fullName"], fields["remoteID"]) = (nil, nil)
      rejects.append(
        RejectedRecord(
          index: index, path: "$.id", expected: "an id that no other person of the list has",
          found: "the id '\(id)' of \(earlier.firstName) \(earlier.lastName)",
          raw: String(decoding: coder.encode(fields), as: UTF8.self)))
    }
  }

  func client(_ transport: any HTTPTransport) throws(SourceError) -> PeopleClient {
    return PeopleClient(
      server: try SourceClient(descriptor, settings, transport: transport), list: list, answer: answer, coder: coder)
  }
}

extension PeopleSource {
  /// A person whom a pull has found on the server meanwhile counts as sent. Before the first person of a flush is sent, the list
  /// is read, and again where an earlier attempt may have arrived: who has the same names and birthday there, and is not linked
  /// to another stored person, counts as sent. After an unknown outcome, the POST is repeated with the same key.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .post, entry.targetCollection == .people else {
      throw .refused(message: "\(entry.target): only new people can be sent to people")
    }
    let person = try Self.person(entry, context.record)
    if person.remoteID != nil { return .accepted(RemoteRecord(context.record)) }
    let client = try client(context.transport)
    guard let birthday = person.birthday else {
      throw .refused(message: "the person cannot be sent without a birthday")
    }
    if let found = try await find(person.id, client, context, readsAgain: entry.outcomeUnknown) {
      return Self.accepted(found, isListed: true)
    }
    let made = try await client.post(person, born: birthday, key: entry.id)
    if let made, made.remoteID != nil { return Self.accepted(made.person(id: person.id), isListed: false) }
    // The response has no id, but the list may have it.
    if let found = try? await find(person.id, client, context, readsAgain: true) {
      return Self.accepted(found, isListed: true)
    }
    return Self.accepted(made?.person(id: person.id) ?? person, isListed: false)
  }

  private func find(
    _ id: String, _ client: PeopleClient, _ context: PushContext, readsAgain: Bool
  ) async throws(SourceError) -> Person? {
    let known = try SourceError.reading(KnownPeople(in: context.snapshot, coder, edits))
    guard known.contains(id) else { throw .refused(message: "the person was removed locally") }
    var list = readsAgain ? nil : context.memory?.kept as? Parsed<[RemotePerson]>
    if list == nil {
      list = try await client.people()?.parsed
      if let list { context.memory?.keep(list) }
    }
    guard let list else { return nil }
    return known.people(of: list.value, isComplete: list.rejects.isEmpty).first { $0?.id.exact == id.exact } ?? nil
  }

  /// The person as sent: the same in every attempt, even if it was changed meanwhile.
  private static func person(_ entry: OutboxEntry, _ record: JSONObject) throws(SourceError) -> Person {
    var fields = record
    for key in ["firstName", "lastName", "birthday"] { fields[key] = entry.edit[key] }
    fields["id"] = .string(entry.targetID)
    do throws(RecordError) { return try Person(fields: fields) } catch {
      throw .refused(message: "the person cannot be sent: \(error)")
    }
  }

  private static func accepted(_ person: Person, isListed: Bool) -> PushOutcome {
    .accepted(
      RemoteRecord(person.fields, base: CopyState.base(of: person), sourceState: CopyState.fields(isListed: isListed)))
  }
}

struct PeopleClient: Sendable {
  let server: SourceClient
  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder

  /// Enough for 200,000 people. A larger response is refused while it is read.
  static let largestList = 32 << 20

  var url: String { "\(server.base)/people" }

  /// The list; `nil` if it has not changed since the validator.
  func people(validator: HTTPValidator? = nil) async throws(SourceError) -> SourceAnswer<[RemotePerson]>? {
    guard var answer = try await server.get(url, list, validator: validator, bodyLimit: Self.largestList)
    else { return nil }
    answer.parsed.value = answer.parsed.value.map(\.trimmed)
    return answer
  }

  /// - Parameter key: the same in every attempt, so that a server that supports it creates the person once
  ///   (draft-ietf-httpapi-idempotency-key-header).
  /// - Returns: the person in the response; `nil` if the response has no content.
  func post(_ person: Person, born birthday: Birthday, key: String) async throws(SourceError) -> RemotePerson? {
    let body: JSONObject = [
      "firstName": .string(person.firstName), "lastName": .string(person.lastName),
      "birthday": .string(birthday.description),
    ]
    let response = try await server.send(
      HTTPRequest(
        .post, url,
        headers: [
          "Accept": "application/json", "Content-Type": "application/json", "Idempotency-Key": key,
        ], body: coder.encode(body)))
    if response.isSuccess, !response.body.contains(where: { $0 > 0x20 }) { return nil }
    return try SourceClient.answer(response, url, answer, message: message).parsed.value.trimmed
  }

  /// The message of the server about a refusal: `{"error": {"message"}}`, `{"error": "…"}` or `{"message": "…"}`.
  private func message(of response: HTTPResponse) -> String? {
    guard let fields = try? coder.decode(response.body) else { return nil }
    return fields["error"]?.object?["message"]?.string ?? fields["error"]?.string ?? fields["message"]?.string
  }
}
