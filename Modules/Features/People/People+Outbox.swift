public import Models
public import Ports

extension People {
  /// Queues people for sending as one commit, each person once. Without ids, these are people who were added by hand:
  /// an imported one is sent only by name, so that no command sends a whole address book. Whom the list of the server has
  /// already as another stored person is not sent a second time. O(n) for n people.
  public func queue(_ ids: [String], to book: FollowedBook?) async throws(Failure) -> QueuedPeople {
    try await change { (transaction) throws(StoreError) in
      var waiting: [ExactString: String] = [:]
      for entry in try edits.edits(of: .people, in: transaction) where entry.kind == .post {
        waiting[entry.targetID.exact] = entry.id
      }
      var people: [Person] = []
      if ids.isEmpty {
        people = try transaction.all(Person.self, coder) { $0.origin == nil ? $0 : nil }
      } else {
        for id in ids {
          let id = try edits.currentID(of: .people, id, in: transaction)
          guard let person = try transaction.record(Person.self, id, coder) else { return .failure(notFound(id)) }
          people.append(try completed(person, in: &transaction))
        }
      }
      var missing: [Person] = []
      for person in people where try !isOnServer(person, in: transaction) { missing.append(person) }
      var sendable: [Person] = []
      var queued = QueuedPeople(entries: [])
      var list = try book == nil ? ServerNames(waiting: Set(waiting.keys), in: transaction, self) : nil
      for person in missing {
        let isQueued = waiting[person.id.exact] != nil
        var reason = book == nil ? reasonNotToSend(person) : nil
        if reason == nil, !isQueued, let list, let other = try list.holder(of: person, in: transaction, self) {
          reason = .listed(as: other.id)
        }
        guard let reason else {
          list?.add(person)
          sendable.append(person)
          continue
        }
        if !ids.isEmpty { return .failure(cannotBeSent(person, reason)) }
        queued.leftOut.append(QueuedPeople.LeftOut(person: person, reason: reason))
      }
      var seen: Set<ExactString> = []
      for var person in sendable where seen.insert(person.id.exact).inserted {
        queued.people.append(person)
        if let id = waiting[person.id.exact] {
          queued.entries.append(id)
          continue
        }
        let entry: OutboxEntry
        if let book {
          // Another program may have added the person to the book.
          if let other = try member(like: person, of: book, in: transaction) { return .failure(other) }
          let old = person
          person.origin = book.follow
          try replace(old, with: person, in: &transaction)
          entry = try queue(person, for: book, from: old.origin, in: &transaction)
        } else {
          entry = try edits.queueNew(
            .people, person.id, Self.sent(person), over: [:], source: .people, in: &transaction)
        }
        waiting[person.id.exact] = entry.id
        queued.entries.append(entry.id)
      }
      return .success(queued)
    }
  }

