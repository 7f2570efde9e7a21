import Models
import Ports

/// The stored people, with what is needed to find them in the list of a server.
struct KnownPeople {
  /// A stored person.
  struct Known {
    let id: String
    let remoteID: String?
    /// The person as stored.
    let here: Person
    /// The person as the server last returned it, or as last sent; as stored if the server never had the person.
    let there: Person
    /// Whether the last list of the server contained the person.
    let isOnServer: Bool
  }

  /// The people, those on the server first, then by id.
  private(set) var people: [Known] = []
  /// The ids of the people in the last list of the server.
  private(set) var listed: [String] = []
  /// The ids of people of other sources.
  private(set) var foreign: Set<ExactString> = []
  /// Whether every person is linked to one on the server.
  private(set) var areAllLinked = true

  /// Reads all people. O(n log n) for n people.
  init(in reader: some RecordReader, _ coder: any RecordCoder, _ edits: any PendingEdits) throws(StoreError) {
    var copies: [ExactString: RemoteCopy] = [:]
    try edits.eachRemoteCopy(of: .people, in: reader) { (id, copy) throws(StoreError) in copies[id.exact] = copy }
    // A person that was changed after being queued is on the server as queued.
    var sent: [ExactString: Person] = [:]
    for entry in try edits.edits(of: .people, in: reader) where entry.kind == .post {
      if let source = entry.source, source != .people { foreign.insert(entry.targetID.exact) }
      sent[entry.targetID.exact] = People.sent(entry)
    }
    // Who was removed and added again has the id on the server that the removed person had.
    var restoredIDs: [ExactString: String] = [:]
    for marker in try RemovalMarker.all(in: reader, coder) {
      guard let id = marker["person"]?.string, let remoteID = marker["remoteID"]?.string else { continue }
      restoredIDs[id.exact] = remoteID
    }
    var others: [Known] = []
    try reader.scan(Person.self, .all, coder) { (person) throws(StoreError) in
      let copy = copies[person.id.exact]
      let source = copy?.source
      if source.map({ $0 != .people }) ?? foreign.contains(person.id.exact) {
        foreign.insert(person.id.exact)
        return .next
      }
      let base = (copy?.base).flatMap { try? Person(fields: $0) }
      if let copy, copy.memory[PersonMemory.isUnlisted] == nil { listed.append(person.id) }
      if base == nil, person.remoteID == nil { areAllLinked = false }
      let known = Known(
        id: person.id, remoteID: person.remoteID ?? restoredIDs[person.id.exact], here: person,
        there: base ?? sent[person.id.exact] ?? person, isOnServer: base != nil)
      if base != nil { people.append(known) } else { others.append(known) }
      return .next
    }
    people += others
  }

  /// Whether there is a person with this id.
  func contains(_ id: String) -> Bool { people.contains { $0.id.exact == id.exact } }
}

extension KnownPeople {
  /// The people of a server's list as they are stored; `nil` for a person who was removed locally, or who is in the list
  /// twice.
  ///
  /// A person of the list matches the stored person with the same id on the server. If one of them has no such id, or the
  /// stored person's id is no longer in the list, it matches the stored person with the same names and birthday, or with
  /// the same names and no birthday. Otherwise it matches the only stored person who is missing from the list and differs
  /// in one of last name, birthday and first name. All others are new. O(n) for n people.
  ///
  /// - Parameter isComplete: whether the whole list could be read; otherwise no stored person counts as missing.
  func people(
    of list: [RemotePerson], isComplete: Bool, _ snapshot: some RecordReader
  ) throws(StoreError) -> [Person?] {
    var pairs = Pairing(list, people)
    pairs.pair({ $0.remoteID?.exact }, { $0.remoteID?.exact })
    for identity in [{ $0.there.identity }, { $0.here.identity }] as [(Known) -> [String]] {
      pairs.pair({ $0.remoteID == nil ? $0.identity : nil }, { $0.remoteID == nil ? nil : identity($0) })
      pairs.pair({ $0.identity }, { $0.remoteID == nil ? identity($0) : nil })
      if isComplete { pairs.pair({ $0.identity }, { identity($0) }) }
    }
    pairs.pair(
      { PersonKey.withoutBirthday($0) },
      { $0.there.birthday == nil && $0.remoteID == nil ? [$0.there.firstName, $0.there.lastName] : nil },
      onlyPairs: true)
    try pairs.drop { (remote) throws(StoreError) in try Self.wasRemoved(remote, snapshot) }
    if isComplete {
      for point in [PersonKey.withoutLastName, PersonKey.withoutBirthday, PersonKey.withoutFirstName] {
        // Different ids are different people, unless everything else is equal.
        pairs.pair(
          { $0.remoteID == nil ? point($0) : nil }, { $0.isOnServer ? RemotePerson($0.there).flatMap(point) : nil },
          onlyPairs: true)
        pairs.pair(
          { point($0) }, { $0.isOnServer && $0.remoteID == nil ? RemotePerson($0.there).flatMap(point) : nil },
          onlyPairs: true)
      }
    }
    return pairs.linked(people, foreign: foreign)
  }

