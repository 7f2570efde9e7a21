import Models
import Ports

/// The stored people, with what is needed to find them in the list of a server.
struct KnownPeople {
  struct Known {
    let id: String
    let remoteID: String?
    let here: Person
    /// The person as the server last returned it, or as last sent; as stored if the server never had the person.
    let there: Person
    let isOnServer: Bool
  }

  /// The people, those on the server first, then by id.
  private(set) var people: [Known] = []
  /// The ids of the people in the last list of the server.
  private(set) var listed: [String] = []
  private(set) var foreign: Set<ExactString> = []
  /// The keys of the markers of people who were removed here.
  private var removals: Set<StateKey> = []
  /// Whether every person is linked to one on the server.
  private(set) var areAllLinked = true

  init(in reader: some RecordReader, _ coder: any RecordCoder, _ edits: any PendingEdits) throws(StoreError) {
    var copies: [ExactString: RemoteCopy] = [:]
    try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in copies[id.exact] = copy }
    // A person that was changed after being queued is on the server as queued.
    var sent: [ExactString: Person] = [:]
    let pending = Dictionary(grouping: try edits.edits(of: .people, in: reader), by: \.targetID.exact)
    for (id, entries) in pending {
      sent[id] = entries.last { $0.kind == .post }.flatMap(People.sent)
      // Also of those who are not stored any more: their ids are taken.
      if RecordOwner(copies[id], edits: entries).isOther(than: .people) { foreign.insert(id) }
    }
    // Who was removed and added again has the id on the server that the removed person had.
    var restoredIDs: [ExactString: String] = [:]
    for (key, marker) in try RemovalMarker.all(in: reader, coder) {
      removals.insert(key)
      guard let id = marker["person"]?.string, let remoteID = marker["remoteID"]?.string else { continue }
      restoredIDs[id.exact] = remoteID
    }
    var others: [Known] = []
    try reader.scan(Person.self, .all, coder) { (person) throws(StoreError) in
      let copy = copies[person.id.exact]
      if RecordOwner(copy, edits: pending[person.id.exact] ?? []).isOther(than: .people) {
        foreign.insert(person.id.exact)
        return .next
      }
      let base = (copy?.base).flatMap { try? Person(fields: $0) }
      if let copy, CopyState.isListed(copy.sourceState) { listed.append(person.id) }
      if base == nil, person.remoteID == nil { areAllLinked = false }
      let known = Known(
        id: person.id, remoteID: person.remoteID ?? restoredIDs[person.id.exact], here: person,
        there: base ?? sent[person.id.exact] ?? person, isOnServer: base != nil)
      if base != nil { people.append(known) } else { others.append(known) }
      return .next
    }
    people += others
  }

  func contains(_ id: String) -> Bool { people.contains { $0.id.exact == id.exact } }
}

extension KnownPeople {
  /// The people of a server's list as they are stored, found by `PersonMatcher`; `nil` for a person who was removed locally,
  /// or who is in the list twice. O(n) for n people.
  ///
  /// - Parameter isComplete: whether the whole list could be read; otherwise no stored person counts as missing.
  func people(of list: [RemotePerson], isComplete: Bool) -> [Person?] {
    var matcher = PersonMatcher(.list(isComplete: isComplete))
    for known in people {
      var (there, here) = (PersonEvidence(known.there), PersonEvidence(known.here))
      (there.remoteID, here.remoteID) = (known.remoteID?.exact, known.remoteID?.exact)
      matcher.add(there, here: here, isAtServer: known.isOnServer)
    }
    let evidence = list.map(\.evidence)
    let matches = matcher.match(evidence) { person in
      person.remoteID.map { removals.contains(PersonKey.removed(remoteID: $0.text)) } == true
        || removals.contains(PersonKey.removed(identity: person))
    }
    var used = foreign.union(people.map(\.id.exact))
    return zip(list, matches).map { remote, match in
      switch match {
      case .same(let index, _):
        var remote = remote
        remote.remoteID = remote.remoteID ?? people[index].remoteID
        return remote.person(id: people[index].id)
      case .new, .several:
        // The same person has the same id in every store. It may be in use by a person whose name changed since.
        var attempt = 1
        while !used.insert(PersonKey.localID(of: remote, attempt).exact).inserted { attempt += 1 }
        return remote.person(id: PersonKey.localID(of: remote, attempt))
      case .repeated, .removedHere: return nil
      }
    }
  }

  /// The people of a list with the id of an earlier one, who are left out, and the first one with that id.
  static func repeated(in list: [RemotePerson]) -> [(index: Int, first: Int)] {
    PersonMatcher(.list(isComplete: false)).match(list.map(\.evidence)).enumerated().compactMap { index, match in
      guard case .repeated(let first) = match, list[index].remoteID != nil else { return nil }
      return (index, first)
    }
  }
}
