import Models
import Ports

/// The people who are here, as far as it takes to find them on a server's list.
struct KnownPeople {
  /// Somebody here.
  struct Known {
    let id: String
    let remoteID: String?
    /// The person as it is here.
    let here: Person
    /// The person as the server last had it, or as it was sent; as it is here where the server never had it.
    let there: Person
    /// Whether the server has this person, as far as was last seen.
    let isOnServer: Bool
  }

  /// Those on the server first, then by id.
  private(set) var people: [Known] = []
  /// The ids of those whom the server's list had.
  private(set) var listed: [String] = []
  /// Whether it is known of everybody who they are on the server.
  private(set) var areAllLinked = true

  /// Reads everybody. O(n log n) for n people.
  init(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    var remembered: [ExactString: JSONObject] = [:]
    try reader.scan(.state, ScanRange(prefix: PersonKey.memoryPrefix)) {
      (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(bytes, of: .state)
      let id = fields["id"]?.string ?? ""
      remembered[String(Substring(id.utf8.dropFirst(PersonKey.memoryPrefix.utf8.count))).exact] =
        fields["memory"]?.object ?? [:]
      return .next
    }
    // Who was changed here since being sent is on the server as sent.
    var sent: [ExactString: Person] = [:]
    try reader.scan(OutboxEntry.self, .all, coder) { (entry) throws(StoreError) in
      if entry.kind == .post, entry.targetCollection == .people { sent[entry.targetID.exact] = People.sent(entry) }
      return .next
    }
    var others: [Known] = []
    try reader.scan(Person.self, .all, coder) { (person) throws(StoreError) in
      let memory = remembered[person.id.exact]
      let base = (memory?["base"]?.object).flatMap { try? Person(fields: $0) }
      if let memory, memory[PersonMemory.isUnlisted] == nil { listed.append(person.id) }
      if base == nil, person.remoteID == nil { areAllLinked = false }
      let known = Known(
        id: person.id, remoteID: person.remoteID, here: person, there: base ?? sent[person.id.exact] ?? person,
        isOnServer: base != nil)
      if base != nil { people.append(known) } else { others.append(known) }
      return .next
    }
    people += others
  }

  /// Whether there is a person with this id.
  func contains(_ id: String) -> Bool { people.contains { $0.id.exact == id.exact } }
}
