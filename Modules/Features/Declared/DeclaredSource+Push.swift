public import Models
public import Ports

extension DeclaredSource: EditableSource {
  /// The collections whose edits the definition describes.
  public var editableCollections: [CollectionName] { definition.edits.map(\.collection) }

  /// Sends a change, a removal or a new record.
  ///
  /// Changes and removals are sent as `ChangeSender` says: they never overwrite what is newer at the server.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard let edits = definition.edits(of: entry.targetCollection) else {
      throw .refused(message: "\(entry.target): the definition of \(name) describes no edits of this collection")
    }
    let client = try DeclaredClient(self, context.transport, now: context.now)
    let remote = DeclaredRemote(source: self, edits: edits, client: client)
    switch entry.kind {
    case .put, .delete:
      let outcome = try await context.changes.send(entry, context, to: remote)
      guard outcome == .removed, entry.kind == .put, context.isGone, edits.create != nil else { return outcome }
      return try await remote.create(remote.whole(entry, context.record))
    case .post: return try await remote.create(entry)
    }
  }
}

/// The records of a collection at the server.
struct DeclaredRemote: UpdatableRemote {
  let source: DeclaredSource
  let edits: SourceDefinition.Edits
  let client: DeclaredClient

  private var mapping: SourceDefinition.Mapping {
    source.definition[edits.collection]?.mapping ?? .init(id: [], fields: [])
  }

  private static func gone(_ url: String) -> SourceError {
    .meant(.missing, said: APIFailure(.gone, "the record was removed at the server"), url: url)
  }

  func read(_ id: String) async throws(SourceError) -> RemoteRecord {
    let url = try client.address(edits.read, variables(id))
    switch try await client.send(edits.read, to: url, variables(id)) {
    case .content(let response): return try record(in: response, id, url: url)
    case .empty, .gone, .notModified, .restart:
      throw Self.gone(url)
    }
  }

  func write(
    _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
  ) async throws(SourceError) -> UpdateAnswer {
    guard let update = edits.update else { throw .refused(message: "records of \(edits.collection) cannot be changed") }
    let editable = edits.editableFields
    if let other = edit.keys.first(where: { key in !editable.contains { $0.exact == key.exact } }) {
      throw .refused(
        message: "the field \(other) of \(edits.collection) cannot be sent: \"send\" of the definition does not name it"
      )
    }
    var fields = known.applying(edit: edit)
    fields["id"] = .string(id)
    let url = try address(update.address, id)
    let only = update.isWhole ? nil : edit.keys.map(\.exact)
    let body = SentBody(fields: fields, only: only, version: etag).object(update.members)
    let response = try await change(update, at: url, body, id, etag)
    if [.conflict, .preconditionFailed].contains(response.status.meaning) {
      return .preconditionFailed(client.error(of: response, url))
    }
    switch try client.judged(response, url) {
    // No content (RFC 9110 section 9.3.4): the server has what was sent.
    case .content(let response) where !response.body.contains(where: { $0 > 0x20 }):
      return .accepted(remote(fields, version(in: response)))
    case .content(let response):
      // The server has accepted the change. An answer that is not the record, or a part of it, says no more than that.
      let sent = edit.members.filter { $0.value != .null }
      if let answered = try? record(in: response, id, url: url),
        sent.allSatisfy({ answered.fields[$0.key] != nil })
      {
        return .accepted(answered)
      }
      return .accepted(try await read(id))
    case .empty, .notModified: return .accepted(remote(fields, nil))
    case .gone, .restart: throw Self.gone(url)
    }
  }

  /// The edit that creates a record again, with what its address needs of the former id.
  func whole(_ entry: OutboxEntry, _ record: JSONObject) -> OutboxEntry {
    var whole = entry
    whole.edit = record
    for (name, value) in variables(entry.targetID).values where record[name.text] == nil {
      whole.edit[name.text] = .string(value)
    }
    whole.edit["id"] = nil
    return whole
  }

