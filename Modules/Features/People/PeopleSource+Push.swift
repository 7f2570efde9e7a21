public import Models
public import Ports

extension PeopleSource {
  /// Makes a person on the server.
  ///
  /// A person whom a pull has found there meanwhile counts as sent. Where an earlier try may have arrived, the list is
  /// read first: a person with the same names and birthday, who is not linked to another one here, counts as sent;
  /// otherwise the POST goes out again under the same key.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .post, entry.targetCollection == .people else {
      throw .refused(message: "\(entry.target): only new people can be sent to people")
    }
    let person = try Self.person(entry, context.record)
    if person.remoteID != nil { return .accepted(RemoteRecord(context.record)) }
    let client = try client(context.transport)
    if entry.outcomeUnknown, let found = try await find(person.id, client, context) {
      return Self.accepted(found, isListed: true)
    }
    guard let remote = RemotePerson(person) else {
      throw .refused(message: "the person cannot be sent without a birthday")
    }
    let made = try await client.post(remote, key: entry.id)
    if let made, made.remoteID != nil { return Self.accepted(made.person(id: person.id), isListed: false) }
    // Accepted without an id: the list may have it.
    if let found = try? await find(person.id, client, context) { return Self.accepted(found, isListed: true) }
    return Self.accepted(made?.person(id: person.id) ?? person, isListed: false)
  }

  /// Looks for a person of ours on the server's list.
  private func find(
    _ id: String, _ client: PeopleClient, _ context: PushContext
  ) async throws(SourceError) -> Person? {
    let known: KnownPeople
    do throws(StoreError) {
      known = try KnownPeople(in: context.snapshot, coder, edits)
    } catch {
      throw .store(error)
    }
    guard known.contains(id) else { throw .refused(message: "the person was removed here") }
    guard let list = try await client.people()?.parsed else { return nil }
    do throws(StoreError) {
      return try known.people(of: list.value, isComplete: list.rejects.isEmpty, context.snapshot)
        .first { $0?.id.exact == id.exact } ?? nil
    } catch {
      throw .store(error)
    }
  }

  /// The person as it is sent: the same at every try, even if it was changed here meanwhile.
  private static func person(_ entry: OutboxEntry, _ record: JSONObject) throws(SourceError) -> Person {
    var fields = record
    for member in entry.edit.members { fields[member.key] = member.value }
    fields["id"] = .string(entry.targetID)
    do throws(RecordError) {
      return try Person(fields: fields)
    } catch {
      throw .refused(message: "the person cannot be sent: \(error)")
    }
  }

  private static func accepted(_ person: Person, isListed: Bool) -> PushOutcome {
    .accepted(
      RemoteRecord(
        person.fields, base: PersonMemory.base(of: person), memory: PersonMemory.memory(isListed: isListed)))
  }
}

extension RemotePerson {
  /// The person as a server has it; `nil` without a birthday, which every person at a server has.
  init?(_ person: Person) {
    guard let birthday = person.birthday else { return nil }
    self.init(remoteID: person.remoteID, firstName: person.firstName, lastName: person.lastName, birthday: birthday)
  }
}
