public import Models
import Ports

extension People {
  /// Queues people for sending, each once, as one commit.
  public func queue(_ ids: [String]) async throws(Failure) -> [String] {
    try await change { (transaction) throws(StoreError) in
      var waiting: [String: String] = [:]
      try transaction.scan(OutboxEntry.self, .all, coder) { (entry) throws(StoreError) in
        if entry.kind == .post, entry.targetCollection == .people { waiting[entry.targetID] = entry.id }
        return .next
      }
      var people: [Person] = []
      if ids.isEmpty {
        try transaction.scan(Person.self, .all, coder) { (person) throws(StoreError) in
          people.append(person)
          return .next
        }
      } else {
        for id in ids {
          guard let person = try transaction.record(Person.self, id, coder) else {
            return .failure(Self.notFound(id))
          }
          people.append(person)
        }
      }
      var entries: [String] = []
      for person in people where try !isOnServer(person, in: transaction) {
        if let id = waiting[person.id] {
          entries.append(id)
          continue
        }
        let entry = post(person)
        try transaction.put(entry, coder)
        waiting[person.id] = entry.id
        entries.append(entry.id)
      }
      var seen: Set<String> = []
      return .success(entries.filter { seen.insert($0).inserted })
    }
  }

  /// A server without ids gives none; that it has the person is then seen from what is remembered of its copy.
  private func isOnServer(_ person: Person, in reader: any StoreTransaction) throws(StoreError) -> Bool {
    if person.remoteID != nil { return true }
    return try reader.record(.state, PersonKey.memoryPrefix + person.id) != nil
  }

  private func post(_ person: Person) -> OutboxEntry {
    OutboxEntry(
      id: newID(), target: "\(CollectionName.people)/\(person.id)", kind: .post, edit: Self.sent(person),
      base: ["firstName": .null, "lastName": .null, "birthday": .null], createdAt: time.now)
  }

  /// Lets what waits in the outbox follow a change of the person. What may have arrived stays as it was sent: the same
  /// key must not come with another content. What was refused has not arrived, and goes out again under a new key.
  func requeue(_ person: Person, in transaction: inout any StoreTransaction) throws(StoreError) {
    for var entry in try entries(of: person.id, in: transaction) where entry.kind == .post {
      switch entry.state {
      case .pending where entry.attempts == 0 && !entry.outcomeUnknown:
        entry.edit = Self.sent(person)
        try transaction.put(entry, coder)
      case .refused:
        try transaction.delete(.outbox, entry.id)
        try transaction.put(post(person), coder)
      case .pending, .conflict: break
      }
    }
  }

  /// What waits in the outbox for a person.
  func entries(of id: String, in reader: any StoreTransaction) throws(StoreError) -> [OutboxEntry] {
    let target = "\(CollectionName.people)/\(id)"
    var entries: [OutboxEntry] = []
    try reader.scan(OutboxEntry.self, .all, coder) { (entry) throws(StoreError) in
      if entry.target == target { entries.append(entry) }
      return .next
    }
    return entries
  }

  private static func sent(_ person: Person) -> JSONObject {
    [
      "firstName": .string(person.firstName), "lastName": .string(person.lastName),
      "birthday": .string(person.birthday.description),
    ]
  }

  /// The person that an entry sends.
  static func sent(_ entry: OutboxEntry) -> Person? {
    var fields = entry.edit
    fields["id"] = .string(entry.targetID)
    return try? Person(fields: fields)
  }
}
