import Models
import Ports

/// The people who are stored here, with what is needed to find them on a server's list.
struct KnownPeople {
  /// A person here.
  struct Known {
    let id: String
    let remoteID: String?
    /// The person as it is here.
    let here: Person
    /// The person as the server last had it, or as it was sent; as it is here where the server never had it.
    let there: Person
    /// Whether the server had this person when it was last read.
    let isOnServer: Bool
  }

  /// Those on the server first, then by id.
  private(set) var people: [Known] = []
  /// The ids of those who were on the server's list.
  private(set) var listed: [String] = []
  /// The ids of people of other sources.
  private(set) var foreign: Set<ExactString> = []
  /// Whether everyone is linked to a person at the server.
  private(set) var areAllLinked = true

  /// Reads everyone. O(n log n) for n people.
  init(in reader: some RecordReader, _ coder: any RecordCoder, _ edits: any PendingEdits) throws(StoreError) {
    var copies: [ExactString: RemoteCopy] = [:]
    try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in copies[id.exact] = copy }
    // A person that was changed here after being queued is at the server as it was queued.
    var sent: [ExactString: Person] = [:]
    for entry in try edits.edits(of: .people, in: reader) where entry.kind == .post {
      sent[entry.targetID.exact] = People.sent(entry)
    }
    var others: [Known] = []
    try reader.scan(Person.self, .all, coder) { (person) throws(StoreError) in
      let copy = copies[person.id.exact]
      if let source = copy?.source, source != .people {
        foreign.insert(person.id.exact)
        return .next
      }
      let base = (copy?.base).flatMap { try? Person(fields: $0) }
      if let copy, copy.memory[PersonMemory.isUnlisted] == nil { listed.append(person.id) }
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
