public import Models
public import Ports

extension People: DuplicateService {
  public func duplicates() throws(Failure) -> [PossibleDuplicate] { try duplicates(besides: nil) }

  public func duplicates(of person: Person) throws(Failure) -> [PossibleDuplicate] {
    try duplicates(besides: person).filter { $0.b.id.exact == person.id.exact }
  }

  /// - Parameter other: somebody who is not stored, and comes after all others.
  private func duplicates(besides other: Person?) throws(Failure) -> [PossibleDuplicate] {
    try store.read { (snapshot) throws(StoreError) in
      let cards = try StoredCard.all(in: snapshot, coder)
      var people = try snapshot.all(Person.self, coder) { person in
        (person: person, uid: cards[person.id.exact].flatMap { contactFormat.uid(of: $0.bytes) })
      }
      if let other { people.append((other, nil)) }
      let different = Set(try differentPairs(in: snapshot).map(\.ids))
      return PersonMatcher.duplicates(among: people).map {
        PossibleDuplicate(a: people[$0.first].person, b: people[$0.second].person, score: $0.score, reasons: $0.reasons)
      }.filter { !different.contains([$0.a.id.exact, $0.b.id.exact]) }
    }
  }

  /// The people who are noted as different, by the ids that they have now: a person who is sent gets the id of the server.
  private func differentPairs(
    in reader: some RecordReader
  ) throws(StoreError) -> [(key: StateKey, ids: Set<ExactString>)] {
    try reader.states(.different, coder) { (key, fields) throws(StoreError) in
      let ids = try (fields["people"]?.array ?? []).compactMap(\.string).map { (id) throws(StoreError) in
        try edits.currentID(of: .people, id, in: reader).exact
      }
      return (key, Set(ids))
    }
  }

  public func note(_ a: String, _ b: String, areDifferent: Bool) async throws(Failure) {
    try await change { (transaction: inout any StoreTransaction) throws(StoreError) -> Result<Void, Failure> in
      switch try merging(a, b, in: transaction) {
      case .failure(let failure): return .failure(failure)
      case .success(let pair):
        let ids: Set = [pair.a.id.exact, pair.b.id.exact]
        for known in try differentPairs(in: transaction) where known.ids == ids {
          try transaction.clearState(known.key)
        }
        if areDifferent {
          let names = ids.sorted().map(\.text)
          let key = StateKey(.different, names.map { percentEncoded($0) }.joined(separator: "/"))
          try transaction.setState(key, to: ["people": .array(names.map { .string($0) })], coder)
        }
        return .success(())
      }
    }
  }

  public func merging(_ a: String, _ b: String) throws(Failure) -> PersonMerge {
    try store.read { (snapshot) throws(StoreError) in try merging(a, b, in: snapshot) }.get()
  }