  /// Creates a record. If an earlier attempt may have arrived, it is looked for first, or the server recognizes the key.
  func create(_ entry: OutboxEntry) async throws(SourceError) -> PushOutcome {
    guard let create = edits.create else {
      throw .refused(message: "\(entry.target): the definition of \(source.name) describes no new records")
    }
    let fields = entry.edit.applying(edit: [:])
    let variables = try variables(ofNew: entry, create)
    if entry.outcomeUnknown, let found = try await find(entry, create, variables) { return .accepted(found) }
    let url = try client.address(SourceDefinition.Request(create.address, selections: []), variables)
    let object = SentBody(fields: fields, only: fields.keys.map(\.exact), key: entry.id).object(create.members)
    let body = create.isList ? JSONValue.array([.object(object)]) : .object(object)
    var known = variables
    known["key"] = entry.id
    let headers = edits.headers + (create.keyHeader.map { [.init($0, "{key}")] } ?? [])
    let isKeyed = headers.contains { $0.value.contains("{key}") }
    let response = try client.judged(
      await client.change(.post, at: url, body, isForm: create.isForm, headers: headers, known, isRepeatable: isKeyed),
      url)
    var unread = SourceError.made(message: "it was created, but its answer does not contain it")
    if case .content(let response) = response {
      do throws(SourceError) {
        let made = try await made(response, entry, variables, reader: source.created, url: url)
        if let made { return .accepted(made) }
      } catch {
        if case .parsing(let error) = error { unread = Self.unread(error) } else { unread = error }
      }
    }
    do throws(SourceError) {
      if let found = try await find(entry, create, variables) { return .accepted(found) }
    } catch {
      // Any other failure leaves the outcome unknown, so that the record is looked for first next time.
      guard error.disposition == .refused else { throw error }
      throw .made(message: "it was created, but the request that finds it fails: \(error.failure.message)")
    }
    throw unread
  }

  private static func unread(_ error: ParsingError) -> SourceError {
    .made(message: "it was created, but its answer cannot be read: \(error)")
  }

  /// The members of a new record that its addresses contain.
  private func variables(
    ofNew entry: OutboxEntry, _ create: SourceDefinition.Creation
  ) throws(SourceError) -> Variables {
    var variables = Variables()
    for name in create.addressVariables {
      let value = entry.edit[name]
      let text = value?.string ?? value?.int.map(String.init) ?? value?.bool.map(String.init)
      guard let text, !text.isEmpty, text != ".", text != ".." else {
        throw .refused(message: "\(entry.target): the address of the new record needs a value of \(name)")
      }
      variables[name] = text
    }
    return variables
  }

  /// The record with the key of an edit; `nil` if the server has none, or if the definition cannot find it.
  private func find(
    _ entry: OutboxEntry, _ create: SourceDefinition.Creation, _ known: Variables
  ) async throws(SourceError) -> RemoteRecord? {
    guard let find = create.find else { return nil }
    var variables = known
    variables["key"] = entry.id
    let request = SourceDefinition.Request(find, selections: [])
    let url = try client.address(request, variables)
    guard case .content(let response) = try await client.send(request, to: url, variables) else { return nil }
    return try await made(response, entry, known, reader: source.found, url: url)
  }

  /// The new record of an answer, with the id that the server gave it. It is read where the answer has only a part of it.
  private func made(
    _ response: HTTPResponse, _ entry: OutboxEntry, _ variables: Variables, reader: [CollectionName: any AnswerReader],
    url: String
  ) async throws(SourceError) -> RemoteRecord? {
    let parsed = try reader[edits.collection]?.parsed(response.body, variables.values, url: url)
    guard let record = parsed?.value.records.first, let id = record.id?.text else {
      guard let reject = parsed?.rejects.kept.first else { return nil }
      if let id = parsed?.value.rejectedIDs.first?.text, var whole = try? await read(id) {
        whole.fields["id"] = .string(entry.targetID)
        whole.newID = id
        return whole
      }
      throw Self.unread(
        ParsingError(.shape, path: reject.path, expected: reject.expected, found: reject.found))
    }
    var fields = record.fields
    fields["id"] = .string(entry.targetID)
    var sourceState = JSONObject()
    if isAddress(url, of: id) { sourceState.append("etag", version(in: response)) }
    return RemoteRecord(fields, base: record.fields, sourceState: sourceState, newID: id)
  }

  func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer {
    guard let delete = edits.delete else { throw .refused(message: "records of \(edits.collection) cannot be removed") }
    let url = try address(delete.address, id)
    let body = SentBody(fields: ["id": .string(id)], only: nil, version: etag).object(delete.members)
    let response = try await change(delete, at: url, delete.members.isEmpty ? nil : body, id, etag)
    if [.conflict, .preconditionFailed].contains(response.status.meaning) {
      return .preconditionFailed(client.error(of: response, url))
    }
    _ = try client.judged(response, url)
    return .removed
  }

