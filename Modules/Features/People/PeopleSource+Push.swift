public import Models
public import Ports

extension PeopleSource {
  /// Makes a person on the server.
  ///
  /// Somebody whom a pull has found there meanwhile counts as sent. Where an earlier try may have arrived, the list is
  /// read first: a person found there, with the same names and birthday and not yet linked to somebody else here,
  /// counts as sent; otherwise the POST goes out again under the same key.
  public func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
    guard entry.kind == .post, entry.targetCollection == .people else {
      throw .refused(message: "\(entry.target): only new people can be sent to people")
    }
    let person = try Self.person(entry, context.record)
    if person.remoteID != nil { return .accepted(record: context.record, memory: nil) }
    let client = try client(context.transport)
    if entry.outcomeUnknown, let found = try await find(person, client, context) {
      return Self.accepted(found, as: person)
    }
    guard let made = try await client.post(person, key: entry.id), made.remoteID != nil else {
      // Accepted without an id: the list tells it, as far as the server has ids at all.
      let found = try? await find(person, client, context)
      return Self.accepted(found ?? RemotePerson(person), as: person)
    }
    return Self.accepted(made, as: person)
  }

  private func find(
    _ person: Person, _ client: PeopleClient, _ context: PushContext
  ) async throws(SourceError) -> RemotePerson? {
    let identity = RemotePerson(person).trimmed.identity
    let known: KnownPeople
    do throws(StoreError) {
      known = try KnownPeople(in: context.snapshot, coder)
    } catch {
      throw .store(error)
    }
    return try await client.people()?.people.value.first {
      $0.identity == identity && known.isFree($0, but: person.id)
    }
  }

  /// The person as it is sent: the same at every try, also when it was changed here meanwhile.
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

  private static func accepted(_ remote: RemotePerson, as person: Person) -> PushOutcome {
    let fields = remote.person(id: person.id).fields
    return .accepted(record: fields, memory: ["base": .object(fields)])
  }
}

extension RemotePerson {
  /// A person as it would stand on a server that changes nothing.
  init(_ person: Person) {
    self.init(
      remoteID: person.remoteID, firstName: person.firstName, lastName: person.lastName, birthday: person.birthday)
  }
}