  /// The people of a list with the id of an earlier one, who are left out, and the first one with that id.
  static func repeated(in list: [RemotePerson]) -> [(index: Int, first: Int)] {
    var firsts: [ExactString: Int] = [:]
    var repeated: [(index: Int, first: Int)] = []
    for (index, person) in list.enumerated() {
      guard let id = person.remoteID?.exact else { continue }
      if let first = firsts[id] { repeated.append((index, first)) } else { firsts[id] = index }
    }
    return repeated
  }

  private static func wasRemoved(
    _ remote: RemotePerson, _ snapshot: some RecordReader
  ) throws(StoreError) -> Bool {
    if let id = remote.remoteID, try snapshot.record(.state, PersonKey.removed(remoteID: id)) != nil { return true }
    return try snapshot.record(.state, PersonKey.removed(identity: remote.identity)) != nil
  }

  /// Pairs the people of a list with stored people, each at most once.
  private struct Pairing {
    private let list: [RemotePerson]
    private let people: [Known]
    /// For each person of the list, the index of the stored one.
    private var pairs: [Int?]
    /// The people of the list without a pair, in its order.
    private var open: [Int]
    /// The stored people without a pair.
    private var free: [Int]

    init(_ list: [RemotePerson], _ people: [Known]) {
      self.list = list
      self.people = people
      pairs = Array(repeating: nil, count: list.count)
      free = Array(people.indices)
      let repeated = Set(KnownPeople.repeated(in: list).map(\.index))
      open = list.indices.filter { !repeated.contains($0) }
    }

    /// Pairs people with the same key, in order. People with the key `nil` are skipped.
    ///
    /// - Parameter onlyPairs: whether a key counts only if exactly one person on each side has it.
    mutating func pair<Key: Hashable>(
      _ there: (RemotePerson) -> Key?, _ here: (Known) -> Key?, onlyPairs: Bool = false
    ) {
      guard !open.isEmpty, !free.isEmpty else { return }
      var candidates: [Key: [Int]] = [:]
      for index in free.reversed() {
        if let key = here(people[index]) { candidates[key, default: []].append(index) }
      }
      if onlyPairs {
        var counts: [Key: Int] = [:]
        for index in open { if let key = there(list[index]) { counts[key, default: 0] += 1 } }
        candidates = candidates.filter { $0.value.count == 1 && counts[$0.key] == 1 }
      }
      var taken: Set<Int> = []
      for index in open {
        guard let key = there(list[index]), let one = candidates[key]?.popLast() else { continue }
        pairs[index] = one
        taken.insert(one)
      }
      guard !taken.isEmpty else { return }
      open.removeAll { pairs[$0] != nil }
      free.removeAll { taken.contains($0) }
    }

    /// Drops the unpaired people of the list for whom `isUnwanted` returns true.
    mutating func drop(_ isUnwanted: (RemotePerson) throws(StoreError) -> Bool) throws(StoreError) {
      var wanted: [Int] = []
      for index in open where try !isUnwanted(list[index]) { wanted.append(index) }
      open = wanted
    }

    /// The people of the list: paired ones with the id of the stored person, the others with new ids.
    func linked(_ known: [Known], foreign: Set<ExactString>) -> [Person?] {
      var linked: [Person?] = list.indices.map { index in
        pairs[index].map { pair in
          var remote = list[index]
          remote.remoteID = remote.remoteID ?? known[pair].remoteID
          return remote.person(id: known[pair].id)
        }
      }
      var used = foreign.union(known.map(\.id.exact))
      // A person without an id who equals an earlier one of the list is a duplicate.
      var seen = Set(linked.compactMap { $0?.identity })
      for index in open {
        let isNew = seen.insert(list[index].identity).inserted
        guard isNew || list[index].remoteID != nil else { continue }
        var attempt = 1
        while !used.insert(PersonKey.localID(of: list[index], attempt).exact).inserted { attempt += 1 }
        linked[index] = list[index].person(id: PersonKey.localID(of: list[index], attempt))
      }
      return linked
    }
  }
}
