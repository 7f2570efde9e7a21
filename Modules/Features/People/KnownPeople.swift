import Models
import Ports

/// Who is here, and who of them is whom on the server.
struct KnownPeople {
  private var byRemoteID: [String: String] = [:]
  /// People with no id on the server, by what makes two people the same.
  private var byIdentity: [[String]: String] = [:]
  private var taken: Set<String> = []

  /// Those whom the server had, by id.
  private(set) var remote: [String] = []
  /// Whether the server is known to have everybody.
  private(set) var areAllLinked = true

  /// Reads everybody. O(n log n) for n people.
  init(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    var remembered: [String: JSONObject] = [:]
    try reader.scan(.state, ScanRange(prefix: PersonKey.memoryPrefix)) {
      (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(bytes, of: .state)
      let id = fields["id"]?.string ?? ""
      remembered[String(id.dropFirst(PersonKey.memoryPrefix.utf8.count))] = fields["memory"]?.object ?? [:]
      return .next
    }
    // Who was changed here since being sent stands on the server as sent.
    var sent: [String: Person] = [:]
    try reader.scan(OutboxEntry.self, .all, coder) { (entry) throws(StoreError) in
      if entry.kind == .post, entry.targetCollection == .people { sent[entry.targetID] = People.sent(entry) }
      return .next
    }
    try reader.scan(Person.self, .all, coder) { (person) throws(StoreError) in
      let memory = remembered[person.id]
      if memory != nil { remote.append(person.id) }
      if let remoteID = person.remoteID {
        if byRemoteID[remoteID] == nil { byRemoteID[remoteID] = person.id }
        return .next
      }
      // A server without ids: the person as the server had it tells, not the one that was changed here.
      if let base = memory?["base"]?.object, let had = try? Person(fields: base) {
        byIdentity[had.identity] = person.id
      } else {
        areAllLinked = false
        if let sent = sent[person.id] { byIdentity[sent.identity] = person.id }
        if byIdentity[person.identity] == nil { byIdentity[person.identity] = person.id }
      }
      return .next
    }
  }

  /// The id here of a person of the server's list; `nil` for one who was removed here, or who stands twice in the
  /// list.
  mutating func link(_ remote: RemotePerson, _ snapshot: some RecordReader) throws(StoreError) -> String? {
    if let id = remote.remoteID.flatMap({ byRemoteID[$0] }) { return taken.insert(id).inserted ? id : nil }
    if let id = byIdentity[remote.identity], taken.insert(id).inserted { return id }
    if let remoteID = remote.remoteID, try snapshot.record(.state, PersonKey.removed(remoteID: remoteID)) != nil {
      return nil
    }
    if try snapshot.record(.state, PersonKey.removed(identity: remote.identity)) != nil { return nil }
    let id = PersonKey.localID(of: remote)
    return taken.insert(id).inserted ? id : nil
  }

  /// Whether the person of the server's list is one whom nobody here is yet.
  func isFree(_ remote: RemotePerson, but id: String) -> Bool {
    guard let remoteID = remote.remoteID, let holder = byRemoteID[remoteID] else { return true }
    return holder == id
  }
}