  public func merge(
    _ a: String, _ b: String, _ sides: [ExactString: PersonMerge.Side]
  ) async throws(Failure) -> MergedPeople {
    try await change { (transaction) throws(StoreError) in
      let merge: PersonMerge
      switch try merging(a, b, in: transaction) {
      case .success(let found): merge = found
      case .failure(let failure): return .failure(failure)
      }
      if let failure = undecided(merge, sides) { return .failure(failure) }
      for person in [merge.a, merge.b] where try isForeign(person.id, in: transaction) {
        if let failure = try readOnly(person, in: transaction) { return .failure(failure) }
      }
      // The card that a server has stays there.
      let areOnlyHere = (try isOnlyHere(merge.a, in: transaction), try isOnlyHere(merge.b, in: transaction))
      let isSwapped = areOnlyHere.0 && !areOnlyHere.1
      let kept = isSwapped ? merge.b : merge.a
      let removed = isSwapped ? merge.a : merge.b
      var person = merge.person(sides)
      (person.id, person.remoteID, person.origin) = (kept.id, kept.remoteID, kept.origin)
      let isForeign = try isForeign(kept.id, in: transaction)
      var lost = try takeCard(of: removed, to: kept, isForeign: isForeign, in: &transaction)
      if lost != nil, let photo = person.details.photo, photo != kept.details.photo {
        // Only the card that does not stay has its bytes.
        let card = try StoredCard.bytes(removed.id, in: transaction, coder)
        person.details.photo =
          (photo.isInCard ? card.flatMap { contactFormat.photo(of: $0) } : photo) ?? kept.details.photo
        if person.details.photo != kept.details.photo { lost?.removeAll { $0 == "PHOTO" } }
        if !isForeign { try keepPhoto(of: &person, in: &transaction) }
      }
      var isSent = false
      // What no field reads is taken as well, where the person has nothing of that name.
      let own = try otherMembers(of: kept, in: transaction)
      let others = try otherMembers(of: removed, in: transaction).filter { person.fields[$0.key] == nil }
      let taken = others.filter { other in !own.contains { $0.key.exact == other.key.exact } }
      let left = others.filter { other in own.contains { $0.key.exact == other.key.exact && $0.value != other.value } }
      if person != kept, let refusal = try refusal(ofChanging: kept, to: person, in: transaction) {
        return .failure(refusal)
      }
      if person != kept || !taken.isEmpty { try replace(kept, with: person, adding: taken, in: &transaction) }
      if person != kept {
        if isForeign {
          isSent =
            try edits.queueChange(of: .people, kept.id, from: kept.fields, to: person.fields, in: &transaction) != nil
        } else if Self.sent(kept) != Self.sent(person) {
          try requeue(person, in: &transaction)
        }
      }
      try ImportedInput.move(from: removed.id, to: kept.id, in: &transaction, coder)
      let gone = try removal(of: removed, after: isSent ? "\(CollectionName.people)/\(kept.id)" : nil, in: &transaction)
      return .success(MergedPeople(person: person, removed: gone, isSent: isSent, lost: (lost ?? []) + left.map(\.key)))
    }
  }

  private func merging(
    _ a: String, _ b: String, in reader: some RecordReader
  ) throws(StoreError) -> Result<PersonMerge, Failure> {
    var people: [Person] = []
    for id in [a, b] {
      let id = try edits.currentID(of: .people, id, in: reader)
      guard let person = try reader.record(Person.self, id, coder) else { return .failure(notFound(id)) }
      people.append(person)
    }
    guard people[0].id.exact != people[1].id.exact else {
      return .failure(
        Failure(
          .config, .usage, "\(people[0].fullName) cannot be merged with the same person", code: .own(.duplicate),
          path: "people/\(people[0].id)"))
    }
    return .success(PersonMerge(people[0], people[1]))
  }

  private func undecided(_ merge: PersonMerge, _ sides: [ExactString: PersonMerge.Side]) -> Failure? {
    let open = merge.conflicts.filter { sides[$0.field.exact] == nil }
    guard !open.isEmpty else { return nil }
    let words = open.map { "\($0.field) ('\($0.a)' and '\($0.b)')" }.joined(separator: ", ")
    return Failure(
      .config, .usage, "\(merge.a.fullName) and \(merge.b.fullName) differ in \(words)",
      hint: suggestions(.chooseSide(a: merge.a.id, b: merge.b.id)), code: .own(.conflict), path: "people/\(merge.a.id)")
  }

  private func isOnlyHere(_ person: Person, in transaction: any StoreTransaction) throws(StoreError) -> Bool {
    if try isForeign(person.id, in: transaction) { return false }
    return try !mayBeOnServer(person, in: transaction)
  }

  /// Gives a person without a card that of the removed one.
  ///
  /// - Returns: the properties that get lost, because there are two cards; `nil` if the card was taken.
  private func takeCard(
    of removed: Person, to kept: Person, isForeign: Bool, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> [String]? {
    guard let card = try StoredCard.bytes(removed.id, in: transaction, coder) else { return [] }
    let own = try StoredCard.bytes(kept.id, in: transaction, coder)
    if !isForeign, own == nil {
      try StoredCard.put(card, kept.id, in: &transaction, coder)
      return nil
    }
    let there = Set((own.map(contactFormat.otherProperties) ?? []).map(\.exact))
    return contactFormat.otherProperties(of: card).filter { !there.contains($0.exact) }
  }
}