  func isAddress(_ url: String, of id: String) -> Bool { (try? address(edits.read.address, id))?.exact == url.exact }

  private func change(
    _ change: SourceDefinition.Change, at url: String, _ body: JSONObject?, _ id: String, _ version: String?
  ) async throws(SourceError) -> HTTPResponse {
    var known = variables(id)
    known["version"] = version
    var headers = edits.headers
    if edits.version == nil, let version { headers.append(.init("If-Match", version)) }
    // Without a condition, a second request could undo what was changed after the first.
    return try await client.change(
      HTTPRequest.Method(rawValue: change.method.rawValue.uppercased()) ?? .put, at: url, body.map { .object($0) },
      isForm: change.isForm, headers: headers, known, isRepeatable: version == nil ? false : nil)
  }

  /// The version of the record at the server, as an answer says it.
  private func version(in response: HTTPResponse) -> String? {
    switch edits.version {
    case nil: response.validator?.etag
    case .header(let name): response.headers[name]
    case .path(let path): client.compiler.values([path], in: response.body)?[0]?.shown
    }
  }

  private func address(_ template: URLTemplate, _ id: String) throws(SourceError) -> String {
    try client.address(SourceDefinition.Request(template, selections: []), variables(id))
  }

  /// The id, and each part of an id of several parts.
  private func variables(_ id: String) -> Variables {
    var variables = Variables()
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    for (name, part) in zip(mapping.idVariables, parts) { variables[name] = String(part.replacing("%2F", with: "/")) }
    variables["id"] = id
    return variables
  }

  private func record(in response: HTTPResponse, _ id: String, url: String) throws(SourceError) -> RemoteRecord {
    let parsed = try source.records[edits.collection]!.parsed(response.body, variables(id).values, url: url)
    guard var fields = parsed.value.records.first?.fields else {
      let reject = parsed.rejects.kept.first
      throw .parsing(
        ParsingError(
          .shape, path: reject?.path ?? edits.record.description, expected: reject?.expected ?? "a record",
          found: reject?.found ?? "nothing"), url: url)
    }
    fields["id"] = .string(id)
    return remote(fields, version(in: response))
  }

  private func remote(_ fields: JSONObject, _ version: String?) -> RemoteRecord {
    let sourceState: JSONObject = ["etag": .of(version)]
    return RemoteRecord(fields, base: fields, sourceState: sourceState)
  }
}

private struct SentBody {
  let fields: JSONObject
  /// The fields that are sent; `nil` for all.
  let only: [ExactString]?
  var key = ""
  var version: String?

  func object(_ members: [SourceDefinition.SentMember]) -> JSONObject {
    var object = JSONObject()
    for member in members {
      switch member.content {
      case .key: object.append(member.name, key)
      case .version: object.append(member.name, version.map { JSONValue(number: $0) ?? .string($0) })
      case .constant(let value): object.append(member.name, value)
      case .object(let members):
        let inner = self.object(members)
        if !inner.isEmpty { object.append(member.name, .object(inner)) }
      case .field(let path, let form):
        let names = path.split(separator: ".").map(String.init)
        // The whole record is replaced, so what is left out is removed. In a part of it, null removes a value.
        guard let only else {
          object.append(member.name, value(names).map { Self.sent($0, form) })
          continue
        }
        guard path.exact == "id" || only.contains(names[0].exact) else { continue }
        object.append(member.name, value(names).map { Self.sent($0, form) } ?? .null)
      }
    }
    return object
  }

  private func value(_ names: [String]) -> JSONValue? {
    var value = JSONValue.object(fields)
    for name in names {
      guard let next = value.object?[name] else { return nil }
      value = next
    }
    return value
  }

  private static func sent(_ value: JSONValue, _ form: SourceDefinition.SentForm) -> JSONValue {
    switch form {
    case .stored: return value
    case .text: if case .number(let digits) = value { return .string(digits) } else { return value }
    case .number:
      return value.string.flatMap { JSONValue(number: $0) } ?? value
    case .epoch, .epochMilliseconds:
      guard let time = value.string.flatMap({ Timestamp(timeOrDay: $0) }) else { return value }
      return .int(time.secondsSinceEpoch * (form == .epoch ? 1 : 1000))
    }
  }
}