  /// Moves a person. O(n) for n people.
  public func move(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson {
    try await change { (transaction) throws(StoreError) in
      let id = try edits.currentID(of: .people, id, in: transaction)
      guard let stored = try transaction.record(Person.self, id, coder) else { return .failure(notFound(id)) }
      if stored.origin?.exact == book.follow.exact {
        return .success(ChangedPerson(person: stored, isOnServer: true, isChanged: false))
      }
      let old = try completed(stored, in: &transaction)
      if let other = try member(like: old, of: book, in: transaction) { return .failure(other) }
      var person = old
      person.origin = book.follow
      if try isForeign(id, in: transaction) {
        try replace(old, with: person, in: &transaction)
        try edits.queueChange(of: .people, id, from: old.fields, to: person.fields, in: &transaction)
      } else {
        if try mayBeOnServer(old, in: transaction) {
          return .failure(
            Failure(
              .config, .usage, "\(old.fullName) is one of a server of people, which removes nobody",
              hint: "add a copy to the address book instead", code: .own(.notRemovable), path: "people/\(id)"))
        }
        try replace(old, with: person, in: &transaction)
        try queue(person, for: book, from: old.origin, in: &transaction)
      }
      return .success(ChangedPerson(person: person, isOnServer: true, isSent: true))
    }
  }

  /// Copies a person. O(n) for n people.
  public func copy(_ id: String, to book: FollowedBook) async throws(Failure) -> ChangedPerson {
    try await change { (transaction) throws(StoreError) in
      let id = try edits.currentID(of: .people, id, in: transaction)
      guard let stored = try transaction.record(Person.self, id, coder) else { return .failure(notFound(id)) }
      let old = try completed(stored, in: &transaction)
      if let other = try member(like: old, isCopy: true, of: book, in: transaction) { return .failure(other) }
      let copy = Person(
        id: edits.newID(), firstName: old.firstName, lastName: old.lastName, birthday: old.birthday,
        fullName: old.fullName, details: old.details, origin: book.follow)
      try transaction.put(copy, coder)
      if let card = try StoredCard.bytes(id, in: transaction, coder) {
        try StoredCard.put(contactFormat.withoutUID(card), copy.id, in: &transaction, coder)
      }
      try queue(copy, for: book, from: nil, in: &transaction)
      return .success(ChangedPerson(person: copy, isOnServer: true, isSent: true))
    }
  }

  /// That an address book has a person already, or somebody who is taken for them; `nil` if not.
  ///
  /// - Parameter isCopy: whether the `UID` is of no account, because a copy has another one.
  private func member(
    like person: Person, isCopy: Bool = false, of book: FollowedBook, in transaction: any StoreTransaction
  ) throws(StoreError) -> Failure? {
    let there = try namesakes(of: person, in: transaction).filter { $0.origin?.exact == book.follow.exact }
    var other = person.origin?.exact == book.follow.exact ? person : nil
    if other == nil, isCopy {
      var matcher = PersonMatcher(.file)
      for one in there { matcher.add(PersonEvidence(one)) }
      if case .same(let index, _) = matcher.match(PersonEvidence(person)) { other = there[index] }
    } else if other == nil {
      other = try known(as: person, among: there, .file, in: transaction)
    }
    guard let other else { return nil }
    var failure = Self.isThere(other)
    failure.message = "\(book.follow) has \(other.fullName) already"
    return failure
  }

  /// Queues the card of a person for an address book; without the book, the person comes from `origin`.
  @discardableResult
  func queue(
    _ person: Person, for book: FollowedBook, from origin: String?, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry {
    var (fields, before) = (person.fields, JSONObject())
    fields["id"] = nil
    before.append("origin", origin)
    return try edits.queueNew(.people, person.id, fields, over: before, source: book.source, in: &transaction)
  }

  /// Whether the server has the person, or an earlier request may have reached it.
  func mayBeOnServer(_ person: Person, in reader: any StoreTransaction) throws(StoreError) -> Bool {
    if try isOnServer(person, in: reader) { return true }
    return try edits.edits(of: .people, person.id, in: reader).contains(where: \.outcomeUnknown)
  }

  /// If a server has no ids, only its copy of the person shows that it has the person.
  func isOnServer(_ person: Person, in reader: any StoreTransaction) throws(StoreError) -> Bool {
    if person.remoteID != nil { return true }
    return try edits.remoteCopy(of: .people, person.id, in: reader) != nil
  }

  /// The failure of a change that would prevent a pending person from being sent; `nil` if no such edit is pending.
  func refusal(ofChanging old: Person, to new: Person, in reader: any StoreTransaction) throws(StoreError) -> Failure? {
    guard let reason = reasonNotToSend(new), reason != reasonNotToSend(old) else { return nil }
    let waiting = try edits.edits(of: .people, new.id, in: reader).first { entry in
      entry.kind == .post && !entry.outcomeUnknown && entry.source ?? .people == .people
    }
    return waiting.map { entry in
      Failure(
        .config, .usage, "\(old.fullName) is in the outbox and could not be sent then: \(reason)",
        hint: suggestions(.discardEdit(target: entry.target)), code: reason.code,
        path: "people/\(old.id)")
    }
  }

  /// Updates the pending edit of a person who is not on the server yet after a change of the person.
  func requeue(_ person: Person, in transaction: inout any StoreTransaction) throws(StoreError) {
    guard try edits.edits(of: .people, person.id, in: transaction).contains(where: { $0.kind == .post }) else { return }
    try edits.queueNew(.people, person.id, Self.sent(person), over: [:], source: .people, in: &transaction)
  }

  static func sent(_ person: Person) -> JSONObject {
    [
      "firstName": .of(person.firstName.isEmpty ? nil : person.firstName),
      "lastName": .of(person.lastName.isEmpty ? nil : person.lastName), "birthday": .of(person.birthday?.description),
    ]
  }

  /// Why the person cannot be sent; `nil` if it can.
  private func reasonNotToSend(_ person: Person) -> QueuedPeople.Reason? {
    guard let birthday = person.birthday else { return .noBirthday }
    guard let birth = birthday.dateOfBirth, birthday.futureNote(today: time.now.date) != nil else { return nil }
    return .futureBirthday(birth)
  }

  private func cannotBeSent(_ person: Person, _ reason: QueuedPeople.Reason) -> Failure {
    let remedy: Suggestion =
      if case .listed(let other) = reason { .mergeDuplicates(other, person.id) } else {
        .setBirthday(person: person.id)
      }
    return Failure(
      .config, .usage, "\(person.fullName) cannot be sent: \(reason)", hint: suggestions(remedy), code: reason.code,
      path: "people/\(person.id)")
  }

  static func sent(_ entry: OutboxEntry) -> Person? {
    var fields = entry.edit
    fields["id"] = .string(entry.targetID)
    return try? Person(fields: fields)
  }
}

extension QueuedPeople.Reason {
  fileprivate var code: FailureCode {
    switch self {
    case .noBirthday: .own(.noBirthday)
    case .futureBirthday: .own(.futureBirthday)
    case .listed: .own(.duplicate)
    }
  }
}

/// The stored people whom the list of a server has, or gets by edits that wait, by their names without case and accents.
private struct ServerNames {
  private var people: [[String]: [Person]] = [:]

  init(waiting: Set<ExactString>, in reader: some RecordReader, _ service: People) throws(StoreError) {
    for known in try KnownPeople(in: reader, service.coder, service.edits).people
    where known.isOnServer || known.remoteID != nil || waiting.contains(known.id.exact) {
      add(known.here)
      if known.there != known.here { add(known.there) }
    }
  }

  mutating func add(_ person: Person) { people[People.foldedNames(person), default: []].append(person) }

  /// Another person whom `PersonMatcher` takes for this one.
  func holder(of person: Person, in reader: some RecordReader, _ service: People) throws(StoreError) -> Person? {
    let others = (people[People.foldedNames(person)] ?? []).filter { $0.id.exact != person.id.exact }
    return try service.known(as: person, among: others, .entry, in: reader)
  }
}
